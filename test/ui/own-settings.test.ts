// Sorting, view and language are kept with the account.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { ownSettingsSlice } from '../../src-ui/core/own-settings.ts'
import { user } from '../../src-ui/core/session.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { answering, signIn, tokenOf } from './answering.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const ownSettings = workspace.use(ownSettingsSlice)
const listing = workspace.use(listingSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

const network = answering(import.meta.filename)
const sent = () => network.calls.filter(({ name }) => name.startsWith('PUT')).map(({ body }) => JSON.parse(String(body)))
const kept = () => ownSettings.save({})

beforeEach(() => {
  notices.list.value = []
})
afterEach(() => {
  user.value = null
})

test('another order applies at once and is sent as this field alone', async () => {
  await signIn(network, 'ann')
  network.replies['PUT /api/users/1'] = { text: '200 OK\n' }
  listing.sortBy('size')
  assert.deepEqual(listing.sorting.value, { by: 'size', asc: false })
  await settled()
  assert.deepEqual(sent(), [{ what: 'user', which: ['sorting'], data: { id: 1, sorting: { by: 'size', asc: false } } }])
  assert.deepEqual(notices.list.value, [])
})

test('changes made during a request are sent after it, as one request with the latest values', async () => {
  await signIn(network, 'ann')
  const answers: (() => void)[] = []
  network.replies['PUT /api/users/1'] = () => new Promise((resolve) => answers.push(() => resolve({})))
  listing.setViewMode('mosaic')
  listing.setViewMode('list')
  listing.setSorting({ by: 'name', asc: false })
  listing.setSorting({ by: 'name', asc: true })
  assert.equal(listing.viewMode.value, 'list')
  const done = kept()
  await settled()
  assert.equal(sent().length, 1)
  answers.shift()?.()
  await settled()
  assert.deepEqual(sent()[1], {
    what: 'user',
    which: ['viewMode', 'sorting'],
    data: { id: 1, viewMode: 'list', sorting: { by: 'name', asc: true } },
  })
  answers.shift()?.()
  await done
})

test('what is set is sent also when the page is left at once', async (context) => {
  await signIn(network, 'ann')
  const fetched = context.mock.method(globalThis, 'fetch')
  listing.setViewMode('mosaic')
  assert.deepEqual(
    fetched.mock.calls.map(({ arguments: [address, init] }) => [address, init?.keepalive]),
    [['/api/users/1', true]],
  )
  listing.setViewMode('list')
  await settled()
})

test('a refusal is a notice, and the page stays as it was set', async () => {
  await signIn(network, 'ann')
  network.replies['PUT /api/users/1'] = { status: 507, text: '507 Insufficient Storage\n' }
  listing.setViewMode('mosaic')
  await settled()
  assert.equal(listing.viewMode.value, 'mosaic')
  assert.deepEqual(
    notices.list.value.map(({ kind, detail }) => [kind, detail]),
    [['error', '507 Insufficient Storage']],
  )
  listing.setViewMode('list')
  await settled()
})

test('the stored user is refreshed by the renewal that the answer asks for', async () => {
  await signIn(network, 'ann')
  network.replies['PUT /api/users/1'] = { headers: { 'X-Renew-Token': 'true' } }
  network.replies['POST /api/renew'] = { text: tokenOf('ann', 2) }
  const before = user.value
  listing.setViewMode('list')
  await settled()
  assert.notEqual(user.value, before)
  assert.equal(user.value?.username, 'ann')
})

test('the end of the session is reported by the login screen alone', async () => {
  await signIn(network, 'ann')
  network.replies['PUT /api/users/1'] = { status: 401 }
  listing.setViewMode('list')
  await settled()
  assert.deepEqual(notices.list.value, [])
})

test('without a signed-in user nothing is stored', async () => {
  listing.setViewMode('list')
  await settled()
  assert.deepEqual(sent(), [])
})

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
