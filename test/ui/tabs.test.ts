import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followOtherTabs, token, user } from '../../src-ui/core/session.ts'
import { setItem, storageKey } from '../../src-ui/core/storage.ts'
import { followUser } from '../../src-ui/create-workspace.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads.ts'
import { answering, signIn, tokenOf } from './answering.ts'

const network = answering(import.meta.filename)

function otherTab() {
  const tab = new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>
  let reloads = 0
  followOtherTabs(tab, () => {
    reloads += 1
  })
  const write = (value: string | undefined, key: string | null = storageKey('token')) => {
    setItem('token', value)
    tab.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: value ?? null }))
  }
  return { write, reloads: () => reloads }
}

test('another tab that logs out signs this one out', async () => {
  await signIn(network, 'ann')
  const other = otherTab()
  other.write(undefined)
  assert.equal(user.value, null)
  assert.equal(other.reloads(), 0)
})

test('a storage that was cleared signs this tab out', async () => {
  await signIn(network, 'ann')
  otherTab().write(undefined, null)
  assert.equal(user.value, null)
})

test('a renewal in another tab applies here, without a reload', async () => {
  await signIn(network, 'ann')
  const other = otherTab()
  other.write(tokenOf('ann', 2))
  assert.equal(token.value, tokenOf('ann', 2))
  assert.equal(other.reloads(), 0)
})

test('when another user signs in in another tab, the page reloads and does not act as the wrong user', async () => {
  await signIn(network, 'ann')
  const other = otherTab()
  other.write(tokenOf('bob', 1, 2))
  assert.equal(user.value?.username, 'bob')
  assert.equal(other.reloads(), 1)
})

test('the uploads of one user end when another signs in in another tab, and do not block the reload', async () => {
  await signIn(network, 'ann')
  const current = followUser(user)
  const uploads = current.value.use(uploadsSlice)
  network.replies['POST /api/resources/a%20folder/'] = () => new Promise<never>(() => {})
  await uploads.uploadDropped('/', [[{ path: 'a folder' }]])
  assert.equal(uploads.hasOpenUploads(), true)
  const held: boolean[] = []
  const tab = new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>
  followOtherTabs(tab, () => held.push(uploads.hasOpenUploads()))
  setItem('token', tokenOf('bob', 1, 2))
  tab.dispatchEvent(Object.assign(new Event('storage'), { key: storageKey('token'), newValue: tokenOf('bob', 1, 2) }))
  assert.deepEqual(held, [false])
  assert.notEqual(current.value.use(uploadsSlice), uploads)
})

test('a sign-in in another tab signs this tab in', () => {
  const other = otherTab()
  other.write(tokenOf('ann'))
  assert.equal(user.value?.username, 'ann')
  assert.equal(other.reloads(), 0)
})

test('other stored keys are ignored', async () => {
  await signIn(network, 'ann')
  otherTab().write(undefined, 'something else')
  assert.equal(user.value?.username, 'ann')
})
