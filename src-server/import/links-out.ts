import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { LinksOut } from './root-facts.ts'

/** Milliseconds for all of it, and how many are told. */
const [longest, mostFound] = [5_000, 20]

/**
 * Where symbolic links in a root and in its folders lead outside of it. File Browser followed them, and Holdall does so only into
 * folders that `--links-into` names.
 * @param isAllowed whether such a folder is named already
 * @param now milliseconds
 */
export function linksOut(root: string, isAllowed: (path: string) => boolean, now = () => performance.now()): LinksOut {
  const end = now() + longest
  const inside = `${realpathSync(root)}${sep}`
  const [folders, others] = [new Set<string>(), new Set<string>()]
  const isOver = () => now() > end || folders.size + others.size >= mostFound
  const look = (folder: string, depth: number) => {
    for (const entry of entriesOf(folder)) {
      if (isOver()) return
      const path = join(folder, entry.name)
      const target = entry.isSymbolicLink() ? targetOf(path) : undefined
      if (target !== undefined && !`${target.path}${sep}`.startsWith(inside) && !isAllowed(target.path))
        (target.isFolder && target.path !== sep ? folders : others).add(target.path)
      if (entry.isDirectory() && depth > 1) look(path, depth - 1)
    }
  }
  look(root, 2)
  return { folders: [...folders].toSorted(), others: [...others].toSorted(), isAll: !isOver() }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** @returns undefined for a link that leads nowhere */
function targetOf(link: string): { path: string; isFolder: boolean } | undefined {
  try {
    const path = realpathSync(link)
    return { path, isFolder: statSync(path).isDirectory() }
  } catch {
    return undefined
  }
}
