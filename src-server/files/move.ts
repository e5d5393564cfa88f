import { authorize, mayBlockBelow } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path } from '../base/paths.ts'
import { CrossDevice, type Entry, type TrashedItem } from '../disk/disk.ts'
import {
  isOnOneDevice,
  isSameFile,
  noteFolderRemoved,
  noteLost,
  noteMoved,
  noteMoving,
  noteNotMoved,
  noteReplaced,
  traceOf,
} from './deeds.ts'
import { FailedEntries } from './entries-failed.ts'
import { takingName } from './free-name.ts'
import { moveAcross } from './move-across.ts'
import { assertOfOneKind, checkPairs, type Transfer } from './pairs.ts'
import { removedAtOnce } from './remove-below.ts'
import { withRoomAt } from './room.ts'
import { entryAt, type FileContext, isEnterable, isHidden, keepingOf, walk } from './walk.ts'

/**
 * Moves a file, a link or a tree, which `checkPairs` has checked; with `override` files are replaced and folders merged.
 * To another file system everything is copied before anything is removed.
 * @throws EntriesFailed with `goesOn`
 */
export async function moveTree(context: FileContext, transfer: Transfer<'rename'>, onMoved = () => {}): Promise<void> {
  const crossing: Crossing = { hasMoved: false, failed: [] }
  const noteMove = () => {
    crossing.hasMoved = true
    onMoved()
  }
  try {
    await moveOne(context, transfer.source, { ...transfer, onMoved: noteMove, crossing })
  } catch (error) {
    if (!(error instanceof CrossDevice)) throw error
    if (transfer.guard && !transfer.mayCross)
      throw new Failure('conflict', 'it lies on another file system by now', { cause: error })
    // All of it or nothing.
    if (transfer.goesOn)
      await checkPairs(context, { ...transfer, goesOn: false }).catch((refused) => failCrossed(crossing, refused))
    await transfer.guard?.()
    await transfer.onAcross?.()
    const other = await traceOf(context, transfer.source)
    const taken = transfer.override ? await entryAt(context, transfer.to) : undefined
    const note = async (item: TrashedItem | undefined) => {
      // The content went to what the link leads to.
      if (taken?.isSymlink && !transfer.source.isSymlink) return noteLost(context, transfer.to, 'throughLink')
      if (taken && isEnterable(taken)) return noteLost(context, transfer.to, 'mergedAcross')
      if (taken) await noteReplaced(context, taken, item)
      await noteMoved(context, transfer.source, transfer.to, other)
    }
    await moveAcross({ ...context, note: undefined }, transfer, { onCopied: onMoved, note })
  }
}

/** Of a merge that has come upon another file system: `path`: of what goes there, `failed`: what has failed before, by folder. */
type Crossing = { hasMoved: boolean; path?: Path; failed: FailedEntries[] }

/** What was moved before it came there has another path by now: the others have failed, and not all of it. @throws what is to be told */
function failCrossed({ hasMoved, path, failed }: Crossing, refused: unknown): never {
  if (!hasMoved || path === undefined) throw refused
  const all = new FailedEntries()
  for (const inFolder of failed) all.addAll(path, inFolder)
  all.add(path, refused)
  all.throwIfAny()
  throw refused
}

/** `isNotedFirst`: of what goes into a folder, and may be broken off by a kill that leaves nothing at its old path. */
type Goal = Pick<Transfer, 'to' | 'override' | 'isSecondName' | 'guard' | 'goesOn'> &
  Readonly<{ isNotedFirst?: boolean | undefined; crossing: Crossing; onMoved(): void }>

async function moveOne(context: FileContext, source: Entry, goal: Goal): Promise<void> {
  const taken = goal.override ? await entryAt(context, goal.to) : undefined
  // Folders alone are merged: a file that was moved onto a folder would be removed as one that is empty.
  if (taken?.isDir && isEnterable(source)) {
    // Nothing to do: removing the source after the merge would remove the target.
    return (await isSame(context, source.path, goal.to)) ? undefined : merge(context, source, goal)
  }
  if (taken && goal.goesOn) assertOfOneKind(source, taken)
  // Also of what is merged below: a kill may have come while it had both names.
  const isSecondName = goal.isSecondName || (taken !== undefined && (await isSameFile(context, source, taken)))
  const { principal, disk, signal } = context
  const from = authorize(principal, 'rename', source.path)
  const target = authorize(principal, 'rename', goal.to)
  // Again, now that nothing of this process changes either end: a folder may hold more than when it was checked, or another one has its path.
  const asked = { from: source.path, to: goal.to }
  const checks = isEnterable(source) && !principal.rules.isEmpty
  const check = async (truly: MoveEnds) => {
    await goal.guard?.()
    if (checks) await checkWhole(context, asked, truly)
  }
  let item: TrashedItem | undefined
  const onKept = (kept: TrashedItem) => {
    item = kept
  }
  const keeping = keepingOf(context, goal.to, { onKept })
  const how = { replace: goal.override, finishes: isSecondName, check, ...keeping }
  // What is replaced is found by its id in the trash, where there is one.
  const isForGood = taken !== undefined && !taken.isDir && !isSecondName && !context.trash
  const isNotedFirst = goal.isNotedFirst && (!taken || isSecondName || isForGood)
  if (isNotedFirst) await noteMoving(context, source, goal.to, isForGood)
  try {
    await takingName(context, goal.to, () => withRoomAt(context, goal.to, () => disk.move(from, target, how, signal)))
  } catch (error) {
    if (isNotedFirst) await noteNotMoved(context, source, goal.to)
    throw error
  }
  const isReplaced = taken && !taken.isDir && (item || !isSecondName)
  if (isReplaced && !(isNotedFirst && isForGood)) await noteReplaced(context, taken, item)
  if (!isNotedFirst) await noteMoved(context, source, goal.to)
  goal.onMoved()
}

