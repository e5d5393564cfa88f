// Saving a text while the server cannot be reached.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { Saving } from '../../src-ui/editor/saving.ts'
import type { TextDocument } from '../../src-ui/editor/text-document.ts'
import { answering } from './answering.ts'
import { workspace } from './workspace.ts'

const network = answering(import.meta.filename)
const address = 'PUT /api/resources/a.txt?encoding=utf-8'
const lost = () => Promise.reject(new TypeError('no network'))

/** A text with unsaved changes. */
function start(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const window = new EventTarget()
  const before = globalThis.window
  globalThis.window = window as never
  const isDirty = signal(true)
  const written = { path: '/a.txt', text: 'new', hasMark: false, encoding: 'utf-8' }
  const document = {
    ...{ path: '/a.txt', name: 'a.txt', isDirty, file: signal({ version: '"1"' }) },
    snapshot: () => ({ doc: {}, written }),
    stored: () => {
      isDirty.value = false
    },
  }
  const saving = new Saving(workspace, document as unknown as TextDocument)
  context.after(() => {
    saving.dispose()
    globalThis.window = before
    const notices = workspace.use(noticesSlice)
    for (const { id } of notices.list.peek()) notices.dismiss(id)
  })
  return { saving, isDirty, online: () => window.dispatchEvent(new Event('online')) }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const shown = () => workspace.use(noticesSlice).list.value.map(({ kind, detail }) => `${kind}: ${detail ?? ''}`)
const puts = () => network.calls.filter(({ name }) => name === address).length

test('a save without a connection says so at once, and is sent when the network is back', async (context) => {
  const { saving, isDirty, online } = start(context)
  network.replies[address] = lost
  assert.equal(await saving.save(), false)
  assert.deepEqual(shown(), ['error: There is no connection to the server. The text is saved as soon as it is back.'])
  assert.equal(saving.isWaiting.value, true)
  network.replies[address] = { text: '200 OK' }
  online()
  for (let turn = 0; turn < 20 && isDirty.value; turn++) await settled()
  assert.deepEqual([isDirty.value, saving.isWaiting.value, puts()], [false, false, 2])
  assert.ok(!shown().some((text) => text.startsWith('error')))
  online()
  await settled()
  assert.equal(puts(), 2)
})

test('a save is tried again while only the server is away, and said once', async (context) => {
  const { saving, isDirty } = start(context)
  network.replies[address] = lost
  await saving.save()
  for (let attempt = 2; attempt <= 3; attempt++) {
    context.mock.timers.tick(5000)
    for (let turn = 0; turn < 20 && puts() < attempt; turn++) await settled()
    await settled()
  }
  assert.deepEqual([puts(), shown().length], [3, 1])
  network.replies[address] = { text: '200 OK' }
  context.mock.timers.tick(5000)
  for (let turn = 0; turn < 20 && isDirty.value; turn++) await settled()
  assert.equal(isDirty.value, false)
})
