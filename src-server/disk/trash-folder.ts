// Where deleted entries are kept: below `.holdall-trash` in the highest folder of the entry's own file system to which the entry can be
// renamed, in a folder for each user. Each of its folders is opened by its name from the one above, and none is a link.
import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, ignoringNotFound } from './disk-context.ts'
import { NoTrash } from './driver.ts'
import { errnoOf } from './errno.ts'
import { openChild } from './open-child.ts'
import { below, type PathHandle } from './path-handle.ts'
import { folderMoved, pathIn, withNames } from './place-locks.ts'
import { trashName } from './reserved-names.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { inodesLast, lastingIdentity } from './version.ts'

/** The folders of one user's trash, which stay open until they are closed. */
export type TrashFolder = Readonly<{
  /** The path on the host of the folder that holds both. */
  path: string
  files: PathHandle
  info: PathHandle
  close(): void
}>

/** A folder in which there may be a trash, with its path on the host. */
export type Top = Readonly<{ folder: PathHandle; path: string }>

/**
 * Does work with the folders in which a trash for the entries of a folder may be, the highest first: from the served root down as long
 * as they are on the mount and the file system of that folder. `EXDEV` of the entry's own rename is what tells that one is not.
 * @param work gets the identities of the first 32 folders from the served root on too
 * @throws NoTrash for what lies outside the served root, Failure('conflict') when the folder was moved meanwhile
 */
export async function withTops<T>(
  context: DiskContext,
  { folder, folderPath }: Readonly<{ folder: PathHandle; folderPath: string }>,
  work: (tops: readonly Top[], above: readonly string[]) => Promise<T>,
): Promise<T> {
  const opened = await openAlong(context, folderPath)
  try {
    if (opened.at(-1)?.folder.identity !== folder.identity) throw folderMoved()
    const mount = mountOf(folder)
    const isElsewhere = (top: Top) => top.folder.stats.dev !== folder.stats.dev || mountOf(top.folder) !== mount
    const above = opened.slice(0, mostAbove).map((top) => lastingIdentity(top.folder.stats, context.rootDevice))
    return await work(opened.slice(opened.findLastIndex(isElsewhere) + 1), above)
  } finally {
    closeAll(opened)
  }
}

/** Folders that are recorded: what anybody's own files begin at lies not as deep. */
const mostAbove = 32

/** Does work with a folder of the host below the served root. @returns undefined when it is not there */
export async function withTop<T>(context: DiskContext, path: string, work: (top: Top) => Promise<T>): Promise<T | undefined> {
  const opened = await openAlong(context, path)
  try {
    const top = opened.at(-1)
    return top && (await work(top))
  } finally {
    closeAll(opened)
  }
}

/** The open folders from the served root down to a path of the host, by their names; none when one is missing, or is no folder. */
async function openAlong(context: DiskContext, path: string): Promise<Top[]> {
  const { strategy } = context
  const { servedPath, start } = assertServed(context, path)
  let at: Top = { folder: await strategy.openPath(`${servedPath}/.`), path: servedPath }
  const opened = [at]
  try {
    for (const name of path.slice(start.length).split('/').filter(Boolean)) {
      const next = await openChild(strategy, at.folder, name)
      if (next) opened.push({ folder: next, path: pathIn(at.path, name) })
      if (next?.kind !== 'folder') return closeAll(opened)
      at = opened.at(-1) as Top
    }
    return opened
  } catch (error) {
    closeAll(opened)
    throw error
  }
}

/** @returns the served root, and what its path adds to those below @throws NoTrash for a path of the host that is not below it */
export function assertServed({ servedPath, strategy }: DiskContext, path: string): { servedPath: string; start: string } {
  if (servedPath === undefined || !strategy.opensByAddress) throw new NoTrash('this disk keeps none')
  const start = servedPath === '/' ? '' : servedPath
  if (path !== servedPath && !path.startsWith(`${start}/`)) throw new NoTrash('it lies outside the served folder')
  return { servedPath, start }
}

function closeAll(opened: readonly Top[]): [] {
  for (const { folder } of opened) folder.close()
  return []
}

/** The number of the mount that an open folder was reached through: bind mounts of one file system have several. */
export function mountOf({ address }: PathHandle): string | undefined {
  return /^mnt_id:\s*(\d+)$/m.exec(fs.readFileSync(address.replace('/fd/', '/fdinfo/'), 'utf8'))?.[1]
}

/** Opens the trash of a user in a folder. @param owner the name of the user's own folder @returns undefined when there is none */
export async function openTrash(context: DiskContext, top: Top, owner: string): Promise<TrashFolder | undefined> {
  return openFolders(top, owner, async (folder, name) => openChild(context.strategy, folder, name))
}

