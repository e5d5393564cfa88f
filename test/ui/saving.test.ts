// Saving a text while the server cannot be reached.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { SaveState } from '../../src-ui/editor/save-state.ts'
import type { TextDocument } from '../../src-ui/editor/text-document.ts'
import { answering } from './answering.ts'
import { workspace } from './workspace.ts'

const network = answering(import.meta.filename)
const address = 'PUT /api/resources/a.txt?encoding=utf-8'
const lost = () => Promise.reject(new TypeError('no network'))

/** A text with unsaved changes. */
function start(context: TestContext, encoding = 'utf-8') {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const window = new EventTarget()
  const before = globalThis.window
  globalThis.window = window as never
  const isDirty = signal(true)
  const kept: string[] = []
  const written = { path: '/a.txt', text: 'new', hasMark: false, encoding }
  const document = {
    ...{ path: '/a.txt', name: 'a.txt', isDirty, file: signal({ version: '"1"' }) },
    snapshot: () => ({ doc: {}, written }),
    focus: () => {},
    stored: () => {
      isDirty.value = false
    },
    drafts: { keepOther: async (_kind: string, { text }: { text: string }) => void kept.push(text) },
  }
  const saveState = new SaveState(workspace, document as unknown as TextDocument)
  context.after(() => {
    saveState.dispose()
    globalThis.window = before
    const notices = workspace.use(noticesSlice)
    for (const { id } of notices.list.peek()) notices.dismiss(id)
  })
  return { saveState, isDirty, kept, online: () => window.dispatchEvent(new Event('online')) }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const shown = () => workspace.use(noticesSlice).list.value.map(({ kind, detail }) => `${kind}: ${detail ?? ''}`)
const puts = () => network.calls.filter(({ name }) => name === address).length

test('a save without a connection says so at once, and is sent when the network is back', async (context) => {
  const { saveState, isDirty, online } = start(context)
  network.replies[address] = lost
  assert.equal(await saveState.save(), false)
  assert.deepEqual(shown(), ['error: There is no connection to the server. The text is saved as soon as it is back.'])
  assert.equal(saveState.isWaiting.value, true)
  network.replies[address] = { text: '200 OK' }
  online()
  for (let turn = 0; turn < 20 && isDirty.value; turn++) await settled()
  assert.deepEqual([isDirty.value, saveState.isWaiting.value, puts()], [false, false, 2])
  assert.ok(!shown().some((text) => text.startsWith('error')))
  online()
  await settled()
  assert.equal(puts(), 2)
})

test('a save is tried again while only the server is away, and said once', async (context) => {
  const { saveState, isDirty } = start(context)
  network.replies[address] = lost
  await saveState.save()
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

test('a proxy that answers for the server that is away does not end the waiting', async (context) => {
  const { saveState, isDirty } = start(context)
  network.replies[address] = lost
  await saveState.save()
  for (const [index, status] of [502, 503, 504].entries()) {
    network.replies[address] = { status, text: `${status} from a proxy` }
    context.mock.timers.tick(5000)
    for (let turn = 0; turn < 20 && puts() < index + 2; turn++) await settled()
    for (let turn = 0; turn < 5; turn++) await settled()
    assert.deepEqual([saveState.isWaiting.value, puts(), shown().length], [true, index + 2, 1])
  }
  network.replies[address] = { text: '200 OK' }
  context.mock.timers.tick(5000)
  for (let turn = 0; turn < 20 && isDirty.value; turn++) await settled()
  assert.equal(isDirty.value, false)
})

test('a change by somebody else that cannot be read yet is said, and read when the network is back', async (context) => {
  const { saveState, online } = start(context)
  const theirs = 'GET /api/resources/a.txt?encoding=utf-8'
  network.replies[address] = { status: 412, text: '412 Precondition Failed' }
  network.replies[theirs] = lost
  assert.equal(await saveState.save(), false)
  assert.deepEqual(shown(), [
    'error: The file was changed on the server meanwhile. Both versions are shown as soon as the connection is back.',
  ])
  const text = { ...{ name: 'a.txt', path: '/a.txt', isDir: false, type: 'text', content: 'theirs', encoding: 'utf-8' } }
  network.replies[theirs] = { text: JSON.stringify(text), headers: { ETag: '"2"', 'Content-Type': 'application/json' } }
  online()
  for (let turn = 0; turn < 20 && !saveState.conflict.value; turn++) await settled()
  assert.equal(saveState.conflict.value?.text, 'theirs')
  assert.deepEqual([saveState.isWaiting.value, shown()], [false, []])
})

test('Keep mine keeps no version that the person has not seen: one that came meanwhile is shown first', async (context) => {
  const { saveState, isDirty, kept } = start(context)
  const isThere = (version: number) => {
    const text = JSON.stringify({ path: '/a.txt', type: 'text', content: `theirs ${version}`, encoding: 'utf-8' })
    const headers = { ETag: `"${version}"`, 'Content-Type': 'application/json' }
    network.replies['GET /api/resources/a.txt?encoding=utf-8'] = { text, headers }
  }
  network.replies[address] = { status: 412, text: '412 Precondition Failed' }
  isThere(2)
  await saveState.save()
  isThere(3)
  await saveState.resolution.keepMine()
  assert.deepEqual([kept, puts(), saveState.conflict.value?.text, shown()], [[], 1, 'theirs 3', []])
  network.replies[address] = { text: '200 OK' }
  await saveState.resolution.keepMine()
  assert.deepEqual([kept, puts(), isDirty.value, saveState.conflict.value], [['theirs 3'], 2, false, undefined])
})

test('another reason takes the place of the one that was shown', async (context) => {
  const { saveState } = start(context)
  network.replies[address] = lost
  await saveState.save()
  network.replies[address] = { status: 403, text: '403 Forbidden' }
  await saveState.save()
  assert.equal(shown().length, 1)
  network.replies[address] = { text: '200 OK' }
  await saveState.save()
  assert.ok(!shown().some((text) => text.startsWith('error')))
})

test('nothing is saved later once the text is closed, not even by a save that fails afterwards', async (context) => {
  const { saveState, online } = start(context)
  const { promise, reject } = Promise.withResolvers<never>()
  network.replies[address] = () => promise
  const running = saveState.save()
  await settled()
  saveState.dispose()
  reject(new TypeError('no network'))
  assert.equal(await running, false)
  network.replies[address] = { text: '200 OK' }
  online()
  context.mock.timers.tick(60_000)
  for (let turn = 0; turn < 20; turn++) await settled()
  assert.deepEqual([puts(), saveState.isWaiting.value], [1, false])
})

test('what is typed during a save is not saved after the text is closed', async (context) => {
  const { saveState, isDirty } = start(context)
  const { promise, resolve } = Promise.withResolvers<object>()
  network.replies[address] = () => promise
  const running = saveState.save()
  const next = saveState.save()
  await settled()
  saveState.dispose()
  isDirty.subscribe((value) => {
    if (!value) isDirty.value = true
  })
  resolve({ text: '200 OK' })
  await running
  await next
  assert.equal(puts(), 1)
})

test('the other version is read in the encoding of this one, so that a text whose answer was lost is known again', async (context) => {
  const { saveState, isDirty } = start(context, 'windows-1251')
  network.replies['PUT /api/resources/a.txt?encoding=windows-1251'] = { status: 412, text: '412 Precondition Failed' }
  const stored = (encoding: string, content: string, rest = {}) => ({
    text: JSON.stringify({ path: '/a.txt', encoding, content, type: 'text', size: 3, modified: '', ...rest }),
    headers: { 'Content-Type': 'application/json', ETag: '"2"' },
  })
  network.replies['GET /api/resources/a.txt?encoding=auto'] = stored('windows-1252', 'garbled')
  network.replies['GET /api/resources/a.txt?encoding=windows-1251'] = stored('windows-1251', 'new')
  assert.equal(await saveState.save(), true)
  // Another encoding now: its bytes do not fit.
  isDirty.value = true
  network.replies['GET /api/resources/a.txt?encoding=windows-1251'] = stored('windows-1251', 'n?w', { isLossy: true })
  assert.equal(await saveState.save(), false)
  assert.equal(saveState.conflict.value?.encoding, 'windows-1252')
})
