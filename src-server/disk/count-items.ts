// Counts the entries of folders in a folder, where that costs little: on a local disk, without a look at the entries themselves.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { limiterOfEach } from '../base/limiter.ts'
import { type Path, partsOf } from '../base/paths.ts'
import type { DiskContext, GrantedPath } from './disk-context.ts'
import type { CountHow } from './driver.ts'
import { present } from './entry.ts'
import { failureOf, isUnanswered } from './errno.ts'
import { fileSystemOf, fileSystemOn, mayBeMountPoint } from './file-systems.ts'
import { openingSlots } from './folder-slots.ts'
import { asPrefix, nameOf } from './list.ts'
import { mapLimit } from './map-limit.ts'
import { openChild } from './open-child.ts'
import type { PathHandle } from './path-handle.ts'
import { hiddenNames } from './reserved-names.ts'
import { withPathWalk } from './resolve-beneath.ts'

const opendir = promisify(fs.opendir)

/** Names that are read by one call. */
const namesInPart = 1000
/** Folders of one device that all requests together count at a time: what hangs must not occupy the thread pool. */
const atOnce = 2

const counting = limiterOfEach<bigint>(atOnce)

type Parent = Readonly<{ handle: PathHandle; path: Path; truePath: Path | undefined }>
type Asking = Readonly<{ context: DiskContext; asked: GrantedPath & { signal: AbortSignal }; how: CountHow; parent: Parent }>

/** See `Disk.countItems`. */
export function countItems(context: DiskContext, asked: GrantedPath & { signal: AbortSignal }, how: CountHow): Promise<void> {
  return withPathWalk(context, asked, async (walk) => {
    const resolved = await walk.to(partsOf(asked.path), true)
    const handle = present(resolved)
    if (handle.kind !== 'folder') throw new Failure('invalid', 'not a folder')
    const asking = { context, asked, how, parent: { handle, path: asked.path, truePath: resolved.truePath } }
    await mapLimit(how.names, atOnce, (name) => unlessUnreadable(() => countIn(asking, name)))
  })
}

/** What cannot be read is not counted. */
async function unlessUnreadable(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const failure = failureOf(error)
    const isUnreadable = failure instanceof Failure && (failure.code === 'notFound' || failure.code === 'forbidden')
    if (!isUnreadable && !isUnanswered(error)) throw error
  }
}

async function countIn({ context, asked, how, parent }: Asking, name: string): Promise<void> {
  const { isBlocked, signal } = asked
  const path = (asPrefix(parent.path) + name) as Path
  const truePath = parent.truePath && ((asPrefix(parent.truePath) + name) as Path)
  if (isBlocked(path) || (truePath && isBlocked(truePath)) || hiddenNames(context, parent.handle.identity)(name)) return
  const opening = mayBeMountPoint(name) ? openingSlots(parent.handle, name) : counting(parent.handle.stats.dev)
  const handle = await opening.run(() => openLocal(context, parent.handle, { name, signal }), { signal })
  if (!handle) return
  try {
    const { calls } = fileSystemOn(handle.stats.dev)
    const isShown = shownIn(context, handle, { path, truePath, isBlocked })
    const work = () => calls.read(() => count(handle, { isShown, most: how.most, signal }), signal)
    const counted = await counting(handle.stats.dev).run(work, { signal })
    if (!signal.aborted) how.onCounted(name, counted)
  } finally {
    handle.close()
  }
}

type Sought = Readonly<{ name: string; signal: AbortSignal }>

/** Undefined for what is no folder, or not on a local disk: other file systems answer late, and from another machine. */
async function openLocal({ strategy, protectedPaths }: DiskContext, parent: PathHandle, { name, signal }: Sought) {
  const handle = await openChild(strategy, parent, name, signal)
  const isFolder = handle?.kind === 'folder' && !protectedPaths.isProtected(handle.identity)
  if (isFolder && (await fileSystemOf(handle, signal)).isLocal) return handle
  handle?.close()
  return undefined
}

type Paths = Readonly<{ path: Path; truePath: Path | undefined; isBlocked: GrantedPath['isBlocked'] }>

/** Which names a listing of the folder shows: rules count by the path and by the true path. */
function shownIn(context: DiskContext, handle: PathHandle, { path, truePath, isBlocked }: Paths) {
  const isHidden = hiddenNames(context, handle.identity)
  const [start, trueStart] = [asPrefix(path), truePath && asPrefix(truePath)]
  return (bytes: string): boolean => {
    const name = nameOf(bytes).text
    if (isHidden(name) || isBlocked((start + name) as Path)) return false
    return trueStart === undefined || !isBlocked((trueStart + name) as Path)
  }
}

type Counting = Readonly<{ isShown(bytes: string): boolean; most: number; signal: AbortSignal }>

async function count(handle: PathHandle, { isShown, most, signal }: Counting): Promise<{ items: number; hasMore: boolean }> {
  let items = 0
  const folder = await opendir(handle.address, { encoding: 'latin1' as BufferEncoding, bufferSize: namesInPart })
  for await (const { name } of folder) {
    signal.throwIfAborted()
    if (!isShown(name)) continue
    // One more than is counted tells that there are more.
    if (items === most) return { items, hasMore: true }
    items++
  }
  return { items, hasMore: false }
}
