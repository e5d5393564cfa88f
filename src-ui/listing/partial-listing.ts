import type { Resource } from '../../src-server/contract/files.ts'
import type { Sorting } from '../../src-server/contract/users.ts'
import { type Entry, entriesOf } from '../core/entries.ts'

/** The first entries of a large folder, shown while the rest of the answer is awaited. */
export type PartialListing = {
  path: string
  entries: readonly Entry[]
  /** The numbers of folders and of all entries in the complete folder. */
  folders: number
  count: number
  sorting: Sorting
}

/**
 * Parses the beginning of an answer that is sorted by name: with other orders, folders and files may be mixed.
 * @returns undefined when the beginning is not enough
 */
export function partialListingOf(path: string, beginning: string): PartialListing | undefined {
  const { items, numDirs, numFiles, sorting } = completeEntries(beginning)
  if (!items || numDirs === undefined || numFiles === undefined || sorting?.by !== 'name') return undefined
  return { path, entries: entriesOf({ items }), folders: numDirs, count: numDirs + numFiles, sorting }
}

/** The entries that are complete. The separator cannot occur in a name, in which quotes are escaped. */
function completeEntries(beginning: string): Partial<Resource> {
  const end = beginning.lastIndexOf('},{"path":')
  if (end < 0) return {}
  try {
    return JSON.parse(`${beginning.slice(0, end)}}]}`) as Partial<Resource>
  } catch {
    // The fields are in another order; the complete answer is used instead.
    return {}
  }
}
