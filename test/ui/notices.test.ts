import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '../../src-ui/api/http.ts'
import type { Command } from '../../src-ui/core/command.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { run } from '../../src-ui/core/run.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const overlays = workspace.use(overlaysSlice)

const { beforeEach } = hooksOf(import.meta.filename)

beforeEach(() => {
  notices.list.value = []
  overlays.close()
})

test('notices are in the order of their arrival, until they are dismissed', () => {
  notices.succeed('Uploaded')
  notices.fail('Not renamed', 'The name is taken.')
  assert.deepEqual(
    notices.list.value.map(({ kind, text, detail }) => [kind, text, detail]),
    [
      ['success', 'Uploaded', undefined],
      ['error', 'Not renamed', 'The name is taken.'],
    ],
  )
  notices.dismiss(notices.list.value[0]?.id ?? 0)
  assert.deepEqual(
    notices.list.value.map(({ text }) => text),
    ['Not renamed'],
  )
})

test('the same sentence twice is one notice', () => {
  notices.fail('Not renamed', 'The name is taken.')
  notices.fail('Not renamed', 'The disk is full.')
  notices.fail('Not renamed', 'The name is taken.')
  assert.deepEqual(
    notices.list.value.map(({ detail }) => detail),
    ['The disk is full.', 'The name is taken.'],
  )
})

const failing = (failure: unknown): Command => ({
  id: 'failing',
  label: 'command.newDir',
  scope: 'everywhere',
  run: () => Promise.reject(failure),
})

test('a command that fails says which and why', async () => {
  await run(workspace, failing(new HttpFailure(507, 'The disk is full.')))
  assert.deepEqual(
    notices.list.value.map(({ kind, text, detail }) => [kind, text, detail]),
    [['error', 'New folder failed', 'The disk is full.']],
  )
})

test('a command that runs tells its id to the window', async (t) => {
  const told: unknown[] = []
  globalThis.dispatchEvent = (event) => told.push((event as CustomEvent).detail) > 0
  t.after(() => Reflect.deleteProperty(globalThis, 'dispatchEvent'))
  await run(workspace, failing(new HttpFailure(401, 'unauthorized')))
  assert.deepEqual(told, ['failing'])
})

test('a session that has ended is no notice: the login screen says it', async () => {
  await run(workspace, failing(new HttpFailure(401, 'unauthorized')))
  assert.deepEqual(notices.list.value, [])
})

test('one overlay at a time; closing one that was replaced leaves the other', () => {
  overlays.open({ kind: 'more' })
  overlays.open({ kind: 'newDir' })
  overlays.close('more')
  assert.deepEqual(overlays.current.value, { kind: 'newDir' })
  overlays.close('newDir')
  assert.deepEqual(overlays.current.value, { kind: 'none' })
})

test('a message said twice is announced twice', () => {
  const heard: string[] = []
  const stop = notices.announcement.subscribe((text) => void heard.push(text))
  for (let time = 0; time < 3; time++) notices.announce('2 selected')
  stop()
  assert.deepEqual(
    heard.slice(1).map((text) => text.trim()),
    ['2 selected', '2 selected', '2 selected'],
  )
})
