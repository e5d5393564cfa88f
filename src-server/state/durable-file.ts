// How the state reaches the disk: whole or not at all, and there to stay when a write has resolved.
import { randomBytes } from 'node:crypto'
import { constants, readlinkSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type DiskSystem, syncFolder, writeAll } from '../disk/system.ts'

const ownerOnly = 0o600
/** `x` of fopen: fails when the name is taken, and so never writes through a link that somebody laid. */
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** The write failed after the new file had taken its name: what stands on disk is the new text, though perhaps not for good. */
export class Unsynced extends Error {}

/**
 * Replaces a file, or makes it.
 * @throws the errno of what failed; the old file is then untouched. Unsynced when only the folder could not be synced.
 */
export async function writeDurably(system: DiskSystem, file: string, text: string | Uint8Array, family = file): Promise<void> {
  const temporary = `${family}.tmp-${randomBytes(16).toString('hex')}`
  await writeNew(system, temporary, typeof text === 'string' ? Buffer.from(text) : text)
  try {
    // Rename, do not copy: a reader sees the old file or the new one, never half of it.
    await system.rename(temporary, file)
  } catch (error) {
    await system.unlink(temporary).catch(() => {})
    throw error
  }
  // A file system that cannot sync a folder, as on Windows, keeps its names by itself.
  if (process.platform === 'win32') return
  await syncFolder(system, dirname(file)).catch((cause) => {
    throw new Unsynced('the folder could not be synced', { cause })
  })
}

async function writeNew(system: DiskSystem, file: string, bytes: Uint8Array) {
  const fd = await system.open(file, newFile, ownerOnly)
  try {
    await fill(system, fd, bytes)
  } catch (error) {
    await system.unlink(file).catch(() => {})
    throw error
  }
}

async function fill(system: DiskSystem, fd: number, bytes: Uint8Array) {
  try {
    await writeAll(system, fd, bytes)
    await system.sync(fd)
  } catch (error) {
    await system.close(fd).catch(() => {})
    throw error
  }
  // Some file systems, NFS among them, say only here that the bytes did not arrive.
  await system.close(fd)
}

/** Removes what writes that were cut off have left beside a file. */
export async function sweepTemporaries(system: DiskSystem, file: string): Promise<void> {
  const prefix = `${basename(file)}.tmp-`
  const names = await readdir(dirname(file))
  const stale = names.filter((name) => name.startsWith(prefix) && /^[0-9a-f]{32}$/.test(name.slice(prefix.length)))
  for (const name of stale) await system.unlink(join(dirname(file), name))
}

/**
 * The file that a name leads to in the end, so that a write replaces that file and not a link to it, and two names of one file
 * share one lock. The file itself need not exist; its folder must.
 * @throws ENOENT without a folder, ELOOP for links in a circle
 */
export function resolveFile(file: string, depth = 0): string {
  const inFolder = join(realpathSync(dirname(file)), basename(file))
  const target = linkTarget(inFolder)
  if (target === undefined) return inFolder
  if (depth >= 40) throw Object.assign(new Error(`links in a circle: ${file}`), { code: 'ELOOP' })
  return resolveFile(resolve(dirname(inFolder), target), depth + 1)
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    // EINVAL: no link. ENOENT: nothing there yet. Anything else shows when the file is opened.
    return undefined
  }
}
