import { HttpFailure } from './http.ts'

/** A busy server names the seconds after which it is asked again. Longer ones, and more of them, are for the person to decide. */
const [mostRepeats, longestRetryAfter] = [5, 10]

/**
 * Repeats a call that only reads while the server is busy (503 with `Retry-After`).
 * @throws what the last call threw; the reason of the signal as soon as it is aborted
 */
export async function whenServed<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await read()
    } catch (failure) {
      const seconds = failure instanceof HttpFailure && failure.status === 503 ? failure.retryAfter : undefined
      if (seconds === undefined || seconds > longestRetryAfter || repeats === mostRepeats) throw failure
      await delay(seconds * 1000, signal)
    }
  }
}

/** @throws the reason of the signal as soon as it is aborted */
function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop)
  })
}
