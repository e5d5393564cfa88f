import type { Events } from '../events/events.ts'
import type { FolderMoves } from './folder-moves.ts'
import type { Uploads } from './uploads.ts'

type Followed = Readonly<{ folderMoves: FolderMoves }> & Pick<Uploads, 'endLeft'>

/**
 * What is being uploaded into a folder goes where that is moved, and where it comes back from the trash. What has ended while it was there
 * goes when it is back, or gone for good.
 */
export function followMoves(events: Events, { folderMoves, endLeft }: Followed): void {
  events.surround(async (event) => {
    if (!('isDir' in event) || !event.isDir) return undefined
    const { kind, path, to = path, trash } = event
    if (kind === 'rename') {
      const end = to === path ? undefined : await folderMoves.begin(path, to)
      return end && ((done) => end(done !== undefined))
    }
    if (kind !== 'restore' && kind !== 'purge' && (kind !== 'delete' || trash === undefined)) return undefined
    const leave = folderMoves.passTrash(path)
    const end = kind === 'restore' && to !== path ? await folderMoves.beginRestore(path, to) : undefined
    return async (done) => {
      const isInTrash = kind === 'delete' ? done !== undefined && 'trash' in done && done.trash !== undefined : done === undefined
      try {
        await end?.(done !== undefined)
      } finally {
        leave()
      }
      if (!isInTrash) await endLeft(to)
    }
  })
}
