import { t } from '../i18n/t.ts'
import type { MenuEntry } from '../ui/menu-items.tsx'
import {
  type Command,
  commandTableSlice,
  fullLabelOf,
  isReady,
  type Place,
  reasonOf,
  selectionTarget,
  type Target,
} from './command.ts'
import { chordOf, showChord } from './key-names.ts'
import { run } from './run.ts'
import type { Workspace } from './workspace.ts'

/** The commands of a place for a target, as groups of menu entries. */
export const menuGroups = (workspace: Workspace, place: Place, target = selectionTarget(workspace)): MenuEntry[][] =>
  groupsOf(inOrder(place, commandsOf(workspace, place, target))).map((group) =>
    group.map((command) => entryOf({ workspace, command, place, target })),
  )

/** With nothing selected, the menu of the header has no room for what needs a selection. */
function commandsOf(workspace: Workspace, place: Place, target: Target): Command[] {
  const offered = workspace.use(commandTableSlice).offered(place)
  if (place !== 'more' || target.items.length > 0) return offered
  return offered.filter((command) => !command.places?.includes('selection'))
}

// The most used groups come first. The order of the table only follows the source files.
const orders: Partial<Record<Place, readonly string[]>> = {
  context: ['open', 'download', 'edit', 'info'],
  folder: ['new', 'upload', 'paste', 'select', 'sortBy', 'sortDirection', 'view', 'refresh', 'download', 'info'],
  viewer: ['open', 'download', 'edit', 'info'],
  more: ['select', 'view', 'refresh', 'path', 'upload', 'paste', 'undo', 'edit', 'download', 'info', 'shell', 'help'],
}

function inOrder(place: Place, offered: readonly Command[]): readonly Command[] {
  const order = orders[place]
  if (!order) return offered
  const rank = ({ group = '' }: Command) => (order.indexOf(group) + order.length + 1) % (order.length + 1)
  return offered.toSorted((a, b) => rank(a) - rank(b))
}

/** The commands of one group are together, where the first of them is; destructive ones are last and apart. */
export function groupsOf(commands: readonly Command[]): Command[][] {
  const groups = new Map<string | Command, Command[]>()
  for (const command of commands) {
    const name = command.danger ? dangerGroup : (command.group ?? command)
    groups.set(name, [...(groups.get(name) ?? []), command])
  }
  const last = groups.get(dangerGroup)
  groups.delete(dangerGroup)
  return [...groups.values(), ...(last ? [last] : [])]
}

const dangerGroup = 'danger'

type Offer = { workspace: Workspace; command: Command; place: Place; target: ReturnType<typeof selectionTarget> }

function entryOf({ workspace, command, place, target }: Offer): MenuEntry {
  const chord = chordOf(workspace, command)
  return {
    id: command.id,
    // In the folder's menu no heading completes a short label.
    label: command.currentLabel?.(workspace) ?? t(place === 'folder' ? fullLabelOf(command) : command.label),
    icon: command.icon,
    keys: chord && showChord(chord),
    danger: command.danger ?? false,
    refusal: refusalOf(workspace, command, target),
    checked: command.checked?.(workspace),
    onSelect: () => void run(workspace, command, target),
  }
}

/** Why it is shown disabled, '' without a reason; undefined when it is not. */
export function refusalOf(workspace: Workspace, command: Command, target = selectionTarget(workspace)): string | undefined {
  const isUsable = isReady(workspace, command, target)
  const reason = isUsable ? command.idle?.(workspace) : reasonOf(workspace, command, target)
  if (reason) return t(reason)
  return isUsable ? undefined : ''
}
