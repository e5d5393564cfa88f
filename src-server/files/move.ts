import { authorize, mayBlockBelow } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { neverAborted } from '../base/or-aborted.ts'
import { childOf, type Path, parentOf, rootPath } from '../base/paths.ts'
import { CrossDevice, type Entry, type RollbackCopy, type TrashedItem } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { entriesAtOnce, leftOf, writePair } from './copy.ts'
import { noteFolderRemoved, noteLost, noteMoved, noteReplaced, traceOf } from './deeds.ts'
import { takingName } from './free-name.ts'
import { assertOutside, bytesOf, type Pair, pairsOf, type Transfer } from './pairs.ts'
import { withRoomAt } from './room.ts'
import { entryAt, type FileContext, isEnterable, keepingOf, type Walked, walk } from './walk.ts'

/**
 * Moves a file, a link or a tree, which `checkPairs` has checked; with `override` files are replaced and folders merged.
 * To another file system everything is copied before anything is removed.
 */
export async function moveTree(context: FileContext, transfer: Transfer<'rename'>, onMoved = () => {}): Promise<void> {
  try {
    await moveOne(context, transfer.source, { ...transfer, onMoved })
  } catch (error) {
    if (!(error instanceof CrossDevice)) throw error
    if (transfer.guard && !transfer.mayCross)
      throw new Failure('conflict', 'it lies on another file system by now', { cause: error })
    await transfer.guard?.()
    const other = await traceOf(context, transfer.source)
    await moveAcross({ ...context, note: undefined }, transfer, onMoved)
    // What was there is merged with it.
    if (transfer.override) noteLost(context, transfer.to, 'mergedAcross')
    else await noteMoved(context, transfer.source, transfer.to, other)
  }
}

type Goal = Pick<Transfer, 'to' | 'override' | 'isSecondName' | 'guard'> & Readonly<{ onMoved(): void }>

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
  const how = { replace: goal.override, finishes: goal.isSecondName, check, ...keeping }
  await takingName(context, goal.to, () => withRoomAt(context, goal.to, () => disk.move(from, target, how, signal)))
  const isReplaced = taken && !taken.isDir && (item || !goal.isSecondName)
  if (isReplaced) await noteReplaced(context, taken, item)
  await noteMoved(context, source, goal.to)
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
  const remove = async () => {
    const trace = context.note && (await traceOf(context, source))
    await disk.remove(capability, signal)
    if (trace) noteFolderRemoved(context, source, trace)
  }
  if (await removedAtOnce(remove)) return
  for (const entry of await disk.list(authorize(principal, 'read', source.path), signal)) {
    await moveOne(context, entry, { ...goal, to: childOf(goal.to, entry.name), override: true })
  }
  await remove()
}

/**
 * Checks that all of a tree may be removed.
 * @returns how many entries it has
 * @throws Failure('forbidden') when something below is hidden by rules, Failure('conflict') when a name cannot be removed,
 *   Failure('busy') when somebody is writing into it
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
  await context.disk.batch((disk) => removeAll({ ...context, disk }, source, { action: 'delete', onRemoved }))
}

type RemoveHow = Readonly<{
  action: 'delete' | 'rename'
  onRemoved?(): void
  /** What was copied before, by `contentKey`: anything else stays. */
  copied?: ReadonlySet<string>
}>

/**
 * Removes all entries below a folder, eight at a time, each folder after its content.
 * @throws Failure('conflict') at the first that was changed since it was copied, which stays
 */
export async function removeAll(context: FileContext, source: Entry, { action, onRemoved, copied }: RemoveHow) {
  const tasks = new TaskGroup(entriesAtOnce)
  const removeOne = async ({ entry, capability }: Walked<'delete' | 'rename'>) => {
    if (copied && !copied.has(contentKey(entry))) throw changedMeanwhile()
    const isFile = !entry.isDir && !entry.isSymlink
    const how = copied && isFile && entry.version !== '' ? { ifVersion: entry.version } : {}
    await context.disk.remove(capability, context.signal, how).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'changed' ? changedMeanwhile() : error
    })
    onRemoved?.()
  }
  try {
    for await (const step of childrenFirst(context, source, action)) {
      if (isEnterable(step.entry)) await tasks.finish()
      await tasks.add(() => removeOne(step))
    }
    await tasks.finish()
  } finally {
    await tasks.settle()
  }
}

