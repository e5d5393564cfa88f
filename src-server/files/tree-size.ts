import type { TreeSize } from '../contract/files.ts'
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
  for await (const step of walk(context, entry.path, { need: 'see', order: 'parents first', hidden: 'skip', onUnlisted })) {
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
