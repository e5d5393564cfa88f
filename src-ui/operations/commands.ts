import type { Command, Target } from '../core/command.ts'
import type { Entry, Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { isEnterFree } from '../core/keyboard.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Permission, Workspace } from '../core/workspace.ts'
import type { Key } from '../i18n/t.ts'
import { clipboardSlice } from './clipboard.ts'
import type { NameConflict } from './conflicts.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Asks for a folder below one's own, beginning with `from`. */
    chooseFolder: { title: string; from: string; onChoose: (path: string) => void }
    newDir: object
    newFile: object
    /** A new name for an entry, typed in its row or in a dialog. */
    rename: { entry: Entry; inPlace: boolean }
    /** `isForGood`: not into the trash. */
    delete: { items: readonly Item[]; isForGood?: boolean }
    /** The folder to move or copy to. `from` is the folder that holds the items. */
    move: { items: readonly Item[]; from: string }
    copy: { items: readonly Item[]; from: string }
    /** Details of entries; with none, of the folder that is shown. */
    info: { items: readonly Entry[] }
    /** What a file was before, beside what it is now. `when`: milliseconds since the epoch. `onRestore`: who may put it back can. */
    compareVersion: { path: string; name: string; id: string; when: number; onRestore: (() => void) | undefined }
    /** The format of the archive of entries; with none, of the folder. */
    download: { items: readonly Item[]; folder: string }
    /** Names that are taken in the folder to which items are moved or copied. */
    nameConflicts: { conflicts: readonly NameConflict[]; into: string }
  }
}

/** The width below which there is no room to rename in place. */
const phoneWidth = '(max-width: 46em)'

const mayUse = (permission: Permission) => (workspace: Workspace) => workspace.use(entryViewSlice).may(permission)
/** A copy reads what it copies. */
const mayCopy = (workspace: Workspace) => mayUse('create')(workspace) && workspace.may('download')
/** For commands that also act on the file that is shown. */
const mayUseOnItems = (permission: Permission) => (workspace: Workspace) => workspace.use(entryViewSlice).mayOnItems(permission)
const intoFolder = {
  scope: 'listing',
  places: ['new', 'folder', 'sidebar'],
  group: 'new',
  allowed: (workspace) => workspace.may('create'),
  ready: (workspace) => workspace.use(entryViewSlice).isFolderShown(),
  reason: () => 'command.reason.folder',
} as const satisfies Partial<Command>
const forSome = {
  ready: (_workspace: Workspace, { items }: Target) => items.length > 0,
  reason: (): Key => 'command.reason.someItem',
}
const forOne = {
  ready: (_workspace: Workspace, { items }: Target) => items.length === 1,
  reason: (_workspace: Workspace, { items }: Target): Key =>
    items.length > 0 ? 'command.reason.oneItem' : 'command.reason.someItem',
}

