// The list of uploads that broke off: what the page asks and says about one of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UnfinishedUpload } from '../../src-server/contract/uploads.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { user } from '../../src-ui/core/session.ts'
import { answering, type Reply } from './answering.ts'
import { ann } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

// It imports words that only the bundler resolves: after the workspace of the tests.
const { UnfinishedUploads } = await import('../../src-ui/uploads/unfinished.ts')

const network = answering(import.meta.filename)
const { beforeEach, afterEach } = hooksOf(import.meta.filename)
beforeEach(() => {
  user.value = ann
})
afterEach(() => {
  user.value = null
})

const taken: Reply = { status: 409, text: '409 Conflict (the name is taken)\n' }

function upload(given: Partial<UnfinishedUpload> = {}): UnfinishedUpload {
  const bytes = { offset: 3, length: 7 }
  const times = { startedAt: 1, changedAt: 1, expires: 2 }
  return { id: 'one', path: '/d/a', ...bytes, ...times, isReceiving: false, isGone: false, isCompared: false, ...given }
}

test('Keep both takes the first number that is free', async () => {
  network.replies['POST /api/uploads/one/name'] = () => (asked().length < 3 ? taken : { text: '' })
  const asked = () => network.calls.filter(({ name }) => name.endsWith('/name')).map(({ body }) => JSON.parse(String(body)))
  await new UnfinishedUploads(workspace).name(upload({ offset: 7 }), 'keepBoth')
  assert.deepEqual(asked(), [{ name: 'a(1)' }, { name: 'a(2)' }, { name: 'a(3)' }])
  assert.deepEqual(workspace.use(noticesSlice).list.value, [])
})
