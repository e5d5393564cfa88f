// Bytes that come one after the other, taken in pieces of a wanted length.
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Failure } from '../base/failure.ts'
import { type ArchiveFile, cut, damaged, moreBehind } from './archive-file.ts'

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
  const pieces = bytes[Symbol.asyncIterator]()
  const gunzip = createGunzip({ chunkSize: pieceLength })
  const behind = new Behind(pieces, () => gunzip.bytesWritten)
  const source = Readable.from(behind.given(), { highWaterMark: 1 })
  pipeline(source, gunzip, () => {})
  try {
    for await (const piece of gunzip) yield piece
    await behind.assertZeros()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw code.startsWith('Z_') ? ofGzip(code, error, behind.isAllUsed) : error
  } finally {
    source.destroy()
    gunzip.destroy()
    await pieces.return?.()
  }
}

/**
 * @param error of zlib, to which only bytes are given that begin as those of gzip do
 * @param isAllUsed whether it came behind all of them
 */
function ofGzip(code: string, error: unknown, isAllUsed: boolean): Failure {
  if (error instanceof Error && error.message === 'incorrect header check') return moreBehind()
  return isAllUsed || code === 'Z_BUF_ERROR' ? cut() : damaged()
}

/** What stands behind the part of a stream that is used: Node drops it in silence from the first zero on, also another part of gzip. */
class Behind {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #used: () => number
  /** Given, and not known to be used yet. */
  #kept: Uint8Array[] = []
  /** Bytes before those. */
  #before = 0
  /** Bytes given in all. */
  #length = 0

  /** @param used how many bytes of it were */
  constructor(pieces: AsyncIterator<Uint8Array>, used: () => number) {
    this.#pieces = pieces
    this.#used = used
  }

  async *given(): AsyncGenerator<Uint8Array> {
    for (let piece = await this.#next(); piece; piece = await this.#next()) yield piece
    // Of a single byte behind a part zlib does not say whether it begins another one until it has the next byte.
    yield Buffer.alloc(1)
  }

  /** Whether what was given is used, all of it. */
  get isAllUsed(): boolean {
    return this.#used() >= this.#length
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#pieces.next()
    if (done) return undefined
    this.#kept.push(value)
    this.#length += value.length
    this.#dropUsed()
    return value
  }

  #dropUsed(): void {
    for (let [first] = this.#kept; first && this.#before + first.length <= this.#used(); [first] = this.#kept) {
      this.#before += first.length
      this.#kept.shift()
    }
  }

  /** Once no more is used. @throws Failure('invalid') */
  async assertZeros(): Promise<void> {
    for (let isMore = true; isMore; ) {
      // Its last piece may have come already, and is not told as one that follows.
      isMore = (await this.#next()) !== undefined
      this.#dropUsed()
      for (const piece of this.#kept) {
        const from = Math.max(0, this.#used() - this.#before)
        if (piece.subarray(from).some((byte) => byte !== 0)) throw moreBehind()
        this.#before += piece.length
      }
      this.#kept = []
    }
    // The byte behind all was a part of it.
    if (this.#used() > this.#length) throw cut()
  }
}

/** Parts of a packed stream that may be short, and how short they may be beyond that, in packed bytes on average. */
const [mostShortParts, leastOfPart] = [10_000, 4096]

export class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)
  #taken = 0
  #parts = 0

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
    this.#taken += piece.length
    return piece
  }

  /** Exactly so many bytes; undefined at the end. @throws Failure('invalid') when it ends before */
  async exactly(length: number): Promise<Buffer | undefined> {
    const bytes = await this.upTo(length)
    if (bytes.length === 0 && length > 0) return undefined
    if (bytes.length < length) throw cut()
    return bytes
  }

  /** So many bytes, or fewer at the end. */
  async upTo(length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length)
    for (let filled = 0; filled < length; ) {
      const piece = await this.next(length - filled)
      if (!piece) return bytes.subarray(0, filled)
      bytes.set(piece, filled)
      filled += piece.length
    }
    return bytes
  }

  /** @throws Failure('invalid') when there are fewer */
  async needed(length: number): Promise<Buffer> {
    const bytes = await this.exactly(length)
    if (!bytes) throw cut()
    return bytes
  }

  /** Each part takes its time, however little is in it. @throws Failure('invalid') when there are too many short ones */
  addPart(): void {
    if (++this.#parts > mostShortParts + this.#taken / leastOfPart) throw damaged()
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }
}
