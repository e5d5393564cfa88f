/**
 * Rejects with the signal's reason as soon as it is aborted, whatever the work still waits for.
 * @param discard gets the result that comes after the abort
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, discard?: (late: T) => unknown): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    let isOver = false
    const abort = () => {
      isOver = true
      reject(signal.reason)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    const arrive = (result: T) => {
      signal.removeEventListener('abort', abort)
      if (isOver) discard?.(result)
      else resolve(result)
    }
    work.then(arrive).catch((error: unknown) => {
      signal.removeEventListener('abort', abort)
      reject(error)
    })
  })
}

/** For what is finished also when what asked for it was aborted. */
export const neverAborted: AbortSignal = new AbortController().signal
