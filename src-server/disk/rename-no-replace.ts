import * as fs from 'node:fs'
import { systemFor } from './device-limit.ts'
import type { DiskContext } from './disk-context.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { below, identityOf, type PathHandle } from './path-handle.ts'
import type { DiskSystem } from './system.ts'

// The file of another owner, vfat, CIFS, some FUSE, and a file with the maximal number of hard links.
export const secondNameRefusals: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

export type Name = Readonly<{ folder: PathHandle; name: string }>

/**
 * Gives a file a name that must be free, which is checked atomically. An existing entry stays.
 * @returns whether the old name still exists, to be removed by the caller
 * @throws EEXIST when the name is taken, EXDEV when it is on another file system
 */
export async function renameNoReplace(context: DiskContext, from: Name, to: Name): Promise<'both' | 'new'> {
  const [old, free] = [below(from.folder, from.name), below(to.folder, to.name)]
  try {
    await systemFor(context, to.folder).link(old, free)
    return 'both'
  } catch (error) {
    if (!isLinkRefused(error)) throw error
    await renameOverOwn(context, old, to)
    return 'new'
  }
}

/** Whether an error of `link` means that this file can have no second name, and not that the name is taken. */
export function isLinkRefused(error: unknown): boolean {
  return secondNameRefusals.has(errnoOf(error) ?? '')
}

/** Without hard links: an empty file is created under the name, and is then replaced. */
export async function renameOverOwn(context: DiskContext, old: string, to: Name) {
  const system = systemFor(context, to.folder)
  const free = below(to.folder, to.name)
  const identity = await makeEmpty(system, free)
  try {
    await system.rename(old, free)
  } catch (error) {
    await removeEmpty(context, to, identity)
    throw error
  }
}

async function makeEmpty(system: DiskSystem, address: string) {
  const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
  const fd = await system.open(address, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  try {
    return identityOf(fs.fstatSync(fd, { bigint: true }))
  } finally {
    // Nothing was written, so an error of close loses nothing.
    await system.close(fd).catch(() => {})
  }
}

/** Removes the name only if it is still the empty file. */
async function removeEmpty(context: DiskContext, { folder, name }: Name, identity: string) {
  const { calls } = fileSystemOn(folder.stats.dev)
  const handle = await calls.read(() => context.strategy.openPath(below(folder, name)))
  try {
    if (handle.identity === identity && handle.stats.size === 0n) await systemFor(context, folder).unlink(below(folder, name))
  } finally {
    handle.close()
  }
}
