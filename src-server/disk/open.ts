import * as fs from 'node:fs'
import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import type { Bounds } from './bounds.ts'
import { atSpot } from './confine.ts'
import type { OpenFile } from './disk.ts'
import { entryOf, present } from './entry.ts'
import type { Held } from './held.ts'

/** Opens a regular file for reading: held first, asked what it is, and only then opened, as the very same object. */
export async function openFile(bounds: Bounds, asked: Admitted): Promise<OpenFile> {
  const { path } = asked
  const openHeld = (thing: Held, isSymlink: boolean) =>
    openRegular(bounds, thing, entryOf({ path, stats: thing.stats, isSymlink }))
  const opened = await atSpot(bounds, asked, false, async (spot) => {
    const thing = present(spot)
    return thing.kind === 'link' ? undefined : openHeld(thing, false)
  })
  return opened ?? atSpot(bounds, asked, true, (spot) => openHeld(present(spot), true))
}

async function openRegular({ grip, system }: Bounds, thing: Held, entry: OpenFile['entry']): Promise<OpenFile> {
  if (thing.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
  const fd = await grip.open(system, thing, fs.constants.O_RDONLY)
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= system.close(fd)
    return closed
  }
  return { fd, entry, close }
}
