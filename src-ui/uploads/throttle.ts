/** Time, in milliseconds. */
export type Clock = { now(): number; after(delay: number, work: () => void): void }

/** Does the same work again and again, but never twice within a pause; what is asked for meanwhile is done once at its end. */
export class Throttle {
  readonly #ticker: Clock
  readonly #pause: number
  readonly #work: () => void
  #last = Number.NEGATIVE_INFINITY
  #due = false

  /** @param pause milliseconds */
  constructor(ticker: Clock, pause: number, work: () => void) {
    this.#ticker = ticker
    this.#pause = pause
    this.#work = work
  }

  request(): void {
    if (this.#due) return
    const wait = this.#last + this.#pause - this.#ticker.now()
    if (wait <= 0) this.flush()
    else this.#later(wait)
  }

  #later(wait: number): void {
    this.#due = true
    this.#ticker.after(wait, () => {
      if (this.#due) this.flush()
    })
  }

  /** At once, pause or not. */
  flush(): void {
    this.#due = false
    this.#last = this.#ticker.now()
    this.#work()
  }
}
