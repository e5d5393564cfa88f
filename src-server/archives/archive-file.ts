// The bytes of an archive that is read.
import { Failure } from '../base/failure.ts'

/** Bytes at positions. */
export interface ArchiveFile {
  /** Bytes. */
  readonly size: number
  /** Fills all of a buffer from a position. @throws when there are not so many bytes */
  read(buffer: Uint8Array, position: number): Promise<void>
}

export const damaged = (name?: string, cause?: unknown): Failure =>
  name === undefined || name === ''
    ? new Failure('invalid', 'the archive is damaged', { cause })
    : new Failure('invalid', 'the archive is damaged at {{name}}', { about: { name: shownName(name) }, cause })

export const cut = (): Failure => new Failure('invalid', 'the archive ends too early')

export const moreBehind = (): Failure => new Failure('invalid', 'something stands behind the end of the archive')

/** Of what its packing wants to be held at a time. */
export const needsMemory = (cause?: unknown): Failure =>
  new Failure('tooLarge', 'the archive needs more memory than it may have', { cause })

/** Characters of a name in a refusal. */
const mostShown = 200

/** A name as it is told in a refusal. */
export function shownName(name: string, most = mostShown): string {
  return name.length > most ? `${name.slice(0, most)}…` : name
}

/** Bytes that are read at a time. */
const pageLength = 256 * 1024

type Page = { readonly bytes: Buffer; start: number; end: number }

/** The same file, of which small pieces come from memory. There are two pages: a directory is read beside the entries that it names. */
export function withCache(file: ArchiveFile): ArchiveFile {
  const newPage = (): Page => ({ bytes: Buffer.alloc(Math.min(pageLength, file.size)), start: 0, end: 0 })
  /** The one that was used last is the first. */
  let pages: readonly [Page, Page] = [newPage(), newPage()]
  return {
    size: file.size,
    async read(buffer, position) {
      const end = position + buffer.length
      if (position < 0 || end > file.size) throw damaged()
      if (buffer.length > pageLength / 4) return file.read(buffer, position)
      const holds = (page: Page) => page.start <= position && end <= page.end
      const [last, other] = pages
      const page = holds(last) ? last : other
      if (!holds(page)) {
        page.end = 0
        const length = Math.min(page.bytes.length, file.size - position)
        await file.read(page.bytes.subarray(0, length), position)
        Object.assign(page, { start: position, end: position + length })
      }
      pages = page === last ? pages : [page, last]
      buffer.set(page.bytes.subarray(position - page.start, end - page.start))
    },
  }
}
