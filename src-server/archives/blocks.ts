/** The same bytes in blocks of one length, except the last. Each has memory of its own, which may be transferred to a thread. */
export async function* blocks(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let block = new Uint8Array(length)
  let filled = 0
  for await (const piece of pieces) {
    for (let taken = 0; taken < piece.length; ) {
      const part = piece.subarray(taken, taken + length - filled)
      block.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled < length) continue
      yield block
      block = new Uint8Array(length)
      filled = 0
    }
  }
  if (filled > 0) yield block.slice(0, filled)
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
