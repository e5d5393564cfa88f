// Mode, owner and times: what a file keeps when its content is replaced, or takes along when it is copied.
import * as fs from 'node:fs'
import type { Entry } from './disk.ts'
import { errnoOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'
import type { DiskSystem } from './system.ts'

export const newFileMode = 0o640
export const newFolderMode = 0o750

// Only root may give files away; vfat and many network file systems know no modes at all.
const refusals = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

export type AttributeSource = {
  /** What the file replaces. */
  old?: PathHandle | undefined
  /** What it is a copy of. */
  like?: Entry | undefined
}

/** Sets the mode whatever the umask; the bits that run a file as its owner are left out, as the system does when a file is written. */
export async function copyAttributes(system: DiskSystem, fd: number, { old, like }: AttributeSource): Promise<void> {
  // The owner first: changing it takes bits from the mode.
  if (old) await keepOwner(system, fd, old.stats)
  const mode = old ? Number(old.stats.mode) : (like?.mode ?? newFileMode)
  await whereAllowed(system.setMode(fd, mode & 0o777))
  if (like) await keepTimes(system, fd, like)
}

/** For a folder that was just made and is open for reading. Its owner can always change it: a copy of a read-only folder is filled first. */
export async function copyFolderAttributes(system: DiskSystem, fd: number, like: Entry | undefined): Promise<void> {
  const now = fs.fstatSync(fd).mode & 0o7777
  const mode = (now & 0o7000) | (like ? (like.mode & 0o777) | 0o700 : newFolderMode)
  if (mode !== now) await whereAllowed(system.setMode(fd, mode))
  if (like) await keepTimes(system, fd, like)
}

async function keepOwner(system: DiskSystem, fd: number, { uid, gid }: fs.BigIntStats) {
  const now = fs.fstatSync(fd, { bigint: true })
  if (now.uid === uid && now.gid === gid) return
  if (await whereAllowed(system.setOwner(fd, Number(uid), Number(gid)))) return
  await whereAllowed(system.setOwner(fd, Number(now.uid), Number(gid)))
}

async function keepTimes(system: DiskSystem, fd: number, { modified }: Entry) {
  // To the microsecond: a number holds no more of a time of this century.
  await whereAllowed(system.setTimes(fd, Date.now() / 1000, Number(modified / 1000n) / 1e6))
}

async function whereAllowed(change: Promise<void>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (refusals.has(errnoOf(error) ?? '')) return false
    throw error
  }
}
