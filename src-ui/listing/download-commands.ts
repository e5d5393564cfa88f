import type { Command, Target } from '../core/command.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { downloadFile } from '../operations/download.ts'
import { listingSlice } from './listing.ts'

const mayDownload = (workspace: Workspace) => workspace.use(listingSlice).may('download')

/** One file is downloaded at once; for several entries, and for a folder, the format of their archive is asked for. */
export const downloadCommands: readonly Command[] = [
  {
    id: 'download',
    label: 'command.download',
    icon: 'download',
    keys: ['Mod+S'],
    scope: 'listing',
    places: ['more', 'selection', 'context', 'viewer'],
    group: 'download',
    allowed: (workspace) => workspace.use(listingSlice).mayOnItems('download'),
    ready: (workspace, { items }) =>
      items.length === 0 ? workspace.use(listingSlice).isFolderShown() : items.some(({ unreachable }) => !unreachable),
    reason: () => 'command.reason.unreachable',
    run: download,
  },
  {
    id: 'download.folder',
    label: 'command.downloadFolder',
    icon: 'download',
    shownKeys: ['Mod+S'],
    showsKeys: (workspace) => workspace.use(listingSlice).selected.value.length === 0,
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'download',
    allowed: mayDownload,
    run: (workspace, { folder }) => download(workspace, { items: [], folder }),
  },
]

function download(workspace: Workspace, { items, folder }: Target): void {
  const reachable = items.filter(({ unreachable }) => !unreachable)
  const [only, ...others] = reachable
  if (only && others.length === 0 && !only.isDir) void downloadFile(workspace, only)
  else workspace.use(overlaysSlice).open({ kind: 'download', items: reachable, folder })
}
