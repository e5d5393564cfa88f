import { Failure } from '../base/failure.ts'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { isCompressed } from './compressed-endings.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { leavesFolder } from './entry-path.ts'
import { joined } from './joined.ts'
import { untilAborted } from './until-aborted.ts'
import { isIncompressible, packPieces, packWhole } from './zip-content.ts'
import { ZipNames } from './zip-names.ts'
import {
  descriptor,
  directoryRecord,
  endRecords,
  type Header,
  localHeader,
  type Method,
  mayBeLarge,
  type Sums,
} from './zip-records.ts'

/** Files up to this size are read whole, so that sum and sizes stand in front of them. */
const longestWhole = 1024 * 1024
/** The length of a name has 2 bytes. */
const longestName = 0xffff

/**
 * Writes a zip archive: names in UTF-8, times, permissions, and zip64 where a number needs it. Folders are kept as `name/`. A
 * backslash in a name becomes `_`, because some programs take it for a slash. When that name is taken in its folder, a number follows.
 *
 * The directory at the end of a zip archive lists every entry, and is kept until then: about 70 bytes and the path for each entry.
 */
export const zip: ArchiveWriter = (entries, signal) => joined(pieces(entries, signal), signal)

async function* pieces(entries: AsyncIterable<ArchiveEntry>, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const directory = new Directory()
  const names = new ZipNames()
  let offset = 0
  for await (const entry of untilAborted(entries, signal)) {
    const start = offset
    const packed = pack(entry, nameOf(names, entry), signal)
    let part = await packed.next()
    try {
      for (; !part.done; part = await packed.next()) {
        offset += part.value.length
        yield part.value
        signal.throwIfAborted()
      }
    } finally {
      await packed.return(undefined as never)
    }
    directory.add(directoryRecord(part.value.header, part.value.sums, start))
  }
  const start = offset
  for (const page of directory.pages()) {
    yield page
    signal.throwIfAborted()
  }
  yield endRecords(directory.count, { offset: start, size: directory.size })
}

interface Packed {
  readonly header: Header
  readonly sums: Sums
}

async function* pack(entry: ArchiveEntry, name: Buffer, signal: AbortSignal): AsyncGenerator<Uint8Array, Packed, undefined> {
  const { isDir, modified, mode, size } = entry
  const wanted: Method = isDir || isCompressed(entry.path) ? 'stored' : 'deflated'
  const base = { name, isDir, modified, mode }
  if (isDir || size <= longestWhole) {
    const content = isDir ? Buffer.alloc(0) : await wholeContent(entry, signal)
    const { packed, method, ...sums } = await packWhole(content, wanted)
    const header = { ...base, method, hasDescriptor: false, isLarge: false }
    yield localHeader(header, sums)
    if (packed.length > 0) yield packed
    return { header, sums }
  }
  const content = exactContent(entry, signal)
  try {
    return yield* packLong(content, { ...base, method: wanted, hasDescriptor: true, isLarge: mayBeLarge(size) })
  } finally {
    await content.return()
  }
}

async function* packLong(content: AsyncGenerator<Uint8Array>, wanted: Header): AsyncGenerator<Uint8Array, Packed, undefined> {
  const first = await content.next()
  const start: Uint8Array = first.done ? Buffer.alloc(0) : first.value
  const isStored = wanted.method === 'stored' || (await isIncompressible(start))
  const header: Header = { ...wanted, method: isStored ? 'stored' : 'deflated' }
  yield localHeader(header, { crc: 0, size: 0, packedSize: 0 })
  const sums = yield* packPieces(beginningWith(start, content), header.method)
  yield descriptor(header, sums)
  return { header, sums }
}

async function* beginningWith(start: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield start
  yield* rest
}

function nameOf(names: ZipNames, { path, isDir }: ArchiveEntry): Buffer {
  const isSafe = !leavesFolder(path)
  const name = Buffer.from(isSafe ? names.of(path) + (isDir ? '/' : '') : '')
  if (!isSafe || name.length > longestName) throw new Failure('invalid', 'a path does not fit into a zip archive')
  return name
}

/** The records of the directory, joined to pages because many short buffers need several times their length. */
class Directory {
  count = 0
  size = 0
  readonly #full: Buffer[] = []
  #last: Buffer[] = []
  #lastSize = 0

  add(record: Buffer): void {
    this.count++
    this.size += record.length
    this.#last.push(record)
    this.#lastSize += record.length
    if (this.#lastSize >= 64 * 1024) this.#turn()
  }

  pages(): readonly Buffer[] {
    this.#turn()
    return this.#full
  }

  #turn() {
    if (this.#last.length === 0) return
    this.#full.push(Buffer.concat(this.#last))
    this.#last = []
    this.#lastSize = 0
  }
}
