// The only recursion over folders. What rules hide is never yielded; links are yielded and never entered.
import { admit, isBlocked, type Ticket, type Visitor } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Need } from '../contract/permissions.ts'
import type { Disk, Entry } from '../disk/disk.ts'

/** Whose files they are: who asks, and the disk below that person's scope. */
export type Place = Readonly<{ visitor: Visitor; disk: Disk }>

export type Step<N extends Need> = Readonly<{ entry: Entry; ticket: Ticket<N> }>

export type WalkHow<N extends Need> = Readonly<{
  /** What the tickets are to be good for. */
  need: N
  order: 'parents first' | 'children first'
  /** What is done about an entry that the visitor's rules hide: searching and copying skip it, deleting and moving refuse. */
  hidden: 'skip' | 'refuse'
}>

/**
 * Everything below a folder, but not the folder itself. A folder that vanishes meanwhile counts as empty.
 * @throws Failure('forbidden') at the first hidden entry when that is to be refused
 */
export async function* walk<N extends Need>(place: Place, folder: Path, how: WalkHow<N>): AsyncGenerator<Step<N>> {
  for (const entry of await childrenOf(place, folder)) {
    if (isBlocked(place.visitor, entry.path)) {
      if (how.hidden === 'refuse') throw new Failure('forbidden', 'the folder holds something that is not yours to change')
      continue
    }
    const step = { entry, ticket: admit(place.visitor, how.need, entry.path) }
    if (how.order === 'parents first') yield step
    if (isEnterable(entry)) yield* walk(place, entry.path, how)
    if (how.order === 'children first') yield step
  }
}

/** Whether an entry is a folder itself, and not a link to one. */
export function isEnterable(entry: Entry): boolean {
  return entry.isDir && !entry.isSymlink && entry.unreachable === undefined
}

async function childrenOf({ visitor, disk }: Place, folder: Path): Promise<Entry[]> {
  try {
    return await disk.list(admit(visitor, 'see', folder))
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return []
    throw error
  }
}

/** What stands at a path, or undefined. @throws Failure('forbidden') when the visitor may not see it */
export async function entryAt({ visitor, disk }: Place, path: Path): Promise<Entry | undefined> {
  try {
    return await disk.stat(admit(visitor, 'see', path))
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return undefined
    throw error
  }
}
