import type { Item } from './entries.ts'
import type { EntryView } from './entry-view.ts'
import { parentOf } from './paths.ts'

/**
 * The items that are still there, as they are now, of what somebody is asked about. Those of the folder that is shown are known; a file
 * that has the name of a folder since, or a folder that of a file, is not it. What cannot be named cannot be found either.
 */
export function presentItems({ state, sortedEntries }: EntryView, items: readonly Item[]): readonly Item[] {
  const shown = state.value
  if (shown.kind !== 'folder' && shown.kind !== 'failed') return items
  const { entries, indexOf } = sortedEntries.value
  return items.flatMap((item) => {
    if (parentOf(item.path) !== shown.path || item.unreachable === 'name') return [item]
    const now = entries[indexOf(item.path) ?? -1]
    return now?.isDir === item.isDir ? [now] : []
  })
}
