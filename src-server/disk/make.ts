// Making what has no content: folders and links.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import type { Bounds, Spot } from './bounds.ts'
import { atSpot } from './confine.ts'
import type { Entry } from './disk.ts'
import { dressFolder, newFolderMode } from './dress.ts'
import { linkEntryAt, present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { below } from './held.ts'
import { syncHeld } from './sync-held.ts'

const readlink = promisify(fs.readlink) as (path: string, options: { encoding: 'buffer' }) => Promise<Buffer>

/** One folder, 0750 whatever the umask; its name lasts. */
export async function makeFolder(bounds: Bounds, asked: Admitted, like: Entry | undefined): Promise<void> {
  await atSpot(bounds, asked, false, async (spot) => {
    checkFree(spot)
    const address = below(spot.folder, spot.name)
    await bounds.system.mkdir(address, newFolderMode)
    await dressNew(bounds, spot, like)
    await syncHeld(bounds, spot.folder)
  })
}

async function dressNew({ grip, system }: Bounds, { folder, name }: Spot, like: Entry | undefined) {
  const made = await grip.hold(below(folder, name))
  try {
    const fd = await grip.open(system, made, fs.constants.O_RDONLY | (fs.constants.O_DIRECTORY ?? 0))
    try {
      await dressFolder(system, fd, like)
    } finally {
      await system.close(fd)
    }
  } catch (error) {
    // It stands, with the mode that the umask left: on Windows no folder can be opened.
    if (!['EACCES', 'EPERM', 'EISDIR'].includes(errnoOf(error) ?? '')) throw error
  } finally {
    made.close()
  }
}

/** A link with the same text as another; to whoever has no more than a right to its content, only when it stays in the scope. */
export async function copyLink(bounds: Bounds, from: Admitted & { mayLeave: boolean }, to: Admitted): Promise<void> {
  const text = await atSpot(bounds, from, false, async (spot) => {
    const link = present(spot)
    if (link.kind !== 'link') throw new Failure('invalid', 'not a link')
    if (!from.mayLeave) await checkStays(bounds, from, link.stats)
    return readlink(below(spot.folder, spot.name), { encoding: 'buffer' })
  })
  await atSpot(bounds, to, false, async (spot) => {
    checkFree(spot)
    await bounds.system.symlink(text, below(spot.folder, spot.name))
    await syncHeld(bounds, spot.folder)
  })
}

async function checkStays(bounds: Bounds, from: Admitted, stats: fs.BigIntStats) {
  const { unreachable } = await linkEntryAt(bounds, from, stats)
  if (unreachable === 'outside') throw new Failure('forbidden', 'the link leads out of your files')
}

function checkFree({ thing }: Spot) {
  if (thing) throw new Failure('conflict', 'the name is taken')
}
