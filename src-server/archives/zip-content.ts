import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { throughZlib } from './through-zlib.ts'
import type { Method, Sums } from './zip-records.ts'

const chunkSize = 64 * 1024

const deflateWhole = promisify(deflateRaw)

/** Bytes at the beginning of a content that tell whether it gets shorter. */
const sampleSize = 64 * 1024
/** What remains of a sample that is worth deflating: the rest of it would not pay for the time. */
const worthwhile = 0.97

/** Whether a content is compressed or encrypted already, whatever its name says. @param start its first bytes */
export async function isIncompressible(start: Uint8Array): Promise<boolean> {
  const sample = start.subarray(0, sampleSize)
  return (await deflateWhole(sample, { level: 1 })).length > sample.length * worthwhile
}

/** A content as one piece, deflated when that makes it shorter. */
export async function packWhole(content: Uint8Array, wanted: Method): Promise<Sums & { packed: Uint8Array; method: Method }> {
  const sums = { crc: crc32(content), size: content.length }
  const isTried = wanted === 'deflated' && content.length > 0
  const isNoise = isTried && content.length > 2 * sampleSize && (await isIncompressible(content))
  const deflated = isTried && !isNoise ? await deflateWhole(content) : content
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
