import type { Command } from '../core/command.ts'
import { locale } from '../i18n/locale.ts'
import { gridFocusSlice } from './grid-focus.ts'

/** The column headers are no tab stops: the arrow keys move there from the first row. */
export const columnHeaderCommands: readonly Command[] = [
  columnHeaderCommand('ArrowRight', () => step(locale.value.dir === 'rtl' ? -1 : 1)),
  columnHeaderCommand('ArrowLeft', () => step(locale.value.dir === 'rtl' ? 1 : -1)),
  columnHeaderCommand('ArrowDown', (workspace) => workspace.use(gridFocusSlice).move('first', 'focus')),
]

/** Moves the focus to the first column header. @returns whether there is one */
export function focusColumnHeaders(): boolean {
  const [first] = columnHeaders()
  first?.focus()
  return first !== undefined
}

function columnHeaderCommand(key: string, run: Command['run']): Command {
  const id = `columnHeaders.${key}`
  return { id, label: 'listing.command.columnHeaders', keys: [key], scope: 'columnHeaders', keyOnly: true, repeats: true, run }
}

function step(by: 1 | -1): void {
  const all = columnHeaders()
  all[all.indexOf(document.activeElement as HTMLElement) + by]?.focus()
}

const columnHeaders = () => [...document.querySelectorAll<HTMLElement>('[data-column-header]')]
