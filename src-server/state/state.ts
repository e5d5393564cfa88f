import { Low } from 'lowdb'
import { Failure } from '../base/failure.ts'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import type { Backups } from './backups.ts'
import { Unsynced, writeDurably } from './durable-file.ts'
import { changesBetween, Feed, type RecordChange } from './feed.ts'
import { FirstPasswordFile } from './first-password-file.ts'
import { frozen } from './frozen.ts'
import type { Lock } from './lock.ts'
import { type OpenedState, type OpenOptions, openState, type StateLog } from './open-state.ts'
import type { StateData, StateDraft } from './state-data.ts'
import { bytesOf } from './state-text.ts'

type StateOptions = Omit<OpenOptions, 'system' | 'log'> & { system?: DiskSystem; log?: StateLog }

/** `session` for changes of sessions, before which no backup is made. */
export type ChangeKind = 'session' | 'other'

type Change = {
  kind: ChangeKind
  edit: (draft: StateDraft) => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

const silent: StateLog = { warn: () => {}, error: () => {} }

/** The users, sessions and settings: one JSON file, read once and written durably by this process only. */
export class State {
  /** The path of the state file, with links resolved. */
  readonly file: string
  /** The file for a random first password when there is no terminal to print it on. */
  readonly firstPassword: FirstPasswordFile
  /** Tells of each change when it is durable, and also when only the folder could not be synced: then it is what is read, too. */
  readonly feed: Feed
  readonly #system: DiskSystem
  readonly #log: StateLog
  readonly #lock: Lock
  readonly #backups: Backups
  /** Its data is what is being written. Readers see `#data`, which is on disk. */
  readonly #low: Low<StateData>
  #data: StateData
  /** Whether the file on disk survives a power failure. */
  #isSynced = true
  readonly #queue: Change[] = []
  #draining: Promise<void> | undefined
  #isClosed = false

  private constructor({ file, lock, backups, data }: OpenedState, { system, log }: OpenOptions) {
    this.file = file
    this.#system = system
    this.firstPassword = new FirstPasswordFile(file, system)
    this.feed = new Feed((error) => log.error({ err: error }, 'a listener of the state failed'))
    this.#log = log
    this.#lock = lock
    this.#backups = backups
    this.#data = data
    const adapter = { read: async () => this.#data, write: (next: StateData) => writeDurably(system, file, bytesOf(next)) }
    this.#low = new Low<StateData>(adapter, data)
  }

  /** Opens the state file or makes it. @throws StartupError; an invalid file and the files beside it are left unchanged */
  static async open(options: StateOptions): Promise<State> {
    const opening = { system: diskSystem, log: silent, ...options }
    return new State(await openState(opening), opening)
  }

  /** The state on disk. Frozen; replaced by another object after each change. */
  get data(): StateData {
    return this.#data
  }

  /**
   * Changes the state; durable when it resolves. Changes that are queued at the same time share one write.
   * @param edit synchronously sets fields of the draft to new values; the old values are frozen and shared. When it throws,
   *   nothing is changed and the promise rejects with its error
   * @throws Failure('full' | 'internal') when the file could not be written; the state is then unchanged
   */
  change<T>(kind: ChangeKind, edit: (draft: StateDraft) => T extends Promise<unknown> ? never : T): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Failure('internal', '', { cause: new Error('The state is closed') }))
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ kind, edit, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** The file for a random password that a person gets without a terminal to print it on. */
  passwordFileOf(id: number): FirstPasswordFile {
    return new FirstPasswordFile(this.file, this.#system, id)
  }

  /** Removes the files with a password of a person that is no longer valid. @param isFirst whether it is the first administrator's too */
  async forgetPassword(id: number, isFirst: boolean): Promise<void> {
    for (const file of [this.passwordFileOf(id), ...(isFirst ? [this.firstPassword] : [])]) {
      try {
        await file.remove()
      } catch (error) {
        this.#log.warn({ err: error }, `${file.path} could not be removed: its password is no longer valid`)
      }
    }
  }

  /** Waits for queued changes and releases the lock. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#draining
    this.#lock.release()
  }

  async #drain(): Promise<void> {
    // Changes made in the same microtask share the first write.
    await null
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0))
    this.#draining = undefined
  }

  async #commit(changes: Change[]): Promise<void> {
    const applied = apply(this.#data, changes)
    const { data, done } = applied
    try {
      if (isChanged(this.#data, data) || !this.#isSynced) await this.#write(applied)
      for (const { change, value } of done) change.resolve(value)
    } catch (cause) {
      this.#log.error({ err: cause }, 'the state could not be written')
      const failure = new Failure(isFull(cause) ? 'full' : 'internal', '', { cause, isLogged: true })
      for (const { change } of done) change.reject(failure)
    }
  }

  async #write({ data: next, done, news }: Applied): Promise<void> {
    if (done.some(({ change }) => change.kind === 'other')) await this.#backUp()
    this.#low.data = next
    try {
      await this.#low.write()
      this.#isSynced = true
    } catch (error) {
      if (!(error instanceof Unsynced)) throw error
      // The new file is in place, so the memory must match it, although the change is reported as failed.
      this.#isSynced = false
      this.#become(next, news)
      throw error
    }
    this.#become(next, news)
  }

  #become(next: StateData, news: readonly RecordChange[]) {
    this.#data = next
    this.feed.tell(news)
  }

  /** A failed backup is only logged, so that the change can be written. */
  async #backUp() {
    try {
      await this.#backups.makeHourly(bytesOf(this.#data))
    } catch (error) {
      this.#log.warn({ err: error }, 'a backup of the state could not be made')
    }
  }
}

type Done = { change: Change; value: unknown }

/** `news`: what each edit has changed, in their order. */
type Applied = { data: StateData; done: Done[]; news: RecordChange[] }

/** Each edit gets its own copy of the fields, so that an edit that throws half-way has no effect on the next. */
function apply(before: StateData, changes: readonly Change[]): Applied {
  const applied: Applied = { data: before, done: [], news: [] }
  for (const change of changes) {
    try {
      const draft: StateDraft = { ...applied.data }
      const value = change.edit(draft)
      const data = frozen(draft)
      applied.news.push(...changesBetween(applied.data, data))
      applied.data = data
      applied.done.push({ change, value })
    } catch (error) {
      change.reject(error)
    }
  }
  return applied
}

/** Compares by identity: edits replace values. */
function isChanged(before: StateData, after: StateData): boolean {
  const names = Object.keys(after) as (keyof StateData)[]
  return names.some((name) => after[name] !== before[name])
}

function isFull(error: unknown) {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
