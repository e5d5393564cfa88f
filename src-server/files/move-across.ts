// A move to another file system: copied and synced whole, and only then taken away.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Entry, OldFile } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { entriesAtOnce, writePair } from './copy.ts'
import { takingName } from './free-name.ts'
import { childrenFirst, removeAll } from './move.ts'
import { type Pair, pairsOf, type Transfer } from './pairs.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

/**
 * Until all is copied the source stays whole; a failure before that removes what was made at the target, and puts back what was
 * replaced there.
 * @throws Failure('invalid') before anything is copied when a part cannot be, Failure('conflict') when something came or changed
 */
export async function moveAcross(context: FileContext, transfer: Transfer<'rename'>): Promise<void> {
  for await (const { entry } of pairsOf(context, transfer)) assertCopyable(entry)
  const changes: Changes = { made: [], replaced: [] }
  // Also when it was aborted.
  const cleaning = { ...context, signal: neverAborted }
  try {
    const copied = await copyAll(context, transfer, changes)
    await assertUnchanged(context, transfer.source, copied)
  } catch (error) {
    await undo(cleaning, changes)
    throw error
  }
  await dropReplaced(cleaning, changes)
  await context.disk.batch((disk) => removeAll({ ...context, disk }, transfer.source, 'rename'))
}

/** What was done at the target. */
type Changes = Readonly<{
  /** What goes where nothing stood before, parents first. */
  made: Pair<'rename'>[]
  replaced: Replaced[]
}>

/** A file or link that got the place of another one, which is kept until the move is sure. */
type Replaced = Readonly<{ pair: Pair<'rename'>; old: OldFile }>

const neverAborted = new AbortController().signal

function assertCopyable({ unreachable }: Entry) {
  if (unreachable !== 'special' && unreachable !== 'name') return
  throw new Failure('invalid', 'a device or a broken name cannot go to another file system')
}

/** @param changes is told what is done. @returns what was copied, by `contentKey` */
async function copyAll(context: FileContext, transfer: Transfer<'rename'>, changes: Changes): Promise<Set<string>> {
  const copied = new Set<string>()
  await context.disk.batch(async (disk) => {
    const tasks = new TaskGroup(entriesAtOnce)
    const copyOne = (pair: Pair<'rename'>) => copyPair({ ...context, disk }, pair, { transfer, changes })
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

type CopyHow = { transfer: Transfer<'rename'>; changes: Changes }

async function copyPair(context: FileContext, pair: Pair<'rename'>, { transfer, changes }: CopyHow) {
  const taken = transfer.override ? await entryAt(context, pair.to) : undefined
  if (taken && !isEnterable(pair.entry)) return replace(context, pair, changes)
  // Before it is made: a copy can get its name and fail all the same, when its folder cannot be synced.
  if (!taken) changes.made.push(pair)
  await writePair(context, pair, { ...transfer, mayVanish: false })
}

async function replace(context: FileContext, pair: Pair<'rename'>, changes: Changes) {
  const { principal, disk, signal } = context
  const { isSymlink } = pair.entry
  const target = authorize(principal, 'rename', pair.to)
  authorize(principal, 'modify', pair.to)
  const old = await disk.keepOld(target, { follows: !isSymlink }, signal)
  changes.replaced.push({ pair, old })
  if (isSymlink) await disk.copyLink(pair.capability, target, signal, { replace: true })
  else await writePair(context, pair, { need: 'rename', override: true, mayVanish: false })
}

/** Names the content that was copied. A folder changes by what is moved out of it, and a link's entry speaks of its target. */
function contentKey({ path, isDir, isSymlink, version }: Entry) {
  return isDir || isSymlink ? path : `${path} ${version}`
}

async function assertUnchanged(context: FileContext, source: Entry, copied: ReadonlySet<string>) {
  await context.disk.batch(async (disk) => {
    for await (const { entry } of childrenFirst({ ...context, disk }, source, 'rename')) {
      if (!copied.has(contentKey(entry))) {
        throw new Failure('conflict', 'something changed while it was moved, and was left where it was')
      }
    }
  })
}

/** Children first. What cannot be removed or put back, or has content of others by now, stays. */
async function undo(context: FileContext, { made, replaced }: Changes) {
  await ignoringFailures(
    context.disk.batch(async (disk) => {
      const inBatch = { ...context, disk }
      for (const one of replaced) await ignoringFailures(putBack(inBatch, one))
      for (const pair of made.toReversed()) await ignoringFailures(removeCopy(inBatch, pair))
    }),
  )
}

async function putBack(context: FileContext, { pair, old }: Replaced) {
  const { principal, disk } = context
  const target = authorize(principal, 'rename', pair.to)
  const there = await entryAt(context, pair.to)
  const isOfOthers = there && there.version !== old.entry.version && !isCopy(there, pair.entry)
  await (isOfOthers ? disk.dropOld(target, old) : disk.putBackOld(target, old))
}

/** What is not dropped is removed with the remains of broken uploads. */
async function dropReplaced(context: FileContext, { replaced }: Changes) {
  await ignoringFailures(
    context.disk.batch(async (disk) => {
      for (const { pair, old } of replaced) {
        await ignoringFailures(disk.dropOld(authorize(context.principal, 'rename', pair.to), old))
      }
    }),
  )
}

async function removeCopy(context: FileContext, { entry, to }: Pair<'rename'>) {
  const copy = await entryAt(context, to)
  if (copy && isCopy(copy, entry)) await context.disk.remove(authorize(context.principal, 'rename', to))
}

/** A copy keeps size and time, in the steps of two seconds of vfat at worst. */
function isCopy(copy: Entry, { isDir, isSymlink, size, modified }: Entry) {
  if (isDir || isSymlink) return copy.isDir === isDir && copy.isSymlink === isSymlink
  const distance = copy.modified - modified
  return copy.size === size && distance < 2_000_000_000n && distance > -2_000_000_000n
}

async function ignoringFailures(call: Promise<void>) {
  try {
    await call
  } catch {
    // The error that stopped the move is the one to report.
  }
}
