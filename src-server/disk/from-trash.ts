// Puts back what is in a trash, and removes it for good.
import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import { checkReplaceable } from './commit-file.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, type GrantedPath, ignoringNotFound, type ResolvedPath, resolveName } from './disk-context.ts'
import { type KeepHow, mountedSince, NoTrash, type TidyPart, type TrashedItem, type TrashPlace } from './driver.ts'
import { errnoOf } from './errno.ts'
import { whileKept } from './keep-replaced.ts'
import { mapLimit } from './map-limit.ts'
import { mountsBelow } from './mounts.ts'
import { below, type PathHandle } from './path-handle.ts'
import { hostPathOf, type PlacedName, placedName, withNames, withPlaces } from './place-locks.ts'
import { assertItem, infoEnd, inTrash, namesIn, readInfo, textOf, type Where, withTrash } from './read-trash.ts'
import { removeTree } from './remove-tree.ts'
import { isLinkRefused, renameOverOwn } from './rename-no-replace.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderByEnd, syncFolderHandle } from './sync-folder.ts'
import type { DiskSystem } from './system.ts'
import { noteMoved } from './temporary-file.ts'
import { lstatIn, writeInfo } from './to-trash.ts'
import { removeEmptyTrash, type TrashFolder, withTop } from './trash-folder.ts'
import { bytesOf, noteEnds, percentEncoded } from './trash-info.ts'

/** Names beside the information: of an entry that is being removed for good, put back, or replaced where no file has two names. */
const [purgingEnd, restoringEnd, replacingEnd] = noteEnds
/**
 * See `Disk.fromTrash`. The target is noted first: a kill leaves a file that has both names, of which the next start removes one, or a
 * folder that has one.
 */
export async function fromTrash(context: DiskContext, item: TrashedItem, to: GrantedPath, replacing?: KeepHow): Promise<void> {
  await inTrash(context, item, (trash) =>
    withResolvedPath(context, to, false, async (resolved) => {
      const isReplacing = replacing !== undefined && !item.isDir
      checkReplaceable(resolved, isReplacing)
      const place = placedName(context, to, resolved, false)
      const trashPlace = {
        folder: trash.files,
        name: item.name,
        folderPath: `${trash.path}/files`,
        isStillThere: async () => true,
      }
      const places = [
        { place, moves: item.isDir },
        { place: trashPlace, moves: item.isDir },
      ]
      await withPlaces(context, places, async () => {
        if (isReplacing) await replacing.check?.({ from: resolved.truePath ?? to.path })
        await restoreNow(context, { trash, item, resolved, place, replacing: isReplacing ? replacing : undefined })
      })
      if (item.isDir) await noteMoved(context, `${trash.path}/files/${item.name}`, hostPathOf(resolved))
      await syncFolderByEnd(context, resolved.folder)
      await syncFolderHandle(context, trash.files)
      await forget(context, trash, item.name)
    }),
  )
  await tidyUp(context, item)
}

type Restoring = Readonly<{
  trash: TrashFolder
  item: TrashedItem
  resolved: ResolvedPath
  /** The same as a place. */
  place: PlacedName
  replacing: KeepHow | undefined
}>

async function restoreNow(context: DiskContext, restoring: Restoring): Promise<void> {
  const { trash, item, resolved, replacing } = restoring
  await assertItem(context, trash, item)
  const now = await resolveName(context, resolved.folder, resolved.name)
  try {
    checkReplaceable(now, replacing !== undefined)
    await nameAgain(context, restoring, now.handle)
  } finally {
    now.handle?.close()
  }
}

/** @param old what has the name, and is to be kept */
async function nameAgain(context: DiskContext, restoring: Restoring, old: PathHandle | undefined): Promise<void> {
  const { trash, item, resolved, place, replacing } = restoring
  const target = Buffer.concat([
    fs.readlinkSync(resolved.folder.address, { encoding: 'buffer' }),
    Buffer.from(`/${resolved.name}`),
  ])
  const noteName = item.name + restoringEnd
  await ignoringNotFound(systemFor(context, trash.info).unlink(below(trash.info, noteName)))
  await writeInfo(context, trash.info, { name: noteName, text: Buffer.from(`${percentEncoded(target)}\n`) })
  const system = systemFor(context, trash.files)
  const [from, to] = [below(trash.files, item.name), below(resolved.folder, resolved.name)]
  try {
    // Of a folder rename() replaces nothing but an empty folder.
    if (old && replacing) {
      const next = `${trash.path}/files/${item.name}`
      await whileKept(context, { to: place, old, next }, replacing, () => system.rename(from, to))
      // Of two names of one file rename() leaves both.
      await ignoringNotFound(system.unlink(from))
    } else if (item.isDir) await renameFolder(system, from, to)
    else await linkBack(context, { from, to, resolved, files: trash.files })
  } catch (error) {
    await systemFor(context, trash.info)
      .unlink(below(trash.info, noteName))
      .catch(() => {})
    throw errnoOf(error) === 'EXDEV' ? new Failure('conflict', mountedSince, { cause: error }) : error
  }
}

