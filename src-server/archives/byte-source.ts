// Bytes that come one after the other, taken in pieces of a wanted length.
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ArchiveFile, damaged } from './archive-file.ts'

/** Bytes that are read or unpacked at a time. */
export const pieceLength = 64 * 1024

/** Makes the bytes of a file, from the beginning. */
export type OpenBytes = () => AsyncIterable<Uint8Array>

export async function* bytesOf(file: ArchiveFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += pieceLength) {
    // Memory of its own: who writes it may need it for a while.
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceLength, file.size - at))
    await file.read(piece, at)
    yield piece
  }
}

/** What gzip has packed, also in several parts. It unpacks no more than is taken from it. @throws Failure('invalid') */
export async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes, { highWaterMark: 1 })
  const gunzip = createGunzip({ chunkSize: pieceLength })
  pipeline(source, gunzip, () => {})
  try {
    for await (const piece of gunzip) yield piece
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw code.startsWith('Z_') ? damaged() : error
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

export class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#pieces = bytes[Symbol.asyncIterator]()
  }

  /** The next bytes, at most so many; undefined at the end. */
  async next(most: number): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#pieces.next()
      if (done) return undefined
      this.#rest = value
    }
    const piece = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }

  /** Exactly so many bytes; undefined at the end. @throws Failure('invalid') when it ends before */
  async exactly(length: number): Promise<Buffer | undefined> {
    const bytes = Buffer.alloc(length)
    for (let filled = 0; filled < length; ) {
      const piece = await this.next(length - filled)
      if (!piece && filled === 0) return undefined
      if (!piece) throw damaged()
      bytes.set(piece, filled)
      filled += piece.length
    }
    return bytes
  }

  /** @throws Failure('invalid') when there are fewer */
  async needed(length: number): Promise<Buffer> {
    const bytes = await this.exactly(length)
    if (!bytes) throw damaged()
    return bytes
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }
}
