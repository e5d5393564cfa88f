import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { runningUser } from '../base/running-user.ts'

/** Bytes of a file that is imported, read where they are needed. */
export type SourceBytes = Readonly<{
  size: number
  /** @returns exactly so many bytes @throws SourceFault when the file ends before */
  read(at: number, length: number): Buffer
}>

/** Why a file cannot be imported: what follows its name in a sentence, without the full stop. */
export class SourceFault extends Error {}

/** A file that is open for reading, and never written. */
export type SourceFile = SourceBytes &
  Readonly<{
    /** Whether a running File Browser is known to have it open. */
    isLocked(): boolean
    close(): void
  }>

/** @throws SourceFault when it cannot be opened, or is no file */
export function openSourceFile(file: string): SourceFile {
  const fd = opened(file)
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw new SourceFault('is not a file')
    const read = (at: number, length: number) => readExactly(fd, at, length)
    return { size: stats.size, read, isLocked: () => isLocked(fd), close: () => closeSync(fd) }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function opened(file: string): number {
  try {
    // A pipe would wait for somebody who writes.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    throw openFault(cause instanceof Error && 'code' in cause ? String(cause.code) : undefined, cause)
  }
}

/** @param code the errno of what could not be opened */
export function openFault(code: string | undefined, cause?: unknown): SourceFault {
  if (code === 'ENOENT') return new SourceFault('does not exist', { cause })
  const isForbidden = code === 'EACCES' || code === 'EPERM'
  const reason = isForbidden ? `cannot be read: give ${runningUser()} the right to read it` : `cannot be opened (${code})`
  return new SourceFault(reason, { cause })
}

function readExactly(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, at + done)
    if (count === 0) throw new SourceFault('is truncated')
    done += count
  }
  return bytes
}

/** Bytes in memory, such as those of a page that lies in a value. */
export function bytesIn(memory: Buffer): SourceBytes {
  return {
    size: memory.length,
    read: (at, length) => {
      if (at + length > memory.length) throw new SourceFault('is truncated')
      return memory.subarray(at, at + length)
    },
  }
}

/** What the kernel says: `fdinfo` of the open file, and `locks` and `mountinfo` of all. '' where it says nothing. */
export type KernelTexts = Readonly<{ fdinfo: string; locks: string; mountinfo: string }>

/**
 * Whether a program holds the lock on a file that a running File Browser has on its database (flock(2)).
 * @param device that the status of the file names; the list of locks has that of the file system, which is another one on btrfs
 */
export function isLockListed(
  { fdinfo, locks, mountinfo }: KernelTexts,
  { ino, device }: { ino: bigint; device: string },
): boolean {
  const mount = /^mnt_id:\s*(\d+)$/m.exec(fdinfo)?.[1]
  const line = mountinfo.split('\n').find((text) => text.split(' ')[0] === mount)
  const places = [line?.split(' ')[2], device].flatMap((numbers) => (numbers === undefined ? [] : [`${inHex(numbers)}:${ino}`]))
  return locks
    .split('\n')
    .some((lock) => /\bFLOCK\b.*\bWRITE\b/.test(lock) && lock.split(/\s+/).some((part) => places.includes(part)))
}

/** Major and minor number of a device, as the list of locks has them. */
function inHex(device: string): string {
  return device
    .split(':')
    .map((number) => Number(number).toString(16).padStart(2, '0'))
    .join(':')
}

function isLocked(fd: number): boolean {
  const { dev, ino } = fstatSync(fd, { bigint: true })
  // As the kernel splits a device number for programs.
  const major = (dev >> 8n) & 0xfffn
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)
  const kernel = {
    fdinfo: kernelText(`/proc/self/fdinfo/${fd}`),
    locks: kernelText('/proc/locks'),
    mountinfo: kernelText('/proc/self/mountinfo'),
  }
  return isLockListed(kernel, { ino, device: `${major}:${minor}` })
}

function kernelText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
