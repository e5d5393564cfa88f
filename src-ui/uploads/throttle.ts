/** Time, in milliseconds. */
export type Clock = { now(): number; after(delay: number, work: () => void): void }

/** Runs work at most once within each pause. Requests during a pause are answered by one run at its end. */
export class Throttle {
  readonly #clock: Clock
  readonly #pause: number
  readonly #work: () => void
  #last = Number.NEGATIVE_INFINITY
  #due = false

  /** @param pause milliseconds */
  constructor(clock: Clock, pause: number, work: () => void) {
    this.#clock = clock
    this.#pause = pause
    this.#work = work
  }

  request(): void {
    if (this.#due) return
    const wait = this.#last + this.#pause - this.#clock.now()
    if (wait <= 0) this.flush()
    else this.#later(wait)
  }

  #later(wait: number): void {
    this.#due = true
    this.#clock.after(wait, () => {
      if (this.#due) this.flush()
    })
  }

  /** Runs the work at once. */
  flush(): void {
    this.#due = false
    this.#last = this.#clock.now()
    this.#work()
  }
}