/**
 * Opens it, and makes what is missing: each folder for the server alone.
 * @throws NoTrash where the server cannot make one, or one lies there that is not its own
 */
export async function makeTrash(context: DiskContext, top: Top, owner: string): Promise<TrashFolder> {
  const openName = async (folder: PathHandle, name: string) => {
    const present = await openChild(context.strategy, folder, name)
    if (present) return present
    await makeOne(context, folder, name)
    return openChild(context.strategy, folder, name)
  }
  // One at a time: who finds a folder there relies on its name being durable.
  const made = await withNames([{ folder: top.folder, name: trashName }], () => openFolders(top, owner, openName))
  if (!made) throw new TrashRemoved()
  return made
}

/** Errors that say that the server may not, or cannot, make a folder there. */
const refusals = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

async function makeOne(context: DiskContext, folder: PathHandle, name: string): Promise<void> {
  try {
    await systemFor(context, folder).mkdir(below(folder, name), 0o700)
    // Else an entry in it could have no name at all after a loss of power.
    await syncFolderHandle(context, folder)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return
    if (!refusals.has(errnoOf(error) ?? '')) throw error
    throw new NoTrash('the server may not make a folder for it here', { cause: error })
  }
}

/** How many have a trash open, by its place: its folders are not removed meanwhile. */
const open = new Map<string, number>()

const keyOf = ({ folder }: Top, owner: string) => `${folder.identity}/${owner}`

function countOpen(key: string, more: 1 | -1): void {
  const count = (open.get(key) ?? 0) + more
  if (count > 0) open.set(key, count)
  else open.delete(key)
}

type OpenName = (folder: PathHandle, name: string) => Promise<PathHandle | undefined>

async function openFolders(top: Top, owner: string, openName: OpenName): Promise<TrashFolder | undefined> {
  const opened: PathHandle[] = []
  const key = keyOf(top, owner)
  const close = () => {
    for (const folder of opened) folder.close()
    countOpen(key, -1)
  }
  countOpen(key, 1)
  const enter = async (folder: PathHandle, name: string) => {
    const found = await openName(folder, name)
    if (found) opened.push(found)
    if (found) assertOwn(top.folder, found, name)
    return found
  }
  try {
    const all = await enter(top.folder, trashName)
    const own = all && (await enter(all, owner))
    const files = own && (await enter(own, 'files'))
    const info = own && (await enter(own, 'info'))
    if (files && info) return { path: `${pathIn(top.path, trashName)}/${owner}`, files, info, close }
    close()
    return undefined
  } catch (error) {
    close()
    throw error
  }
}

/** @throws NoTrash for what somebody else has put there: a link, a mount, a folder that others can enter */
function assertOwn(top: PathHandle, found: PathHandle, name: string): void {
  if (found.kind !== 'folder' || mountOf(found) !== mountOf(top)) throw new NoTrash(`"${name}" is no folder of the server`)
  const { uid, mode, dev } = found.stats
  // vfat and some network file systems have neither owners nor modes.
  if (!inodesLast(dev)) return
  if (Number(uid) !== process.geteuid?.() || (Number(mode) & 0o077) !== 0) {
    throw new NoTrash(`the folder "${name}" must belong to the server alone (mode 0700)`)
  }
}

/** Another process has removed the folders of a trash, because they were empty: they are made anew. */
export class TrashRemoved extends Failure {
  constructor(options?: ErrorOptions) {
    super('conflict', 'the trash was removed meanwhile', options)
  }
}

/** Removes the folders of a trash that are empty, the inner ones first. */
export function removeEmptyTrash(context: DiskContext, top: Top, owner: string): Promise<void> {
  return withNames([{ folder: top.folder, name: trashName }], () => removeEmpty(context, top, owner))
}

async function removeEmpty(context: DiskContext, top: Top, owner: string): Promise<void> {
  if (open.has(keyOf(top, owner))) return
  const system = systemFor(context, top.folder)
  const all = below(top.folder, trashName)
  for (const folder of [`${all}/${owner}/files`, `${all}/${owner}/info`, `${all}/${owner}`, all]) {
    try {
      await ignoringNotFound(system.rmdir(folder))
    } catch (error) {
      if (errnoOf(error) === 'ENOTEMPTY' || errnoOf(error) === 'EEXIST') return
      throw error
    }
  }
}

/** Whether the folders of a trash were removed since they were opened. */
export function isRemoved({ files, info }: TrashFolder): boolean {
  const links = [files, info].map(({ address }) => fs.statSync(address).nlink)
  return links.includes(0)
}
