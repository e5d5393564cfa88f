// Deflates short contents. It runs in a thread: each takes zlib some 50 µs, and as much again as a call of the thread pool.
import { crc32, deflateRawSync } from 'node:zlib'
import { isWorthwhile, sampleSize } from './zip-sample.ts'

/** What became of one content: its bytes are as they were when that is shorter. */
export type Deflated = Readonly<{ crc: number; packedSize: number; isDeflated: boolean }>

/** Contents that follow each other, each deflated on its own when that makes it shorter. */
export function deflateAll(content: Uint8Array, lengths: readonly number[]): { packed: Uint8Array; deflated: Deflated[] } {
  let at = 0
  const parts = lengths.map((length) => {
    const part = content.subarray(at, at + length)
    at += length
    return { crc: crc32(part), part: shorter(part), size: length }
  })
  const packed = new Uint8Array(parts.reduce((sum, { part }) => sum + part.length, 0))
  let end = 0
  const deflated = parts.map(({ crc, part, size }) => {
    packed.set(part, end)
    end += part.length
    return { crc, packedSize: part.length, isDeflated: part.length < size }
  })
  return { packed, deflated }
}

function shorter(content: Uint8Array): Uint8Array {
  if (content.length > 2 * sampleSize && !isSampleWorthwhile(content.subarray(0, sampleSize))) return content
  // Most get shorter than this, and zlib allocates it for each.
  const deflated = deflateRawSync(content, { chunkSize: Math.max(1024, content.length >> 2) })
  return deflated.length < content.length ? deflated : content
}

function isSampleWorthwhile(sample: Uint8Array) {
  return isWorthwhile(sample, deflateRawSync(sample, { level: 1 }))
}
