import type { Events } from '../events/events.ts'
import type { FolderMoves } from './folder-moves.ts'

/** What is being uploaded into a folder goes where that is moved, and where it comes back from the trash. */
export function followMoves(events: Events, folderMoves: FolderMoves): void {
  events.surround(async (event) => {
    if (!('isDir' in event) || !event.isDir || event.to === undefined) return undefined
    const { kind, path, to } = event
    const isMove = kind === 'rename'
    if (!isMove && (kind !== 'restore' || to === path)) return undefined
    const end = await (isMove ? folderMoves.begin(path, to) : folderMoves.beginRestore(path, to))
    return (done) => end(done !== undefined)
  })
}
