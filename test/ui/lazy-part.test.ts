import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LazyPart } from '../../src-ui/core/lazy-part.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A part whose attempts end as they are listed: with the part, with a failure, or never. */
function start(...ends: ('here' | 'broken' | 'never')[]) {
  let attempts = 0
  const part = new LazyPart(() => {
    const end = ends[attempts]
    attempts += 1
    if (end === 'here') return Promise.resolve('the part')
    return end === 'never' ? new Promise<string>(() => {}) : Promise.reject(new Error('not loaded'))
  })
  return { part, attempts: () => attempts }
}

test('a part is loaded once, however often it is asked for', async () => {
  const { part, attempts } = start('here')
  await Promise.all([part.load(), part.load()])
  await part.load()
  assert.deepEqual([part.value.value, attempts()], ['the part', 1])
})

test('an attempt that fails is made once more by itself', async () => {
  const { part, attempts } = start('broken', 'here')
  await part.load()
  assert.deepEqual([part.value.value, attempts()], ['the part', 2])
})

test('a part that fails twice is said to have failed, and the next load begins anew', async () => {
  const { part, attempts } = start('broken', 'broken', 'here')
  await assert.rejects(part.load(), /not loaded/)
  assert.equal(part.value.value, undefined)
  await part.load()
  assert.deepEqual([part.value.value, attempts()], ['the part', 3])
})

test('a part that has not come within 120 seconds has failed, both attempts together', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { part, attempts } = start('broken', 'never', 'here')
  let failure: unknown
  const loaded = part.load().catch((cause: unknown) => {
    failure = cause
  })
  await settled()
  context.mock.timers.tick(119_999)
  await settled()
  assert.equal(failure, undefined)
  context.mock.timers.tick(1)
  await loaded
  assert.match(String(failure), /took too long/)
  assert.equal(attempts(), 2)
  await part.load()
  assert.equal(part.value.value, 'the part')
})