type MoveEnds = Readonly<{ from: Path; to: Path }>

function checkWhole(context: FileContext, asked: MoveEnds, truly: MoveEnds): Promise<void> {
  const starts = [asked.from, asked.to, truly.from, truly.to]
  return checkBelow(context, { action: 'rename', folder: truly.from, starts })
}

/** `folder`: the true path of what is walked. `starts`: the paths that it has and will have. */
type CheckHow = Readonly<{ action: 'rename' | 'delete' | 'modify'; folder: Path; starts: readonly Path[] }>

/** Milliseconds that others may have to wait for the check of a tree. */
const longestCheck = 10_000

/**
 * Walks by the true path, which stays what it is, and asks the rules about every path that an entry has or will have.
 * @throws Failure('forbidden') when one is hidden, Failure('busy') when it takes too long
 */
export async function checkBelow(context: FileContext, { action, folder, starts: all }: CheckHow): Promise<void> {
  const { principal } = context
  const starts = [...new Set(all)]
  if (!starts.some((path) => mayBlockBelow(principal, path))) return
  await whileOthersWait(context, async (checking) => {
    for await (const { entry } of walk(checking, folder, { action, ...walkAll })) {
      for (const start of starts) authorize(principal, action, `${start}${entry.path.slice(folder.length)}` as Path)
    }
  })
}

/** Looks through a tree that others cannot change meanwhile. @throws Failure('busy') when it takes too long */
export async function whileOthersWait(context: FileContext, look: (context: FileContext) => Promise<void>): Promise<void> {
  const longest = AbortSignal.timeout(longestCheck)
  const signal = AbortSignal.any([context.signal, longest])
  try {
    await context.disk.batch((disk) => look({ ...context, disk, signal }))
  } catch (error) {
    throw longest.aborted && !context.signal.aborted ? new Failure('busy', 'the folder is in use') : error
  }
}

export const walkAll = { hidden: 'refuse', order: 'parents first' } as const

/** Whether two paths name the same folder, through links and mounts too. */
async function isSame({ principal, disk, signal }: FileContext, one: Path, other: Path): Promise<boolean> {
  const [a, b] = [authorize(principal, 'read', one), authorize(principal, 'read', other)]
  return (await disk.isWithin(a, b, signal)) && (await disk.isWithin(b, a, signal))
}

async function merge(context: FileContext, source: Entry, goal: Goal) {
  const { principal, disk, signal } = context
  const capability = authorize(principal, 'rename', source.path)
  const uploadsTo = authorize(principal, 'rename', goal.to)
  const remove = async () => {
    const trace = context.note && (await traceOf(context, source))
    await disk.remove(capability, signal, { uploadsTo })
    if (trace) noteFolderRemoved(context, source, trace)
  }
  if (await removedAtOnce(remove)) return
  // What goes to another file system is copied, and noted when that is done.
  const isNotedFirst = context.note && context.kept && (await isOnOneDevice(context, source.path, goal.to))
  const failed = new FailedEntries()
  for (const entry of await disk.list(authorize(principal, 'read', source.path), signal)) {
    const moving = moveOne(context, entry, { ...goal, to: childOf(goal.to, entry.name), override: true, isNotedFirst })
    await moving.catch((error: unknown) => {
      if (error instanceof CrossDevice) {
        goal.crossing.path ??= entry.path
        goal.crossing.failed.push(failed)
      }
      // What the rules hide by now is not named.
      if (!goal.goesOn || signal.aborted || error instanceof CrossDevice || isHidden(principal, entry)) throw error
      failed.add(entry.path, error)
    })
  }
  // The folder stays with them.
  failed.throwIfAny()
  if (!isNotedFirst) return remove()
  // A folder that is there is not made again.
  noteFolderRemoved(context, source, await traceOf(context, source))
  await context.kept?.()
  await disk.remove(capability, signal, { uploadsTo })
}
