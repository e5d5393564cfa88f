// Mode, owner and times, which a file keeps when its content is replaced, and which a copy inherits.
import * as fs from 'node:fs'
import type { Call } from './call-sequence.ts'
import type { Entry } from './disk.ts'
import { errnoOf } from './errno.ts'
import type { PathHandle } from './path-handle.ts'
import type { DiskSystem } from './system.ts'

export const newFileMode = 0o640
export const newFolderMode = 0o750

// Only root may change the owner; vfat and many network file systems have no modes.
const refusals = ['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

export type AttributeSource = {
  /** The file that is replaced. */
  old?: PathHandle | undefined
  /** The file that is copied. */
  like?: Entry | undefined
}

/**
 * Set the mode independently of the umask, without the setuid and setgid bits, which the system removes too when a file is written.
 * @param fd may be `opened`
 */
export function attributeCalls(fd: number, { old, like }: AttributeSource): Call[] {
  const mode = old ? Number(old.stats.mode) : (like?.mode ?? newFileMode)
  return [
    // The owner first, because changing it clears bits of the mode.
    ...(old ? ownerCalls(fd, old.stats) : []),
    { call: 'setMode', args: [fd, mode & 0o777], ignored: refusals },
    { call: 'setTimes', args: like ? timesOf(fd, like) : newTimes(fd), ignored: refusals },
  ]
}

/**
 * The present with a random part of a millisecond. What another program writes in place has the time of the system's last tick, which
 * could be that of our own write too: then the version would be the same.
 */
function newTimes(fd: number): [fd: number, accessed: number, modified: number] {
  const now = (Date.now() + Math.random()) / 1000
  return [fd, now, now]
}

/** For a new folder that is open for reading. Its owner can always write to it, because entries are copied into it afterwards. */
export async function copyFolderAttributes(system: DiskSystem, fd: number, like: Entry | undefined): Promise<void> {
  const now = fs.fstatSync(fd).mode & 0o7777
  const mode = (now & 0o7000) | (like ? (like.mode & 0o777) | 0o700 : newFolderMode)
  if (mode !== now) await whereAllowed(system.setMode(fd, mode))
  if (like) await whereAllowed(system.setTimes(...timesOf(fd, like)))
}

/** The group is set separately first: a process may be permitted to set the group and not the owner. */
function ownerCalls(fd: number, { uid, gid }: fs.BigIntStats): Call[] {
  return [-1, Number(uid)].map((user) => ({ call: 'setOwner', args: [fd, user, Number(gid)], ignored: refusals }))
}

/** In seconds, to the microsecond: a number holds no more of a time of this century. */
function timesOf(fd: number, { modified }: Entry): [fd: number, accessed: number, modified: number] {
  return [fd, Date.now() / 1000, Number(modified / 1000n) / 1e6]
}

async function whereAllowed(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!refusals.includes(errnoOf(error) ?? '')) throw error
  }
}
