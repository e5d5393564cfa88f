import type { Item } from './entries.ts'

/** A breadcrumb. */
export type Crumb = {
  /** '' is the root. */
  name: string
  path: string
  /** It is in place of all folders between the root and the next crumb; its path is that of the last of them. */
  isEllipsis?: boolean
}

/** How many folders of a path are shown; those between them and the root are one ellipsis. */
export const shownFolders = 3

/** The breadcrumbs of a path: the root, an ellipsis when the path is long, and at most the last three names. */
export function breadcrumbsOf(path: string): Crumb[] {
  const names = path.split('/').filter(Boolean)
  const all = names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` }))
  const hidden = all.at(-shownFolders - 1)
  return [{ name: '', path: '/' }, ...(hidden ? [{ ...hidden, isEllipsis: true }] : []), ...all.slice(-shownFolders)]
}

/** All ancestors of a path, the root first. */
export function stepsAbove(path: string): Crumb[] {
  const names = path.split('/').filter(Boolean)
  const above = names.map((_name, index) => names.slice(0, index))
  return above.map((some) => ({ name: some.at(-1) ?? '', path: `/${some.join('/')}` }))
}

/** A path without trailing and double slashes: `/a` for `/a/` and `//a`. */
export const normalizePath = (filePath: string): string => `/${filePath.split('/').filter(Boolean).join('/')}`

/** The last name of a path; '' for the root. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder that holds a path; '/' for what is in the root. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Whether one of the items is the folder itself or holds it, so that it cannot go there. */
export function isInItself(items: readonly Item[], folder: string): boolean {
  return items.some(({ isDir, path }) => isDir && (folder === path || folder.startsWith(`${path}/`)))
}

/** The path of a name in a folder. */
export const pathIn = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`

/** The ancestor of a path, or the path itself, that is directly in a folder: `/a/b` for `/a/b/c.txt` in `/a`; else ''. */
export function childOf(folder: string, path: string): string {
  const start = folder === '/' ? '/' : `${folder}/`
  return path.startsWith(start) ? start + (path.slice(start.length).split('/')[0] ?? '') : ''
}
