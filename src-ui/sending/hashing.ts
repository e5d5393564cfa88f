import workerAddress from 'holdall:part/sending/hash-worker.ts'

/** @returns the sha256 of a part of a file in base64; undefined when it cannot be read, or the browser cannot compute it */
export type Sha256 = (blob: Blob, signal: AbortSignal) => Promise<string | undefined>

type Answer = Readonly<{ id: number; digest?: Uint8Array }>

/** Computes checksums in a worker, which begins with the first one. */
export function hashing(): Sha256 {
  const waiting = new Map<number, (digest: string | undefined) => void>()
  let worker: Worker | undefined
  let last = 0
  const settle = (id: number, digest?: Uint8Array) => {
    waiting.get(id)?.(digest && btoa(String.fromCharCode(...digest)))
    waiting.delete(id)
  }
  const begin = () => {
    const begun = new Worker(new URL(workerAddress, import.meta.url), { type: 'module' })
    begun.onmessage = ({ data: { id, digest } }: MessageEvent<Answer>) => settle(id, digest)
    // Its code cannot be loaded, or the browser has no WebAssembly: the next question begins another one.
    begun.onerror = () => {
      worker = undefined
      for (const id of waiting.keys()) settle(id)
    }
    return begun
  }
  return (blob, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      last += 1
      const id = last
      const stop = () => {
        waiting.delete(id)
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      waiting.set(id, (digest) => {
        signal.removeEventListener('abort', stop)
        resolve(digest)
      })
      try {
        worker ??= begin()
        worker.postMessage({ id, blob })
      } catch {
        // The browser begins no worker.
        settle(id)
      }
    })
}
