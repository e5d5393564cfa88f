import type { ViewMode } from '../../src-server/contract/users.ts'
import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import type { Command } from '../core/command.ts'
import { scrollStatesSlice } from '../core/history.ts'
import { go } from '../core/location.ts'
import { parentOf } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { browseCommands } from './browse-commands.ts'
import { columnHeaderCommands } from './column-header-commands.ts'
import { downloadCommands } from './download-commands.ts'
import { gridCommands } from './grid-commands.ts'
import { listingSlice } from './listing.ts'
import { quickLookCommands } from './quick-look-commands.ts'
import type { SortBy } from './sorting.ts'
import { tileCommands } from './tile-commands.ts'

const isFolderShown = (workspace: Workspace) => workspace.use(listingSlice).isFolderShown()

/** The commands of the listing. */
export const listingCommands: readonly Command[] = [
  ...browseCommands,
  {
    id: 'refresh',
    label: 'command.refresh',
    icon: 'refresh',
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'refresh',
    allowed: (workspace) => workspace.user.value !== null && workspace.use(listingSlice).state.value.kind !== 'nothing',
    run: (workspace) => workspace.use(listingSlice).refresh(),
  },
  viewCommand('list', { label: 'command.switchToList', icon: 'list' }),
  viewCommand('mosaic', { label: 'command.switchToMosaic', icon: 'layout-grid' }),
  ...downloadCommands,
  {
    id: 'go.up',
    label: 'command.goUp',
    icon: 'arrow-up',
    keys: ['Alt+ArrowUp', 'Backspace'],
    scope: 'listing',
    allowed: (workspace) => workspace.user.value !== null && workspace.use(listingSlice).currentPath.value !== '/',
    run: goUp,
  },
  sortCommand('name', { label: 'command.sortName', fullLabel: 'command.sortByName' }),
  sortCommand('size', { label: 'command.sortSize', fullLabel: 'command.sortBySize' }),
  sortCommand('modified', { label: 'command.sortModified', fullLabel: 'command.sortByModified' }),
  directionCommand(true),
  directionCommand(false),
  ...tileCommands,
  ...gridCommands,
  ...columnHeaderCommands,
  ...quickLookCommands,
]

function viewCommand(mode: ViewMode, given: Pick<Command, 'label' | 'icon'>): Command {
  return {
    id: `view.${mode}`,
    ...given,
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'view',
    allowed: (workspace) => isFolderShown(workspace) && workspace.use(listingSlice).viewMode.value !== mode,
    run: (workspace) => workspace.use(listingSlice).setViewMode(mode),
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
    allowed: isFolderShown,
    checked: (workspace) => workspace.use(listingSlice).sorting.value.by === by,
    run: (workspace) => setSorting(workspace, { by }),
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
    allowed: isFolderShown,
    checked: (workspace) => workspace.use(listingSlice).sorting.value.asc === asc,
    run: (workspace) => setSorting(workspace, { asc }),
  }
}

function setSorting(workspace: Workspace, change: { by?: SortBy; asc?: boolean }): void {
  const listing = workspace.use(listingSlice)
  listing.setSorting({ ...listing.sorting.value, ...change })
}

// The folder that is left is selected in its parent.
function goUp(workspace: Workspace): void {
  const path = workspace.use(listingSlice).currentPath.value
  const state = workspace.use(scrollStatesSlice).initial(path)
  go(pageOf(parentOf(path), true).slice(baseURL.length), { state })
}
