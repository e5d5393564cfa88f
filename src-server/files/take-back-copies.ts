// Takes back what a move to another file system has copied that broke off, went on and failed: it is all or nothing.
import { authorize } from '../access/authorize.ts'
import { neverAborted } from '../base/or-aborted.ts'
import type { Path } from '../base/paths.ts'
import type { Inode } from '../disk/disk.ts'
import type { Transfer } from './pairs.ts'
import { childrenFirst } from './remove-below.ts'
import { hasSameContent, isOfOthers, isOwnCopy, isWhole, type WorkTimes } from './replaced.ts'
import { entryAt, type FileContext, isEnterable, type Walked } from './walk.ts'

/**
 * Removes the copies of all runs of a move that replaces nothing, before anything of its source is removed. What cannot be told for such
 * a copy stays, and so does everything when an earlier run has begun to remove the source. Never fails.
 */
export async function takeBackCopies(context: FileContext, transfer: Transfer<'rename'>, times: WorkTimes): Promise<void> {
  // Also when it was aborted.
  const cleaning = { ...context, signal: neverAborted, replacedAs: undefined }
  await ignoringFailures(
    cleaning.disk.batch(async (disk) => {
      const inBatch = { ...cleaning, disk }
      for (const copy of await copiesOf(inBatch, transfer, times)) await ignoringFailures(removeCopy(inBatch, copy))
    }),
  )
}

/** `inode`: what it was when it was looked at. */
type Copy = Walked<'rename'> & Readonly<{ inode: Inode }>

/** @returns children first; none when the source of one is gone */
async function copiesOf(context: FileContext, { source, to }: Transfer<'rename'>, times: WorkTimes): Promise<Copy[]> {
  const copies: Copy[] = []
  const target = await entryAt(context, to)
  if (!target) return copies
  for await (const walked of childrenFirst(context, target, 'rename')) {
    const copy = walked.entry
    const inode = await context.disk.inode(authorize(context.principal, 'read', copy.path))
    // Its name was free when the move was begun. What is made at once may have an earlier stamp.
    const isOwn = inode && inode.made > 0n && times.at !== undefined && !(await isOfOthers(context, copy, times))
    if (!isOwn) continue
    const original = await entryAt(context, `${source.path}${copy.path.slice(to.length)}` as Path)
    // Perhaps all was copied, and the source was being removed.
    if (!original) return []
    // What was made since the move was begun is not what was copied: that may be at the target alone.
    const isOriginal = isWhole(copy, original) && !(await isOwnCopy(context, original, { at: times.at }))
    const pair = { entry: original, capability: authorize(context.principal, 'rename', original.path), to: copy.path }
    // It goes for good: nothing but its content tells that nothing is lost with it.
    if (isOriginal && (await hasSameContent(context, pair))) copies.push({ ...walked, inode })
  }
  return copies
}

async function removeCopy({ disk }: FileContext, { entry, capability, inode }: Copy) {
  // The content of a folder changes it, too: it is removed when it is empty.
  const ifChanged = isEnterable(entry) || entry.isSymlink ? undefined : inode.changed
  await disk.remove(capability, undefined, { ifChanged })
}

async function ignoringFailures(call: Promise<void>) {
  try {
    await call
  } catch {
    // The error that stopped the move is reported instead.
  }
}
