// Reads xz. The package decompresses; how far back a block may refer is read here before it gets the block, because the package takes so
// much memory, up to 4 GiB: https://tukaani.org/xz/xz-file-format.txt, from where the numbers of sections are.
import { ReadableStream } from 'node:stream/web'
import { crc32 } from 'node:zlib'
import { damaged, moreBehind, needsMemory } from './archive-file.ts'
import { ByteSource } from './byte-source.ts'
import { ownMemory } from './own-memory.ts'

/** Bytes that a block may refer back: `xz -9` has as much. */
const longestDictionary = 64 * 2 ** 20
/** 5.3.1. */
const lzma2 = 0x21

export async function* unxz(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const { xz } = await import('@napi-rs/lzma')
  const checked = checkedBytes(new ByteSource(bytes))
  // Of nothing the package says that it is damaged.
  let waiting: IteratorResult<Uint8Array, void> | undefined = await checked.next()
  if (waiting.done) return
  let failure: { reason: unknown } | undefined
  let stop: () => void = () => {}
  const input = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Without an end of its input the package keeps a thread.
        stop = () => controller.error(new Error('nobody reads'))
      },
      async pull(controller) {
        try {
          const next = waiting ?? (await checked.next())
          waiting = undefined
          if (next.done) controller.close()
          else controller.enqueue(next.value)
        } catch (reason) {
          failure = { reason }
          controller.error(reason)
        }
      },
    },
    { highWaterMark: 0 },
  )
  let isRead = false
  try {
    for await (const piece of xz.decompressStream(input as never)) yield ownMemory(piece)
    isRead = true
  } catch (error) {
    isRead = true
    // The package replaces the reason of the source by one of its own, and what is wrong with the bytes by a plain error.
    throw failure ? failure.reason : damaged(undefined, error)
  } finally {
    if (!isRead) stop()
    await checked.return()
  }
}

/** The same bytes, once it is known how much memory they need. */
async function* checkedBytes(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let isFirst = true; ; isFirst = false) {
      const head = isFirst ? await source.needed(12) : await nextStream(source)
      if (!head) return
      source.addPart()
      const first = await source.needed(1)
      // Of some hundred streams without a block the package ends the process.
      if (first[0] === 0) await checkEmpty(source, head)
      else {
        yield head
        yield* streamBytes(source, head, first)
      }
    }
  } finally {
    await source.close()
  }
}

/** 2.2: zeros, four at a time, may stand between streams and behind them; they are left out. @throws Failure('invalid') for what is neither */
async function nextStream(source: ByteSource): Promise<Buffer | undefined> {
  for (;;) {
    const start = await source.upTo(4)
    if (start.length === 0) return undefined
    if (start.equals(streamStart.subarray(0, 4))) return Buffer.concat([start, await source.needed(8)])
    if (start.length < 4 || start.some((byte) => byte !== 0)) throw moreBehind()
  }
}

/** 2.1.1.2: bytes of a block's checksum, by its kind. */
const checkLengths = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]

/** 2.1.1, 4 and 2.1.2: a stream without a block, of which the first byte behind its header is taken. @throws Failure('invalid') */
async function checkEmpty(source: ByteSource, head: Buffer): Promise<void> {
  const rest = await source.needed(7 + 12)
  const flags = head.subarray(6, 8)
  const sum = (bytes: Uint8Array) => {
    const four = Buffer.alloc(4)
    four.writeUInt32LE(crc32(bytes))
    return four
  }
  const [noRecords, footer] = [Buffer.alloc(4), Buffer.concat([Buffer.of(1, 0, 0, 0), flags])]
  const wanted = [noRecords.subarray(1), sum(noRecords), sum(footer), footer, Buffer.from('YZ')]
  const isRight = head.equals(Buffer.concat([streamStart, flags, sum(flags)])) && rest.equals(Buffer.concat(wanted))
  if (!isRight) throw damaged()
}

/** 2.1.1.1. */
const streamStart = Buffer.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)

/** @param next the first byte behind the header of the stream */
async function* streamBytes(source: ByteSource, head: Buffer, next: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  const checkLength = checkLengths[(head[7] ?? 0) & 15] ?? 0
  for (let first = next; ; first = await source.needed(1)) {
    const [size = 0] = first
    yield first
    if (size === 0) break
    // 3.1: the size counts in fours, with itself.
    const header = await source.needed(4 * size + 3)
    checkFilters(header)
    yield header
    const length = yield* chunks(source)
    yield await source.needed(((4 - (length % 4)) % 4) + checkLength)
  }
  yield* restOf(source)
}

/** 4, 2.1.2: the index, behind its first byte, and the footer. */
async function* restOf(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  const { count, bytes } = await longNumber(source)
  yield bytes
  let length = 1 + bytes.length
  for (let index = 0; index < 2 * count; index++) {
    const { bytes: field } = await longNumber(source)
    length += field.length
    yield field
  }
  yield await source.needed(((4 - (length % 4)) % 4) + 4 + 12)
}

async function longNumber(source: ByteSource): Promise<{ count: number; bytes: Buffer }> {
  const bytes: Buffer[] = []
  let count = 0
  for (let byte = 0x80; byte & 0x80; ) {
    const next = await source.needed(1)
    byte = next[0] ?? 0
    count += (byte & 0x7f) * 2 ** (7 * bytes.length)
    bytes.push(next)
    if (bytes.length > 9 || !Number.isSafeInteger(count)) throw damaged()
  }
  return { count, bytes: Buffer.concat(bytes) }
}

/** 3.1. @throws Failure('tooLarge') when a block refers further back than there is memory for */
function checkFilters(header: Buffer): void {
  const [flags = 0] = header
  let at = 1
  const number = () => {
    let value = 0
    for (let shift = 0, byte = 0x80; byte & 0x80; shift += 7) {
      byte = header[at++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
    }
    return value
  }
  if (flags & 0x40) number()
  if (flags & 0x80) number()
  for (let filter = 0; filter <= (flags & 3); filter++) {
    const [id, length] = [number(), number()]
    // 5.3.1: two bits of mantissa, and an exponent.
    const bits = header[at] ?? 0
    if (id === lzma2 && (bits > 40 || (2 | (bits & 1)) * 2 ** ((bits >> 1) + 11) > longestDictionary)) throw needsMemory()
    at += length
  }
}

/** Chunks of LZMA2, until the last. @returns their length */
async function* chunks(source: ByteSource): AsyncGenerator<Uint8Array, number, undefined> {
  for (let length = 0; ; ) {
    const control = await source.needed(1)
    const [kind = 0] = control
    if (kind === 0) {
      yield control
      return length + 1
    }
    if (kind > 2 && kind < 0x80) throw damaged()
    // Two bytes say how long the content is that is stored; of one that is packed it is known before how long it is unpacked.
    const isPacked = kind >= 0x80
    const sizes = await source.needed(isPacked ? 4 : 2)
    const size = sizes.readUInt16BE(isPacked ? 2 : 0) + 1 + (kind >= 0xc0 ? 1 : 0)
    const content = await source.needed(size)
    yield Buffer.concat([control, sizes, content])
    length += 1 + sizes.length + size
  }
}
