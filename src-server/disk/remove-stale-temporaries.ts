import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { below, type HandleStrategy, type PathHandle, systemStrategy } from './path-handle.ts'
import type { ProtectedPaths } from './protected-paths.ts'
import { type DiskSystem, diskSystem } from './system.ts'
import { isInUse, isTemporaryName } from './temporary-names.ts'

/**
 * Milliseconds without a byte written, after which a part belongs to nobody. Not at once, although only one server can have our
 * state: another, with a state of its own, may serve the same folder and be writing this very file.
 */
const staleAfter = 24 * 60 * 60 * 1000

export type StaleSearch = Readonly<{
  /** Folders of the host: the root, and those that links may lead into. */
  folders: readonly string[]
  /** Not entered. */
  protectedPaths: ProtectedPaths
  /** Milliseconds since the epoch. */
  now: number
  /** Ends it between two folders. */
  signal?: AbortSignal
  system?: DiskSystem
  strategy?: HandleStrategy
}>

const readdir = promisify(fs.readdir) as (path: string, options: { withFileTypes: true }) => Promise<fs.Dirent[]>

/**
 * Removes what broken uploads left behind, in all folders below; links are not followed. What cannot be read is passed over.
 * Returns how many went.
 */
export async function removeStaleTemporaries(sweep: StaleSearch): Promise<number> {
  let removed = 0
  for (const folder of sweep.folders) removed += await inFolder(sweep, `${folder}/.`)
  return removed
}

async function inFolder(sweep: StaleSearch, address: string): Promise<number> {
  await sweep.protectedPaths.refresh()
  const folder = await ignoringErrors((sweep.strategy ?? systemStrategy).openPath(address))
  if (!folder) return 0
  try {
    if (folder.kind !== 'folder' || sweep.signal?.aborted || sweep.protectedPaths.isProtected(folder.identity)) return 0
    return await removeInHandle(sweep, folder)
  } finally {
    folder.close()
  }
}

async function removeInHandle(sweep: StaleSearch, folder: PathHandle): Promise<number> {
  let removed = 0
  for (const entry of (await ignoringErrors(readdir(folder.address, { withFileTypes: true }))) ?? []) {
    if (isTemporaryName(entry.name)) removed += await removeIfStale(sweep, folder, entry.name)
    // Some file systems do not tell kinds in a listing.
    else if (entry.isDirectory() || isUnknown(entry)) removed += await inFolder(sweep, below(folder, entry.name))
  }
  return removed
}

function isUnknown(entry: fs.Dirent) {
  return !entry.isFile() && !entry.isSymbolicLink() && !entry.isFIFO() && !entry.isSocket() && !isDevice(entry)
}

function isDevice(entry: fs.Dirent) {
  return entry.isCharacterDevice() || entry.isBlockDevice()
}

async function removeIfStale(
  { system = diskSystem, strategy = systemStrategy, now }: StaleSearch,
  folder: PathHandle,
  name: string,
) {
  const temporary = await ignoringErrors(strategy.openPath(below(folder, name)))
  if (!temporary) return 0
  temporary.close()
  const isStale = temporary.kind === 'file' && now - Number(temporary.stats.mtimeMs) > staleAfter && !isInUse(name)
  if (!isStale) return 0
  try {
    await system.unlink(below(folder, name))
    return 1
  } catch {
    return 0
  }
}

async function ignoringErrors<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch {
    return undefined
  }
}
