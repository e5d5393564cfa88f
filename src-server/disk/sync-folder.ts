import { constants } from 'node:fs'
import { systemFor } from './device-limit.ts'
import type { DiskContext } from './disk-context.ts'
import { errnoOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'

// A folder that may be written but not read cannot be opened for this, and some network file systems have no such call:
// there the names last as soon as the system pleases.
const refusals = new Set(['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Makes the names in a folder last before what is being done is done; many changes in one tree sync each folder once, at the end. */
export async function syncFolderByEnd(context: DiskContext, folder: PathHandle): Promise<void> {
  const { kept, root } = context
  if (kept && folder === root) kept.noteChangeOfRoot(root)
  else if (!kept?.noteChange(folder)) await syncFolderHandle(context, folder)
}

/** Makes the names in a folder last. */
export async function syncFolderHandle(context: DiskContext, folder: PathHandle): Promise<void> {
  const system = systemFor(context, folder)
  try {
    const fd = await context.strategy.openContent(system, folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0))
    try {
      await system.sync(fd)
    } finally {
      await system.close(fd)
    }
  } catch (error) {
    if (!refusals.has(errnoOf(error) ?? '')) throw error
  }
}
