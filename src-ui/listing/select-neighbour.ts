import type { SortedEntries } from '../core/entries.ts'
import { neighbourOf } from '../core/entries.ts'
import { reveal, sortedEntries } from './listing.ts'
import { selection, selectOnly } from './selection.ts'

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
