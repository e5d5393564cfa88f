// How many calls for folders run at a time, of one device by all searches together: what hangs must not occupy the whole thread pool.
import { Limiter, limiterOfEach } from '../base/limiter.ts'
import { mountIn, mountPointNames } from './file-systems.ts'
import type { PathHandle } from './path-handle.ts'

/** Folders that are read at once: a third of the thread pool. Twice as many are not faster on two processors. */
export const atOnce = 8

const reading = limiterOfEach<bigint>(atOnce)
const describing = limiterOfEach<bigint>(1)
/** Where the system lists no mount points each name may be one: they share their slots. */
const openingAnything = new Limiter({ inAll: 2 })

/** For reading a folder. */
export function readingSlots(folder: PathHandle): Limiter {
  return reading(folder.stats.dev)
}

/** For the entries of a folder on a slow device: each of these uses several threads of the pool. */
export function describingSlots(folder: PathHandle): Limiter {
  return describing(folder.stats.dev)
}

/** For opening a name in a folder. A mount point may hang, which must not occupy the slots of the device that it is on. */
export function openingSlots(folder: PathHandle, name: string): Limiter {
  const mounts = mountPointNames()
  if (mounts && !mounts.has(name)) return readingSlots(folder)
  return mounts ? mountIn(folder, name).openingSlots : openingAnything
}
