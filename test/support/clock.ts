import type { Clock } from '../../src-server/base/clock.ts'

/** A clock that stands still until it is told to move. */
export class StoppedClock implements Clock {
  #now: number
  #elapsed = 0

  /** @param now milliseconds since the epoch; a whole second unless it is said */
  constructor(now = Date.parse('2026-11-21T12:00:00Z')) {
    this.#now = now
  }

  now() {
    return this.#now
  }

  elapsed() {
    return this.#elapsed
  }

  advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) {
    const span = milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)))
    this.#now += span
    this.#elapsed += span
  }

  /** As somebody who sets the time of day. @param now milliseconds since the epoch */
  set(now: number) {
    this.#now = now
  }
}
