// Puts entries into a trash: one rename, which needs no look at what is below and leaves the entry whole in one place or the other.
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import { type Path, parsePath } from '../base/paths.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, type FoundName, type GrantedPath, type ResolvedPath, resolveName } from './disk-context.ts'
import { modifiedOf, NoTrash, newItemId, type TrashedItem, type TrashHow, type TrashPlace } from './driver.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { below, type PathHandle } from './path-handle.ts'
import { assertUndisturbed } from './path-queries.ts'
import { hostPathOf, placedName, withPlaces } from './place-locks.ts'
import { assertMovable } from './remove.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderByEnd, syncFolderShared } from './sync-folder.ts'
import { writeAllAt } from './system.ts'
import { noteMoved } from './temporary-file.ts'
import { isRemoved, makeTrash, removeEmptyTrash, type Top, type TrashFolder, TrashRemoved, withTops } from './trash-folder.ts'
import { nameInTrash, noteEnds, type TrashInfo, trashInfoText } from './trash-info.ts'
import { lastingIdentity } from './version.ts'

/** See `Disk.toTrash`. */
export function toTrash(context: DiskContext, asked: GrantedPath, how: TrashHow): Promise<TrashedItem> {
  return withResolvedPath(context, { ...asked, acceptsUnanswered: true }, false, async (resolved) => {
    if (resolved.name === '') throw new Failure('forbidden', 'the root folder stays where it is')
    return withTops(context, resolved, async (tops, above) => {
      let refused: unknown
      for (const top of tops) {
        try {
          return await untilItStays(() => intoTrashOf(context, { asked, resolved, top, how, above }))
        } catch (error) {
          // The file system has parts of its own between which it does not rename: lower down there may be a place in the same part.
          if (errnoOf(error) !== 'EXDEV') throw error
          refused = error
        }
      }
      throw new NoTrash('its file system does not rename it to any folder', { cause: refused })
    })
  })
}

/** Tries again when another process has removed the folders of the trash. */
export async function untilItStays<T>(work: () => Promise<T>, times = 5): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TrashRemoved) || times === 1) throw error
    return untilItStays(work, times - 1)
  }
}

type Trashing = Readonly<{ asked: GrantedPath; resolved: ResolvedPath; top: Top; how: TrashHow; above: readonly string[] }>

async function intoTrashOf(context: DiskContext, trashing: Trashing): Promise<TrashedItem> {
  const { top, how } = trashing
  await how.notePlace(placeOf(context, top, how.owner))
  try {
    return await intoTrash(context, trashing)
  } catch (error) {
    if (!(error instanceof NoTrash)) await removeEmptyTrash(context, top, how.owner).catch(() => {})
    throw error
  }
}

async function intoTrash(context: DiskContext, { asked, resolved, top, how, above }: Trashing): Promise<TrashedItem> {
  const trash = await makeTrash(context, top, how.owner)
  try {
    const id = how.id ?? newItemId()
    const moves = resolved.handle?.kind === 'folder'
    const isStillThere = async () => true
    const places = [
      { place: placedName(context, asked, resolved, false), moves },
      // Nobody else uses the name, which the information reserves: this keeps the folders above the trash where they are.
      { place: { folder: trash.files, name: id, folderPath: `${trash.path}/files`, isStillThere }, moves: false },
    ]
    const item = await withPlaces(context, places, () => moveInto(context, { asked, resolved, trash, how, id, moves, above }))
    if (moves) await noteMoved(context, hostPathOf(resolved), `${trash.path}/files/${item.name}`)
    await syncFolderShared(context, trash.files)
    // Last: until then the entry has its old name too after a loss of power, and not none.
    await syncFolderByEnd(context, resolved.folder)
    return { ...item, top: top.path }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && isRemoved(trash)) throw new TrashRemoved({ cause: error })
    throw error
  } finally {
    trash.close()
  }
}

type Moving = Readonly<{
  asked: GrantedPath
  resolved: ResolvedPath
  trash: TrashFolder
  how: TrashHow
  id: string
  moves: boolean
  above: readonly string[]
}>

async function moveInto(
  context: DiskContext,
  { asked, resolved, trash, how, id, moves, above }: Moving,
): Promise<Omit<TrashedItem, 'top'>> {
  const found = await resolveName(context, resolved.folder, resolved.name, { acceptsUnanswered: true })
  try {
    if (found.unanswered === undefined) assertMovable(context, found)
    if (moves !== (found.handle?.kind === 'folder')) throw new Failure('conflict', 'the file was replaced meanwhile')
    const path = hostPathOf(resolved)
    if (moves) assertUndisturbed(path)
    await how.check?.({ from: resolved.truePath ?? asked.path })
    const stalled = moves ? assertUndisturbed(path) : []
    const info = infoOf(context, { found, folder: resolved.folder, path, how, id, above })
    const name = await reserveName(context, trash, { name: resolved.name, info })
    try {
      const system = systemFor(context, resolved.folder)
      await system.rename(below(resolved.folder, resolved.name), below(trash.files, name))
      // Last: where the folder stays, so do the uploads into it.
      for (const { interrupt } of stalled) interrupt(new Failure('notFound', 'the folder was deleted meanwhile'))
    } catch (error) {
      await systemFor(context, trash.info)
        .unlink(below(trash.info, `${name}.trashinfo`))
        .catch(() => {})
      throw error
    }
    const { hostPath: _, ...known } = info
    const modified = found.handle && modifiedOf(found.handle.stats)
    const identity = await identityOfMoved(context, trash, name)
    return { ...known, owner: how.owner, name, isDir: moves, modified, identity }
  } finally {
    found.handle?.close()
  }
}

