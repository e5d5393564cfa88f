import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '../../src-ui/api/http.ts'
import type { Command } from '../../src-ui/core/command.ts'
import { announce, announcement, dismiss, fail, notices, succeed } from '../../src-ui/core/notices.ts'
import { close, open, overlay } from '../../src-ui/core/overlay.ts'
import { run } from '../../src-ui/core/run.ts'
import { hooksOf } from './hooks.ts'

const { beforeEach } = hooksOf(import.meta.filename)

beforeEach(() => {
  notices.value = []
  close()
})

test('notices stand in the order in which they came, until they are dismissed', () => {
  succeed('Uploaded')
  fail('Not renamed', 'The name is taken.')
  assert.deepEqual(
    notices.value.map(({ kind, text, detail }) => [kind, text, detail]),
    [
      ['success', 'Uploaded', undefined],
      ['error', 'Not renamed', 'The name is taken.'],
    ],
  )
  dismiss(notices.value[0]?.id ?? 0)
  assert.deepEqual(
    notices.value.map(({ text }) => text),
    ['Not renamed'],
  )
})

test('the same sentence twice is one notice', () => {
  fail('Not renamed', 'The name is taken.')
  fail('Not renamed', 'The disk is full.')
  fail('Not renamed', 'The name is taken.')
  assert.deepEqual(
    notices.value.map(({ detail }) => detail),
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
  await run(failing(new HttpFailure(507, 'The disk is full.')))
  assert.deepEqual(
    notices.value.map(({ kind, text, detail }) => [kind, text, detail]),
    [['error', 'New folder failed', 'The disk is full.']],
  )
})

test('a session that has ended is no notice: the login screen says it', async () => {
  await run(failing(new HttpFailure(401, 'unauthorized')))
  assert.deepEqual(notices.value, [])
})

test('one overlay at a time; closing one that was replaced leaves the other', () => {
  open({ kind: 'more' })
  open({ kind: 'newDir' })
  close('more')
  assert.deepEqual(overlay.value, { kind: 'newDir' })
  close('newDir')
  assert.deepEqual(overlay.value, { kind: 'none' })
})

test('a message said twice is announced twice', () => {
  const heard: string[] = []
  const stop = announcement.subscribe((text) => void heard.push(text))
  for (let time = 0; time < 3; time++) announce('2 selected')
  stop()
  assert.deepEqual(
    heard.slice(1).map((text) => text.trim()),
    ['2 selected', '2 selected', '2 selected'],
  )
})
