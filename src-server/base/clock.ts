/** The source of time; tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment. Monotonic: not affected when the system clock is set. */
  elapsed(): number
  /**
   * Milliseconds that have passed since a time, as far as that can be believed: see `CountedClock`.
   * @param time milliseconds since the epoch @param term after how many something is due
   */
  ageOf(time: number, term: number): number
  /** Calls `work` once, after some milliseconds. @returns a function that cancels it */
  after(milliseconds: number, work: () => void): () => void
}

/** The clock and timers of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  ageOf: (time) => Date.now() - time,
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** When something is due. @param since and the result: milliseconds since the epoch @param term milliseconds */
export function dueAt(clock: Pick<Clock, 'now' | 'ageOf'>, since: number, term: number): number {
  return clock.now() + term - clock.ageOf(since, term)
}

/** Whether something is due. @param since milliseconds since the epoch @param term milliseconds */
export function isDue(clock: Pick<Clock, 'ageOf'>, since: number, term: number): boolean {
  return clock.ageOf(since, term) >= term
}
