import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { Pages } from './pages.ts'
import { throughZlib } from './through-zlib.ts'
import type { Method, Sums } from './zip-records.ts'
import { isWorthwhile, sampleSize } from './zip-sample.ts'

const chunkSize = 64 * 1024

const deflateWhole = promisify(deflateRaw)

/** Whether a content is compressed or encrypted already, whatever its name says. @param start its first bytes */
export async function isIncompressible(start: Uint8Array): Promise<boolean> {
  const sample = start.subarray(0, sampleSize)
  return !isWorthwhile(sample, await deflateWhole(sample, { level: 1 }))
}

/**
 * The packed pieces of a long content. It returns the sums.
 * @param giveBack called with each chunk that is packed and so needed no longer
 */
export async function* packPieces(
  content: AsyncIterable<Uint8Array>,
  method: Method,
  giveBack?: (chunk: Uint8Array) => void,
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
  const stream =
    method === 'deflated' ? throughZlib(summed(), createDeflateRaw({ chunkSize }), giveBack) : copied(summed(), giveBack)
  for await (const piece of stream) {
    packedSize += piece.length
    yield piece
  }
  return { crc, size, packedSize }
}

/** Copying a chunk takes less time than the collection of its memory would. */
async function* copied(content: AsyncIterable<Uint8Array>, giveBack?: (chunk: Uint8Array) => void) {
  const pages = new Pages()
  for await (const chunk of content) {
    const full = pages.add(chunk)
    giveBack?.(chunk)
    yield* full
  }
  yield* pages.flush()
}
