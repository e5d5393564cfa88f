import { nextTurn } from '../base/turns.ts'

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
const mostAhead = 40
/** When no more are left the next are begun, all at once: what is asked of a disk at one time can be read together. */
const fewAhead = 8
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
      const isLow = begun.length <= fewAhead
      if (isLow && !isOver) await nextTurn()
      while (isLow && !isOver && begun.length < mostAhead && bytes < mostBytes) {
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
