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
  /** The folders of the host outside the root into which symbolic links near its top lead, but those that may be followed. */
  linksOut(): readonly string[]
}>

/** As the record of a link has it. */
export type LinkTarget = Readonly<{ path: Path; isDir: boolean; identity: string }>

/** A path as Go cleans it when it is joined to a root: `..` ends there. @returns undefined for what no path can be */
export function cleanedPath(text: string): Path | undefined {
  try {
    return parsePath(posix.normalize(`/${text}`))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
