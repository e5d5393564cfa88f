// Reads tar: of Unix version 7, ustar, pax and GNU. Own code, because packages lose names that are not UTF-8, take the blocks of sparse
// files for headers and read on behind the end.
import { Failure } from '../base/failure.ts'
import { cut, damaged, moreBehind, shownName } from './archive-file.ts'
import type { ArchiveNames } from './archive-names.ts'
import { ByteSource, type OpenBytes } from './byte-source.ts'
import { entryParts, isOfMac } from './entry-name.ts'
import { blockLength, headerIn, isZero, type PaxFields, paxFieldsIn, type TarHeader, unsupported } from './tar-headers.ts'
import { gnuSparse, paxSparse, type SparseFile, withHoles } from './tar-sparse.ts'
import type { UnpackedEntry, Unpacker, UnpackHow } from './unpacked-entry.ts'

/** Bytes of what stands before a header, how often that may be, and bytes behind the end of the archive. */
const [longestExtra, mostExtras, longestEnd] = [1 << 20, 100, 64 * 2 ** 20]

/** @param open makes the bytes of the archive, once for each pass */
export function tarUnpacker(open: OpenBytes): Unpacker {
  return {
    repeats: true,
    async *entries(how) {
      const source = new ByteSource(open())
      try {
        yield* entriesIn(source, how)
      } finally {
        await source.close()
      }
    },
  }
}

async function* entriesIn(source: ByteSource, { names, onLeftOut }: UnpackHow): AsyncGenerator<UnpackedEntry> {
  let ofAll: PaxFields = {}
  let extra: PaxFields = {}
  let extras = 0
  for (;;) {
    const block = await source.exactly(blockLength)
    // Without an end it may have been cut between two entries, as a download that broke off is.
    if (!block) throw cut()
    if (isZero(block)) return skipEnd(source)
    const header = headerIn(block)
    const { type } = header
    if ('xgLK'.includes(type)) {
      if (++extras > mostExtras || header.size > longestExtra) throw damaged()
      onLeftOut?.({ entries: 0, bytes: header.size })
      const bytes = await contentOf(source, header.size)
      if (type === 'g') ofAll = { ...ofAll, ...paxFieldsIn(bytes) }
      else if (type === 'x') extra = { ...extra, ...paxFieldsIn(bytes) }
      else extra = { ...extra, [type === 'L' ? 'path' : 'linkpath']: untilNul(bytes) }
      continue
    }
    const old = type === 'S' ? await gnuSparse(block, source) : undefined
    const content = new TarContent(source, extra.size ?? ofAll.size ?? header.size)
    const oldContent = old && { size: old.size, content: () => withHoles(new ByteSource(content.content()), old) }
    const entry = entryOf(header, { fields: { ...ofAll, ...extra }, content: oldContent ?? content, names })
    ;[extra, extras] = [{}, 0]
    // What is skipped is unpacked all the same.
    onLeftOut?.({ entries: entry ? 0 : 1, bytes: Math.max(0, content.size - (entry?.size ?? 0)) })
    if (entry) yield entry
    await content.skip()
  }
}

/** Only zeros stand behind the end. */
async function skipEnd(source: ByteSource): Promise<void> {
  let length = 0
  for (let piece = await source.next(blockLength * 128); piece; piece = await source.next(blockLength * 128)) {
    length += piece.length
    if (length > longestEnd || !isZero(piece)) throw moreBehind()
  }
}

const untilNul = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

async function contentOf(source: ByteSource, size: number): Promise<Buffer> {
  const content = new TarContent(source, size)
  const pieces: Uint8Array[] = []
  for await (const piece of content.content()) pieces.push(piece)
  await content.skip()
  return Buffer.concat(pieces)
}

/** The content of one entry, of which all is read before the next. */
class TarContent {
  readonly #source: ByteSource
  readonly size: number
  #left: number
  #padding: number

  constructor(source: ByteSource, size: number) {
    this.#source = source
    this.size = size
    this.#left = size
    this.#padding = (blockLength - (size % blockLength)) % blockLength
  }

  /** @throws Failure('invalid') when the archive ends within it */
  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) {
      const piece = await this.#source.next(this.#left)
      if (!piece) throw cut()
      this.#left -= piece.length
      yield piece
    }
  }

  async skip(): Promise<void> {
    for await (const _piece of this.content());
    const padding = this.#padding
    this.#padding = 0
    if (padding > 0 && !(await this.#source.exactly(padding))) throw cut()
  }
}

/** Volumes' labels and access lists say nothing that is extracted. */
const leftOut = 'VA'

type EntryHow = Readonly<{ fields: PaxFields; content: TarContent | SparseFile; names: ArchiveNames }>

/** @returns undefined for what is left out */
function entryOf({ type, ...header }: TarHeader, { fields, content, names }: EntryHow): UnpackedEntry | undefined {
  const { sparse } = fields
  const ofSparse = sparse?.name === undefined ? undefined : Buffer.from(sparse.name, 'latin1')
  const name = names.textOf(ofSparse ?? fields.path ?? header.name, false)
  const linkText = () => names.textOf(fields.linkpath ?? header.link, false)
  if (leftOut.includes(type)) return undefined
  const kind = kindOf(type, name)
  const parts = entryParts(name)
  if (parts.length === 0) {
    if (kind === 'folder') return undefined
    throw damaged(name)
  }
  if (isOfMac(parts, kind === 'folder')) return undefined
  const modified = fields.modified ?? header.modified
  const common = { parts, name, modified, mode: header.mode & 0o777 }
  if (kind === 'link') return { ...common, kind, size: 0, linkText: linkText() }
  if (kind === 'hardLink') return { ...common, kind, size: 0, target: entryParts(linkText()) }
  if (kind === 'folder') return { ...common, kind, size: 0 }
  const file = sparse ? paxSparse(sparse, content.content(), name) : content
  return { ...common, kind, size: file.size, content: () => file.content() }
}

function kindOf(type: string, name: string): UnpackedEntry['kind'] {
  // Incremental archives have folders with a list of what is in them.
  if (type === '5' || type === 'D') return 'folder'
  if (type === '1') return 'hardLink'
  if (type === '2') return 'link'
  if (type === '0' || type === '7' || type === 'S') return name.endsWith('/') ? 'folder' : 'file'
  if ('346'.includes(type))
    throw new Failure('invalid', '{{name}} is neither a file nor a folder', { about: { name: shownName(name) } })
  throw unsupported(name, `type ${type}`)
}
