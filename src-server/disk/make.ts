// Creates folders and links.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { checkReplaceable, copyFolderAttributes, newFolderMode, replacedBy } from './commit-file.ts'
import { systemFor } from './device-limit.ts'
import type { DiskContext, GrantedPath, ResolvedPath } from './disk-context.ts'
import type { Entry, LinkHow } from './driver.ts'
import { entryAt, present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { whileKept } from './keep-replaced.ts'
import { below } from './path-handle.ts'
import { placedName, withPlaces } from './place-locks.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderByEnd } from './sync-folder.ts'
import { newHiddenName } from './temporary-file.ts'

const readlink = promisify(fs.readlink) as (path: string, options: { encoding: 'buffer' }) => Promise<Buffer>

/** Creates one folder, 0750 independently of the umask, with a durable name. */
export async function makeFolder(context: DiskContext, asked: GrantedPath, like: Entry | undefined): Promise<void> {
  await withResolvedPath(context, asked, false, async (resolved) => {
    checkFree(resolved)
    const make = () => systemFor(context, resolved.folder).mkdir(below(resolved.folder, resolved.name), newFolderMode)
    await atPlace(context, asked, resolved, make)
    await copyAttributesToNew(context, resolved, like)
    await syncFolderByEnd(context, resolved.folder)
  })
}

/** Gives a folder that is there the attributes of another. */
export async function setFolderAttributes(context: DiskContext, asked: GrantedPath, like: Entry): Promise<void> {
  await withResolvedPath(context, asked, false, async (resolved) => {
    if (present(resolved).kind !== 'folder') throw new Failure('conflict', 'a file is in the way')
    await copyAttributesToNew(context, resolved, like)
  })
}

/** Gives a name whose folder lies where it was found. */
function atPlace(context: DiskContext, asked: GrantedPath, resolved: ResolvedPath, work: () => Promise<void>): Promise<void> {
  return withPlaces(context, [{ place: placedName(context, asked, resolved, false), moves: false }], work)
}

async function copyAttributesToNew(context: DiskContext, { folder, name }: ResolvedPath, like: Entry | undefined) {
  const { strategy } = context
  const system = systemFor(context, folder)
  const made = await fileSystemOn(folder.stats.dev).calls.read(() => strategy.openPath(below(folder, name)))
  try {
    const fd = await strategy.openContent(system, made, fs.constants.O_RDONLY | (fs.constants.O_DIRECTORY ?? 0))
    try {
      await copyFolderAttributes(system, fd, like)
    } finally {
      await system.close(fd)
    }
  } catch (error) {
    // The folder exists, with the mode that the umask left: on Windows no folder can be opened.
    if (!['EACCES', 'EPERM', 'EISDIR'].includes(errnoOf(error) ?? '')) throw error
  } finally {
    made.close()
  }
}

/** Creates a link with the target of another. With a capability for reading only, the target must be inside the scope. */
export async function copyLink(
  context: DiskContext,
  from: GrantedPath & { mayLeave: boolean },
  to: GrantedPath & LinkHow,
): Promise<void> {
  const text = await withResolvedPath(context, from, false, async (resolved) => {
    const link = present(resolved)
    if (link.kind !== 'link') throw new Failure('invalid', 'not a link')
    if (!from.mayLeave) await assertStaysInScope(context, from)
    return readlink(below(resolved.folder, resolved.name), { encoding: 'buffer' })
  })
  await withResolvedPath(context, to, false, async (resolved) => {
    checkReplaceable(resolved, to.replace)
    const { folder, name } = resolved
    if (resolved.handle) await replaceByLink(context, to, resolved, text)
    else await atPlace(context, to, resolved, () => systemFor(context, folder).symlink(text, below(folder, name)))
    await syncFolderByEnd(context, resolved.folder)
  })
}

/** Creates a link with a target text, which is not looked at. */
export async function makeLink(context: DiskContext, asked: GrantedPath, text: string): Promise<void> {
  await withResolvedPath(context, asked, false, async (resolved) => {
    const { folder, name } = resolved
    checkReplaceable(resolved, false)
    await atPlace(context, asked, resolved, () => systemFor(context, folder).symlink(Buffer.from(text), below(folder, name)))
    await syncFolderByEnd(context, folder)
  })
}

/** Replaces an entry in one step: the old entry stays until the link has its name. */
async function replaceByLink(context: DiskContext, asked: GrantedPath & LinkHow, resolved: ResolvedPath, text: Buffer) {
  const { folder, name } = resolved
  const system = systemFor(context, folder)
  const next = await newHiddenName(context, folder)
  const hidden = below(folder, next)
  await system.symlink(text, hidden)
  const place = placedName(context, asked, resolved, false)
  const replace = async () => {
    const old = await replacedBy(context, resolved)
    const rename = () => system.rename(hidden, below(folder, name))
    await (old && asked.keepReplaced ? whileKept(context, { to: place, old, next }, asked.keepReplaced, rename) : rename())
  }
  try {
    await withPlaces(context, [{ place, moves: false }], replace)
  } catch (error) {
    await system.unlink(hidden).catch(() => {})
    throw error
  }
}

async function assertStaysInScope(context: DiskContext, from: GrantedPath) {
  const { unreachable } = await entryAt(context, from)
  if (unreachable === 'outside') throw new Failure('forbidden', 'the link leads out of your files')
}

function checkFree({ handle }: ResolvedPath) {
  if (handle) throw new Failure('conflict', 'the name is taken')
}
