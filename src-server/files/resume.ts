// Goes on with a copy or a move that broke off, or ends it: what is whole at the target stays, what is missing follows if it goes on,
// and what others have put there meanwhile is left alone.
import { authorize } from '../access/authorize.ts'
import { stampedWithin } from '../base/clock-ticks.ts'
import { Failure } from '../base/failure.ts'
import { mayGoOnLater } from '../base/operation.ts'
import { type Path, parentOf } from '../base/paths.ts'
import type { Entry, Inode } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import type { FileAct } from '../events/events.ts'
import type { Trace } from '../state/history-store.ts'
import { entriesAtOnce, writePair } from './copy.ts'
import { isOnOneDevice, isSameFile, noteLost, noteMoved, traceOf } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { assertUnchanged, checkAcross, inodeAtRest, removeSource } from './move-across.ts'
import { checkPairs, type Pair, pairsOf, type Transfer } from './pairs.ts'
import { type Copied, contentKey } from './remove-below.ts'
import {
  compareTrash,
  copiedHow,
  hasSameContent,
  isMovedBefore,
  isOfOthers,
  isOwnCopy,
  isSameObject,
  isWhole,
  noteCopied,
  noteCopyBefore,
  noteCopyOfGone,
  noteMergedBefore,
  noteReplacedBefore,
  notingAgain,
  replacedAt,
  type WorkTimes,
} from './replaced.ts'
import {
  displacedStep,
  type Removal,
  type ResumeRemoveHow,
  removalOf,
  removedBefore,
  restoredStep,
  resumeRemoveStep,
  type WasRemoved,
} from './resume-removal.ts'
import { existing, moveStep, type Step, shapeOf } from './steps.ts'
import { isAllAt, mayEnd, takeBackCopies } from './take-back-copies.ts'
import { counterOf, entryAt, type FileContext, isEnterable } from './walk.ts'

type ResumingParts = Readonly<{
  context: FileContext
  run(step: Step): Promise<unknown>
  /** Only keeps what is changed, so that it can be undone. @param act with the paths of the principal */
  note<T>(act: FileAct, work: (context?: FileContext) => Promise<T>): Promise<T>
}>

/** Goes on with what broke off. */
export class Resuming {
  readonly #parts: ResumingParts

  constructor(parts: ResumingParts) {
    this.#parts = parts
  }

  /** @throws as `resumeCopyStep` does */
  async copy(from: Path, to: Path, how: ResumeHow): Promise<void> {
    await this.#parts.run(await resumeCopyStep(this.#parts.context, from, to, how))
  }

  /** @throws as `resumeMoveStep` does */
  async move(from: Path, to: Path, how: ResumeMoveHow): Promise<void> {
    await this.#parts.run(await resumeMoveStep(this.#parts.context, from, to, how))
  }

  /**
   * Notes what a copy has made that broke off and does not go on. Folders that it has made stay, as what is in them does.
   * @returns whether all of it is there @throws as `pairsOf` does
   */
  async endCopy(from: Path, to: Path, how: ResumeHow): Promise<boolean> {
    const { context, note } = this.#parts
    await compareTrash(context, to)
    if (!(await entryAt(context, to)) && !(how.override && replacedAt(context, to))) return false
    const source = await entryAt(context, from)
    const act = { kind: 'copy', path: from, to, ...(source ? shapeOf(source) : { isDir: false }) } as const
    if (!source) return note(act, (doing = context) => noteCopyOfGone(doing, to, how))
    const missing = new Set<Path>()
    const noteOne = async (inBatch: FileContext, pair: Pair<'download'>) => {
      if (!(await noteCopyBefore(inBatch, pair, { source, ...how }))) missing.add(pair.entry.path)
    }
    const transfer = { source, to, action: 'download', override: how.override } as const
    // Nothing is in a folder that is not there.
    const isEntered = (folder: Path) => how.override || !missing.has(folder)
    await note(act, (doing = context) => eachPair(doing, transfer, noteOne, isEntered))
    if (missing.size > 0) return false
    await this.#tellDone(act)
    return true
  }

  /**
   * Ends a move that broke off and does not go on. Of one that replaces nothing the copies are taken back, unless its source was being
   * removed: then it comes to its end, if all is there. A file that has taken the place of another comes to its end when it is whole;
   * copies in a folder that was there stay until the source was being removed.
   * @param how.across since when it made copies @returns whether it has come to its end @throws as `resumeMoveStep` and `takeBack` do
   */
  async endMove(from: Path, to: Path, how: ResumeMoveHow): Promise<boolean> {
    const { context } = this.#parts
    const [source, taken] = [await entryAt(context, from), await entryAt(context, to)]
    const ends = { context, from, to, source, taken, times: { at: how.across, rests: how.rests }, override: how.override }
    if (!(await mayEnd(ends))) return false
    await this.move(from, to, how)
    return true
  }

