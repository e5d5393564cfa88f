import { Failure } from '../base/failure.ts'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { isCompressed } from './compressed-endings.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { leavesFolder } from './entry-path.ts'
import { joined } from './joined.ts'
import { untilAborted } from './until-aborted.ts'
import { type PackedWhole, ZipBatch } from './zip-batch.ts'
import { isIncompressible, packPieces } from './zip-content.ts'
import { ZipDirectory } from './zip-directory.ts'
import { ZipNames } from './zip-names.ts'
import { descriptor, type Header, localHeader, type Method, mayBeLarge, type Sums } from './zip-records.ts'

/** Files up to this size are read whole, so that sum and sizes stand in front of them. */
const longestWhole = 1024 * 1024
/** The length of a name has 2 bytes. */
const longestName = 0xffff
/** Batches of an archive that are packed at a time, beside the one that is being filled. */
const batchesAtOnce = 2

/**
 * Writes a zip archive: names in UTF-8, times, permissions, and zip64 where a number needs it. Folders are kept as `name/`. A
 * backslash in a name becomes `_`, because some programs take it for a slash. When that name is taken in its folder, a number follows.
 *
 * The directory at the end of a zip archive lists every entry, and is kept until then: about 70 bytes and the path for each entry.
 */
export const zip: ArchiveWriter = (entries, signal) => joined(pieces(entries, signal), signal)

type Named = Readonly<{ entry: ArchiveEntry; name: Buffer }>
type Short = PackedWhole & { of: Named }

async function* pieces(entries: AsyncIterable<ArchiveEntry>, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const directory = new ZipDirectory()
  for await (const item of inOrder(untilAborted(entries, signal), signal)) {
    for await (const piece of 'entry' in item ? packLong(item, directory, signal) : shortPieces(item, directory)) {
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
): AsyncGenerator<readonly Short[] | Named, void, undefined> {
  const names = new ZipNames()
  const running: Promise<readonly Short[]>[] = []
  let batch = new ZipBatch<Named>()
  const begin = () => {
    const packing = batch.pack()
    // It is awaited when it is its turn.
    packing.catch(() => {})
    running.push(packing)
    batch = new ZipBatch()
  }
  for await (const entry of entries) {
    const named = { entry, name: nameOf(names, entry) }
    const isLong = !entry.isDir && entry.size > longestWhole
    if (!isLong) batch.add(named, entry.isDir ? Buffer.alloc(0) : await wholeContent(entry, signal), methodOf(entry))
    if (isLong || batch.isFull) begin()
    while (running.length > (isLong ? 0 : batchesAtOnce)) yield (await running.shift()) ?? []
    if (isLong) yield named
  }
  begin()
  for (const packing of running) yield await packing
}

function methodOf({ isDir, path }: ArchiveEntry): Method {
  return isDir || isCompressed(path) ? 'stored' : 'deflated'
}

/** One piece for the whole batch, so that the contents are needed no longer. */
function* shortPieces(batch: readonly Short[], directory: ZipDirectory): Generator<Uint8Array, void, undefined> {
  const parts: Uint8Array[] = []
  for (const { of, sums, method, packed } of batch) {
    const header = { ...factsOf(of), method, hasDescriptor: false, isLarge: false }
    const local = localHeader(header, sums)
    directory.add(header, sums, directory.offset)
    directory.offset += local.length + packed.length
    parts.push(local, packed)
  }
  const piece = Buffer.concat(parts)
  for (const { of } of batch) of.entry.release?.()
  if (piece.length > 0) yield piece
}

async function* packLong(
  named: Named,
  directory: ZipDirectory,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { entry } = named
  const content = exactContent(entry, signal)
  try {
    const first = await content.next()
    const start: Uint8Array = first.done ? Buffer.alloc(0) : first.value
    const isStored = methodOf(entry) === 'stored' || (await isIncompressible(start))
    const method: Method = isStored ? 'stored' : 'deflated'
    const header = { ...factsOf(named), method, hasDescriptor: true, isLarge: mayBeLarge(entry.size) }
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
  yield localHeader(header, { crc: 0, size: 0, packedSize: 0 })
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

function factsOf({ entry: { isDir, modified, mode }, name }: Named) {
  return { name, isDir, modified, mode }
}

function nameOf(names: ZipNames, { path, isDir }: ArchiveEntry): Buffer {
  const isSafe = !leavesFolder(path)
  const name = Buffer.from(isSafe ? names.of(path) + (isDir ? '/' : '') : '')
  if (!isSafe || name.length > longestName) throw new Failure('invalid', 'a path does not fit into a zip archive')
  return name
}
