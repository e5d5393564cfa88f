import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import { copyAttributes } from './copy-attributes.ts'
import type { Entry, WriteHow } from './disk.ts'
import { type Asked, type DiskContext, type ResolvedPath, resolveName } from './disk-context.ts'
import { entryOf } from './entry.ts'
import { withNames } from './name-locks.ts'
import { below } from './path-handle.ts'
import { type Name, renameNoReplace } from './rename-no-replace.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { writeAll } from './system.ts'
import { withTemporaryName } from './temporary-names.ts'

export type Body = AsyncIterable<Uint8Array>

/**
 * Content appears whole or not at all: it is written under a hidden name beside its target and synced, then gets the name, and
 * then the folder is synced. Whatever fails, only the hidden file goes. Writing to a link changes what it leads to.
 */
export async function writeFile(context: DiskContext, asked: Asked, body: Body, how: WriteHow): Promise<Entry> {
  const written = await withResolvedPath(context, asked, false, async (resolved) => {
    if (how.replace && resolved.handle?.kind === 'link') return undefined
    const stats = await writeAt(context, resolved, body, how)
    return entryOf({ path: asked.path, resolved, stats })
  })
  if (written) return written
  return withResolvedPath(context, asked, true, async (resolved) => {
    // A link to nothing would put the file wherever its text says.
    if (!resolved.handle) throw new Failure('conflict', 'a link that leads nowhere is in the way')
    const stats = await writeAt(context, resolved, body, how)
    return entryOf({ path: asked.path, resolved, stats })
  })
}

async function writeAt(context: DiskContext, resolved: ResolvedPath, body: Body, how: WriteHow): Promise<fs.BigIntStats> {
  checkReplaceable(resolved, how.replace)
  const { folder, name } = resolved
  return withTemporaryName(async (temporary) => {
    const [from, to] = [
      { folder, name: temporary },
      { folder, name },
    ]
    const fd = await createTemporary(context, from)
    try {
      const stats = await fill(context, fd, { to, body, how })
      await withNames([to], () => giveFinalName(context, from, to, how))
      await syncFolderHandle(context, folder)
      return stats
    } catch (error) {
      await removeTemporary(context, from)
      throw error
    }
  })
}

async function giveFinalName(context: DiskContext, from: Name, to: Name, { replace }: WriteHow) {
  if (replace) await context.system.rename(addressOf(from), addressOf(to))
  else if ((await renameNoReplace(context, from, to)) === 'both') await removeTemporary(context, from)
}

/** @throws Failure('conflict' | 'forbidden') when a file must not take the place of what stands there */
function checkReplaceable({ handle, alias }: ResolvedPath, replace: boolean) {
  if (alias) throw new Failure('conflict', 'the name is taken in another spelling')
  if (!handle) return
  if (!replace) throw new Failure('conflict', 'the name is taken')
  if (handle.kind === 'folder') throw new Failure('conflict', 'a folder is in the way')
  if (handle.kind === 'special') throw new Failure('forbidden', 'a device, pipe or socket is in the way')
}

function addressOf({ folder, name }: Name) {
  return below(folder, name)
}

function createTemporary({ system }: DiskContext, temporary: Name): Promise<number> {
  const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
  return system.open(addressOf(temporary), O_WRONLY | O_CREAT | O_EXCL, 0o600)
}

/** Writes, dresses, syncs and closes the hidden file. */
async function fill(context: DiskContext, fd: number, { to, body, how }: { to: Name; body: Body; how: WriteHow }) {
  const { system } = context
  try {
    for await (const chunk of body) await writeAll(system, fd, chunk)
    await copyAttributesOfOld(context, fd, to, how)
    await system.sync(fd)
    const stats = fs.fstatSync(fd, { bigint: true })
    await system.close(fd)
    return stats
  } catch (error) {
    await ignoringErrors(system.close(fd))
    throw error
  }
}

// What stands there is asked again: an upload may have taken an hour.
async function copyAttributesOfOld(context: DiskContext, fd: number, { folder, name }: Name, { replace, like }: WriteHow) {
  const old = await resolveName(context, folder, name)
  try {
    checkReplaceable(old, replace)
    await copyAttributes(context.system, fd, { old: old.handle, like })
  } finally {
    old.handle?.close()
  }
}

/** A part that cannot be removed stays hidden, and goes when parts are swept. */
function removeTemporary({ system }: DiskContext, temporary: Name) {
  return ignoringErrors(system.unlink(addressOf(temporary)))
}

async function ignoringErrors(call: Promise<void>) {
  try {
    await call
  } catch {
    // The first error is the one to tell; nothing more can be done here.
  }
}
