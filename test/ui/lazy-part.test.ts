import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LazyPart } from '../../src-ui/core/lazy-part.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A part whose attempts have the listed results: the part, a failure, or none. */
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

test('a part is loaded once for any number of calls', async () => {
  const { part, attempts } = start('here')
  await Promise.all([part.load(), part.load()])
  await part.load()
  assert.deepEqual([part.value.value, attempts()], ['the part', 1])
})

test('a failed attempt is repeated once', async () => {
  const { part, attempts } = start('broken', 'here')
  await part.load()
  assert.deepEqual([part.value.value, attempts()], ['the part', 2])
})

test('a part that fails twice is reported as failed, and the next load tries again', async () => {
  const { part, attempts } = start('broken', 'broken', 'here')
  await assert.rejects(part.load(), /not loaded/)
  assert.equal(part.value.value, undefined)
  await part.load()
  assert.deepEqual([part.value.value, attempts()], ['the part', 3])
})

test('a part that is not loaded within 120 seconds in both attempts has failed', async (context) => {
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
