// Takes back what a move to another file system has copied that broke off, went on and failed: it is all or nothing.
import { authorize } from '../access/authorize.ts'
import { neverAborted } from '../base/or-aborted.ts'
import type { Path } from '../base/paths.ts'
import type { Entry, Inode } from '../disk/disk.ts'
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

type Copy = Walked<'rename'> & Readonly<{ original: Entry }>

/** @returns children first; none when the source of one is gone */
async function copiesOf(context: FileContext, { source, to }: Transfer<'rename'>, times: WorkTimes): Promise<Copy[]> {
  const copies: Copy[] = []
  const target = await entryAt(context, to)
  if (!target || times.at === undefined) return copies
  for await (const walked of childrenFirst(context, target, 'rename')) {
    const copy = walked.entry
    // Its name was free when the move was begun. What is made at once may have an earlier stamp.
    const { made = 0n } = (await inodeOf(context, copy.path)) ?? {}
    if (made === 0n || (await isOfOthers(context, copy, times))) continue
    const original = await entryAt(context, `${source.path}${copy.path.slice(to.length)}` as Path)
    // Perhaps all was copied, and the source was being removed.
    if (!original) return []
    // What was made since the move was begun is not what was copied: that may be at the target alone.
    const isOriginal = isWhole(copy, original) && !(await isOwnCopy(context, original, { at: times.at }))
    if (isOriginal) copies.push({ ...walked, original })
  }
  return copies
}

/** It goes for good: nothing but its content, which its source has just then, tells that nothing is lost with it. */
async function removeCopy(context: FileContext, { entry, capability, original }: Copy) {
  const looks = async () => [await inodeOf(context, entry.path), await inodeOf(context, original.path)] as const
  const [copy, before] = await looks()
  const pair = { entry: original, capability: authorize(context.principal, 'rename', original.path), to: entry.path }
  if (!(await hasSameContent(context, pair))) return
  const [, after] = await looks()
  if (after?.id !== before?.id || (!isEnterable(original) && after?.changed !== before?.changed)) return
  // The content of a folder changes it, too: it is removed when it is empty.
  const ifChanged = isEnterable(entry) || entry.isSymlink ? undefined : copy?.changed
  await context.disk.remove(capability, undefined, { ifChanged, sparesUploads: true })
}

function inodeOf({ disk, principal }: FileContext, path: Path): Promise<Inode | undefined> {
  return disk.inode(authorize(principal, 'read', path))
}

async function ignoringFailures(call: Promise<void>) {
  try {
    await call
  } catch {
    // The error that stopped the move is reported instead.
  }
}
