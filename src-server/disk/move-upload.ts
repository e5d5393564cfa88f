// The content of an unfinished upload goes with its folder, where the system does not move it with that.
import { rootPath } from '../base/paths.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, ignoringNotFound } from './disk-context.ts'
import { entryOf } from './entry.ts'
import { errnoOf } from './errno.ts'
import { readableOf } from './generic-calls.ts'
import { openRegular } from './open.ts'
import { below, type PathHandle } from './path-handle.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { newHiddenName, TemporaryFile } from './temporary-file.ts'
import { uploadInside } from './temporary-names.ts'

/** @param name the hidden one, which stays */
type Moved = Readonly<{ name: string; from: PathHandle; to: PathHandle; signal?: AbortSignal | undefined }>

/** Of one that has another name too, which is the file, only the hidden name is removed. */
export async function moveUpload(context: DiskContext, moved: Moved): Promise<void> {
  const { name, from, to } = moved
  const system = systemFor(context, from)
  const handle = await context.strategy.openPath(below(from, name))
  try {
    if (handle.stats.nlink !== 1n) return await ignoringNotFound(system.unlink(below(from, name)))
    // Before it is there, so that it is found after any end of the process.
    await newHiddenName(context, to, name)
    await system.rename(below(from, name), below(to, name))
    await syncFolderHandle(context, to)
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error
    await copyUpload(context, handle, moved)
  } finally {
    handle.close()
  }
}

async function copyUpload(context: DiskContext, handle: PathHandle, { name, from, to, signal }: Moved) {
  // A copy of a move that was broken off.
  await ignoringNotFound(systemFor(context, to).unlink(below(to, name)))
  // It is in use until the other is removed: nothing is added to that meanwhile.
  const copy = await TemporaryFile.create(context, to, { name })
  try {
    const source = await openRegular(context, handle, {
      entry: entryOf({ path: rootPath, resolved: {}, stats: handle.stats }),
      signal,
    })
    try {
      await copy.append(readableOf(source, { signal }), { offset: 0 })
    } finally {
      await source.close()
    }
    await copy.sync()
    if (copy.size !== Number(handle.stats.size)) throw uploadInside()
    await systemFor(context, from).unlink(below(from, name))
  } catch (error) {
    await copy.discard()
    throw error
  }
  await copy.close()
}
