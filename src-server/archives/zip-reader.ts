// Reads zip. The directory is yauzl's work; what it says is compared here with the entries themselves, and no two of them may share bytes.
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { Failure } from '../base/failure.ts'
import { type ArchiveFile, damaged, shownName, withCache } from './archive-file.ts'
import { ArchiveNames } from './archive-names.ts'
import { tooMany } from './budget.ts'
import { entryParts, isOfMac } from './entry-name.ts'
import type { UnpackedEntry, Unpacker } from './unpacked-entry.ts'
import { checkEnd, checkedLocal, type LocalEntry, type Spans } from './zip-checks.ts'
import { checkedContent } from './zip-content.ts'

/** Bytes of the target text of a link. */
const longestLink = 4096

/** Methods of packing that are known and not supported, by their numbers. */
const otherMethods: Readonly<Record<number, string>> = {
  ...{ 1: 'Shrink', 6: 'Implode', 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'xz', 98: 'PPMd' },
}

export function zipUnpacker(file: ArchiveFile): Unpacker {
  const cached = withCache(file)
  return {
    async *entries({ isWhole, names, onLeftOut, mostEntries }) {
      const zip = await opened(cached)
      const offsets = isWhole ? await offsetsOf(cached, names, mostEntries) : undefined
      const spans: Spans | undefined = offsets && { directory: zip.readEntryCursor, offsets }
      for await (const entry of directory(cached, zip, names)) {
        const local = spans && (await checkedLocal(cached, zip, { entry, spans }))
        const unpacked = unpackedEntry(cached, entry, { local, names })
        if (!unpacked) {
          onLeftOut?.({ entries: 1, bytes: 0 })
          continue
        }
        yield unpacked.kind === 'link' && local ? { ...unpacked, linkText: await linkTextOf(unpacked, entry, names) } : unpacked
      }
      await checkEnd(cached, zip)
    },
  }
}

async function opened(file: ArchiveFile): Promise<ZipFile> {
  try {
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true } as const
    return await yauzl.fromRandomAccessReaderPromise(new Reader(file), file.size, options)
  } catch (error) {
    throw failureOf(error)
  }
}

/** All entries, as the directory has them. */
async function* directory(file: ArchiveFile, zip: ZipFile, names?: ArchiveNames): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    if (!(error instanceof Error && error.message === 'strong encryption is not supported')) throw failureOf(error)
    throw encrypted(await nextName(file, zip, names))
  }
}

/** The name of the entry of which the package gives only that it is encrypted. */
async function nextName(file: ArchiveFile, { readEntryCursor: at }: ZipFile, names = new ArchiveNames()): Promise<string> {
  const head = Buffer.alloc(46)
  await file.read(head, at)
  const name = Buffer.alloc(head.readUInt16LE(28))
  await file.read(name, at + head.length)
  return names.textOf(name, isSaidUtf8({ generalPurposeBitFlag: head.readUInt16LE(8) }))
}

/** Answers without a stream for each piece. */
class Reader extends yauzl.RandomAccessReader {
  readonly #file: ArchiveFile

  constructor(file: ArchiveFile) {
    super()
    this.#file = file
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void) {
    this.#file.read(buffer.subarray(offset, offset + length), position).then(() => callback(null), callback)
  }
}

/** The package throws plain errors, each of which says that something is not as it must be. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure || 'code' in error) return error
  return new Failure('invalid', 'the archive is damaged', { cause: error })
}

/** Of all entries where they begin, ascending. Eight bytes for each. */
async function offsetsOf(
  file: ArchiveFile,
  names: ArchiveNames | undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<Float64Array> {
  const zip = await opened(file)
  let offsets = new Float64Array(1024)
  let count = 0
  for await (const { relativeOffsetOfLocalHeader } of directory(file, zip, names)) {
    if (count === most) throw tooMany(most)
    if (count === offsets.length) {
      const longer = new Float64Array(2 * count)
      longer.set(offsets)
      offsets = longer
    }
    offsets[count++] = relativeOffsetOfLocalHeader
  }
  return offsets.subarray(0, count).sort()
}

type EntryHow = Readonly<{ local: LocalEntry | undefined; names: ArchiveNames }>

/** @returns undefined for what is left out */
function unpackedEntry(file: ArchiveFile, entry: Entry, { local, names }: EntryHow): UnpackedEntry | undefined {
  const name = nameOf(entry, names)
  checkMethod(entry, name)
  const parts = entryParts(name)
  const kind = kindOf(entry, name)
  const { uncompressedSize: size, compressedSize } = entry
  if (kind === 'folder' && size > 0) throw damaged(name)
  if (kind === 'link' && (size > longestLink || size === 0)) throw damaged(name)
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(compressedSize)) throw damaged(name)
  if (parts.length === 0) {
    if (kind === 'folder') return undefined
    throw damaged(name)
  }
  if (isOfMac(parts, kind === 'folder')) return undefined
  const bits = hostOf(entry) === 'unix' ? (entry.externalFileAttributes >>> 16) & 0o777 : 0
  const modified = modifiedOf(entry)
  const content = local && kind !== 'folder' && (() => checkedContent(file, entry, { name, start: local.start }))
  return {
    parts,
    name,
    kind,
    size: kind === 'folder' ? 0 : size,
    modified,
    ...(bits > 0 && { mode: bits }),
    ...(content && { content }),
  }
}

