import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path } from '../base/paths.ts'
import { CrossDevice, type Entry } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { entriesAtOnce } from './copy.ts'
import { takingName } from './free-name.ts'
import { moveAcross } from './move-across.ts'
import type { Transfer } from './pairs.ts'
import { entryAt, type FileContext, isEnterable, type Walked, walk } from './walk.ts'

/**
 * Moves a file, a link or a tree, which `checkPairs` has checked; with `override` files are replaced and folders merged.
 * To another file system everything is copied before anything is removed.
 */
export async function moveTree(context: FileContext, transfer: Transfer<'rename'>, onMoved = () => {}): Promise<void> {
  try {
    await moveOne(context, transfer.source, { ...transfer, onMoved })
  } catch (error) {
    if (!(error instanceof CrossDevice)) throw error
    await moveAcross(context, transfer, onMoved)
  }
}

type Goal = Readonly<{ to: Path; override: boolean; onMoved(): void }>

async function moveOne(context: FileContext, source: Entry, goal: Goal): Promise<void> {
  const taken = goal.override ? await entryAt(context, goal.to) : undefined
  // Folders alone are merged: a file that was moved onto a folder would be removed as one that is empty.
  if (taken?.isDir && isEnterable(source)) {
    // Nothing to do: removing the source after the merge would remove the target.
    return (await isSame(context, source.path, goal.to)) ? undefined : merge(context, source, goal)
  }
  const { principal, disk, signal } = context
  const from = authorize(principal, 'rename', source.path)
  const target = authorize(principal, 'rename', goal.to)
  await takingName(context, goal.to, () => disk.move(from, target, { replace: goal.override }, signal))
  goal.onMoved()
}

/** Whether two paths name the same folder, through links and mounts too. */
async function isSame({ principal, disk, signal }: FileContext, one: Path, other: Path): Promise<boolean> {
  const [a, b] = [authorize(principal, 'see', one), authorize(principal, 'see', other)]
  return (await disk.isWithin(a, b, signal)) && (await disk.isWithin(b, a, signal))
}

async function merge(context: FileContext, source: Entry, goal: Goal) {
  const { principal, disk, signal } = context
  const capability = authorize(principal, 'rename', source.path)
  if (await removedAtOnce(() => disk.remove(capability, signal))) return
  for (const entry of await disk.list(authorize(principal, 'see', source.path), signal)) {
    await moveOne(context, entry, { ...goal, to: childOf(goal.to, entry.name), override: true })
  }
  await disk.remove(capability, signal)
}

/**
 * Checks that all of a tree may be removed.
 * @returns how many entries it has
 * @throws Failure('forbidden') when something below is hidden by rules, Failure('conflict') when a name cannot be removed
 */
export async function checkRemovable(context: FileContext, source: Entry): Promise<number> {
  let count = 0
  await context.disk.batch(async (disk) => {
    for await (const { entry } of childrenFirst({ ...context, disk }, source, 'delete')) {
      count++
      if (entry.unreachable === 'name') throw new Failure('conflict', 'the folder holds a name that is not UTF-8')
    }
  })
  return count
}

/**
 * Removes a file, a link or a tree, which `checkRemovable` has checked.
 * @throws Failure('forbidden') before anything is removed when one of the server's own files is below
 */
export async function removeTree(context: FileContext, source: Entry, onRemoved: () => void): Promise<void> {
  const { principal, signal } = context
  if (await removedAtOnce(() => context.disk.remove(authorize(principal, 'delete', source.path), signal))) return onRemoved()
  await context.disk.batch((disk) => removeAll({ ...context, disk }, source, { need: 'delete', onRemoved }))
}

type RemoveHow = Readonly<{ need: 'delete' | 'rename'; onRemoved?(): void }>

/** Removes all entries below a folder, eight at a time, each folder after its content. */
export async function removeAll(context: FileContext, source: Entry, { need, onRemoved }: RemoveHow) {
  const tasks = new TaskGroup(entriesAtOnce)
  try {
    for await (const { entry, capability } of childrenFirst(context, source, need)) {
      if (isEnterable(entry)) await tasks.finish()
      await tasks.add(() => context.disk.remove(capability, context.signal).then(onRemoved))
    }
    await tasks.finish()
  } finally {
    await tasks.settle()
  }
}

/** Removes a tree, the folder itself last. */
export async function* childrenFirst<N extends 'delete' | 'rename'>(
  context: FileContext,
  source: Entry,
  need: N,
): AsyncGenerator<Walked<N>> {
  if (isEnterable(source)) yield* walk(context, source.path, { need, hidden: 'refuse', order: 'children first' })
  yield { entry: source, capability: authorize(context.principal, need, source.path) }
}

/** Removes a file, a link or an empty folder. For a folder above a protected path the disk refuses this before any removal. */
async function removedAtOnce(remove: () => Promise<void>) {
  try {
    await remove()
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return false
    throw error
  }
}
