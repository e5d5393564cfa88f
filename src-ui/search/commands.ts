import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import type { Command } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { scrollStatesSlice } from '../core/history.ts'
import { go } from '../core/location.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { parentOf } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { chosenSlice } from './chosen.ts'

/** The commands of the search. While it is open, Ctrl+F is the browser's own. */
export const searchCommands: readonly Command[] = [
  {
    id: 'search',
    label: 'command.search',
    icon: 'search',
    keys: ['Mod+F', '/'],
    scope: 'everywhere',
    allowed: (workspace) => workspace.user.value !== null,
    run: (workspace) => workspace.use(overlaysSlice).open({ kind: 'search' }),
  },
  {
    id: 'search.showInFolder',
    label: 'command.showInFolder',
    icon: 'folder-up',
    keys: ['Shift+Enter'],
    scope: 'overlay',
    places: ['context'],
    group: 'open',
    allowed: (workspace) => workspace.use(overlaysSlice).current.value.kind === 'search',
    ready: (workspace) => workspace.use(chosenSlice).entry.value !== undefined,
    reason: () => 'command.reason.someItem',
    run: (workspace) => showInFolder(workspace, workspace.use(chosenSlice).entry.peek()),
  },
]

/** Closes the search, opens the folder of an entry and selects it there. */
function showInFolder(workspace: Workspace, entry: Entry | undefined): void {
  if (!entry) return
  workspace.use(overlaysSlice).close('search')
  const view = workspace.use(entryViewSlice)
  const folder = parentOf(entry.path)
  if (view.isFolderShown() && view.currentPath.value === folder) view.showNew([entry.path])
  else go(pageOf(folder, true).slice(baseURL.length), { state: workspace.use(scrollStatesSlice).initial(entry.path) })
}
