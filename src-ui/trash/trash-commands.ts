// What can be done with entries of the trash, in its toolbar and in the menu of its rows.
import { signal } from '@preact/signals-core'
import { startDownload } from '../api/download.ts'
import { type Command, commandTableSlice } from '../core/command.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { selectOnly } from '../listing/selection.ts'
import { trashedAddresses } from '../operations/trashed-content.ts'
import { entryOf, look } from './look.ts'
import type { TrashItems, TrashRow } from './trash-items.ts'

/** The trash that is shown: the commands act on what is selected there. They come with its page. */
export const trashViewSlice = slice('trashView', (workspace) => {
  workspace.use(commandTableSlice).add(trashCommands)
  return { items: signal<TrashItems | undefined>(undefined) }
})

const itemsIn = (workspace: Workspace): TrashItems | undefined => workspace.use(trashViewSlice).items.value
const selectedIn = (workspace: Workspace): readonly TrashRow[] => itemsIn(workspace)?.selected.value ?? []
const onlyFile = (workspace: Workspace): TrashRow | undefined => {
  const [only, ...others] = selectedIn(workspace)
  return others.length === 0 && only?.isDir === false ? only : undefined
}

const ofTrash = {
  scope: 'trash',
  places: ['trash'],
  allowed: (workspace) => selectedIn(workspace).length > 0,
} as const satisfies Partial<Command>

const forOneFile = {
  ...ofTrash,
  group: 'open',
  ready: (workspace) => onlyFile(workspace) !== undefined,
  reason: (workspace) => (selectedIn(workspace).length > 1 ? 'command.reason.oneItem' : 'trash.folder'),
} as const satisfies Partial<Command>

export const trashCommands: readonly Command[] = [
  {
    id: 'trash.open',
    label: 'listing.command.open',
    icon: 'eye',
    shownKeys: ['Enter'],
    ...forOneFile,
    run(workspace) {
      const [items, file] = [itemsIn(workspace), onlyFile(workspace)]
      if (items && file) look(workspace, items, file)
    },
  },
  {
    id: 'trash.download',
    label: 'command.download',
    icon: 'download',
    ...forOneFile,
    run(workspace) {
      const file = onlyFile(workspace)
      if (file) startDownload(trashedAddresses(file).raw)
    },
  },
  {
    id: 'trash.restore',
    label: 'trash.restore',
    icon: 'arrow-back-up',
    ...ofTrash,
    group: 'restore',
    ready: (workspace) => itemsIn(workspace)?.isBusy.value === false,
    run: async (workspace) => itemsIn(workspace)?.restore(selectedIn(workspace)),
  },
  {
    id: 'trash.purge',
    label: 'trash.purge',
    icon: 'trash',
    shownKeys: ['Delete'],
    ...ofTrash,
    danger: true,
    ready: (workspace) => mayPurge(selectedIn(workspace)).length > 0,
    reason: () => 'refusal.othersTrash',
    run(workspace) {
      const items = itemsIn(workspace)
      if (items) askPurge(workspace, items, selectedIn(workspace))
    },
  },
]

const mayPurge = (rows: readonly TrashRow[]) => rows.filter((row) => row.mayPurge)

/** Asks before those that the person may delete for good are. */
export function askPurge(workspace: Workspace, items: TrashItems, rows: readonly TrashRow[]): void {
  const own = mayPurge(rows)
  if (own.length > 0) workspace.use(overlaysSlice).open({ kind: 'purge', rows: own, items })
}

/** Opens the menu of a row, in pixels of the window; one that is not selected is selected first. */
export function openTrashMenu(workspace: Workspace, items: TrashItems, { key }: TrashRow, at: { x: number; y: number }): void {
  if (!items.selection.value.keys.has(key)) items.selection.value = selectOnly(key)
  const target = { items: items.selected.value.map(entryOf), folder: '/' }
  workspace.use(overlaysSlice).open({ kind: 'context', of: 'trash', target, at })
}
