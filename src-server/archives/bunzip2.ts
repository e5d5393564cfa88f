// Reads bzip2 block by block, also several streams one after the other. Own code: packages decode whole buffers, or keep a block in an
// array of numbers, which takes several hundred megabytes for what 81 bytes can stand for.
import { damaged, moreBehind } from './archive-file.ts'
import { pieceLength } from './byte-source.ts'
import type { PackedInput } from './packed-input.ts'

const [blockStart, streamEnd] = [0x3141_5926_5359, 0x1772_4538_5090]
/** Bytes of a block for each level. */
const unitOfLevel = 100_000
const [longestCode, mostTables, mostSelectors, symbolsOfSelector] = [20, 6, 18_002, 50]

export function* bunzip2(input: PackedInput): Generator<Uint8Array, void, undefined> {
  let block = new Uint32Array(0)
  for (let isFirst = true; isFirst || !input.isOver(); isFirst = false) {
    const level = levelOf(input, isFirst)
    // All streams use the same memory: a stream may have a few bytes.
    if (block.length < level * unitOfLevel) block = new Uint32Array(level * unitOfLevel)
    yield* streamOf(input, block.subarray(0, level * unitOfLevel))
  }
}

function levelOf(input: PackedInput, isFirst: boolean): number {
  const start = (isFirst ? input.bytes(4) : input.upTo(4)).toString('latin1')
  if (!/^BZh[1-9]$/.test(start)) throw isFirst ? damaged() : moreBehind()
  return Number(start.slice(3))
}

function* streamOf(input: PackedInput, block: Uint32Array): Generator<Uint8Array, void, undefined> {
  const bits = new Bits(input)
  for (let sum = 0; ; ) {
    const start = bits.read(24) * 2 ** 24 + bits.read(24)
    const wanted = bits.read(16) * 2 ** 16 + bits.read(16)
    if (start === streamEnd) {
      if (wanted !== sum) throw damaged()
      return
    }
    if (start !== blockStart) throw damaged()
    const found = yield* contentOf(block, readBlock(bits, block))
    if (found !== wanted) throw damaged()
    sum = (((sum << 1) | (sum >>> 31)) ^ found) >>> 0
  }
}

/** Reads no byte before it is needed, so that behind a stream the next one is read from where it begins. */
class Bits {
  readonly #input: PackedInput
  #held = 0
  #count = 0

  constructor(input: PackedInput) {
    this.#input = input
  }

  /** @param count at most 24 */
  read(count: number): number {
    while (this.#count < count) {
      this.#held = ((this.#held << 8) | this.#input.byte()) >>> 0
      this.#count += 8
    }
    this.#count -= count
    const value = this.#held >>> this.#count
    this.#held &= (1 << this.#count) - 1
    return value
  }
}

type Code = Readonly<{
  /** By length: the first code that is longer, and what a code is counted from to find its symbol. */
  limits: Int32Array
  bases: Int32Array
  symbols: Uint16Array
  shortest: number
}>

/**
 * Reads the codes of a block, and the bytes that they stand for in the order of the sorted rotations.
 * @param block gets the bytes in the low eight bits @returns how many, and which of them is first in the content
 */
function readBlock(bits: Bits, block: Uint32Array): { count: number; origin: number } {
  // Blocks that are made random are of versions before 0.9.5.
  if (bits.read(1) !== 0) throw damaged()
  const origin = bits.read(24)
  const bytes = readUsed(bits)
  const end = bytes.length + 1
  const tables = bits.read(3)
  if (tables < 2 || tables > mostTables) throw damaged()
  const selectors = readSelectors(bits, tables)
  const codes = Array.from({ length: tables }, () => readCode(bits, bytes.length + 2))
  let [count, selector, left, run, shift] = [0, 0, 0, 0, 0]
  let code = codes[0] as Code
  for (;;) {
    if (left-- === 0) {
      if (selector === selectors.length) throw damaged()
      code = codes[selectors[selector++] as number] as Code
      left = symbolsOfSelector - 1
    }
    const symbol = readSymbol(bits, code)
    if (symbol < 2) {
      // A number in which the digits are 1 and 2.
      run += (symbol + 1) * 2 ** shift++
      if (run > block.length - count) throw damaged()
      continue
    }
    if (run > 0) {
      block.fill(bytes[0] as number, count, count + run)
      count += run
      ;[run, shift] = [0, 0]
    }
    if (symbol === end) break
    if (count === block.length) throw damaged()
    const place = symbol - 1
    const byte = bytes[place] as number
    bytes.copyWithin(1, 0, place)
    bytes[0] = byte
    block[count++] = byte
  }
  if (origin >= count) throw damaged()
  return { count, origin }
}

