import assert from 'node:assert/strict'
import { once } from 'node:events'
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
