// Reads LZ4 in its frame format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md and lz4_Block_format.md beside it.
import { createXXHash32 } from 'hash-wasm'
import { damaged, moreBehind } from './archive-file.ts'
import { pieceLength } from './byte-source.ts'
import { inPieces, type PackedInput, type Unpack } from './packed-input.ts'

type Sum = Awaited<ReturnType<typeof createXXHash32>>

const [frameStart, firstSkipped, lastSkipped] = [0x184d_2204, 0x184d_2a50, 0x184d_2a5f]
/** How far back a copy reaches. */
const windowLength = 64 * 1024
const storedBit = 0x8000_0000

type Frame = Readonly<{
  isLinked: boolean
  hasBlockSums: boolean
  size: number | undefined
  hasSum: boolean
  largestBlock: number
}>

export async function lz4Unpacker(): Promise<Unpack> {
  const [sum, ofAll] = [await createXXHash32(), await createXXHash32()]
  let space = Buffer.alloc(0)
  /** What the next block may copy from, and behind it the block. All frames use the same: a frame may have a few bytes. */
  const spaceFor = (length: number) => {
    if (space.length < length) space = Buffer.alloc(length)
    return space
  }
  return function* (input) {
    for (let isFirst = true; isFirst || !input.isOver(); isFirst = false) {
      const head = isFirst ? input.bytes(4) : input.upTo(4)
      if (head.length < 4) throw moreBehind()
      const start = head.readUInt32LE()
      if (start === frameStart) yield* frameOf(input, { sum, ofAll, spaceFor })
      else if (start >= firstSkipped && start <= lastSkipped) skip(input, input.bytes(4).readUInt32LE())
      else throw isFirst ? damaged() : moreBehind()
    }
  }
}

function skip(input: PackedInput, length: number): void {
  for (let left = length; left > 0; left -= pieceLength) input.bytes(Math.min(left, pieceLength))
}

type Tools = Readonly<{ sum: Sum; ofAll: Sum; spaceFor(length: number): Buffer }>

function* frameOf(input: PackedInput, { sum, ofAll, spaceFor }: Tools): Generator<Uint8Array, void, undefined> {
  const frame = headerOf(input, sum)
  ofAll.init()
  let length = 0
  const space = spaceFor(windowLength + frame.largestBlock)
  let before = 0
  for (let head = input.bytes(4).readUInt32LE(); head !== 0; head = input.bytes(4).readUInt32LE()) {
    const packedLength = head % storedBit
    if (packedLength > frame.largestBlock) throw damaged()
    const packed = input.bytes(packedLength)
    if (frame.hasBlockSums && input.bytes(4).readUInt32LE() !== sumOf(sum, packed)) throw damaged()
    if (!frame.isLinked) before = 0
    const end =
      head >= storedBit ? before + packed.copy(space, before) : unpackBlock(packed, space, before, before + frame.largestBlock)
    const content = space.subarray(before, end)
    length += content.length
    if (frame.hasSum) ofAll.update(content)
    yield* inPieces(content)
    const kept = Math.min(end, windowLength)
    space.copyWithin(0, end - kept, end)
    before = kept
  }
  if (frame.hasSum && input.bytes(4).readUInt32LE() !== digestOf(ofAll)) throw damaged()
  if (frame.size !== undefined && frame.size !== length) throw damaged()
}

/** @throws Failure('invalid') also for what needs a dictionary */
function headerOf(input: PackedInput, sum: Sum): Frame {
  const [flags, block] = [input.byte(), input.byte()]
  const [hasSize, hasDictionary] = [(flags & 8) !== 0, (flags & 1) !== 0]
  const size = hasSize ? input.bytes(8) : Buffer.alloc(0)
  const wanted = (sumOf(sum, Buffer.concat([Buffer.of(flags, block), size])) >>> 8) & 0xff
  const sizeCode = (block >> 4) & 7
  if (flags >> 6 !== 1 || (flags & 2) !== 0 || hasDictionary || (block & 0x8f) !== 0 || sizeCode < 4) throw damaged()
  if (input.byte() !== wanted) throw damaged()
  return {
    isLinked: (flags & 0x20) === 0,
    hasBlockSums: (flags & 0x10) !== 0,
    size: hasSize ? Number(size.readBigUInt64LE()) : undefined,
    hasSum: (flags & 4) !== 0,
    largestBlock: 1 << (8 + 2 * sizeCode),
  }
}

function sumOf(sum: Sum, bytes: Uint8Array): number {
  sum.init()
  sum.update(bytes)
  return digestOf(sum)
}

const digestOf = (sum: Sum): number => Buffer.from(sum.digest('binary')).readUInt32BE()

/** @returns where the content ends in `out`, at most at `most` */
function unpackBlock(packed: Uint8Array, out: Buffer, start: number, most: number): number {
  let at = 0
  let filled = start
  /** The rest of a length that does not fit into four bits. */
  const longer = (length: number): number => {
    if (length < 15) return length
    let all = length
    for (let byte = 255; byte === 255; all += byte) {
      if (at >= packed.length) throw damaged()
      byte = packed[at++] as number
    }
    return all
  }
  for (;;) {
    if (at >= packed.length) throw damaged()
    const token = packed[at++] as number
    const literal = longer(token >> 4)
    if (at + literal > packed.length || filled + literal > most) throw damaged()
    out.set(packed.subarray(at, at + literal), filled)
    at += literal
    filled += literal
    // The last sequence has no copy.
    if (at === packed.length) return filled
    if (at + 2 > packed.length) throw damaged()
    const offset = (packed[at] as number) | ((packed[at + 1] as number) << 8)
    at += 2
    const length = longer(token & 15) + 4
    if (offset === 0 || offset > filled || filled + length > most) throw damaged()
    if (offset >= length) {
      out.copyWithin(filled, filled - offset, filled - offset + length)
      filled += length
    } else for (const end = filled + length; filled < end; filled++) out[filled] = out[filled - offset] as number
  }
}
