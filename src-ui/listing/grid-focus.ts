// Where the keyboard is in the listing, and how it gets from one entry to another.
import { computed, signal } from '@preact/signals-core'
import type { Entry } from '../core/entries.ts'
import { reveal, sortedEntries } from './listing.ts'
import { type Columns, type Direction, layoutRows } from './row-layout.ts'
import { focusOn, type Selection, selection, selectOnly, selectRange, toggle } from './selection.ts'

/** What a move does to the selection: takes it along, stretches it, or leaves it alone. */
export type Mode = 'select' | 'extend' | 'focus'
export type Move = Direction | 'first' | 'last' | 'pageDown' | 'pageUp'

/** How many entries stand side by side, as the page is drawn now. */
export const columns = signal<Columns>({ folders: 1, files: 1 })
/** How many lines fit into the window. */
export const rowsInView = signal(10)
export const rowLayout = computed(() => layoutRows(sortedEntries.value, columns.value))

/** The entry that the keyboard is at; the first one when it was nowhere yet. */
export function focused(): Entry | undefined {
  return sortedEntries.value.entries[sortedEntries.value.indexOf(selection.value.focus) ?? 0]
}

/** Moves the keyboard through the listing. Coming from elsewhere it begins at the entry where it was last, or at the first. */
export function move(to: Move, mode: Mode): void {
  const from = sortedEntries.value.indexOf(selection.value.focus)
  const target = sortedEntries.value.entries[from === undefined && to !== 'last' ? 0 : destination(from ?? 0, to)]
  if (!target) return
  selection.value = moved(target.key, mode)
  reveal(target.key, 'byKeyboard')
}

/** Takes the entry at the keyboard into the selection, or out of it. */
export function toggleFocused(): void {
  const entry = focused()
  if (!entry) return
  selection.value = toggle(selection.value, entry.key)
  reveal(entry.key, 'byKeyboard')
}

function moved(key: string, mode: Mode): Selection {
  if (mode === 'select') return selectOnly(key)
  return mode === 'extend' ? selectRange(selection.value, sortedEntries.value, key) : focusOn(selection.value, key)
}

function destination(from: number, to: Move): number {
  if (to === 'first') return 0
  if (to === 'last') return sortedEntries.value.entries.length - 1
  if (to !== 'pageDown' && to !== 'pageUp') return rowLayout.value.step(from, to)
  let index = from
  for (let line = 0; line < rowsInView.value; line++) index = rowLayout.value.step(index, to === 'pageDown' ? 'down' : 'up')
  return index
}
