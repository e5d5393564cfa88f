// Reads what is in a trash: which entries there are, what a file of it holds, and what is below a folder of it.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { isWithin, nameOf, type Path, parsePath, partsOf } from '../base/paths.ts'
import { eachYielding, mapYielding } from '../base/yield-to-event-loop.ts'
import { type DiskContext, ignoringNotFound } from './disk-context.ts'
import {
  type DriverFile,
  type Granted,
  modifiedOf,
  type TrashedItem,
  type TrashedPart,
  type TrashFound,
  type TrashPlace,
  type TrashRead,
} from './driver.ts'
import { makeEntry } from './entry.ts'
import { fileSystemOf, fileSystemOn } from './file-systems.ts'
import { mapLimit } from './map-limit.ts'
import { openRegular } from './open.ts'
import { openChild } from './open-child.ts'
import { below, type PathHandle } from './path-handle.ts'
import { isReservedName, trashName } from './reserved-names.ts'
import { lstatIn, placeOf } from './to-trash.ts'
import { openTrash, type Top, type TrashFolder, withTop } from './trash-folder.ts'
import { noteEnds, parseTrashInfo, type TrashInfo } from './trash-info.ts'
import { inodesLast, lastingIdentity } from './version.ts'

// One character for each byte: names need not be UTF-8.
const readdir = promisify(fs.readdir) as (path: string, encoding: 'latin1') => Promise<string[]>

const [purgingEnd] = noteEnds
/** Of the name of the information about an entry. */
export const infoEnd = '.trashinfo'
/** Files that are read at a time. */
const atOnce = 8
/** Bytes of an information: three for each of two paths, a name, and the numbers of the folders. */
const longestInfo = 262_144

/** See `Disk.trashed`. */
export function trashed(context: DiskContext, place: TrashPlace, how: TrashRead): Promise<TrashFound | undefined> {
  return withTop(context, place.top, async (top) => {
    if (!isConnected(context, top, place)) return undefined
    const trash = await openTrash(context, top, place.owner)
    if (!trash) return { names: new Set<string>(), items: [] }
    try {
      if (how.only !== undefined) return { names: await namesOf(context, trash, how.only), items: [] }
      const stamp = await stampOf(context, trash)
      if (stamp !== '' && stamp === how.unless) return { names: new Set<string>(), items: [], stamp, isSame: true }
      return { ...(await foundIn(context, trash, { place, ...how })), stamp }
    } finally {
      trash.close()
    }
  })
}

type ReadHow = TrashRead & Readonly<{ place: TrashPlace }>

/** Milliseconds: the coarsest clock of a file system ticks every two seconds. */
const longestTick = 3000

/** By the times of its two folders, where they tell each change. */
async function stampOf({ strategy }: DiskContext, { files, info }: TrashFolder): Promise<string> {
  const stats = [files, info].map(({ stats }) => stats)
  const times = stats.flatMap(({ mtimeNs, ctimeNs }) => [mtimeNs, ctimeNs])
  const isSettled = times.every((time) => Date.now() - Number(time / 1_000_000n) > longestTick)
  return strategy.opensByAddress && isSettled && stats.every(({ dev }) => inodesLast(dev)) ? times.join(' ') : ''
}

async function foundIn(context: DiskContext, trash: TrashFolder, { place, known, most }: ReadHow): Promise<TrashFound> {
  const files = most === undefined ? await setOf(await namesIn(trash.files)) : undefined
  const inInfo = most === undefined ? await namesIn(trash.info) : await firstNamesIn(trash.info, most)
  const [names, wanted] = [new Set<string>(), [] as string[]]
  // Information without an entry tells nothing. What could not be removed for good is there still.
  await eachYielding(inInfo, (inner) => {
    const end = [infoEnd, purgingEnd].find((one) => inner.endsWith(one))
    const name = end && inner.slice(0, -end.length)
    if (!name || files?.has(name) === false) return
    names.add(name)
    if (end === infoEnd && !known?.has(name)) wanted.push(name)
  })
  const items: TrashedItem[] = []
  await mapLimit(wanted, atOnce, async (name) => {
    const reading = itemOf(context, trash, { place, name })
    // One that cannot be read, such as a link, hides none of the rest.
    const read = await (most === undefined ? reading : reading.catch(() => undefined))
    if (!read) return
    const { hostPath, ...item } = read
    const path = most === undefined ? item.path : othersPath(context, place, read)
    if (path !== undefined) items.push(most === undefined ? item : { ...item, path, above: [] })
  })
  return { names, items }
}