/** The commands that change entries. */
export const operationCommands: readonly Command[] = [
  {
    id: 'newDir',
    label: 'command.newDir',
    icon: 'folder-plus',
    ...intoFolder,
    run: (workspace) => workspace.use(overlaysSlice).open({ kind: 'newDir' }),
  },
  {
    id: 'newFile',
    label: 'command.newFile',
    icon: 'file-plus',
    ...intoFolder,
    run: (workspace) => workspace.use(overlaysSlice).open({ kind: 'newFile' }),
  },
  {
    id: 'clipboard.cut',
    label: 'command.cut',
    icon: 'scissors',
    keys: ['Mod+X'],
    scope: 'listing',
    places: ['context'],
    group: 'edit',
    allowed: mayUse('rename'),
    ...forSome,
    run: (workspace, { items }) => workspace.use(clipboardSlice).take('x', items),
  },
  {
    id: 'clipboard.copy',
    label: 'command.copy',
    icon: 'copy',
    keys: ['Mod+C'],
    scope: 'listing',
    places: ['context'],
    group: 'edit',
    allowed: mayCopy,
    ...forSome,
    takesKey: () => !isTextSelected(),
    run: (workspace, { items }) => workspace.use(clipboardSlice).take('c', items),
  },
  {
    id: 'clipboard.paste',
    label: 'command.paste',
    icon: 'clipboard',
    keys: ['Mod+V'],
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'paste',
    allowed: (workspace) => (isCut(workspace) ? mayUse('rename') : mayCopy)(workspace),
    ready: (workspace) => hasClipboard(workspace),
    reason: () => 'command.reason.nothingTaken',
    // Else the browser's paste event tells whether there are files from the desktop.
    takesKey: (workspace) => workspace.use(clipboardSlice).isNewest,
    run: (workspace, { folder }) => workspace.use(clipboardSlice).paste(folder),
  },
  {
    id: 'rename',
    label: 'command.rename',
    icon: 'cursor-text',
    keys: ['F2', 'Shift+Enter'],
    takesKey: (_workspace, chord) => isEnterFree(chord),
    scope: 'listing',
    places: ['more', 'selection', 'context', 'viewer'],
    group: 'edit',
    allowed: mayUseOnItems('rename'),
    ...forOne,
    run: openRename,
  },
  {
    id: 'copy',
    label: 'command.copyTo',
    icon: 'copy-plus',
    scope: 'listing',
    places: ['more', 'selection', 'context', 'viewer'],
    group: 'edit',
    allowed: (workspace) => mayUseOnItems('create')(workspace) && workspace.may('download'),
    ...forSome,
    run: (workspace, { items, folder }) => workspace.use(overlaysSlice).open({ kind: 'copy', items, from: folder }),
  },
  {
    id: 'move',
    label: 'command.moveTo',
    icon: 'folder-symlink',
    scope: 'listing',
    places: ['more', 'selection', 'context', 'viewer'],
    group: 'edit',
    allowed: mayUseOnItems('rename'),
    ...forSome,
    run: (workspace, { items, folder }) => workspace.use(overlaysSlice).open({ kind: 'move', items, from: folder }),
  },
  {
    id: 'info',
    label: 'command.info',
    icon: 'info-circle',
    keys: ['Alt+Enter'],
    scope: 'listing',
    places: ['more', 'context', 'folder', 'viewer'],
    group: 'info',
    allowed: (workspace) => ['folder', 'file'].includes(workspace.use(entryViewSlice).state.value.kind),
    run: (workspace, { items }) => workspace.use(overlaysSlice).open({ kind: 'info', items }),
  },
  {
    id: 'delete',
    label: 'command.delete',
    icon: 'trash',
    // Without Delete, as on a Mac, what its own file manager takes.
    keys: ['Delete', 'Mod+Backspace'],
    scope: 'listing',
    places: ['more', 'selection', 'context', 'viewer'],
    group: 'delete',
    danger: true,
    allowed: mayUseOnItems('delete'),
    ...forSome,
    run: (workspace, { items }) => workspace.use(overlaysSlice).open({ kind: 'delete', items }),
  },
]

// Rows and tiles have room for a field, except on a phone. The page of a file has none, and what a search has found may be in another
// folder.
function openRename(workspace: Workspace, { items: [entry] }: Target): void {
  const view = workspace.use(entryViewSlice)
  const isShown = view.isFolderShown() && view.sortedEntries.value.indexOf(entry?.key) !== undefined
  const inPlace = isShown && !matchMedia(phoneWidth).matches
  if (entry) workspace.use(overlaysSlice).open({ kind: 'rename', entry, inPlace })
}

const hasClipboard = (workspace: Workspace) => workspace.use(clipboardSlice).content.value !== undefined
const isCut = (workspace: Workspace) => workspace.use(clipboardSlice).content.value?.key === 'x'
const isTextSelected = () => (getSelection()?.toString() ?? '') !== ''
