// Keeps an entry that is replaced under a hidden name beside it, until the replacement is final.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { checkReplaceable } from './commit-file.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, type GrantedPath, ignoringNotFound, type ResolvedPath } from './disk-context.ts'
import type { RollbackCopy } from './driver.ts'
import { entryOf, present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { readableOf } from './generic-calls.ts'
import { openFile } from './open.ts'
import { below, type PathHandle } from './path-handle.ts'
import { type PlacedName, placedName, withPlaces } from './place-locks.ts'
import { secondNameRefusals } from './rename-no-replace.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderByEnd } from './sync-folder.ts'
import { newHiddenName, TemporaryFile } from './temporary-file.ts'
import { isTemporaryName } from './temporary-names.ts'

const readlink = promisify(fs.readlink) as (path: string, options: { encoding: 'buffer' }) => Promise<Buffer>

/**
 * Creates a hidden hard link of the entry, so that its name has either the old content or the new one at any time, even if the
 * process ends; a hidden name that is left is removed when it is stale.
 */
export function keepRollback(context: DiskContext, asked: GrantedPath, follows: boolean): Promise<RollbackCopy> {
  return withResolvedPath(context, asked, follows, async (resolved) => {
    if (resolved.link && !resolved.handle) throw new Failure('conflict', 'a link that leads nowhere is in the way')
    checkReplaceable(resolved, true)
    const handle = present(resolved)
    const old = { follows, entry: entryOf({ path: asked.path, resolved, stats: handle.stats }) }
    const name = await newHiddenName(context, resolved.folder)
    if (await giveSecondName(context, resolved, name)) return { ...old, name, isCopy: false }
    return { ...old, name: await copyHidden(context, asked, resolved.folder), isCopy: true }
  })
}

/** Restores the old entry, replacing the present one. */
export function rollBack(context: DiskContext, asked: GrantedPath, old: RollbackCopy): Promise<void> {
  return withResolvedPath(context, asked, old.follows, (resolved) => {
    const place = placedName(context, asked, resolved, old.follows)
    return old.isCopy ? nameCopy(context, place, old) : nameAgain(context, place, old)
  })
}

/** Removes the hidden name. */
export function dropRollback(context: DiskContext, asked: GrantedPath, old: RollbackCopy): Promise<void> {
  return withResolvedPath(context, asked, old.follows, async ({ folder }) => {
    await ignoringNotFound(systemFor(context, folder).unlink(hidden(folder, old)))
  })
}

/** @returns false on a file system without hard links */
async function giveSecondName(context: DiskContext, { folder, name, handle }: ResolvedPath, second: string): Promise<boolean> {
  const system = systemFor(context, folder)
  const [first, free] = [below(folder, name), below(folder, second)]
  try {
    await system.link(first, free)
    return true
  } catch (error) {
    if (!secondNameRefusals.has(errnoOf(error) ?? '')) throw error
    if (handle?.kind !== 'link') return false
    await system.symlink(await readlink(first, { encoding: 'buffer' }), free)
    return true
  }
}

async function copyHidden(context: DiskContext, asked: GrantedPath, folder: PathHandle): Promise<string> {
  const copy = await TemporaryFile.create(context, folder)
  try {
    await appendContent(context, asked, copy)
    await copy.close()
    return copy.name
  } catch (error) {
    await copy.discard()
    throw error
  }
}

async function appendContent(context: DiskContext, asked: GrantedPath, copy: TemporaryFile) {
  const source = await openFile(context, asked)
  try {
    await copy.append(readableOf(source), { offset: 0 })
  } finally {
    await source.close()
  }
}

async function nameAgain(context: DiskContext, place: PlacedName, old: RollbackCopy) {
  const { folder, name } = place
  const system = systemFor(context, folder)
  await withPlaces(context, [{ place, moves: false }], async () => {
    await system.rename(hidden(folder, old), below(folder, name))
    // Between two hard links of one file rename() does nothing.
    await ignoringNotFound(system.unlink(hidden(folder, old)))
  })
  await syncFolderByEnd(context, folder)
}

async function nameCopy(context: DiskContext, place: PlacedName, old: RollbackCopy) {
  const copy = await TemporaryFile.open(context, place.folder, { name: old.name })
  try {
    await copy.commitName(place, { replace: true, like: old.entry })
  } finally {
    await copy.close()
  }
}

function hidden(folder: PathHandle, { name }: RollbackCopy) {
  if (!isTemporaryName(name)) throw new TypeError('Not the name of an old file')
  return below(folder, name)
}
