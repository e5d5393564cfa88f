import type { Command } from '../core/command.ts'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { isInItself, parentOf } from '../core/paths.ts'
import { presentItems } from '../core/present-items.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import type { Key } from '../i18n/t.ts'
import { transfer } from './lazy-operations.ts'
import { pickerSlice } from './picker.ts'

/** The keys of the folder picker. */
export const pickerCommands: readonly Command[] = [
  pickerCommand('ArrowDown', 'picker.command.move', (workspace) => workspace.use(pickerSlice).markNext(1)),
  pickerCommand('ArrowUp', 'picker.command.move', (workspace) => workspace.use(pickerSlice).markNext(-1)),
  pickerCommand('Home', 'picker.command.move', (workspace) => workspace.use(pickerSlice).markEnd('first')),
  pickerCommand('End', 'picker.command.move', (workspace) => workspace.use(pickerSlice).markEnd('last')),
  pickerCommand('ArrowRight', 'picker.command.move', (workspace) => (isMirrored() ? goOut(workspace) : goIn(workspace))),
  pickerCommand('ArrowLeft', 'picker.command.move', (workspace) => (isMirrored() ? goIn(workspace) : goOut(workspace))),
  pickerCommand('Backspace', 'picker.command.move', goOut),
  pickerCommand('Enter', 'picker.command.choose', chooseFolder),
]

/** Why the items cannot go to the chosen folder; undefined when they can. */
export function refusalOfFolder(workspace: Workspace): Key | undefined {
  const picker = workspace.use(pickerSlice)
  const asked = askedTransfer(workspace)
  if (!asked) return undefined
  if (isInItself(asked.items, picker.destination.value)) return 'transfer.itself'
  const isHere = asked.kind === 'move' && asked.items.every(({ path }) => parentOf(path) === picker.destination.value)
  return isHere ? 'transfer.here' : undefined
}

/** The move or copy that is asked about, with what is still there of it. */
export function askedTransfer(workspace: Workspace): { kind: 'move' | 'copy'; items: readonly Item[] } | undefined {
  const { value } = workspace.use(overlaysSlice).current
  if (value.kind !== 'move' && value.kind !== 'copy') return undefined
  return { kind: value.kind, items: presentItems(workspace.use(entryViewSlice), value.items) }
}

/** A folder that is itself moved or copied cannot be opened. */
export const isTransferred = (items: readonly Item[], path: string): boolean => items.some((item) => item.path === path)

/** Whether the items can go to the chosen folder. */
export function mayChoose(workspace: Workspace): boolean {
  const { folders, problem } = workspace.use(pickerSlice).state.value
  return folders !== undefined && problem === undefined && refusalOfFolder(workspace) === undefined
}

/** Opens the marked folder. */
export function goIn(workspace: Workspace): void {
  const picker = workspace.use(pickerSlice)
  const into = picker.marked.value
  if (!into || isTransferred(askedTransfer(workspace)?.items ?? [], into.path)) return
  void picker.open(into.path)
}

/** Opens the parent folder and marks the one it came from. */
export function goOut(workspace: Workspace): void {
  const picker = workspace.use(pickerSlice)
  const { path } = picker.state.value
  if (path !== '/') void picker.open(parentOf(path), path)
}

/** Moves or copies to the chosen folder. */
export async function chooseFolder(workspace: Workspace): Promise<void> {
  const overlays = workspace.use(overlaysSlice)
  const picker = workspace.use(pickerSlice)
  const { value } = overlays.current
  if (value.kind === 'chooseFolder' && mayChoose(workspace)) {
    const chosen = picker.destination.value
    overlays.close('chooseFolder')
    return value.onChoose(chosen)
  }
  const asked = askedTransfer(workspace)
  if (!asked || !mayChoose(workspace)) return
  const to = picker.destination.value
  overlays.close(asked.kind)
  await transfer(workspace, { action: asked.kind, items: asked.items, to })
}

function pickerCommand(key: string, label: Key, run: (workspace: Workspace) => void | Promise<void>): Command {
  return { id: `picker.${key}`, label, keys: [key], scope: 'picker', keyOnly: true, repeats: key !== 'Enter', run }
}

const isMirrored = () => locale.value.dir === 'rtl'
