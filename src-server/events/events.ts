import type { Path } from '../base/paths.ts'

/** By which way something is asked for. */
export type Way = 'page' | 'share' | 'job'

/** Where an event comes from. */
export type Source = Readonly<{
  /** The IP address of the client; '' over a unix socket and for a job. */
  address: string
  way: Way
}>

/** A change of files. Paths count from the served root, whatever scope and base the principal has. */
export type FileAct = Readonly<{
  kind: 'upload' | 'save' | 'copy' | 'rename' | 'delete'
  path: Path
  /** Where it goes; copy and rename only. */
  to?: Path
  isDir: boolean
  /** Of a file, as soon as it is known: after an upload, before a copy. */
  bytes?: number
}>

/** What a person does with a session or an account. */
export type AccountAct =
  | Readonly<{ kind: 'signIn' | 'signOut' }>
  /** `fields` are the names of what changes. */
  | Readonly<{ kind: 'settings'; fields: readonly string[] }>

/** Who does it; without an id where a name was said and not yet proved. */
export type Actor = Readonly<{ id?: number; name: string }>

export type Event = Readonly<{ by: Actor }> & Source & (FileAct | AccountAct)

type BeforeListener = (event: Event) => void | Promise<void>
type DoneListener = (event: Event) => void | Promise<void>
type FailedListener = (event: Event, error: unknown) => void | Promise<void>

/** Tells listeners about each change before and after it. The services that change something call it, so that no route can forget it. */
export class Events {
  readonly #before: BeforeListener[] = []
  readonly #done: DoneListener[] = []
  readonly #failed: FailedListener[] = []
  readonly #report: (error: unknown, event: Event) => void

  /** @param report told when a listener fails after the work: that changes nothing any more */
  constructor(report: (error: unknown, event: Event) => void) {
    this.#report = report
  }

  /** Told before the work, one after another; one that throws refuses it. A Failure's sentence reaches the caller. */
  before(listener: BeforeListener): void {
    this.#before.push(listener)
  }

  /** Told when the work went well. */
  done(listener: DoneListener): void {
    this.#done.push(listener)
  }

  /** Told when the work was refused by a listener, or threw. */
  failed(listener: FailedListener): void {
    this.#failed.push(listener)
  }

  /**
   * Does the work between the listeners; `done` or `failed` is told, never both.
   * @param learned what only the result says of the event, such as the size of an upload
   */
  async around<T>(event: Event, work: () => Promise<T>, learned: (result: T) => Partial<Event> = () => ({})): Promise<T> {
    let result: T
    try {
      for (const listener of this.#before) await listener(event)
      result = await work()
    } catch (error) {
      await this.#tell(this.#failed, event, error)
      throw error
    }
    await this.#tell(this.#done, { ...event, ...learned(result) } as Event)
    return result
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
