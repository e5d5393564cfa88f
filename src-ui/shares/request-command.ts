import type { Command, Target } from '../core/command.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import type { RequestFolder } from './request-links.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** The links that take files into a folder. `hash`: the one that is shown. */
    requestFiles: { folder: RequestFolder; hash?: string }
  }
}

/** Opens the links that take files into the chosen folder, or else into the one that is shown. */
export const requestCommand: Command = {
  id: 'requestFiles',
  label: 'command.requestFiles',
  icon: 'inbox',
  scope: 'listing',
  places: ['more', 'context', 'folder'],
  group: 'download',
  allowed: (workspace) => workspace.may('create') && workspace.use(entryViewSlice).may('share'),
  ready: (_workspace, target) => folderOf(target) !== undefined,
  reason: (_workspace, { items: { length } }) => (length > 1 ? 'command.reason.oneItem' : 'command.reason.folder'),
  run: (workspace, target) => {
    const folder = folderOf(target)
    if (folder) workspace.use(overlaysSlice).open({ kind: 'requestFiles', folder })
  },
}

function folderOf({ items: [only, ...others], folder }: Target): RequestFolder | undefined {
  if (others.length > 0) return undefined
  if (!only) return { path: folder, name: nameOf(folder) }
  return only.isDir && !only.unreachable ? { path: only.path, name: only.name } : undefined
}
