// The fields of an Entry that clients see: only those that are named here are sent.
import type { Path } from '../base/paths.ts'
import type { ResourceItem } from '../contract/files.ts'
import type { Entry } from '../disk/disk.ts'
import { extensionOf, kindByName } from './kinds.ts'
import { rfc3339 } from './times.ts'

/** The fields of an entry that are shown. */
export type ShownEntry = Omit<Entry, 'version' | 'identity'>

/** An item of a listing, with the kind by its name. @param subtitles of a video */
export function itemOf(entry: ShownEntry, subtitles: readonly Path[] = []): ResourceItem {
  const item: ResourceItem = {
    path: entry.path,
    // The root of a scope has an empty name, because only the administrator may know that of the folder.
    name: entry.path === '/' ? '' : entry.name,
    size: entry.size,
    extension: entry.path === '/' ? '' : extensionOf(entry.name),
    modified: rfc3339(entry.modified),
    mode: goMode(entry.mode),
    isDir: entry.isDir,
    isSymlink: entry.isSymlink,
    type: kindOfEntry(entry),
  }
  if (entry.unreachable) item.unreachable = entry.unreachable
  if (subtitles.length > 0) item.subtitles = [...subtitles]
  return item
}

function kindOfEntry(entry: ShownEntry) {
  if (entry.isDir) return ''
  return entry.unreachable ? 'blob' : kindByName(entry.name)
}

// Go's file-mode integer, which existing clients expect: permission bits as in Unix, kinds as high bits of its own.

const typeMask = 0o170000
const goTypes = new Map([
  [0o040000, 2 ** 31], // folder
  [0o120000, 2 ** 27], // symbolic link
  [0o060000, 2 ** 26], // block device
  [0o010000, 2 ** 25], // named pipe
  [0o140000, 2 ** 24], // socket
  [0o020000, 2 ** 26 + 2 ** 21], // character device
])
const goSpecial: readonly (readonly [unix: number, go: number])[] = [
  [0o4000, 2 ** 23], // setuid
  [0o2000, 2 ** 22], // setgid
  [0o1000, 2 ** 20], // sticky
]

/** @param mode the kind and permission bits of `stat` */
export function goMode(mode: number): number {
  const special = goSpecial.reduce((sum, [unix, go]) => sum + (mode & unix ? go : 0), 0)
  return (mode & 0o777) + special + (goTypes.get(mode & typeMask) ?? 0)
}
