/** Time, in milliseconds. */
export type Ticker = { now(): number; after(delay: number, work: () => void): void }

/** Does the same work again and again, but never twice within a pause; what is asked for meanwhile is done once at its end. */
export class Pace {
  readonly #ticker: Ticker
  readonly #pause: number
  readonly #work: () => void
  #last = Number.NEGATIVE_INFINITY
  #due = false

  /** @param pause milliseconds */
  constructor(ticker: Ticker, pause: number, work: () => void) {
    this.#ticker = ticker
    this.#pause = pause
    this.#work = work
  }

  soon(): void {
    if (this.#due) return
    const wait = this.#last + this.#pause - this.#ticker.now()
    if (wait <= 0) this.now()
    else this.#later(wait)
  }

  #later(wait: number): void {
    this.#due = true
    this.#ticker.after(wait, () => {
      if (this.#due) this.now()
    })
  }

  /** At once, pause or not. */
  now(): void {
    this.#due = false
    this.#last = this.#ticker.now()
    this.#work()
  }
}