  /** Keeps that an item was put back, when that is what has the path. @returns whether it is */
  async restore(id: string, path: Path, was: WasRemoved): Promise<boolean> {
    const step = await restoredStep(this.#parts.context, id, path, was)
    if (step) await this.#noteDone(step)
    return step !== undefined
  }

  /** Notes what a restore has done that does not go on. @param isThere whether the item is in the trash @returns whether it is back */
  async endRestore(id: string, path: Path, was: WasRemoved, isThere: boolean): Promise<boolean> {
    if (!isThere && (await this.restore(id, path, was))) return true
    const { act, run } = displacedStep(this.#parts.context, id, path, was)
    await this.#parts.note(act, run)
    return false
  }

  /** What identifies the entry at a path, as `Disk.identify` says it. @throws Failure('notFound') */
  identityAt(path: Path): Promise<string> {
    const { principal, disk, signal } = this.#parts.context
    return disk.identify(authorize(principal, 'read', path), signal)
  }

  /** What has to be known of an entry to go on with its move: its trace, and of a file too what identifies it. */
  async traceBefore(entry: Entry): Promise<Trace> {
    const { version } = await traceOf(this.#parts.context, entry)
    return { identity: await this.identityAt(entry.path).catch(() => ''), version }
  }

  /** What has to be known of an entry to go on with its removal. */
  removal(entry: Entry): Promise<Removal> {
    return removalOf(this.#parts.context, entry)
  }

  /** @throws as `resumeRemoveStep` does */
  async remove(path: Path, how: ResumeRemoveHow): Promise<void> {
    const step = await resumeRemoveStep(this.#parts.context, path, how)
    if (step) await (step.isTold ? this.#parts.note(step.act, step.run) : this.#parts.run(step))
  }

  /** Notes that an entry is in the trash of which the removal broke off and does not go on. @returns whether it is gone */
  async endRemoval(path: Path, was: WasRemoved): Promise<boolean> {
    const { present, step } = await removedBefore(this.#parts.context, path, was)
    if (step) await (step.isTold ? this.#parts.note(step.act, step.run) : this.#noteDone(step))
    return step !== undefined || !present
  }

  /** Keeps what was done before, and tells of it. */
  async #noteDone({ act, run }: Step): Promise<void> {
    await this.#parts.note(act, run)
    await this.#tellDone(act)
  }

  /** Perhaps nobody was told. Who would have refused it comes too late. */
  async #tellDone(act: FileAct): Promise<void> {
    await this.#parts.run({ act, run: async () => {} }).catch(() => {})
  }
}

/** `override`: files of others are replaced, as they were to be when it began. */
type ResumeHow = WorkTimes & Readonly<{ override: boolean }>
/** `was`: what was to be moved, when that is known. */
type ResumeMoveHow = ResumeHow &
  Readonly<{ was?: WasRemoved | undefined; across?: number | undefined; onAcross?: (() => Promise<void>) | undefined }>

/** @throws Failure('conflict') when something at the target is neither a copy nor to be replaced */
export async function resumeCopyStep(
  context: FileContext,
  from: Path,
  to: Path,
  { override, ...times }: ResumeHow,
): Promise<Step> {
  authorize(context.principal, 'download', from)
  authorize(context.principal, 'create', to)
  const source = await existing(context, from)
  const transfer = { source, to, action: 'download', override } as const
  const onCopied = counterOf(context, await checkPairs(context, transfer))
  const run = async (doing = context) => {
    await ensureFolder(doing, parentOf(to))
    await compareTrash(doing, to)
    await eachPair(doing, transfer, (inBatch, pair) => completeCopy(inBatch, pair, { source, override, ...times }).then(onCopied))
    return undefined
  }
  return { act: { kind: 'copy', path: from, to, ...shapeOf(source) }, run }
}

/**
 * Entries that stand at both ends are removed at the source when they are whole at the target.
 * @throws Failure('notFound') when it is at neither end, Failure('conflict') as `resumeCopyStep` does
 */
export async function resumeMoveStep(
  context: FileContext,
  from: Path,
  to: Path,
  { was, at, rests, across, ...how }: ResumeMoveHow,
): Promise<Step> {
  authorize(context.principal, 'rename', from)
  const taken = await entryAt(context, to)
  const source = await entryAt(context, from)
  if (taken && !source) {
    await compareTrash(context, to)
    if (was && !(await isMovedBefore(context, taken, { was, at, rests, ...how }))) throw new Failure('notFound')
    // It was moved by the run that broke off, perhaps before anybody was told.
    const run = (doing = context) => noteMovedBefore(notingAgain(doing), { taken, from, ...how, was })
    return { act: { kind: 'rename', path: from, to, ...shapeOf(taken) }, run }
  }
  if (taken && how.override && isEnterable(taken)) return resumeMergeStep(context, from, to)
  const isOver = source && taken && how.override && !(await isSameFile(context, source, taken))
  if (isOver) await compareTrash(context, to)
  if (isOver && (await isOwnCopy(context, taken, { at: across ?? at, rests })))
    return resumeOverStep(context, { source, taken, was, ...how })
  if (!taken || how.override || !source) return moveStep(context, from, to, { ...how, rename: false })
  // A folder that only holds the place of the moved one, or a file that was about to lose its old name.
  if ((isEnterable(taken) && (await removedIfEmpty(context, to))) || (await isSameFile(context, source, taken)))
    return moveStep(context, from, to, { ...how, rename: false })
  const transfer = { source, to, action: 'rename', ...how } as const
  const onMoved = counterOf(context, await checkPairs(context, { ...transfer, override: true }))
  const run = async (doing = context) => {
    await checkAcross(doing, transfer)
    // Where it is told when copies are made, no earlier run has made any.
    const since = across ?? (transfer.onAcross ? Date.now() : at)
    await transfer.onAcross?.()
    const other = await traceOf(doing, source)
    const copied = new Map<string, Inode | undefined>()
    let failure: unknown
    try {
      await eachPair({ ...doing, note: undefined }, transfer, async (inBatch, pair) => {
        copied.set(contentKey(pair.entry), await completeMove(inBatch, pair, at))
        onMoved()
      })
      await assertWhole(doing, transfer, copied)
      failure = await removeSource(doing, transfer, copied)
    } catch (error) {
      if (!mayGoOnLater(doing.signal)) await takeBackCopies(doing, transfer, { at: since, rests })
      throw error
    }
    await noteMoved(doing, source, to, other)
    if (failure) throw failure
    return undefined
  }
  return { act: { kind: 'rename', path: from, to, ...shapeOf(source) }, run }
}

/** A move over a file that broke off when its copy was whole: another copy would take the place of the first one, as if that was replaced. */
async function resumeOverStep(
  context: FileContext,
  { source, taken, was, ...how }: Omit<ResumeMoveHow, 'at'> & Readonly<{ source: Entry; taken: Entry }>,
): Promise<Step> {
  const { path: to } = taken
  const transfer = { source, to, action: 'rename', override: true } as const
  const step = await moveStep(context, source.path, to, { ...how, rename: false })
  const run = async (doing = context) => {
    const copied = new Map([[contentKey(source), await inodeAtRest(doing, source)]])
    const pair = { entry: source, capability: authorize(doing.principal, 'rename', source.path), to }
    if (!isWhole(taken, source) || !(await hasSameContent(doing, pair))) return step.run(doing)
    await assertUnchanged(doing, source, copied)
    const failure = await removeSource(doing, transfer, copied)
    await noteMovedBefore(notingAgain(doing), { taken, from: source.path, ...how, was })
    if (failure) throw failure
    return undefined
  }
  return { ...step, run }
}

/** A merge that broke off. */
async function resumeMergeStep(context: FileContext, from: Path, to: Path): Promise<Step> {
  const step = await moveStep(context, from, to, { override: true, rename: false, goesOn: true })
  const run = async (doing = context) => {
    if (await isOnOneDevice(doing, from, to)) await noteMergedBefore(doing, from, to)
    await step.run(notingAgain(doing))
  }
  return { ...step, run }
}

type MovedBefore = ResumeMoveHow & Readonly<{ taken: Entry; from: Path }>

/** Notes that what had a path has the one of another entry, as `moveTree` does. */
async function noteMovedBefore(context: FileContext, { taken, from, override, was }: MovedBefore): Promise<void> {
  if (!context.note) return
  const { identity = '', version = '' } = was ?? {}
  const now = await context.disk.identify(authorize(context.principal, 'read', taken.path)).catch(() => '')
  // Another object has the path: it was copied to another file system, of which one may not number its objects lastingly. A version
  // says nothing of that, as a file may be edited since.
  const isCopy = was?.identity !== undefined && identity !== now && !isSameObject(identity, now)
  if (override && isCopy && isEnterable(taken)) {
    // On one file system the folder that it was merged with has the path.
    const isMerged = identity !== '' && deviceIn(identity) === deviceIn(now)
    return isMerged ? noteMergedBefore(context, from, taken.path) : noteLost(context, taken.path, 'mergedAcross')
  }
  await compareTrash(context, taken.path)
  await noteReplacedBefore(context, taken.path)
  if (override && isCopy && !replacedAt(context, taken.path)) noteLost(notingAgain(context), taken.path, 'forGood')
  const other = version === '' ? { identity, version } : { identity: '', version }
  await noteMoved(context, { ...taken, path: from }, taken.path, isCopy ? other : undefined)
}

/** What identifies the device in what identifies an entry. */
const deviceIn = (identity: string): string | undefined => (identity === '' ? undefined : identity.split(':')[0])

/** Does work with each entry of a tree, files at a time. */
async function eachPair<N extends 'download' | 'rename'>(
  context: FileContext,
  transfer: Transfer<N>,
  work: (context: FileContext, pair: Pair<N>) => Promise<void>,
  isEntered?: (folder: Path) => boolean,
): Promise<void> {
  await context.disk.batch(async (disk) => {
    const inBatch = { ...context, disk }
    const tasks = new TaskGroup(entriesAtOnce)
    try {
      for await (const pair of pairsOf(inBatch, transfer, { isEntered })) {
        if (isEnterable(pair.entry)) await work(inBatch, pair)
        else await tasks.add(() => work(inBatch, pair))
      }
      await tasks.finish()
    } finally {
      await tasks.settle()
    }
  })
}

async function completeCopy(
  context: FileContext,
  pair: Pair<'download'>,
  { source, override, ...times }: ResumeHow & Readonly<{ source: Entry }>,
): Promise<void> {
  const taken = await entryAt(context, pair.to)
  const mayVanish = pair.entry !== source
  const isOwn = async (there: Entry) =>
    override ? isOwnCopy(context, there, times) : isEnterable(there) || !(await isOfOthers(context, there, times))
  const copied = copiedHow(pair, { source, override })
  if (taken && isWhole(taken, pair.entry) && (await isOwn(taken))) return noteCopied(context, taken, copied)
  if (taken && !override) throw othersThere()
  const before = override ? replacedAt(context, pair.to) : undefined
  // It is kept too, and what was there before it has its place in the trash already.
  if (taken && before) await noteCopied(context, taken, { ...copied, isMerged: false })
  await writePair(context, pair, {
    action: 'download',
    override: taken !== undefined,
    mayVanish,
    instead: taken ? undefined : before,
  })
}

/**
 * The source is removed afterwards: nothing but its content tells that a file at the target is its copy.
 * @returns the inode of a file, whose content is at the target
 */
async function completeMove(context: FileContext, pair: Pair<'rename'>, at: number | undefined): Promise<Inode | undefined> {
  const inode = await inodeAtRest(context, pair.entry)
  const taken = await entryAt(context, pair.to)
  if (taken && !isWhole(taken, pair.entry)) throw othersThere()
  if (taken && (await hasSameContent(context, pair))) return inode
  // It may have been changed after it was copied and have its size and its time nevertheless.
  if (taken && !mayHaveChanged(inode, at)) throw othersThere()
  // What was copied before is none of what the person has replaced. It is kept, as it may be what another has put there.
  await writePair({ ...context, replacedAs: undefined }, pair, {
    action: 'rename',
    override: taken !== undefined,
    mayVanish: false,
  })
  return inode
}

/** Whether a file may have been changed since a moment. Without one nothing tells it. */
function mayHaveChanged(inode: Inode | undefined, at: number | undefined): boolean {
  if (!inode || at === undefined) return false
  return inode.changed >= BigInt(at - stampedWithin(inode.changed)) * 1_000_000n
}

/** Each entry of the source is at the target, and is as it was when it was copied. @throws Failure('conflict') */
async function assertWhole(context: FileContext, transfer: Transfer, copied: Copied): Promise<void> {
  if (!(await isAllAt(context, transfer, 'size and time'))) throw othersThere()
  await assertUnchanged(context, transfer.source, copied)
}

function othersThere() {
  return new Failure('conflict', 'something changed since it was copied')
}

async function removedIfEmpty({ principal, disk, signal }: FileContext, path: Path): Promise<boolean> {
  try {
    await disk.remove(authorize(principal, 'rename', path), signal, { sparesUploads: true })
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return false
    throw error
  }
}
