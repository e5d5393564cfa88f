// Questions about a path: whether it lies inside a folder, how much space its file system has, its path on the host.
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { parentOf } from '../base/paths.ts'
import type { DiskContext, GrantedPath, ResolvedPath } from './disk-context.ts'
import type { DiskUsage, Inode } from './driver.ts'
import { present } from './entry.ts'
import { fileSystemOf, fileSystemOn } from './file-systems.ts'
import { mountsBelow } from './mounts.ts'
import { openChild } from './open-child.ts'
import { below, type HandleStrategy, type PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { uploadInside, writesBelow } from './temporary-names.ts'
import { lastingIdentity } from './version.ts'

const statfs = promisify(fs.statfs)
const readlink = promisify(fs.readlink)

/** See `Disk.isWithin`. */
export async function isWithin(context: DiskContext, inner: GrantedPath, folder: GrantedPath): Promise<boolean> {
  const identity = await withResolvedPath(context, folder, true, async (resolved) => present(resolved).identity)
  return atNearest(context, inner, async ({ handle, folder: around }) => {
    if (handle?.identity === identity) return true
    return liesBelow(context.strategy, handle?.kind === 'folder' ? handle : around, { identity, signal: inner.signal })
  })
}

/** Resolves a path; one that does not exist is replaced by its nearest ancestor that does. */
async function atNearest<T>(context: DiskContext, asked: GrantedPath, use: (resolved: ResolvedPath) => Promise<T>): Promise<T> {
  try {
    return await withResolvedPath(context, asked, true, use)
  } catch (error) {
    const isMissing = error instanceof Failure && error.code === 'notFound'
    if (!isMissing || asked.path === '/') throw error
    return atNearest(context, { ...asked, path: parentOf(asked.path) }, use)
  }
}

/** More folders than any path has: ends the loop on a faulty file system. */
const mostSteps = 4096

type Sought = Readonly<{ identity: string; signal: AbortSignal | undefined }>

/** Follows '..' up to the root: the kernel's own answer, whatever links and mounts the path leads through. */
async function liesBelow(strategy: HandleStrategy, start: PathHandle, { identity, signal }: Sought): Promise<boolean> {
  let at = start
  try {
    for (let step = 0; step < mostSteps; step++) {
      if (at.identity === identity) return true
      const above = await openChild(strategy, at, '..', signal)
      if (!above) return false
      const isTop = above.identity === at.identity && (await isHostRoot(strategy, above))
      if (at !== start) at.close()
      at = above
      if (isTop) return false
    }
    return false
  } finally {
    if (at !== start) at.close()
  }
}

async function isHostRoot(strategy: HandleStrategy, folder: PathHandle) {
  const path = await strategy.hostPathOf(folder)
  return dirname(path) === path
}

/** See `Disk.identify`. */
export function identityAt(context: DiskContext, asked: GrantedPath): Promise<string> {
  return withResolvedPath(context, asked, false, async (resolved) => lastingIdentity(present(resolved).stats, context.rootDevice))
}

/** See `Disk.inode`. */
export function inodeAt(context: DiskContext, asked: GrantedPath): Promise<Inode> {
  return withResolvedPath(context, asked, false, async (resolved) => {
    const handle = present(resolved)
    const { identity: id, kind, stats } = handle
    const { isLocal } = await fileSystemOf(handle, asked.signal)
    const { nlink, birthtimeNs, atimeNs, ctimeNs: changed } = stats
    // Where the time of its birth is not kept: what we write is read last when it is made, and cannot have been changed before that.
    const [earliest = 0n] = kind === 'folder' ? [] : [atimeNs, changed].sort((one, other) => (one < other ? -1 : 1))
    const target = kind === 'link' && { target: await readlink(below(resolved.folder, resolved.name), 'latin1') }
    const isBorn = isLocal && birthtimeNs > 0n
    return { device: String(stats.dev), id, names: Number(nlink), made: birthtimeNs || earliest, changed, isBorn, ...target }
  })
}

/** See `Disk.usage`. */
export function usageAt(context: DiskContext, asked: GrantedPath): Promise<DiskUsage> {
  return withResolvedPath(context, asked, true, async (resolved) => {
    const { address, stats } = present(resolved)
    const { blocks, bavail, bsize, files, ffree } = await fileSystemOn(stats.dev).timed(() => statfs(address), asked.signal)
    const freeEntries = files > 0 ? ffree : undefined
    return { total: blocks * bsize, free: bavail * bsize, device: String(stats.dev), freeEntries }
  })
}

/** See `Disk.assertRemovable`. */
export function assertRemovable(context: DiskContext, asked: GrantedPath): Promise<void> {
  return withResolvedPath(context, { ...asked, acceptsUnanswered: true }, false, async (resolved) => {
    if (resolved.name === '' || resolved.handle?.kind !== 'folder') return
    assertUndisturbed(await context.strategy.hostPathOf(resolved.handle))
  })
}

/**
 * @param folder its path on the host @returns the writes below it of which nothing arrives any more
 * @throws Failure('conflict') for a folder with a mount at it or below, Failure('busy') for one into which somebody is writing
 */
export function assertUndisturbed(folder: string): ReturnType<typeof writesBelow> {
  const [mount] = mountsBelow(folder)
  if (mount !== undefined) throw new Failure('conflict', 'a file system is mounted in it')
  const writes = writesBelow(folder)
  if (writes.some(({ isAbandoned }) => !isAbandoned)) throw uploadInside()
  return writes
}

/** See `Disk.hostPath`. */
export function hostPathOf(context: DiskContext, asked: GrantedPath): Promise<string> {
  return withResolvedPath(context, asked, true, (resolved) => context.strategy.hostPathOf(present(resolved)))
}