/** Nanoseconds since the epoch. */
function modifiedOf(entry: Entry): bigint {
  const time = entry.getLastModDate().getTime()
  if (!Number.isFinite(time)) return 0n
  // Some programs let the seconds since 1970 run over in 2038: the time of DOS beside them tells it.
  const hasRunOver = time < 0 && entry.getLastModDate({ forceDosFormat: true }).getTime() >= 2 ** 31 * 1000
  return BigInt(Math.trunc(hasRunOver ? time + 2 ** 32 * 1000 : time)) * 1_000_000n
}

async function linkTextOf({ content }: UnpackedEntry, entry: Entry, names: ArchiveNames): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content?.() ?? []) chunks.push(chunk)
  return names.textOf(Buffer.concat(chunks), isSaidUtf8(entry))
}

function checkMethod({ generalPurposeBitFlag: flags, compressionMethod: method }: Entry, name: string): void {
  if (flags & 0x2041 || method === 99) throw encrypted(name)
  if (flags & 0x20 || (method !== 0 && method !== 8)) {
    const about = { name: shownName(name), method: otherMethods[method] ?? method }
    throw new Failure('unsupported', '{{name}} is packed with {{method}}, which is not supported', { about })
  }
}

function encrypted(name: string): Failure {
  return new Failure('unsupported', '{{name}} is encrypted', { about: { name: shownName(name) } })
}

/** FAT, HPFS, NTFS and VFAT: systems whose programs write backslashes between names. */
const withBackslashes = new Set([0, 6, 11, 14])

function hostOf({ versionMadeBy }: Entry): 'unix' | 'windows' | 'other' {
  const host = versionMadeBy >> 8
  if (host === 3 || host === 19) return 'unix'
  return withBackslashes.has(host) ? 'windows' : 'other'
}

const isSaidUtf8 = ({ generalPurposeBitFlag: flags }: Pick<Entry, 'generalPurposeBitFlag'>): boolean => (flags & 0x800) !== 0

function nameOf(entry: Entry, names: ArchiveNames): string {
  const unicode = unicodeName(entry)
  const name = names.textOf(unicode ?? entry.fileNameRaw, unicode !== undefined || isSaidUtf8(entry))
  return hostOf(entry) === 'windows' ? name.replaceAll('\\', '/') : name
}

/** That of the field of Info-ZIP, which counts when it belongs to the name beside it. */
function unicodeName({ fileNameRaw, extraFields }: Entry): Buffer | undefined {
  const field = extraFields.find(({ id }) => id === 0x7075)?.data
  const isOfName = field && field.length > 5 && field[0] === 1 && field.readUInt32LE(1) === crc32(fileNameRaw)
  return isOfName ? field.subarray(5) : undefined
}

const [kindBits, ofFile, ofFolder, ofLink] = [0o170000, 0o100000, 0o040000, 0o120000]

/** @throws Failure('invalid') for what is neither a file nor a folder nor a link */
function kindOf(entry: Entry, name: string): UnpackedEntry['kind'] {
  const attributes = entry.externalFileAttributes
  const kind = hostOf(entry) === 'unix' ? (attributes >>> 16) & kindBits : 0
  const isFolder = name.endsWith('/')
  if (kind === ofLink && !isFolder) return 'link'
  if (kind !== 0 && kind !== ofFile && kind !== ofFolder)
    throw new Failure('invalid', '{{name}} is neither a file nor a folder', { about: { name: shownName(name) } })
  if (kind === ofFolder && !isFolder && entry.uncompressedSize > 0) throw damaged(name)
  const isDosFolder = hostOf(entry) === 'windows' && (attributes & 0x10) !== 0 && entry.uncompressedSize === 0
  return isFolder || kind === ofFolder || isDosFolder ? 'folder' : 'file'
}
