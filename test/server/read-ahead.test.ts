import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAhead } from '../../src-server/files/read-ahead.ts'

const never = new AbortController().signal

test('the next items are begun together when few are left, and are taken in their order', async () => {
  const begun: number[] = []
  const whenTaken: number[] = []
  const begin = (item: number) => ({ size: 1, take: async () => item, begun: begun.push(item) })
  const taken: number[] = []
  for await (const item of readAhead(numbers(100), begin, never)) {
    taken.push(item)
    whenTaken.push(begun.length)
  }
  assert.deepEqual(taken, await Array.fromAsync(numbers(100)))
  const steps = [...new Set(whenTaken)]
  // 40 at first; then, whenever 8 are left, 32 more.
  assert.deepEqual(steps, [40, 72, 100])
})

test('items that hold much are not begun before there is room for them', async () => {
  let [held, most] = [0, 0]
  const size = 1024 * 1024
  const begin = (item: number) => {
    held += size
    return {
      size,
      take: async () => {
        most = Math.max(most, held)
        held -= size
        return item
      },
    }
  }
  await Array.fromAsync(readAhead(numbers(20), begin, never))
  assert.equal(held, 0)
  assert.equal(most, 4 * size)
})

test('an abort ends the items, and what was begun is awaited', async () => {
  const abort = new AbortController()
  let settled = 0
  const begin = (item: number) => ({
    size: 1,
    take: async () => item,
    settled: Promise.resolve().then(() => void settled++),
  })
  const reading = readAhead(numbers(100), begin, abort.signal)
  await reading.next()
  abort.abort(new Error('the client went'))
  await assert.rejects(async () => {
    for await (const _ of reading);
  }, /the client went/)
  assert.ok(settled >= 39, `${settled}`)
})

async function* numbers(count: number) {
  for (let number = 0; number < count; number++) yield number
}
