// A move to another file system: everything is copied and synced, and only then the source is removed.
import { authorize } from '../access/authorize.ts'
import { nextTickAfter, stampedWithin, untilNextTick } from '../base/clock-ticks.ts'
import { Failure } from '../base/failure.ts'
import { neverAborted } from '../base/or-aborted.ts'
import { type Path, parentOf, rootPath } from '../base/paths.ts'
import type { Entry, Inode, RollbackCopy, TrashedItem } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { entriesAtOnce, leftOf, writePair } from './copy.ts'
import { takingName } from './free-name.ts'
import { assertOutside, bytesOf, type Pair, pairsOf, type Transfer } from './pairs.ts'
import { type Copied, changedMeanwhile, childrenFirst, contentKey, removeAll } from './remove-below.ts'
import { hasSameContent } from './replaced.ts'
import { whileReserved, withRoomAt } from './room.ts'
import { entryAt, type FileContext, isEnterable, keepingOf } from './walk.ts'

/**
 * Until everything is copied the source stays complete; a failure before anything of it is removed removes what was created at the target,
 * and restores what was replaced there.
 * @param how.note notes the move, also when a part of the source stays; its parameter is the file in the trash that was replaced by a file
 * @throws before anything is copied Failure('invalid') when an entry cannot be, Failure('busy' | 'conflict') when the source could not
 *   be removed whole; Failure('conflict') when an entry was added or changed
 */
export async function moveAcross(context: FileContext, transfer: Transfer<'rename'>, how: AcrossHow): Promise<void> {
  const { onCopied, note } = how
  const bytes = await checkAcross(context, transfer)
  const left = leftOf({ ...transfer, bytes })
  const changes: Changes = { at: Date.now(), made: [], replaced: [] }
  let failure: unknown
  // Also when it was aborted.
  const cleaning = { ...context, signal: neverAborted }
  try {
    const work = () => copyAll({ ...context, left }, { transfer, changes, onCopied })
    const copied = await whileReserved(context, transfer.to, { left, work })
    await assertUnchanged(context, transfer.source, copied)
    failure = await removeSource(context, transfer, copied)
  } catch (error) {
    await undo(cleaning, changes)
    throw error
  }
  await dropReplaced(cleaning, changes)
  await note(changes.replaced.find(({ pair }) => pair.entry === transfer.source)?.kept[0])
  if (failure) throw failure
}

type AcrossHow = Readonly<{ onCopied(): void; note(item: TrashedItem | undefined): Promise<void> }>

/**
 * Removes what was copied. Once that has begun it goes on to its end, also when it is aborted: what was removed is at the target alone.
 * @returns why a part of it stays, perhaps @throws when nothing was removed
 */
export async function removeSource(context: FileContext, { source, to }: Transfer, copied: Copied): Promise<unknown> {
  context.signal.throwIfAborted()
  let isBegun = false
  const onPerhapsRemoved = () => {
    isBegun = true
  }
  try {
    await context.disk.batch((disk) =>
      removeAll({ ...context, disk, signal: neverAborted }, source, { action: 'rename', copied, to, onPerhapsRemoved }),
    )
    return undefined
  } catch (error) {
    if (!isBegun) throw error
    return error
  }
}

/** The changes at the target. */
type Changes = Readonly<{
  /** When they were begun, in milliseconds since the epoch by the system's clock. */
  at: number
  /** Created entries, parents first. */
  made: Made[]
  replaced: Replaced[]
}>

/** `inode`: that of the copy, once it has its name. `isOfOthers`: it could not get its name. */
type Made = { readonly pair: Pair<'rename'>; inode?: Inode | undefined; isOfOthers?: boolean }

