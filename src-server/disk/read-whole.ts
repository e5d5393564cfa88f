import { Failure } from '../base/failure.ts'
import { FileShrunk, type OpenFile, type WholeFile, type WholeHow } from './disk.ts'
import type { Asked, DiskContext } from './disk-context.ts'
import { entryOf, present } from './entry.ts'
import { isFastDevice } from './file-systems.ts'
import { openRegular } from './open.ts'
import type { PathHandle } from './path-handle.ts'
import { readInThread } from './read-threads.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { diskSystem } from './system.ts'

/** Opens a regular file, reads it whole and closes it. */
export function readWhole(context: DiskContext, asked: Asked, { longest }: WholeHow): Promise<WholeFile> {
  return withResolvedPath(context, asked, true, async (resolved) => {
    const handle = present(resolved)
    const entry = entryOf({ path: asked.path, resolved, stats: handle.stats })
    if (handle.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
    if (entry.size > longest) return { entry }
    if (mayUseThread(context, handle)) return { entry, ...(await readInThread(handle.stats.dev, handle.address, entry.size)) }
    const file = await openRegular(context, handle, { entry, signal: asked.signal })
    try {
      return { entry, content: await contentOf(file) }
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

/** @returns undefined when the length has changed since the file was opened */
async function contentOf({ entry, readInto }: OpenFile): Promise<Uint8Array | undefined> {
  // One byte more than the file has: that it is missing says that the file has ended.
  const buffer = Buffer.allocUnsafeSlow(entry.size + 1)
  let length = 0
  try {
    while (length < buffer.length) length += (await readInto?.(buffer.subarray(length), length)) ?? 0
  } catch (error) {
    if (!(error instanceof FileShrunk)) throw error
  }
  return length === entry.size ? buffer.subarray(0, length) : undefined
}
