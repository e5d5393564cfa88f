import { once } from 'node:events'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { Failure } from '../base/failure.ts'
import type { ArchiveEntry } from './archive.ts'
import { untilAborted } from './until-aborted.ts'
import type { Method, Sums } from './zip-records.ts'

const deflateWhole = promisify(deflateRaw)

/** The content of a file, exactly as long as its size. @throws Failure('changed') at the first byte too many and at the end */
export async function* exactContent(entry: ArchiveEntry, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0
  for await (const chunk of entry.read ? untilAborted(entry.read(), signal) : []) {
    length += chunk.length
    if (length > entry.size) throw changed(entry)
    yield chunk
  }
  if (length < entry.size) throw changed(entry)
}

/** A content as one piece, deflated when that makes it shorter. */
export async function packWhole(content: Uint8Array, wanted: Method): Promise<Sums & { packed: Uint8Array; method: Method }> {
  const sums = { crc: crc32(content), size: content.length }
  const deflated = wanted === 'deflated' && content.length > 0 ? await deflateWhole(content) : content
  const isShorter = deflated.length < content.length
  const packed = isShorter ? deflated : content
  return { ...sums, packedSize: packed.length, packed, method: isShorter ? 'deflated' : 'stored' }
}

/** The packed pieces of a long content. It returns the sums. */
export async function* packPieces(
  content: AsyncIterable<Uint8Array>,
  method: Method,
): AsyncGenerator<Uint8Array, Sums, undefined> {
  let crc = 0
  let size = 0
  let packedSize = 0
  const summed = async function* () {
    for await (const chunk of content) {
      crc = crc32(chunk, crc)
      size += chunk.length
      yield chunk
    }
  }
  for await (const piece of method === 'deflated' ? deflated(summed()) : summed()) {
    packedSize += piece.length
    yield piece
  }
  return { crc, size, packedSize }
}

async function* deflated(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const deflate = createDeflateRaw({ chunkSize: 64 * 1024 })
  let pieces: Buffer[] = []
  const taken = () => {
    const all = pieces
    pieces = []
    return all
  }
  deflate.on('data', (piece: Buffer) => pieces.push(piece))
  try {
    for await (const chunk of content) {
      // One chunk at a time, so that no more than its pieces wait here.
      await new Promise<void>((resolve, reject) => {
        deflate.write(chunk, (error) => (error ? reject(error) : resolve()))
      })
      yield* taken()
    }
    const ended = once(deflate, 'end')
    deflate.end()
    await ended
    yield* taken()
  } finally {
    deflate.destroy()
  }
}

function changed({ path }: ArchiveEntry) {
  return new Failure('changed', `${path} changed while it was packed`)
}
