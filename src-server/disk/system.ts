// The system calls that change a disk, as one object: a faulty disk takes its place in tests.
import * as fs from 'node:fs'
import { promisify } from 'node:util'

/** A path as the system takes it; bytes where a name need not be UTF-8. */
export type SystemPath = string | Buffer

/** Everything that the server does to a disk goes through these. Each rejects with the errno of the call. */
export type DiskSystem = Readonly<{
  /** `flags` as in `fs.constants`; `mode` counts when the call makes the file and loses the bits of the umask. */
  open(path: SystemPath, flags: number, mode?: number): Promise<number>
  close(fd: number): Promise<void>
  /** Writes at the file's position, and perhaps not all of it: see `writeAll`. Returns the bytes written. */
  write(fd: number, bytes: Uint8Array): Promise<number>
  /** fsync, of a file or of a folder opened for reading. */
  sync(fd: number): Promise<void>
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

const write = promisify(fs.write) as (fd: number, bytes: Uint8Array) => Promise<{ bytesWritten: number }>

/** The calls themselves. */
export const diskSystem: DiskSystem = {
  open: promisify(fs.open) as DiskSystem['open'],
  close: promisify(fs.close),
  write: async (fd, bytes) => (await write(fd, bytes)).bytesWritten,
  sync: promisify(fs.fsync),
  link: promisify(fs.link),
  rename: promisify(fs.rename),
  unlink: promisify(fs.unlink),
  mkdir: promisify(fs.mkdir) as DiskSystem['mkdir'],
  rmdir: promisify(fs.rmdir) as DiskSystem['rmdir'],
  symlink: promisify(fs.symlink) as DiskSystem['symlink'],
  setMode: promisify(fs.fchmod),
  setOwner: promisify(fs.fchown),
  setTimes: promisify(fs.futimes),
}

/** Writes all of `bytes`; a call may take only a part of them. */
export async function writeAll(system: DiskSystem, fd: number, bytes: Uint8Array): Promise<void> {
  let left = bytes
  while (left.length > 0) left = left.subarray(await system.write(fd, left))
}

/** Makes the names in a folder last: without it a file that was renamed may come back under its old name after a power cut. */
export async function syncFolder(system: DiskSystem, folder: SystemPath): Promise<void> {
  const fd = await system.open(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  try {
    await system.sync(fd)
  } finally {
    await system.close(fd)
  }
}
