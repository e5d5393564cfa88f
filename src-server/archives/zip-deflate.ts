// Deflates short contents. It runs in a thread: each takes zlib some 50 µs, and as much again as a call of the thread pool.
import { crc32, deflateRawSync } from 'node:zlib'
import { isWorthwhile, sampleSize } from './zip-sample.ts'

/** Contents that follow each other, with their lengths and whether each is to be deflated. */
export type Contents = Readonly<{ lengths: readonly number[]; wanted: readonly boolean[] }>

/** For each content, in their order. It was left as it is when its packed length is that of the content. */
export type Packed = Readonly<{ crcs: readonly number[]; packedLengths: readonly number[] }>

/**
 * Deflates each content that gets shorter by it, and moves all to the beginning of the memory that they come in: new memory for the
 * results would be freed by another thread than allocated it, which the allocator of the system does badly.
 */
export function packInPlace(memory: Uint8Array, { lengths, wanted }: Contents): Packed {
  const [crcs, packedLengths]: [number[], number[]] = [[], []]
  let [from, to] = [0, 0]
  for (const [index, length] of lengths.entries()) {
    const content = memory.subarray(from, from + length)
    const packed = wanted[index] ? shorter(content) : content
    crcs.push(crc32(content))
    packedLengths.push(packed.length)
    // Never beyond the content itself, so that nothing is written over before it is packed.
    memory.set(packed, to)
    from += length
    to += packed.length
  }
  return { crcs, packedLengths }
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
