import type { MemoryPool } from '../base/memory-pool.ts'

/**
 * The same bytes in blocks of one length, except the last. Each has memory of its own, which may be transferred to a thread, and
 * which is given back to the pool by who needs it no longer.
 * @param length bytes, at most the size of the pool's pieces
 */
export async function* blocks(
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
export async function* inParallel<T, U>(
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
