// The records of a zip file. Numbers in comments are sections of https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT.

/** The first value that does not fit: it means "see the zip64 field". */
const over32 = 0xffff_ffff
const over16 = 0xffff

const sizesInDescriptor = 1 << 3
const namesAreUtf8 = 1 << 11
const madeByUnix = (3 << 8) | 45

export type Method = 'stored' | 'deflated'
const methods = { stored: 0, deflated: 8 } as const

/** What stands in front of the content. Sum and sizes are missing when they follow the content in a descriptor. */
export interface Header {
  readonly name: Buffer
  readonly isDir: boolean
  readonly method: Method
  readonly modified: bigint
  readonly mode: number
  readonly hasDescriptor: boolean
  /** Whether the sizes of the entry may need 8 bytes. */
  readonly isLarge: boolean
}

export interface Sums {
  readonly crc: number
  readonly size: number
  readonly packedSize: number
}

/** Whether a content with this size may need 8 bytes for a size. Deflating noise adds less than 1 in 2,000. */
export function mayBeLarge(size: number): boolean {
  return size + size / 2000 + 1024 >= over32
}

/** 4.3.7. The sums are zero while they are not known. */
export function localHeader(header: Header, { crc, size, packedSize }: Sums): Buffer {
  const large = header.isLarge ? field(0x0001, u64(size), u64(packedSize)) : []
  const extra = bytes(...large, ...timestamp(header.modified))
  return bytes(
    u32(0x04034b50),
    u16(header.isLarge ? 45 : 20),
    ...common(header),
    u32(crc),
    ...(header.isLarge ? [u32(over32), u32(over32)] : [u32(packedSize), u32(size)]),
    u16(header.name.length),
    u16(extra.length),
    header.name,
    extra,
  )
}

/** 4.3.9, with the signature. */
export function descriptor({ isLarge }: Header, { crc, size, packedSize }: Sums): Buffer {
  const number = isLarge ? u64 : u32
  return bytes(u32(0x08074b50), u32(crc), number(packedSize), number(size))
}

/** 4.3.12. @param offset where the local header begins */
export function directoryRecord(header: Header, { crc, size, packedSize }: Sums, offset: number): Buffer {
  const isFar = offset >= over32
  const large = [...(header.isLarge ? [u64(size), u64(packedSize)] : []), ...(isFar ? [u64(offset)] : [])]
  const extra = bytes(...(large.length > 0 ? field(0x0001, ...large) : []), ...timestamp(header.modified))
  return bytes(
    u32(0x02014b50),
    u16(madeByUnix),
    u16(large.length > 0 ? 45 : 20),
    ...common(header),
    u32(crc),
    ...(header.isLarge ? [u32(over32), u32(over32)] : [u32(packedSize), u32(size)]),
    u16(header.name.length),
    u16(extra.length),
    // Comment, disk, and internal attributes.
    ...[u16(0), u16(0), u16(0)],
    u32(attributes(header)),
    u32(isFar ? over32 : offset),
    header.name,
    extra,
  )
}

/** 4.3.14 to 4.3.16: the end of the archive, with the zip64 records when a number needs them. */
export function endRecords(count: number, directory: { offset: number; size: number }): Buffer {
  const { offset, size } = directory
  const shortCount = u16(Math.min(count, over16))
  const end = [
    u32(0x06054b50),
    u32(0),
    shortCount,
    shortCount,
    u32(Math.min(size, over32)),
    u32(Math.min(offset, over32)),
    u16(0),
  ]
  if (count < over16 && size < over32 && offset < over32) return bytes(...end)
  const counts = [u64(count), u64(count)]
  // The size of this record is counted from behind itself.
  const large = [u32(0x06064b50), u64(44), u16(madeByUnix), u16(45), u32(0), u32(0), ...counts, u64(size), u64(offset)]
  const locator = [u32(0x07064b50), u32(0), u64(offset + size), u32(1)]
  return bytes(...large, ...locator, ...end)
}

function common({ method, hasDescriptor, modified }: Header): Part[] {
  const flags = namesAreUtf8 | (hasDescriptor ? sizesInDescriptor : 0)
  return [u16(flags), u16(methods[method]), ...dosTime(modified)]
}

/** Unix type and permissions, and the folder bit of DOS. */
function attributes({ isDir, mode }: Header) {
  const unix = (isDir ? 0o040000 : 0o100000) | (mode & 0o7777)
  return unix * 0x10000 + (isDir ? 0x10 : 0)
}

/** Time and date with a resolution of 2 seconds, in UTC, so that the archive does not depend on the server's time zone. */
function dosTime(modified: bigint): Part[] {
  // These years are all that the format holds.
  const earliest = Date.UTC(1980, 0, 1)
  const latest = Date.UTC(2107, 11, 31, 23, 59, 58)
  const date = new Date(Math.min(Math.max(secondsOf(modified) * 1000, earliest), latest))
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return [u16(time), u16(day)]
}

/**
 * The time in whole seconds as Info-ZIP's field 0x5455 (extrafld.txt), which has 4 bytes with a sign. A time that does not fit
 * is left out: the nearest one that fits would be wrong, and the DOS time reaches further.
 */
function timestamp(modified: bigint): Part[] {
  const seconds = secondsOf(modified)
  if (seconds < -0x8000_0000 || seconds > 0x7fff_ffff) return []
  const modifiedOnly = Buffer.of(1)
  return field(0x5455, modifiedOnly, u32(seconds >>> 0))
}

/** Rounded down, also before 1970. */
function secondsOf(modified: bigint) {
  const second = 1_000_000_000n
  const rest = ((modified % second) + second) % second
  return Number((modified - rest) / second)
}

type Part = Buffer | readonly [width: 2 | 4 | 8, value: number]

function field(id: number, ...parts: Part[]): Part[] {
  return [u16(id), u16(lengthOf(parts)), ...parts]
}

function u16(value: number): Part {
  return [2, value]
}

function u32(value: number): Part {
  return [4, value]
}

function u64(value: number): Part {
  return [8, value]
}

/** One buffer for a whole record: one for each number would cost more than all else about a small file. */
function bytes(...parts: Part[]): Buffer {
  const all = Buffer.allocUnsafe(lengthOf(parts))
  let at = 0
  for (const part of parts) {
    if (Buffer.isBuffer(part)) part.copy(all, at)
    else if (part[0] === 8) all.writeBigUInt64LE(BigInt(part[1]), at)
    else all.writeUIntLE(part[1], at, part[0])
    at += lengthOf([part])
  }
  return all
}

function lengthOf(parts: readonly Part[]) {
  let length = 0
  for (const part of parts) length += Buffer.isBuffer(part) ? part.length : part[0]
  return length
}
