// Finds again what a job has done before it broke off, and notes it: perhaps nobody was told.
import { createHash } from 'node:crypto'
import { authorize } from '../access/authorize.ts'
import { type Principal, pathsOf } from '../access/principal.ts'
import { longestTick, stampedWithin } from '../base/clock-ticks.ts'
import { isWithin, type Path, pathBelow, rootPath } from '../base/paths.ts'
import type { Entry, Inode, TrashedItem } from '../disk/disk.ts'
import { isLikeVersion } from '../disk/version.ts'
import type { Source } from '../events/events.ts'
import type { Trace } from '../state/history-store.ts'
import { noteFolder, noteMoved, noteWritten } from './deeds.ts'
import { trulyAt } from './folders.ts'
import type { Pair } from './pairs.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

/**
 * The ids in the trash of what a job replaces, by path. They are known before anything is replaced, and nobody else can guess them.
 * @returns undefined for what is no job of which the changes are kept
 */
export function replacedAs(principal: Principal, { way, actKey }: Source): FileContext['replacedAs'] {
  if (way !== 'job' || actKey === undefined) return undefined
  return (path) => {
    const { served } = pathsOf(principal, path)
    return createHash('sha256').update(`${principal.userId} ${actKey} ${served}`).digest('hex').slice(0, 32)
  }
}

/** The same context, for changes that are found done: those that the act has already do not count again. */
export function notingAgain(context: FileContext): FileContext {
  const { note } = context
  return note ? { ...context, note: (change) => note(change, true) } : context
}

/** Finds in the trash what came there from a path, or from below, before a kill, and was not noted. */
export async function compareTrash(context: FileContext, path: Path): Promise<void> {
  const { trash, replacedAs, signal } = context
  if (trash && replacedAs) await trash.trash.compareAt([await trulyAt(context, path)], signal)
}

/** What the same job has replaced at a path. Call `compareTrash` before. */
export function replacedAt({ trash, replacedAs }: FileContext, path: Path): TrashedItem | undefined {
  const id = replacedAs?.(path)
  return id === undefined ? undefined : trash?.trash.get(id)
}

/** Notes that what the same job has replaced at a path is in the trash. Call `compareTrash` before, after a kill. */
export async function noteReplacedBefore(context: FileContext, path: Path): Promise<void> {
  if (!context.note) return
  const item = replacedAt(context, path)
  if (!item) return
  const trace = await traceInTrash(context, path, item)
  notingAgain(context).note?.({ what: 'entry', at: path, isDir: item.isDir, trace, item: item.id })
}

/**
 * The same, unless it has its path still: a kill may have come while it had its name too. Who undoes that is told of what has the path
 * instead. @param present what has the path
 */
export async function noteDisplaced(context: FileContext, path: Path, present: Entry | undefined): Promise<void> {
  const { principal, disk, signal } = context
  const item = replacedAt(context, path)
  const identity = item && present && (await disk.identify(authorize(principal, 'read', path), signal))
  if (item && (!identity || identity !== item.identity)) await noteReplacedBefore(context, path)
}

/**
 * Notes what a merge by a move has moved over files before it broke off: these are in the trash. All else was noted before it was moved.
 * @param from of the folder that is merged into the one at `to`
 */
export async function noteMergedBefore(context: FileContext, from: Path, to: Path): Promise<void> {
  const { principal, trash, replacedAs } = context
  if (!context.note || !trash || !replacedAs) return
  await compareTrash(context, to)
  const { served } = pathsOf(principal, rootPath)
  for (const { id, path } of [...trash.trash.known()]) {
    const own = pathBelow(served, path)
    if (own === undefined || own === to || !isWithin(own, to) || replacedAs(own) !== id) continue
    const source = `${from}${own.slice(to.length)}` as Path
    const moved = (await entryAt(context, source)) ? undefined : await entryAt(context, own)
    if (!moved) continue
    await noteReplacedBefore(context, own)
    await noteMoved(notingAgain(context), { ...moved, path: source }, own)
  }
}

/** What tells it from others, as `traceOf` says it of an entry at a path. */
async function traceInTrash({ disk, principal, signal }: FileContext, path: Path, item: TrashedItem): Promise<Trace> {
  const lasting = { identity: item.identity, version: '' }
  if (item.isDir) return lasting
  try {
    const file = await disk.openTrashed(authorize(principal, 'download', path), item, signal)
    await file.close()
    return file.entry.version === '' ? lasting : { identity: '', version: file.entry.version }
  } catch {
    // A link, or what the person may not read.
    return lasting
  }
}

/** Work that broke off, and went on later. */
export type Rest = Readonly<{ rested: number; until: number }>

/**
 * When work was done that broke off, in milliseconds since the epoch by the system's clock. `at`: when it was begun; nothing of it was
 * there before, and nothing was made during its rests.
 */
export type WorkTimes = Readonly<{ at?: number | undefined; rests?: readonly Rest[] | undefined }>

