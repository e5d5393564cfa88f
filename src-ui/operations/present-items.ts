import type { Item } from '../core/entries.ts'
import type { EntryView } from '../core/entry-view.ts'
import { parentOf } from '../core/paths.ts'

/**
 * The items that are still there, as they are now, of what somebody is asked about. Those of the folder that is shown are known; a file
 * that has the name of a folder since, or a folder that of a file, is not it.
 */
export function presentItems({ state, sortedEntries }: EntryView, items: readonly Item[]): readonly Item[] {
  const shown = state.value
  if (shown.kind !== 'folder' && shown.kind !== 'failed') return items
  const { entries, indexOf } = sortedEntries.value
  return items.flatMap((item) => {
    if (parentOf(item.path) !== shown.path) return [item]
    const now = entries[indexOf(item.path) ?? -1]
    return now?.isDir === item.isDir ? [now] : []
  })
}
