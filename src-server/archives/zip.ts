import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { Failure } from '../base/failure.ts'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { leavesFolder } from './entry-path.ts'
import { joined } from './joined.ts'
import { Pages } from './pages.ts'
import { RecordWriter } from './record-writer.ts'
import { throughZlib } from './through-zlib.ts'
import { untilAborted } from './until-aborted.ts'
import { type Facts, type PackedBatch, ZipBatch } from './zip-batch.ts'
import { ZipNames } from './zip-names.ts'
import {
  descriptor,
  directoryRecordLength,
  endRecords,
  type Header,
  localHeaderLength,
  type Method,
  mayBeLarge,
  putDirectoryRecord,
  putLocalHeader,
  type Sums,
  type Times,
} from './zip-records.ts'
import { isWorthwhile, sampleSize } from './zip-sample.ts'

/** Files up to this size are read whole, so that sum and sizes stand in front of them. */
const longestWhole = 1024 * 1024
/** The length of a name has 2 bytes. */
const longestName = 0xffff
/** Batches of an archive that are packed at a time, beside the one that is being filled. */
const batchesAtOnce = 2
const nothing = new Uint8Array(0)

/**
 * Writes a zip archive: names in UTF-8, times, permissions, and zip64 where a number needs it. Folders are kept as `name/`. A
 * backslash in a name becomes `_`, because some programs take it for a slash. When that name is taken in its folder, a number follows.
 *
 * The directory at the end of a zip archive lists every entry, and is kept until then: about 70 bytes and the path for each entry.
 */
export const zip: ArchiveWriter = (entries, signal) => joined(pieces(entries, signal), signal)

type Long = Readonly<{ entry: ArchiveEntry; facts: Facts }>

async function* pieces(entries: AsyncIterable<ArchiveEntry>, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const directory = new ZipDirectory()
  for await (const item of inOrder(untilAborted(entries, signal), signal)) {
    for await (const piece of 'entry' in item ? packLong(item, directory, signal) : shortPiece(item, directory)) {
      yield piece
      signal.throwIfAborted()
    }
  }
  for (const page of directory.pages()) {
    yield page
    signal.throwIfAborted()
  }
}

/** Short entries packed in batches, and long ones, which are still to be read. */
async function* inOrder(
  entries: AsyncIterable<ArchiveEntry>,
  signal: AbortSignal,
): AsyncGenerator<PackedBatch | Long, void, undefined> {
  const names = new ZipNames()
  const running: Promise<PackedBatch>[] = []
  let batch = new ZipBatch()
  const begin = () => {
    if (batch.isEmpty) return
    const packing = batch.pack()
    // It is awaited when it is its turn.
    packing.catch(() => {})
    running.push(packing)
    batch = new ZipBatch()
  }
  for await (const entry of entries) {
    const facts = factsOf(names, entry)
    const isLong = !entry.isDir && entry.size > longestWhole
    if (!isLong) {
      const content = entry.isDir ? nothing : await wholeContent(entry, signal)
      if (!batch.fits(content.length)) begin()
      batch.add(facts, content, methodOf(entry) === 'deflated')
      entry.release?.()
    }
    if (isLong || batch.isFull) begin()
    while (running.length > (isLong ? 0 : batchesAtOnce)) yield await (running.shift() as Promise<PackedBatch>)
    if (isLong) yield { entry, facts }
  }
  begin()
  for (const packing of running) yield await packing
}

function methodOf({ isDir, path }: ArchiveEntry): Method {
  return isDir || isCompressed(path) ? 'stored' : 'deflated'
}

function* shortPiece({ piece, headers, sums }: PackedBatch, directory: ZipDirectory): Generator<Uint8Array, void, undefined> {
  for (const [index, sum] of sums.entries()) {
    const header = headers[index] as Header
    directory.add(header, sum, directory.offset)
    directory.offset += localHeaderLength(header) + sum.packedSize
  }
  yield piece
}

async function* packLong(
  { entry, facts }: Long,
  directory: ZipDirectory,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const content = exactContent(entry, signal)
  try {
    const first = await content.next()
    const start: Uint8Array = first.done ? Buffer.alloc(0) : first.value
    const isStored = methodOf(entry) === 'stored' || (await isIncompressible(start))
    const method: Method = isStored ? 'stored' : 'deflated'
    const header = { ...facts, method, hasDescriptor: true, isLarge: mayBeLarge(entry.size) }
    const { offset } = directory
    const sums = yield* counted(longPieces(header, beginningWith(start, content), entry), directory)
    directory.add(header, sums, offset)
  } finally {
    await content.return()
  }
}

async function* longPieces(
  header: Header,
  content: AsyncIterable<Uint8Array>,
  entry: ArchiveEntry,
): AsyncGenerator<Uint8Array, Sums, undefined> {
  const local = new RecordWriter(localHeaderLength(header))
  putLocalHeader(local, header, { crc: 0, size: 0, packedSize: 0 })
  yield local.written()
  const sums = yield* packPieces(content, header.method, (chunk) => entry.giveBack?.(chunk))
  yield descriptor(header, sums)
  return sums
}

async function* counted<T>(
  packed: AsyncGenerator<Uint8Array, T, undefined>,
  directory: ZipDirectory,
): AsyncGenerator<Uint8Array, T, undefined> {
  let part = await packed.next()
  try {
    for (; !part.done; part = await packed.next()) {
      directory.offset += part.value.length
      yield part.value
    }
  } finally {
    await packed.return(undefined as never)
  }
  return part.value
}