/**
 * All entries that a removal takes, the source itself last. Each folder is looked at for what would stay in it before anything of it is
 * given, also while they are removed: an upload that has begun meanwhile goes on, with all that is in its folder.
 */
export async function* childrenFirst<N extends 'delete' | 'rename'>(
  context: FileContext,
  source: Entry,
  action: N,
): AsyncGenerator<Walked<N>> {
  if (isEnterable(source))
    yield* walk(context, source.path, { action, hidden: 'refuse', order: 'children first', forRemoval: true })
  yield { entry: source, capability: authorize(context.principal, action, source.path) }
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

// A move to another file system: everything is copied and synced, and only then the source is removed.

/**
 * Until everything is copied the source stays complete; a failure before that removes what was created at the target, and restores
 * what was replaced there.
 * @throws before anything is copied Failure('invalid') when an entry cannot be, Failure('busy' | 'conflict') when the source could not
 *   be removed whole; Failure('conflict') when an entry was added or changed
 */
async function moveAcross(context: FileContext, transfer: Transfer<'rename'>, onCopied: () => void): Promise<void> {
  const bytes = await checkAcross(context, transfer)
  const left = leftOf({ ...transfer, bytes })
  const changes: Changes = { made: [], replaced: [] }
  let copied: ReadonlySet<string>
  // Also when it was aborted.
  const cleaning = { ...context, signal: neverAborted }
  try {
    copied = await copyAll({ ...context, left }, { transfer, changes, onCopied })
    await assertUnchanged(context, transfer.source, copied)
  } catch (error) {
    await undo(cleaning, changes)
    throw error
  }
  await dropReplaced(cleaning, changes)
  await context.disk.batch((disk) => removeAll({ ...context, disk }, transfer.source, { action: 'rename', copied }))
}

/** The changes at the target. */
type Changes = Readonly<{
  /** Created entries, parents first. */
  made: Pair<'rename'>[]
  replaced: Replaced[]
}>

/** A file or link that replaced another one, which is kept until the move has succeeded. */
type Replaced = Readonly<{
  pair: Pair<'rename'>
  old: RollbackCopy
  /** The same in the trash. */
  kept: TrashedItem[]
}>

/** A rename that the system refuses because of two file systems may be one into the folder itself, by a mount. @returns bytes of all files */
export async function checkAcross(context: FileContext, transfer: Transfer<'rename'>): Promise<number> {
  let bytes = 0
  const target = authorize(context.principal, 'read', parentOf(transfer.to))
  // Removing the source would empty what is mounted in it.
  await context.disk.assertRemovable(authorize(context.principal, 'rename', transfer.source.path), context.signal)
  for await (const { entry } of pairsOf(context, transfer, { forRemoval: true })) {
    bytes += bytesOf(entry)
    assertCopyable(entry)
    if (isEnterable(entry)) await assertOutside(context, target, entry)
  }
  return bytes
}

function assertCopyable({ unreachable }: Entry) {
  if (unreachable !== 'special' && unreachable !== 'name') return
  throw new Failure('invalid', 'a device or a broken name cannot go to another file system')
}

/** @returns the copied entries, by `contentKey` */
async function copyAll(context: FileContext, how: CopyHow): Promise<Set<string>> {
  const { transfer } = how
  const copied = new Set<string>()
  await context.disk.batch(async (disk) => {
    const tasks = new TaskGroup(entriesAtOnce)
    const copyOne = (pair: Pair<'rename'>) => copyPair({ ...context, disk }, pair, how).then(how.onCopied)
    try {
      for await (const pair of pairsOf({ ...context, disk }, transfer)) {
        copied.add(contentKey(pair.entry))
        if (pair.entry === transfer.source) await takingName(context, pair.to, () => copyOne(pair))
        else if (isEnterable(pair.entry)) await copyOne(pair)
        else await tasks.add(() => copyOne(pair))
      }
      await tasks.finish()
    } finally {
      await tasks.settle()
    }
  })
  return copied
}

/** `changes` records the changes. */
type CopyHow = Readonly<{ transfer: Transfer<'rename'>; changes: Changes; onCopied(): void }>

async function copyPair(context: FileContext, pair: Pair<'rename'>, { transfer, changes }: CopyHow) {
  const taken = transfer.override ? await entryAt(context, pair.to) : undefined
  if (taken && !isEnterable(pair.entry)) return replace(context, pair, changes)
  // Recorded before it is created: a copy can get its name and fail nevertheless, when its folder cannot be synced.
  if (!taken) changes.made.push(pair)
  await writePair(context, pair, { ...transfer, mayVanish: false })
}

async function replace(context: FileContext, pair: Pair<'rename'>, changes: Changes) {
  const { principal, disk, signal } = context
  const { isSymlink } = pair.entry
  const target = authorize(principal, 'rename', pair.to)
  authorize(principal, 'modify', pair.to)
  const keep = () => disk.keepRollback(target, { follows: !isSymlink }, signal)
  const old = await withRoomAt(context, pair.to, keep)
  const kept: TrashedItem[] = []
  changes.replaced.push({ pair, old, kept })
  const onKept = (item: TrashedItem) => void kept.push(item)
  const how = { replace: true, ...keepingOf(context, pair.to, { onKept }) }
  const link = () => disk.copyLink(pair.capability, target, signal, how)
  if (isSymlink) await withRoomAt(context, pair.to, link)
  else await writePair(context, pair, { action: 'rename', override: true, mayVanish: false, onKept })
}

/**
 * Identifies the copied content. Versions are not used for folders, which change when entries are moved out, and for links, whose
 * entry describes the target.
 */
export function contentKey({ path, isDir, isSymlink, version }: Entry) {
  return isDir || isSymlink ? path : `${path} ${version}`
}

const changedMeanwhile = () => new Failure('conflict', 'something changed while it was moved, and was left where it was')

async function assertUnchanged(context: FileContext, source: Entry, copied: ReadonlySet<string>) {
  await context.disk.batch(async (disk) => {
    for await (const { entry } of childrenFirst({ ...context, disk }, source, 'rename')) {
      if (!copied.has(contentKey(entry))) throw changedMeanwhile()
    }
  })
}

/** Children first. Entries that cannot be removed or restored, or that others have changed since, stay. */
async function undo(context: FileContext, { made, replaced }: Changes) {
  await ignoringFailures(
    context.disk.batch(async (disk) => {
      const inBatch = { ...context, disk }
      for (const one of replaced) await ignoringFailures(putBack(inBatch, one))
      for (const pair of made.toReversed()) await ignoringFailures(removeCopy(inBatch, pair))
    }),
  )
}

/** What it replaced stays in the trash unless it has its place again. */
async function putBack(context: FileContext, { pair, old, kept }: Replaced) {
  const { principal, disk } = context
  const target = authorize(principal, 'rename', pair.to)
  const there = await entryAt(context, pair.to)
  const isOfOthers = there && there.version !== old.entry.version && !isCopy(there, pair.entry)
  if (isOfOthers) return disk.dropRollback(target, old)
  await disk.rollBack(target, old)
  for (const item of kept) await ignoringFailures(dropKept(context, item))
}

/** What was kept is at its place again. */
async function dropKept({ principal, disk, trash }: FileContext, item: TrashedItem) {
  await disk.purge(authorize(principal, 'rename', rootPath), item)
  trash?.trash.left(item)
}

/** Kept files that are not dropped here are removed with stale temporary files. */
async function dropReplaced(context: FileContext, { replaced }: Changes) {
  await ignoringFailures(
    context.disk.batch(async (disk) => {
      for (const { pair, old } of replaced) {
        await ignoringFailures(disk.dropRollback(authorize(context.principal, 'rename', pair.to), old))
      }
    }),
  )
}

async function removeCopy(context: FileContext, { entry, to }: Pair<'rename'>) {
  const copy = await entryAt(context, to)
  if (copy && isCopy(copy, entry)) await context.disk.remove(authorize(context.principal, 'rename', to))
}

/** Whether size and time are equal; times of vfat have steps of two seconds. */
function isCopy(copy: Entry, { isDir, isSymlink, size, modified }: Entry) {
  if (isDir || isSymlink) return copy.isDir === isDir && copy.isSymlink === isSymlink
  const distance = copy.modified - modified
  return copy.size === size && distance < 2_000_000_000n && distance > -2_000_000_000n
}

async function ignoringFailures(call: Promise<void>) {
  try {
    await call
  } catch {
    // The error that stopped the move is reported instead.
  }
}
