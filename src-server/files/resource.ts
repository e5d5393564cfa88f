// What clients see of a file, field by field: nothing of an Entry reaches them that is not named here.

import type { Path } from '../base/paths.ts'
import type { ResourceItem } from '../contract/files.ts'
import type { Entry } from '../disk/disk.ts'
import { extensionOf, kindByName } from './kinds.ts'
import { goMode } from './mode.ts'
import { rfc3339 } from './times.ts'

/** What of an entry is shown. */
export type ShownEntry = Omit<Entry, 'version' | 'identity'>

/** One thing in a listing, its kind told by its name. @param subtitles of a video */
export function itemOf(entry: ShownEntry, subtitles: readonly Path[] = []): ResourceItem {
  const item: ResourceItem = {
    path: entry.path,
    // The root of a scope has no name to show: the folder's real one is the administrator's matter.
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
