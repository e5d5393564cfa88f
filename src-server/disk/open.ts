import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { Grant } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { FileShrunk, type OpenFile } from './disk.ts'
import type { DiskContext } from './disk-context.ts'
import { entryOf, present } from './entry.ts'
import type { PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'

const readAt = promisify(fs.read) as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>

/** Opens a regular file for reading: held first, asked what it is, and only then opened, as the very same object. */
export async function openFile(context: DiskContext, asked: Grant): Promise<OpenFile> {
  const { path } = asked
  const openHandle = (handle: PathHandle, isSymlink: boolean) =>
    openRegular(context, handle, entryOf({ path, stats: handle.stats, isSymlink }))
  const opened = await withResolvedPath(context, asked, false, async (resolved) => {
    const handle = present(resolved)
    return handle.kind === 'link' ? undefined : openHandle(handle, false)
  })
  return opened ?? withResolvedPath(context, asked, true, (resolved) => openHandle(present(resolved), true))
}

async function openRegular({ strategy, system }: DiskContext, handle: PathHandle, entry: OpenFile['entry']): Promise<OpenFile> {
  if (handle.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
  const fd = await strategy.openContent(system, handle, fs.constants.O_RDONLY)
  const reading = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  const readInto = async (buffer: Uint8Array, position: number) => {
    if (closed) throw new Failure('internal', 'the file was closed')
    const call = readAt(fd, buffer, 0, buffer.length, position).finally(() => reading.delete(call))
    reading.add(call)
    const { bytesRead } = await call
    if (bytesRead === 0) throw new FileShrunk()
    return bytesRead
  }
  const close = () => {
    // Not while a read waits for the disk: the number would soon be another file's.
    closed ??= Promise.allSettled(reading).then(() => system.close(fd))
    return closed
  }
  return { fd, entry, readInto, close }
}
