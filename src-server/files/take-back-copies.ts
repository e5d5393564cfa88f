// Takes back what a move to another file system has copied that broke off, went on and failed: it is all or nothing.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { neverAborted } from '../base/or-aborted.ts'
import type { Path } from '../base/paths.ts'
import type { Entry, Inode } from '../disk/disk.ts'
import { isSameFile } from './deeds.ts'
import type { Transfer } from './pairs.ts'
import { childrenFirst } from './remove-below.ts'
import { compareTrash, hasSameContent, isOfOthers, isOwnCopy, isWhole, type WorkTimes } from './replaced.ts'
import { entryAt, type FileContext, isEnterable, type Walked, walk } from './walk.ts'

/**
 * Removes the copies that a move has made, as far as they are its own: see `takeBack`. Its failure says nothing, because the caller
 * throws the error that has stopped the move. It is done also when that was aborted.
 */
export async function takeBackCopies(context: FileContext, transfer: Transfer<'rename'>, times: WorkTimes): Promise<void> {
  await takeBack({ ...context, signal: neverAborted }, transfer, times).catch(() => {})
}

/**
 * Removes the copies of all runs of a move that replaces nothing, before anything of its source is removed. What cannot be told for such
 * a copy stays, and so does everything when an earlier run has begun to remove the source.
 * @returns false when the source of a copy is gone: perhaps an earlier run was removing it @throws what stopped it, after it has tried all
 */
async function takeBack(context: FileContext, transfer: Transfer<'rename'>, times: WorkTimes): Promise<boolean> {
  const { signal } = context
  const failures: unknown[] = []
  const copies = await context.disk.batch(async (disk) => {
    const inBatch = { ...context, disk, replacedAs: undefined }
    const found = await copiesOf(inBatch, transfer, times)
    for (const copy of found ?? []) {
      signal.throwIfAborted()
      await removeCopy(inBatch, copy).catch((error: unknown) => failures.push(error))
    }
    return found
  })
  // A folder in which others have put something stays.
  const failure = failures.find((error) => !(error instanceof Failure && error.code === 'conflict'))
  if (failure !== undefined) throw failure
  return copies !== undefined
}

/**
 * Whether a run before has begun to remove the source: below the target folder `taken` lies a copy that the move has made, and the entry
 * of which it is a copy is not there any more.
 */
function isRemovedBelow(context: FileContext, { from, taken, times }: Readonly<{ from: Path; taken: Entry; times: WorkTimes }>) {
  return context.disk.batch(async (disk) => {
    const inBatch = { ...context, disk }
    for await (const { entry } of allAt(inBatch, taken)) {
      const isCopy = entry.path !== taken.path && (await isOwnCopy(inBatch, entry, times))
      if (isCopy && !(await entryAt(inBatch, `${from}${entry.path.slice(taken.path.length)}` as Path))) return true
    }
    return false
  })
}

/** Whether each entry of the source is at the target too. @param by its size and time, or also its content */
export function isAllAt(context: FileContext, { source, to }: Transfer, by: 'size and time' | 'content'): Promise<boolean> {
  return context.disk.batch(async (disk) => {
    const inBatch = { ...context, disk }
    for await (const { entry, capability } of childrenFirst(inBatch, source, 'rename')) {
      const pair = { entry, capability, to: `${to}${entry.path.slice(source.path.length)}` as Path }
      const copy = await entryAt(inBatch, pair.to)
      if (!copy || !isWhole(copy, entry) || (by === 'content' && !(await hasSameContent(inBatch, pair)))) return false
    }
    return true
  })
}

/** Children first, the entry itself last. What others upload into it is left alone. */
async function* allAt(context: FileContext, entry: Entry): AsyncGenerator<Walked<'rename'>> {
  if (isEnterable(entry)) yield* walk(context, entry.path, { action: 'rename', hidden: 'skip', order: 'children first' })
  yield { entry, capability: authorize(context.principal, 'rename', entry.path) }
}

type Copy = Walked<'rename'> & Readonly<{ original: Entry }>

/** @returns children first; undefined when the source of one is gone */
async function copiesOf(context: FileContext, { source, to }: Transfer<'rename'>, times: WorkTimes): Promise<Copy[] | undefined> {
  const copies: Copy[] = []
  const target = await entryAt(context, to)
  if (!target || times.at === undefined) return copies
  for await (const walked of allAt(context, target)) {
    const copy = walked.entry
    // Its name was free when the move was begun. What is made at once may have an earlier stamp.
    const { made = 0n } = (await inodeOf(context, copy.path)) ?? {}
    if (made !== 0n && (await isOfOthers(context, copy, times))) continue
    const original = await entryAt(context, `${source.path}${copy.path.slice(to.length)}` as Path)
    // Perhaps all was copied, and the source was being removed.
    if (!original) return undefined
    // Nothing tells whose it is.
    if (made === 0n) continue
    // What was made since the move was begun is not what was copied: that may be at the target alone.
    const isOriginal = isWhole(copy, original) && !(await isOwnCopy(context, original, { at: times.at }))
    if (isOriginal) copies.push({ ...walked, original })
  }
  return copies
}

/** It goes for good: nothing but its content, which its source has just then, tells that nothing is lost with it. */
async function removeCopy(context: FileContext, { entry, capability, original }: Copy) {
  const looks = async () => [await inodeOf(context, entry.path), await inodeOf(context, original.path)] as const
  const [copy, before] = await looks()
  const pair = { entry: original, capability: authorize(context.principal, 'rename', original.path), to: entry.path }
  if (!(await hasSameContent(context, pair))) return
  const [, after] = await looks()
  if (after?.id !== before?.id || (!isEnterable(original) && after?.changed !== before?.changed)) return
  // The content of a folder changes it, too: it is removed when it is empty.
  const ifChanged = isEnterable(entry) || entry.isSymlink ? undefined : copy?.changed
  await context.disk.remove(capability, undefined, { ifChanged, sparesUploads: true, withHidden: true })
}

function inodeOf({ disk, principal }: FileContext, path: Path): Promise<Inode | undefined> {
  return disk.inode(authorize(principal, 'read', path))
}

type Ends = Readonly<{
  context: FileContext
  from: Path
  to: Path
  source: Entry | undefined
  taken: Entry | undefined
  times: WorkTimes
  override: boolean
}>

/** Whether a move is to be brought to its end: else its copies are taken back, if they may be. */
export async function mayEnd({ context, from, to, source, taken, times, override }: Ends): Promise<boolean> {
  if (!taken) return false
  const isOverFolder = override && isEnterable(taken)
  if (source && !override && (await isSameFile(context, source, taken))) return true
  // What is there may be what it was to be merged with, or have been there before.
  if (times.at === undefined) return !source && !isOverFolder
  await compareTrash(context, to)
  const transfer = source && ({ source, to, action: 'rename', override } as const)
  // All of it is copied before anything is removed.
  if (transfer && override && !(await isAllAt(context, transfer, 'size and time'))) return false
  if (isOverFolder && !(await isRemovedBelow(context, { from, taken, times }))) return false
  if (!transfer) return true
  if (override) return (isOverFolder || (await isOwnCopy(context, taken, times))) && isAllAt(context, transfer, 'content')
  if (await takeBack(context, transfer, times)) return false
  return isAllAt(context, transfer, 'size and time')
}
