import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { systemFor } from './device-limit.ts'
import {
  type DiskContext,
  type FoundName,
  type GrantedPath,
  ignoringNotFound,
  type ResolvedPath,
  resolveName,
} from './disk-context.ts'
import type { ListHow, RemoveHow } from './driver.ts'
import { present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { moveUpload } from './move-upload.ts'
import { below, type PathHandle } from './path-handle.ts'
import { placedName, withPlaces } from './place-locks.ts'
import { removeTree } from './remove-tree.ts'
import type { Name } from './rename-no-replace.ts'
import { isReservedName } from './reserved-names.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderByEnd } from './sync-folder.ts'
import {
  interruptWrite,
  isAbandoned,
  isAbandonedTree,
  isTemporaryName,
  isTreeName,
  isUploadName,
  ownUploadId,
  uploadInside,
} from './temporary-names.ts'
import { versionOf } from './version.ts'

const readdir = promisify(fs.readdir) as (path: string) => Promise<string[]>

/** Removes a file, a link (never its target) or an empty folder. See `Disk.remove`. */
export async function remove(context: DiskContext, asked: GrantedPath, how: RemoveHow): Promise<void> {
  await withResolvedPath(context, { ...asked, acceptsUnanswered: true }, false, async (resolved) => {
    if (resolved.unanswered === undefined) assertMovable(context, resolved)
    // What was moved away meanwhile, with all that is in it, is somebody's who has just put it somewhere else.
    const place = placedName(context, asked, resolved, false)
    await withPlaces(context, [{ place, moves: false }], () => removeNow(context, resolved, how))
    await syncFolderByEnd(context, resolved.folder)
    await context.kept?.forget(asked.path)
  })
}

async function removeNow(context: DiskContext, resolved: ResolvedPath, how: RemoveHow): Promise<void> {
  const { folder, name, handle } = resolved
  const address = below(folder, name)
  if (how.folderOnly && handle?.kind !== 'folder') throw new Failure('conflict', 'a file is in the way')
  if (!handle) return removeUnanswered(context, folder, address)
  await assertUnchanged(context, resolved, how)
  // Before: what becomes of the others changes with each name that goes.
  if (how.withHidden && handle.kind === 'file' && handle.stats.nlink > 1n) await removeHiddenNames(context, folder, handle)
  if (handle.kind === 'folder') await removeFolder(context, handle, { ...how, address })
  else await systemFor(context, folder).unlink(address)
}

async function removeHiddenNames(context: DiskContext, folder: PathHandle, file: PathHandle) {
  const names = await fileSystemOn(folder.stats.dev).calls.read(() => readdir(folder.address))
  for (const name of names.filter(isTemporaryName)) {
    const other = await fileSystemOn(folder.stats.dev).calls.read(() => context.strategy.lstat(below(folder, name)))
    const isSame = other?.dev === file.stats.dev && other.ino === file.stats.ino
    if (isSame && (await isUnused(context, folder, name)))
      await ignoringNotFound(systemFor(context, folder).unlink(below(folder, name)))
  }
}

async function assertUnchanged(
  context: DiskContext,
  { folder, name }: ResolvedPath,
  { ifVersion, ifChanged }: RemoveHow,
): Promise<void> {
  if (ifVersion === undefined && ifChanged === undefined) return
  const { handle } = await resolveName(context, folder, name)
  handle?.close()
  const isAs = (asked: string | bigint | undefined, is: string | bigint) => asked === undefined || asked === is
  const isSame = handle && isAs(ifVersion, versionOf(handle.stats)) && isAs(ifChanged, handle.stats.ctimeNs)
  if (!isSame) throw new Failure('changed')
}

/** An entry that the system cannot describe may still be removable. */
async function removeUnanswered(context: DiskContext, folder: PathHandle, address: string) {
  const system = systemFor(context, folder)
  try {
    await system.unlink(address)
  } catch (error) {
    // Linux says EISDIR of a folder, other systems EPERM.
    if (errnoOf(error) !== 'EISDIR' && errnoOf(error) !== 'EPERM') throw error
    await system.rmdir(address)
  }
}

/** The entry of a resolved path. @throws Failure('forbidden') for a root and for a folder that contains a protected path */
export function assertMovable({ protectedPaths }: DiskContext, resolved: FoundName): PathHandle {
  const handle = present(resolved)
  if (resolved.name === '') throw new Failure('forbidden', 'the root folder stays where it is')
  if (protectedPaths.holdsProtected(handle.identity))
    throw new Failure('forbidden', 'it holds something that is not yours to change')
  return handle
}

type Folder = Pick<RemoveHow, 'uploadsTo' | 'sparesUploads'> & Readonly<{ address: string }>

async function removeFolder(context: DiskContext, folder: PathHandle, { address, ...how }: Folder) {
  const system = systemFor(context, folder)
  try {
    await system.rmdir(address)
  } catch (error) {
    if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw error
    if (!(await removeTemporaries(context, folder, how))) throw error
    await system.rmdir(address)
  }
}

/**
 * Removes what failed and stalled uploads have left, unfinished ones, and archives that are not extracted any more, when a folder contains
 * nothing else.
 * @param how.uploadsTo the folder to which those of unfinished ones go instead @returns whether it did so
 */
async function removeTemporaries(
  context: DiskContext,
  folder: PathHandle,
  { uploadsTo, sparesUploads = false }: Omit<Folder, 'address'>,
): Promise<boolean> {
  const system = systemFor(context, folder)
  const names = await fileSystemOn(folder.stats.dev).calls.read(() => readdir(folder.address))
  for (const name of names) {
    const isHidden = isTemporaryName(name) || isTreeName(name) || (isUploadName(name) && !sparesUploads)
    if (!isHidden || !(await isUnused(context, folder, name))) return false
  }
  for (const name of names) {
    interruptWrite(name, new Failure('notFound', 'the folder was deleted meanwhile'))
    if (uploadsTo && ownUploadId(name) !== undefined) await moveUploadTo(context, { folder, name }, uploadsTo)
    else if (isTreeName(name)) await removeTree(context, folder, name)
    else await ignoringNotFound(system.unlink(below(folder, name)))
  }
  return true
}

function moveUploadTo(context: DiskContext, { folder, name }: Name, uploadsTo: GrantedPath): Promise<void> {
  return withResolvedPath(context, uploadsTo, false, (to) =>
    moveUpload(context, { name, from: folder, to: present(to), signal: uploadsTo.signal }),
  )
}

/**
 * Checks that the hidden names of a folder do not keep it from being removed once all others are gone.
 * @param names all those in it
 * @param how.sparesUploads unfinished uploads keep it, also where nothing arrives
 * @throws Failure('busy') for a temporary file that is being written or an upload that others go on with, Failure('conflict') for others, such as a trash
 */
export async function assertRemovableNames(
  context: DiskContext,
  folder: PathHandle,
  names: readonly string[],
  { sparesUploads = false }: Pick<ListHow, 'sparesUploads'>,
): Promise<void> {
  for (const name of names) {
    if (!isReservedName(name)) continue
    if (!isTemporaryName(name) && !isUploadName(name) && !isTreeName(name))
      throw new Failure('conflict', 'the folder holds a trash or another hidden file of a server')
    if ((sparesUploads && isUploadName(name)) || !(await isUnused(context, folder, name))) throw uploadInside()
  }
}

/** By the change of its inode too: what is kept under a hidden name until a move has ended may be old. */
async function isUnused({ strategy }: DiskContext, folder: PathHandle, name: string): Promise<boolean> {
  const stats = await fileSystemOn(folder.stats.dev).calls.read(() => strategy.lstat(below(folder, name)))
  if (!stats) return true
  const changed = Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs))
  return isTreeName(name) ? isAbandonedTree(name, changed) : isAbandoned(name, changed)
}
