// Reads Zstandard. Node decompresses the frames; where each ends is read here, because it drops what stands behind the first in silence:
// https://datatracker.ietf.org/doc/html/rfc8878
import { pipeline, Readable } from 'node:stream'
import { constants, createZstdDecompress } from 'node:zlib'
import { cut, damaged, moreBehind, needsMemory } from './archive-file.ts'
import { ByteSource, pieceLength } from './byte-source.ts'

const [frameStart, firstSkipped, lastSkipped] = [0xfd2f_b528, 0x184d_2a50, 0x184d_2a5f]
/** Binary logarithm of how far back a frame may refer: so many bytes are held. */
const longestWindow = 26
/** 3.1.1.2: bytes of a block. */
const longestBlock = 128 * 1024

export async function* unzstd(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const source = new ByteSource(bytes)
  try {
    for (let isFirst = true; ; isFirst = false) {
      const head = isFirst ? await source.needed(4) : await source.upTo(4)
      if (head.length < 4) {
        if (head.some((byte) => byte !== 0)) throw moreBehind()
        return
      }
      source.addPart()
      const start = head.readUInt32LE()
      if (start === frameStart) yield* contentOf(frameBytes(source, head))
      else if (start >= firstSkipped && start <= lastSkipped) await skip(source, (await source.needed(4)).readUInt32LE())
      else if (!head.every((byte) => byte === 0)) throw moreBehind()
    }
  } finally {
    await source.close()
  }
}

async function* contentOf(frame: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const packed = Readable.from(frame, { highWaterMark: 1 })
  const params = { [constants.ZSTD_d_windowLogMax]: longestWindow }
  const decompress = createZstdDecompress({ chunkSize: pieceLength, params })
  pipeline(packed, decompress, () => {})
  try {
    for await (const piece of decompress) yield piece
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ZSTD_error_frameParameter_windowTooLarge') throw needsMemory(error)
    throw code.startsWith('ZSTD_') ? damaged() : error
  } finally {
    packed.destroy()
    decompress.destroy()
  }
}

/** 3.1.1: header, blocks and checksum of one frame. */
async function* frameBytes(source: ByteSource, start: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  const descriptor = await source.needed(1)
  const [flags = 0] = descriptor
  const isSingle = (flags & 0x20) !== 0
  const sizeLength = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  const dictionaryLength = [0, 1, 2, 4][flags & 3] ?? 0
  yield Buffer.concat([start, descriptor, await source.needed((isSingle ? 0 : 1) + dictionaryLength + sizeLength)])
  for (let isLast = false; !isLast; ) {
    const header = await source.needed(3)
    const value = header.readUIntLE(0, 3)
    const [kind, size] = [(value >> 1) & 3, value >> 3]
    isLast = (value & 1) === 1
    if (size > longestBlock || kind === 3) throw damaged()
    // A block of kind 1 is one byte, repeated.
    yield Buffer.concat([header, await source.needed(kind === 1 ? 1 : size)])
  }
  if (flags & 4) yield await source.needed(4)
}

async function skip(source: ByteSource, length: number): Promise<void> {
  for (let left = length; left > 0; ) {
    const piece = await source.next(left)
    if (!piece) throw cut()
    left -= piece.length
  }
}
