import { Low } from 'lowdb'
import { Failure } from '../base/failure.ts'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import type { Backups } from './backups.ts'
import { Unsynced, writeDurably } from './durable-file.ts'
import { FirstPasswordFile } from './first-password-file.ts'
import { frozen } from './frozen.ts'
import type { Lock } from './lock.ts'
import { type OpenedState, type OpenOptions, openState, type StateLog } from './open-state.ts'
import type { StateData, StateDraft } from './state-data.ts'
import { bytesOf } from './state-text.ts'

type StateOptions = Omit<OpenOptions, 'system' | 'log'> & { system?: DiskSystem; log?: StateLog }

/** `session` for what comes with every sign-in; it makes no backup. */
export type ChangeKind = 'session' | 'other'

type Change = {
  kind: ChangeKind
  edit: (draft: StateDraft) => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

const silent: StateLog = { warn: () => {}, error: () => {} }

/** What the server knows beside the files it serves: one JSON file, read once, written durably, by this process alone. */
export class State {
  /** The state file itself, links resolved: protected paths know its companions by folder and name. */
  readonly file: string
  /** Where a random first password waits when there is no terminal to show it on. */
  readonly firstPassword: FirstPasswordFile
  readonly #log: StateLog
  readonly #lock: Lock
  readonly #backups: Backups
  /** Holds what is being written; what readers see is what stands on disk. */
  readonly #low: Low<StateData>
  #data: StateData
  /** Whether what stands on disk is there for good. */
  #isSynced = true
  readonly #queue: Change[] = []
  #draining: Promise<void> | undefined
  #isClosed = false

  private constructor({ file, lock, backups, data }: OpenedState, { system, log }: OpenOptions) {
    this.file = file
    this.firstPassword = new FirstPasswordFile(file, system)
    this.#log = log
    this.#lock = lock
    this.#backups = backups
    this.#data = data
    const adapter = { read: async () => this.#data, write: (next: StateData) => writeDurably(system, file, bytesOf(next)) }
    this.#low = new Low<StateData>(adapter, data)
  }

  /** @throws StartupError; a file that is no good is not touched, nor anything beside it */
  static async open(options: StateOptions): Promise<State> {
    const opening = { system: diskSystem, log: silent, ...options }
    return new State(await openState(opening), opening)
  }

  /** As it stands on disk; frozen, and another object after each change. */
  get data(): StateData {
    return this.#data
  }

  /**
   * Changes wait for each other; those that wait together share one write. Durable when it resolves.
   * @param edit replaces fields of the draft, at once, by new values: what they hold is frozen and shared with the data before.
   *   When it throws, nothing is changed and the promise rejects with what it threw
   * @throws Failure('full' | 'internal') when the file could not be written: memory is then as the file is
   */
  change<T>(kind: ChangeKind, edit: (draft: StateDraft) => T extends Promise<unknown> ? never : T): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Failure('internal', '', { cause: new Error('The state is closed') }))
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ kind, edit, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Once the first administrator has another password; a file that cannot be removed is no reason to refuse that. */
  async forgetFirstPassword(): Promise<void> {
    try {
      await this.firstPassword.remove()
    } catch (error) {
      this.#log.warn({ err: error }, `${this.firstPassword.path} could not be removed: it holds a password that counts no more`)
    }
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
    const { data, done } = applied(this.#data, changes)
    try {
      if (isChanged(this.#data, data) || !this.#isSynced) await this.#write(data, done)
      for (const { change, value } of done) change.resolve(value)
    } catch (cause) {
      this.#log.error({ err: cause }, 'the state could not be written')
      const failure = new Failure(isFull(cause) ? 'full' : 'internal', '', { cause, isLogged: true })
      for (const { change } of done) change.reject(failure)
    }
  }

  async #write(next: StateData, done: readonly Done[]): Promise<void> {
    if (done.some(({ change }) => change.kind === 'other')) await this.#backUp()
    this.#low.data = next
    try {
      await this.#low.write()
      this.#isSynced = true
    } catch (error) {
      if (!(error instanceof Unsynced)) throw error
      // The new file has its name already: memory goes with it, though whoever asked must not rely on it.
      this.#isSynced = false
      this.#data = next
      throw error
    }
    this.#data = next
  }

  /** A backup that fails is no reason to refuse a change that may still go through. */
  async #backUp() {
    try {
      await this.#backups.makeHourly(bytesOf(this.#data))
    } catch (error) {
      this.#log.warn({ err: error }, 'a backup of the state could not be made')
    }
  }
}

type Done = { change: Change; value: unknown }

/** Each edit gets the list of fields for itself, so that one that throws half-way leaves nothing to the next. */
function applied(before: StateData, changes: readonly Change[]): { data: StateData; done: Done[] } {
  let data = before
  const done: Done[] = []
  for (const change of changes) {
    try {
      const draft: StateDraft = { ...data }
      const value = change.edit(draft)
      data = frozen(draft)
      done.push({ change, value })
    } catch (error) {
      change.reject(error)
    }
  }
  return { data, done }
}

/** An edit puts a new value in the place of what it changes. */
function isChanged(before: StateData, after: StateData): boolean {
  const names = Object.keys(after) as (keyof StateData)[]
  return names.some((name) => after[name] !== before[name])
}

function isFull(error: unknown) {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
