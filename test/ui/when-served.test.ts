// Calls to a server that is busy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, HttpFailure } from '../../src-ui/api/http.ts'
import { whenServed } from '../../src-ui/api/when-served.ts'
import { answering } from './answering.ts'

const network = answering(import.meta.filename)

const read = (path: string, signal?: AbortSignal) =>
  whenServed(() => call('GET /api/resources/*', { path, ...(signal && { signal }) }), signal)
const busy = (retryAfter: string) => ({ status: 503, text: 'busy', headers: { 'Retry-After': retryAfter } })

test('what is only read is asked for again after the time that a busy server names', async () => {
  network.replies['GET /api/resources/'] = () => (network.calls.length < 3 ? busy('0') : { text: 'served' })
  assert.equal(await read('/'), 'served')
  assert.equal(network.calls.length, 3)
})

test('a server that stays busy is asked six times', async () => {
  network.replies['GET /api/resources/'] = busy('0')
  await assert.rejects(read('/'), new HttpFailure(503, 'busy', { retryAfter: 0 }))
  assert.equal(network.calls.length, 6)
})

test('a folder that may be asked for only much later, or at no known time, is asked for once', async () => {
  network.replies['GET /api/resources/late'] = busy('3600')
  network.replies['GET /api/resources/unknown'] = { status: 503, text: 'busy' }
  for (const path of ['/late', '/unknown']) await assert.rejects(read(path), { status: 503 })
  assert.equal(network.calls.length, 2)
})

test('a call that is stopped while the server is busy is not sent again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [stopping, reason] = [new AbortController(), new Error('left the folder')]
  network.replies['GET /api/resources/'] = busy('10')
  const asked = read('/', stopping.signal)
  await new Promise(setImmediate)
  assert.equal(network.calls.length, 1)
  stopping.abort(reason)
  await assert.rejects(asked, reason)
  assert.equal(network.calls.length, 1)
})