/** What another program puts under the name at that moment is replaced only when it is an empty folder. */
async function renameFolder(system: DiskSystem, from: string, to: string): Promise<void> {
  try {
    await system.rename(from, to)
  } catch (error) {
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errnoOf(error) ?? '')
    throw isTaken ? new Failure('conflict', 'the name is taken', { cause: error }) : error
  }
}

type Naming = Readonly<{ from: string; to: string; resolved: ResolvedPath; files: PathHandle }>

async function linkBack(context: DiskContext, { from, to, resolved, files }: Naming): Promise<void> {
  try {
    await systemFor(context, resolved.folder).link(from, to)
  } catch (error) {
    if (!isLinkRefused(error)) throw error
    return renameOverOwn(context, from, resolved)
  }
  try {
    await syncFolderHandle(context, resolved.folder)
    await ignoringNotFound(systemFor(context, files).unlink(from))
  } catch (error) {
    await systemFor(context, resolved.folder).unlink(to)
    throw error
  }
}

/** Removes the information about an entry that is not in the trash any more. */
async function forget(context: DiskContext, { info }: TrashFolder, name: string): Promise<void> {
  const system = systemFor(context, info)
  // In this order: the note without the information tells nothing, and the reverse would be an entry that is not there.
  for (const end of [infoEnd, restoringEnd]) await ignoringNotFound(system.unlink(below(info, name + end)))
}

/**
 * See `Disk.purge`. The information gets another name first, so that what is half removed is never put back; the next start goes on with
 * it after a kill.
 */
export async function purge(context: DiskContext, item: TrashedItem, signal?: AbortSignal): Promise<void> {
  await inTrash(context, item, async (trash) => {
    await withNames([{ folder: trash.files, name: item.name }], async () => {
      if (item.isDir) await assertNoMount(context, trash, item.name)
      // An attempt before could not remove all of it.
      if ((await readInfo(trash, item.name, purgingEnd))?.id === item.id) return
      await assertItem(context, trash, item)
      const [from, to] = [infoEnd, purgingEnd].map((end) => below(trash.info, item.name + end)) as [string, string]
      await systemFor(context, trash.info).rename(from, to)
    })
    await syncFolderHandle(context, trash.info)
    await finishPurge(context, trash, item.name, signal)
  })
  await tidyUp(context, item)
}

/** Before anything of it is removed. @throws Failure('conflict') when a file system is mounted in it */
async function assertNoMount({ strategy }: DiskContext, { files }: TrashFolder, name: string): Promise<void> {
  const [mount] = mountsBelow(`${await strategy.hostPathOf(files)}/${name}`)
  if (mount !== undefined) throw new Failure('conflict', 'a file system is mounted in it')
}

/** Once at a time for each name: without the note another entry may have it. */
async function finishPurge(context: DiskContext, trash: TrashFolder, name: string, signal?: AbortSignal): Promise<void> {
  await withNames([{ folder: trash.files, name }], async () => {
    if (!(await lstatIn(context, trash.info, name + purgingEnd))) return
    await removeTree(context, trash.files, Buffer.from(name).toString('latin1'), signal)
    await ignoringNotFound(systemFor(context, trash.info).unlink(below(trash.info, name + purgingEnd)))
  })
}

/** See `Disk.tidyTrash`. */
export async function tidyTrash(context: DiskContext, place: TrashPlace, part: TidyPart, signal?: AbortSignal): Promise<boolean> {
  const failures: unknown[] = []
  const isFound = await withTrash(context, place, async (trash) => {
    const names = await namesIn(trash.info)
    const named = (end: string) => names.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length))
    // What cannot be ended for one of them keeps nobody from the others.
    const each = (end: string, work: (name: string) => Promise<void>) =>
      mapLimit(named(end), atOnce, (name) => work(name).catch((error: unknown) => void failures.push(error)))
    const endPurge = async (name: string) => {
      await assertNoMount(context, trash, name)
      await finishPurge(context, trash, name, signal)
    }
    if (part === 'purges') await each(purgingEnd, endPurge)
    else {
      await each(restoringEnd, (name) => endRestoring(context, trash, name))
      await each(replacingEnd, (name) => endReplacing(context, trash, name))
      await each(infoEnd, (name) => tidyOne(context, trash, name))
      await dropSecondNames(context, trash, names)
    }
    return true
  })
  // Last: notes of what was being removed are found beside the folder of its files.
  if (part === 'purges') await tidyUp(context, place)
  if (failures.length > 0) throw failures[0]
  return isFound === true
}

