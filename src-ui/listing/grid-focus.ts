import { computed, signal } from '@preact/signals-core'
import type { Entry } from '../core/entries.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { type Listing, listingSlice } from './listing.ts'
import { type Columns, type Direction, layoutRows } from './row-layout.ts'
import { focusOn, type Selection, selectOnly, selectRange, toggle } from './selection.ts'

/** What a move of the focus does to the selection: moves, extends or keeps it. */
export type Mode = 'select' | 'extend' | 'focus'
export type Move = Direction | 'first' | 'last' | 'pageDown' | 'pageUp'

/** The entry that has the keyboard's focus, and how the focus moves. */
export class GridFocus {
  readonly #listing: Listing
  /** The columns of the grid as it is rendered now. */
  readonly columns = signal<Columns>({ folders: 1, files: 1 })
  /** How many rows fit into the window. */
  readonly rowsInView = signal(10)
  readonly rowLayout = computed(() => layoutRows(this.#listing.sortedEntries.value, this.columns.value))

  constructor(workspace: Workspace) {
    this.#listing = workspace.use(listingSlice)
  }

  /** The focused entry; the first one if none was focused yet. */
  focused(): Entry | undefined {
    const { entries, indexOf } = this.#listing.sortedEntries.value
    return entries[indexOf(this.#listing.selection.value.focus) ?? 0]
  }

  /** Moves the focus; to the first entry if none was focused yet. */
  move(to: Move, mode: Mode): void {
    const { entries, indexOf } = this.#listing.sortedEntries.value
    const from = indexOf(this.#listing.selection.value.focus)
    const target = entries[from === undefined && to !== 'last' ? 0 : this.#destination(from ?? 0, to)]
    if (target) this.#set(this.#moved(target.key, mode), target.key)
  }

  /** Selects the entry with the focus, or deselects it. */
  toggleFocused(): void {
    const entry = this.focused()
    if (entry) this.#set(toggle(this.#listing.selection.value, entry.key), entry.key)
  }

  #set(selection: Selection, key: string): void {
    this.#listing.selection.value = selection
    this.#listing.reveal(key, 'byKeyboard')
  }

  #moved(key: string, mode: Mode): Selection {
    if (mode === 'select') return selectOnly(key)
    const { value } = this.#listing.selection
    return mode === 'extend' ? selectRange(value, this.#listing.sortedEntries.value, key) : focusOn(value, key)
  }

  #destination(from: number, to: Move): number {
    if (to === 'first') return 0
    if (to === 'last') return this.#listing.sortedEntries.value.entries.length - 1
    const { step } = this.rowLayout.value
    if (to !== 'pageDown' && to !== 'pageUp') return step(from, to)
    let index = from
    for (let row = 0; row < this.rowsInView.value; row++) index = step(index, to === 'pageDown' ? 'down' : 'up')
    return index
  }
}

export const gridFocusSlice = slice('gridFocus', (workspace) => new GridFocus(workspace))
