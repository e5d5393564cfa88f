// Reads a zip archive strictly: everything that stands in it twice must be the same, and nothing may stand between the records.
import assert from 'node:assert/strict'
import { crc32, inflateRawSync } from 'node:zlib'
import { Pieces } from './pieces.ts'

export interface ZipEntry {
  readonly name: string
  readonly size: number
  readonly packedSize: number
  readonly method: number
  readonly hasDescriptor: boolean
  /** Whether the sizes or the offset stand in a zip64 field. */
  readonly isZip64: boolean
  /** Type and permissions. */
  readonly mode: number
  readonly dosTime: Date
  /** Seconds since the epoch, from the extended timestamp. */
  readonly timestamp: number | undefined
  /** For a content that fits into memory. */
  content(): Buffer
}

interface Row extends Omit<ZipEntry, 'content'> {
  readonly rawName: Buffer
  readonly common: Buffer
  readonly crc: number
  readonly offset: number
  readonly isLarge: boolean
}

/** @throws AssertionError when the archive is not valid to the last byte */
export function readZip(chunks: readonly Uint8Array[]): { entries: readonly ZipEntry[]; isZip64: boolean } {
  const bytes = new Pieces(chunks)
  const end = readEnd(bytes)
  const directory = bytes.slice(end.offset, end.offset + end.size)
  const entries: ZipEntry[] = []
  let [at, next] = [0, 0]
  while (at < directory.length) {
    const { row, length } = readRow(directory.subarray(at))
    assert.equal(row.offset, next, 'entries follow each other without gaps')
    const start = checkLocal(bytes, row)
    const packed = () => bytes.between(start, start + row.packedSize)
    checkContent(packed(), row)
    next = checkDescriptor(bytes, row, start + row.packedSize)
    entries.push({ ...row, content: () => unpacked(Buffer.concat([...packed()]), row.method) })
    at += length
  }
  assert.equal(next, end.offset)
  assert.equal(entries.length, end.count)
  return { entries, isZip64: end.isZip64 }
}

function readEnd(bytes: Pieces) {
  const start = bytes.length - 22
  const end = bytes.slice(start, bytes.length)
  assert.equal(end.readUInt32LE(0), 0x06054b50)
  assert.equal(end.readUInt32LE(4), 0, 'one disk')
  assert.equal(end.readUInt16LE(20), 0, 'no comment')
  assert.equal(end.readUInt16LE(8), end.readUInt16LE(10))
  const short = { count: end.readUInt16LE(10), size: end.readUInt32LE(12), offset: end.readUInt32LE(16) }
  if (short.count < 0xffff && short.size < 0xffffffff && short.offset < 0xffffffff) {
    assert.equal(short.offset + short.size, start)
    return { ...short, isZip64: false }
  }
  const locator = bytes.slice(start - 20, start)
  assert.deepEqual([locator.readUInt32LE(0), locator.readUInt32LE(4), locator.readUInt32LE(16)], [0x07064b50, 0, 1])
  const largeAt = number(locator, 8)
  assert.equal(largeAt, start - 20 - 56)
  const large = bytes.slice(largeAt, largeAt + 56)
  assert.deepEqual([large.readUInt32LE(0), number(large, 4)], [0x06064b50, 44])
  assert.equal(number(large, 24), number(large, 32))
  const long = { count: number(large, 32), size: number(large, 40), offset: number(large, 48) }
  // A writer may say of each number that it stands elsewhere.
  assert.ok(short.count === 0xffff || short.count === long.count)
  assert.ok(short.size === 0xffffffff || short.size === long.size)
  assert.ok(short.offset === 0xffffffff || short.offset === long.offset)
  assert.equal(long.offset + long.size, largeAt)
  return { ...long, isZip64: true }
}

