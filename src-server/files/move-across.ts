// A move to another file system: everything is copied and synced, and only then the source is removed.
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
 * Until everything is copied the source stays complete; a failure before that removes what was created at the target, and restores
 * what was replaced there.
 * @throws Failure('invalid') before anything is copied when an entry cannot be, Failure('conflict') when an entry was added or changed
 */
export async function moveAcross(context: FileContext, transfer: Transfer<'rename'>, onCopied: () => void): Promise<void> {
  for await (const { entry } of pairsOf(context, transfer)) assertCopyable(entry)
  const changes: Changes = { made: [], replaced: [] }
  // Also when it was aborted.
  const cleaning = { ...context, signal: neverAborted }
  try {
    const copied = await copyAll(context, { transfer, changes, onCopied })
    await assertUnchanged(context, transfer.source, copied)
  } catch (error) {
    await undo(cleaning, changes)
    throw error
  }
  await dropReplaced(cleaning, changes)
  await context.disk.batch((disk) => removeAll({ ...context, disk }, transfer.source, { need: 'rename' }))
}

/** The changes at the target. */
type Changes = Readonly<{
  /** Created entries, parents first. */
  made: Pair<'rename'>[]
  replaced: Replaced[]
}>

/** A file or link that replaced another one, which is kept until the move has succeeded. */
type Replaced = Readonly<{ pair: Pair<'rename'>; old: OldFile }>

const neverAborted = new AbortController().signal

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
  const old = await disk.keepOld(target, { follows: !isSymlink }, signal)
  changes.replaced.push({ pair, old })
  if (isSymlink) await disk.copyLink(pair.capability, target, signal, { replace: true })
  else await writePair(context, pair, { need: 'rename', override: true, mayVanish: false })
}

/**
 * Identifies the copied content. Versions are not used for folders, which change when entries are moved out, and for links, whose
 * entry describes the target.
 */
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

async function putBack(context: FileContext, { pair, old }: Replaced) {
  const { principal, disk } = context
  const target = authorize(principal, 'rename', pair.to)
  const there = await entryAt(context, pair.to)
  const isOfOthers = there && there.version !== old.entry.version && !isCopy(there, pair.entry)
  await (isOfOthers ? disk.dropOld(target, old) : disk.putBackOld(target, old))
}

/** Kept files that are not dropped here are removed with stale temporary files. */
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
