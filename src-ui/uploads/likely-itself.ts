// Only a prompt asks this: here the first page does not load it.
import type { UploadJob } from './upload-jobs.ts'

/** By how many milliseconds the clock of the server may be behind when an answer was lost. */
const clockTolerance = 60_000
/** By how many milliseconds else: file systems round the time down, some to 2 s. */
const timeStep = 2000

/**
 * Whether the entry that has its name is most likely this upload itself: an attempt that was refused has written nothing, any other may
 * have. The page does not see every lost answer: over a connection that was reset the browser sends an upload again by itself.
 */
export const isLikelyItself = ({ lostSince, begun, existing, size }: UploadJob): boolean =>
  begun !== undefined &&
  existing?.isDir === false &&
  existing.size === size &&
  Date.parse(existing.modified) >= (lostSince === undefined ? begun - timeStep : lostSince - clockTolerance)
