import assert from 'node:assert/strict'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { startThread } from '../../src-server/base/threads.ts'

test('a thread has its own limit of memory, not the young generation that an option gives the main thread', async () => {
  setFlagsFromString('--max-semi-space-size=64')
  const thread = startThread('archives/pack-thread.ts')
  // Until it runs, so that the test does not end before.
  thread.ref()
  await once(thread, 'online')
  const { heap_size_limit: limit } = await thread.getHeapStatistics()
  await thread.terminate()
  // 64 MiB and 2 for young objects; a few more belong to V8. The option would make it more than 190.
  assert.ok(limit < 80 * 1024 * 1024, `${limit} bytes`)
})

test('a thread closes a file that the main thread has opened, and writes nothing to the console', async (t) => {
  const written = t.mock.method(process.stderr, 'write', () => true)
  const thread = startThread('disk/sequence-thread.ts')
  const errors = finished(thread.stderr)
  thread.postMessage([{ call: 'close', args: [openSync('/dev/null', 'r')] }])
  await once(thread, 'message')
  thread.postMessage([])
  await once(thread, 'message')
  await thread.terminate()
  await errors
  assert.deepEqual(
    written.mock.calls.map(({ arguments: [text] }) => String(text)),
    [],
  )
})
