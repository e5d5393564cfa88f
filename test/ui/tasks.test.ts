// A task of more than 100 ms shows what it does and how far it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '../../src-ui/api/http.ts'
import { taskDelay, tasksSlice } from '../../src-ui/core/tasks.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const tasks = workspace.use(tasksSlice)

hooksOf(import.meta.filename)

// A function, because the compiler assumes that a signal that was undefined stays undefined.
const shown = () => tasks.current.value
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a task is shown after 100 ms, with its count, until it ends; a shorter one never', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  await tasks.track(async () => {}, 'Quick')
  context.mock.timers.tick(taskDelay)
  assert.equal(shown(), undefined)
  const steps = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const done = tasks.each(steps, ({ promise }) => promise, { label: 'Deleting 3 items' })
  steps[0]?.resolve()
  await settled()
  context.mock.timers.tick(taskDelay - 1)
  assert.equal(shown(), undefined)
  context.mock.timers.tick(1)
  assert.deepEqual([shown()?.label, shown()?.done.value, shown()?.total], ['Deleting 3 items', 1, 3])
  steps[1]?.resolve()
  await settled()
  assert.equal(shown()?.done.value, 2)
  steps[2]?.resolve()
  await done
  assert.equal(shown(), undefined)
})

test('a failure does not keep the next item from being done, and after a stop no further one is begun', async () => {
  const stopping = new AbortController()
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    if (item === 2) throw new Error('no')
    if (item === 3) stopping.abort()
  }
  const { failed, stopped } = await tasks.each([1, 2, 3, 4, 5], work, { label: 'Deleting', stopping })
  assert.deepEqual([begun, failed.map(({ item }) => item), stopped], [[1, 2, 3], [2], [4, 5]])
})

test('what is left fails at once when the server was not reached', async () => {
  const begun: number[] = []
  const lost = new HttpFailure(0, 'Failed to fetch')
  const work = async (item: number) => {
    begun.push(item)
    if (item === 2) throw lost
  }
  const { failed, stopped } = await tasks.each([1, 2, 3, 4], work, { label: 'Deleting' })
  const left = [2, 3, 4].map((item) => ({ item, failure: lost }))
  assert.deepEqual([begun, failed, stopped], [[1, 2], left, []])
})

test('a failed task is no longer shown, and of two tasks the last is shown', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const fails = Promise.withResolvers<void>()
  const lasts = Promise.withResolvers<void>()
  const first = tasks.track(() => fails.promise, 'First')
  const second = tasks.track(() => lasts.promise, 'Second')
  context.mock.timers.tick(taskDelay)
  assert.equal(shown()?.label, 'Second')
  lasts.resolve()
  await second
  assert.equal(shown()?.label, 'First')
  fails.reject(new Error('no'))
  await assert.rejects(first)
  assert.equal(shown(), undefined)
})