type Described = Readonly<{
  found: FoundName
  folder: PathHandle
  path: string
  how: TrashHow
  id: string
  above: readonly string[]
}>

/** Where a trash is, so that it is found again after a restart. */
export function placeOf(context: DiskContext, { folder, path }: Top, owner: string): TrashPlace {
  return { top: path, topPath: servedOf(context, path), owner, topIdentity: lastingIdentity(folder.stats, context.rootDevice) }
}

/** A path of the host as one from the served root. */
function servedOf({ servedPath = '/' }: DiskContext, path: string): Path {
  return parsePath(path.slice(servedPath === '/' ? 0 : servedPath.length))
}

/** What is told about an entry that is about to go into a trash. */
export function infoOf(context: DiskContext, { found, folder, path, how, id, above }: Described): TrashInfo {
  const isFolder = found.handle?.kind === 'folder'
  const { name, why } = how.as ?? { name: found.name, why: 'delete' }
  const bytes = fs.readlinkSync(folder.address, { encoding: 'buffer' })
  return {
    id,
    // The system's own name of the folder, above the root too, where names need not be UTF-8.
    hostPath: Buffer.concat([bytes.equals(Buffer.from('/')) ? Buffer.alloc(0) : bytes, Buffer.from(`/${name}`)]),
    path: servedOf(context, `${path.slice(0, path.lastIndexOf('/'))}/${name}`),
    at: how.at,
    size: isFolder ? undefined : Number(found.handle?.stats.size ?? 0),
    why,
    by: how.by,
    above,
  }
}

/** More entries of one name at a time are not likely: each mark is random. */
const mostTries = 20

/** Writes the information, which reserves the name in the trash, durably. @returns the name */
async function reserveName(
  context: DiskContext,
  trash: TrashFolder,
  { name, info }: { name: string; info: TrashInfo },
): Promise<string> {
  const text = Buffer.from(trashInfoText(info))
  let most: number | undefined
  for (let tried = 0; tried < mostTries; tried++) {
    const mark = tried === 0 || (tried === 1 && most !== undefined) ? '' : randomBytes(4).toString('hex')
    const wanted = nameInTrash(name, mark, most)
    try {
      await writeInfo(context, trash.info, { name: `${wanted}.trashinfo`, text })
      // An entry without information, of another program or of a start that failed.
      if (!(await isNameUsed(context, trash, wanted))) return wanted
      await systemFor(context, trash.info).unlink(below(trash.info, `${wanted}.trashinfo`))
    } catch (error) {
      // Some file systems that encrypt take 143 bytes.
      if (errnoOf(error) === 'ENAMETOOLONG' && most === undefined) most = 100
      else if (errnoOf(error) !== 'EEXIST') throw error
    }
  }
  throw new Failure('conflict', 'the name is taken')
}

/** Also by what is being removed for good, or put back, and is gone from the files already. */
async function isNameUsed(context: DiskContext, trash: TrashFolder, name: string): Promise<boolean> {
  if (await lstatIn(context, trash.files, name)) return true
  for (const end of noteEnds) if (await lstatIn(context, trash.info, name + end)) return true
  return false
}

const createFlags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL

/** A file that is there after any end of the machine, or not at all. @throws EEXIST */
export async function writeInfo(
  context: DiskContext,
  folder: PathHandle,
  { name, text }: Readonly<{ name: string; text: Buffer }>,
): Promise<void> {
  const sync = await beginInfo(context, folder, { name, text })
  try {
    await sync()
  } catch (error) {
    await systemFor(context, folder)
      .unlink(below(folder, name))
      .catch(() => {})
    throw error
  }
}

/** Writes the file. @returns makes it durable, which is to be called once @throws EEXIST */
export async function beginInfo(
  context: DiskContext,
  folder: PathHandle,
  { name, text }: Readonly<{ name: string; text: Buffer }>,
): Promise<() => Promise<void>> {
  const system = systemFor(context, folder)
  const fd = await system.open(below(folder, name), createFlags, 0o600)
  try {
    await writeAllAt(system, fd, { chunks: [text], position: 0 })
  } catch (error) {
    await system.close(fd).catch(() => {})
    await system.unlink(below(folder, name)).catch(() => {})
    throw error
  }
  return async () => {
    // At once, which is one write for most file systems. Both end, so that nothing is written to what a failure removes.
    const synced = await Promise.allSettled([system.sync(fd), syncFolderShared(context, folder)])
    await system.close(fd)
    for (const one of synced) if (one.status === 'rejected') throw one.reason
  }
}

/** Read where it lies now: a file system of layers may have made another object of it. */
async function identityOfMoved(context: DiskContext, { files }: TrashFolder, name: string): Promise<string> {
  const stats = await lstatIn(context, files, name).catch(() => undefined)
  return stats ? lastingIdentity(stats, context.rootDevice) : ''
}

/** `lstat` of a name in a folder; undefined when it is free. */
export function lstatIn({ strategy }: DiskContext, folder: PathHandle, name: string): Promise<fs.BigIntStats | undefined> {
  return fileSystemOn(folder.stats.dev).calls.read(() => strategy.lstat(below(folder, name)))
}
