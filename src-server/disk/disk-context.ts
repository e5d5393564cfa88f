// The limits of a disk, and the result of resolving a path in it.
import type { BigIntStats } from 'node:fs'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Granted } from './driver.ts'
import { errnoOf, isUnanswered } from './errno.ts'
import type { KeptFolders } from './kept-folders.ts'
import { isExactName } from './name-aliases.ts'
import { openChild } from './open-child.ts'
import type { HandleStrategy, PathHandle } from './path-handle.ts'
import type { ProtectedPaths } from './protected-paths.ts'
import { hiddenNames } from './reserved-names.ts'
import type { DiskSystem } from './system.ts'
import type { FolderWatches } from './watch.ts'

/** Records a folder of the host durably, so that its temporary files are found after any end of the process. */
export type FolderJournal = Readonly<{
  note(folder: string): Promise<void>
  /** A folder was moved, with those that are in it. */
  moved?(from: string, to: string): Promise<void>
}>

/** What one disk is confined to, and the calls that it uses. */
export type DiskContext = Readonly<{
  /** The scope's root, which stays open as long as the disk. */
  root: PathHandle
  /** The root's path on the host when it was opened. */
  rootPath: string
  /** The path of the served root on the host, which a disk whose entries can go to a trash knows. */
  servedPath?: string | undefined
  /** The device of the served root. */
  rootDevice?: bigint | undefined
  strategy: HandleStrategy
  system: DiskSystem
  protectedPaths: ProtectedPaths
  /** Folders of the host, outside the root, into which links may lead. */
  linksInto: readonly string[]
  watches: FolderWatches
  /** Records the folders of temporary files. */
  journal?: FolderJournal | undefined
  /** Whether the objects of a device keep their numbers, where the system's own answer is not to be used. */
  inodesLast?: ((device: bigint) => boolean) | undefined
  /** Set during a batch of changes in one tree. */
  kept?: KeptFolders | undefined
}>

/** What is asked of a disk. */
export type GrantedPath = Granted &
  Readonly<{
    /** Whether a name may be resolved although the system does not answer what it names: see `ResolvedPath.unanswered`. */
    acceptsUnanswered?: boolean
    /** Whether the path's last name is not looked at, because it will be given to something only if it is free. */
    expectsFree?: boolean
  }>

/** What a name in a folder leads to. */
export type FoundName = Readonly<{
  /** The folder that contains the name. */
  folder: PathHandle
  name: string
  /** The entry with this name; undefined when the name is free. */
  handle: PathHandle | undefined
  /** The identity of an entry whose different name the file system treats as equal: the name neither exists nor is free. */
  alias?: string | undefined
  /** The error when the system cannot describe the entry; the name is then taken. Set only when the caller accepts it. */
  unanswered?: unknown
}>

/** A resolved path. The scope's root, and the root of a folder that links may lead into, has the name ''. */
export type ResolvedPath = FoundName &
  Readonly<{
    /** The path of the folder on the host, by the names that led to it; no link is among them. */
    folderPath: string
    /** The true path, from the scope's root, when a link was followed; undefined outside the scope too. */
    truePath?: Path | undefined
    /** The link at the end of the asked path that was followed to get here. */
    link?: Link | undefined
  }>

/** A link that was followed. */
export type Link = Readonly<{
  /** Of the link itself. */
  stats: BigIntStats
  /** The true path of the link itself, when another link was followed before. */
  truePath: Path | undefined
}>

/** A resolved folder to start from; its opener closes it. */
export type WalkStart = Readonly<{ folder: PathHandle; position: Position }>

/** The position of a folder. */
export type Position = Readonly<{
  /** Names from the base to the folder: none of them is a link. */
  trail: readonly string[]
  /** The host path of the folder that '..' cannot leave; undefined for the scope itself. */
  base: string | undefined
  /** Whether a link was followed before. */
  isLinked: boolean
}>

/**
 * Opens the entry with a name in a folder.
 * @throws Failure('forbidden') when the name is protected, whether it exists or not
 */
export async function resolveName(
  context: DiskContext,
  folder: PathHandle,
  name: string,
  { acceptsUnanswered = false, signal }: Pick<GrantedPath, 'acceptsUnanswered' | 'signal'> = {},
): Promise<FoundName> {
  checkName(context, folder, name)
  try {
    const handle = await openChild(context.strategy, folder, name, signal)
    return handle ? await checkedName(context, { folder, name, handle }, signal) : { folder, name, handle }
  } catch (error) {
    if (!acceptsUnanswered || !isUnanswered(error)) throw error
    return { folder, name, handle: undefined, unanswered: error }
  }
}

/** @throws Failure('forbidden') for a name that is reserved for the server */
export function checkName(context: DiskContext, folder: PathHandle, name: string): void {
  if (hiddenNames(context, folder.identity)(name)) throw new Failure('forbidden')
}

async function checkedName(
  { strategy, protectedPaths }: DiskContext,
  found: { folder: PathHandle; name: string; handle: PathHandle },
  signal: AbortSignal | undefined,
): Promise<FoundName> {
  const { folder, name, handle } = found
  try {
    // Only a file with a second name can be the state's: each save makes a new one.
    if (handle.kind === 'file' && handle.stats.nlink > 1n) await protectedPaths.refreshState()
    if (protectedPaths.isProtected(handle.identity)) throw new Failure('forbidden')
    if (await isExactName({ strategy, folder, signal }, name, handle)) return found
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
