/** Work of which only so much is done at a time. The rest waits in the order in which it came. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  /** @param count how much is done at a time, at least one */
  constructor(count: number) {
    this.#free = count
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot goes to the next one as it is.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
