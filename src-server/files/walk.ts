// The only code that walks through folders. Entries that rules hide are never yielded; links are yielded and never entered.
import { authorize, type Capability, isBlocked } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Progress } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { BytesLeft, RoomMade } from '../base/room.ts'
import type { Action } from '../contract/permissions.ts'
import type { Disk, Entry, OnGone, Replacing } from '../disk/disk.ts'
import type { Change } from '../state/history-store.ts'
import type { Needed } from '../trash/keeping.ts'
import type { KeepingHow, Trash, TrashOwner } from '../trash/trash.ts'

/** The context of work on files. */
export type FileContext = Readonly<{
  principal: Principal
  /** Below the principal's scope. */
  disk: Disk
  /** Stops the work. */
  signal: AbortSignal
  /** Told of the entries that are done. */
  report?(progress: Progress): void
  /** Told of the bytes of a file as they are copied, and of a negative number when the file was not finished and is removed. */
  transferred?(bytes: number, name: string): void
  /** Where what is deleted or replaced goes; without it, it is gone. */
  trash?: TrashOfPerson | undefined
  /**
   * Removes something of the trash from a full disk; without it nothing goes for this work. @param path of what is written
   */
  makeRoom?: ((path: Path, needed: Pick<Needed, 'bytes' | 'left' | 'isAgain'>) => Promise<RoomMade>) | undefined
  /** Leaves the room for what is still to be written to a path to it, when others need some. @returns ends that */
  reserve?: ((path: Path, left: BytesLeft) => () => void) | undefined
  /** What a transfer of a known size has still to copy. */
  left?: BytesLeft | undefined
  /** The id in the trash of what is replaced at a path: work that broke off finds it by that when it goes on. */
  replacedAs?: ((path: Path) => string) | undefined
  /** Told of each change that can be undone, as soon as it is made. @param isAgain see `DeedSink` */
  note?: ((change: Change<Path>, isAgain?: boolean) => void) | undefined
  /** The same disk, for what is noted: it answers also after the operation that owns `disk` was stopped, or has ended, amid a change. */
  noting?: Disk | undefined
  /** Of work that goes on after a kill: resolves when all that was noted is kept. */
  kept?: (() => Promise<void>) | undefined
}>

/** The trash as one person uses it. `largest`: the part of a file system that one file, or one folder with all in it, may take. */
export type TrashOfPerson = Readonly<{ trash: Trash; person: TrashOwner; largest: number }>

/** How what is replaced at a path is kept. */
export function keepingOf({ trash, replacedAs }: FileContext, path: Path, how: KeepingHow = {}): Replacing {
  return trash ? { keepReplaced: trash.trash.keeping(trash.person, { id: replacedAs?.(path), ...how }) } : {}
}

/** What is about to be worked on. `bytes`: of all files, where they were looked at. */
export type Checked = Readonly<{ entries: number; bytes?: number | undefined }>

/** Tells how much there is. @returns a function to be called for each of the entries that is done */
export function counterOf({ report }: FileContext, { entries: total, bytes }: Checked): () => void {
  let done = 0
  if (bytes !== undefined) report?.({ done, total, bytes })
  return () => report?.({ done: ++done, total })
}

export type Walked<N extends Action> = Readonly<{ entry: Entry; capability: Capability<N> }>

export type WalkHow<N extends Action> = Readonly<{
  /** The action of the capabilities. */
  action: N
  order: 'parents first' | 'children first'
  /** How to treat entries that the principal's rules hide: searching and copying skip them, deleting and moving refuse. */
  hidden: 'skip' | 'refuse'
  /** All of it is to be removed: see `ListHow`. */
  forRemoval?: boolean
  sparesUploads?: boolean
  /** With `parents first`: whether a folder that was given is entered too; by default each is. */
  isEntered?: ((folder: Path) => boolean) | undefined
  /** Called for a folder that cannot be listed, which then counts as empty; without it the walk fails. */
  onUnlisted?: (folder: Path, failure: Failure) => void
  /** Called for what is gone before it could be described, and for a folder that is gone before it could be listed. */
  onGone?: (path: Path) => void
}>

/**
 * Everything below a folder, but not the folder itself. A folder that is removed meanwhile counts as empty.
 * @throws Failure('forbidden') at the first hidden entry with `hidden: 'refuse'`, the signal's reason when it is aborted, with
 *   `forRemoval` as `Disk.list` does
 */
