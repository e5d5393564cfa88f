/** Runs work one piece after another, in the order in which it is added; work under different keys runs side by side. */
export class SerialQueue {
  /** The end of the last work under each key. */
  readonly #last = new Map<string, Promise<void>>()

  /** Runs the work when all of its key before it has ended, however it has ended. @throws the error of the work */
  async run<T>(work: () => Promise<T>, key = ''): Promise<T> {
    const before = this.#last.get(key)
    const done = Promise.withResolvers<void>()
    this.#last.set(key, done.promise)
    try {
      await before
      return await work()
    } finally {
      if (this.#last.get(key) === done.promise) this.#last.delete(key)
      done.resolve()
    }
  }

  /** Whether work of a key is going on, or waits. */
  has(key: string): boolean {
    return this.#last.has(key)
  }
}
