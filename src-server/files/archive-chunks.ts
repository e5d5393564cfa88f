import { MemoryPool } from '../base/memory-pool.ts'
import type { OpenFile } from '../disk/disk.ts'

/** Bytes of one chunk; see ../../docs/performance.md. */
const chunkSize = 1 << 20

/** New memory for each chunk would have V8 collect several times a second, which delays everybody. */
const memory = new MemoryPool(chunkSize, 8)

/** The content of a file, read one chunk ahead. The memory of a chunk is used again after `giveBackChunk`. @throws FileShrunk */
export async function* chunksOf(file: OpenFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const { readInto, entry } = file
  const read = async (position: number) => {
    if (position >= entry.size) return undefined
    const buffer = memory.take(Math.min(chunkSize, entry.size - position))
    const wanted = buffer.subarray(0, Math.min(buffer.length, entry.size - position))
    return wanted.subarray(0, await readInto(wanted, position))
  }
  let position = 0
  for (let next = read(position); ; ) {
    const chunk = await next
    signal.throwIfAborted()
    if (!chunk) return
    position += chunk.length
    next = read(position)
    // It is awaited after this chunk, or not at all.
    next.catch(() => {})
    yield chunk
  }
}

/** @param chunk of `chunksOf`, that nobody uses any more */
export function giveBackChunk(chunk: Uint8Array): void {
  memory.giveBack(new Uint8Array(chunk.buffer as ArrayBuffer))
}
