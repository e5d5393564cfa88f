import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf } from './errno.ts'
import { below, type HandleStrategy, type PathHandle, systemStrategy } from './path-handle.ts'
import type { ProtectedPaths } from './protected-paths.ts'
import { removeTree } from './remove-tree.ts'
import type { Name } from './rename-no-replace.ts'
import { type DiskSystem, diskSystem } from './system.ts'
import {
  isAbandonedTree,
  isInUse,
  isLeftArchive,
  isTemporaryName,
  isTreeName,
  isUploadName,
  longestUploadLife,
  ownUploadId,
} from './temporary-names.ts'

/**
 * Milliseconds without a written byte, after which a temporary file is stale. A start does not remove younger files, because another
 * server with another state may serve the same folder and be writing the file.
 */
const staleAfter = 24 * 60 * 60 * 1000

export type StaleSearch = Readonly<{
  journal: Readonly<{ folders(): string[]; forget(folders: readonly string[], unusedSince: number): Promise<void> }>
  protectedPaths: ProtectedPaths
  /** Whether there is an unfinished upload of this installation with an id. */
  isUpload?(id: string): boolean
  /** Milliseconds since the epoch. */
  now: number
  /** Stops the search between two folders. */
  signal?: AbortSignal
  system?: DiskSystem
  strategy?: HandleStrategy
}>

const readdir = promisify(fs.readdir) as (path: string) => Promise<string[]>

/**
 * Removes the files of interrupted writes, in the folders of the journal and nowhere else. Unreadable folders are skipped.
 * @returns how many files were removed
 */
export async function removeStaleTemporaries(search: StaleSearch): Promise<number> {
  let removed = 0
  const empty: string[] = []
  for (const folder of search.journal.folders()) {
    if (search.signal?.aborted) break
    const result = await ignoringErrors(inFolder(search, `${folder}/.`))
    removed += result?.removed ?? 0
    if (result?.left === 0) empty.push(folder)
  }
  await search.journal.forget(empty, search.now - staleAfter)
  return removed
}

/** How many temporary files were removed, and how many are left. */
type Result = { removed: number; left: number }

async function inFolder(search: StaleSearch, address: string): Promise<Result> {
  await search.protectedPaths.refresh()
  const folder = await openFolder(search, address)
  if (!folder) return { removed: 0, left: 0 }
  try {
    if (folder.kind !== 'folder' || search.protectedPaths.isProtected(folder.identity)) return { removed: 0, left: 0 }
    const names = (await readdir(folder.address)).filter(
      (name) => isTemporaryName(name) || isUploadName(name) || isTreeName(name),
    )
    let removed = 0
    for (const name of names) removed += await removeIfStale(search, folder, name)
    return { removed, left: names.length - removed }
  } finally {
    folder.close()
  }
}

/** Undefined when there is no such folder any more. */
async function openFolder({ strategy = systemStrategy }: StaleSearch, address: string): Promise<PathHandle | undefined> {
  try {
    return await strategy.openPath(address)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

async function removeIfStale(search: StaleSearch, folder: PathHandle, name: string): Promise<number> {
  const { system = diskSystem, strategy = systemStrategy, now } = search
  const temporary = await ignoringErrors(strategy.openPath(below(folder, name)))
  if (!temporary) return 0
  temporary.close()
  const { kind, stats } = temporary
  // A file that is kept under a hidden name until a move has ended may be old: the change of its inode is when it got the name.
  const changed = Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs))
  if (isTreeName(name)) return kind === 'folder' ? removeStaleTree(search, { folder, name, changed }) : 0
  const isOver = now - changed > lifeOf(search, name) && !isInUse(name)
  const isStale = (kind === 'file' || kind === 'link') && (isOver || isLeftArchive(name))
  if (!isStale) return 0
  try {
    await system.unlink(below(folder, name))
    return 1
  } catch {
    return 0
  }
}

async function removeStaleTree(search: StaleSearch, { folder, name, changed }: Name & { changed: number }): Promise<number> {
  const { system = diskSystem, strategy = systemStrategy, now, signal } = search
  if (!isAbandonedTree(name, changed, now)) return 0
  const removed = await ignoringErrors(removeTree({ system, strategy }, folder, name, signal).then(() => 1))
  return removed ?? 0
}

/** Milliseconds without a written byte. The content of an unfinished upload stays as long as that, and one without is of a broken start. */
function lifeOf({ isUpload }: StaleSearch, name: string): number {
  if (!isUploadName(name)) return staleAfter
  const id = ownUploadId(name)
  if (id === undefined) return longestUploadLife
  return isUpload?.(id) ? Number.POSITIVE_INFINITY : staleAfter
}

async function ignoringErrors<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch {
    return undefined
  }
}
