import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { below, type Grip, type Held, systemGrip } from './held.ts'
import type { OwnFiles } from './own-files.ts'
import { isInUse, isPartName } from './part-names.ts'
import { type DiskSystem, diskSystem } from './system.ts'

/**
 * Milliseconds without a byte written, after which a part belongs to nobody. Not at once, although only one server can have our
 * state: another, with a state of its own, may serve the same folder and be writing this very file.
 */
const staleAfter = 24 * 60 * 60 * 1000

export type Sweep = Readonly<{
  /** Folders of the host: the root, and those that links may lead into. */
  folders: readonly string[]
  /** Not entered. */
  ours: OwnFiles
  /** Milliseconds since the epoch. */
  now: number
  /** Ends it between two folders. */
  signal?: AbortSignal
  system?: DiskSystem
  grip?: Grip
}>

const readdir = promisify(fs.readdir) as (path: string, options: { withFileTypes: true }) => Promise<fs.Dirent[]>

/**
 * Removes what broken uploads left behind, in all folders below; links are not followed. What cannot be read is passed over.
 * Returns how many went.
 */
export async function sweepStaleParts(sweep: Sweep): Promise<number> {
  let removed = 0
  for (const folder of sweep.folders) removed += await inFolder(sweep, `${folder}/.`)
  return removed
}

async function inFolder(sweep: Sweep, address: string): Promise<number> {
  await sweep.ours.refresh()
  const folder = await orNothing((sweep.grip ?? systemGrip).hold(address))
  if (!folder) return 0
  try {
    if (folder.kind !== 'folder' || sweep.signal?.aborted || sweep.ours.isOurThing(folder.identity)) return 0
    return await sweepHeld(sweep, folder)
  } finally {
    folder.close()
  }
}

async function sweepHeld(sweep: Sweep, folder: Held): Promise<number> {
  let removed = 0
  for (const entry of (await orNothing(readdir(folder.address, { withFileTypes: true }))) ?? []) {
    if (isPartName(entry.name)) removed += await removeIfStale(sweep, folder, entry.name)
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

async function removeIfStale({ system = diskSystem, grip = systemGrip, now }: Sweep, folder: Held, name: string) {
  const part = await orNothing(grip.hold(below(folder, name)))
  if (!part) return 0
  part.close()
  const isStale = part.kind === 'file' && now - Number(part.stats.mtimeMs) > staleAfter && !isInUse(name)
  if (!isStale) return 0
  try {
    await system.unlink(below(folder, name))
    return 1
  } catch {
    return 0
  }
}

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch {
    return undefined
  }
}
