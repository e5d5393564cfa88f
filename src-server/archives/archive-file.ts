// The bytes of an archive that is read.
import { Failure } from '../base/failure.ts'

/** Bytes at positions. */
export interface ArchiveFile {
  /** Bytes. */
  readonly size: number
  /** Fills all of a buffer from a position. @throws when there are not so many bytes */
  read(buffer: Uint8Array, position: number): Promise<void>
}

export const damaged = (name?: string): Failure =>
  name === undefined
    ? new Failure('invalid', 'the archive is damaged')
    : new Failure('invalid', 'the archive is damaged at {{name}}', { about: { name: shownName(name) } })

/** Characters of a name in a refusal. */
const mostShown = 200

/** A name as it is told in a refusal. */
export function shownName(name: string): string {
  return name.length > mostShown ? `${name.slice(0, mostShown)}…` : name
}

/** Bytes that are read at a time. */
const pageLength = 256 * 1024

/** The same file, of which small pieces come from memory: of a directory, and of small entries that lie one after the other. */
export function withCache(file: ArchiveFile): ArchiveFile {
  const page = Buffer.alloc(Math.min(pageLength, file.size))
  let [start, end] = [0, 0]
  return {
    size: file.size,
    async read(buffer, position) {
      if (position < 0 || position + buffer.length > file.size) throw damaged()
      if (buffer.length > page.length / 4) return file.read(buffer, position)
      if (position < start || position + buffer.length > end) {
        ;[start, end] = [0, 0]
        const length = Math.min(page.length, file.size - position)
        await file.read(page.subarray(0, length), position)
        ;[start, end] = [position, position + length]
      }
      buffer.set(page.subarray(position - start, position - start + buffer.length))
    },
  }
}
