// Compressors of whole streams. None runs on the main thread.
import { ReadableStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { collectGarbage } from '../base/collect-garbage.ts'
import { MemoryPool } from '../base/memory-pool.ts'
import { joined } from './joined.ts'
import { ownMemory } from './own-memory.ts'
import type { BlockWork } from './pack-thread.ts'
import { packInThread } from './pack-threads.ts'
import { snappyStart } from './snappy.ts'
import { throughZlib } from './through-zlib.ts'

/** Compresses a stream in bounded memory. It closes the source when its reader stops, and throws what the source throws. */
export type Compress = (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>

const chunkSize = 64 * 1024
const mebibyte = 1024 * 1024
/** Blocks of one archive that are compressed at a time. */
const blocksAtOnce = 2
/** Bytes of one frame of lz4. With 256 KiB its allocator keeps 560 MB while 1 GB that cannot be compressed is packed. */
const lz4Block = 64 * 1024
/** Bytes that the encoder of xz gets at a time: with longer pieces the memory of the package grows. */
const xzPiece = 32 * 1024
/** Bytes that a thread packs at a time with snappy. */
const snappyBlock = 256 * 1024
/** Bytes of one block of bzip2: as much as one stream of it packs in one go. */
const bzip2Block = 900_000

/** For the blocks of all archives: new memory for each would stay with the process until it is collected. */
const memory = new MemoryPool(mebibyte, 8)

/** In the thread pool of Node. */
export const gzip: Compress = (source, signal) => joined(throughZlib(source, createGzip({ chunkSize })), signal)

/** Each block is a stream of its own: streams one after the other are one file. */
export const bzip2: Compress = (source, signal) => joined(inThreads(source, 'bzip2', bzip2Block), signal)

/** Framed. */
export const snappy: Compress = (source, signal) => joined(snappyStream(source), signal)

/** Each block is a frame of its own, made in the thread pool of Node: frames one after the other are one file. */
export const lz4: Compress = (source, signal) => joined(lz4Frames(source), signal)

/** In threads of the package itself. The first preset packs as much as gzip in a third of the time of the usual one. */
export const xz: Compress = (source, signal) =>
  joined(xzStream(collectGarbage(blocks(source, xzPiece, new MemoryPool(xzPiece, 0)), 'all')), signal)

async function* snappyStream(source: AsyncIterable<Uint8Array>) {
  yield snappyStart
  yield* inThreads(source, 'snappy', snappyBlock)
}

function inThreads(source: AsyncIterable<Uint8Array>, work: BlockWork, length: number) {
  return inParallel(blocks(source, length, memory), blocksAtOnce, async (block) => {
    const { packed, content } = await packInThread({ work, content: block })
    memory.giveBack(content)
    return packed
  })
}

async function* lz4Frames(source: AsyncIterable<Uint8Array>) {
  const { compressFrame } = await import('lz4-napi')
  yield* inParallel(blocks(source, lz4Block, memory), blocksAtOnce, async (content) => {
    const frame = ownMemory(await compressFrame(content, { contentChecksum: true }))
    memory.giveBack(content)
    return frame
  })
}

async function* xzStream(pieces: AsyncGenerator<Uint8Array, void, undefined>): AsyncGenerator<Uint8Array, void, undefined> {
  const { xz } = await import('@napi-rs/lzma')
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
    for await (const piece of xz.compressStream(input as never, { preset: 1 })) yield ownMemory(piece)
  } catch (error) {
    // The package replaces the reason of the source by one of its own.
    throw failure ? failure.reason : error
  } finally {
    await pieces.return()
  }
}

/**
 * The same bytes in blocks of one length, except the last. Each has memory of its own, which may be transferred to a thread, and
 * which is given back to the pool by who needs it no longer.
 * @param length bytes, at most the size of the pool's pieces
 */
async function* blocks(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
  memory: MemoryPool,
): AsyncGenerator<Uint8Array, void, undefined> {
  let block = memory.take(length)
  let filled = 0
  for await (const piece of pieces) {
    for (let taken = 0; taken < piece.length; ) {
      const part = piece.subarray(taken, taken + length - filled)
      block.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled < length) continue
      yield block.subarray(0, length)
      block = memory.take(length)
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
  else memory.giveBack(block)
}

/** Works on several items at a time. The results come in the order of the items. */
async function* inParallel<T, U>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<U>,
): AsyncGenerator<U, void, undefined> {
  const running: Promise<U>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // It is awaited when it is its turn.
      result.catch(() => {})
      running.push(result)
      if (running.length >= atOnce) yield await (running.shift() as Promise<U>)
    }
    for (const result of running.splice(0)) yield await result
  } finally {
    // Work that nobody waits for ends by itself: it is one block.
    running.length = 0
  }
}
