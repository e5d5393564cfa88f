/** Where the time comes from, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment; goes on evenly when the time of day is put back or forward. */
  elapsed(): number
  /** Calls back once, after some milliseconds. @returns what prevents it */
  after(milliseconds: number, work: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  },
}
