import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'

/** Bytes of a file that is imported, read where they are needed. */
export type SourceBytes = Readonly<{
  size: number
  /** @returns exactly so many bytes @throws SourceFault when the file ends before */
  read(at: number, length: number): Buffer
}>

/** Why a file cannot be imported: what follows its name in a sentence, without the full stop. */
export class SourceFault extends Error {}

/** A file that is open for reading, and never written. */
export type SourceFile = SourceBytes & Readonly<{ close(): void }>

/** @throws SourceFault when it cannot be opened, or is no file */
export function openSourceFile(file: string): SourceFile {
  const fd = opened(file)
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw new SourceFault('is not a file')
    return { size: stats.size, read: (at, length) => readExactly(fd, at, length), close: () => closeSync(fd) }
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
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const reason = code === 'ENOENT' ? 'does not exist' : code === 'EACCES' ? 'cannot be read: its mode forbids it' : undefined
    throw new SourceFault(reason ?? `cannot be opened (${code})`, { cause })
  }
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

/**
 * Whether a program holds the lock on a database that a running File Browser has (flock(2)).
 * @param locks the text of /proc/locks
 */
export function isLocked(file: string, locks = readLocks()): boolean {
  const { dev, ino } = statSync(file, { bigint: true })
  // As the kernel splits a device number for programs.
  const major = (dev >> 8n) & 0xfffn
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)
  const hex = (number: bigint) => number.toString(16).padStart(2, '0')
  const place = `${hex(major)}:${hex(minor)}:${ino}`
  return locks.split('\n').some((line) => /\bFLOCK\b.*\bWRITE\b/.test(line) && line.split(/\s+/).includes(place))
}

/** Empty where the system has no such list. */
function readLocks(): string {
  try {
    return readFileSync('/proc/locks', 'utf8')
  } catch {
    return ''
  }
}
