import { Failure } from '../base/failure.ts'
import { nameOf, type Path, partsOf } from '../base/paths.ts'
import type { FileStats } from './call-sequence.ts'
import type { DiskContext, GrantedPath, Link, ResolvedPath } from './disk-context.ts'
import type { Entry, Unreachable } from './driver.ts'
import { errnoOf, failureOf } from './errno.ts'
import { kindOf, type PathHandle } from './path-handle.ts'
import { type PathWalk, withPathWalk } from './resolve-beneath.ts'
import { settledStats, versionOf } from './version.ts'

type Facts = Readonly<{
  path: Path
  name: string
  stats: FileStats
  isSymlink?: boolean
  unreachable?: Unreachable | undefined
  truePath?: Path | undefined
  /** It is being written, so that it has no version. */
  isChanging?: boolean
}>

/** The times that RFC 3339 can write, in nanoseconds since the epoch: from the year 1 to 9999, and a day less for the offset. */
const earliest = -62_135_510_400_000_000_000n
const latest = 253_402_214_400_000_000_000n

/** Makes an entry from the result of `stat`. */
export function makeEntry({ path, name, stats, isSymlink = false, unreachable, truePath, isChanging }: Facts): Entry {
  const kind = kindOf(stats)
  const { mtimeNs } = stats
  const isDated = mtimeNs >= earliest && mtimeNs <= latest
  const lost = unreachable ?? (kind === 'special' ? 'special' : isDated ? undefined : 'unanswered')
  const entry: { -readonly [Key in keyof Entry]: Entry[Key] } = {
    name,
    path,
    isDir: kind === 'folder',
    isSymlink,
    size: Number(stats.size),
    modified: isDated ? mtimeNs : mtimeNs < earliest ? earliest : latest,
    mode: Number(stats.mode),
    version: isChanging ? '' : versionOf(stats),
  }
  if (lost) entry.unreachable = lost
  if (truePath) entry.truePath = truePath
  return entry
}

type Resolved = Pick<ResolvedPath, 'link' | 'truePath'>

/** The entry of what a path led to. @param stats of that; the asked path itself may end in a link */
export function entryOf({
  path,
  resolved,
  ...facts
}: { path: Path; resolved: Resolved } & Pick<Facts, 'stats' | 'isChanging'>): Entry {
  const { link } = resolved
  const truePath = link ? link.truePath : resolved.truePath
  return makeEntry({ path, name: nameOf(path), ...facts, isSymlink: link !== undefined, truePath })
}

/** The entry at a path: for a link its target, or the link itself when the principal may not follow it. */
export function entryAt(context: DiskContext, asked: GrantedPath): Promise<Entry> {
  return withPathWalk(context, { ...asked, acceptsUnanswered: true }, async (walk) => {
    const { entry } = await lookUp(walk, asked)
    if (!entry) throw new Failure('notFound')
    return entry
  })
}

/** What a path leads to. */
type Lookup = Readonly<{
  /** undefined when a link at its end could not be followed. */
  resolved?: ResolvedPath | undefined
  /** undefined when the name is free. */
  entry?: Entry
  /** Why a link at its end was not followed, or leads to nothing. */
  error?: unknown
}>

/** @param walk that accepts what the system cannot describe @throws what says nothing about a link */
export async function lookUp(walk: PathWalk, { path, signal }: GrantedPath): Promise<Lookup> {
  let resolved: ResolvedPath | undefined
  try {
    resolved = await walk.to(partsOf(path), true)
    const { handle, unanswered, link, truePath } = resolved
    if (!handle && !link)
      return unanswered === undefined ? { resolved } : { resolved, entry: unansweredEntry(path, nameOf(path), truePath) }
    return { resolved, entry: entryOf({ path, resolved, ...(await settledStats(present(resolved), signal)) }) }
  } catch (error) {
    if (!walk.link) throw error
    return { resolved, entry: lostLink(path, walk.link, error), error }
  }
}

/** The entry of a link that could not be followed to its end. @throws what does not say something about the link */
export function lostLink(path: Path, { stats, truePath }: Link, error: unknown): Entry {
  const name = nameOf(path)
  return makeEntry({ path, name, stats, isSymlink: true, unreachable: whyLost(error), truePath })
}

/** The entry of a name that the system cannot describe. */
export function unansweredEntry(path: Path, name: string, truePath: Path | undefined): Entry {
  const unknown = { isDir: false, isSymlink: false, size: 0, modified: 0n, mode: 0, version: '' }
  return { name, path, ...unknown, unreachable: 'unanswered', ...(truePath && { truePath }) }
}

function whyLost(error: unknown): Unreachable {
  const failure = failureOf(error)
  if (failure instanceof Failure && failure.code !== 'busy') return failure.code === 'forbidden' ? 'outside' : 'broken'
  // An unreadable disk at the link's target must not make the whole listing fail.
  if (!(failure instanceof Failure) && errnoOf(error) !== undefined) return 'broken'
  throw error
}

/** @throws Failure('notFound') when the path does not exist; the system's error when it cannot describe the entry */
export function present({ handle, unanswered }: Pick<ResolvedPath, 'handle' | 'unanswered'>): PathHandle {
  if (unanswered !== undefined) throw unanswered
  if (!handle) throw new Failure('notFound')
  return handle
}
