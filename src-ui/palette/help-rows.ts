import { type Command, commandTableSlice, fullLabelOf, type Scope } from '../core/command.ts'
import { keysOf } from '../core/key-names.ts'
import type { Workspace } from '../core/workspace.ts'
import type { Key } from '../i18n/t.ts'
import { t } from '../i18n/t.ts'

/** A command and its keys. */
export type HelpRow = { label: string; chords: readonly string[] }
/** Rows under a title. */
export type HelpGroup = { title: string; lines: readonly HelpRow[] }

const isKeyboards = ({ id }: Command) => /^(grid|selection|columnHeaders)\b/.test(id)
const isIn = (command: Command, ...scopes: Scope[]) => scopes.includes(command.scope)

// Two columns of about the same length: first moving and selecting, then acting.
const groups: readonly { title: Key; holds: (command: Command) => boolean }[] = [
  { title: 'help.everywhere', holds: (command) => isIn(command, 'everywhere', 'overlay') },
  { title: 'help.selecting', holds: (command) => isIn(command, 'listing', 'columnHeaders') && isKeyboards(command) },
  { title: 'help.viewer', holds: (command) => isIn(command, 'viewer', 'picture', 'player') },
  { title: 'help.listing', holds: (command) => isIn(command, 'listing') && !isKeyboards(command) },
]

/** All keys of the command table by group. Commands with the same label share a row. */
export function helpGroups(
  workspace: Workspace,
  table: readonly Command[] = workspace.use(commandTableSlice).commands,
): HelpGroup[] {
  return groups.map(({ title, holds }) => ({ title: t(title), lines: helpRows(table.filter(holds)) }))
}

function helpRows(table: readonly Command[]): HelpRow[] {
  const lines = new Map<string, string[]>()
  for (const command of table) {
    if (!command.keys) continue
    const label = t(fullLabelOf(command))
    lines.set(label, [...(lines.get(label) ?? []), ...keysOf({ keys: command.keys })])
  }
  return [...lines].map(([label, chords]) => ({ label, chords: shownOf([...new Set(chords)]) }))
}

// There is room for two single keys, or for one key with modifiers. Further keys of a command are not shown.
function shownOf(chords: readonly string[]): string[] {
  const two = chords.slice(0, 2)
  return two.every((chord) => !chord.includes('+')) ? two : two.slice(0, 1)
}
