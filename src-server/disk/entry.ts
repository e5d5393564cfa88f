import type { BigIntStats } from 'node:fs'
import type { Grant } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { nameOf, type Path } from '../base/paths.ts'
import type { Entry, Unreachable } from './disk.ts'
import type { DiskContext, ResolvedPath } from './disk-context.ts'
import { errnoOf, failureOf } from './errno.ts'
import { identityOf, kindOf, type PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { versionOf } from './version.ts'

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
    version: versionOf(stats),
  }
  return lost ? { ...entry, unreachable: lost } : entry
}

/** What stands at a path: of a link what it leads to, or, when it leads nowhere that the visitor may go, itself. */
export async function entryAt(context: DiskContext, asked: Grant): Promise<Entry> {
  const { kind, stats } = await withResolvedPath(context, asked, false, async (resolved) => present(resolved))
  return kind === 'link' ? linkEntryAt(context, asked, stats) : entryOf({ path: asked.path, stats })
}

/** @param link what the system says of the link itself */
export async function linkEntryAt(context: DiskContext, asked: Grant, link: BigIntStats): Promise<Entry> {
  const { path } = asked
  try {
    const { stats } = await withResolvedPath(context, asked, true, async (resolved) => present(resolved))
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
export function present({ handle }: ResolvedPath): PathHandle {
  if (!handle) throw new Failure('notFound')
  return handle
}
