// A move to another file system: copied and synced whole, and only then taken away.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Entry } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { entriesAtOnce, writePair } from './copy.ts'
import { takingName } from './free-name.ts'
import { childrenFirst, removeAll } from './move.ts'
import { type Pair, pairsOf, type Transfer } from './pairs.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

/**
 * Until all is copied the source stays whole; a failure before that removes what was made at the target.
 * @throws Failure('invalid') before anything is copied when a part cannot be, Failure('conflict') when something came or changed
 */
export async function moveAcross(context: FileContext, transfer: Transfer<'rename'>): Promise<void> {
  for await (const { entry } of pairsOf(context, transfer)) assertCopyable(entry)
  const made: Pair<'rename'>[] = []
  try {
    const copied = await copyAll(context, transfer, made)
    await assertUnchanged(context, transfer.source, copied)
  } catch (error) {
    // Also when it was aborted.
    await removeMade({ ...context, signal: neverAborted }, made)
    throw error
  }
  await context.disk.batch((disk) => removeAll({ ...context, disk }, transfer.source, 'rename'))
}

const neverAborted = new AbortController().signal

function assertCopyable({ unreachable }: Entry) {
  if (unreachable !== 'special' && unreachable !== 'name') return
  throw new Failure('invalid', 'a device or a broken name cannot go to another file system')
}

/** @param made is told what goes where nothing stood before, parents first. @returns what was copied, by `contentKey` */
async function copyAll(context: FileContext, transfer: Transfer<'rename'>, made: Pair<'rename'>[]): Promise<Set<string>> {
  const copied = new Set<string>()
  await context.disk.batch(async (disk) => {
    const tasks = new TaskGroup(entriesAtOnce)
    const copyOne = (pair: Pair<'rename'>) => copyPair({ ...context, disk }, pair, { transfer, made })
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

type CopyHow = { transfer: Transfer<'rename'>; made: Pair<'rename'>[] }

async function copyPair(context: FileContext, pair: Pair<'rename'>, { transfer, made }: CopyHow) {
  const isNew = !transfer.override || !(await entryAt(context, pair.to))
  // Before it is made: a copy can get its name and fail all the same, when its folder cannot be synced.
  if (isNew) made.push(pair)
  await writePair(context, pair, { ...transfer, mayVanish: false })
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

/** Children first. What cannot be removed, or has content of others by now, stays. */
async function removeMade(context: FileContext, made: readonly Pair<'rename'>[]) {
  await ignoringFailures(
    context.disk.batch(async (disk) => {
      for (const pair of made.toReversed()) await ignoringFailures(removeCopy({ ...context, disk }, pair))
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
