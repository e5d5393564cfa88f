import type { BigIntStats } from 'node:fs'
import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { nameOf, type Path } from '../base/paths.ts'
import type { Bounds, Spot } from './bounds.ts'
import { atSpot } from './confine.ts'
import type { Entry, Unreachable } from './disk.ts'
import { errnoOf, failureOf } from './errno.ts'
import { type Held, identityOf, kindOf } from './held.ts'

type Facts = { path: Path; name?: string; stats: BigIntStats; isSymlink?: boolean; unreachable?: Unreachable | undefined }

export function entryOf({ path, name = nameOf(path), stats, isSymlink = false, unreachable }: Facts): Entry {
  const kind = kindOf(stats)
  const lost = unreachable ?? (kind === 'special' ? 'special' : undefined)
  const entry = {
    name,
    path,
    isDir: kind === 'folder',
    isSymlink,
    size: Number(stats.size),
    modified: stats.mtimeNs,
    mode: Number(stats.mode),
    identity: identityOf(stats),
  }
  return lost ? { ...entry, unreachable: lost } : entry
}

/** What stands at a path: of a link what it leads to, or, when it leads nowhere that the visitor may go, itself. */
export async function entryAt(bounds: Bounds, asked: Admitted): Promise<Entry> {
  const { kind, stats } = await atSpot(bounds, asked, false, async (spot) => present(spot))
  return kind === 'link' ? linkEntryAt(bounds, asked, stats) : entryOf({ path: asked.path, stats })
}

/** @param link what the system says of the link itself */
export async function linkEntryAt(bounds: Bounds, asked: Admitted, link: BigIntStats): Promise<Entry> {
  const { path } = asked
  try {
    const { stats } = await atSpot(bounds, asked, true, async (spot) => present(spot))
    return entryOf({ path, stats, isSymlink: true })
  } catch (error) {
    return entryOf({ path, stats: link, isSymlink: true, unreachable: whyLost(error) })
  }
}

function whyLost(error: unknown): Unreachable {
  const failure = failureOf(error)
  if (failure instanceof Failure && failure.code !== 'busy') return failure.code === 'forbidden' ? 'outside' : 'broken'
  // A disk that cannot be read at the link's end must not take the whole listing with it.
  if (!(failure instanceof Failure) && errnoOf(error) !== undefined) return 'broken'
  throw error
}

/** @throws Failure('notFound') when nothing stands at a spot */
export function present({ thing }: Spot): Held {
  if (!thing) throw new Failure('notFound')
  return thing
}
