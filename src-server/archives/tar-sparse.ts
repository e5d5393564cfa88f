// Files with holes in tar archives, whose contents lack the holes: https://www.gnu.org/software/tar/manual/html_section/Sparse-Formats.html
// Holes are written as zeros, and count as bytes.
import { damaged } from './archive-file.ts'
import { ByteSource, pieceLength } from './byte-source.ts'
import { blockLength, numberIn, unsupported } from './tar-headers.ts'

/** Where what is not a hole begins, and how long it is. */
type Part = Readonly<{ at: number; length: number }>

/** A file of a sparse form: its length with the holes, and its content. */
export type SparseFile = Readonly<{ size: number; content(): AsyncIterable<Uint8Array> }>

/** Parts of one file, and of a block of the old form. */
const [mostParts, partsOfBlock] = [50_000, 21]

/** The old form of GNU: some parts in the header, and more in blocks behind it. */
export async function gnuSparse(header: Buffer, source: ByteSource): Promise<{ size: number; parts: readonly Part[] }> {
  const parts: Part[] = []
  const add = (fields: Buffer) => {
    for (let at = 0; at + 24 <= fields.length; at += 24) {
      const part = { at: numberIn(fields.subarray(at, at + 12)), length: numberIn(fields.subarray(at + 12, at + 24)) }
      // What is not used is zeros.
      if (fields[at] !== 0) parts.push(part)
    }
  }
  add(header.subarray(386, 482))
  let left = mostParts / partsOfBlock
  for (let isMore = header[482] !== 0; isMore; left--) {
    // Blocks without parts count too: they pack well.
    if (left <= 0) throw damaged()
    const block = await source.needed(blockLength)
    add(block.subarray(0, 504))
    isMore = block[504] !== 0
  }
  const size = numberIn(header.subarray(483, 495))
  if (size < 0) throw damaged()
  return { size, parts }
}

/** Form 1.0 of pax: the parts stand as lines before the content. @param fields the records `GNU.sparse.…`, without that beginning */
export function paxSparse(
  fields: Readonly<Record<string, string>>,
  content: AsyncIterable<Uint8Array>,
  name: string,
): SparseFile {
  const { major, minor, realsize = '' } = fields
  if (major !== '1' || minor !== '0') throw unsupported(name, 'sparse')
  const size = wholeNumber(realsize)
  return {
    size,
    async *content() {
      const source = new ByteSource(content)
      yield* withHoles(source, { size, parts: await partsBefore(source) })
    },
  }
}

async function partsBefore(source: ByteSource): Promise<Part[]> {
  let text = ''
  const numbers: number[] = []
  const wanted = () => (numbers[0] === undefined ? 1 : 1 + 2 * numbers[0])
  while (numbers.length < wanted()) {
    const end = text.indexOf('\n')
    if (end < 0) {
      if (text.length > blockLength) throw damaged()
      text += (await source.needed(blockLength)).toString('latin1')
      continue
    }
    numbers.push(wholeNumber(text.slice(0, end)))
    text = text.slice(end + 1)
    if ((numbers[0] ?? 0) > mostParts) throw damaged()
  }
  const parts: Part[] = []
  for (let index = 1; index < numbers.length; index += 2) parts.push({ at: numbers[index] ?? 0, length: numbers[index + 1] ?? 0 })
  return parts
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(number)) throw damaged()
  return number
}

const zeros: Uint8Array = Buffer.alloc(pieceLength)

/** @throws Failure('invalid') when the parts are not one behind the other, or are not all of the content */
export async function* withHoles(
  source: ByteSource,
  { size, parts }: Readonly<{ size: number; parts: readonly Part[] }>,
): AsyncGenerator<Uint8Array> {
  let at = 0
  // A hole at the end is before a part of nothing.
  for (const part of [...parts, { at: size, length: 0 }]) {
    if (part.at < at || part.length < 0 || part.at + part.length > size) throw damaged()
    for (; at < part.at; at += Math.min(pieceLength, part.at - at)) yield zeros.subarray(0, part.at - at)
    for (const end = at + part.length; at < end; ) {
      const piece = await source.next(end - at)
      if (!piece) throw damaged()
      at += piece.length
      yield piece
    }
  }
  if (await source.next(1)) throw damaged()
}
