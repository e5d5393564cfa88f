// The records of a zip file. Numbers in comments are sections of https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT.

import { RecordWriter } from './record-writer.ts'

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
  readonly name: string
  /** Bytes of the name in UTF-8. */
  readonly nameLength: number
  readonly isDir: boolean
  readonly method: Method
  readonly times: Times
  readonly mode: number
  readonly hasDescriptor: boolean
  /** Whether the sizes of the entry may need 8 bytes. */
  readonly isLarge: boolean
}

/** A time as the records hold it. */
export type Times = Readonly<{
  /** Of DOS, with a resolution of 2 seconds, in UTC, so that the archive does not depend on the server's time zone. */
  time: number
  day: number
  /** Since the epoch; undefined when they do not fit into 4 bytes with a sign. */
  seconds: number | undefined
}>

export interface Sums {
  readonly crc: number
  readonly size: number
  readonly packedSize: number
}

/** Whether a content with this size may need 8 bytes for a size. Deflating noise adds less than 1 in 2,000. */
export function mayBeLarge(size: number): boolean {
  return size + size / 2000 + 1024 >= over32
}

/** Bytes of `putLocalHeader`. */
export function localHeaderLength({ isLarge, nameLength, times }: Header): number {
  return 30 + nameLength + (isLarge ? 20 : 0) + timestampLength(times)
}

/** 4.3.7. The sums are zero while they are not known. */
export function putLocalHeader(to: RecordWriter, header: Header, { crc, size, packedSize }: Sums): void {
  const { isLarge } = header
  to.u32(0x04034b50).u16(isLarge ? 45 : 20)
  putCommon(to, header)
  to.u32(crc)
  if (isLarge) to.u32(over32).u32(over32)
  else to.u32(packedSize).u32(size)
  putName(to, header, localHeaderLength(header) - 30)
  if (isLarge) to.u16(0x0001).u16(16).u64(size).u64(packedSize)
  putTimestamp(to, header.times)
}

/** 4.3.9, with the signature. */
export function descriptor({ isLarge }: Header, { crc, size, packedSize }: Sums): Buffer {
  const to = new RecordWriter(isLarge ? 24 : 16)
  to.u32(0x08074b50).u32(crc)
  if (isLarge) to.u64(packedSize).u64(size)
  else to.u32(packedSize).u32(size)
  return to.written()
}

/** Bytes of `putDirectoryRecord`. */
export function directoryRecordLength({ isLarge, nameLength, times }: Header, offset: number): number {
  return 46 + nameLength + largeLength(isLarge, offset) + timestampLength(times)
}

/** 4.3.12. @param offset where the local header begins */
export function putDirectoryRecord(to: RecordWriter, header: Header, { crc, size, packedSize }: Sums, offset: number): void {
  const { isLarge } = header
  const isFar = offset >= over32
  to.u32(0x02014b50)
    .u16(madeByUnix)
    .u16(isLarge || isFar ? 45 : 20)
  putCommon(to, header)
  to.u32(crc)
    .u32(isLarge ? over32 : packedSize)
    .u32(isLarge ? over32 : size)
    .u16(header.nameLength)
    .u16(directoryRecordLength(header, offset) - 46 - header.nameLength)
  // Comment, disk, and internal attributes.
  to.u16(0).u16(0).u16(0)
  to.u32(attributes(header)).u32(isFar ? over32 : offset)
  to.text(header.name)
  if (isLarge || isFar) to.u16(0x0001).u16(largeLength(isLarge, offset) - 4)
  if (isLarge) to.u64(size).u64(packedSize)
  if (isFar) to.u64(offset)
  putTimestamp(to, header.times)
}

/** 4.3.14 to 4.3.16: the end of the archive, with the zip64 records when a number needs them. */
export function endRecords(count: number, { offset, size }: { offset: number; size: number }): Buffer {
  const to = new RecordWriter(98)
  if (count >= over16 || size >= over32 || offset >= over32) {
    // The size of this record is counted from behind itself.
    to.u32(0x06064b50).u64(44).u16(madeByUnix).u16(45).u32(0).u32(0).u64(count).u64(count).u64(size).u64(offset)
    to.u32(0x07064b50)
      .u32(0)
      .u64(offset + size)
      .u32(1)
  }
  const shortCount = Math.min(count, over16)
  to.u32(0x06054b50).u32(0).u16(shortCount).u16(shortCount)
  to.u32(Math.min(size, over32)).u32(Math.min(offset, over32)).u16(0)
  return to.written()
}

function putCommon(to: RecordWriter, { method, hasDescriptor, times: { time, day } }: Header) {
  to.u16(namesAreUtf8 | (hasDescriptor ? sizesInDescriptor : 0))
    .u16(methods[method])
    .u16(time)
    .u16(day)
}

/** @param rest bytes of the name and the fields behind it */
function putName(to: RecordWriter, { name, nameLength }: Header, rest: number) {
  to.u16(nameLength)
    .u16(rest - nameLength)
    .text(name)
}

/** Unix type and permissions, and the folder bit of DOS. */
function attributes({ isDir, mode }: Header) {
  const unix = (isDir ? 0o040000 : 0o100000) | (mode & 0o7777)
  return unix * 0x10000 + (isDir ? 0x10 : 0)
}

/** Bytes of the zip64 field in the directory. */
function largeLength(isLarge: boolean, offset: number) {
  const isFar = offset >= over32
  return isLarge || isFar ? 4 + (isLarge ? 16 : 0) + (isFar ? 8 : 0) : 0
}

function timestampLength({ seconds }: Times) {
  return seconds === undefined ? 0 : 9
}

/** Info-ZIP's field 0x5455 (extrafld.txt). */
function putTimestamp(to: RecordWriter, { seconds }: Times) {
  const modifiedOnly = 1
  if (seconds !== undefined)
    to.u16(0x5455)
      .u16(5)
      .u8(modifiedOnly)
      .u32(seconds >>> 0)
}
