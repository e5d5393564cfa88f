// Compares what stands twice in a zip archive: programs that believe different places would else unpack different files.
import yauzl, { type Entry, type LocalFileHeader, type ZipFile } from 'yauzl'
import { type ArchiveFile, damaged } from './archive-file.ts'

/** Where the directory begins, and all entries, ascending. */
export type Spans = Readonly<{ directory: number; offsets: Float64Array }>

/** Where the packed content of an entry begins. */
export type LocalEntry = Readonly<{ start: number }>

/** Bits of the flags that programs set in one of the two places alone: how well it is packed. */
const sameFlags = ~0b110

/**
 * Compares the directory with what stands before and behind the content of an entry.
 * No entry may reach into the next, nor into the directory.
 * @throws Failure('invalid')
 */
export async function checkedLocal(
  file: ArchiveFile,
  zip: ZipFile,
  { entry, spans }: Readonly<{ entry: Entry; spans: Spans }>,
): Promise<LocalEntry> {
  const name = String(entry.fileNameRaw)
  const local = await zip.readLocalFileHeaderPromise(entry).catch((error: unknown) => {
    throw error instanceof Error && !('code' in error) ? damaged(name) : error
  })
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    (local.generalPurposeBitFlag & sameFlags) === (entry.generalPurposeBitFlag & sameFlags) &&
    isAsDirectory(entry, local)
  if (!isSame) throw damaged(name)
  const end = await endOf(file, entry, local)
  const next = nextOf(spans.offsets, entry.relativeOffsetOfLocalHeader) ?? spans.directory
  if (end === undefined || end > Math.min(next, spans.directory)) throw damaged(name)
  return { start: local.fileDataStart }
}

type Sums = Readonly<{ crc: number; packed: number; size: number }>

const sumsOf = ({ crc32: crc, compressedSize: packed, uncompressedSize: size }: Entry): Sums => ({ crc, packed, size })

/** With a descriptor behind the content the sums may be missing before it, each alone. */
function isAsDirectory(entry: Entry, local: LocalFileHeader): boolean {
  const { crc, packed, size } = sumsOf(entry)
  const hasDescriptor = (entry.generalPurposeBitFlag & 8) !== 0
  const is = (found: number, wanted: number) => found === wanted || (hasDescriptor && found === 0)
  const long = longSizes(local)
  return is(local.crc32, crc) && is(long.size, size) && is(long.packed, packed)
}

/** The sizes before the content, which stand in a field of zip64 where they are long. NaN for what is missing there. */
function longSizes({ compressedSize, uncompressedSize, extraField }: LocalFileHeader): Omit<Sums, 'crc'> {
  if (compressedSize !== 0xffffffff && uncompressedSize !== 0xffffffff) return { size: uncompressedSize, packed: compressedSize }
  const field = fieldsIn(extraField).find(({ id }) => id === 1)?.data ?? Buffer.alloc(0)
  let at = 0
  const read = (short: number) => {
    if (short !== 0xffffffff) return short
    at += 8
    return field.length >= at ? Number(field.readBigUInt64LE(at - 8)) : Number.NaN
  }
  return { size: read(uncompressedSize), packed: read(compressedSize) }
}

function fieldsIn(bytes: Buffer) {
  try {
    return yauzl.parseExtraFields(bytes)
  } catch {
    throw damaged()
  }
}

const descriptorMark = 0x08074b50

/** @returns where an entry ends with its descriptor; undefined when that is not as the directory says */
async function endOf(file: ArchiveFile, entry: Entry, { fileDataStart }: LocalFileHeader): Promise<number | undefined> {
  const end = fileDataStart + entry.compressedSize
  if ((entry.generalPurposeBitFlag & 8) === 0) return end
  const bytes = Buffer.alloc(Math.min(24, file.size - end))
  await file.read(bytes, end)
  const wanted = sumsOf(entry)
  const isMarked = bytes.length >= 4 && bytes.readUInt32LE(0) === descriptorMark
  // The mark may be missing, and the sizes have 4 or 8 bytes. A sum may look like the mark.
  for (const from of isMarked ? [4, 0] : [0]) {
    for (const width of [4, 8] as const) {
      const length = from + 4 + 2 * width
      if (bytes.length >= length && isEqual(readSums(bytes.subarray(from), width), wanted)) return end + length
    }
  }
  return undefined
}

function readSums(bytes: Buffer, width: 4 | 8): Sums {
  const read = (at: number) => (width === 4 ? bytes.readUInt32LE(at) : Number(bytes.readBigUInt64LE(at)))
  return { crc: bytes.readUInt32LE(0), packed: read(4), size: read(4 + width) }
}

function isEqual(one: Sums, other: Sums): boolean {
  return one.crc === other.crc && one.packed === other.packed && one.size === other.size
}

/** The first offset behind another; that itself when two entries begin there. */
function nextOf(offsets: Float64Array, offset: number): number | undefined {
  let [low, high] = [0, offsets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return offsets[low + 1]
}

/** Nothing stands between the directory and what ends the archive. @throws Failure('invalid') */
export async function checkEnd(file: ArchiveFile, zip: ZipFile): Promise<void> {
  let at = zip.readEntryCursor
  let mark = await markAt(file, at)
  if (mark === 0x06064b50) {
    const start = at
    const head = Buffer.alloc(12)
    await file.read(head, at)
    at += 12 + Number(head.readBigUInt64LE(4))
    const locator = Buffer.alloc(20)
    if (!Number.isSafeInteger(at)) throw damaged()
    await file.read(locator, at)
    if (locator.readUInt32LE(0) !== 0x07064b50 || Number(locator.readBigUInt64LE(8)) !== start) throw damaged()
    at += 20
    mark = await markAt(file, at)
  }
  const end = Buffer.alloc(22)
  await file.read(end, at)
  const count = end.readUInt16LE(10)
  const isRight =
    mark === 0x06054b50 && at + 22 + zip.comment.length === file.size && (count === 0xffff || count === zip.entryCount)
  if (!isRight) throw damaged()
}

async function markAt(file: ArchiveFile, position: number): Promise<number> {
  const bytes = Buffer.alloc(4)
  await file.read(bytes, position)
  return bytes.readUInt32LE(0)
}
