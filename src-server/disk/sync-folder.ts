import { constants } from 'node:fs'
import type { DiskContext } from './disk-context.ts'
import { errnoOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'

// A folder that may be written but not read cannot be opened for this, and some network file systems have no such call:
// there the names last as soon as the system pleases.
const refusals = new Set(['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Makes the names in a folder last. */
export async function syncFolderHandle({ strategy, system }: DiskContext, folder: PathHandle): Promise<void> {
  try {
    const fd = await strategy.openContent(system, folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0))
    try {
      await system.sync(fd)
    } finally {
      await system.close(fd)
    }
  } catch (error) {
    if (!refusals.has(errnoOf(error) ?? '')) throw error
  }
}
