// What clients see of a file, field by field: nothing of an Entry reaches them that is not named here.

import type { Path } from '../base/paths.ts'
import type { Resource, ResourceItem } from '../contract/files.ts'
import type { Sorting } from '../contract/users.ts'
import type { Entry } from '../disk/disk.ts'
import { extensionOf, kindByName } from './kinds.ts'
import { goMode } from './mode.ts'
import { rfc3339 } from './times.ts'

/** One thing in a listing, its kind told by its name. @param subtitles of a film */
export function itemOf(entry: Entry, subtitles: readonly Path[] = []): ResourceItem {
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

function kindOfEntry(entry: Entry) {
  if (entry.isDir) return ''
  return entry.unreachable ? 'blob' : kindByName(entry.name)
}

/** A folder with its items, which come sorted. */
export function folderOf(folder: Entry, items: ResourceItem[], sorting: Sorting): Resource {
  const numDirs = items.reduce((sum, item) => sum + (item.isDir ? 1 : 0), 0)
  return { ...itemOf(folder), items, numDirs, numFiles: items.length - numDirs, sorting: { ...sorting } }
}