/** A file or link that replaced another one, which is kept until the move has succeeded. */
type Replaced = Made &
  Readonly<{
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

async function copyAll(context: FileContext, how: CopyHow): Promise<Copied> {
  const { transfer } = how
  const copied = new Map<string, Inode | undefined>()
  await context.disk.batch(async (disk) => {
    const tasks = new TaskGroup(entriesAtOnce)
    const copyOne = async (pair: Pair<'rename'>) => {
      copied.set(contentKey(pair.entry), await inodeAtRest({ ...context, disk }, pair.entry))
      await copyPair({ ...context, disk }, pair, how)
      how.onCopied()
    }
    try {
      for await (const pair of pairsOf({ ...context, disk }, transfer)) {
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
  if (taken && !isEnterable(pair.entry)) return replace(context, { ...pair, taken }, changes)
  // Recorded before it is created: a copy can get its name and fail nevertheless, when its folder cannot be synced.
  const made: Made = { pair }
  if (!taken) changes.made.push(made)
  await writePair(context, pair, { ...transfer, mayVanish: false }).catch((error: unknown) => {
    // Then somebody else has the name.
    if (error instanceof Failure && error.code === 'conflict') made.isOfOthers = true
    throw error
  })
  if (!taken && !isEnterable(pair.entry)) made.inode = await inodeOf(context, pair.to)
}

async function replace(context: FileContext, { taken, ...pair }: Pair<'rename'> & { taken: Entry }, changes: Changes) {
  const { principal, disk, signal } = context
  const { isSymlink } = pair.entry
  const target = authorize(principal, 'rename', pair.to)
  authorize(principal, 'modify', pair.to)
  const keep = () => disk.keepRollback(target, { follows: !isSymlink }, signal)
  // Where no file has two names, the old one is copied.
  const old = await withRoomAt(context, pair.to, keep, bytesOf(taken))
  const kept: TrashedItem[] = []
  const replaced: Replaced = { pair, old, kept }
  changes.replaced.push(replaced)
  const onKept = (item: TrashedItem) => void kept.push(item)
  const how = { replace: true, ...keepingOf(context, pair.to, { onKept }) }
  const link = () => disk.copyLink(pair.capability, target, signal, how)
  if (isSymlink) await withRoomAt(context, pair.to, link)
  else await writePair(context, pair, { action: 'rename', override: true, mayVanish: false, onKept })
  replaced.inode = await inodeOf(context, pair.to)
}

/**
 * What the inode of a file is before it is copied, so that each later change shows, also one that leaves its size and its time as they are.
 * @returns undefined for what is no file
 */
export async function inodeAtRest(context: FileContext, { path, isDir, isSymlink }: Entry): Promise<Inode | undefined> {
  if (isDir || isSymlink) return undefined
  const inode = await inodeOf(context, path)
  const changed = Number((inode?.changed ?? 0n) / 1_000_000n)
  if (untilNextTick(changed) === 0) return inode
  // A change within the present tick would leave the stamp of the last one.
  await nextTickAfter(changed, context.signal)
  return inodeOf(context, path)
}

function inodeOf({ principal, disk, signal }: FileContext, path: Path): Promise<Inode | undefined> {
  return disk.inode(authorize(principal, 'read', path), signal)
}

/** @throws Failure('conflict') when something was added or changed since it was copied */
export async function assertUnchanged(context: FileContext, source: Entry, copied: Copied): Promise<void> {
  await context.disk.batch(async (disk) => {
    const inBatch = { ...context, disk }
    for await (const { entry } of childrenFirst(inBatch, source, 'rename')) {
      const key = contentKey(entry)
      const was = copied.get(key)
      const isChanged = was && (await inodeOf(inBatch, entry.path))?.changed !== was.changed
      if (!copied.has(key) || isChanged) throw changedMeanwhile()
    }
    // Nothing is found below a folder that has another path by now.
    if (!(await entryAt(inBatch, source.path))) throw changedMeanwhile()
  })
}

/** Children first. Entries that cannot be removed or restored, or that others have changed since, stay. */
async function undo(context: FileContext, { at, made, replaced }: Changes) {
  await ignoringFailures(
    context.disk.batch(async (disk) => {
      const inBatch = { ...context, disk }
      for (const one of replaced) await ignoringFailures(putBack(inBatch, one, at))
      for (const one of made.toReversed()) await ignoringFailures(removeCopy(inBatch, one, at))
    }),
  )
}

/** What it replaced stays in the trash unless it has its place again. */
async function putBack(context: FileContext, replaced: Replaced, at: number) {
  const { pair, old, kept } = replaced
  const { principal, disk } = context
  const target = authorize(principal, 'rename', pair.to)
  const there = await entryAt(context, pair.to)
  const isOfOthers = there && there.version !== old.entry.version && !(await mayGo(context, there, replaced, at))
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

async function removeCopy(context: FileContext, made: Made, at: number) {
  const { to } = made.pair
  const copy = await entryAt(context, to)
  const now = copy && (await inodeOf(context, to))
  if (!copy || !(await mayGo(context, copy, made, at))) return
  // An edit since then shows by the change of the inode, a folder that holds something stays.
  const changed = isEnterable(copy) ? undefined : (made.inode ?? now)?.changed
  await context.disk.remove(authorize(context.principal, 'rename', to), undefined, { ifChanged: changed, sparesUploads: true })
}

/** Whether it is the copy. One that failed before it was known has the content of its source at least, so that nothing is lost with it. */
async function mayGo(context: FileContext, there: Entry, made: Made, at: number): Promise<boolean> {
  if (!(await isOwnCopy(context, there, made, at))) return false
  const isKnown = made.inode !== undefined || (await inodeOf(context, made.pair.to)) === undefined
  return isKnown || hasSameContent(context, made.pair).catch(() => false)
}

/**
 * Whether what has the name of a copy is that copy, as it was written: somebody may have put something there since, of the same size and
 * with the same time. @param at when the copies were begun
 */
async function isOwnCopy(context: FileContext, there: Entry, { pair, inode, isOfOthers }: Made, at: number): Promise<boolean> {
  if (isOfOthers || !isCopy(there, pair.entry)) return false
  if (isEnterable(there)) return true
  const now = await inodeOf(context, pair.to)
  if (!now) return true
  // It failed before it was known: then it is new at least.
  if (!inode) return now.made >= BigInt(Math.floor(at - stampedWithin(now.made))) * 1_000_000n
  const numbersLast = (await context.disk.identify(authorize(context.principal, 'read', pair.to))) !== ''
  return now.changed === inode.changed && (now.id === inode.id || !numbersLast)
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
