import { posix } from 'node:path'
import { Failure } from '../base/failure.ts'
import { type Path, parsePath } from '../base/paths.ts'

/** What lies below the root that an import is for. Tests have it in memory. */
export type RootFacts = Readonly<{
  /** The root itself: an absolute path of the host. */
  root: string
  /** Whether a folder is there, also by way of links that stay below the root. */
  isFolder(path: Path): Promise<boolean>
  /** The names in a folder; none where there is no folder. */
  namesIn(path: Path): Promise<readonly string[]>
  /** What is at a path, with its path without links on the way; undefined when nothing is there. */
  target(path: Path): Promise<LinkTarget | undefined>
  /** Where symbolic links near the top of the root lead outside of it, but what may be followed. */
  linksOut(): LinksOut
}>

/** As the record of a link has it. */
export type LinkTarget = Readonly<{ path: Path; isDir: boolean; identity: string }>

/** Paths of the host. `others`: files, and the top of the host, whose folders hold far more than what a link opened. `isAll`: all were looked at. */
export type LinksOut = Readonly<{ folders: readonly string[]; others: readonly string[]; isAll: boolean }>

/** A path as Go cleans it when it is joined to a root: `..` ends there. @returns undefined for what no path can be */
export function cleanedPath(text: string): Path | undefined {
  try {
    return parsePath(posix.normalize(`/${text}`))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