/** @returns the name where there is such an entry */
async function namesOf(context: DiskContext, { files, info }: TrashFolder, name: string): Promise<Set<string>> {
  if (!(await lstatIn(context, files, name))) return new Set()
  for (const end of [infoEnd, purgingEnd]) if (await lstatIn(context, info, name + end)) return new Set([name])
  return new Set()
}

async function setOf(names: readonly string[]): Promise<Set<string>> {
  const set = new Set<string>()
  await eachYielding(names, (name) => void set.add(name))
  return set
}

type Named = Readonly<{ place: TrashPlace; name: string }>
type HostItem = TrashedItem & Readonly<{ hostPath: Buffer }>

/** Undefined for what has no entry, or no information that is ours. */
async function itemOf(context: DiskContext, trash: TrashFolder, { place, name }: Named): Promise<HostItem | undefined> {
  const info = await readInfo(trash, name)
  const stats = info && (await lstatIn(context, trash.files, name))
  if (!info || !stats) return undefined
  const { top, owner } = place
  const isDir = stats.isDirectory()
  return { top, owner, ...info, name, isDir, modified: modifiedOf(stats), identity: lastingIdentity(stats, context.rootDevice) }
}

/** See `Disk.openTrashed`. */
export async function openTrashed(context: DiskContext, { path, signal }: Granted, item: TrashedItem): Promise<DriverFile> {
  return inTrash(context, item, async (trash) => {
    await assertItem(context, trash, item)
    const handle = await context.strategy.openPath(below(trash.files, item.name))
    try {
      const entry = makeEntry({ path, name: nameOf(path), stats: handle.stats })
      return await openRegular(context, handle, { entry, signal })
    } finally {
      handle.close()
    }
  })
}

/** See `Disk.walkTrashed`. */
export function walkTrashed(context: DiskContext, item: TrashedItem, { onPart, signal }: WalkHow): Promise<void> {
  return inTrash(context, item, async (trash) => {
    await assertItem(context, trash, item)
    const name = Buffer.from(item.name).toString('latin1')
    await walkPart(context, { folder: trash.files, name, path: '' }, { onPart, signal })
  })
}

type WalkHow = Readonly<{ onPart(part: TrashedPart): void; signal: AbortSignal | undefined }>
type Part = Readonly<{ folder: PathHandle; name: string; path: string }>

async function walkPart(context: DiskContext, { folder, name, path }: Part, how: WalkHow): Promise<void> {
  how.signal?.throwIfAborted()
  const { strategy } = context
  const { calls } = fileSystemOn(folder.stats.dev)
  const bytes = Buffer.from(name, 'latin1')
  const address = Buffer.concat([Buffer.from(`${folder.address}/`), bytes])
  const handle = await ignoringNotFound(calls.read(() => strategy.openPath(address)))
  if (!handle) return
  try {
    const isDir = handle.kind === 'folder'
    how.onPart({ path, isDir, ...(await extentOf(handle)) })
    if (!isDir) return
    for (const inner of await calls.read(() => readdir(handle.address, 'latin1'))) {
      const shown = Buffer.from(inner, 'latin1').toString()
      await walkPart(context, { folder: handle, name: inner, path: `${path}/${shown}` }, how)
    }
  } finally {
    handle.close()
  }
}

/** Bytes of one block, as file systems count what a file takes. */
const block = 512n

async function extentOf(handle: PathHandle): Promise<Omit<TrashedPart, 'path' | 'isDir'>> {
  const { identity: id, kind, stats } = handle
  const bytes = kind === 'file' ? Number(stats.size) : 0
  // Only those of this machine are sure to tell how much a file takes. The names of a folder are those of folders in it.
  const { isLocal } = await fileSystemOf(handle)
  return { bytes, id, room: isLocal ? Number(stats.blocks * block) : bytes, names: kind === 'folder' ? 1 : Number(stats.nlink) }
}

/** Another folder has the path of a trash while its disk is not mounted. */
function isConnected({ rootDevice }: DiskContext, { folder }: Top, { topIdentity }: TrashPlace): boolean {
  return topIdentity === '' || lastingIdentity(folder.stats, rootDevice) === topIdentity
}

/** @throws Failure('notFound') when another entry has its name by now, or none */
export async function assertItem(
  context: DiskContext,
  trash: TrashFolder,
  { id, name }: Pick<TrashedItem, 'id' | 'name'>,
): Promise<void> {
  const info = await readInfo(trash, name)
  if (info?.id !== id || !(await lstatIn(context, trash.files, name))) throw new Failure('notFound')
}

/** Which trash, whether its disk is connected or not. */
export type Where = Pick<TrashPlace, 'top' | 'owner'>

