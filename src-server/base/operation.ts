/** A resource that is released when an operation ends: a disk handle, a timer, a child process. `close` may be called twice. */
export type Closable = { close(): void | Promise<void> }

/**
 * The progress of a long task; the task defines what is counted (bytes, files). `bytes`: of all files that `total` counts, which is told
 * once, where it was found out.
 */
export type Progress = Readonly<{ done: number; total?: number; bytes?: number | undefined }>

export type OperationOptions = Readonly<{
  onProgress?: (progress: Progress) => void
  /** Aborts this operation too: the signal of a larger operation, or of the server's end. */
  within?: AbortSignal
  /** Called with the error of a resource that was added after the end and could not be closed: nobody waits for it. */
  onLateFailure?: (error: unknown) => void
}>

/** The abort reason of work that its person has ended for good. */
export type Cancel = 'cancel'
/** Whether stopped work may go on from what it has made: after a pause, the end of the server, or with the rights that are left. */
export const mayGoOnLater = ({ aborted, reason }: AbortSignal): boolean => aborted && reason !== ('cancel' satisfies Cancel)

/** The abort reason once the operation has ended: nobody needs the results of work that still runs. */
const hasEnded = new Error('the operation has ended')

/**
 * One request, socket or job: the resources that it owns, and the signal that stops its work. The code that begins it ends it,
 * after the response has ended, the socket has closed or the job is done.
 */
export class Operation {
  readonly #controller = new AbortController()
  readonly #owned = new Set<Closable>()
  #onProgress: OperationOptions['onProgress']
  #onTransferred: ((bytes: number, name: string) => void) | undefined
  readonly #within: AbortSignal | undefined
  readonly #onLateFailure: OperationOptions['onLateFailure']
  #ended: Promise<void> | undefined

  constructor({ onProgress, within, onLateFailure }: OperationOptions = {}) {
    this.#onProgress = onProgress
    this.#within = within
    this.#onLateFailure = onLateFailure
    within?.addEventListener('abort', this.#abortWithin)
    if (within?.aborted) this.#abortWithin()
  }

  /** Passed to everything that takes long. Aborted when the result is no longer needed, and when the operation has ended. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Closes `thing` when the operation ends; at once when it has already ended. @returns `thing` */
  own<T extends Closable>(thing: T): T {
    if (this.#ended) this.#ended = this.#closeLate(this.#ended, thing)
    else this.#owned.add(thing)
    return thing
  }

  /** Closes one owned resource before the operation ends. */
  async release(thing: Closable): Promise<void> {
    if (this.#owned.delete(thing)) await thing.close()
  }

  /** Replaces the listener of `report`. */
  onProgress(listener: (progress: Progress) => void): void {
    this.#onProgress = listener
  }

  /** Reports progress to whoever began the operation. */
  report(progress: Progress): void {
    this.#onProgress?.(progress)
  }

  /** Replaces the listener of `transferred`. */
  onTransferred(listener: (bytes: number, name: string) => void): void {
    this.#onTransferred = listener
  }

  /** Tells that more bytes of something with a name were copied or, with a negative number, that these were dropped. */
  transferred(bytes: number, name: string): void {
    this.#onTransferred?.(bytes, name)
  }

  /** Stops the work. Owned resources are closed by `end()` only: something may still be reading from them. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason)
  }

  /**
   * Closes the owned resources, the newest first. Continues when one fails to close.
   * @throws the error of the first that failed
   */
  end(): Promise<void> {
    this.#ended ??= this.#close()
    return this.#ended
  }

  readonly #abortWithin = () => this.abort(this.#within?.reason)

  /** Whoever waited for the end before has its failure, so that this promise has none. */
  async #closeLate(ended: Promise<void>, thing: Closable) {
    await ended.catch(() => {})
    try {
      await thing.close()
    } catch (error) {
      this.#onLateFailure?.(error)
    }
  }

  async #close() {
    this.#within?.removeEventListener('abort', this.#abortWithin)
    this.abort(hasEnded)
    const failures: unknown[] = []
    for (const thing of [...this.#owned].reverse()) {
      try {
        await thing.close()
      } catch (error) {
        failures.push(error)
      }
    }
    this.#owned.clear()
    if (failures.length > 0) throw failures[0]
  }
}
