import { type Clock, dueAt, isDue } from './clock.ts'

/** Milliseconds after which the clock is looked at again: it may have been set, and a computer that slept has missed the time. */
const longestWait = 60_000

type End = Readonly<{ at: number; work: () => void }>

/** Calls work at moments of the system's time, by one timer for the next of them. There is none while nothing is to end. */
export class Ends {
  readonly #clock: Clock
  readonly #ends = new Map<unknown, End>()
  #cancel: (() => void) | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Calls `work` once, at a time or soon after it, in place of what the key had before.
   * @param at milliseconds since the epoch
   */
  set(key: unknown, at: number, work: () => void): void {
    this.#ends.set(key, { at, work })
    if (this.#cancel === undefined || at < this.#wakesAt) this.#wait()
  }

  /** The same after a term. @param since milliseconds since the epoch @param how.term milliseconds */
  setAfter(key: unknown, since: number, { term, work }: Readonly<{ term: number; work: () => void }>): void {
    // The clock may have been set since.
    const end = () => (isDue(this.#clock, since, term) ? work() : this.setAfter(key, since, { term, work }))
    this.set(key, dueAt(this.#clock, since, term), end)
  }

  /** Calls the work of a key no more. */
  delete(key: unknown): void {
    if (this.#ends.delete(key) && this.#ends.size === 0) this.#stop()
  }

  #wait() {
    this.#stop()
    let next = Number.POSITIVE_INFINITY
    for (const { at } of this.#ends.values()) next = Math.min(next, at)
    if (next === Number.POSITIVE_INFINITY) return
    const now = this.#clock.now()
    this.#wakesAt = Math.min(next, now + longestWait)
    this.#cancel = this.#clock.after(Math.max(0, this.#wakesAt - now), () => this.#wake())
  }

  #stop() {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #wake() {
    const now = this.#clock.now()
    try {
      for (const [key, end] of this.#ends) {
        if (end.at > now) continue
        this.#ends.delete(key)
        end.work()
      }
    } finally {
      this.#wait()
    }
  }
}
