// The state in memory: commands change it, and listeners are told. How it is kept is given, so that another engine can stand behind it.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { isOutOfSpace } from '../base/room.ts'
import { CommandOutcomes } from './command-outcomes.ts'
import { type CommandName, commands, type InputOf, isBackedUp, type ResultOf } from './commands.ts'
import { Unsynced } from './durable-file.ts'
import { changesBetween, Feed, type RecordChange } from './feed.ts'
import { frozen } from './frozen.ts'
import type { StateLog } from './open-state.ts'
import type { StateData, StateDraft } from './state-data.ts'
import { Views } from './views.ts'

/** `session` for changes of sessions, before which no backup is made. */
type ChangeKind = 'session' | 'other'

type Change = {
  kind: ChangeKind
  edit: (draft: StateDraft) => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Called with the value as soon as it is what is read, which may be before it is durable. */
  became?: (value: unknown) => void
}

export type RecordsParts = Readonly<{
  data: StateData
  clock: Clock
  log: StateLog
  /**
   * Keeps a state. @param isBackedUp whether that of before is to be backed up when it is time
   * @throws Unsynced when it is kept, but may not survive a power failure
   */
  keep(next: StateData, isBackedUp: boolean): Promise<void>
}>

export class Records extends Views {
  /** Tells of each change when it is durable, and also when only the folder could not be synced: then it is what is read, too. */
  readonly feed: Feed
  readonly #log: StateLog
  readonly #keep: RecordsParts['keep']
  readonly #outcomes: CommandOutcomes
  readonly #queue: Change[] = []
  #data: StateData
  /** Whether what is kept survives a power failure. */
  #isSynced = true
  #draining: Promise<void> | undefined
  #isClosed = false

  constructor({ data, clock, log, keep }: RecordsParts) {
    super()
    this.#data = data
    this.#log = log
    this.#keep = keep
    this.#outcomes = new CommandOutcomes(clock)
    this.feed = new Feed((error) => log.error({ err: error }, 'a listener of the state failed'))
  }

  /**
   * Gives a command; durable when it resolves. Commands that are given at the same time share one write.
   * @param id of the command, when it may be given again: then it acts once, and each gets the result of the first
   * @throws what the command throws, Failure('full' | 'internal') when the file could not be written
   */
  run<N extends CommandName>(name: N, input: InputOf<N>, id?: string): Promise<ResultOf<N>> {
    const command = commands[name] as (draft: StateDraft, input: InputOf<N>) => ResultOf<N>
    const give = (became?: (value: unknown) => void) => {
      const edit = (draft: StateDraft) => command(draft, input)
      return this.#enqueue<ResultOf<N>>({ kind: isBackedUp(name) ? 'other' : 'session', edit, ...(became && { became }) })
    }
    if (id === undefined) return give()
    return this.#outcomes.once(id, JSON.stringify([name, input]), give, () => this.change('session', () => {}))
  }

  /** The state on disk. Frozen; replaced by another object after each change. Read in this folder and in tests alone. */
  override get data(): StateData {
    return this.#data
  }

  /**
   * Changes the state by an edit, for tests: the server gives commands.
   * @param edit synchronously sets fields of the draft to new values; the old values are frozen and shared. When it throws,
   *   nothing is changed and the promise rejects with its error
   * @throws Failure('full' | 'internal') when the file could not be written; the state is then unchanged
   */
  change<T>(kind: ChangeKind, edit: (draft: StateDraft) => T extends Promise<unknown> ? never : T): Promise<T> {
    return this.#enqueue<T>({ kind, edit })
  }

  #enqueue<T>(asked: Pick<Change, 'kind' | 'edit' | 'became'>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Failure('internal', '', { cause: new Error('The state is closed') }))
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ ...asked, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Waits for queued changes. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    // Changes made in the same microtask share the first write.
    await null
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0))
    this.#draining = undefined
  }

  async #commit(changes: Change[]): Promise<void> {
    const applied = apply(this.#data, changes)
    const { data, done, refused } = applied
    try {
      if (isChanged(this.#data, data) || !this.#isSynced) await this.#write(applied)
      for (const { change, value } of done) change.resolve(value)
      for (const { change, error } of refused) change.reject(error)
    } catch (cause) {
      this.#log.error({ err: cause }, 'the state could not be written')
      const failure = isOutOfSpace(cause)
        ? new Failure('full', 'no space is left', { cause, isLogged: true })
        : new Failure('internal', '', { cause, isLogged: true })
      // Also those that were refused because of a change that was not written.
      for (const { change } of [...done, ...refused]) change.reject(failure)
    }
  }

  async #write(applied: Applied): Promise<void> {
    try {
      await this.#keep(
        applied.data,
        applied.done.some(({ change }) => change.kind === 'other'),
      )
      this.#isSynced = true
    } catch (error) {
      if (!(error instanceof Unsynced)) throw error
      // It is kept, so the memory must match it, although the change is reported as failed.
      this.#isSynced = false
      this.#become(applied)
      throw error
    }
    this.#become(applied)
  }

  #become({ data, done, news }: Applied) {
    this.#data = data
    for (const { change, value } of done) change.became?.(value)
    this.feed.tell(news)
  }
}

type Done = { change: Change; value: unknown }

/** `news`: what each edit has changed, in their order. */
type Applied = { data: StateData; done: Done[]; refused: { change: Change; error: unknown }[]; news: RecordChange[] }

/** Each edit gets its own copy of the fields, so that an edit that throws half-way has no effect on the next. */
function apply(before: StateData, changes: readonly Change[]): Applied {
  const applied: Applied = { data: before, done: [], refused: [], news: [] }
  for (const change of changes) {
    try {
      const draft: StateDraft = { ...applied.data }
      const value = change.edit(draft)
      const data = frozen(draft)
      applied.news.push(...changesBetween(applied.data, data))
      applied.data = data
      applied.done.push({ change, value })
    } catch (error) {
      applied.refused.push({ change, error })
    }
  }
  return applied
}

/** Compares by identity: edits replace values. */
function isChanged(before: StateData, after: StateData): boolean {
  const names = Object.keys(after) as (keyof StateData)[]
  return names.some((name) => after[name] !== before[name])
}
