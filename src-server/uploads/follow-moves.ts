import type { Events } from '../events/events.ts'
import type { Uploads } from './uploads.ts'

/** What is being uploaded into a folder goes where that is moved, and where it comes back from the trash. */
export function followMoves(events: Events, uploads: Uploads): void {
  events.surround(async (event) => {
    if (!('isDir' in event) || !event.isDir || event.kind !== 'rename' || event.to === undefined) return undefined
    const { path, to } = event
    const end = uploads.beginMove(path)
    return async (done) => {
      // One that has failed may have moved folders in it.
      await (done ? uploads.moved(path, to) : uploads.found(path, to)).finally(end)
    }
  })
  events.done(async (event) => {
    if (!('isDir' in event) || !event.isDir || event.to === undefined) return
    if (event.kind === 'restore' && event.to !== event.path) await uploads.found(event.path, event.to)
  })
}
