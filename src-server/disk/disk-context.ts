// What a disk is confined to, and what it finds there.
import { Failure } from '../base/failure.ts'
import { errnoOf } from './errno.ts'
import type { KeptFolders } from './kept-folders.ts'
import { isExactName } from './name-aliases.ts'
import { below, type HandleStrategy, type PathHandle } from './path-handle.ts'
import type { ProtectedPaths } from './protected-paths.ts'
import type { DiskSystem } from './system.ts'
import type { TemporaryJournal } from './temporary-journal.ts'
import { isTemporaryName } from './temporary-names.ts'

/** What one disk is confined to, and how it goes about. */
export type DiskContext = Readonly<{
  /** The scope's root, open as long as the disk is. */
  root: PathHandle
  strategy: HandleStrategy
  system: DiskSystem
  protectedPaths: ProtectedPaths
  /** Folders of the host, outside the root, into which links may lead. */
  linksInto: readonly string[]
  /** Is told which folders get temporary files. */
  journal?: TemporaryJournal | undefined
  /** While many changes are made in one tree. */
  kept?: KeptFolders | undefined
}>

/** Where a path ends. The scope's root, and the root of a folder that links may lead into, has the name ''. */
export type ResolvedPath = Readonly<{
  /** The folder that the name lies in. */
  folder: PathHandle
  name: string
  /** What stands there; undefined when the name is free. */
  handle: PathHandle | undefined
  /** The identity of what has another name that the file system takes for this one: the name is neither there nor free. */
  alias?: string | undefined
}>

/** What stands under a name in a folder. @throws Failure('forbidden') when it is ours, be it there or not */
export async function resolveName(
  { strategy, protectedPaths }: DiskContext,
  folder: PathHandle,
  name: string,
): Promise<ResolvedPath> {
  if (isTemporaryName(name) || protectedPaths.isProtectedName(folder.identity, name)) throw new Failure('forbidden')
  const handle = await ignoringNotFound(strategy.openPath(below(folder, name)))
  if (!handle) return { folder, name, handle }
  try {
    if (protectedPaths.isProtected(handle.identity)) throw new Failure('forbidden')
    if (await isExactName(strategy, folder, name, handle)) return { folder, name, handle }
  } catch (error) {
    handle.close()
    throw error
  }
  handle.close()
  return { folder, name, handle: undefined, alias: handle.identity }
}

/** Undefined for what is not there. */
export async function ignoringNotFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
