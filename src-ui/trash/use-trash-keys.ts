import { type KeyboardEvent, useEffect, useRef } from 'react'
import { chordOf } from '../core/chord.ts'
import { menuKeys } from '../core/command.ts'
import { screenKeysSlice } from '../core/keyboard.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { clearSelection, focusOn, selectOnly, selectRange, toggle } from '../listing/selection.ts'
import type { TrashItems, TrashRow } from './trash-items.ts'

type Parts = {
  items: TrashItems
  rowsInView: number
  /** Scrolls to a row and focuses it. */
  reveal(key: string): void
  open(row: TrashRow): void
  purge(): void
  /** Opens the menu of a row. */
  showMenu(row: TrashRow): void
}

const moving = /^(Shift\+|Mod\+)?(ArrowDown|ArrowUp|Home|End|PageDown|PageUp)$/

/** Of the others, those that are for what is selected, whatever row has the focus. */
const ofSelection = ['Mod+A', 'Delete', 'Escape']

/** The keys of the rows, as those of a listing: they move the focus, select, open, and delete for good. @returns the handler of the grid */
export function useTrashKeys(parts: Parts): (event: KeyboardEvent) => void {
  const workspace = useWorkspace()
  const { items, open, purge, showMenu } = parts
  // Of moves to rows that must be read first, the last one counts.
  const moves = useRef(0)
  /** @returns whether it was a key of the rows */
  const act = (chord: string, row: TrashRow): boolean => {
    if (chord === 'Enter') open(row)
    else if (chord === 'Mod+Space' || chord === 'Shift+Space') choose(toggle(items.selection.value, row.key))
    else if (chord === 'Mod+A') void items.selectAll()
    else if (chord === 'Delete') purge()
    else if (menuKeys.includes(chord)) showMenu(row)
    else if (chord === 'Escape') choose(clearSelection(items.selection.value))
    else return false
    return true
  }
  const choose = (selection: typeof items.selection.value) => {
    items.selection.value = selection
  }
  /** @returns whether it was a key of the rows */
  const handle = (chord: string): boolean => {
    const moved = moving.exec(chord)
    const { entries, indexOf } = items.order.value
    const row = entries[indexOf(items.selection.value.focus) ?? 0]
    if (moved) void moveTo(parts, { prefix: moved[1], key: moved[2] ?? '', isLast: isLastOf(moves) })
    return moved !== null || (row !== undefined && act(chord, row))
  }
  // Wherever the focus is, as in a listing, unless that has the key itself.
  useEffect(() => {
    const screenKeys = workspace.use(screenKeysSlice)
    screenKeys.press = (chord, target) => {
      const isFree = target instanceof Element && target.matches('body, #main') && ofSelection.includes(chord)
      return (moving.test(chord) || isFree) && handle(chord)
    }
    return () => {
      screenKeys.press = undefined
    }
  })
  return (event) => {
    // A button in a row has its own keys.
    if ((event.target as Element).closest('button, a, input')) return
    if (handle(chordOf(event.nativeEvent))) event.preventDefault()
  }
}

/** @returns whether nothing was counted since */
function isLastOf(moves: { current: number }): () => boolean {
  moves.current += 1
  const move = moves.current
  return () => moves.current === move
}

type Move = { prefix: string | undefined; key: string; isLast: () => boolean }

/** Moves to another row of all that match, also to one that was not read yet. */
export async function moveTo(
  { items, rowsInView, reveal }: Pick<Parts, 'items' | 'rowsInView' | 'reveal'>,
  move: Move,
): Promise<void> {
  const { prefix, key, isLast } = move
  const from = items.order.value.indexOf(items.selection.value.focus)
  const wanted = from === undefined && key !== 'End' ? 0 : destination(from ?? 0, { key, rowsInView, count: items.count })
  if (wanted >= items.rows.value.length) await items.readAhead(wanted + 1)
  const { value: order } = items.order
  // Fewer are there when they could not be read.
  const to = order.entries[Math.min(wanted, order.entries.length - 1)]
  if (!to || !isLast()) return
  if (prefix === 'Shift+') items.selection.value = selectRange(items.selection.value, order, to.key)
  else items.selection.value = prefix ? focusOn(items.selection.value, to.key) : selectOnly(to.key)
  reveal(to.key)
}

type Step = { key: string; rowsInView: number; count: number }

function destination(from: number, { key, rowsInView, count }: Step): number {
  const steps: Record<string, number> = {
    ...{ ArrowDown: 1, ArrowUp: -1, PageDown: rowsInView, PageUp: -rowsInView },
    ...{ Home: -count, End: count },
  }
  return Math.max(0, Math.min(count - 1, from + (steps[key] ?? 0)))
}
