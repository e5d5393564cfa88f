import { Failure } from '../base/failure.ts'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { isCompressed } from './compressed-endings.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { leavesFolder } from './entry-path.ts'
import { joined } from './joined.ts'
import { RecordWriter } from './record-writer.ts'
import { untilAborted } from './until-aborted.ts'
import { type Facts, type PackedBatch, ZipBatch } from './zip-batch.ts'
import { isIncompressible, packPieces } from './zip-content.ts'
import { ZipDirectory } from './zip-directory.ts'
import { ZipNames } from './zip-names.ts'
import { descriptor, type Header, localHeaderLength, type Method, mayBeLarge, putLocalHeader, type Sums } from './zip-records.ts'
import { timesOf } from './zip-times.ts'

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
