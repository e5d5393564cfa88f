// The clock with which systems stamp files. It stands still between its ticks, and files get the time of the last one.
import { setTimeout } from 'node:timers/promises'

/** Milliseconds: the longest tick is 10. */
export const longestTick = 20

/** Milliseconds until what happens has another stamp than a moment of the system's clock, in milliseconds since the epoch. */
export function untilNextTick(moment: number): number {
  const age = Date.now() - moment
  return age >= 0 && age < longestTick ? longestTick - age : 0
}

/** Resolves when what happens has a later stamp than a moment, in milliseconds since the epoch. */
export async function nextTickAfter(moment: number, signal?: AbortSignal): Promise<void> {
  // A timer may end a millisecond early by the clock.
  for (let left = untilNextTick(moment); left > 0; left = untilNextTick(moment)) {
    await setTimeout(left, undefined, signal && { signal })
  }
}

/** Milliseconds by which a stamp of a file, in nanoseconds, may be earlier than the moment: some file systems keep seconds, or even ones. */
export function stampedWithin(stamp: bigint): number {
  return stamp % 1_000_000_000n === 0n ? longestCoarse : longestTick
}

const longestCoarse = 3000
