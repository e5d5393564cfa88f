import type { Command } from '../core/command.ts'
import type { Item } from '../core/entries.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { isInItself, parentOf } from '../core/paths.ts'
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
  const overlays = workspace.use(overlaysSlice)
  const picker = workspace.use(pickerSlice)
  const { value } = overlays.current
  if (value.kind !== 'move' && value.kind !== 'copy') return undefined
  if (isInItself(value.items, picker.destination.value)) return 'transfer.itself'
  const isHere = value.kind === 'move' && value.items.every(({ path }) => parentOf(path) === picker.destination.value)
  return isHere ? 'transfer.here' : undefined
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
  const overlays = workspace.use(overlaysSlice)
  const picker = workspace.use(pickerSlice)
  const { value } = overlays.current
  const into = picker.marked.value
  if (!into || ((value.kind === 'move' || value.kind === 'copy') && isTransferred(value.items, into.path))) return
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
  if ((value.kind !== 'move' && value.kind !== 'copy') || !mayChoose(workspace)) return
  const to = picker.destination.value
  overlays.close(value.kind)
  await transfer(workspace, { action: value.kind, items: value.items, to })
}

function pickerCommand(key: string, label: Key, run: (workspace: Workspace) => void | Promise<void>): Command {
  return { id: `picker.${key}`, label, keys: [key], scope: 'picker', keyOnly: true, repeats: key !== 'Enter', run }
}

const isMirrored = () => locale.value.dir === 'rtl'
