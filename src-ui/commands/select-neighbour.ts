import type { SortedEntries } from '../state/entries.ts'
import { reveal, sortedEntries } from '../state/listing.ts'
import { neighbourOf } from '../state/neighbour.ts'
import { selection, selectOnly } from '../state/selection.ts'

/** Selects the entry next to what is gone; with nothing left, the reading order begins at the content. */
export function selectNeighbour(before: SortedEntries, gone: ReadonlySet<string>): void {
  const key = neighbourOf(before, gone)
  if (key === undefined || sortedEntries.value.indexOf(key) === undefined) {
    if (typeof document !== 'undefined') document.getElementById('main')?.focus({ preventScroll: true })
    return
  }
  selection.value = selectOnly(key)
  reveal(key, 'quietly')
}
