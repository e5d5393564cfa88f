// Zip archives made byte by byte, also ones that no program makes.
import { crc32, deflateRawSync } from 'node:zlib'

/** Fields of one place, which differ from those of the other where they are given. */
type Fields = Readonly<{
  name?: string | Buffer
  method?: number
  flags?: number
  crc?: number
  packed?: number
  size?: number
}>

export type ZipPart = Fields &
  Readonly<{
    content?: string | Uint8Array
    /** Type and permissions, of Unix. */
    mode?: number
    /** The system that made it: 3 is Unix, 0 FAT. */
    host?: number
    external?: number
    /** Of the time, as DOS has it. */
    year?: number
    extra?: Buffer
    local?: Fields & Readonly<{ extra?: Buffer }>
    /** Behind the content, in place of sums before it. */
    descriptor?: 'marked' | 'plain' | 'long' | Buffer
    /** Where the directory says that it begins. */
    offset?: number
    /** In place of the packed content. */
    bytes?: Uint8Array
  }>

type End = Readonly<{ count?: number; comment?: Buffer; behind?: Buffer; before?: Buffer; directoryOffset?: number }>

export function zipOf(parts: readonly ZipPart[], end: End = {}): Buffer {
  const { before = Buffer.alloc(0), comment = Buffer.alloc(0), behind = Buffer.alloc(0) } = end
  const pieces: Buffer[] = [before]
  const rows: Buffer[] = []
  let at = before.length
  for (const part of parts) {
    const { bytes, row } = partOf(part, at)
    pieces.push(bytes)
    rows.push(row)
    at += bytes.length
  }
  const directory = Buffer.concat(rows)
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x06054b50, 0)
  const count = end.count ?? parts.length
  last.writeUInt16LE(count, 8)
  last.writeUInt16LE(count, 10)
  last.writeUInt32LE(directory.length, 12)
  last.writeUInt32LE(end.directoryOffset ?? at, 16)
  last.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...pieces, directory, last, comment, behind])
}

function partOf(part: ZipPart, at: number): { bytes: Buffer; row: Buffer } {
  const content = Buffer.from(part.content ?? '')
  const method = part.method ?? (content.length > 0 ? 8 : 0)
  const packed = Buffer.from(part.bytes ?? (method === 8 ? deflateRawSync(content) : content))
  const descriptor = part.descriptor
  const flags = (part.flags ?? 0) | (descriptor ? 8 : 0)
  const sums = { crc: part.crc ?? crc32(content), packed: part.packed ?? packed.length, size: part.size ?? content.length }
  const name = Buffer.from(part.name ?? 'a')
  const host = part.host ?? 3
  const external = part.external ?? (host === 3 ? ((part.mode ?? 0o100644) << 16) >>> 0 : 0)
  const inLocal = { name, method, flags, ...(descriptor ? { crc: 0, packed: 0, size: 0 } : sums), ...part.local }
  const { year } = part
  const header = headOf({ ...inLocal, year }, { mark: 0x04034b50, length: 30, from: 4 })
  const localName = Buffer.from(inLocal.name)
  const localExtra = part.local?.extra ?? Buffer.alloc(0)
  header.writeUInt16LE(localName.length, 26)
  header.writeUInt16LE(localExtra.length, 28)
  const row = headOf({ method, flags, ...sums, year }, { mark: 0x02014b50, length: 46, from: 6 })
  const extra = part.extra ?? Buffer.alloc(0)
  row.writeUInt16LE((host << 8) | 20, 4)
  row.writeUInt16LE(name.length, 28)
  row.writeUInt16LE(extra.length, 30)
  row.writeUInt32LE(external, 38)
  row.writeUInt32LE(part.offset ?? at, 42)
  const behind = descriptor === undefined ? Buffer.alloc(0) : descriptorOf(descriptor, sums)
  return { bytes: Buffer.concat([header, localName, localExtra, packed, behind]), row: Buffer.concat([row, name, extra]) }
}

type Head = Readonly<{ method: number; flags: number; crc: number; packed: number; size: number; year?: number | undefined }>

function headOf(
  { method, flags, crc, packed, size, year = 2024 }: Head,
  of: { mark: number; length: number; from: number },
): Buffer {
  const bytes = Buffer.alloc(of.length)
  bytes.writeUInt32LE(of.mark, 0)
  bytes.writeUInt16LE(20, of.from)
  bytes.writeUInt16LE(flags, of.from + 2)
  bytes.writeUInt16LE(method, of.from + 4)
  // 29 February 2024, 12:34:56.
  bytes.writeUInt16LE((12 << 11) | (34 << 5) | 28, of.from + 6)
  bytes.writeUInt16LE(((year - 1980) << 9) | (2 << 5) | 29, of.from + 8)
  bytes.writeUInt32LE(crc, of.from + 10)
  bytes.writeUInt32LE(packed, of.from + 14)
  bytes.writeUInt32LE(size, of.from + 18)
  return bytes
}

function descriptorOf(how: NonNullable<ZipPart['descriptor']>, { crc, packed, size }: Omit<Head, 'method' | 'flags'>): Buffer {
  if (Buffer.isBuffer(how)) return how
  const width = how === 'long' ? 8 : 4
  const bytes = Buffer.alloc(8 + 2 * width)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  bytes.writeUIntLE(packed, 8, Math.min(6, width))
  bytes.writeUIntLE(size, 8 + width, Math.min(6, width))
  return how === 'plain' ? bytes.subarray(4) : bytes
}

/** A field of extra data. */
export function extraField(id: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(content.length, 2)
  return Buffer.concat([head, content])
}
