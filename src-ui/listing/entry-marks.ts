import { computed, type ReadonlySignal } from '@preact/signals-core'
import { dragSlice } from '../core/drag.ts'
import type { Entry } from '../core/entries.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { clipboardSlice } from '../operations/clipboard.ts'
import { listingSlice } from './listing.ts'

/** How an entry looks at the moment, beside what it is. */
export type EntryMarks = {
  isSelected: boolean
  /** Its neighbours in the list are selected too: the selection is one block. */
  joins: 'above' | 'below' | 'both' | undefined
  isNew: boolean
  /** It was cut and not yet pasted. */
  isCut: boolean
  /** Its rename field is shown. */
  isRenaming: boolean
  /** Whether it is the folder under the pointer, and what a drop would do. */
  drop: 'target' | 'refused' | undefined
  isDragged: boolean
}

/** The entries above and below, where there are some of the same kind. */
export type Neighbours = { above?: Entry | undefined; below?: Entry | undefined }

/**
 * The marks of an entry: the same object until one of them changes, whatever happens to other entries. Who reads them renders
 * only then.
 */
export function entryMarks(workspace: Workspace, entry: Entry, neighbours: Neighbours = {}): ReadonlySignal<EntryMarks> {
  let last: EntryMarks | undefined
  return computed(() => {
    const now = marksOf(workspace, entry, neighbours)
    if (!last || !isSame(last, now)) last = now
    return last
  })
}

function marksOf(workspace: Workspace, entry: Entry, { above, below }: Neighbours): EntryMarks {
  const listing = workspace.use(listingSlice)
  const drag = workspace.use(dragSlice)
  const { keys } = listing.selection.value
  const isSelected = keys.has(entry.key)
  const isMarked = (neighbour: Entry | undefined) => isSelected && neighbour !== undefined && keys.has(neighbour.key)
  return {
    isSelected,
    joins: joined(isMarked(above), isMarked(below)),
    isNew: listing.highlighted.value.has(entry.key),
    isCut: workspace.use(clipboardSlice).cutKeys.value.has(entry.key),
    isRenaming: isRenamed(workspace, entry),
    drop: entry.isDir ? drag.markOf(entry.path) : undefined,
    isDragged: drag.current.value?.items.includes(entry) ?? false,
  }
}

function isRenamed(workspace: Workspace, { key }: Entry): boolean {
  const { value } = workspace.use(overlaysSlice).current
  return value.kind === 'rename' && value.inPlace && value.entry.key === key
}

function joined(above: boolean, below: boolean): EntryMarks['joins'] {
  if (above && below) return 'both'
  return above ? 'above' : below ? 'below' : undefined
}

const isSame = (one: EntryMarks, other: EntryMarks) =>
  (Object.keys(one) as (keyof EntryMarks)[]).every((name) => one[name] === other[name])
