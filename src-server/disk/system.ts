// The system calls that change a disk, as one object, which tests replace by a faulty disk.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { type OnFullDisk, whileRoomIsMade } from '../base/room.ts'
import { timeForNode } from './call-sequence.ts'

/** A path as the system takes it; bytes where a name need not be UTF-8. */
export type SystemPath = string | Buffer

/** All calls by which the server changes a disk. Each rejects with the errno of the call. */
export type DiskSystem = Readonly<{
  /** `flags` as in `fs.constants`; `mode` counts when the call makes the file and loses the bits of the umask. */
  open(path: SystemPath, flags: number, mode?: number): Promise<number>
  close(fd: number): Promise<void>
  /** Writes at the file's position, and perhaps not all of it: see `writeAll`. Returns the bytes written. */
  write(fd: number, bytes: Uint8Array): Promise<number>
  /** Writes at a position in bytes, and perhaps not all of it: see `writeAllAt`. Returns the bytes written. */
  writev(fd: number, chunks: readonly Uint8Array[], position: number): Promise<number>
  /** ftruncate. */
  truncate(fd: number, bytes: number): Promise<void>
  /** fsync, of a file or of a folder opened for reading. */
  sync(fd: number): Promise<void>
  /** fdatasync: the content of a file and its size. */
  syncData(fd: number): Promise<void>
  /** Gives a file a second name. EEXIST when that is taken; never follows a link. */
  link(from: SystemPath, to: SystemPath): Promise<void>
  rename(from: SystemPath, to: SystemPath): Promise<void>
  unlink(path: SystemPath): Promise<void>
  mkdir(path: SystemPath, mode: number): Promise<void>
  rmdir(path: SystemPath): Promise<void>
  symlink(target: SystemPath, path: SystemPath): Promise<void>
  setMode(fd: number, mode: number): Promise<void>
  setOwner(fd: number, uid: number, gid: number): Promise<void>
  /** Seconds since the epoch. */
  setTimes(fd: number, accessed: number, modified: number): Promise<void>
}>

type Written = Promise<{ bytesWritten: number }>

const futimes = promisify(fs.futimes)
const write = promisify(fs.write) as (fd: number, bytes: Uint8Array) => Written
const writev = promisify(fs.writev) as (fd: number, chunks: readonly Uint8Array[], position: number) => Written

/** The calls themselves. */
export const diskSystem: DiskSystem = {
  open: promisify(fs.open) as DiskSystem['open'],
  close: promisify(fs.close),
  write: async (fd, bytes) => (await write(fd, bytes)).bytesWritten,
  writev: async (fd, chunks, position) => (await writev(fd, chunks, position)).bytesWritten,
  truncate: promisify(fs.ftruncate) as DiskSystem['truncate'],
  sync: promisify(fs.fsync),
  syncData: promisify(fs.fdatasync),
  link: promisify(fs.link),
  rename: promisify(fs.rename),
  unlink: promisify(fs.unlink),
  mkdir: promisify(fs.mkdir) as DiskSystem['mkdir'],
  rmdir: promisify(fs.rmdir) as DiskSystem['rmdir'],
  symlink: promisify(fs.symlink) as DiskSystem['symlink'],
  setMode: promisify(fs.fchmod),
  setOwner: promisify(fs.fchown),
  setTimes: (fd, accessed, modified) => futimes(fd, timeForNode(accessed), timeForNode(modified)),
}

/** Writes all of `bytes`; a call may take only a part of them. */
export async function writeAll(system: DiskSystem, fd: number, bytes: Uint8Array): Promise<void> {
  let left = bytes
  while (left.length > 0) left = left.subarray(await system.write(fd, left))
}

/** Writes all of the chunks, one after the other, from a position in bytes on; a call may take only a part of them. */
export async function writeAllAt(
  system: DiskSystem,
  fd: number,
  { chunks, position }: { chunks: readonly Uint8Array[]; position: number },
): Promise<void> {
  let [left, at] = [chunks, position]
  while (left.length > 0) {
    const written = await system.writev(fd, left, at)
    left = withoutFirst(left, written)
    at += written
  }
}

function withoutFirst(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const left = [...chunks]
  let skip = bytes
  while (left[0] && left[0].length <= skip) skip -= left.shift()?.length ?? 0
  if (left[0] && skip > 0) left[0] = left[0].subarray(skip)
  return left
}

/** Makes the names in a folder durable: without it a renamed file may have its old name after a power cut. */
export async function syncFolder(system: DiskSystem, folder: SystemPath): Promise<void> {
  const fd = await system.open(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  try {
    await system.sync(fd)
  } finally {
    await system.close(fd)
  }
}

/** A system on which a file goes on being written where it was when room was made on the full disk. */
export function withRoom(system: DiskSystem, { makeRoom, onWritten = () => {} }: OnFullDisk): DiskSystem {
  if (!makeRoom) return system
  return {
    ...system,
    open: (...asked) =>
      whileRoomIsMade(
        () => system.open(...asked),
        (isAgain) => makeRoom(0, isAgain),
      ),
    writev: async (fd, chunks, position) => {
      const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
      const written = await whileRoomIsMade(
        () => system.writev(fd, chunks, position),
        (isAgain) => makeRoom(bytes, isAgain),
      )
      onWritten(written)
      return written
    },
  }
}
