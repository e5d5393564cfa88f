import * as fs from 'node:fs'
import type { Grant } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { OpenFile } from './disk.ts'
import type { DiskContext } from './disk-context.ts'
import { entryOf, present } from './entry.ts'
import type { PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'

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
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= system.close(fd)
    return closed
  }
  return { fd, entry, close }
}
