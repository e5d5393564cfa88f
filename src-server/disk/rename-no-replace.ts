import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, ignoringNotFound } from './disk-context.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { below, identityOf, type PathHandle } from './path-handle.ts'
import type { DiskSystem } from './system.ts'
import { inodesLast, placeholderMode } from './version.ts'

// The file of another owner, vfat, CIFS, some FUSE, and a file with the maximal number of hard links.
export const secondNameRefusals: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

export type Name = Readonly<{ folder: PathHandle; name: string }>

/**
 * Gives a file a name that must be free, which is checked atomically. An existing entry stays.
 * @returns whether the old name still exists, to be removed by the caller: not where nothing would tell that both names are one file's
 * @throws EEXIST when the name is taken, EXDEV when it is on another file system
 */
export async function renameNoReplace(context: DiskContext, from: Name, to: Name): Promise<'both' | 'new'> {
  const [old, free] = [below(from.folder, from.name), below(to.folder, to.name)]
  if (!mayLink(context, from, to)) {
    await renameOverOwn(context, old, to)
    return 'new'
  }
  try {
    await systemFor(context, to.folder).link(old, free)
    return 'both'
  } catch (error) {
    if (!isLinkRefused(error)) throw error
    await renameOverOwn(context, old, to)
    return 'new'
  }
}

/** Two devices refuse it without any change. */
function mayLink({ inodesLast: last = inodesLast }: DiskContext, from: Name, to: Name): boolean {
  const { dev } = to.folder.stats
  return dev !== from.folder.stats.dev || last(dev)
}

/** Whether an error of `link` means that this file can have no second name, and not that the name is taken. */
export function isLinkRefused(error: unknown): boolean {
  return secondNameRefusals.has(errnoOf(error) ?? '')
}

/**
 * Without hard links: an empty file is created under the name, and is then replaced.
 * @throws EEXIST when the name is taken, Failure('conflict') when another program has taken it since
 */
export async function renameOverOwn(context: DiskContext, old: string, to: Name) {
  const system = systemFor(context, to.folder)
  const free = below(to.folder, to.name)
  const identity = await makeEmpty(system, free)
  try {
    await assertEmpty(context, to)
    await system.rename(old, free)
  } catch (error) {
    await ignoringNotFound(removeEmpty(context, to, identity))
    throw error
  }
}

async function makeEmpty(system: DiskSystem, address: string) {
  const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
  const fd = await system.open(address, O_WRONLY | O_CREAT | O_EXCL, placeholderMode)
  try {
    return identityOf(fs.fstatSync(fd, { bigint: true }))
  } finally {
    // Nothing was written, so an error of close loses nothing.
    await system.close(fd).catch(() => {})
  }
}

/** As late as possible: what another program has put there is not replaced. By its size, as its number may not last. */
async function assertEmpty(context: DiskContext, to: Name) {
  const found = await ignoringNotFound(seenAt(context, to))
  if (found && (found.kind !== 'file' || found.stats.size > 0n)) throw new Failure('conflict', 'the name is taken')
}

/** Removes the name only if it is still the empty file. */
async function removeEmpty(context: DiskContext, to: Name, identity: string) {
  const { identity: present, stats } = await seenAt(context, to)
  if (present === identity && stats.size === 0n) await systemFor(context, to.folder).unlink(below(to.folder, to.name))
}

/** What has a name now. @throws ENOENT */
export async function seenAt({ strategy }: DiskContext, { folder, name }: Name): Promise<Omit<PathHandle, 'close'>> {
  const { calls } = fileSystemOn(folder.stats.dev)
  const handle = await calls.read(() => strategy.openPath(below(folder, name)))
  handle.close()
  return handle
}