function readUsed(bits: Bits): Uint8Array {
  const groups = bits.read(16)
  const used: number[] = []
  for (let group = 0; group < 16; group++) {
    if (((groups >> (15 - group)) & 1) === 0) continue
    const inGroup = bits.read(16)
    for (let index = 0; index < 16; index++) if ((inGroup >> (15 - index)) & 1) used.push(16 * group + index)
  }
  if (used.length === 0) throw damaged()
  return Uint8Array.from(used)
}

function readSelectors(bits: Bits, tables: number): Uint8Array {
  const count = bits.read(15)
  if (count === 0) throw damaged()
  const order = Array.from({ length: tables }, (_, index) => index)
  const selectors = new Uint8Array(count)
  for (let index = 0; index < count; index++) {
    let place = 0
    while (bits.read(1) === 1) if (++place === tables) throw damaged()
    const [table = 0] = order.splice(place, 1)
    order.unshift(table)
    selectors[index] = table
  }
  // Some programs write more than can be used.
  return selectors.subarray(0, mostSelectors)
}

function readCode(bits: Bits, symbolCount: number): Code {
  const counts = new Int32Array(longestCode + 2)
  const lengths = new Uint8Array(symbolCount)
  let length = bits.read(5)
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    for (; ; length += bits.read(1) === 0 ? 1 : -1) {
      if (length < 1 || length > longestCode) throw damaged()
      if (bits.read(1) === 0) break
    }
    lengths[symbol] = length
    counts[length] = (counts[length] as number) + 1
  }
  const [limits, bases] = [new Int32Array(longestCode + 1), new Int32Array(longestCode + 1)]
  let [first, before] = [0, 0]
  for (let bitCount = 1; bitCount <= longestCode; bitCount++) {
    first *= 2
    bases[bitCount] = first - before
    before += counts[bitCount] as number
    first += counts[bitCount] as number
    limits[bitCount] = first
  }
  const symbols = new Uint16Array(symbolCount)
  let filled = 0
  for (let bitCount = 1; bitCount <= longestCode; bitCount++)
    for (let symbol = 0; symbol < symbolCount; symbol++) if (lengths[symbol] === bitCount) symbols[filled++] = symbol
  return { limits, bases, symbols, shortest: lengths.reduce((least, one) => Math.min(least, one)) }
}

function readSymbol(bits: Bits, { limits, bases, symbols, shortest }: Code): number {
  let value = bits.read(shortest)
  for (let length = shortest; length <= longestCode; length++) {
    if (value < (limits[length] as number)) {
      const symbol = symbols[value - (bases[length] as number)]
      if (symbol === undefined) break
      return symbol
    }
    value = (value << 1) | bits.read(1)
  }
  throw damaged()
}

/** Puts the bytes into the order of the content, and repeats those that stand for several. @returns their checksum */
function* contentOf(
  block: Uint32Array,
  { count, origin }: { count: number; origin: number },
): Generator<Uint8Array, number, undefined> {
  linkRotations(block, count)
  let sum = 0xffff_ffff
  let piece = Buffer.allocUnsafeSlow(pieceLength)
  let [filled, previous, same] = [0, -1, 0]
  let at = (block[origin] as number) >>> 8
  for (let index = 0; index < count; index++) {
    const link = block[at] as number
    at = link >>> 8
    const byte = link & 0xff
    let times = 1
    let value = byte
    if (same === 4) {
      // Behind four equal bytes stands how many more there are.
      ;[times, value, same] = [byte, previous, 0]
      previous = -1
    } else {
      same = byte === previous ? same + 1 : 1
      previous = byte
    }
    for (; times > 0; times--) {
      piece[filled++] = value
      sum = (sum << 8) ^ (sums[(sum >>> 24) ^ value] as number)
      if (filled < pieceLength) continue
      yield piece
      piece = Buffer.allocUnsafeSlow(pieceLength)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
  return ~sum >>> 0
}

/** Puts into the upper bits of each place where the next byte of the content stands. */
function linkRotations(block: Uint32Array, count: number): void {
  const starts = new Uint32Array(257)
  for (let index = 0; index < count; index++) {
    const next = ((block[index] as number) & 0xff) + 1
    starts[next] = (starts[next] as number) + 1
  }
  for (let byte = 0; byte < 256; byte++) starts[byte + 1] = (starts[byte + 1] as number) + (starts[byte] as number)
  for (let index = 0; index < count; index++) {
    const byte = (block[index] as number) & 0xff
    const place = starts[byte] as number
    starts[byte] = place + 1
    block[place] = ((block[place] as number) & 0xff) | (index << 8)
  }
}

/** CRC-32 from the highest bit down, which zlib does not have. */
const sums = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1
  return sum
})
