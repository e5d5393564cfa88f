import type { Entry } from './entries.ts'

/** Something in a folder that is to be moved, copied or deleted. */
export type Item = Pick<Entry, 'path' | 'name' | 'isDir' | 'size' | 'modified'>

/** The folder that a path stands in; '/' for what stands in the root. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Why things cannot go into a folder: a folder among them would come into itself. */
export function isInItself(items: readonly Item[], folder: string): boolean {
  return items.some(({ isDir, path }) => isDir && (folder === path || folder.startsWith(`${path}/`)))
}
