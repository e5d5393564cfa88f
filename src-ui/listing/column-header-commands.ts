import type { Command } from '../core/command.ts'
import { locale } from '../i18n/locale.ts'
import { move } from './grid-focus.ts'

/** The column heads by keyboard: they are no tab stops of their own, the arrow keys lead to them from the first row. */
export const columnHeaderCommands: readonly Command[] = [
  columnHeaderCommand('ArrowRight', () => step(locale.value.dir === 'rtl' ? -1 : 1)),
  columnHeaderCommand('ArrowLeft', () => step(locale.value.dir === 'rtl' ? 1 : -1)),
  columnHeaderCommand('ArrowDown', () => move('first', 'focus')),
]

/** Takes the keyboard to the first head. @returns whether there is one */
export function focusColumnHeaders(): boolean {
  const [first] = columnHeaders()
  first?.focus()
  return first !== undefined
}

function columnHeaderCommand(key: string, run: () => void): Command {
  return { id: `columnHeaders.${key}`, label: 'listing.command.heads', keys: [key], scope: 'columnHeaders', keyOnly: true, run }
}

function step(by: 1 | -1): void {
  const all = columnHeaders()
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by]
  next?.focus()
}

const columnHeaders = () => [...document.querySelectorAll<HTMLElement>('[data-column-header]')]
