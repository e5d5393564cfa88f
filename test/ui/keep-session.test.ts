import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { lifetimeOf } from '../../src-ui/api/token.ts'
import { keepSession, renewalDelay } from '../../src-ui/core/keep-session.ts'
import { followPresence, presenceSlice } from '../../src-ui/core/presence.ts'
import { login, token, user } from '../../src-ui/core/session.ts'
import { createWorkspace } from '../../src-ui/create-workspace.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { answering, encode, tokenOf } from './answering.ts'

const network = answering(import.meta.filename)
const minute = 60_000

/** A token with a lifetime in seconds. */
function lasting(seconds: number, issued = 1): string {
  const [head, claims = '', signature] = tokenOf('ann', issued).split('.')
  const given = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number }
  return [head, encode({ ...given, exp: given.iat + seconds }), signature].join('.')
}

const renewals = () => network.calls.filter(({ name }) => name === 'POST /api/renew').length
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Signs ann in with a token of two hours, in a new workspace. */
async function start(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  network.replies['POST /api/login'] = { text: lasting(7200) }
  let issued = 1
  network.replies['POST /api/renew'] = () => {
    issued += 1
    return { text: lasting(7200, issued) }
  }
  await login('ann', 'secret')
  const workspace = createWorkspace(user)
  context.after(() => workspace.dispose())
  const pass = async (milliseconds: number) => {
    context.mock.timers.tick(milliseconds)
    await settled()
  }
  return { workspace, pass }
}

test('a session is renewed before half of its lifetime', () => {
  assert.equal(lifetimeOf(lasting(7200)), 7200)
  assert.equal(renewalDelay(lasting(7200)), 54 * minute)
  assert.equal(renewalDelay(tokenOf('ann')), undefined)
})

test('an idle page renews its session while it is visible, again and again, and not while it is hidden', async (context) => {
  const { workspace, pass } = await start(context)
  const { isVisible } = workspace.use(presenceSlice)
  await pass(120 * minute)
  assert.equal(renewals(), 0)
  isVisible.value = true
  await pass(0)
  assert.equal(renewals(), 1)
  await pass(53 * minute)
  assert.equal(renewals(), 1)
  await pass(minute)
  assert.equal(renewals(), 2)
  isVisible.value = false
  await pass(120 * minute)
  assert.equal(renewals(), 2)
  isVisible.value = true
  await pass(0)
  assert.equal(renewals(), 3)
})

test('a hidden page renews during uploads', async (context) => {
  const { workspace, pass } = await start(context)
  network.replies['POST /api/resources/a%20folder/'] = () => new Promise<never>(() => {})
  network.replies['GET /api/resources/'] = { text: '{"items":[]}', headers: { 'Content-Type': 'application/json' } }
  const uploads = workspace.use(uploadsSlice)
  await uploads.uploadDropped('/', [[{ path: 'a folder' }]])
  await pass(100)
  assert.equal(uploads.isUploading.value, true)
  await pass(54 * minute)
  assert.equal(renewals(), 1)
})

test('a renewal that does not reach the server is tried again every minute', async (context) => {
  const { workspace, pass } = await start(context)
  const reply = network.replies['POST /api/renew']
  network.replies['POST /api/renew'] = () => Promise.reject(new TypeError('fetch failed'))
  keepSession(workspace, signal(true))
  await pass(54 * minute)
  assert.equal(renewals(), 1)
  network.replies['POST /api/renew'] = reply ?? {}
  await pass(minute)
  assert.equal(renewals(), 2)
  assert.equal(token.value, lasting(7200, 2))
})

test('the time during which the computer sleeps counts', async (context) => {
  const { workspace, pass } = await start(context)
  keepSession(workspace, signal(true))
  await pass(minute)
  context.mock.timers.setTime(Date.now() + 100 * minute)
  await pass(minute)
  assert.equal(renewals(), 1)
})

test('a renewal in another tab counts for this tab', async (context) => {
  const { workspace, pass } = await start(context)
  keepSession(workspace, signal(true))
  await pass(50 * minute)
  token.value = lasting(7200, 9)
  await pass(53 * minute)
  assert.equal(renewals(), 0)
  await pass(minute)
  assert.equal(renewals(), 1)
})

test('the page is followed: hidden, visible again, and in focus', () => {
  const workspace = createWorkspace(user)
  const page = new EventTarget() as EventTarget & Window
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' }) as EventTarget & Document
  followPresence(workspace, page, document)
  const { isVisible, returns } = workspace.use(presenceSlice)
  assert.deepEqual([isVisible.value, returns.value], [true, 0])
  Object.assign(document, { visibilityState: 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
  assert.deepEqual([isVisible.value, returns.value], [false, 0])
  Object.assign(document, { visibilityState: 'visible' })
  document.dispatchEvent(new Event('visibilitychange'))
  page.dispatchEvent(new Event('focus'))
  assert.deepEqual([isVisible.value, returns.value], [true, 1])
  page.dispatchEvent(new Event('blur'))
  page.dispatchEvent(new Event('focus'))
  assert.equal(returns.value, 2)
  page.dispatchEvent(new Event('blur'))
  workspace.dispose()
  page.dispatchEvent(new Event('focus'))
  assert.equal(returns.value, 2)
})
