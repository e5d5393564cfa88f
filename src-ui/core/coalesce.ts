/** Time, in milliseconds. A workspace is one. */
export type Clock = { now(): number; timeout(work: () => void, delay: number): unknown }

/**
 * Runs work at once, and again at most once within each pause. Requests during a run or a pause are answered by one run at its end. A
 * timer runs only while something is due: a hidden page has few.
 */
export class Coalesced {
  readonly #clock: Clock
  readonly #pause: number | ((took: number) => number)
  readonly #work: () => unknown
  #readyAt = Number.NEGATIVE_INFINITY
  #isDue = false
  #isRunning = false
  #isTimed = false

  /** @param pause milliseconds after a run; may depend on those that the run took */
  constructor(clock: Clock, pause: number | ((took: number) => number), work: () => unknown) {
    this.#clock = clock
    this.#pause = pause
    this.#work = work
  }

  request(): void {
    this.#isDue = true
    if (this.#isRunning || this.#isTimed) return
    const wait = this.#readyAt - this.#clock.now()
    if (wait <= 0) {
      this.flush()
      return
    }
    this.#isTimed = true
    this.#clock.timeout(() => {
      this.#isTimed = false
      if (this.#isDue && !this.#isRunning) this.flush()
    }, wait)
  }

  /** Runs the work at once. */
  flush(): void {
    this.#isDue = false
    this.#isRunning = true
    const begun = this.#clock.now()
    const end = () => {
      this.#isRunning = false
      const now = this.#clock.now()
      this.#readyAt = now + (typeof this.#pause === 'number' ? this.#pause : this.#pause(now - begun))
      if (this.#isDue) this.request()
    }
    const running = this.#work()
    if (running instanceof Promise) void running.then(end)
    else end()
  }

  /** What was requested is not needed any more. */
  cancel(): void {
    this.#isDue = false
  }
}
