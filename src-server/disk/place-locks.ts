// Naming a file takes more than one system call, and what has its name must be found at its path. So two requests for one name wait for
// each other, else a move could remove, with its old name, a file that another request has just put there; and while a name is given in
// a folder, neither that folder nor one above it is moved.
import { Failure } from '../base/failure.ts'
import { foldedName } from '../base/folded-name.ts'
import { orAborted } from '../base/or-aborted.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { DiskContext, GrantedPath, ResolvedPath } from './disk-context.ts'
import { failureOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'

/** A name in an open folder, and where that folder lay when it was opened. */
export type PlacedName = Readonly<{
  folder: PathHandle
  name: string
  /** The folder's path on the host. */
  folderPath: string
  /** Ends the waiting: of all that are claimed together, that of the first. */
  signal?: AbortSignal | undefined
  /** Whether a resolution of the path from its beginning leads to the folder still. Asked where the system names another path. */
  isStillThere(): Promise<boolean>
}>

/** The place that a path was resolved to. @param follows as it was resolved */
export function placedName(context: DiskContext, asked: GrantedPath, resolved: ResolvedPath, follows: boolean): PlacedName {
  const { folder, name, folderPath } = resolved
  // Not by folders that are kept open, which are where they were.
  const isStillThere = () =>
    withResolvedPath({ ...context, kept: undefined }, asked, follows, async (now) => {
      return now.folder.identity === folder.identity && now.name === name
    }).catch((error: unknown) => {
      const failure = failureOf(error)
      if (failure instanceof Failure) return false
      throw failure
    })
  return { folder, name, folderPath, isStillThere, signal: asked.signal }
}

/** `moves`: the entry is a folder that gets another path, or the path that it gets. */
type Claimed = Readonly<{ place: PlacedName; moves: boolean }>
/** Of one piece of work: the paths of folders that it needs where they are, and of those that it moves. */
type Claim = Readonly<{ stay: readonly string[]; move: readonly string[]; ended: Promise<void> }>

/** In the order of their arrival, those that wait too. */
const claims = new Set<Claim>()

/**
 * Does work that names entries, with a lock on their names and on the paths of their folders, after a check that the folders lie there
 * still. All paths are claimed at once and each piece of work waits for the earlier ones that it conflicts with, so that nobody waits in a
 * circle and a path that hangs delays what is at or below it only. Work must not ask for names itself, and must not wait for a client.
 * @throws Failure('conflict') when a folder was moved meanwhile, Failure('busy') when it waits for too long
 */
export function withPlaces<T>(context: DiskContext, claimed: readonly Claimed[], work: () => Promise<T>): Promise<T> {
  const places = claimed.map(({ place }) => place)
  return withNames(places, () =>
    withPaths(claimed, async () => {
      for (const place of places) await assertThere(context, place)
      return work()
    }),
  )
}

/** The same for a name whose folder is checked by the work itself, just before the name is given: see `checkedNameCalls` in commit-file.ts. */
export function withPlace<T>(place: PlacedName, work: () => Promise<T>): Promise<T> {
  return withNames([place], () => withPaths([{ place, moves: false }], work))
}

/** Whether the system names the folder's path as it was. It does not of a long path, and of a folder on a network that was looked up anew. */
async function assertThere({ strategy }: DiskContext, { folder, folderPath, isStillThere }: PlacedName): Promise<void> {
  // Elsewhere a folder is addressed by its path.
  if (!strategy.opensByAddress) return
  const now = await strategy.hostPathOf(folder).catch(() => undefined)
  if (now !== folderPath && !(await isStillThere())) throw folderMoved()
}

export const folderMoved = () => new Failure('conflict', 'the folder was moved meanwhile')

const queue = new SerialQueue()

/** Does the work with a lock on the names. */
export async function withNames<T>(
  names: readonly Readonly<{ folder: PathHandle; name: string }>[],
  work: () => Promise<T>,
): Promise<T> {
  // Locked in one order, which avoids deadlocks. Names that a case-insensitive or form-insensitive file system treats as equal are one.
  const keys = [...new Set(names.map(({ folder, name }) => `${folder.identity}/${foldedName(name)}`))].sort()
  return keys.reduceRight<() => Promise<T>>((next, key) => () => queue.run(next, key), work)()
}

/**
 * Milliseconds that work which moves a folder waits for names that are being given below it, and longest that others wait behind that:
 * a disk below that does not answer would else keep everybody from all that is beside it.
 */
const [longestOfMove, longestOfOthers] = [5000, 30_000]

async function withPaths<T>(claimed: readonly Claimed[], work: () => Promise<T>): Promise<T> {
  const { signal } = claimed[0]?.place ?? {}
  const ended = Promise.withResolvers<void>()
  const claim: Claim = {
    stay: claimed.map(({ place }) => place.folderPath),
    move: claimed.filter(({ moves }) => moves).map(({ place }) => pathIn(place.folderPath, place.name)),
    ended: ended.promise,
  }
  const earlier = [...claims].filter((other) => conflict(claim, other)).map((other) => other.ended)
  claims.add(claim)
  try {
    if (earlier.length > 0) await inTime(Promise.all(earlier), claim.move.length > 0 ? longestOfMove : longestOfOthers, signal)
    return await work()
  } finally {
    claims.delete(claim)
    ended.resolve()
  }
}

async function inTime(earlier: Promise<unknown>, longest: number, signal: AbortSignal | undefined): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Failure('busy', 'the folder is in use')), longest)
  try {
    await orAborted(earlier, signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Whether one moves a folder at or above what the other needs. */
function conflict(one: Claim, other: Claim): boolean {
  return movesAbove(one, other) || movesAbove(other, one)
}

function movesAbove({ move }: Claim, { stay, move: alsoMoved }: Claim): boolean {
  const isAbove = (path: string) => (inner: string) => inner === path || inner.startsWith(pathIn(path, ''))
  return move.some((path) => stay.some(isAbove(path)) || alsoMoved.some(isAbove(path)))
}

/** The path on the host of a resolved path. */
export const hostPathOf = ({ folderPath, name }: Pick<ResolvedPath, 'folderPath' | 'name'>) => pathIn(folderPath, name)

export const pathIn = (folder: string, name: string) => (folder === '/' ? `/${name}` : `${folder}/${name}`)
