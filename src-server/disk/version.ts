import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { nextTickAfter, untilNextTick } from '../base/clock-ticks.ts'
import type { FileStats } from './call-sequence.ts'
import { fileSystemOn } from './file-systems.ts'
import type { PathHandle } from './path-handle.ts'

/** Milliseconds for which the table of mounts is cached: after an unmount a device number may be reused. */
const freshness = 10_000

/** File systems whose inode numbers change with each mount, or when a file leaves memory. */
const passingInodes = /^(fuse|fuseblk|fuse\..*|cifs|smb3|smbfs|vfat|exfat|msdos|9p|virtiofs)$/

let devices = new Map<string, string>()
/** Whether inode numbers are stable, by device number. */
const lasting = new Map<bigint, boolean>()
let readAt = Number.NEGATIVE_INFINITY

/**
 * An opaque strong validator of a file's content: made from its time, its size and, where inode numbers are stable, the number of its
 * inode. Contains only letters, digits and '-', as in an entity tag.
 */
export function versionOf(stats: Pick<FileStats, 'mtimeNs' | 'size' | 'dev' | 'ino'>): string {
  // Listings make 100,000 of them: one number in a power of two takes a third of the memory of three that are joined.
  const { mtimeNs, size, ino, dev } = stats
  const version = (mtimeNs << 64n) | size
  return (inodesLast(dev) ? (version << 64n) | ino : version).toString(16)
}

/** Nanoseconds by which a time may be rounded when a disk is mounted again: vfat counts in two seconds. */
const rounding = 2_000_000_000n

/**
 * Whether a file is what was given its name, of which the version was known before that.
 * @param sealed that version
 */
export function isAsSealed({ version, size, modified }: SealedEntry, sealed: string): boolean {
  if (version === sealed) return true
  // Only where it has no number of an inode may the time be another one.
  const [time, length] = partsOf(sealed)
  if (version !== versionWithoutInode(modified, size) || length !== BigInt(size)) return false
  return time - modified <= rounding && modified - time <= rounding
}

/**
 * Whether a file has the size and the time of the one that had a version, as a copy of that has. True where the version says neither, as
 * of a time before 1970.
 */
export function isLikeVersion({ size, modified }: Pick<SealedEntry, 'size' | 'modified'>, version: string): boolean {
  const [first, second] = partsOf(version)
  if (first === 0n) return true
  const isWithInode = first >> 64n > 0n
  const [time, length] = isWithInode ? [first >> 64n, first & 0xffff_ffff_ffff_ffffn] : [first, second]
  // A time of whole seconds may be a rounded one. Others keep the microsecond.
  const within = modified % 1_000_000_000n === 0n ? rounding : 2000n
  return length === BigInt(size) && time - modified <= within && modified - time <= within
}

/**
 * Whether it is the empty file that was made under a name since then, to be replaced by what has that version. Where inodes have lasting
 * numbers there are modes too, and that of an empty file of somebody else is another one, as a rule.
 */
export function isPlaceholder({ size, modified, mode }: PlacedEntry, sealed: string): boolean {
  const [time] = partsOf(sealed)
  const isWithInode = time >> 64n > 0n
  if (isWithInode && (mode & 0o777) !== placeholderMode) return false
  return size === 0 && modified + rounding >= (isWithInode ? time >> 64n : time)
}

/** Of an empty file that holds a name until it is replaced. */
export const placeholderMode = 0o600

type PlacedEntry = Readonly<{ size: number; modified: bigint; mode: number }>

type SealedEntry = Readonly<{ version: string; size: number; modified: bigint }>

const versionWithoutInode = (modified: bigint, size: number) => ((modified << 64n) | BigInt(size)).toString(16)

/** The time and the size of a version without the number of an inode. */
function partsOf(version: string): [time: bigint, size: bigint] {
  const number = /^[0-9a-f]+$/.test(version) ? BigInt(`0x${version}`) : 0n
  return [number >> 64n, number & 0xffff_ffff_ffff_ffffn]
}

/**
 * What is known of a file once a change must give it another time than it has. One that was written within the present tick is waited
 * for: with the same length it could be written again and keep its version.
 * @returns `isChanging` when it was written again meanwhile: then no version stands for its content
 */
export async function settledStats(
  { kind, stats, address }: Pick<PathHandle, 'kind' | 'stats' | 'address'>,
  signal?: AbortSignal,
): Promise<{ stats: fs.BigIntStats; isChanging: boolean }> {
  if (kind !== 'file' || untilNextTick(writtenAt(stats)) === 0) return { stats, isChanging: false }
  await nextTickAfter(writtenAt(stats), signal)
  const now = await fileSystemOn(stats.dev).calls.read(() => stat(address, { bigint: true }), signal)
  return { stats: now, isChanging: untilNextTick(writtenAt(now)) > 0 }
}

/** Milliseconds since the epoch. */
const writtenAt = ({ mtimeNs }: Pick<FileStats, 'mtimeNs'>): number => Number(mtimeNs / 1_000_000n)

const stat = promisify(fs.stat)

/**
 * Stands for an object as long as it exists. The device counts only where it is not that of the served root: systems number devices
 * anew at a start. With the time of its creation, because file systems give the number of a removed file to the next one.
 * @returns '' where inode numbers are not stable
 */
export function lastingIdentity({ dev, ino, birthtimeNs }: fs.BigIntStats, rootDevice: bigint | undefined): string {
  return inodesLast(dev) ? `${dev === rootDevice ? '' : dev}:${ino}:${birthtimeNs}` : ''
}

/** Whether the objects of a device keep their numbers. */
export function inodesLast(device: bigint): boolean {
  if (performance.now() - readAt > freshness) readMounts()
  const known = lasting.get(device) ?? doInodesLast(device)
  lasting.set(device, known)
  return known
}

function doInodesLast(device: bigint): boolean {
  const type = devices.get(`${major(device)}:${minor(device)}`)
  // A device that is in no mount table, such as a subvolume of btrfs, belongs to a local file system.
  return devices.size > 0 && !(type !== undefined && passingInodes.test(type))
}

// Not statfs, which waits for the file system, while this file is answered from the kernel's memory.
function readMounts() {
  readAt = performance.now()
  lasting.clear()
  try {
    devices = new Map(fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(mountOf))
  } catch {
    // On other systems than Linux the number is left out.
    devices = new Map()
  }
}

/** `36 35 98:0 /mnt1 /mnt2 rw - ext3 /dev/root rw`: the third field is the device, the type follows the dash. */
function mountOf(line: string): [device: string, type: string][] {
  const device = line.split(' ')[2]
  const type = line.slice(line.indexOf(' - ') + 3).split(' ')[0]
  return device && type ? [[device, type]] : []
}

// Splits a device number as gnu_dev_major() and gnu_dev_minor() do.
function major(device: bigint) {
  return ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n)
}

function minor(device: bigint) {
  return (device & 0xffn) | ((device >> 12n) & 0xffffff00n)
}
