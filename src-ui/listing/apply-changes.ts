import type { LiveMessage } from '../../src-server/contract/live.ts'
import type { Sorting } from '../../src-server/contract/users.ts'
import type { Entry } from '../core/entries.ts'
import { nameOrder } from '../i18n/intl.ts'

export type Changes = Pick<Extract<LiveMessage, { kind: 'changed' }>, 'items' | 'removed'>

/** How many entries were added, removed and changed. */
export type ChangeCounts = { added: number; removed: number; changed: number }

type Applied = { entries: readonly Entry[]; counts: ChangeCounts }

/**
 * Applies changes to the entries of a folder, in the server's order. Entries that are the same stay the same objects.
 * @returns undefined when nothing is different
 */
export function applyChanges(
  entries: readonly Entry[],
  { items, removed }: Changes,
  compare: (one: Entry, other: Entry) => number,
): Applied | undefined {
  const next = new Map(items.map((item) => [item.path, { ...item, key: item.path } as Entry]))
  const gone = new Set(removed)
  const counts = { added: 0, removed: 0, changed: 0 }
  const kept = entries.filter((entry) => {
    const replacement = next.get(entry.key)
    if (replacement && isEqual(entry, replacement)) {
      next.delete(entry.key)
      return true
    }
    if (replacement) counts.changed += 1
    // An entry whose name could not be read has another key than its path.
    else if (gone.has(entry.name) && entry.key === entry.path) counts.removed += 1
    else return true
    return false
  })
  counts.added = next.size - counts.changed
  if (next.size === 0 && counts.removed === 0) return undefined
  return { entries: merged(kept, [...next.values()].sort(compare), compare), counts }
}

/** The order in which the server sends a folder that is sorted like this. @param locale of the names */
export function comparerFor({ by, asc }: Sorting, locale: string): (one: Entry, other: Entry) => number {
  const collator = nameOrder(locale)
  const sign = asc ? 1 : -1
  const byName = (one: Entry, other: Entry) => collator.compare(one.name, other.name) || (one.name < other.name ? -1 : 1)
  const foldersFirst = (one: Entry, other: Entry) => Number(other.isDir) - Number(one.isDir)
  if (by === 'name') return (one, other) => foldersFirst(one, other) || sign * byName(one, other)
  if (by === 'size') {
    const size = (entry: Entry) => (entry.isDir ? 0 : entry.size)
    return (one, other) => sign * (foldersFirst(one, other) || size(one) - size(other)) || byName(one, other)
  }
  const time = (entry: Entry) => Date.parse(entry.modified) || 0
  return (one, other) => sign * (time(one) - time(other)) || byName(one, other)
}

function isEqual(one: Entry, other: Entry): boolean {
  return (
    one.size === other.size &&
    one.modified === other.modified &&
    one.mode === other.mode &&
    one.isDir === other.isDir &&
    one.isSymlink === other.isSymlink &&
    one.type === other.type &&
    one.unreachable === other.unreachable
  )
}

/** Both in order. The position of each new one is searched: a folder may have 100,000 entries. */
function merged(
  entries: readonly Entry[],
  added: readonly Entry[],
  compare: (one: Entry, other: Entry) => number,
): readonly Entry[] {
  const all: Entry[] = []
  let from = 0
  for (const entry of added) {
    const at = positionOf(entry, { entries, from, compare })
    for (; from < at; from++) all.push(entries[from] as Entry)
    all.push(entry)
  }
  for (; from < entries.length; from++) all.push(entries[from] as Entry)
  return all
}

type Searched = { entries: readonly Entry[]; from: number; compare: (one: Entry, other: Entry) => number }

function positionOf(entry: Entry, { entries, from, compare }: Searched): number {
  let [low, high] = [from, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(entries[middle] as Entry, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}
