/**
 * The same items until the signal is aborted; then it throws the reason. The source is closed at the abort, even while one of its
 * items is awaited or nobody asks for the next item, and whenever the reader stops before the end.
 */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  signal.throwIfAborted()
  const iterator = items[Symbol.asyncIterator]()
  let isClosed = false
  let reject: ((reason: unknown) => void) | undefined
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await iterator.return?.()
  }
  const onAbort = () => {
    reject?.(signal.reason)
    // Not awaited: a generator answers only after the item that it is working on, which may never come.
    close().catch(() => {})
  }
  signal.addEventListener('abort', onAbort)
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, fail) => {
        reject = fail
        iterator.next().then(resolve, fail)
      })
      signal.throwIfAborted()
      if (next.done) {
        isClosed = true
        return
      }
      yield next.value
      signal.throwIfAborted()
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    await close()
  }
}
