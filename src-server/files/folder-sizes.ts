import { authorize } from '../access/authorize.ts'
import { refusedField } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { ItemCount, TreeSize } from '../contract/files.ts'
import type { Entry } from '../disk/disk.ts'
import { type FileContext, walk } from './walk.ts'

/** Entries between two reports. */
const entriesPerReport = 500

/** @param onCount called with what is counted so far @throws the signal's reason when it is aborted */
export async function sizeOf(context: FileContext, entry: Entry, onCount: (counted: TreeSize) => void): Promise<TreeSize> {
  const counted = { bytes: 0, files: 0, folders: 0, unlisted: 0 }
  if (!entry.isDir) return { ...counted, bytes: entry.size, files: 1 }
  const onUnlisted = () => {
    counted.unlisted++
  }
  let entries = 0
  for await (const step of walk(context, entry.path, { action: 'read', order: 'parents first', hidden: 'skip', onUnlisted })) {
    add(counted, step.entry)
    if (++entries % entriesPerReport === 0) onCount({ ...counted })
  }
  return counted
}

type Counted = { -readonly [K in keyof TreeSize]: TreeSize[K] }

function add(counted: Counted, { isDir, isSymlink, size, unreachable }: Entry) {
  if (isDir && !isSymlink) {
    counted.folders++
    // It is listed although the system cannot describe it, and the walk does not enter it.
    if (unreachable) counted.unlisted++
    return
  }
  counted.files++
  if (!isSymlink && !unreachable) counted.bytes += size
}

/** How many folders one call counts, how many entries of each, and for how many milliseconds. */
export const countLimits = { names: 100, items: 10_000, longest: 500 }

/**
 * How many entries some folders in a folder have. What is not known after a moment is left out.
 * @throws Failure('invalid') for too many names, Failure('notFound' | 'forbidden'), the signal's reason when it is aborted
 */
export async function itemCounts(
  { principal, disk, signal }: FileContext,
  folder: Path,
  names: readonly string[],
): Promise<ItemCount[]> {
  if (names.length > countLimits.names)
    throw refusedField('names', 'has more than {{number}} names', { number: countLimits.names })
  const over = AbortSignal.timeout(countLimits.longest)
  const counts: ItemCount[] = []
  const onCounted = (name: string, { items, hasMore }: Omit<ItemCount, 'name'>) => counts.push({ name, items, hasMore })
  const how = { names, most: countLimits.items, onCounted, signal: AbortSignal.any([signal, over]) }
  try {
    await disk.countItems(authorize(principal, 'read', folder), how)
  } catch (error) {
    signal.throwIfAborted()
    if (!over.aborted) throw error
  }
  return [...counts]
}
