import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import { followOtherTabs, token, user } from '../../src-ui/core/session.ts'
import { getItem, setItem, storageKey } from '../../src-ui/core/storage.ts'
import { createWorkspace, followUser } from '../../src-ui/create-workspace.ts'
import { clipboardSlice } from '../../src-ui/operations/clipboard.ts'
import { keepClipboard } from '../../src-ui/operations/keep-clipboard.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
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

/** A tab of a person, and what another tab stores. */
function clipboardTab() {
  const page = new EventTarget() as EventTarget & Window
  const tab = createWorkspace(signal(user.peek()))
  keepClipboard(tab, page)
  const hear = () => {
    page.dispatchEvent(Object.assign(new Event('storage'), { key: storageKey('clipboard:1') }))
  }
  return { tab, clipboard: tab.use(clipboardSlice), hear }
}

const named = (name: string) => ({ path: `/${name}`, name, isDir: false, size: 1, modified: '2026-01-01T00:00:00Z' })

test('what is cut in one tab can be pasted in another and after a reload, once', async () => {
  await signIn(network, 'ann')
  const [one, other] = [clipboardTab(), clipboardTab()]
  one.clipboard.take('x', [named('a.txt')])
  other.hear()
  assert.deepEqual([...other.clipboard.cutKeys.value], ['/a.txt'])
  const reloaded = clipboardTab()
  assert.deepEqual([...reloaded.clipboard.cutKeys.value], ['/a.txt'])
  reloaded.clipboard.content.value = undefined
  one.hear()
  assert.equal(one.clipboard.content.value, undefined)
  for (const { tab } of [one, other, reloaded]) tab.dispose()
})

test('the clipboard of a person ends with the sign-out, another person never sees it, and a broken one counts as empty', async () => {
  await signIn(network, 'ann')
  const { tab, clipboard } = clipboardTab()
  clipboard.take('c', [named('a.txt')])
  user.value = { ...(user.peek() ?? assert.fail('ann is signed in')), id: 2 }
  const ben = clipboardTab()
  assert.equal(ben.clipboard.content.value, undefined)
  ben.tab.dispose()
  assert.notEqual(getItem('clipboard:1'), undefined)
  tab.dispose()
  assert.equal(getItem('clipboard:1'), undefined)
  await signIn(network, 'ann')
  for (const broken of ['{', '{"key":"x","items":[1],"path":"/"}', '[]', 'null']) {
    setItem('clipboard:1', broken)
    const next = clipboardTab()
    assert.equal(next.clipboard.content.value, undefined, broken)
    next.tab.dispose()
  }
})

test('a paste that comes before it is read what was kept waits for it', async () => {
  await signIn(network, 'ann')
  const page = new EventTarget() as EventTarget & Window
  const tab = createWorkspace(signal(user.peek()))
  const found: unknown[] = []
  const clipboard = tab.use(clipboardSlice)
  clipboard.early?.push(() => void found.push(clipboard.content.peek()?.items[0]?.name))
  setItem('clipboard:1', JSON.stringify({ key: 'c', items: [named('a.txt')], path: '/' }))
  keepClipboard(tab, page)
  assert.deepEqual(found, ['a.txt'])
  tab.dispose()
})
