import type { Sorting } from '../../src-server/contract/users.ts'
import type { Entry } from '../core/entries.ts'
import { nameOrder } from '../i18n/intl.ts'

export type SortBy = Sorting['by']

type SortingContext = {
  /** The order in which the server sent the entries. */
  serverSorting: Sorting | undefined
  /** The language whose collation is used. */
  locale: string
}

/**
 * Sorts folders before files, each by name, size or time. Names are compared naturally: file9 before file10, upper and lower
 * case together. Equal entries are sorted by name, and so are folders by size, because they have none.
 */
export function sortEntries(entries: readonly Entry[], wanted: Sorting, { serverSorting, locale }: SortingContext): Entry[] {
  if (serverSorting && serverSorting.by === wanted.by && serverSorting.asc === wanted.asc) return foldersFirst(entries)
  const rank = nameRanks(entries, serverSorting, locale)
  const sign = wanted.asc ? 1 : -1
  const keyed = entries.map((entry, index) => ({ entry, ...valuesOf(entry, rank[index] ?? 0, wanted.by) }))
  keyed.sort((a, b) => sign * (a.value - b.value) || a.rank - b.rank)
  return foldersFirst(keyed.map(({ entry }) => entry))
}

const foldersFirst = (entries: readonly Entry[]): Entry[] => [
  ...entries.filter((entry) => entry.isDir),
  ...entries.filter((entry) => !entry.isDir),
]

/** The order after a press on a column header: reversed, or this column's usual direction when another column was sorted. */
export function nextSorting(now: Sorting, by: SortBy): Sorting {
  if (now.by === by) return { by, asc: !now.asc }
  // The largest and the newest first.
  return { by, asc: by === 'name' }
}

function valuesOf(entry: Entry, rank: number, by: SortBy): { value: number; rank: number } {
  if (by === 'name') return { value: rank, rank }
  if (by === 'size') return { value: entry.isDir ? 0 : entry.size, rank }
  return { value: Date.parse(entry.modified) || 0, rank }
}

/**
 * The rank of each entry by name. When the server has sorted by name its order is used: comparing 100,000 names again would
 * block the page for a second.
 */
function nameRanks(entries: readonly Entry[], given: Sorting | undefined, locale: string): number[] {
  const last = entries.length - 1
  if (given?.by === 'name') return entries.map((_entry, index) => (given.asc ? index : last - index))
  const collator = nameOrder(locale)
  const byName = entries.map((_entry, index) => index)
  byName.sort((a, b) => collator.compare(entries[a]?.name ?? '', entries[b]?.name ?? ''))
  const ranks = new Array<number>(entries.length)
  byName.forEach((index, rank) => {
    ranks[index] = rank
  })
  return ranks
}
