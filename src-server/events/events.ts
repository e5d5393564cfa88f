import type { Path } from '../base/paths.ts'

export type FileEvent = {
  kind: 'upload' | 'save' | 'copy' | 'rename' | 'delete'
  path: Path
  /** Where it goes; copy and rename only. */
  to?: Path
  /** The user's name. */
  by: string
}

type Listener = (event: FileEvent) => void | Promise<void>

/** Tells listeners before and after each change of files, so that no route can forget them. */
export class Events {
  readonly #before: Listener[] = []
  readonly #after: Listener[] = []
  readonly #report: (error: unknown, event: FileEvent) => void

  constructor(report: (error: unknown, event: FileEvent) => void) {
    this.#report = report
  }

  before(listener: Listener) {
    this.#before.push(listener)
  }

  after(listener: Listener) {
    this.#after.push(listener)
  }

  /** A listener that throws before the work stops it; one that throws after is only reported. */
  async around<T>(event: FileEvent, work: () => Promise<T>): Promise<T> {
    for (const listener of this.#before) await listener(event)
    const result = await work()
    for (const listener of this.#after) {
      try {
        await listener(event)
      } catch (error) {
        this.#report(error, event)
      }
    }
    return result
  }
}
