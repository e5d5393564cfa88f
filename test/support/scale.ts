// How much a test does: `npm test` has a few minutes for everything, `npm run test:long` repeats with full counts each file that
// imports this one, and `npm run test:long -- --full` with counts that take hours.

const scales = ['usual', 'long', 'full'] as const
export type Scale = (typeof scales)[number]

/** That of this run: HOLDALL_TEST_SCALE, which scripts/test.ts and scripts/test-long.ts set. */
export const scale: Scale = scales.find((one) => one === process.env.HOLDALL_TEST_SCALE) ?? 'usual'

/** Whether this run does more than `npm test`. */
export const isLong = scale !== 'usual'

/** The value for this run; without one of its own, `full` has that of `long`. */
export function byScale<T>({ usual, long, full = long }: { usual: T; long: T; full?: T }): T {
  return { usual, long, full }[scale]
}

/**
 * The seed of random choices: HOLDALL_TEST_SEED, which the scripts make of the commit, so that two runs of a commit do the same.
 * Print it, so that a failure can be repeated.
 */
export const seed = Number(process.env.HOLDALL_TEST_SEED ?? 1)
