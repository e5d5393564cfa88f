// A thread for tests of the pool: it answers with its id and the size of what it got.
import { parentPort, threadId } from 'node:worker_threads'

parentPort?.on('message', (request: { fails?: string; bytes?: ArrayBuffer }) => {
  if (request.fails === 'throws') throw new Error('the thread threw')
  if (request.fails === 'exits') process.exit(3)
  parentPort?.postMessage({ thread: threadId, size: request.bytes?.byteLength })
})
