// The fields of an Entry that clients see: only those that are named here are sent.

import type { Path } from '../base/paths.ts'
import type { ResourceItem } from '../contract/files.ts'
import type { Entry } from '../disk/disk.ts'
import { extensionOf, kindByName } from './kinds.ts'
import { goMode } from './mode.ts'
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
