import type { ViewMode } from '../../src-server/contract/users.ts'
import { pageOf } from '../api/addresses.ts'
import { chooseFiles } from '../api/choose-files.ts'
import { baseURL } from '../api/page-config.ts'
import type { Command } from '../core/command.ts'
import { initialScrollState } from '../core/history.ts'
import { go } from '../core/location.ts'
import { open } from '../core/overlay.ts'
import { parentOf } from '../core/paths.ts'
import { user } from '../core/session.ts'
import { uploadChosen } from '../uploads/uploads.ts'
import { downloadFile } from './download-file.ts'
import { inFolder, may, mayHere } from './in-folder.ts'
import { currentPath, listingState, refresh, selected, setSorting, setViewMode, sorting, viewMode } from './listing.ts'
import type { SortBy } from './sorting.ts'

/** What brings something into the folder: shown to whoever may create, and ready where a folder is shown. */
const intoFolder = {
  scope: 'listing',
  allowed: () => may('create'),
  ready: inFolder,
  reason: () => 'command.reason.folder',
} as const satisfies Partial<Command>

/** What can be done in a folder. */
export const listingCommands: readonly Command[] = [
  {
    id: 'newDir',
    label: 'command.newDir',
    icon: 'folder-plus',
    ...intoFolder,
    places: ['new', 'folder', 'sidebar'],
    group: 'new',
    run: () => open({ kind: 'newDir' }),
  },
  {
    id: 'newFile',
    label: 'command.newFile',
    icon: 'file-plus',
    ...intoFolder,
    places: ['new', 'folder', 'sidebar'],
    group: 'new',
    run: () => open({ kind: 'newFile' }),
  },
  {
    id: 'upload.files',
    label: 'command.uploadFiles',
    icon: 'upload',
    ...intoFolder,
    places: ['header', 'new', 'more', 'folder'],
    group: 'upload',
    run: () => upload(false),
  },
  {
    id: 'upload.folder',
    label: 'command.uploadFolder',
    icon: 'folder-up',
    ...intoFolder,
    places: ['more', 'new', 'folder'],
    group: 'upload',
    run: () => upload(true),
  },
  {
    id: 'refresh',
    label: 'command.refresh',
    icon: 'refresh',
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'refresh',
    allowed: () => user.value !== null && listingState.value.kind !== 'nothing',
    run: refresh,
  },
  viewCommand('list', { label: 'command.switchToList', icon: 'list' }),
  viewCommand('mosaic', { label: 'command.switchToMosaic', icon: 'layout-grid' }),
  {
    id: 'download',
    label: 'command.download',
    icon: 'download',
    keys: ['Mod+S'],
    scope: 'listing',
    places: ['more', 'selection', 'context'],
    group: 'download',
    allowed: () => mayHere('download'),
    ready: () => oneFile() !== undefined,
    reason: () => 'command.reason.oneFile',
    run: () => downloadFile(oneFile()),
  },
  {
    id: 'go.up',
    label: 'command.goUp',
    icon: 'arrow-up',
    keys: ['Alt+ArrowUp', 'Backspace'],
    scope: 'listing',
    allowed: () => user.value !== null && currentPath.value !== '/',
    run: () =>
      go(pageOf(parentOf(currentPath.value), true).slice(baseURL.length), { state: initialScrollState(currentPath.value) }),
  },
  sortCommand('name', { label: 'command.sortName', fullLabel: 'command.sortByName' }),
  sortCommand('size', { label: 'command.sortSize', fullLabel: 'command.sortBySize' }),
  sortCommand('modified', { label: 'command.sortModified', fullLabel: 'command.sortByModified' }),
  directionCommand(true),
  directionCommand(false),
]

function viewCommand(mode: ViewMode, given: Pick<Command, 'label' | 'icon'>): Command {
  return {
    id: `view.${mode}`,
    ...given,
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'view',
    allowed: () => inFolder() && viewMode.value !== mode,
    run: () => setViewMode(mode),
  }
}

function sortCommand(by: SortBy, labels: Pick<Command, 'label' | 'fullLabel'>): Command {
  return {
    id: `sort.${by}`,
    ...labels,
    icon: 'arrows-sort',
    scope: 'listing',
    places: ['sort', 'folder'],
    group: 'sortBy',
    allowed: inFolder,
    checked: () => sorting.value.by === by,
    run: () => setSorting({ ...sorting.value, by }),
  }
}

function directionCommand(asc: boolean): Command {
  return {
    id: asc ? 'sort.ascending' : 'sort.descending',
    label: asc ? 'command.sortAscending' : 'command.sortDescending',
    fullLabel: asc ? 'command.sortUpwards' : 'command.sortDownwards',
    icon: asc ? 'sort-ascending-2' : 'sort-descending-2',
    scope: 'listing',
    places: ['sort', 'folder'],
    group: 'sortDirection',
    allowed: inFolder,
    checked: () => sorting.value.asc === asc,
    run: () => setSorting({ ...sorting.value, asc }),
  }
}

// The folder is named before the dialog opens: who walks on meanwhile still uploads to where the button was pressed.
async function upload(folder: boolean): Promise<void> {
  const target = currentPath.value
  await uploadChosen(target, await chooseFiles({ folder }))
}

function oneFile() {
  const [only, ...others] = selected.value
  return only && others.length === 0 && !only.isDir && !only.unreachable ? only : undefined
}
