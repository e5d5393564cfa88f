// What a person has changed, told where it is known to whoever keeps it so that it can be undone.
import { authorize } from '../access/authorize.ts'
import type { Path } from '../base/paths.ts'
import { nameOf, parentOf } from '../base/paths.ts'
import type { ActKind } from '../contract/history.ts'
import type { Entry, TrashedItem } from '../disk/disk.ts'
import type { FileAct, Source } from '../events/events.ts'
import type { Change, Deed, Trace, WhyLost } from '../state/history-store.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

/** An entry that a person chose. What follows from it, such as each file of a copied folder, are deeds under the same one. */
export type ChosenEntry = Readonly<{
  userId: number
  /** Stands for what the person does with several requests. */
  actKey: string
  way: Source['way']
  kind: ActKind
  /** In the served root: where it is afterwards. */
  path: Path
}>

/** Keeps what people change. */
export interface DeedSink {
  /**
   * Takes a change of which nothing has failed.
   * @param chosen the same object for all changes of one entry
   * @param isAgain it was found done: when the act has the same change already, it does not count
   */
  note(chosen: ChosenEntry, change: Change, isAgain?: boolean): void
  /** @returns when all that was noted is kept. It does not throw: a change stands although it could not be kept */
  kept(chosen: ChosenEntry): Promise<void>
  /** What identifies a folder now that was made again, or an entry that came back from another file system; or the version of a file. */
  presentIdentity(was: string): string
  /** A folder was made again, or an entry came back, which was another one before. */
  remade(was: string, is: string): Promise<void>
}

/** What the person did, by the event of it. */
export function actKindOf({ kind, path, to, isDir }: FileAct): ActKind {
  if (kind === 'upload' && isDir) return 'newFolder'
  // Something new is there, as after an upload.
  if (kind === 'compress' || kind === 'extract') return 'upload'
  if (kind === 'purge') return 'delete'
  if (kind !== 'rename') return kind
  return to !== undefined && parentOf(to) !== parentOf(path) ? 'move' : 'rename'
}

/** The same with other paths. */
export function withPaths<P extends string, Q extends string>(deed: Deed<P>, pathOf: (path: P) => Q): Deed<Q>
export function withPaths<P extends string, Q extends string>(change: Change<P>, pathOf: (path: P) => Q): Change<Q>
export function withPaths<P extends string, Q extends string>(change: Change<P>, pathOf: (path: P) => Q): Change<Q> {
  return { ...change, at: pathOf(change.at), ...('from' in change && { from: pathOf(change.from) }) } as Change<Q>
}

/** What tells later whether an entry is still the same. It does not throw: then nothing tells it. */
export async function traceOf(context: FileContext, entry: Entry): Promise<Trace> {
  const { path, isDir, isSymlink, version } = entry
  if (!isDir && !isSymlink && version !== '') return { identity: '', version }
  return identified(context, path)
}

async function identified(context: FileContext, path: Path): Promise<Trace> {
  const identify = ({ principal, disk, signal }: FileContext) => disk.identify(authorize(principal, 'read', path), signal)
  return { identity: await look(context, identify).catch(() => ''), version: '' }
}

/** Looks at what may have been changed, also when the work was stopped just then: the change is noted all the same. */
async function look<T>(context: FileContext, at: (context: FileContext) => Promise<T>): Promise<T> {
  try {
    return await at(context)
  } catch (error) {
    if (!context.noting) throw error
    // The disk may have hung, which the work was stopped for. Another one for each look: it keeps no folder that is moved meanwhile.
    const signal = AbortSignal.timeout(longestLook)
    return context.noting.batch((disk) => at({ ...context, disk, signal }))
  }
}

/** Milliseconds. */
const longestLook = 5000

/** Whether two entries are one file, or one link, under two names. */
export async function isSameFile({ principal, disk }: FileContext, one: Entry, other: Entry): Promise<boolean> {
  if (isEnterable(one) || isEnterable(other) || one.size !== other.size || one.modified !== other.modified) return false
  const identityOf = ({ path }: Entry) => disk.identify(authorize(principal, 'read', path)).catch(() => '')
  const [first, second] = [await identityOf(one), await identityOf(other)]
  return first !== '' && first === second
}

/** @returns false where that is not known @throws Failure('notFound') */
export async function isOnOneDevice({ principal, disk, signal }: FileContext, one: Path, other: Path): Promise<boolean> {
  const inodeOf = (path: Path) => disk.inode(authorize(principal, 'read', path), signal)
  const [first, second] = await Promise.all([inodeOf(one), inodeOf(other)])
  return first !== undefined && first.device === second?.device
}

/** `item`: what had the name before, when it was kept; `again`: its version, when this person has saved it just before. */
type Written = Readonly<{ isTaken: boolean; item: TrashedItem | undefined; again?: string | undefined }>

