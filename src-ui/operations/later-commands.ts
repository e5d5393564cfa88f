// Commands for entries that come with the overlays: the first page offers them nowhere.
import type { Command } from '../core/command.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { stepLabel } from './report.ts'
import { redo, undo } from './take-back.ts'
import { undoSlice } from './undo.ts'

/** Asks at once what the prompt of *Delete* asks apart. */
const deleteForGoodCommand: Command = {
  id: 'delete.forGood',
  label: 'trash.purge',
  icon: 'trash',
  keys: ['Shift+Delete'],
  scope: 'listing',
  danger: true,
  allowed: (workspace) => workspace.use(entryViewSlice).mayOnItems('delete'),
  ready: (_workspace, { items }) => items.length > 0,
  reason: () => 'command.reason.someItem',
  run: (workspace, { items }) => workspace.use(overlaysSlice).open({ kind: 'delete', items, isForGood: true }),
}

const shared = {
  scope: 'listing',
  allowed: (workspace: Workspace) => (['rename', 'create'] as const).some((right) => workspace.use(entryViewSlice).may(right)),
} as const

const undoCommand: Command = {
  id: 'undo',
  label: 'command.undo',
  icon: 'arrow-back-up',
  keys: ['Mod+Z'],
  ...shared,
  currentLabel: (workspace) => stepLabel(workspace.use(undoSlice).done.value.at(-1), 'undo'),
  ready: (workspace) => workspace.use(undoSlice).done.value.length > 0,
  reason: () => 'command.reason.nothingDone',
  run: undo,
}

const redoCommand: Command = {
  id: 'redo',
  label: 'command.redo',
  icon: 'arrow-forward-up',
  keys: ['Mod+Shift+Z'],
  ...shared,
  currentLabel: (workspace) => stepLabel(workspace.use(undoSlice).undone.value.at(-1), 'redo'),
  ready: (workspace) => workspace.use(undoSlice).undone.value.length > 0,
  reason: () => 'command.reason.nothingUndone',
  run: redo,
}

export const laterCommands: readonly Command[] = [undoCommand, redoCommand, deleteForGoodCommand]
