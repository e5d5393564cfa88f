import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import type { Bounds, Spot } from './bounds.ts'
import { atSpot } from './confine.ts'
import { present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { below, type Held } from './held.ts'
import { isInUse, isPartName } from './part-names.ts'
import { syncHeld } from './sync-held.ts'

const readdir = promisify(fs.readdir) as (path: string) => Promise<string[]>

/** A file, a link (never what it leads to) or an empty folder. */
export async function remove(bounds: Bounds, asked: Admitted): Promise<void> {
  await atSpot(bounds, asked, false, async (spot) => {
    const thing = checkLoose(bounds, spot)
    const address = below(spot.folder, spot.name)
    if (thing.kind === 'folder') await removeFolder(bounds, thing, address)
    else await bounds.system.unlink(address)
    await syncHeld(bounds, spot.folder)
  })
}

/** What stands at a spot. @throws Failure('forbidden') when it has to stay: a root, and what one of our own files lies in */
export function checkLoose({ ours }: Bounds, spot: Spot): Held {
  const thing = present(spot)
  if (spot.name === '') throw new Failure('forbidden', 'the root folder stays where it is')
  if (ours.isOnTheWay(thing.identity)) throw new Failure('forbidden', 'it holds something that is not yours to change')
  return thing
}

async function removeFolder({ system }: Bounds, folder: Held, address: string) {
  try {
    await system.rmdir(address)
  } catch (error) {
    if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw error
    if (!(await removeParts(system, folder))) throw error
    await system.rmdir(address)
  }
}

/** A folder that holds nothing but what broken uploads left is empty to its visitors. Whether it was so. */
async function removeParts(system: Bounds['system'], folder: Held): Promise<boolean> {
  const names = await readdir(folder.address)
  if (!names.every((name) => isPartName(name) && !isInUse(name))) return false
  for (const name of names) await system.unlink(below(folder, name))
  return true
}
