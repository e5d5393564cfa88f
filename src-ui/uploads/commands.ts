import { chooseFiles } from '../api/choose-files.ts'
import type { Command } from '../core/command.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import type { Workspace } from '../core/workspace.ts'
import { uploadsSlice } from './uploads-slice.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Uploads whose names are taken; the queue knows which. */
    uploadConflicts: object
    /** Whether all uploads are to be cancelled. */
    cancelUploads: object
  }
}

const intoFolder = {
  scope: 'listing',
  group: 'upload',
  allowed: (workspace) => workspace.may('create'),
  ready: (workspace) => workspace.use(entryViewSlice).isFolderShown(),
  reason: () => 'command.reason.folder',
} as const satisfies Partial<Command>

/** The commands for uploads. */
export const uploadCommands: readonly Command[] = [
  {
    id: 'uploads.show',
    label: 'uploads.show',
    icon: 'upload',
    scope: 'everywhere',
    places: ['more'],
    group: 'upload',
    allowed: (workspace) => workspace.use(uploadsSlice).mayShowPanel(),
    run: (workspace) => workspace.use(uploadsSlice).showPanel(),
  },
  {
    id: 'upload.files',
    label: 'command.uploadFiles',
    icon: 'upload',
    ...intoFolder,
    places: ['header', 'new', 'more', 'folder'],
    run: (workspace, { folder }) => upload(workspace, folder, false),
  },
  {
    id: 'upload.folder',
    label: 'command.uploadFolder',
    icon: 'folder-up',
    ...intoFolder,
    places: ['more', 'new', 'folder'],
    run: (workspace, { folder }) => upload(workspace, folder, true),
  },
]

// The target is fixed before the dialog opens: opening another folder meanwhile does not change it.
async function upload(workspace: Workspace, target: string, isFolder: boolean): Promise<void> {
  await workspace.use(uploadsSlice).uploadChosen(target, await chooseFiles({ folder: isFolder }))
}
