// Commands for entries that come with the overlays: the first page offers them nowhere.
import type { Command } from '../core/command.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { archiveCommands } from './archive-commands.ts'

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

export const laterCommands: readonly Command[] = [deleteForGoodCommand, ...archiveCommands]
