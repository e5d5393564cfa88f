import * as fs from 'node:fs'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { FileShrunk, type OpenFile, type ReadRange } from './disk.ts'
import type { Asked, DiskContext } from './disk-context.ts'
import { entryOf, present } from './entry.ts'
import { fileSystemOn } from './file-systems.ts'
import type { PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { lastingIdentity, settledStats } from './version.ts'

const readAt = promisify(fs.read) as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>

/** Opens a regular file for reading: first a handle of its path, then, when it is a regular file, the content of the same object. */
export function openFile(context: DiskContext, asked: Asked): Promise<OpenFile> {
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
  { entry, signal }: { entry: OpenFile['entry']; signal?: AbortSignal | undefined },
): Promise<OpenFile> {
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
  return { fd, readInto, entry, version: entry.version, identity, read: (range) => streamOf(entry.size, read, range), close }
}

/** Bytes of one chunk; see ../../docs/performance.md. */
const chunkSize = 1 << 20

type ReadAt = (buffer: Uint8Array, position: number) => Promise<{ bytesRead: number }>

/** Reads at explicit positions, so that one handle can be read more than once. */
function streamOf(size: number, readAt: ReadAt, { start = 0, end = size - 1, signal }: ReadRange = {}): Readable {
  const after = Math.min(end + 1, size)
  let position = start
  const next = async () => {
    const buffer = Buffer.allocUnsafeSlow(Math.min(chunkSize, after - position))
    const { bytesRead } = await readAt(buffer, position)
    if (bytesRead === 0) throw new FileShrunk()
    position += bytesRead
    return buffer.subarray(0, bytesRead)
  }
  return new Readable({
    highWaterMark: 1,
    ...(signal && { signal }),
    read() {
      if (position >= after) this.push(null)
      else
        next().then(
          (chunk) => this.push(chunk),
          (error: Error) => this.destroy(error),
        )
    },
  })
}