/** Notes that a file or a link was made, or got another content. */
export async function noteWritten(context: FileContext, entry: Entry, { isTaken, item, again }: Written): Promise<void> {
  if (!context.note) return
  const at = entry.path
  if (isTaken && !item && again === undefined) return noteLost(context, at, 'forGood')
  const trace = await traceOf(context, entry)
  if (isTaken && !item && again !== undefined) return context.note({ what: 'savedAgain', at, before: again, trace })
  if (item) context.note({ what: 'content', at, trace, item: item.id })
  else context.note({ what: 'entry', at, isDir: false, trace })
}

/** Notes that what had a name is gone, into the trash when it was kept. */
export async function noteReplaced(context: FileContext, taken: Entry, item: TrashedItem | undefined): Promise<void> {
  if (!context.note) return
  if (!item) return noteLost(context, taken.path, 'forGood')
  noteTrashed(context, taken, item)
}

/** Notes that an entry is in the trash. */
export function noteTrashed({ note }: FileContext, { path, version, ...entry }: Entry, { id, identity }: TrashedItem): void {
  const isFile = !entry.isDir && !entry.isSymlink && version !== ''
  const trace = isFile ? { identity: '', version } : { identity, version: '' }
  note?.({ what: 'entry', at: path, isDir: isEnterable({ path, version, ...entry }), trace, item: id })
}

/** Notes that an entry of the trash has a path again. @param item with what it was there, as far as that is known */
export async function noteRestored(
  context: FileContext,
  path: Path,
  { id: was, path: former = path, why = 'delete' }: Pick<TrashedItem, 'id'> & Partial<Pick<TrashedItem, 'path' | 'why'>>,
): Promise<void> {
  const entry = context.note && (await look(context, (looking) => entryAt(looking, path)).catch(() => undefined))
  if (!entry) return
  const name = nameOf(former)
  const as = name !== nameOf(path) || why !== 'delete' ? { as: { name, why } } : {}
  context.note?.({ what: 'entry', at: path, isDir: isEnterable(entry), trace: await traceOf(context, entry), was, ...as })
}

/** Notes that an empty folder was made. */
export async function noteFolder(context: FileContext, path: Path): Promise<void> {
  if (!context.note) return
  context.note({ what: 'folder', at: path, trace: await identified(context, path) })
}

/** Notes that a folder was removed of which all content had gone elsewhere. */
export function noteFolderRemoved({ note }: FileContext, { path, mode, modified }: Entry, trace: Trace): void {
  const like = { mode, modified: String(modified) }
  note?.({ what: 'folder', at: path, trace, like, isGone: true })
}

/** Notes that an entry has another path. @param other what told it before it went to another file system, where it is another entry */
export async function noteMoved(context: FileContext, source: Entry, to: Path, other?: Trace): Promise<void> {
  if (!context.note) return
  const found = other && (await look(context, (looking) => entryAt(looking, to)).catch(() => undefined))
  const there = found || { ...source, path: to }
  const trace = await traceOf(context, there)
  const ends = { at: to, from: source.path, isDir: isEnterable(source), trace }
  context.note({ what: 'move', ...ends, ...(other && { isAcross: true, other }) })
}

/**
 * Notes that an entry is about to get another path, so that this is known also when a kill comes right after it has it.
 * @param isForGood whether it replaces something that is not kept
 */
export async function noteMoving(context: FileContext, source: Entry, to: Path, isForGood: boolean): Promise<void> {
  if (!context.note) return
  const ends = { at: to, from: source.path, isDir: isEnterable(source) }
  const trace = await traceOf(context, source)
  if (isForGood) noteLost(context, to, 'forGood')
  context.note({ what: 'move', ...ends, trace, isMeant: true })
  await context.kept?.()
}

/** Notes that this has failed, where the entry has its old path alone. It does not throw: where nothing tells that, the note stands. */
export async function noteNotMoved(context: FileContext, source: Entry, to: Path): Promise<void> {
  const isAtOldPathAlone = async (looking: FileContext) => {
    const [there, taken] = [await entryAt(looking, source.path), await entryAt(looking, to)]
    const isBoth = there && taken && (await isSameFile(looking, there, taken))
    // Then nothing has told whether they are the same.
    looking.signal.throwIfAborted()
    return there && !isBoth
  }
  const isFailed = await look(context, isAtOldPathAlone).catch(() => false)
  if (isFailed) context.note?.({ what: 'notMoved', at: to, from: source.path })
}

/** Notes a change that cannot be undone. */
export function noteLost({ note }: FileContext, path: Path, why: WhyLost): void {
  note?.({ what: 'lost', at: path, why })
}
