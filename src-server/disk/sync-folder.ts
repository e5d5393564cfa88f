import { constants } from 'node:fs'
import { type Call, opened } from './call-sequence.ts'
import { systemFor } from './device-limit.ts'
import type { DiskContext } from './disk-context.ts'
import { errnoOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'

// A folder that may be written but not read cannot be opened for this, and some network file systems have no such call:
// there the system decides when the names are durable.
const refusals = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Makes the names in a folder durable before the work ends; a batch syncs each folder once, at its end. */
export async function syncFolderByEnd(context: DiskContext, folder: PathHandle): Promise<void> {
  const { kept, root } = context
  if (kept && folder === root) kept.noteChangeOfRoot(root)
  else if (!kept?.noteChange(folder)) await syncFolderHandle(context, folder)
}

/**
 * The same as the last calls of a sequence; undefined when the sync is postponed to the end of a batch, or the folder cannot be
 * opened by its address.
 */
export function syncFolderCalls({ kept, root, strategy }: DiskContext, folder: PathHandle): Call[] | undefined {
  if (!strategy.opensByAddress || (kept && (folder === root || kept.isKept(folder)))) return undefined
  return [
    { call: 'open', args: [folder.address, constants.O_RDONLY | constants.O_DIRECTORY], ending: refusals },
    { call: 'sync', args: [opened], ending: refusals },
    { call: 'close', args: [opened], ending: refusals },
  ]
}

/** Makes the names in a folder durable. */
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
    if (!refusals.includes(errnoOf(error) ?? '')) throw error
  }
}

type Syncing = { readonly running: Promise<void>; next?: Promise<void> }

/** By the object of the folder. */
const syncing = new Map<string, Syncing>()

/** The same for a folder that many change at a time: those who ask while a sync runs share the next one. */
export function syncFolderShared(context: DiskContext, folder: PathHandle): Promise<void> {
  const present = syncing.get(folder.identity)
  // One that runs already may have begun before the change.
  if (present) {
    present.next ??= present.running.catch(() => {}).then(() => syncFolderShared(context, folder))
    return present.next
  }
  const running = syncFolderHandle(context, folder).finally(() => syncing.delete(folder.identity))
  syncing.set(folder.identity, { running })
  return running
}
