import type { Clock } from '../../src-server/base/clock.ts'

type Waiting = Readonly<{ at: number; work(): void }>

/** A clock whose time changes only by its methods. */
export class StoppedClock implements Clock {
  readonly #waiting = new Set<Waiting>()
  #now: number
  #elapsed = 0

  /** @param now milliseconds since the epoch */
  constructor(now = Date.parse('2026-11-21T12:00:00Z')) {
    this.#now = now
  }

  now() {
    return this.#now
  }

  elapsed() {
    return this.#elapsed
  }

  ageOf(time: number) {
    return this.#now - time
  }

  after(milliseconds: number, work: () => void) {
    const waiting = { at: this.#elapsed + milliseconds, work }
    this.#waiting.add(waiting)
    return () => void this.#waiting.delete(waiting)
  }

  /** How many calls registered with `after` are pending. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Moves both times forward and makes the calls that are due, in order. */
  advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) {
    const span = milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)))
    this.#now += span
    this.#elapsed += span
    const due = [...this.#waiting].filter(({ at }) => at <= this.#elapsed).sort((a, b) => a.at - b.at)
    for (const waiting of due) if (this.#waiting.delete(waiting)) waiting.work()
  }

  /** Sets the time of day, but not the monotonic time. @param now milliseconds since the epoch */
  set(now: number) {
    this.#now = now
  }
}
