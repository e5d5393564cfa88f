import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Milliseconds for all of it, and how many folders are told. */
const longest = 5_000
const mostFolders = 20

/**
 * The folders outside a root into which symbolic links in it and in its folders lead. File Browser followed them, and Holdall does so
 * only into folders that `--links-into` names.
 * @param now milliseconds
 */
export function linksOut(root: string, now = () => performance.now()): string[] {
  const end = now() + longest
  const inside = `${realpathSync(root)}${sep}`
  const found = new Set<string>()
  const look = (folder: string, depth: number) => {
    for (const entry of entriesOf(folder)) {
      if (now() > end || found.size >= mostFolders) return
      const path = join(folder, entry.name)
      const target = entry.isSymbolicLink() ? folderOf(path) : undefined
      if (target !== undefined && !`${target}${sep}`.startsWith(inside)) found.add(target)
      if (entry.isDirectory() && depth > 1) look(path, depth - 1)
    }
  }
  look(root, 2)
  return [...found].toSorted()
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** What a link leads to, or the folder of the file that it leads to; undefined for one that leads nowhere. */
function folderOf(link: string): string | undefined {
  try {
    const target = realpathSync(link)
    return statSync(target).isDirectory() ? target : dirname(target)
  } catch {
    return undefined
  }
}
