import { t } from '../i18n/t.ts'
import type { MenuEntry } from '../ui/menu.tsx'
import { offered } from './all.ts'
import { showChord } from './chord.ts'
import { type Command, isReady, type Place } from './command.ts'
import { run } from './run.ts'

/** What a place offers now, as groups of menu entries. */
export const menuGroups = (place: Place): MenuEntry[][] => groupsOf(offered(place)).map((group) => group.map(entryOf))

/** Neighbours of one group stand together. */
export function groupsOf(commands: readonly Command[]): Command[][] {
  const groups: Command[][] = []
  for (const command of commands) {
    const last = groups.at(-1)
    if (last?.[0] && last[0].group === command.group) last.push(command)
    else groups.push([command])
  }
  return groups
}

function entryOf(command: Command): MenuEntry {
  const chord = command.keys?.[0]
  return {
    id: command.id,
    label: t(command.label),
    icon: command.icon,
    keys: chord && showChord(chord),
    danger: command.danger ?? false,
    refusal: isReady(command) ? undefined : command.reason ? t(command.reason()) : '',
    checked: command.checked?.(),
    onSelect: () => void run(command),
  }
}
