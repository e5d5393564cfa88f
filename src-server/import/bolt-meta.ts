// The two meta pages of a BoltDB file, format version 2: where its pages begin, and which state of it is the last whole one.
import { type SourceBytes, SourceFault } from './source-file.ts'

/** The last whole state of a file. Pages are named by their number: page n begins at byte n × pageSize. */
export type BoltMeta = Readonly<{
  pageSize: number
  /** The root page of the root bucket. */
  root: number
  /** Undefined: the free pages are not listed. */
  freelist: number | undefined
  /** All pages that are used have a smaller number. */
  end: number
  /** Of the transaction that wrote it. */
  transaction: bigint
  /** Whether the other meta page is damaged: it may have been of a later state, whose last write broke off. */
  isOnlyOne: boolean
}>

/** Bytes of the header that each page begins with. */
export const pageHeader = 16
const metaLength = 64
const magic = 0xed0cdaed
const formatVersion = 2
const pageSizes = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
const notListed = 0xffff_ffff_ffff_ffffn

/** @throws SourceFault for a file of another kind or version, and when neither page is whole */
export function readMeta(bytes: SourceBytes): BoltMeta {
  const { whole, readings } = wholeMetas(bytes)
  const newest = whole.toSorted((one, other) => (one.transaction < other.transaction ? 1 : -1))[0]
  if (newest === undefined) throw faultOf(readings)
  if (newest.end * newest.pageSize > bytes.size)
    throw new SourceFault(`is truncated: it has ${bytes.size} of ${newest.end * newest.pageSize} bytes`)
  return { ...newest, isOnlyOne: whole.length < 2 }
}

type Meta = Omit<BoltMeta, 'isOnlyOne'>

function wholeMetas(bytes: SourceBytes): { whole: Meta[]; readings: (MetaReading | undefined)[] } {
  const readings = [0, ...pageSizes].map((at) => readAt(bytes, at))
  const [first, ...others] = readings
  const second = others.filter((reading, index) => reading?.meta && reading.meta.pageSize === pageSizes[index])
  // The second page of a whole first one is where its page size says.
  const whole = [first?.meta, ...second.map((reading) => reading?.meta)].filter((meta) => meta !== undefined)
  const fitting = first?.meta ? whole.filter(({ pageSize }) => pageSize === first.meta?.pageSize) : whole
  return { whole: fitting, readings }
}

/** What stands where a meta page may be; `meta` when it is whole. */
type MetaReading = Readonly<{ version: number; meta?: Meta }>

/** @returns undefined where nothing says that it is a meta page */
function readAt(bytes: SourceBytes, at: number): MetaReading | undefined {
  if (at + pageHeader + metaLength > bytes.size) return undefined
  const meta = bytes.read(at + pageHeader, metaLength)
  if (meta.readUInt32LE(0) !== magic) return undefined
  const version = meta.readUInt32LE(4)
  const pageSize = meta.readUInt32LE(8)
  const isWhole = meta.readBigUInt64LE(56) === fnv64(meta.subarray(0, 56))
  if (version !== formatVersion || !isWhole || !pageSizes.includes(pageSize)) return { version }
  const freelist = meta.readBigUInt64LE(32)
  const root = pageNumber(meta.readBigUInt64LE(16))
  const end = pageNumber(meta.readBigUInt64LE(40))
  const transaction = meta.readBigUInt64LE(48)
  return {
    version,
    meta: { pageSize, root, end, transaction, freelist: freelist === notListed ? undefined : pageNumber(freelist) },
  }
}

function faultOf(readings: readonly (MetaReading | undefined)[]): SourceFault {
  const found = readings.find((reading) => reading !== undefined)
  if (found === undefined) return new SourceFault('is not a database of File Browser, nor an export of it')
  if (found.version !== formatVersion)
    return new SourceFault(`is in version ${found.version} of its format, and not in version 2`)
  return new SourceFault('is damaged: neither of its two meta pages is whole')
}

/** A number that no file is long enough for is as good as any larger one. */
export function pageNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value)
}

/** FNV-1a of 64 bits. */
export function fnv64(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffff_ffff_ffff_ffffn
  return hash
}
