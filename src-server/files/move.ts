import { admit } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path } from '../base/paths.ts'
import { CrossDevice, type Entry } from '../disk/disk.ts'
import { writePairs } from './copy.ts'
import { checkPairs, pairsOf, type Transfer } from './pairs.ts'
import { entryAt, isEnterable, type Place, walk } from './walk.ts'

/**
 * Moves a file, a link or a tree; with `override` files are replaced and folders merged.
 * @throws Failure before anything is moved when a part of the source or the target is refused
 */
export async function moveTree(place: Place, transfer: Transfer<'rename'>): Promise<void> {
  await checkPairs(place, transfer)
  await moveOne(place, transfer.source, transfer)
}

type Goal = Readonly<{ to: Path; override: boolean }>

async function moveOne(place: Place, source: Entry, goal: Goal): Promise<void> {
  const taken = goal.override ? await entryAt(place, goal.to) : undefined
  if (taken?.isDir) return merge(place, source, goal.to)
  const { visitor, disk } = place
  const from = admit(visitor, 'rename', source.path)
  try {
    await disk.move(from, admit(visitor, 'rename', goal.to), { replace: goal.override })
  } catch (error) {
    if (!(error instanceof CrossDevice)) throw error
    await moveAcross(place, { source, need: 'rename', ...goal })
  }
}

async function merge(place: Place, source: Entry, to: Path) {
  const { visitor, disk } = place
  const ticket = admit(visitor, 'rename', source.path)
  if (await removedAtOnce(() => disk.remove(ticket))) return
  for (const entry of await disk.list(admit(visitor, 'see', source.path))) {
    await moveOne(place, entry, { to: childOf(to, entry.name), override: true })
  }
  await disk.remove(ticket)
}

/** To another file system: copied and synced whole, and only then removed. */
async function moveAcross(place: Place, transfer: Transfer<'rename'>) {
  for await (const { entry } of pairsOf(place, transfer)) {
    if (entry.unreachable === 'special' || entry.unreachable === 'name') {
      throw new Failure('invalid', 'the folder holds a device or a broken name, which cannot go to another file system')
    }
  }
  await writePairs(place, transfer)
  await removeTree(place, transfer.source, 'rename')
}

/**
 * Removes a file, a link or a tree.
 * @throws Failure('forbidden') before anything is removed when something below is hidden by rules or is the server's own
 */
export async function removeTree(place: Place, source: Entry, need: 'delete' | 'rename'): Promise<void> {
  const { visitor, disk } = place
  const top = admit(visitor, need, source.path)
  if (!isEnterable(source)) return disk.remove(top)
  for await (const { entry } of walk(place, source.path, { need, hidden: 'refuse', order: 'parents first' })) {
    if (entry.unreachable === 'name') throw new Failure('conflict', 'the folder holds a name that is not UTF-8')
  }
  if (await removedAtOnce(() => disk.remove(top))) return
  for await (const { ticket } of walk(place, source.path, { need, hidden: 'refuse', order: 'children first' })) {
    await disk.remove(ticket)
  }
  await disk.remove(top)
}

/** An empty folder goes at once. One above the server's own files is refused by the disk here, while all of it still stands. */
async function removedAtOnce(remove: () => Promise<void>) {
  try {
    await remove()
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return false
    throw error
  }
}
