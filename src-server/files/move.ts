import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path } from '../base/paths.ts'
import { CrossDevice, type Entry } from '../disk/disk.ts'
import { writePair } from './copy.ts'
import { pairsOf, type Transfer } from './pairs.ts'
import { entryAt, type FileContext, isEnterable, type Step, walk } from './walk.ts'

/** Moves a file, a link or a tree, which `checkPairs` has found in order; with `override` files are replaced and folders merged. */
export async function moveTree(context: FileContext, transfer: Transfer<'rename'>): Promise<void> {
  await moveOne(context, transfer.source, transfer)
}

type Goal = Readonly<{ to: Path; override: boolean }>

async function moveOne(context: FileContext, source: Entry, goal: Goal): Promise<void> {
  const taken = goal.override ? await entryAt(context, goal.to) : undefined
  // Left alone: taking away what was merged would take away all of it.
  if (taken?.isDir && (await isSame(context, source.path, goal.to))) return
  if (taken?.isDir) return merge(context, source, goal.to)
  const { principal, disk } = context
  const from = authorize(principal, 'rename', source.path)
  try {
    await disk.move(from, authorize(principal, 'rename', goal.to), { replace: goal.override })
  } catch (error) {
    if (!(error instanceof CrossDevice)) throw error
    await moveAcross(context, { source, need: 'rename', ...goal })
  }
}

/** Whether two paths name one folder, by whatever way. */
async function isSame({ principal, disk, signal }: FileContext, one: Path, other: Path): Promise<boolean> {
  const [a, b] = [authorize(principal, 'see', one), authorize(principal, 'see', other)]
  return (await disk.isWithin(a, b, signal)) && (await disk.isWithin(b, a, signal))
}

async function merge(context: FileContext, source: Entry, to: Path) {
  const { principal, disk } = context
  const capability = authorize(principal, 'rename', source.path)
  if (await removedAtOnce(() => disk.remove(capability))) return
  for (const entry of await disk.list(authorize(principal, 'see', source.path))) {
    await moveOne(context, entry, { to: childOf(to, entry.name), override: true })
  }
  await disk.remove(capability)
}

/**
 * To another file system: copied and synced whole, and only then removed; what came or changed meanwhile stays.
 * @throws Failure('invalid') before anything is copied when a part cannot be, Failure('conflict') when something stays
 */
async function moveAcross(context: FileContext, transfer: Transfer<'rename'>) {
  for await (const { entry } of pairsOf(context, transfer)) checkMovable(entry)
  const copied = new Set<string>()
  for await (const pair of pairsOf(context, transfer)) {
    await writePair(context, pair, { ...transfer, mayVanish: false })
    copied.add(versionOf(pair.entry))
  }
  for await (const { entry, capability } of childrenFirst(context, transfer.source, 'rename')) {
    if (!copied.has(versionOf(entry)))
      throw new Failure('conflict', 'something changed while it was moved, and was left where it was')
    await context.disk.remove(capability)
  }
}

function checkMovable({ unreachable }: Entry) {
  if (unreachable !== 'special' && unreachable !== 'name' && unreachable !== 'unanswered') return
  throw new Failure('invalid', 'a device, a broken name or an unreadable entry cannot go to another file system')
}

/** Names what was copied. A folder changes by what is moved out of it, and a link's entry speaks of its target. */
function versionOf({ path, isDir, isSymlink, version }: Entry) {
  return isDir || isSymlink ? path : `${path} ${version}`
}

/**
 * Asks whether all of a tree may go.
 * @throws Failure('forbidden') when something below is hidden by rules, Failure('conflict') when a name cannot be removed
 */
export async function checkRemovable(context: FileContext, source: Entry): Promise<void> {
  for await (const { entry } of childrenFirst(context, source, 'delete')) {
    if (entry.unreachable === 'name') throw new Failure('conflict', 'the folder holds a name that is not UTF-8')
  }
}

/**
 * Removes a file, a link or a tree, which `checkRemovable` has found in order.
 * @throws Failure('forbidden') before anything is removed when one of the server's own files is below
 */
export async function removeTree(context: FileContext, source: Entry): Promise<void> {
  if (await removedAtOnce(() => context.disk.remove(authorize(context.principal, 'delete', source.path)))) return
  for await (const { capability } of childrenFirst(context, source, 'delete')) await context.disk.remove(capability)
}

/** Everything of a tree, itself at last. */
async function* childrenFirst<N extends 'delete' | 'rename'>(
  context: FileContext,
  source: Entry,
  need: N,
): AsyncGenerator<Step<N>> {
  if (isEnterable(source)) yield* walk(context, source.path, { need, hidden: 'refuse', order: 'children first' })
  yield { entry: source, capability: authorize(context.principal, need, source.path) }
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
