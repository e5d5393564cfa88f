// The content of an entry of a zip archive, which must be exactly what the directory says.
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib'
import type { Entry } from 'yauzl'
import { type ArchiveFile, damaged } from './archive-file.ts'

/** Bytes up to which a content is unpacked in one piece, and of the pieces of larger ones. */
const [smallContent, pieceLength] = [1 << 20, 64 * 1024]

const inflateWhole = promisify(inflateRaw) as unknown as (
  packed: Uint8Array,
  options: { maxOutputLength: number; info: true },
) => Promise<{ buffer: Buffer; engine: { bytesWritten: number } }>

type Where = Readonly<{ name: string; start: number }>

/** @throws Failure('invalid') when length, checksum or packing are not as the directory says */
export async function* checkedContent(file: ArchiveFile, entry: Entry, { name, start }: Where): AsyncGenerator<Uint8Array> {
  const { uncompressedSize: size, compressedSize: packed } = entry
  let [sum, length] = [0, 0]
  const isSmall = size <= smallContent && packed <= smallContent
  const pieces = isSmall ? wholeContent(file, entry, start) : contentInPieces(file, entry, start)
  try {
    for await (const piece of pieces) {
      length += piece.length
      if (length > size) throw damaged(name)
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (error) {
    throw isOfZlib(error) ? damaged(name) : error
  }
  if (length !== size || sum !== entry.crc32) throw damaged(name)
}

/** Errors of zlib have codes of their own. */
function isOfZlib(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error === wrongLength || code.startsWith('Z_') || ['ERR_BUFFER_TOO_LARGE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code)
}

const wrongLength = new Error('not all of the packed content was used')

async function* wholeContent(file: ArchiveFile, entry: Entry, start: number): AsyncGenerator<Uint8Array> {
  const packed = Buffer.allocUnsafeSlow(entry.compressedSize)
  await file.read(packed, start)
  if (entry.compressionMethod === 0) {
    if (packed.length > 0) yield packed
    return
  }
  // One byte more, so that a longer content is noticed.
  const { buffer, engine } = await inflateWhole(packed, { maxOutputLength: entry.uncompressedSize + 1, info: true })
  if (engine.bytesWritten !== packed.length) throw wrongLength
  if (buffer.length > 0) yield buffer
}

async function* contentInPieces(file: ArchiveFile, entry: Entry, start: number): AsyncGenerator<Uint8Array> {
  if (entry.compressionMethod === 0) return yield* packedPieces(file, entry, start)
  const inflate = createInflateRaw({ chunkSize: pieceLength })
  const source = Readable.from(packedPieces(file, entry, start), { highWaterMark: 1 })
  // It unpacks no more than is taken from it: a piece may hold a thousand times as much.
  pipeline(source, inflate, () => {})
  try {
    for await (const piece of inflate) yield piece
  } finally {
    source.destroy()
    inflate.destroy()
  }
  if (inflate.bytesWritten !== entry.compressedSize) throw wrongLength
}

async function* packedPieces(file: ArchiveFile, { compressedSize }: Entry, start: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < compressedSize; at += pieceLength) {
    // Memory of its own: who writes it may need it for a while.
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceLength, compressedSize - at))
    await file.read(piece, start + at)
    yield piece
  }
}
