import { mapYielding, sortYielding } from '../base/yield-to-event-loop.ts'
import type { Sorting } from '../contract/users.ts'
import type { Entry } from '../disk/disk.ts'
import { type NameKey, nameOrder } from './name-order.ts'

export type SortHow = Sorting & {
  /** A BCP 47 tag; one that is unknown, and '', mean the server's own. */
  locale: string
  signal?: AbortSignal
}

/**
 * Sorts a folder's entries. By name: folders first in both orders. By size: folders count as smaller than any file. By time:
 * folders are among the files. Equal entries are in the order of their names.
 * @throws the signal's reason when it is aborted meanwhile
 */
export async function sortEntries(entries: readonly Entry[], { by, asc, locale, signal }: SortHow): Promise<Entry[]> {
  const order = nameOrder(locale)
  const compare = comparers[by]
  const direction = asc ? 1 : -1
  const ofNames = by === 'name' ? direction : 1
  const keyed = await mapYielding(entries, (entry) => ({ entry, key: order.keyOf(entry.name) }), signal)
  const compareKeyed = (a: Keyed, b: Keyed) => compare(a.entry, b.entry, direction) || ofNames * order.compare(a.key, b.key)
  return mapYielding(await sortYielding(keyed, compareKeyed, signal), ({ entry }) => entry, signal)
}

type Keyed = Readonly<{ entry: Entry; key: NameKey }>

type Comparer = (a: Entry, b: Entry, direction: number) => number

const comparers: Record<Sorting['by'], Comparer> = {
  name: (a, b) => foldersFirst(a, b),
  size: (a, b, direction) => direction * (foldersFirst(a, b) || (a.isDir ? 0 : a.size - b.size)),
  modified: (a, b, direction) => direction * (a.modified < b.modified ? -1 : a.modified > b.modified ? 1 : 0),
}

function foldersFirst(a: Entry, b: Entry) {
  return Number(b.isDir) - Number(a.isDir)
}
