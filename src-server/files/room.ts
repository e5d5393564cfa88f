// Room on a full disk, of what the trash may give up for somebody's work.
import type { Path } from '../base/paths.ts'
import { type MakeRoom, whileRoomIsMade } from '../base/room.ts'
import type { FileContext } from './walk.ts'

/**
 * How room is made for what is written to a path; undefined where nothing is removed for that.
 * @param left bytes that are still to be written, as far as that is known, and no more
 */
export function roomAt({ makeRoom }: FileContext, path: Path, left = () => 0): MakeRoom | undefined {
  return makeRoom && ((bytes, isAgain) => makeRoom(path, { bytes, isAgain, whole: Math.max(bytes, left()) }))
}

/** Does a change that needs next to no space, and does it again when it has failed for want of that and room was made. */
export function withRoomAt<T>(context: FileContext, path: Path, work: () => Promise<T>): Promise<T> {
  const makeRoom = roomAt(context, path)
  return whileRoomIsMade(work, makeRoom && ((isAgain) => makeRoom(0, isAgain)))
}