async function tidyOne(context: DiskContext, trash: TrashFolder, name: string): Promise<void> {
  const kept = await lstatIn(context, trash.files, name)
  // Only what has two names may have one at its place.
  const isSecond = kept && mayBeSecond(kept) && (await isStillAtItsPlace(context, trash, name))
  if (isSecond) await systemFor(context, trash.files).unlink(below(trash.files, name))
  if (isSecond || !kept) await forget(context, trash, name)
}

/** Whether it may have a second name: a file or a link. */
function mayBeSecond(stats: fs.BigIntStats): boolean {
  return !stats.isDirectory() && stats.nlink > 1n
}

/** Names that are worked on at a time. */
const atOnce = 8

/** Of what was to be kept when the power failed its second name alone may be left: it has its own. */
async function dropSecondNames(context: DiskContext, trash: TrashFolder, infos: readonly string[]): Promise<void> {
  const named = new Set(infos.map((name) => name.replace(/\.[a-z]+$/, '')))
  for (const name of await namesIn(trash.files)) {
    if (named.has(name)) continue
    const stats = await lstatIn(context, trash.files, name)
    if (stats && mayBeSecond(stats)) await systemFor(context, trash.files).unlink(below(trash.files, name))
  }
}

/** Whether what was to be replaced has its name still: a kill came between the two names. */
async function isStillAtItsPlace(context: DiskContext, trash: TrashFolder, name: string): Promise<boolean> {
  const info = await readInfo(trash, name)
  const kept = info?.why === 'replace' && (await lstatIn(context, trash.files, name))
  const there = kept && (await lstatOf(context, info.hostPath.toString()))
  return Boolean(kept && there && there.dev === kept.dev && there.ino === kept.ino)
}

/** Gives the name to what was to get it, or back to what had it. */
async function endReplacing(context: DiskContext, trash: TrashFolder, name: string): Promise<void> {
  const lines = (await textOf(trash.info, name + replacingEnd))?.split('\n') ?? []
  const [next, target] = lines.map((line) => bytesOf(line)?.toString())
  const kept = await lstatIn(context, trash.files, name)
  if (kept && next && target && !(await lstatOf(context, target))) {
    const slash = target.lastIndexOf('/')
    const from = (await lstatOf(context, next)) ? next : below(trash.files, name)
    await withTop(context, target.slice(0, slash) || '/', async ({ folder }) => {
      await systemFor(context, folder).rename(from, below(folder, target.slice(slash + 1)))
      await syncFolderHandle(context, folder)
    })
  }
  await ignoringNotFound(systemFor(context, trash.info).unlink(below(trash.info, name + replacingEnd)))
}

async function endRestoring(context: DiskContext, trash: TrashFolder, name: string): Promise<void> {
  const left = await lstatIn(context, trash.files, name)
  // Of a kill before the target was written it is empty.
  const target = bytesOf((await textOf(trash.info, name + restoringEnd))?.trimEnd())?.toString() || '/'
  const there = await lstatOf(context, target)
  const isBoth = left && mayBeSecond(left) && there?.dev === left.dev && there.ino === left.ino
  if (isBoth) await systemFor(context, trash.files).unlink(below(trash.files, name))
  if (isBoth || !left) await forget(context, trash, name)
  else await ignoringNotFound(systemFor(context, trash.info).unlink(below(trash.info, name + restoringEnd)))
}

/** `lstat` of a path of the host below the served root; undefined for what is not there. */
async function lstatOf(context: DiskContext, path: string): Promise<fs.BigIntStats | undefined> {
  const slash = path.lastIndexOf('/')
  try {
    return await withTop(context, path.slice(0, slash) || '/', ({ folder }) => lstatIn(context, folder, path.slice(slash + 1)))
  } catch (error) {
    if (error instanceof NoTrash) return undefined
    throw error
  }
}

async function tidyUp(context: DiskContext, { top, owner }: Where): Promise<void> {
  await withTop(context, top, (found) => removeEmptyTrash(context, found, owner)).catch(() => {})
}
