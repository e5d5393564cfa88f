import { locale } from '../i18n/locale.ts'
import { move } from '../state/grid.ts'
import type { Command } from './command.ts'

/** The column heads by keyboard: they are no tab stops of their own, the arrow keys lead to them from the first row. */
export const headCommands: readonly Command[] = [
  headCommand('ArrowRight', () => step(locale.value.dir === 'rtl' ? -1 : 1)),
  headCommand('ArrowLeft', () => step(locale.value.dir === 'rtl' ? 1 : -1)),
  headCommand('ArrowDown', () => move('first', 'focus')),
]

/** Takes the keyboard to the first head. @returns whether there is one */
export function enterHeads(): boolean {
  const [first] = heads()
  first?.focus()
  return first !== undefined
}

function headCommand(key: string, run: () => void): Command {
  return { id: `heads.${key}`, label: 'listing.command.heads', keys: [key], scope: 'heads', keyOnly: true, run }
}

function step(by: 1 | -1): void {
  const all = heads()
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by]
  next?.focus()
}

const heads = () => [...document.querySelectorAll<HTMLElement>('[data-head]')]
