// Whether something is more than one person may keep in the trash: as far as that is found out in little time. No error of it stops anything.
import { authorize } from '../access/authorize.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { Entry } from '../disk/disk.ts'
import { bytesOf } from './pairs.ts'
import type { RemoveTo } from './steps.ts'
import { type FileContext, isEnterable } from './walk.ts'

/** Bytes of a file up to which nobody asks how much of the disk it takes: where the person is asked then, and where it goes for good. */
const small = { trash: 2 ** 20, any: 64 * 2 ** 20 }

/** Entries of a folder that are looked at, so that a folder of any size goes to the trash in little time. */
const mostLookedAt = 1000

/** Milliseconds: what a slow disk has not told by then is not known. */
const longestLook = 200

/**
 * @param to for clients that know of no trash a folder is not looked through: what is too large would be gone
 * @returns false also when that cannot be found out @throws the signal's reason
 */
export async function isTooLarge(context: FileContext, entry: Entry, to: RemoveTo): Promise<boolean> {
  const { signal, trash } = context
  if (!trash || (isEnterable(entry) ? to !== 'trash' : bytesOf(entry) <= small[to === 'trash' ? 'trash' : 'any'])) return false
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(longestLook)])
  const work = takesMore({ ...context, signal: inTime }, entry, trash.largest)
  try {
    return await orAborted(work, inTime)
  } catch {
    signal.throwIfAborted()
    return false
  }
}

/** @param largest a part of the file system */
async function takesMore({ principal, disk, signal }: FileContext, entry: Entry, largest: number): Promise<boolean> {
  // The rules may hide the folder around it.
  const capability = authorize(principal, 'read', entry.path)
  const { total, free } = await disk.usage(capability, signal)
  const most = total * largest
  if (total === 0 || total - free <= most) return false
  if (!isEnterable(entry)) return bytesOf(entry) > most
  let [bytes, looked, wanted] = [0, 0, 0]
  // Some are left out: links that lead out, and what is gone.
  const isWanted = () => ++wanted <= 2 * mostLookedAt
  // Unlike a walk it does not read all names of a long folder first, and leaves out what cannot be read.
  for await (const found of disk.find(capability, { isWanted, signal })) {
    for (const one of found) bytes += bytesOf(one)
    looked += found.length
    if (bytes > most || looked >= mostLookedAt) break
  }
  return bytes > most
}