/**
 * Whether what has the name of a copy that replaces is that copy, put there before it broke off. Its size and its time do not tell:
 * those of what was to be replaced may be the same. Call `compareTrash` before. @returns false when it cannot be told
 */
export async function isOwnCopy(context: FileContext, { path }: Entry, { at, rests }: WorkTimes): Promise<boolean> {
  const { principal, disk, signal } = context
  const item = replacedAt(context, path)
  const asked = authorize(principal, 'read', path)
  const inode = await disk.inode(asked, signal)
  if (wasMadeAtRest(inode, rests)) return false
  // What it replaced is in the trash; a kill may have come while it had its name too.
  if (item) return item.identity === '' || item.identity !== (await disk.identify(asked, signal))
  return at !== undefined && inode !== undefined && inode.made >= BigInt(Math.ceil(at)) * 1_000_000n
}

/**
 * Whether what has the name of a copy that replaces nothing was there before the copy was begun, or came while it rested: it is somebody
 * else's, whatever its size and its time.
 */
export async function isOfOthers(
  { principal, disk, signal }: FileContext,
  { path }: Entry,
  { at, rests }: WorkTimes,
): Promise<boolean> {
  const inode = await disk.inode(authorize(principal, 'read', path), signal)
  if (wasMadeAtRest(inode, rests)) return true
  // What is made gets the time of the last tick of the clock.
  return (
    at !== undefined && inode?.isBorn === true && inode.made < BigInt(Math.floor(at - stampedWithin(inode.made))) * 1_000_000n
  )
}

/** Whether two identities are those of one object: after a start of the machine a device may have another number. */
export function isSameObject(one: string, other: string): boolean {
  const lasting = (identity: string) => identity.slice(identity.indexOf(':'))
  const isNumbered = one !== '' && !one.endsWith(':0')
  return one !== '' && (one === other || (isNumbered && lasting(one) === lasting(other)))
}

/** What was to be moved, as it was then. */
type WasThere = Readonly<{ version: string; isDir: boolean; identity?: string | undefined }>

/**
 * Whether what has the name that something was to be moved to is that, or its copy on another file system: others may have taken it away
 * before it was moved. Call `compareTrash` before.
 * @param override whether a file with that name was to be replaced, or a folder merged with it
 */
export async function isMovedBefore(
  context: FileContext,
  there: Entry,
  { was, override, ...times }: WorkTimes & Readonly<{ was: WasThere; override: boolean }>,
): Promise<boolean> {
  const { principal, disk, signal } = context
  const { identity = '', version } = was
  const asked = authorize(principal, 'read', there.path)
  const now = await disk.identify(asked, signal)
  if (isSameObject(identity, now)) return true
  // A link has the kind of what it leads to, perhaps.
  if (there.isSymlink ? version !== '' : there.isDir !== was.isDir) return false
  if (version !== '' && !isLikeVersion(there, version)) return false
  if (isEnterable(there) && override) return true
  if (identity !== '' || now !== '')
    return override ? isOwnCopy(context, there, times) : !(await isOfOthers(context, there, times))
  // Where nothing is numbered lastingly it was perhaps renamed, which leaves the time at which it was made.
  if (override && !replacedAt(context, there.path) && version === '') return false
  return !wasMadeAtRest(await disk.inode(asked, signal), times.rests)
}

/** Links are taken for the same when both are links: what they lead to is not theirs. */
export function isWhole(copy: Entry, entry: Entry): boolean {
  if (isEnterable(entry) || isEnterable(copy)) return isEnterable(entry) && isEnterable(copy)
  if (entry.isSymlink || copy.isSymlink) return entry.isSymlink && copy.isSymlink
  // Copies keep the microsecond. Where a file system does not, the entry is left to the person.
  const distance = copy.modified - entry.modified
  return copy.size === entry.size && distance < microseconds && distance > -microseconds
}

/** Nanoseconds: what may be lost of a time on its way through a number of seconds. */
const microseconds = 2000n

function wasMadeAtRest(inode: Inode | undefined, rests: readonly Rest[] = []): boolean {
  // Stamps of another clock, and those that a program sets, tell nothing.
  if (!inode?.isBorn) return false
  const made = Number(inode.made / 1_000_000n)
  // Work goes on after the next tick of the clock. Where stamps are coarse what is made then may have an earlier one.
  const within = stampedWithin(inode.made)
  const late = within > longestTick ? within : 0
  return rests.some(({ rested, until }) => made >= rested && made <= until - late)
}

