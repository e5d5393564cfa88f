// What is done when a disk is full and something can be removed from it.
import { setTimeout } from 'node:timers/promises'
import { Failure } from './failure.ts'

/** Whether something has failed because the disk, or the part of it that the server may use, is full. */
export function isOutOfSpace(error: unknown): boolean {
  // Other limits, such as that of a file's size, are not met by removing something.
  if (error instanceof Failure) return error.code === 'full' && isOutOfSpace(error.cause)
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/** @throws Failure('full') in place of the errno */
export async function saidWhenFull(written: Promise<void>): Promise<void> {
  try {
    await written
  } catch (error) {
    throw isOutOfSpace(error) ? new Failure('full', 'no space is left', { cause: error }) : error
  }
}

/**
 * Of what cannot be kept: the disk of the state is full, and not that of the files, so nothing is to be removed there.
 * @param what could not be written @returns Failure('full'), or the error where it is another one
 */
export function whenStateIsFull(error: unknown, what: string): unknown {
  if (!isOutOfSpace(error)) return error
  return new Failure('full', 'no space is left', { cause: new Error(`${what} could not be written`, { cause: error }) })
}

/** Counts down what is still to be written, as far as that is known, and no more. */
export type BytesLeft = { bytes: number }

/**
 * What came of making room: something was removed; nothing was, but there is space, which somebody else may have freed; there is
 * nothing that could make enough.
 */
export type RoomMade = 'freed' | 'enough' | 'none'

/**
 * Removes what may be removed from a full disk.
 * @param bytes that what has failed was about to write @param isAgain it has failed although there was `enough`
 */
export type MakeRoom = (bytes: number, isAgain: boolean) => Promise<RoomMade>

/** Of what is written: it goes on where it was when room was made. `onWritten` is told of bytes that have their place on the disk. */
export type OnFullDisk = Readonly<{ makeRoom?: MakeRoom | undefined; onWritten?(bytes: number): void }>

/** How often something is tried again in a row without anything having been removed. */
const mostIdle = 4

/** Milliseconds before the first of these attempts; twice as long before each further one. */
const firstPause = 50

/**
 * Does work, and does it again when it has failed on a full disk on which room was made. It ends: each time something was removed, but for
 * a few attempts, because some file systems give space back a moment after they have said so.
 * @param mayRepeat asked about the error, where not every part of the work can be repeated
 */
export async function whileRoomIsMade<T>(
  work: () => Promise<T>,
  makeRoom: ((isAgain: boolean) => Promise<RoomMade>) | undefined,
  mayRepeat: (error: unknown) => boolean = () => true,
): Promise<T> {
  let wasFreed = false
  for (let idle = 0; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!makeRoom || !isOutOfSpace(error) || !mayRepeat(error)) throw error
      // The work has failed because the disk is full, whatever keeps room from being made.
      const made = await makeRoom(idle > 0).catch(() => 'none' as const)
      wasFreed ||= made === 'freed'
      idle = made === 'freed' ? 0 : idle + 1
      if ((made === 'none' && !wasFreed) || idle > mostIdle) throw error
      if (idle > 0) await setTimeout(firstPause * 2 ** (idle - 1))
    }
  }
}
