import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SerialQueue } from '../../src-server/base/serial-queue.ts'

test('work of one key begins when that before it has ended, also by an error; that of another key does not wait', async () => {
  const queue = new SerialQueue()
  const order: string[] = []
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const works = [
    queue.run(() => first.promise.then(() => assert.fail('first failed'))),
    queue.run(async () => {
      order.push('second')
      await second.promise
    }),
    queue.run(async () => void order.push('third')),
    queue.run(async () => void order.push('of another key'), 'other'),
  ]
  const failed = assert.rejects(works[0] as Promise<void>, /first failed/)
  await works[3]
  assert.deepEqual(order, ['of another key'])
  first.resolve()
  await failed
  second.resolve()
  await works[2]
  assert.deepEqual(order, ['of another key', 'second', 'third'])
  assert.equal(await queue.run(async () => 'answer'), 'answer')
})
