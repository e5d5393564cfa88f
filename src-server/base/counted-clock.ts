// How long ago something was, as far as the clock of the system can be believed. A computer without a clock of its own starts in 1970, or
// when it was shut down, until the network sets its clock; one with an empty battery may start in years to come.
import type { Clock } from './clock.ts'

/**
 * While the clock went on without a jump. `start`: milliseconds since the epoch by that clock; `length`, `gap`: milliseconds. `gap`: how much
 * later it began than any time before.
 */
export type ClockRun = Readonly<{ start: number; length: number; gap: number }>

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Milliseconds by which a clock is set back, or goes on, without a new run: a server is started anew within minutes. */
const [mostBack, mostOn] = [minute, hour]
/** Gaps that count make up a term at least: one that a wrong clock has made ends nothing. */
const gapsOfTerm = 10
/** Runs that are known apart. */
const mostRuns = 1000

/**
 * The time that the server has counted: while it runs, that of the monotonic clock; while it did not, what the clock of the system says, but
 * no more than a tenth of a term at a time, and only what is later than ever before. So something is due after its term on a server that
 * is never off for long, at the tenth start on any other, and a clock that is set by years makes nothing due.
 */
export class CountedClock implements Clock {
  readonly #clock: Clock
  readonly #runs: { start: number; length: number; gap: number }[]
  #elapsed: number

  /** @param runs those of before, the oldest first */
  constructor(clock: Clock, runs: readonly ClockRun[] = []) {
    this.#clock = clock
    this.#runs = runs.map((run) => ({ ...run }))
    this.#elapsed = clock.elapsed()
    this.#count()
  }

  now(): number {
    // What is noted with this time is in the run that has it.
    return this.#count()
  }

  elapsed(): number {
    return this.#clock.elapsed()
  }

  after(milliseconds: number, work: () => void): () => void {
    return this.#clock.after(milliseconds, work)
  }

  /** All until now, the oldest first. */
  runs(): ClockRun[] {
    this.#count()
    return this.#runs.map((run) => ({ ...run }))
  }

  ageOf(time: number, term: number): number {
    this.#count()
    let [age, found, distance] = [0, undefined as number | undefined, Number.POSITIVE_INFINITY]
    for (let index = this.#runs.length - 1; index >= 0 && distance > 0; index--) {
      const { start, length, gap } = this.#runs[index] as ClockRun
      const end = start + length
      // The latest of those in which it may have been: what the end of the server has left uncounted comes after the nearest.
      const away = Math.max(0, time - end)
      if (start <= time && away < distance) {
        distance = away
        found = age + Math.max(0, end - time)
      }
      age += length + Math.min(gap, term / gapsOfTerm)
    }
    return found ?? age
  }

  /** @returns the time of the system */
  #count(): number {
    const [now, elapsed] = [this.#clock.now(), this.#clock.elapsed()]
    const passed = elapsed - this.#elapsed
    this.#elapsed = elapsed
    const last = this.#runs.at(-1)
    if (!last) this.#runs.push({ start: now, length: 0, gap: 0 })
    if (!last) return now
    const jump = now - (last.start + last.length + passed)
    const isSame = jump >= -mostBack && jump <= mostOn && now >= last.start
    last.length = isSame ? now - last.start : last.length + Math.round(passed)
    if (isSame) return now
    this.#runs.push({ start: now, length: 0, gap: Math.max(0, now - this.#latest()) })
    if (this.#runs.length > mostRuns) this.#joinOldest()
    return now
  }

  /** The latest time that there was, unless it was wrong: after a day of an earlier one that is believed. */
  #latest(): number {
    let [latest, length] = [Number.NEGATIVE_INFINITY, 0]
    for (const run of this.#runs.toReversed()) {
      latest = Math.max(latest, run.start + run.length)
      length += run.length
      if (length >= day) break
    }
    return latest
  }

  #joinOldest() {
    const [first, second, ...rest] = this.#runs
    if (!first || !second) return
    const length = first.length + Math.min(second.gap, day) + second.length
    this.#runs.splice(0, this.#runs.length, { ...first, length }, ...rest)
  }
}
