import type { Path } from '../base/paths.ts'

/**
 * How a request arrives: from the page or another client of the API, by a public link, by one that takes files in, from a job, or from the
 * command line of the machine.
 */
export type Way = 'page' | 'share' | 'request' | 'job' | 'cli'

/** Where an event comes from. */
export type Source = Readonly<{
  /** The IP address of the client, for a job of the one that has begun it; '' over a unix socket, and for work of the server's own. */
  address: string
  way: Way
  /** Stands for what the person does with several requests, so that it is undone as one. */
  actKey?: string | undefined
  /** Who sends something by a request link: the name, or what stands for somebody without one. */
  sender?: string | undefined
}>

/** A change of files. Paths count from the served root, whatever scope and base the principal has. */
export type FileAct = Readonly<{
  /**
   * `restore`: an entry of the trash gets a path again. `purge`: one is removed from there for good. `compress`: an archive is made of
   * something. `extract`: something is made of an archive.
   */
  kind: 'upload' | 'save' | 'copy' | 'rename' | 'delete' | 'restore' | 'purge' | 'compress' | 'extract'
  /** Of an entry of the trash, the one that it had; of an archive, the first of what goes into it. */
  path: Path
  /** Where it goes, or what is made of it; copy, rename, restore, compress and extract only. */
  to?: Path
  isDir: boolean
  /** Of a file, as soon as it is known: after an upload, before a copy. */
  bytes?: number
  /** The id in the trash: of what goes there, comes back, or is removed from there. Without it a `delete` is for good. */
  trash?: string | undefined
  /** Whether it is part of an undo, or of doing again what was undone. */
  isReverse?: boolean
}>

/** A change of a session or an account. */
export type AccountAct =
  | Readonly<{ kind: 'signIn' | 'signOut' }>
  /** `fields`: the names of the settings that change. */
  | Readonly<{ kind: 'settings'; fields: readonly string[] }>
  /** Of the server. `fields`: the names of the settings that change. */
  | Readonly<{ kind: 'serverSettings'; fields: readonly string[] }>
  /** A command that a person runs, and its end in a terminal, which fails with an exit code. `folder`: in the served root. */
  | Readonly<{ kind: 'command' | 'commandEnd'; line: string; folder: Path }>
  /** An administrator, or a person with a new password. `user` is the name before the change. */
  | Readonly<{ kind: 'user'; act: 'create' | 'change' | 'delete'; user: string; fields?: readonly string[] }>

/**
 * A change of a public link, a download through one, or a visit of somebody who downloads nothing: it sees small pictures, or fails with
 * a wrong password. `shared`: the path in the served root of what it leads to.
 */
export type ShareAct = Readonly<{ kind: 'share' | 'shareChange' | 'unshare' | 'download' | 'visit'; shared: Path }>

/** Who acts. Without an id while a name is claimed and not yet verified. */
export type Actor = Readonly<{ id?: number; name: string }>

export type Event = Readonly<{ by: Actor }> & Source & (FileAct | AccountAct | ShareAct)

/** @param signal aborted when nobody waits for the change any more */
type BeforeListener = (event: Event, signal: AbortSignal | undefined) => void | Promise<void>
type DoneListener = (event: Event) => void | Promise<void>
type FailedListener = (event: Event, error: unknown) => void | Promise<void>

/** Called after a change. @param done the event with what its result tells; undefined when the change was refused or threw */
export type AfterChange = (done: Event | undefined) => Promise<void>

/** Called before the change; what it returns is called after it. */
type SurroundingListener = (event: Event) => Promise<AfterChange | undefined>

/** Calls listeners before and after each change. The services call it where they change something, so that no route can forget to. */
export class Events {
  readonly #before: BeforeListener[] = []
  readonly #surrounding: SurroundingListener[] = []
  readonly #done: DoneListener[] = []
  readonly #failed: FailedListener[] = []
  readonly #report: (error: unknown, event: Event) => void

  /** @param report called when a listener throws after the change, which then stands */
  constructor(report: (error: unknown, event: Event) => void) {
    this.#report = report
  }

  /** Adds a listener that is called before the change and refuses it by throwing. The caller sees the sentence of a Failure. */
  before(listener: BeforeListener): void {
    this.#before.push(listener)
  }

  /**
   * Adds a listener that has to compare what is there before and after a change. It is called when no listener has refused, and
   * what it returns is called before the listeners of the outcome. An error of either is reported, and changes nothing.
   */
  surround(listener: SurroundingListener): void {
    this.#surrounding.push(listener)
  }

  /** Adds a listener that is called after a change that succeeded. */
  done(listener: DoneListener): void {
    this.#done.push(listener)
  }

  /** Adds a listener that is called after a change that was refused or threw. */
  failed(listener: FailedListener): void {
    this.#failed.push(listener)
  }

  /**
   * Asks those who may refuse a change that is only prepared; the change itself asks them again.
   * @throws what they throw, after those who are told of failures
   */
  async ask(event: Event, signal?: AbortSignal): Promise<void> {
    try {
      for (const listener of this.#before) await listener(event, signal)
    } catch (error) {
      await this.tellFailed(event, error)
      throw error
    }
  }

  /** Tells that a change has failed which was only prepared. */
  tellFailed(event: Event, error: unknown): Promise<void> {
    return this.#tell(this.#failed, event, error)
  }

  /**
   * Calls the listeners and does the work between them. Afterwards exactly one kind is called: `done` or `failed`.
   * @param learned adds to the event what only the result tells, such as the size of an upload
   * @param signal listeners that refuse get it: they take no longer than it lasts
   */
  async around<T>(
    event: Event,
    work: () => Promise<T>,
    learned: (result: T) => Partial<Event> = () => ({}),
    signal?: AbortSignal,
  ): Promise<T> {
    let result: T
    let finish: AfterChange = async () => {}
    try {
      for (const listener of this.#before) await listener(event, signal)
      finish = await this.#surroundedBy(event)
      result = await work()
    } catch (error) {
      await finish(undefined)
      await this.#tell(this.#failed, event, error)
      throw error
    }
    const done = { ...event, ...learned(result) } as Event
    await finish(done)
    await this.#tell(this.#done, done)
    return result
  }

  async #surroundedBy(event: Event): Promise<AfterChange> {
    const ends: AfterChange[] = []
    const reported = async (work: () => Promise<unknown>) => {
      try {
        await work()
      } catch (error) {
        this.#report(error, event)
      }
    }
    for (const listener of this.#surrounding)
      await reported(async () => {
        const end = await listener(event)
        if (end) ends.push(end)
      })
    return async (done) => {
      for (const end of ends) await reported(() => end(done))
    }
  }

  async #tell(listeners: readonly FailedListener[], event: Event, failure?: unknown) {
    for (const listener of listeners) {
      try {
        await listener(event, failure)
      } catch (error) {
        this.#report(error, event)
      }
    }
  }
}
