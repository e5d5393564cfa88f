// Reads Snappy in its framing format: see snappy.ts, from where the numbers of sections are.
import { damaged } from './archive-file.ts'
import { pieceLength } from './byte-source.ts'
import type { PackedInput } from './packed-input.ts'
import { largestChunk, maskedSum, snappyStart } from './snappy.ts'

/** 4.2, 4.3, and 4.1; from `firstSkipped` on chunks are skipped that a reader does not know. */
const [compressed, stored, firstSkipped, start] = [0, 1, 0x80, 0xff]
/** Bytes of a chunk that is read: no packed one of so many bytes holds a content that may be. */
const longestChunk = 4 + 32 + largestChunk + largestChunk / 6

export function* unsnappy(input: PackedInput): Generator<Uint8Array, void, undefined> {
  // Zeros do not fill up the end: they are the head of a chunk.
  for (let isFirst = true; isFirst || !input.isAtEnd(); isFirst = false) {
    const kind = input.byte()
    const length = input.byte() | (input.byte() << 8) | (input.byte() << 16)
    if (isFirst && kind !== start) throw damaged()
    if (kind === start) checkStart(input, length)
    else if (kind === compressed || kind === stored) yield* chunkOf(input, kind, length)
    // 4.5: others cannot be left out.
    else if (kind < firstSkipped) throw damaged()
    else skip(input, length)
  }
}

function checkStart(input: PackedInput, length: number): void {
  const wanted = snappyStart.subarray(4)
  if (length !== wanted.length || !input.bytes(length).equals(wanted)) throw damaged()
}

function skip(input: PackedInput, length: number): void {
  for (let left = length; left > 0; left -= pieceLength) input.bytes(Math.min(left, pieceLength))
}

function* chunkOf(input: PackedInput, kind: number, length: number): Generator<Uint8Array, void, undefined> {
  if (length < 4 || length > longestChunk) throw damaged()
  const chunk = input.bytes(length)
  const body = chunk.subarray(4)
  const content = kind === stored ? new Uint8Array(body) : contentOf(body)
  if (content.length > largestChunk || chunk.readUInt32LE() !== maskedSum(content)) throw damaged()
  if (content.length > 0) yield content
}

/** format_description.txt: literals, and copies of what stands before. */
function contentOf(block: Buffer): Uint8Array {
  let [at, length, shift, byte] = [0, 0, 0, 0x80]
  for (; byte & 0x80; shift += 7) {
    if (at === block.length || shift > 14) throw damaged()
    byte = block[at++] as number
    length |= (byte & 0x7f) << shift
  }
  if (length > largestChunk) throw damaged()
  const content = new Uint8Array(length)
  let filled = 0
  while (at < block.length) {
    const tag = block[at++] as number
    const kind = tag & 3
    // Bytes of the length of a literal, or of the offset of a copy; missing ones count as zeros and are noticed below.
    const more = kind === 0 ? Math.max(0, (tag >> 2) - 59) : kind === 3 ? 4 : kind
    let number = 0
    for (let index = 0; index < more; index++) number += (block[at + index] ?? 0) * 2 ** (8 * index)
    at += more
    const size = kind === 0 ? (more > 0 ? number : tag >> 2) + 1 : kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    if (filled + size > length || at > block.length) throw damaged()
    if (kind === 0) {
      if (at + size > block.length) throw damaged()
      content.set(block.subarray(at, at + size), filled)
      at += size
      filled += size
      continue
    }
    const offset = kind === 1 ? ((tag >> 5) << 8) | number : number
    if (offset === 0 || offset > filled) throw damaged()
    // One byte after the other: a copy may repeat what it has just made.
    for (const end = filled + size; filled < end; filled++) content[filled] = content[filled - offset] as number
  }
  if (filled !== length) throw damaged()
  return content
}
