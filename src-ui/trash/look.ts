import type { Entry } from '../core/entries.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { trashedAddresses } from '../operations/trashed-content.ts'
import type { TrashItems, TrashRow } from './trash-items.ts'

/** Shows a file; says of a folder why not. */
export function look(workspace: Workspace, items: TrashItems, row: TrashRow): void {
  const { name, isDir, deletedAt } = row
  if (isDir) workspace.use(noticesSlice).fail(t('listing.notOpened', { name }), t('trash.folder'))
  else {
    const file = { ...entryOf(row), deletedAt, trashed: trashedAddresses(row) }
    workspace.use(overlaysSlice).open({ kind: 'trashedLook', file, onRestore: () => void items.restore([row]) })
  }
}

/** As an entry of a folder, that was changed when it was deleted. */
export function entryOf({ key, name, path, isDir, size, type, deletedAt }: TrashRow): Entry {
  const rest = { extension: '', mode: 0, isSymlink: false }
  return { key, name, path, isDir, type, size: size ?? 0, modified: new Date(deletedAt).toISOString(), ...rest }
}
