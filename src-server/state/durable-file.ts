// Writes files atomically and durably: a file is complete or unchanged, and survives a power failure once the write has resolved.
import { randomBytes } from 'node:crypto'
import { constants, readlinkSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type DiskSystem, syncFolder, writeAllAt } from '../disk/system.ts'

const ownerOnly = 0o600
/** Fails when the name is taken, and so never writes through a symbolic link that somebody placed there. */
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** The new file is in place, but its folder could not be synced: after a power failure the old file may be back. */
export class Unsynced extends Error {}

/**
 * Replaces or creates a file.
 * @param family the path with which the name of the temporary file begins
 * @throws an errno, with the old file unchanged; Unsynced when only the folder could not be synced
 */
export async function writeDurably(
  system: DiskSystem,
  file: string,
  text: string | readonly Uint8Array[],
  family = file,
): Promise<void> {
  const temporary = `${family}.tmp-${randomBytes(16).toString('hex')}`
  await writeNew(system, temporary, typeof text === 'string' ? [Buffer.from(text)] : text)
  try {
    // Rename, do not copy: readers see the old file or the new one, never half of it.
    await system.rename(temporary, file)
  } catch (error) {
    await system.unlink(temporary).catch(() => {})
    throw error
  }
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return
  await syncFolder(system, dirname(file)).catch((cause) => {
    throw new Unsynced('the folder could not be synced', { cause })
  })
}

async function writeNew(system: DiskSystem, file: string, chunks: readonly Uint8Array[]) {
  const fd = await system.open(file, newFile, ownerOnly)
  try {
    await fill(system, fd, chunks)
  } catch (error) {
    await system.unlink(file).catch(() => {})
    throw error
  }
}

async function fill(system: DiskSystem, fd: number, chunks: readonly Uint8Array[]) {
  try {
    await writeAllAt(system, fd, { chunks, position: 0 })
    await system.sync(fd)
  } catch (error) {
    await system.close(fd).catch(() => {})
    throw error
  }
  // Some file systems, such as NFS, report only here that bytes were not written.
  await system.close(fd)
}

/** Removes temporary files of interrupted writes beside a file. */
export async function removeTemporaries(system: DiskSystem, file: string): Promise<void> {
  const prefix = `${basename(file)}.tmp-`
  const names = await readdir(dirname(file))
  const stale = names.filter((name) => name.startsWith(prefix) && /^[0-9a-f]{32}$/.test(name.slice(prefix.length)))
  for (const name of stale) await system.unlink(join(dirname(file), name))
}

/**
 * Resolves the links of a path, so that a write replaces the file and not a link to it, and two names of one file share a lock.
 * The file need not exist; its folder must.
 * @throws ENOENT without the folder, ELOOP for circular links
 */
export function resolveFile(file: string, depth = 0): string {
  const inFolder = join(realpathSync(dirname(file)), basename(file))
  const target = linkTarget(inFolder)
  if (target === undefined) return inFolder
  if (depth >= 40) throw Object.assign(new Error(`circular links: ${file}`), { code: 'ELOOP' })
  return resolveFile(resolve(dirname(inFolder), target), depth + 1)
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    // EINVAL: not a link. ENOENT: no file yet. Other errors occur again when the file is opened.
    return undefined
  }
}
