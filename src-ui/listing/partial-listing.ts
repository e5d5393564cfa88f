// The first entries of a large folder, seen while the rest of the answer is still on its way.
import { signal } from '@preact/signals-core'
import type { Resource } from '../../src-server/contract/files.ts'
import type { Sorting } from '../../src-server/contract/users.ts'
import { type Entry, entriesOf } from '../core/entries.ts'

export type PartialListing = {
  path: string
  entries: readonly Entry[]
  /** How many folders the whole folder has, and how many things of either kind. */
  folders: number
  count: number
  sorting: Sorting
}

/** To be seen and not yet to be touched; undefined when nothing large is on its way. */
export const partialListing = signal<PartialListing | undefined>(undefined)

/**
 * What the beginning of an answer tells. Only an order by name puts the first things first: in any other the page's folders,
 * which stand above the files, may come anywhere. @returns undefined when it does not tell enough
 */
export function partialListingOf(path: string, beginning: string): PartialListing | undefined {
  const { items, numDirs, numFiles, sorting } = completeEntries(beginning)
  if (!items || numDirs === undefined || numFiles === undefined || sorting?.by !== 'name') return undefined
  return { path, entries: entriesOf({ items }), folders: numDirs, count: numDirs + numFiles, sorting }
}

/** The entries that have arrived whole. What parts them cannot stand inside a name: its quotes are escaped there. */
function completeEntries(beginning: string): Partial<Resource> {
  const end = beginning.lastIndexOf('},{"path":')
  if (end < 0) return {}
  try {
    return JSON.parse(`${beginning.slice(0, end)}}]}`) as Partial<Resource>
  } catch {
    // Another order of fields than ours: the whole answer will do.
    return {}
  }
}
