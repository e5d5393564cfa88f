/** The source of time; tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment. Monotonic: not affected when the system clock is set. */
  elapsed(): number
  /** Calls `work` once, after some milliseconds. @returns a function that cancels it */
  after(milliseconds: number, work: () => void): () => void
}

/** The clock and timers of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  },
}
