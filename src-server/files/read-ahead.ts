/** An item whose work has begun. */
export type Begun<T> = Readonly<{
  /** Bytes that it holds until it is taken. */
  size: number
  /** Called when it is its turn. */
  take(): Promise<T>
  /** Work that is still running when no more is asked for. */
  settled?: Promise<unknown>
}>

/** Items that are worked on before their turn, and how many bytes they may hold together. */
const mostAhead = 64
const mostBytes = 4 * 1024 * 1024

/** Begins the work on the next items while one is used, in their order. @throws the signal's reason */
export async function* readAhead<T, U>(
  items: AsyncIterable<T>,
  begin: (item: T) => Begun<U>,
  signal: AbortSignal,
): AsyncGenerator<U, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  const begun: Begun<U>[] = []
  let bytes = 0
  let isOver = false
  try {
    for (;;) {
      while (!isOver && begun.length < mostAhead && bytes < mostBytes) {
        const next = await iterator.next()
        signal.throwIfAborted()
        if (next.done) isOver = true
        else {
          const item = begin(next.value)
          begun.push(item)
          bytes += item.size
        }
      }
      const first = begun.shift()
      if (!first) return
      bytes -= first.size
      yield await first.take()
    }
  } finally {
    await iterator.return?.()
    await Promise.allSettled(begun.map(({ settled }) => settled))
  }
}
