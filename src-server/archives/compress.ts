// Compressors of whole streams. None runs on the main thread.
import { ReadableStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { blocks, inParallel } from './blocks.ts'
import { joined } from './joined.ts'
import { packInThread } from './pack-threads.ts'
import { snappyStart } from './snappy.ts'
import { throughZlib } from './through-zlib.ts'

/** Compresses a stream in bounded memory. It closes the source when its reader stops, and throws what the source throws. */
export type Compress = (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>

const chunkSize = 64 * 1024
const mebibyte = 1024 * 1024
/** Blocks of one archive that are compressed at a time. */
const blocksAtOnce = 2
/** Bytes of one block of bzip2: as much as one stream of it packs in one go. */
const bzip2Block = 900_000

/** In the thread pool of Node. */
export const gzip: Compress = (source, signal) => joined(throughZlib(source, createGzip({ chunkSize })), signal)

/** Each block is a stream of its own: streams one after the other are one file. */
export const bzip2: Compress = (source, signal) => joined(inThreads(source, 'bzip2', bzip2Block), signal)

/** Framed. */
export const snappy: Compress = (source, signal) => joined(snappyStream(source), signal)

/** Each block is a frame of its own, made in the thread pool of Node: frames one after the other are one file. */
export const lz4: Compress = (source, signal) => joined(lz4Frames(source), signal)

/** In threads of the package itself. The first preset packs as much as gzip in a third of the time of the usual one. */
export const xz: Compress = (source, signal) => joined(xzStream(source), signal)

async function* snappyStream(source: AsyncIterable<Uint8Array>) {
  yield snappyStart
  yield* inThreads(source, 'snappy', mebibyte)
}

function inThreads(source: AsyncIterable<Uint8Array>, work: 'bzip2' | 'snappy', length: number) {
  return inParallel(blocks(source, length), blocksAtOnce, async (content) => (await packInThread({ work, content })).packed)
}

async function* lz4Frames(source: AsyncIterable<Uint8Array>) {
  const { compressFrame } = await import('lz4-napi')
  yield* inParallel(blocks(source, mebibyte), blocksAtOnce, (content) => compressFrame(content, { contentChecksum: true }))
}

async function* xzStream(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const { xz } = await import('@napi-rs/lzma')
  const pieces = blocks(source, chunkSize)
  let failure: { reason: unknown } | undefined
  const input = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await pieces.next()
          if (next.done) controller.close()
          else controller.enqueue(next.value)
        } catch (reason) {
          failure = { reason }
          controller.error(reason)
        }
      },
      cancel: () => pieces.return().then(() => {}),
    },
    { highWaterMark: 0 },
  )
  try {
    yield* xz.compressStream(input as never, { preset: 1 }) as unknown as ReadableStream<Uint8Array>
  } catch (error) {
    // The package replaces the reason of the source by one of its own.
    throw failure ? failure.reason : error
  } finally {
    await pieces.return()
  }
}
