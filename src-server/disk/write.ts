import * as fs from 'node:fs'
import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { type Bounds, holdIn, type Spot } from './bounds.ts'
import { atSpot } from './confine.ts'
import type { Entry, WriteHow } from './disk.ts'
import { dress } from './dress.ts'
import { entryOf } from './entry.ts'
import { giveFreeName, type Name } from './give-name.ts'
import { below } from './held.ts'
import { withNames } from './name-locks.ts'
import { withPartName } from './part-names.ts'
import { syncHeld } from './sync-held.ts'
import { writeAll } from './system.ts'

export type Body = AsyncIterable<Uint8Array>

/**
 * Content appears whole or not at all: it is written under a hidden name beside its target and synced, then gets the name, and
 * then the folder is synced. Whatever fails, only the hidden file goes. Writing to a link changes what it leads to.
 */
export async function writeFile(bounds: Bounds, asked: Admitted, body: Body, how: WriteHow): Promise<Entry> {
  const written = await atSpot(bounds, asked, false, async (spot) => {
    if (how.replace && spot.thing?.kind === 'link') return undefined
    return writeAt(bounds, spot, body, how)
  })
  if (written) return entryOf({ path: asked.path, stats: written })
  const stats = await atSpot(bounds, asked, true, (spot) => {
    // A link to nothing would put the file wherever its text says.
    if (!spot.thing) throw new Failure('conflict', 'a link that leads nowhere is in the way')
    return writeAt(bounds, spot, body, how)
  })
  return entryOf({ path: asked.path, stats, isSymlink: true })
}

async function writeAt(bounds: Bounds, spot: Spot, body: Body, how: WriteHow): Promise<fs.BigIntStats> {
  checkReplaceable(spot, how.replace)
  const { folder, name } = spot
  return withPartName(async (part) => {
    const [from, to] = [
      { folder, name: part },
      { folder, name },
    ]
    const fd = await createPart(bounds, from)
    try {
      const stats = await fill(bounds, fd, { to, body, how })
      await withNames([to], () => giveName(bounds, from, to, how))
      await syncHeld(bounds, folder)
      return stats
    } catch (error) {
      await removePart(bounds, from)
      throw error
    }
  })
}

async function giveName(bounds: Bounds, from: Name, to: Name, { replace }: WriteHow) {
  if (replace) await bounds.system.rename(addressOf(from), addressOf(to))
  else if ((await giveFreeName(bounds, from, to)) === 'both') await removePart(bounds, from)
}

/** @throws Failure('conflict' | 'forbidden') when a file must not take the place of what stands there */
function checkReplaceable({ thing, alias }: Spot, replace: boolean) {
  if (alias) throw new Failure('conflict', 'the name is taken in another spelling')
  if (!thing) return
  if (!replace) throw new Failure('conflict', 'the name is taken')
  if (thing.kind === 'folder') throw new Failure('conflict', 'a folder is in the way')
  if (thing.kind === 'special') throw new Failure('forbidden', 'a device, pipe or socket is in the way')
}

function addressOf({ folder, name }: Name) {
  return below(folder, name)
}

function createPart({ system }: Bounds, part: Name): Promise<number> {
  const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
  return system.open(addressOf(part), O_WRONLY | O_CREAT | O_EXCL, 0o600)
}

/** Writes, dresses, syncs and closes the hidden file. */
async function fill(bounds: Bounds, fd: number, { to, body, how }: { to: Name; body: Body; how: WriteHow }) {
  const { system } = bounds
  try {
    for await (const chunk of body) await writeAll(system, fd, chunk)
    await dressLikeOld(bounds, fd, to, how)
    await system.sync(fd)
    const stats = fs.fstatSync(fd, { bigint: true })
    await system.close(fd)
    return stats
  } catch (error) {
    await quietly(system.close(fd))
    throw error
  }
}

// What stands there is asked again: an upload may have taken an hour.
async function dressLikeOld(bounds: Bounds, fd: number, { folder, name }: Name, { replace, like }: WriteHow) {
  const old = await holdIn(bounds, folder, name)
  try {
    checkReplaceable(old, replace)
    await dress(bounds.system, fd, { old: old.thing, like })
  } finally {
    old.thing?.close()
  }
}

/** A part that cannot be removed stays hidden, and goes when parts are swept. */
function removePart({ system }: Bounds, part: Name) {
  return quietly(system.unlink(addressOf(part)))
}

async function quietly(call: Promise<void>) {
  try {
    await call
  } catch {
    // The first error is the one to tell; nothing more can be done here.
  }
}
