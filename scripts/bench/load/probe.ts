// Another user, who lists a short folder repeatedly while the server is under load. Runs in its own thread, so that the load of
// the benchmark itself does not delay it.
import { setTimeout } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { ask } from '../connection.ts'
import { folders } from './files.ts'

/** Milliseconds of the slowest listing. */
export type Probed = { worst: number; listings: number; failed: number }

/** Milliseconds between two listings. */
const pause = 20
/** Milliseconds after which a listing is aborted; it then counts with this time. */
const timeout = 30_000

/** Starts listing. @returns a function that ends it after the running listing */
export async function startProbe(url: string, token: string): Promise<() => Promise<Probed>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, token } })
  const message = () => new Promise<Probed>((done, failed) => worker.once('message', done).once('error', failed))
  // After the first listing the code is compiled and the folder is cached.
  await message()
  return () => {
    const probed = message()
    worker.postMessage('stop')
    return probed
  }
}

async function probe({ url, token }: { url: string; token: string }, port: NonNullable<typeof parentPort>): Promise<void> {
  const probed: Probed = { worst: 0, listings: 0, failed: 0 }
  await list(url, token, { ...probed })
  let isOver = false
  port.once('message', () => {
    isOver = true
  })
  port.postMessage(probed)
  while (!isOver) {
    await list(url, token, probed)
    await setTimeout(pause)
  }
  port.postMessage(probed)
}

async function list(url: string, token: string, probed: Probed): Promise<void> {
  const started = performance.now()
  const asked = ask(url, { path: `/api/resources/${folders.short.name}/`, token })
  const isAnswered = await Promise.race([
    asked.then(
      () => true,
      () => false,
    ),
    setTimeout(timeout, false, { ref: false }),
  ])
  probed.listings += 1
  if (!isAnswered) probed.failed += 1
  probed.worst = Math.max(probed.worst, performance.now() - started)
}

if (parentPort) await probe(workerData, parentPort)
