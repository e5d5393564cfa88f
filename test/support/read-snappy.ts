// Reads framed Snappy strictly: every length, sum and back reference must be right, and nothing may be left over.
import assert from 'node:assert/strict'

/** @returns the content of the chunks that follow the start of a stream @throws AssertionError when a chunk is not valid */
export function readSnappyChunks(bytes: Buffer): Buffer {
  const contents: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const [kind, length] = [bytes.readUInt8(at), bytes.readUIntLE(at + 1, 3)]
    const end = at + 4 + length
    assert.ok(kind === 0 || kind === 1)
    assert.ok(end <= bytes.length && length > 4)
    const body = bytes.subarray(at + 8, end)
    const content = kind === 1 ? body : readBlock(body)
    assert.ok(content.length <= 65_536)
    assert.equal(bytes.readUInt32LE(at + 4), masked(crc32c(content)))
    contents.push(content)
    at = end
  }
  return Buffer.concat(contents)
}

function readBlock(block: Buffer): Buffer {
  let [at, length, shift] = [0, 0, 0]
  for (let byte = 0x80; byte & 0x80; shift += 7) {
    byte = block.readUInt8(at++)
    length |= (byte & 0x7f) << shift
  }
  const content = Buffer.alloc(length)
  let filled = 0
  while (at < block.length) {
    const tag = block.readUInt8(at++)
    if ((tag & 3) === 0) {
      const extra = Math.max(0, (tag >> 2) - 59)
      const size = (extra ? block.readUIntLE(at, extra) : tag >> 2) + 1
      at += extra
      assert.ok(at + size <= block.length && filled + size <= length)
      block.copy(content, filled, at, at + size)
      at += size
      filled += size
      continue
    }
    assert.ok((tag & 3) < 3, 'offsets of four bytes are not needed')
    const isShort = (tag & 3) === 1
    const size = isShort ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    const offset = isShort ? ((tag >> 5) << 8) | block.readUInt8(at) : block.readUInt16LE(at)
    at += isShort ? 1 : 2
    assert.ok(offset > 0 && offset <= filled && filled + size <= length)
    for (let end = filled + size; filled < end; filled++) content[filled] = content[filled - offset] as number
  }
  assert.equal(filled, length)
  return content
}

function masked(sum: number): number {
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0
}

/** Bit by bit. */
export function crc32c(content: Uint8Array): number {
  let sum = ~0
  for (const byte of content) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0x82f63b78 : 0)
  }
  return ~sum >>> 0
}
