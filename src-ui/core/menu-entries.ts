import { offered } from '../commands.ts'
import { t } from '../i18n/t.ts'
import type { MenuEntry } from '../ui/menu-items.tsx'
import { showChord } from './chord.ts'
import { type Command, fullLabelOf, isReady, type Place } from './command.ts'
import { run } from './run.ts'

/** What a place offers now, as groups of menu entries. */
export const menuGroups = (place: Place): MenuEntry[][] =>
  groupsOf(inOrder(place)).map((group) => group.map((command) => entryOf(command, place)))

// What one comes for most stands first; the table's order is that of the files that it is written in.
const orders: Partial<Record<Place, readonly string[]>> = {
  context: ['open', 'download', 'edit', 'info'],
  folder: ['new', 'upload', 'paste', 'select', 'sortBy', 'sortDirection', 'view', 'refresh', 'info'],
  more: ['select', 'view', 'refresh', 'path', 'upload', 'paste', 'edit', 'download', 'info', 'help'],
}

function inOrder(place: Place): Command[] {
  const order = orders[place]
  if (!order) return offered(place)
  const rank = ({ group = '' }: Command) => (order.indexOf(group) + order.length + 1) % (order.length + 1)
  return offered(place).toSorted((a, b) => rank(a) - rank(b))
}

/** Those of one group stand together, where the first of them stands; what destroys stands last and apart. */
export function groupsOf(commands: readonly Command[]): Command[][] {
  const groups = new Map<string | Command, Command[]>()
  for (const command of commands) {
    const name = command.danger ? dangers : (command.group ?? command)
    groups.set(name, [...(groups.get(name) ?? []), command])
  }
  const last = groups.get(dangers)
  groups.delete(dangers)
  return [...groups.values(), ...(last ? [last] : [])]
}

const dangers = 'what destroys'

function entryOf(command: Command, place: Place): MenuEntry {
  const [chord] = command.keys ?? command.shownKeys ?? []
  return {
    id: command.id,
    // Where no heading says what an order is: in the folder's menu.
    label: t(place === 'folder' ? fullLabelOf(command) : command.label),
    icon: command.icon,
    keys: chord && showChord(chord),
    danger: command.danger ?? false,
    refusal: isReady(command) ? undefined : command.reason ? t(command.reason()) : '',
    checked: command.checked?.(),
    onSelect: () => void run(command),
  }
}