export async function* walk<N extends Action>(context: FileContext, folder: Path, how: WalkHow<N>): AsyncGenerator<Walked<N>> {
  // Not recursive, because each entry would pass through the generators of all folders above it.
  const levels: Level<N>[] = [levelOf(context, folder, how)]
  try {
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const next = level.entries.next()
      if (next.done) {
        const part = await level.parts.next()
        if (!part.done) {
          level.entries = part.value.values()
          continue
        }
        levels.pop()
        if (level.step && how.order === 'children first') yield level.step
        continue
      }
      context.signal.throwIfAborted()
      const step = stepTo(context, next.value, how)
      if (!step) continue
      const isFolder = isEnterable(step.entry)
      if (how.order === 'parents first' || !isFolder) yield step
      if (isFolder && (how.isEntered?.(step.entry.path) ?? true))
        levels.push(levelOf(context, step.entry.path, how, { step, depth: levels.length }))
    }
  } finally {
    // Long folders are open between their parts.
    for (const { parts } of levels) await parts.return()
  }
}

/** Nested folders that are listed in parts, and may so be open. Those below them are listed whole. */
const mostInParts = 32

/** A folder that is being walked through. */
type Level<N extends Action> = {
  /** The remaining entries of a part of it. */
  entries: Iterator<Entry, undefined>
  /** Its remaining parts. */
  readonly parts: AsyncGenerator<Entry[], void, undefined>
  /** The folder itself; undefined for that where the walk began. */
  readonly step: Walked<N> | undefined
}

function levelOf<N extends Action>(
  context: FileContext,
  folder: Path,
  how: WalkHow<N>,
  { step, depth }: { step?: Walked<N>; depth: number } = { depth: 0 },
): Level<N> {
  return { entries: [].values(), parts: partsOf(context, folder, { ...how, isWhole: depth >= mostInParts }), step }
}

/** Undefined for a hidden entry that is skipped. */
function stepTo<N extends Action>(
  { principal }: FileContext,
  entry: Entry,
  { action, hidden }: WalkHow<N>,
): Walked<N> | undefined {
  if (!isHidden(principal, entry)) return { entry, capability: authorize(principal, action, entry.path) }
  if (hidden === 'skip') return undefined
  throw new Failure('forbidden', 'the folder holds something that is not yours to change')
}

/** Whether the rules block an entry by its path or its true path. */
export function isHidden(principal: Principal, { path, truePath }: Parameters<OnGone>[0]): boolean {
  return isBlocked(principal, path) || (truePath !== undefined && isBlocked(principal, truePath))
}

/** Whether an entry is a folder itself, and not a link to one. */
export function isEnterable(entry: Entry): boolean {
  return entry.isDir && !entry.isSymlink && entry.unreachable === undefined
}

type ChildrenHow = Pick<WalkHow<Action>, 'onUnlisted' | 'onGone' | 'forRemoval' | 'sparesUploads'> & { isWhole: boolean }

async function* partsOf(
  { principal, disk, signal }: FileContext,
  folder: Path,
  { onUnlisted, onGone, isWhole, forRemoval, sparesUploads }: ChildrenHow,
): AsyncGenerator<Entry[], void, undefined> {
  signal.throwIfAborted()
  try {
    const capability = authorize(principal, 'read', folder)
    const tellGone: OnGone = (gone) => !isHidden(principal, gone) && onGone?.(gone.path)
    if (isWhole) yield await disk.list(capability, signal, { forRemoval, sparesUploads })
    else yield* disk.listInParts(capability, signal, { onGone: onGone && tellGone, forRemoval, sparesUploads })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure && error.code === 'notFound') return onGone?.(folder)
    if (!onUnlisted) throw error
    onUnlisted(folder, error instanceof Failure ? error : new Failure('internal', '', { cause: error }))
  }
}

/** The entry at a path, or undefined. @throws Failure('forbidden') when the principal may not see it */
export async function entryAt({ principal, disk, signal }: FileContext, path: Path): Promise<Entry | undefined> {
  signal.throwIfAborted()
  try {
    return await disk.stat(authorize(principal, 'read', path), signal)
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return undefined
    throw error
  }
}
