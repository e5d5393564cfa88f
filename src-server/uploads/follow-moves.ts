import type { Clock } from '../base/clock.ts'
import type { Path } from '../base/paths.ts'
import type { Events } from '../events/events.ts'
import type { FolderMoves } from './folder-moves.ts'
import type { Uploads } from './uploads.ts'

type Followed = Readonly<{ folderMoves: FolderMoves }> & Pick<Uploads, 'endLeft'>

/** Milliseconds for which a change waits until what has ended in its folder is gone: a disk may not answer. It goes on all the same. */
const longestEnd = 5000

/**
 * What is being uploaded into a folder goes where that is moved, and where it comes back from the trash. What has ended while it was there,
 * or on its way, goes when it is back, or gone for good.
 */
export function followMoves(events: Events, { folderMoves, endLeft }: Followed, clock: Clock): void {
  // What is left of one stays known as ended until it is gone, and ends at the next start otherwise.
  const endSoon = async (folders: readonly Path[]) => {
    const late = Promise.withResolvers<void>()
    const cancel = clock.after(longestEnd, late.resolve)
    await Promise.race([Promise.all(folders.map(endLeft)), late.promise]).finally(cancel)
  }
  events.surround(async (event) => {
    if (!('isDir' in event)) return undefined
    const { kind, path, to = path, trash, isDir } = event
    if (kind === 'restore') {
      const end = isDir && to !== path ? await folderMoves.beginRestore(path, to) : undefined
      // A folder that has its name by now makes way for it, also for a file.
      const leave = [path, to].map((one) => folderMoves.passTrash(one))
      return async (done) => {
        try {
          await end?.(done !== undefined)
        } finally {
          for (const one of leave) one()
        }
        // Also where that has failed: then what has made way is back.
        await endSoon([to])
      }
    }
    if (!isDir) return undefined
    if (kind === 'rename') {
      if (to === path) return undefined
      const end = await folderMoves.begin(path, to)
      return async (done) => {
        await end(done !== undefined)
        // One that has failed may have moved some of them.
        await endSoon(done === undefined ? [path, to] : [to])
      }
    }
    if (kind !== 'purge' && (kind !== 'delete' || trash === undefined)) return undefined
    const leave = folderMoves.passTrash(path)
    return async (done) => {
      leave()
      const isInTrash = kind === 'delete' ? done !== undefined && 'trash' in done && done.trash !== undefined : done === undefined
      if (!isInTrash) await endSoon([path])
    }
  })
}