function readRow(bytes: Buffer): { row: Row; length: number } {
  assert.equal(bytes.readUInt32LE(0), 0x02014b50)
  const flags = bytes.readUInt16LE(8)
  const [nameLength, extraLength] = [bytes.readUInt16LE(28), bytes.readUInt16LE(30)]
  assert.equal(bytes.readUIntLE(32, 6), 0, 'no comment, disk or internal attributes')
  const rawName = bytes.subarray(46, 46 + nameLength)
  const fields = readExtra(bytes.subarray(46 + nameLength, 46 + nameLength + extraLength))
  const [size, packedSize, offset] = [bytes.readUInt32LE(24), bytes.readUInt32LE(20), bytes.readUInt32LE(42)]
  const large = fields.get(0x0001) ?? Buffer.alloc(0)
  let at = 0
  const long = (short: number) => {
    if (short !== 0xffffffff) return short
    at += 8
    return number(large, at - 8)
  }
  const external = bytes.readUInt32LE(38)
  const name = new TextDecoder('utf-8', { fatal: true }).decode(rawName)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what UTF-8 does not change
  if (flags & ~8 || /[^\x00-\x7f]/.test(name)) assert.equal(flags & ~8, 1 << 11, 'no flags but UTF-8 and the descriptor')
  assert.equal((external & 0x10) !== 0, name.endsWith('/'))
  const row = {
    rawName,
    name,
    common: bytes.subarray(8, 16),
    method: bytes.readUInt16LE(10),
    dosTime: readDosTime(bytes.readUInt16LE(14), bytes.readUInt16LE(12)),
    crc: bytes.readUInt32LE(16),
    size: long(size),
    packedSize: long(packedSize),
    offset: long(offset),
    hasDescriptor: (flags & 8) !== 0,
    isLarge: size === 0xffffffff,
    isZip64: large.length > 0,
    mode: external >>> 16,
    timestamp: fields.get(0x5455)?.readInt32LE(1),
  }
  assert.equal(at, large.length, 'the zip64 field has what is missing elsewhere, and nothing else')
  checkVersion(bytes.readUInt16LE(6), row.isZip64)
  return { row, length: 46 + nameLength + extraLength }
}

/** The version of the format that a reader needs, times ten. Some writers say 1.0 of everything without zip64. */
function checkVersion(version: number, isZip64: boolean) {
  assert.ok(isZip64 ? version === 45 : version === 10 || version === 20, `version ${version}`)
}

/** @returns where the content begins */
function checkLocal(bytes: Pieces, row: Row): number {
  const header = bytes.slice(row.offset, row.offset + 30)
  assert.equal(header.readUInt32LE(0), 0x04034b50)
  checkVersion(header.readUInt16LE(4), row.isLarge)
  assert.deepEqual(header.subarray(6, 14), row.common)
  assert.equal(header.readUInt32LE(14), row.hasDescriptor ? 0 : row.crc)
  const nameEnd = row.offset + 30 + header.readUInt16LE(26)
  const end = nameEnd + header.readUInt16LE(28)
  assert.deepEqual(bytes.slice(row.offset + 30, nameEnd), row.rawName)
  const fields = readExtra(bytes.slice(nameEnd, end))
  assert.equal(fields.get(0x5455)?.readInt32LE(1), row.timestamp)
  const sizes = [header.readUInt32LE(22), header.readUInt32LE(18)]
  const expected = row.hasDescriptor ? [0, 0] : [row.size, row.packedSize]
  const large = fields.get(0x0001)
  assert.equal(large !== undefined, row.isLarge)
  assert.deepEqual(large ? [number(large, 0), number(large, 8)] : sizes, expected)
  if (large) assert.deepEqual(sizes, [0xffffffff, 0xffffffff])
  return end
}

function checkContent(packed: Iterable<Uint8Array>, { method, crc, size, packedSize }: Row) {
  if (method !== 0) packed = [unpacked(Buffer.concat([...packed]), method)]
  else assert.equal(size, packedSize)
  let [sum, length] = [0, 0]
  for (const chunk of packed) {
    sum = crc32(chunk, sum)
    length += chunk.length
  }
  assert.deepEqual([sum, length], [crc, size])
}

/** @returns where the entry ends */
function checkDescriptor(bytes: Pieces, row: Row, start: number): number {
  if (!row.hasDescriptor) return start
  const end = start + (row.isLarge ? 24 : 16)
  const record = bytes.slice(start, end)
  const sizes = row.isLarge ? [number(record, 8), number(record, 16)] : [record.readUInt32LE(8), record.readUInt32LE(12)]
  assert.deepEqual([record.readUInt32LE(0), record.readUInt32LE(4), ...sizes], [0x08074b50, row.crc, row.packedSize, row.size])
  return end
}

function unpacked(packed: Buffer, method: number): Buffer {
  assert.ok(method === 0 || method === 8)
  return method === 0 ? packed : inflateRawSync(packed)
}

function readExtra(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>()
  let at = 0
  while (at < bytes.length) {
    const length = bytes.readUInt16LE(at + 2)
    fields.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  assert.equal(at, bytes.length)
  return fields
}

function readDosTime(date: number, time: number): Date {
  const day = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31] as const
  return new Date(Date.UTC(...day, time >> 11, (time >> 5) & 63, (time & 31) * 2))
}

function number(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}
