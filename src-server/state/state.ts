import { chmodSync, statSync } from 'node:fs'
import { Low } from 'lowdb'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { StartupProblem } from '../base/startup-problem.ts'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import { Backups } from './backups.ts'
import { resolveFile, sweepTemporaries, Unsynced, writeDurably } from './durable-file.ts'
import { FirstPasswordFile } from './first-password-file.ts'
import { folderProblem } from './folder-problem.ts'
import { type Lock, takeLock } from './lock.ts'
import { newState } from './new-state.ts'
import { readState, type StateReading } from './read-state.ts'
import type { StateData } from './state-data.ts'

/** Where warnings and errors go; the server's logger is one. */
export type StateLog = Readonly<{
  warn(details: object, text: string): void
  error(details: object, text: string): void
}>

type OpenOptions = {
  file: string
  clock: Clock
  system?: DiskSystem
  log?: StateLog
  /** Replaced in tests, by one with other migrations. */
  read?: (file: string) => StateReading
}

type StateParts = { file: string; system: DiskSystem; log: StateLog; lock: Lock; backups: Backups; data: StateData; text: string }

/** `session` for what comes with every sign-in; it makes no backup. */
export type ChangeKind = 'session' | 'other'

type Change = {
  kind: ChangeKind
  edit: (draft: StateData) => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

const silent: StateLog = { warn: () => {}, error: () => {} }

/** What the server knows beside the files it serves: one JSON file, read once, written durably, by this process alone. */
export class State {
  /** The state file itself, links resolved: the family of our own files is known by its folder and name. */
  readonly file: string
  /** Where a random first password waits when there is no terminal to show it on. */
  readonly firstPassword: FirstPasswordFile
  readonly #log: StateLog
  readonly #lock: Lock
  readonly #backups: Backups
  readonly #low: Low<StateData>
  /** What stands on disk: the data, and the same as text. */
  #standing: { data: Readonly<StateData>; text: string }
  readonly #queue: Change[] = []
  #draining: Promise<void> | undefined
  #isClosed = false

  private constructor({ file, system, log, lock, backups, data, text }: StateParts) {
    this.file = file
    this.firstPassword = new FirstPasswordFile(file, system)
    this.#log = log
    this.#lock = lock
    this.#backups = backups
    this.#standing = { data: frozen(data), text }
    const write = (draft: StateData) => writeDurably(system, file, textOf(draft))
    this.#low = new Low<StateData>({ read: async () => data, write }, data)
  }

  /**
   * Takes the lock, reads the file or makes it, and leaves a backup of what it found.
   * @throws StartupProblem; a file that is no good is not touched, nor anything beside it
   */
  static async open({ file: named, clock, system = diskSystem, log = silent, read = readState }: OpenOptions): Promise<State> {
    const file = resolved(named)
    const backups = new Backups({ file, clock, system, read })
    // Asked before the lock as well, so that a start that is refused leaves no trace.
    usable(file, read(file), backups)
    const lock = takeLock(file)
    try {
      const reading = usable(file, read(file), backups)
      await sweepTemporaries(system, file)
      const found = reading ?? (await firstState(system, file))
      await prepare({ file, system, backups, reading, log })
      return new State({ file, system, log, lock, backups, ...found })
    } catch (error) {
      lock.release()
      throw error instanceof StartupProblem ? error : folderProblem(file, error)
    }
  }

  /** As it stands on disk; frozen, and another object after each change. */
  get data(): Readonly<StateData> {
    return this.#standing.data
  }

  /**
   * Changes wait for each other; those that wait together share one write. Durable when it resolves.
   * @param edit changes the draft, at once; when it throws, nothing is changed and the promise rejects with what it threw
   * @throws Failure('full' | 'internal') when the file could not be written: memory is then as the file is
   */
  change<T>(kind: ChangeKind, edit: (draft: StateData) => T extends Promise<unknown> ? never : T): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Failure('internal', '', { cause: new Error('The state is closed') }))
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ kind, edit, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Lets what was asked for finish, then lets another process have the file. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#draining
    this.#lock.release()
  }

  async #drain(): Promise<void> {
    // Let everything that is asked for in this turn come into the first write.
    await null
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0))
    this.#draining = undefined
  }

  async #commit(changes: Change[]): Promise<void> {
    const { data, done } = applied(this.#standing.data, changes)
    try {
      const text = textOf(data)
      if (text !== this.#standing.text) await this.#write({ data, text }, done)
      for (const { change, value } of done) change.resolve(value)
    } catch (cause) {
      this.#log.error({ err: cause }, 'the state could not be written')
      const failure = isFull(cause) ? new Failure('full', '', { cause }) : new Failure('internal', '', { cause })
      for (const { change } of done) change.reject(failure)
    }
  }

  async #write(next: { data: StateData; text: string }, done: readonly Done[]): Promise<void> {
    if (done.some(({ change }) => change.kind === 'other')) await this.#backUp()
    this.#low.data = next.data
    try {
      await this.#low.write()
    } catch (error) {
      // The new file has its name already: memory goes with it, though whoever asked must not rely on it.
      if (error instanceof Unsynced) this.#standing = { data: frozen(next.data), text: next.text }
      throw error
    }
    this.#standing = { data: frozen(next.data), text: next.text }
  }

  /** A backup that fails is no reason to refuse a change that may still go through. */
  async #backUp() {
    try {
      await this.#backups.makeHourly(this.#standing.text)
    } catch (error) {
      this.#log.warn({ err: error }, 'a backup of the state could not be made')
    }
  }
}