async function* beginningWith(start: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield start
  yield* rest
}

function factsOf(names: ZipNames, { path, isDir, modified, mode }: ArchiveEntry): Facts {
  const isSafe = !leavesFolder(path)
  const name = isSafe ? names.of(path) + (isDir ? '/' : '') : ''
  const nameLength = Buffer.byteLength(name)
  if (!isSafe || nameLength > longestName) throw new Failure('invalid', 'a path does not fit into a zip archive')
  return { name, nameLength, isDir, times: timesOf(modified), mode }
}

// Names of files whose content is compressed already. Deflating it again takes about 25 s for each GiB and saves less than 2 %.
// Formats that are compressed only in part, such as PDF, are not listed.
const endings = new Set(
  [
    // Pictures.
    'jpg jpeg jpe jfif jxl jp2 png apng gif webp avif heic heif',
    // Sound and video.
    'mp3 m4a m4b aac ogg oga opus flac wma mp4 m4v mkv webm mov avi wmv mpg mpeg mts m2ts ogv 3gp flv',
    // Archives and compressed files.
    'zip gz tgz bz2 tbz tbz2 xz txz lzma lz lz4 zst tzst br sz 7z rar cab',
    // Documents and packages that are zip archives, and other compressed packages.
    'docx xlsx pptx odt ods odp epub jar war apk aab ipa whl nupkg vsix xpi deb rpm dmg',
    // Fonts of web pages.
    'woff woff2',
  ].flatMap((line) => line.split(' ')),
)

/** Whether the ending of the name says that the content is compressed already. */
export function isCompressed(path: string): boolean {
  const ending = /\.([^./]+)$/.exec(path)?.[1]
  return ending !== undefined && endings.has(ending.toLowerCase())
}

// The years 1980 to 2107 are all that DOS knows.
const earliest = Date.UTC(1980, 0, 1)
const latest = Date.UTC(2107, 11, 31, 23, 59, 58)
const second = 1_000_000_000n

/** @param modified nanoseconds since the epoch */
function timesOf(modified: bigint): Times {
  const seconds = secondsOf(modified)
  const date = new Date(Math.min(Math.max(seconds * 1000, earliest), latest))
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    day: ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
    // Left out rather than replaced by the nearest one that fits, which would be wrong: the time of DOS reaches further.
    seconds: seconds >= -0x8000_0000 && seconds <= 0x7fff_ffff ? seconds : undefined,
  }
}

/** Rounded down, also before 1970. */
function secondsOf(modified: bigint) {
  const whole = modified / second
  return Number(modified < 0n && whole * second !== modified ? whole - 1n : whole)
}

const pageLength = 64 * 1024

/** The records of the directory. They are written into pages, because many short buffers need several times their length. */
class ZipDirectory {
  /** Bytes of the archive so far: where the next entry begins. */
  offset = 0
  #count = 0
  #size = 0
  readonly #full: Buffer[] = []
  #page = new RecordWriter(pageLength)

  /** @param offset where the entry begins */
  add(header: Header, sums: Sums, offset: number): void {
    const length = directoryRecordLength(header, offset)
    if (this.#page.room < length) this.#turn(length)
    putDirectoryRecord(this.#page, header, sums, offset)
    this.#count++
    this.#size += length
  }

  /** What ends the archive. */
  pages(): readonly Buffer[] {
    return [...this.#full, this.#page.written(), endRecords(this.#count, { offset: this.offset, size: this.#size })]
  }

  #turn(least: number) {
    this.#full.push(this.#page.written())
    this.#page = new RecordWriter(Math.max(least, pageLength))
  }
}

const chunkSize = 64 * 1024

const deflateWhole = promisify(deflateRaw)

/** Whether a content is compressed or encrypted already, whatever its name says. @param start its first bytes */
async function isIncompressible(start: Uint8Array): Promise<boolean> {
  const sample = start.subarray(0, sampleSize)
  return !isWorthwhile(sample, await deflateWhole(sample, { level: 1 }))
}

/**
 * The packed pieces of a long content. It returns the sums.
 * @param giveBack called with each chunk that is packed and so needed no longer
 */
async function* packPieces(
  content: AsyncIterable<Uint8Array>,
  method: Method,
  giveBack?: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, Sums, undefined> {
  let crc = 0
  let size = 0
  let packedSize = 0
  const summed = async function* () {
    for await (const chunk of content) {
      crc = crc32(chunk, crc)
      size += chunk.length
      yield chunk
    }
  }
  const stream =
    method === 'deflated' ? throughZlib(summed(), createDeflateRaw({ chunkSize }), giveBack) : copied(summed(), giveBack)
  for await (const piece of stream) {
    packedSize += piece.length
    yield piece
  }
  return { crc, size, packedSize }
}

/** Copying a chunk takes less time than the collection of its memory would. */
async function* copied(content: AsyncIterable<Uint8Array>, giveBack?: (chunk: Uint8Array) => void) {
  const pages = new Pages()
  for await (const chunk of content) {
    const full = pages.add(chunk)
    giveBack?.(chunk)
    yield* full
  }
  yield* pages.flush()
}
