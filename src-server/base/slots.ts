/** Limits how much work runs at a time. The rest waits in the order of its arrival. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  /** @param count how much may run at a time, at least one */
  constructor(count: number) {
    this.#free = count
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot is passed to the next one without becoming free.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
