import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import type { Bounds, Spot } from './bounds.ts'
import { atSpot } from './confine.ts'
import { CrossDevice } from './disk.ts'
import { errnoOf } from './errno.ts'
import { giveFreeName } from './give-name.ts'
import { below, type Held } from './held.ts'
import { withNames } from './name-locks.ts'
import { checkLoose } from './remove.ts'
import { syncHeld } from './sync-held.ts'

type Ends = Readonly<{ from: Spot; to: Spot; thing: Held }>

/** Acts on a link itself. Onto itself: nothing. A name that differs in case alone works where the file system takes both for one. */
export async function move(bounds: Bounds, source: Admitted, target: Admitted, { replace }: { replace: boolean }): Promise<void> {
  await atSpot(bounds, source, false, (from) =>
    atSpot(bounds, target, false, async (to) => {
      const thing = checkLoose(bounds, from)
      if (from.folder.identity === to.folder.identity && from.name === to.name) return
      await withNames([from, to], () => moveThing(bounds, { from, to, thing }, replace))
      // The new name lasts before the old one goes for good.
      await syncHeld(bounds, to.folder)
      if (from.folder.identity !== to.folder.identity) await syncHeld(bounds, from.folder)
    }),
  )
}

async function moveThing(bounds: Bounds, ends: Ends, replace: boolean) {
  const { to, thing } = ends
  try {
    if (to.name === '') throw new Failure('conflict', 'a folder is in the way')
    if (to.alias !== undefined) await respell(bounds, ends)
    else if (to.thing?.identity === thing.identity) await moveToSecondName(bounds, ends, replace)
    else if (replace && to.thing) await replaceThing(bounds, ends)
    else if (thing.kind === 'folder') await moveFolder(bounds, ends)
    else await moveFile(bounds, ends)
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') throw new CrossDevice('source and target lie on different file systems', { cause: error })
    if (errnoOf(error) === 'EINVAL' && thing.kind === 'folder') {
      throw new Failure('invalid', 'a folder cannot be moved into itself', { cause: error })
    }
    throw error
  }
}

/** The file system takes the new name for the name of something: of this very thing, or its place is taken. */
async function respell(bounds: Bounds, { from, to, thing }: Ends) {
  const isOwn = to.alias === thing.identity && to.folder.identity === from.folder.identity
  if (!isOwn) throw new Failure('conflict', 'the name is taken in another spelling')
  await bounds.system.rename(addressOf(from), addressOf(to))
}

/** Both names are the same file's; rename() between them does nothing. */
async function moveToSecondName(bounds: Bounds, { from, to }: Ends, replace: boolean) {
  if (!replace) throw new Failure('conflict', 'the name is taken')
  checkLoose(bounds, to)
  await bounds.system.unlink(addressOf(from))
}

async function replaceThing(bounds: Bounds, { from, to, thing }: Ends) {
  const taken = checkLoose(bounds, to)
  if (taken.kind === 'special') throw new Failure('forbidden', 'a device, pipe or socket is in the way')
  if ((taken.kind === 'folder') !== (thing.kind === 'folder')) {
    throw new Failure('conflict', 'a folder and a file cannot replace each other')
  }
  await bounds.system.rename(addressOf(from), addressOf(to))
}

/** rename() takes an empty folder's place and nothing else, so the name is taken first by a folder of ours. */
async function moveFolder({ system }: Bounds, { from, to }: Ends) {
  await system.mkdir(addressOf(to), 0o700)
  try {
    await system.rename(addressOf(from), addressOf(to))
  } catch (error) {
    await system.rmdir(addressOf(to)).catch(() => {})
    throw error
  }
}

async function moveFile(bounds: Bounds, { from, to }: Ends) {
  if ((await giveFreeName(bounds, from, to)) === 'new') return
  const moved = await identityAt(bounds, to)
  try {
    await syncHeld(bounds, to.folder)
    // Not what somebody outside this server has put there since.
    if ((await identityAt(bounds, from)) !== moved) throw new Failure('conflict', 'the file was replaced meanwhile')
    await bounds.system.unlink(addressOf(from))
  } catch (error) {
    // Takes the new name away again, if it still is that file's.
    if ((await identityAt(bounds, to)) === moved) await bounds.system.unlink(addressOf(to))
    throw error
  }
}

async function identityAt({ grip }: Bounds, spot: Spot) {
  const thing = await grip.hold(addressOf(spot))
  thing.close()
  return thing.identity
}

function addressOf({ folder, name }: Spot) {
  return below(folder, name)
}