/** @throws Failure('notFound') when there is no such trash */
export async function inTrash<T>(context: DiskContext, where: Where, work: (trash: TrashFolder) => Promise<T>): Promise<T> {
  const found = await withTrash(context, where, async (trash) => ({ result: await work(trash) }))
  if (!found) throw new Failure('notFound')
  return found.result
}

/** @returns undefined when there is no such trash */
export function withTrash<T>(
  context: DiskContext,
  { top, owner }: Where,
  work: (trash: TrashFolder) => Promise<T>,
): Promise<T | undefined> {
  return withTop(context, top, async (found) => {
    const trash = await openTrash(context, found, owner)
    if (!trash) return undefined
    try {
      return await work(trash)
    } finally {
      trash.close()
    }
  })
}

export async function readInfo({ info }: TrashFolder, name: string, end: string = infoEnd): Promise<TrashInfo | undefined> {
  const { calls } = fileSystemOn(info.stats.dev)
  const text = await calls.read(() => textOf(info, name + end))
  return text === undefined ? undefined : parseTrashInfo(text)
}

/** Undefined for what is no file, or a longer one than an information is. */
export async function textOf(folder: PathHandle, name: string): Promise<string | undefined> {
  // The opening of a pipe would wait for somebody who writes.
  const flags = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK
  const file = await ignoringNotFound(fs.promises.open(below(folder, name), flags))
  try {
    const stats = await file?.stat()
    return stats?.isFile() && stats.size <= longestInfo ? await file?.readFile('utf8') : undefined
  } finally {
    await file?.close()
  }
}

/** Trashes in a folder of which something is read. */
const mostTrashes = 100

/** See `Disk.othersTrashes`. */
export async function othersTrashes(
  context: DiskContext,
  tops: readonly string[],
  { own, signal }: Readonly<{ own: string; signal: AbortSignal | undefined }>,
): Promise<TrashPlace[]> {
  const all = [...new Set([...(context.servedPath === undefined ? [] : [context.servedPath]), ...tops])]
  const found: TrashPlace[] = []
  // One at a time: folders may be many, and their disk may hang.
  for (const path of all) {
    signal?.throwIfAborted()
    const inTop = withTop(context, path, async (top): Promise<TrashPlace[]> => {
      const folder = await openChild(context.strategy, top.folder, trashName, signal)
      if (!folder) return []
      try {
        const names = folder.kind === 'folder' ? await firstNamesIn(folder, mostTrashes, signal) : []
        const owners = names.filter((name) => /^[0-9a-f]{8}-\d{1,15}$/.test(name) && !name.startsWith(`${own}-`))
        return owners.map((owner) => ({ ...placeOf(context, top, owner), topIdentity: '' }))
      } finally {
        folder.close()
      }
    })
    found.push(...((await inTop.catch(() => undefined)) ?? []))
  }
  return found
}

/** Characters of the name of a person of another installation. */
const longestPerson = 256

/**
 * The path of an entry of another installation: its root may be another one, and what its files say is anybody's.
 * @returns undefined for what was not below the folder of the trash
 */
function othersPath(context: DiskContext, { topPath }: TrashPlace, { hostPath, ...item }: HostItem): Path | undefined {
  const path = servedPathIn(context, hostPath) ?? item.path
  const isBelow = path !== topPath && isWithin(path, topPath) && !partsOf(path).some(isReservedName)
  return isBelow && item.by.name.length <= longestPerson ? path : undefined
}

/** @returns undefined for what lies outside the served root */
function servedPathIn({ servedPath }: DiskContext, hostPath: Buffer): Path | undefined {
  const start = servedPath === '/' ? '/' : `${servedPath}/`
  const text = hostPath.toString()
  try {
    return text.startsWith(start) ? parsePath(text.slice(start.length - 1)) : undefined
  } catch {
    return undefined
  }
}

/** Some of the names in a folder, which may have any number of them. */
function firstNamesIn(folder: PathHandle, most: number, signal?: AbortSignal): Promise<string[]> {
  return fileSystemOn(folder.stats.dev).calls.read(() => readFirstNames(folder, most), signal)
}

async function readFirstNames(folder: PathHandle, most: number): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await fs.promises.opendir(folder.address, { encoding: 'latin1' as BufferEncoding })) {
    names.push(Buffer.from(name, 'latin1').toString())
    if (names.length >= most) break
  }
  return names
}

export async function namesIn(folder: PathHandle): Promise<string[]> {
  const names = await fileSystemOn(folder.stats.dev).calls.read(() => readdir(folder.address, 'latin1'))
  return mapYielding(names, (name) => Buffer.from(name, 'latin1').toString())
}