/** Whether the entry at the target of a move has the content of the one that is moved, of a link its target. */
export async function hasSameContent(context: FileContext, { entry, capability, to }: Pair<'rename'>): Promise<boolean> {
  if (isEnterable(entry)) return true
  const { principal, disk, signal } = context
  if (entry.isSymlink) {
    const inodes = [entry.path, to].map((path) => disk.inode(authorize(principal, 'read', path), signal))
    const [one, other] = await Promise.all(inodes)
    return one?.target !== undefined && one.target === other?.target
  }
  const source = await disk.open(capability, signal)
  try {
    const copy = await disk.open(authorize(principal, 'rename', to), signal)
    try {
      return await areEqual(listened(source.read({ signal })), listened(copy.read({ signal })))
    } finally {
      await copy.close()
    }
  } finally {
    await source.close()
  }
}

/** Its error is thrown to whoever reads it. That of one that is stopped before it is read would end the process. */
function listened<S extends NodeJS.EventEmitter>(stream: S): S {
  return stream.on('error', () => {})
}

async function areEqual(one: AsyncIterable<Buffer>, other: AsyncIterable<Buffer>): Promise<boolean> {
  const others = other[Symbol.asyncIterator]()
  try {
    return await startsEqual(one, others)
  } finally {
    await others.return?.()
  }
}

async function startsEqual(one: AsyncIterable<Buffer>, others: AsyncIterator<Buffer>): Promise<boolean> {
  let [rest, isDone] = [Buffer.alloc(0), false]
  const fill = async () => {
    for (let next = await others.next(); ; next = await others.next()) {
      isDone = next.done === true
      rest = isDone ? Buffer.alloc(0) : next.value
      if (isDone || rest.length > 0) return
    }
  }
  for await (let chunk of one) {
    while (chunk.length > 0) {
      if (rest.length === 0) await fill()
      const length = Math.min(chunk.length, rest.length)
      if (isDone || !chunk.subarray(0, length).equals(rest.subarray(0, length))) return false
      ;[chunk, rest] = [chunk.subarray(length), rest.subarray(length)]
    }
  }
  if (rest.length === 0) await fill()
  return isDone
}

/** `isOverFile`: something had its name; `isMerged`: perhaps. */
type CopiedHow = Readonly<{ isOverFile: boolean; isMerged: boolean }>

/** Notes that an entry of a copy is there, which it was perhaps before. Call `compareTrash` before. */
export async function noteCopied(context: FileContext, copy: Entry, { isOverFile, isMerged }: CopiedHow): Promise<void> {
  if (!context.note) return
  const again = notingAgain(context)
  if (isEnterable(copy)) return noteFolder(again, copy.path)
  const item = replacedAt(context, copy.path)
  // Without a trash nothing tells whether it has replaced something.
  if (!item && isMerged && !context.trash) return
  await noteWritten(again, copy, { isTaken: item !== undefined || isOverFile, item })
}

/** What is copied, and whether what has the name is replaced, or merged with. */
type CopyHow = Readonly<{ source: Entry; override: boolean }>

/** Notes an entry that a copy has made before it broke off, or what has made way for it. @returns whether it is at its target */
export async function noteCopyBefore(
  context: FileContext,
  pair: Pair<'download'>,
  { source, override, ...times }: CopyHow & WorkTimes,
): Promise<boolean> {
  const taken = await entryAt(context, pair.to)
  const isThere = taken !== undefined && isWhole(taken, pair.entry)
  const isOwn = override ? isOwnCopy : async (...asked: Parameters<typeof isOfOthers>) => !(await isOfOthers(...asked))
  if (taken && (await (isThere ? isOwn : isUnchangedCopy)(context, taken, times))) {
    await noteCopied(context, taken, copiedHow(pair, { source, override }))
    return true
  }
  if (override) await noteDisplaced(context, pair.to, taken)
  // A folder that was there is merged with.
  return isThere && override && isEnterable(taken)
}

/** The same of an entry that is not there any more. Of what was in a folder nobody knows. */
export async function noteCopyOfGone(
  context: FileContext,
  to: Path,
  { override, ...times }: Omit<CopyHow, 'source'> & WorkTimes,
): Promise<boolean> {
  const taken = await entryAt(context, to)
  if (taken && (await isUnchangedCopy(context, taken, times))) {
    await noteCopied(context, taken, { isOverFile: override, isMerged: false })
    return true
  }
  if (override) await noteDisplaced(context, to, taken)
  return false
}

/** Whether a file is a copy as it was made, of what is not as it was then: its time is older than itself. */
async function isUnchangedCopy(context: FileContext, copy: Entry, times: WorkTimes): Promise<boolean> {
  if (isEnterable(copy) || copy.isSymlink) return false
  const inode = await context.disk.inode(authorize(context.principal, 'read', copy.path), context.signal)
  return inode?.isBorn === true && copy.modified < inode.made && (await isOwnCopy(context, copy, times))
}

/** What the person chose had the name of something that was to be replaced; of what is merged below a folder nobody knows. */
export function copiedHow({ entry }: Pair<'download'>, { source, override }: CopyHow) {
  return { isOverFile: override && entry === source && !isEnterable(entry), isMerged: override && entry !== source }
}
