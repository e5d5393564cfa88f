// Room on a full disk, of what the trash may give up for somebody's work.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { type BytesLeft, type MakeRoom, whileRoomIsMade } from '../base/room.ts'
import type { FileContext } from './walk.ts'

/** How room is made for what is written to a path; undefined where nothing is removed for that. */
export function roomAt({ makeRoom }: FileContext, path: Path, left: BytesLeft = { bytes: 0 }): MakeRoom | undefined {
  return makeRoom && ((bytes, isAgain) => makeRoom(path, { bytes, isAgain, left }))
}

/** Does work that writes to a path; others who need room there meanwhile leave it what it needs. */
export async function whileReserved<T>(
  { reserve }: FileContext,
  path: Path,
  { left, work }: { left: BytesLeft | undefined; work(): Promise<T> },
): Promise<T> {
  const end = left && reserve?.(path, left)
  try {
    return await work()
  } finally {
    end?.()
  }
}

/**
 * Does a change that needs next to no space, and does it again when it has failed for want of that and room was made. It is not done
 * again where it has failed after its first effect, which a second attempt would take for that of others.
 * @param bytes that it writes on some disks all the same
 */
export function withRoomAt<T>(context: FileContext, path: Path, work: () => Promise<T>, bytes = 0): Promise<T> {
  const makeRoom = roomAt(context, path)
  return whileRoomIsMade(work, makeRoom && ((isAgain) => makeRoom(bytes, isAgain)), hasChangedNothing)
}

/** Calls of the system that give a name or write what gets one. Attributes are set, and all is synced, after them. */
const firstCalls = new Set(['open', 'write', 'mkdir', 'symlink', 'link', 'rename'])

function hasChangedNothing(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : error
  return cause instanceof Error && 'syscall' in cause && firstCalls.has(String(cause.syscall))
}
