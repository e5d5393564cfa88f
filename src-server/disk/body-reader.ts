export type Body = AsyncIterable<Uint8Array>

/** Reads a body chunk by chunk, and stops at once when it is interrupted, also while it waits for a chunk. */
export class BodyReader {
  #interrupted: { reason: unknown } | undefined
  #reject: (reason: unknown) => void = () => {}

  /** Ends the reading, also while it waits for a chunk. */
  interrupt(reason: unknown): void {
    this.#interrupted ??= { reason }
    this.#reject(reason)
  }

  /** Calls `take` with each chunk. @throws what the body or `take` throws, and the reason of an interruption */
  async each(body: Body, take: (chunk: Uint8Array) => Promise<void>): Promise<void> {
    const iterator = body[Symbol.asyncIterator]()
    let isDone = false
    try {
      for (;;) {
        const next = await this.#next(iterator)
        isDone = next.done === true
        if (isDone) return
        await take(next.value)
      }
    } finally {
      if (!isDone) await this.#end(iterator)
    }
  }

  // Not Promise.race() with one promise for all chunks: that would hold every chunk until the body ends.
  #next(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      if (this.#interrupted) return reject(this.#interrupted.reason)
      this.#reject = reject
      iterator.next().then(resolve, reject)
    })
  }

  /** A body that was interrupted may be waiting for bytes that never come: it is told to end, but not waited for. */
  async #end(iterator: AsyncIterator<Uint8Array>) {
    const ended = Promise.resolve(iterator.return?.()).catch(() => {})
    if (!this.#interrupted) await ended
  }
}
