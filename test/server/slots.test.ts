import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slots } from '../../src-server/base/slots.ts'

test('work that is given up while it waits is not done, and keeps nobody waiting', async () => {
  const slots = new Slots(1)
  const first = Promise.withResolvers<void>()
  const abort = new AbortController()
  const done: string[] = []
  const works = [
    slots.run(() => first.promise),
    slots.run(async () => void done.push('given up'), abort.signal),
    slots.run(async () => void done.push('last')),
  ]
  abort.abort(new Error('nobody waits for it'))
  await assert.rejects(works[1] as Promise<void>, /nobody waits for it/)
  first.resolve()
  await Promise.all([works[0], works[2]])
  assert.deepEqual(done, ['last'])
  await assert.rejects(
    slots.run(async () => void done.push('aborted before'), abort.signal),
    /nobody waits for it/,
  )
  await slots.run(async () => void done.push('free again'))
  assert.deepEqual(done, ['last', 'free again'])
})
