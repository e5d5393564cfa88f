// A task of more than 100 ms shows what it does and how far it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskDelay, tasksSlice } from '../../src-ui/core/tasks.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const tasks = workspace.use(tasksSlice)

hooksOf(import.meta.filename)

// A function, because the compiler assumes that a signal that was undefined stays undefined.
const shown = () => tasks.current.value

test('a task is shown after 100 ms, with its count, until it ends; a shorter one never', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  await tasks.track({ label: 'Quick' }, async () => {})
  context.mock.timers.tick(taskDelay)
  assert.equal(shown(), undefined)
  let proceed = () => {}
  let count = () => {}
  const done = tasks.track({ label: 'Deleting 3 items', total: 3 }, (step) => {
    count = step
    return new Promise<void>((resolve) => {
      proceed = resolve
    })
  })
  count()
  context.mock.timers.tick(taskDelay - 1)
  assert.equal(shown(), undefined)
  context.mock.timers.tick(1)
  assert.deepEqual([shown()?.label, shown()?.done, shown()?.total], ['Deleting 3 items', 1, 3])
  count()
  assert.equal(shown()?.done, 2)
  proceed()
  await done
  assert.equal(shown(), undefined)
})

test('a failed task is no longer shown, and of two tasks the last is shown', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const fails = Promise.withResolvers<void>()
  const lasts = Promise.withResolvers<void>()
  const first = tasks.track({ label: 'First' }, () => fails.promise)
  const second = tasks.track({ label: 'Second' }, () => lasts.promise)
  context.mock.timers.tick(taskDelay)
  assert.equal(shown()?.label, 'Second')
  lasts.resolve()
  await second
  assert.equal(shown()?.label, 'First')
  fails.reject(new Error('no'))
  await assert.rejects(first)
  assert.equal(shown(), undefined)
})
