// The only recursion over folders. What rules hide is never yielded; links are yielded and never entered.
import { authorize, type Capability, isBlocked } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Need } from '../contract/permissions.ts'
import type { Disk, Entry } from '../disk/disk.ts'

/** What a work on files is done with: who asks, the disk below that person's scope, and what stops the work. */
export type FileContext = Readonly<{ principal: Principal; disk: Disk; signal: AbortSignal }>

export type Step<N extends Need> = Readonly<{ entry: Entry; capability: Capability<N> }>

export type WalkHow<N extends Need> = Readonly<{
  /** What the capabilities are good for. */
  need: N
  order: 'parents first' | 'children first'
  /** What is done about an entry that the principal's rules hide: searching and copying skip it, deleting and moving refuse. */
  hidden: 'skip' | 'refuse'
}>

/**
 * Everything below a folder, but not the folder itself. A folder that vanishes meanwhile counts as empty.
 * @throws Failure('forbidden') at the first hidden entry when that is to be refused, the signal's reason when it is aborted
 */
export async function* walk<N extends Need>(context: FileContext, folder: Path, how: WalkHow<N>): AsyncGenerator<Step<N>> {
  for (const entry of await childrenOf(context, folder)) {
    context.signal.throwIfAborted()
    if (isHidden(context.principal, entry)) {
      if (how.hidden === 'refuse') throw new Failure('forbidden', 'the folder holds something that is not yours to change')
      continue
    }
    const step = { entry, capability: authorize(context.principal, how.need, entry.path) }
    if (how.order === 'parents first') yield step
    if (isEnterable(entry)) yield* walk(context, entry.path, how)
    if (how.order === 'children first') yield step
  }
}

/** Whether the rules block an entry by its path or, where that leads through a link, by where it really lies. */
export function isHidden(principal: Principal, { path, truePath }: Entry): boolean {
  return isBlocked(principal, path) || (truePath !== undefined && isBlocked(principal, truePath))
}

/** Whether an entry is a folder itself, and not a link to one. */
export function isEnterable(entry: Entry): boolean {
  return entry.isDir && !entry.isSymlink && entry.unreachable === undefined
}

async function childrenOf({ principal, disk, signal }: FileContext, folder: Path): Promise<Entry[]> {
  signal.throwIfAborted()
  try {
    return await disk.list(authorize(principal, 'see', folder), signal)
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return []
    throw error
  }
}

/** What stands at a path, or undefined. @throws Failure('forbidden') when the principal may not see it */
export async function entryAt({ principal, disk, signal }: FileContext, path: Path): Promise<Entry | undefined> {
  signal.throwIfAborted()
  try {
    return await disk.stat(authorize(principal, 'see', path), signal)
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return undefined
    throw error
  }
}
