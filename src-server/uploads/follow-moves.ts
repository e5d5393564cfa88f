import type { Events } from '../events/events.ts'
import type { FolderMoves } from './folder-moves.ts'
import type { Uploads } from './uploads.ts'

type Followed = Readonly<{ folderMoves: FolderMoves }> & Pick<Uploads, 'endLeft'>

/**
 * What is being uploaded into a folder goes where that is moved, and where it comes back from the trash. What has ended while it was there,
 * or on its way, goes when it is back, or gone for good.
 */
export function followMoves(events: Events, { folderMoves, endLeft }: Followed): void {
  events.surround(async (event) => {
    if (!('isDir' in event) || !event.isDir) return undefined
    const { kind, path, to = path, trash } = event
    if (kind === 'rename') {
      if (to === path) return undefined
      const end = await folderMoves.begin(path, to)
      return async (done) => {
        await end(done !== undefined)
        // One that has failed may have moved some of them.
        for (const folder of done === undefined ? [path, to] : [to]) await endLeft(folder)
      }
    }
    if (kind !== 'restore' && kind !== 'purge' && (kind !== 'delete' || trash === undefined)) return undefined
    const end = kind === 'restore' && to !== path ? await folderMoves.beginRestore(path, to) : undefined
    const leave = folderMoves.passTrash(path)
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
