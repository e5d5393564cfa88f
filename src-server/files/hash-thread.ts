// The code of a thread that computes checksums, one at a time. It is bundled on its own: see `build.ts`.
import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

/** What the thread is told: a checksum begins, the next bytes of the file, its end with the number of the job. */
export type HashRequest =
  | Readonly<{ begin: string }>
  | Readonly<{ bytes: Uint8Array; length: number }>
  | Readonly<{ end: number }>

/** What it answers: a buffer that it no longer needs, and the checksum of a job in lower-case hex. */
export type HashAnswer = Readonly<{ free: Uint8Array }> | Readonly<{ digest: string; job: number }>

let hash: Hash | undefined

parentPort?.on('message', (request: HashRequest) => {
  if ('begin' in request) hash = createHash(request.begin)
  else if ('end' in request) parentPort?.postMessage({ digest: hash?.digest('hex') ?? '', job: request.end })
  else add(request)
})

function add({ bytes, length }: { bytes: Uint8Array; length: number }) {
  hash?.update(bytes.subarray(0, length))
  parentPort?.postMessage({ free: bytes }, [bytes.buffer as ArrayBuffer])
}
