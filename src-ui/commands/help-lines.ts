import type { Key } from '../i18n/t.ts'
import { t } from '../i18n/t.ts'
import { commands } from './all.ts'
import { type Command, fullLabelOf, type Scope } from './command.ts'

export type HelpLine = { label: string; chords: readonly string[] }
export type HelpGroup = { title: string; lines: readonly HelpLine[] }

const groups: readonly { title: Key; scopes: readonly Scope[] }[] = [
  { title: 'help.everywhere', scopes: ['everywhere', 'overlay'] },
  { title: 'help.listing', scopes: ['listing', 'heads'] },
]

/** Every key of the command table, with what it does; keys of the same name in one line. */
export function helpGroups(table: readonly Command[] = commands): HelpGroup[] {
  return groups.map(({ title, scopes }) => ({
    title: t(title),
    lines: linesOf(table.filter((command) => scopes.includes(command.scope))),
  }))
}

function linesOf(table: readonly Command[]): HelpLine[] {
  const lines = new Map<string, string[]>()
  for (const command of table) {
    if (!command.keys) continue
    const label = t(fullLabelOf(command))
    lines.set(label, [...(lines.get(label) ?? []), ...command.keys])
  }
  return [...lines].map(([label, chords]) => ({ label, chords: shownOf([...new Set(chords)]) }))
}

// There is room for two keys, or for one with its modifiers: the others do as much, or the like.
function shownOf(chords: readonly string[]): string[] {
  const two = chords.slice(0, 2)
  return two.every((chord) => !chord.includes('+')) ? two : two.slice(0, 1)
}
