import type { Sorting } from '../contract/users.ts'
import type { Entry } from '../disk/disk.ts'
import { nameOrder } from './name-order.ts'

/**
 * Sorts a folder's entries as a person asked. By name: folders first either way. By size: folders count as smaller than
 * any file. By time: folders stand among the files. What is equal in that stands from A to Z.
 * @param locale a BCP 47 tag; one that is unknown, and '', mean the server's own
 */
export function sortEntries(entries: readonly Entry[], { by, asc }: Sorting, locale: string): Entry[] {
  const order = nameOrder(locale)
  const compare = comparers[by]
  const direction = asc ? 1 : -1
  return entries
    .map((entry) => ({ entry, key: order.keyOf(entry.name) }))
    .sort((a, b) => compare(a.entry, b.entry, direction) || (by === 'name' ? direction : 1) * order.compare(a.key, b.key))
    .map(({ entry }) => entry)
}

type Comparer = (a: Entry, b: Entry, direction: number) => number

const comparers: Record<Sorting['by'], Comparer> = {
  name: (a, b) => foldersFirst(a, b),
  size: (a, b, direction) => direction * (foldersFirst(a, b) || (a.isDir ? 0 : a.size - b.size)),
  modified: (a, b, direction) => direction * (a.modified < b.modified ? -1 : a.modified > b.modified ? 1 : 0),
}

function foldersFirst(a: Entry, b: Entry) {
  return Number(b.isDir) - Number(a.isDir)
}
