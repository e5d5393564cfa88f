import type { Times } from './zip-records.ts'

// The years 1980 to 2107 are all that DOS knows.
const earliest = Date.UTC(1980, 0, 1)
const latest = Date.UTC(2107, 11, 31, 23, 59, 58)
const second = 1_000_000_000n

/** @param modified nanoseconds since the epoch */
export function timesOf(modified: bigint): Times {
  const seconds = secondsOf(modified)
  const date = new Date(Math.min(Math.max(seconds * 1000, earliest), latest))
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    day: ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
    // Left out rather than replaced by the nearest one that fits, which would be wrong: the time of DOS reaches further.
    seconds: seconds >= -0x8000_0000 && seconds <= 0x7fff_ffff ? seconds : undefined,
  }
}

/** Rounded down, also before 1970. */
function secondsOf(modified: bigint) {
  const whole = modified / second
  return Number(modified < 0n && whole * second !== modified ? whole - 1n : whole)
}
