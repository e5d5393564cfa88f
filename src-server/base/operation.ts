/** What is released when an operation ends: a disk handle, a timer, a child process. `close` may be called more than once. */
export type Closable = { close(): void | Promise<void> }

/** How far a long work is; what is counted (bytes, files) is said by the work. */
export type Progress = Readonly<{ done: number; total?: number }>

export type OperationOptions = Readonly<{
  onProgress?: (progress: Progress) => void
  /** Aborts the operation as well: the server stops, or the operation that this one is a part of. */
  within?: AbortSignal
}>

/** The reason of a signal whose operation has ended: whatever still goes on with it goes on for nobody. */
const hasEnded = new Error('the operation has ended')

/**
 * One request, one socket or one job: what it holds, and the signal that stops its work. Whoever begins it ends it, after the
 * response has ended, the socket has closed or the job is done.
 */
export class Operation {
  readonly #controller = new AbortController()
  readonly #owned = new Set<Closable>()
  readonly #onProgress: OperationOptions['onProgress']
  readonly #within: AbortSignal | undefined
  #ended: Promise<void> | undefined

  constructor({ onProgress, within }: OperationOptions = {}) {
    this.#onProgress = onProgress
    this.#within = within
    within?.addEventListener('abort', this.#abortWithin)
    if (within?.aborted) this.#abortWithin()
  }

  /** Everything that takes long takes it: it is aborted when the result is wanted no more, and when the operation has ended. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Closes the thing when the operation ends; at once when it has ended already. @returns the thing */
  own<T extends Closable>(thing: T): T {
    if (this.#ended) this.#ended = this.#ended.then(() => thing.close())
    else this.#owned.add(thing)
    return thing
  }

  /** Closes a thing before the end. */
  async release(thing: Closable): Promise<void> {
    if (this.#owned.delete(thing)) await thing.close()
  }

  report(progress: Progress): void {
    this.#onProgress?.(progress)
  }

  /** Stops the work. What is owned is closed by `end()`: something may still be reading from it. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason)
  }

  /**
   * Closes what is owned, the newest first, and everything of it even when one of them fails.
   * @throws what the first of those that failed threw
   */
  end(): Promise<void> {
    this.#ended ??= this.#close()
    return this.#ended
  }

  readonly #abortWithin = () => this.abort(this.#within?.reason)

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
