// How many calls for folders run at a time, of one device by all searches together: what hangs must not occupy the whole thread pool.
import { Slots } from '../base/slots.ts'
import { mountIn, mountPointNames } from './file-systems.ts'
import type { PathHandle } from './path-handle.ts'

/** Folders that are read at once: a third of the thread pool. Twice as many are not faster on two processors. */
export const atOnce = 8

const reading = new Map<bigint, Slots>()
const describing = new Map<bigint, Slots>()
/** Where the system lists no mount points each name may be one: they share their slots. */
const openingAnything = new Slots(2)

/** For reading a folder. */
export function readingSlots(folder: PathHandle): Slots {
  return slotsIn(reading, folder.stats.dev, atOnce)
}

/** For the entries of a folder on a slow device: each of these uses several threads of the pool. */
export function describingSlots(folder: PathHandle): Slots {
  return slotsIn(describing, folder.stats.dev, 1)
}

/** For opening a name in a folder. A mount point may hang, which must not occupy the slots of the device that it is on. */
export function openingSlots(folder: PathHandle, name: string): Slots {
  const mounts = mountPointNames()
  if (mounts && !mounts.has(name)) return readingSlots(folder)
  return mounts ? mountIn(folder, name).openingSlots : openingAnything
}

function slotsIn(all: Map<bigint, Slots>, key: bigint, count: number): Slots {
  const known = all.get(key) ?? new Slots(count)
  all.set(key, known)
  return known
}