type Done = { change: Change; value: unknown }

/** Each edit gets a copy of its own, so that one that throws half-way leaves nothing to the next. */
function applied(before: Readonly<StateData>, changes: readonly Change[]): { data: StateData; done: Done[] } {
  let data: StateData = before
  const done: Done[] = []
  for (const change of changes) {
    try {
      const draft = structuredClone(data)
      const value = change.edit(draft)
      done.push({ change, value })
      data = draft
    } catch (error) {
      change.reject(error)
    }
  }
  return { data, done }
}

function resolved(file: string): string {
  try {
    return resolveFile(file)
  } catch (cause) {
    throw folderProblem(file, cause)
  }
}

/** @returns undefined when a first state may be made @throws StartupProblem naming the newest good backup */
function usable(file: string, reading: StateReading, backups: Backups) {
  if (reading.kind === 'good') return reading
  if (reading.kind === 'missing' && backups.list().length === 0) return undefined
  const reason = reading.kind === 'bad' ? reading.reason : 'is missing, but its backups are here'
  const good = backups.newestGood()
  const advice = good === undefined ? 'no backup of it is good either;' : `the newest good backup is ${good}; copy it there, or`
  throw new StartupProblem(`The state file ${file} ${reason}: ${advice} name another file with --database.`)
}

async function firstState(system: DiskSystem, file: string): Promise<{ data: StateData; text: string }> {
  const data = newState()
  const text = textOf(data)
  await writeDurably(system, file, text)
  return { data, text }
}

type PrepareParts = { file: string; system: DiskSystem; backups: Backups; reading: ReturnType<typeof usable>; log: StateLog }

async function prepare({ file, system, backups, reading, log }: PrepareParts): Promise<void> {
  if (reading === undefined) return backups.skip()
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  if (reading.isMigrated) {
    await backups.make(reading.text)
    await writeDurably(system, file, textOf(reading.data))
    return
  }
  await backups.make(reading.text).catch((error) => log.warn({ err: error }, 'a backup of the state could not be made'))
}

/** For people to read, too. */
function textOf(data: StateData): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

/** A slip that writes to what is live must be seen, not saved by chance with the next change. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

function isFull(error: unknown) {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
