// Reads what is in a trash: which entries there are, what a file of it holds, and what is below a folder of it.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { nameOf } from '../base/paths.ts'
import { type DiskContext, ignoringNotFound } from './disk-context.ts'
import type { DriverFile, Granted, TrashedItem, TrashedPart, TrashFound, TrashPlace } from './driver.ts'
import { makeEntry } from './entry.ts'
import { fileSystemOn } from './file-systems.ts'
import { mapLimit } from './map-limit.ts'
import { openRegular } from './open.ts'
import { below, type PathHandle } from './path-handle.ts'
import { lstatIn } from './to-trash.ts'
import { openTrash, type Top, type TrashFolder, withTop } from './trash-folder.ts'
import { noteEnds, parseTrashInfo, type TrashInfo } from './trash-info.ts'
import { lastingIdentity } from './version.ts'

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
export function trashed(context: DiskContext, place: TrashPlace, known: ReadonlySet<string>): Promise<TrashFound | undefined> {
  return withTop(context, place.top, async (top) => {
    if (!isConnected(context, top, place)) return undefined
    const trash = await openTrash(context, top, place.owner)
    if (!trash) return { names: new Set<string>(), items: [] }
    try {
      return await foundIn(context, trash, { place, known })
    } finally {
      trash.close()
    }
  })
}

type ReadHow = Readonly<{ place: TrashPlace; known: ReadonlySet<string> }>

async function foundIn(context: DiskContext, trash: TrashFolder, { place, known }: ReadHow): Promise<TrashFound> {
  const files = new Set(await namesIn(trash.files))
  const inInfo = await namesIn(trash.info)
  // Information without an entry tells nothing.
  const named = (end: string) =>
    inInfo.flatMap((name) => (name.endsWith(end) && files.has(name.slice(0, -end.length)) ? [name.slice(0, -end.length)] : []))
  const names = named(infoEnd)
  const items: TrashedItem[] = []
  await mapLimit(
    names.filter((name) => !known.has(name)),
    atOnce,
    async (name) => {
      const item = await itemOf(context, trash, { place, name })
      if (item) items.push(item)
    },
  )
  // What could not be removed for good is there still.
  return { names: new Set([...names, ...named(purgingEnd)]), items }
}

type Named = Readonly<{ place: TrashPlace; name: string }>

/** Undefined for what has no entry, or no information that is ours. */
async function itemOf(context: DiskContext, trash: TrashFolder, { place, name }: Named): Promise<TrashedItem | undefined> {
  const info = await readInfo(trash, name)
  const stats = info && (await lstatIn(context, trash.files, name))
  if (!info || !stats) return undefined
  const { hostPath: _, ...known } = info
  const { top, owner } = place
  return { top, owner, ...known, name, isDir: stats.isDirectory(), identity: lastingIdentity(stats, context.rootDevice) }
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
    how.onPart({ path, isDir, bytes: handle.kind === 'file' ? Number(handle.stats.size) : 0 })
    if (!isDir) return
    for (const inner of await calls.read(() => readdir(handle.address, 'latin1'))) {
      const shown = Buffer.from(inner, 'latin1').toString()
      await walkPart(context, { folder: handle, name: inner, path: `${path}/${shown}` }, how)
    }
  } finally {
    handle.close()
  }
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
  const file = await ignoringNotFound(fs.promises.open(below(folder, name), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW))
  try {
    const stats = await file?.stat()
    return stats?.isFile() && stats.size <= longestInfo ? await file?.readFile('utf8') : undefined
  } finally {
    await file?.close()
  }
}

export async function namesIn(folder: PathHandle): Promise<string[]> {
  const names = await fileSystemOn(folder.stats.dev).calls.read(() => readdir(folder.address, 'latin1'))
  return names.map((name) => Buffer.from(name, 'latin1').toString())
}
