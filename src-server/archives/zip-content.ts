import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { throughZlib } from './through-zlib.ts'
import type { Method, Sums } from './zip-records.ts'

const chunkSize = 64 * 1024

const deflateWhole = promisify(deflateRaw)

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
  for await (const piece of method === 'deflated' ? throughZlib(summed(), createDeflateRaw({ chunkSize })) : summed()) {
    packedSize += piece.length
    yield piece
  }
  return { crc, size, packedSize }
}
