// Snappy in its framing format: https://github.com/google/snappy/blob/main/framing_format.txt and format_description.txt beside it.
// Numbers in comments are sections of the former.

/** 4.1: what every stream begins with. */
export const snappyStart: Uint8Array = Uint8Array.of(0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59)

/** 4.2: the most bytes of content in one chunk. */
export const largestChunk = 65_536
const headerLength = 8
const compressedType = 0
const storedType = 1

/** Where chunks are written before their length is known. It is used again: new memory for each content is collected late. */
let space = new Uint8Array(0)

/** The chunks of a content, which follow `snappyStart` or other chunks. */
export function snappyChunks(content: Uint8Array): Uint8Array {
  const count = Math.ceil(content.length / largestChunk)
  const most = count * headerLength + longestPacked(content.length) + count * 64
  if (space.length < most) space = new Uint8Array(most)
  const out = space
  let at = 0
  for (let start = 0; start < content.length; start += largestChunk) {
    at += putChunk(content.subarray(start, start + largestChunk), out.subarray(at))
  }
  return out.slice(0, at)
}

/** @returns the length of the chunk */
function putChunk(content: Uint8Array, out: Uint8Array): number {
  const packed = out.subarray(headerLength)
  let length = compressBlock(content, packed)
  // 4.3: what hardly gets shorter is stored, which is faster to read.
  const isStored = length >= content.length - content.length / 8
  if (isStored) {
    packed.set(content)
    length = content.length
  }
  const view = new DataView(out.buffer, out.byteOffset)
  view.setUint32(0, (isStored ? storedType : compressedType) | ((length + 4) << 8), true)
  view.setUint32(4, maskedSum(content), true)
  return headerLength + length
}

/** 3: a sum of data that holds sums is weak, so it is rotated and shifted. */
export function maskedSum(content: Uint8Array): number {
  const sum = crc32c(content)
  return (((sum >>> 15) | (sum << 17)) + 0xa282_ead8) >>> 0
}

/** CRC-32C of RFC 3720, which zlib does not have. */
function crc32c(content: Uint8Array): number {
  let sum = 0xffff_ffff
  for (let index = 0; index < content.length; index++) {
    sum = (sums[(sum ^ (content[index] as number)) & 0xff] as number) ^ (sum >>> 8)
  }
  return (sum ^ 0xffff_ffff) >>> 0
}

const polynomial = 0x82f6_3b78
const sums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ polynomial : sum >>> 1
  return sum
})

const tableBits = 14
const positions = new Uint16Array(1 << tableBits)
/** No match is looked for in so many bytes at the end, so that four bytes can be read anywhere. */
const tail = 15

function longestPacked(length: number) {
  return 32 + length + Math.ceil(length / 6)
}

/**
 * Compresses at most 64 KiB: at each position the four bytes are looked up in a table of the positions where such bytes were last.
 * @returns how many bytes were written
 */
function compressBlock(input: Uint8Array, out: Uint8Array): number {
  const { length } = input
  let at = putLength(length, out)
  let emitted = 0
  let position = 1
  positions.fill(0)
  const last = length - tail
  for (let misses = 0; position < last; ) {
    const word = wordAt(input, position)
    const slot = slotOf(word)
    const candidate = positions[slot] as number
    positions[slot] = position
    if (wordAt(input, candidate) !== word) {
      // The longer nothing was found, the larger the steps: content that does not repeat takes little time.
      position += 1 + (misses++ >>> 5)
      continue
    }
    misses = 0
    at = putLiteral(input, emitted, position, out, at)
    let end = position + 4
    const offset = position - candidate
    while (end < length && input[end] === input[end - offset]) end++
    at = putCopy(offset, end - position, out, at)
    emitted = end
    if (end - 1 < last) positions[slotOf(wordAt(input, end - 1))] = end - 1
    position = end
  }
  return putLiteral(input, emitted, length, out, at)
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

function slotOf(word: number): number {
  return Math.imul(word, 0x1e35_a7bd) >>> (32 - tableBits)
}

/** The length of the content, seven bits to a byte. */
function putLength(length: number, out: Uint8Array): number {
  let at = 0
  let rest = length
  for (; rest > 0x7f; rest >>>= 7) out[at++] = (rest & 0x7f) | 0x80
  out[at++] = rest
  return at
}

function putLiteral(input: Uint8Array, from: number, to: number, out: Uint8Array, start: number): number {
  const length = to - from
  if (length === 0) return start
  let at = start
  const less = length - 1
  if (less < 60) out[at++] = less << 2
  else {
    out[at++] = (less < 0x100 ? 60 : 61) << 2
    out[at++] = less & 0xff
    if (less >= 0x100) out[at++] = less >>> 8
  }
  out.set(input.subarray(from, to), at)
  return at + length
}

/** Copies of 4 to 64 bytes from before: with an offset of 11 bits in two bytes, or of 16 bits in three. */
function putCopy(offset: number, length: number, out: Uint8Array, start: number): number {
  let at = start
  let rest = length
  while (rest > 0) {
    // At least four bytes must be left for the last copy.
    const part = rest >= 68 ? 64 : rest > 64 ? 60 : rest
    if (part < 12 && offset < 2048) {
      out[at++] = 1 | ((part - 4) << 2) | ((offset >>> 8) << 5)
    } else {
      out[at++] = 2 | ((part - 1) << 2)
      out[at++] = offset & 0xff
    }
    out[at++] = part < 12 && offset < 2048 ? offset & 0xff : offset >>> 8
    rest -= part
  }
  return at
}
