/** What several workers hand to one reader, a batch at a time. A worker waits while the reader has enough to read. */
export class Batches<T> implements AsyncIterable<readonly T[]> {
  readonly #signal: AbortSignal
  readonly #enough: number
  #ready: T[] = []
  #end: { error?: unknown } | undefined
  #wake = () => {}
  #roomy: (() => void)[] = []

  /** @param signal ends the iteration with its reason @param enough elements that may wait for the reader */
  constructor(signal: AbortSignal, enough: number) {
    this.#signal = signal
    this.#enough = enough
    signal.addEventListener('abort', () => this.fail(signal.reason), { once: true })
  }

  /** Resolves when there is room for more, and when nobody reads any more. */
  async add(batch: readonly T[]): Promise<void> {
    if (this.#end || batch.length === 0) return
    for (const element of batch) this.#ready.push(element)
    this.#wake()
    if (this.#ready.length >= this.#enough) await new Promise<void>((resolve) => this.#roomy.push(resolve))
  }

  end(): void {
    this.#close({})
  }

  fail(error: unknown): void {
    this.#close({ error })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    for (;;) {
      this.#signal.throwIfAborted()
      const batch = this.#take()
      if (batch.length > 0) yield batch
      else if (!this.#end) await new Promise<void>((resolve) => (this.#wake = resolve))
      else if ('error' in this.#end) throw this.#end.error
      else return
    }
  }

  #take(): T[] {
    const batch = this.#ready
    this.#ready = []
    this.#makeRoom()
    return batch
  }

  #close(end: { error?: unknown }) {
    this.#end ??= end
    this.#wake()
    this.#makeRoom()
  }

  #makeRoom() {
    for (const resolve of this.#roomy) resolve()
    this.#roomy = []
  }
}
