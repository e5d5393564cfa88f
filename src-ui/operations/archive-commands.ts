// Commands that make archives beside the entries, and extract them. They come with the overlays: the menus have them from then on.
import type { NameEncoding } from '../../src-server/contract/jobs.ts'
import { type Command, selectionTarget } from '../core/command.ts'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { extract } from './archive-jobs.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** The name and the format of an archive of entries in a folder; with none, of the folder itself. */
    compress: { items: readonly Item[]; folder: string }
    /** The names in an archive are not UTF-8: what they may be, and some of them as each reads them. */
    archiveNames: {
      path: string
      likely: NameEncoding | undefined
      choices: readonly Readonly<{ encoding: NameEncoding; names: readonly string[] }>[]
    }
  }
}

const mayBoth = (workspace: Workspace) => workspace.use(entryViewSlice).mayOnItems('download') && workspace.may('create')

/** The archives that the server extracts. */
const isArchive = ({ name, isDir }: Item): boolean =>
  !isDir && /\.(?:zip|tar|tar\.(?:gz|bz2|xz|zst|lz4|sz)|tgz|tbz2?|txz|tzst)$/i.test(name)

export const archiveCommands: readonly Command[] = [
  {
    id: 'compress',
    label: 'command.compress',
    icon: 'folder-plus',
    scope: 'listing',
    places: ['more', 'context'],
    group: 'download',
    allowed: (workspace) => mayBoth(workspace) && workspace.use(entryViewSlice).isFolderShown(),
    ready: (_workspace, { items }) => items.length > 0,
    reason: () => 'command.reason.someItem',
    run: (workspace, { items, folder }) => workspace.use(overlaysSlice).open({ kind: 'compress', items, folder }),
  },
  {
    id: 'extract',
    label: 'command.extract',
    icon: 'folder-symlink',
    scope: 'everywhere',
    places: ['more', 'context', 'viewer'],
    group: 'download',
    allowed: (workspace) => {
      const { items } = selectionTarget(workspace)
      return mayBoth(workspace) && items.length > 0 && items.every(isArchive)
    },
    run: (workspace, { items }) =>
      extract(
        workspace,
        items.filter(isArchive).map(({ path }) => path),
      ),
  },
]
