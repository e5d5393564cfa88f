import type { KeyboardEvent } from 'react'
import { chordOf } from '../core/chord.ts'
import { clearSelection, focusOn, selectOnly, selectRange, toggle } from '../listing/selection.ts'
import type { TrashItems, TrashRow } from './trash-items.ts'

type Parts = {
  items: TrashItems
  rowsInView: number
  /** Scrolls to a row and focuses it. */
  reveal(key: string): void
  open(row: TrashRow): void
  purge(): void
}

const moving = /^(Shift\+|Mod\+)?(ArrowDown|ArrowUp|Home|End|PageDown|PageUp)$/

/** The keys of the rows, as those of a listing: they move the focus, select, open, and delete for good. */
export function useTrashKeys({ items, rowsInView, reveal, open, purge }: Parts): (event: KeyboardEvent) => void {
  /** @returns whether it was a key of the rows */
  const act = (chord: string, row: TrashRow): boolean => {
    if (chord === 'Enter') open(row)
    else if (chord === 'Mod+Space' || chord === 'Shift+Space') choose(toggle(items.selection.value, row.key))
    else if (chord === 'Mod+A') void items.selectAll()
    else if (chord === 'Delete') purge()
    else if (chord === 'Escape') choose(clearSelection(items.selection.value))
    else return false
    return true
  }
  const choose = (selection: typeof items.selection.value) => {
    items.selection.value = selection
  }
  const move = (prefix: string | undefined, key: string) => {
    const { entries, indexOf } = items.order.value
    const from = indexOf(items.selection.value.focus)
    const to = entries[from === undefined && key !== 'End' ? 0 : destination(from ?? 0, key, entries.length)]
    if (!to) return
    if (prefix === 'Shift+') choose(selectRange(items.selection.value, items.order.value, to.key))
    else choose(prefix ? focusOn(items.selection.value, to.key) : selectOnly(to.key))
    reveal(to.key)
  }
  const destination = (from: number, key: string, count: number): number => {
    const steps: Record<string, number> = {
      ...{ ArrowDown: 1, ArrowUp: -1, PageDown: rowsInView, PageUp: -rowsInView },
      ...{ Home: -count, End: count },
    }
    return Math.max(0, Math.min(count - 1, from + (steps[key] ?? 0)))
  }
  return (event) => {
    // A button in a row has its own keys.
    if ((event.target as Element).closest('button, a, input')) return
    const chord = chordOf(event.nativeEvent)
    const moved = moving.exec(chord)
    const { entries, indexOf } = items.order.value
    const row = entries[indexOf(items.selection.value.focus) ?? 0]
    if (moved) move(moved[1], moved[2] ?? '')
    else if (!row || !act(chord, row)) return
    event.preventDefault()
  }
}
