import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import type { DiskContext, GrantedPath } from './disk-context.ts'
import { type DriverFile, FileShrunk, type WholeFile, type WholeHow } from './driver.ts'
import { entryOf, present } from './entry.ts'
import { fileSystemOn, isFastDevice } from './file-systems.ts'
import { wholeOf } from './generic-calls.ts'
import type { PathHandle } from './path-handle.ts'
import { readInThread } from './read-threads.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { diskSystem } from './system.ts'
import { lastingIdentity, settledStats } from './version.ts'

const readAt = promisify(fs.read) as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>

/** Opens a regular file for reading: first a handle of its path, then, when it is a regular file, the content of the same object. */
export function openFile(context: DiskContext, asked: GrantedPath): Promise<DriverFile> {
  return withResolvedPath(context, asked, true, async (resolved) => {
    const handle = present(resolved)
    return openRegular(context, handle, {
      entry: entryOf({ path: asked.path, resolved, ...(await settledStats(handle, asked.signal)) }),
      signal: asked.signal,
    })
  })
}

/** Opens the content of a handle. @param signal ends the waiting for the thread pool @throws Failure('forbidden') when it is not a regular file */
export async function openRegular(
  { strategy, system, rootDevice }: DiskContext,
  handle: PathHandle,
  { entry, signal }: { entry: DriverFile['entry']; signal?: AbortSignal | undefined },
): Promise<DriverFile> {
  if (handle.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
  const { calls } = fileSystemOn(handle.stats.dev)
  const fd = await calls.read(() => strategy.openContent(system, handle, fs.constants.O_RDONLY), signal)
  const reading = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  const read = (buffer: Uint8Array, position: number) => {
    if (closed) throw new Failure('internal', 'the file was closed')
    const call = calls.read(() => readAt(fd, buffer, 0, buffer.length, position), signal).finally(() => reading.delete(call))
    reading.add(call)
    return call
  }
  const close = () => {
    // Not during a read: the number of the descriptor would be reused.
    closed ??= Promise.allSettled(reading).then(() => calls.read(() => system.close(fd)))
    return closed
  }
  const readInto = async (buffer: Uint8Array, position: number) => {
    const { bytesRead } = await read(buffer, position)
    if (bytesRead === 0) throw new FileShrunk()
    return bytesRead
  }
  const identity = lastingIdentity(handle.stats, rootDevice)
  return { fd, readInto, entry, identity, close }
}

/** Opens a regular file, reads it whole and closes it. */
export function readWhole(context: DiskContext, asked: GrantedPath, { longest }: WholeHow): Promise<WholeFile> {
  return withResolvedPath(context, asked, true, async (resolved) => {
    const handle = present(resolved)
    const entry = entryOf({ path: asked.path, resolved, stats: handle.stats })
    if (handle.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
    if (entry.size > longest) return { entry }
    if (mayUseThread(context, handle)) return { entry, ...(await readInThread(handle.stats.dev, handle.address, entry.size)) }
    const file = await openRegular(context, handle, { entry, signal: asked.signal })
    try {
      return await wholeOf(file, { longest })
    } finally {
      await file.close()
    }
  })
}

/** A disk that is not known to be fast is read through the thread pool, several files at a time. */
function mayUseThread({ strategy, system }: DiskContext, { stats }: PathHandle): boolean {
  // A test's substitute for the system gets each call.
  return strategy.opensByAddress && system === diskSystem && isFastDevice(stats.dev)
}
