import { admit } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path } from '../base/paths.ts'
import { CrossDevice, type Entry } from '../disk/disk.ts'
import { writePair } from './copy.ts'
import { pairsOf, type Transfer } from './pairs.ts'
import { entryAt, isEnterable, type Place, type Step, walk } from './walk.ts'

/** Moves a file, a link or a tree, which `checkPairs` has found in order; with `override` files are replaced and folders merged. */
export async function moveTree(place: Place, transfer: Transfer<'rename'>): Promise<void> {
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

/**
 * To another file system: copied and synced whole, and only then removed; what came or changed meanwhile stays.
 * @throws Failure('invalid') before anything is copied when a part cannot be, Failure('conflict') when something stays
 */
async function moveAcross(place: Place, transfer: Transfer<'rename'>) {
  for await (const { entry } of pairsOf(place, transfer)) checkMovable(entry)
  const copied = new Set<string>()
  for await (const pair of pairsOf(place, transfer)) {
    await writePair(place, pair, { ...transfer, mayVanish: false })
    copied.add(versionOf(pair.entry))
  }
  for await (const { entry, ticket } of childrenFirst(place, transfer.source, 'rename')) {
    if (!copied.has(versionOf(entry)))
      throw new Failure('conflict', 'something changed while it was moved, and was left where it was')
    await place.disk.remove(ticket)
  }
}

function checkMovable({ unreachable }: Entry) {
  if (unreachable !== 'special' && unreachable !== 'name') return
  throw new Failure('invalid', 'a device or a broken name cannot go to another file system')
}

/** Names what was copied. A folder changes by what is moved out of it, and a link's entry speaks of its target. */
function versionOf({ path, isDir, isSymlink, identity, modified, size }: Entry) {
  return isDir || isSymlink ? path : `${path} ${identity} ${modified} ${size}`
}

/**
 * Asks whether all of a tree may go.
 * @throws Failure('forbidden') when something below is hidden by rules, Failure('conflict') when a name cannot be removed
 */
export async function checkRemovable(place: Place, source: Entry): Promise<void> {
  for await (const { entry } of childrenFirst(place, source, 'delete')) {
    if (entry.unreachable === 'name') throw new Failure('conflict', 'the folder holds a name that is not UTF-8')
  }
}

/**
 * Removes a file, a link or a tree, which `checkRemovable` has found in order.
 * @throws Failure('forbidden') before anything is removed when one of the server's own files is below
 */
export async function removeTree(place: Place, source: Entry): Promise<void> {
  if (await removedAtOnce(() => place.disk.remove(admit(place.visitor, 'delete', source.path)))) return
  for await (const { ticket } of childrenFirst(place, source, 'delete')) await place.disk.remove(ticket)
}

/** Everything of a tree, itself at last. */
async function* childrenFirst<N extends 'delete' | 'rename'>(place: Place, source: Entry, need: N): AsyncGenerator<Step<N>> {
  if (isEnterable(source)) yield* walk(place, source.path, { need, hidden: 'refuse', order: 'children first' })
  yield { entry: source, ticket: admit(place.visitor, need, source.path) }
}

/** What is no folder, or an empty one, goes at once. One above the server's own files is refused by the disk here, while all of it still stands. */
async function removedAtOnce(remove: () => Promise<void>) {
  try {
    await remove()
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return false
    throw error
  }
}
