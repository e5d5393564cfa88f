// A session that ends by itself: the page stays, the user signs in again, and refused calls are repeated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, type HttpFailure } from '../../src-ui/api/http.ts'
import { pageConfig } from '../../src-ui/api/page-config.ts'
import {
  askToSignIn,
  followOtherTabs,
  isSignInAsked,
  locked,
  login,
  logout,
  postponeSignIn,
  startSession,
  token,
  user,
} from '../../src-ui/core/session.ts'
import { getItem, setItem, storageKey } from '../../src-ui/core/storage.ts'
import { followUser } from '../../src-ui/create-workspace.ts'
import { answering, signIn, tokenOf } from './answering.ts'

const network = answering(import.meta.filename)
const rename = 'PATCH /api/resources/a.txt?action=rename&destination=%2Fb.txt'
const renameOnce = () => call('PATCH /api/resources/*', { path: '/a.txt', query: { action: 'rename', destination: '/b.txt' } })
const isRefusal = (failure: HttpFailure) => failure.status === 401
const sent = (name: string) => network.calls.filter((one) => one.name === name).map(({ auth }) => auth)
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Makes the server refuse the present token, and accept every other. */
function refuseFirst(name: string): void {
  let wasRefused = false
  network.replies[name] = () => {
    const status = wasRefused ? 200 : 401
    wasRefused = true
    return { status }
  }
}

async function signInNewly(name = 'ann', id = 1): Promise<void> {
  network.replies['POST /api/login'] = { text: tokenOf(name, 2, id) }
  await login(name, 'secret')
}

test('a session that ends keeps the page and its user, and asks for the sign-in', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  assert.deepEqual([locked.value, isSignInAsked.value, user.value?.username], [true, true, 'ann'])
  assert.equal(token.value, undefined)
  postponeSignIn()
  await refused
})

test('a call that was refused because the session has ended is sent again after the sign-in, with its body', async () => {
  await signIn(network, 'ann')
  refuseFirst('POST /api/resources/note.txt')
  const saved = call('POST /api/resources/*', { path: '/note.txt', content: 'typed' })
  await settled()
  await signInNewly()
  await saved
  assert.deepEqual(sent('POST /api/resources/note.txt'), [tokenOf('ann'), tokenOf('ann', 2)])
  assert.equal(network.calls.at(-1)?.body, 'typed')
  assert.deepEqual([locked.value, isSignInAsked.value], [false, false])
})

test('a call after the end of the session waits for the sign-in too', async () => {
  await signIn(network, 'ann')
  refuseFirst('GET /api/resources/')
  const first = call('GET /api/resources/*')
  await settled()
  network.replies[rename] = {}
  const second = renameOnce()
  await settled()
  assert.deepEqual(sent(rename), [])
  await signInNewly()
  await Promise.all([first, second])
  assert.deepEqual(sent(rename), [tokenOf('ann', 2)])
})

test('when another user signs in, there is a new workspace and nothing is sent again', async () => {
  await signIn(network, 'ann')
  const current = followUser(user)
  const before = current.value
  refuseFirst(rename)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  await signInNewly('bob', 2)
  await refused
  assert.notEqual(current.value, before)
  assert.equal(current.value.user.value?.username, 'bob')
  assert.equal(sent(rename).length, 1)
  current.value.dispose()
})

test('after Later the calls are refused, and the next call asks again', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  postponeSignIn()
  await refused
  assert.deepEqual([locked.value, isSignInAsked.value], [true, false])
  const again = renameOnce()
  await settled()
  assert.equal(isSignInAsked.value, true)
  await signInNewly()
  await again
  assert.equal(sent(rename).length, 2)
})

test('after Later, a late refusal of an earlier call does not ask again', async () => {
  await signIn(network, 'ann')
  let refuseLate = () => {}
  const late = new Promise<void>((resolve) => {
    refuseLate = resolve
  })
  network.replies['GET /api/resources/'] = async () => {
    await late
    return { status: 401 }
  }
  refuseFirst(rename)
  const listed = assert.rejects(call('GET /api/resources/*'), isRefusal)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  postponeSignIn()
  await refused
  refuseLate()
  await listed
  assert.deepEqual([locked.value, isSignInAsked.value], [true, false])
})

test('what the page asks by itself waits for the sign-in, and does not ask for it', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  postponeSignIn()
  await refused
  network.replies['GET /api/usage/'] = {
    text: '{"total":2,"used":1}',
    headers: { 'Content-Type': 'application/json' },
  }
  const usage = call('GET /api/usage/*', { isBackground: true })
  await settled()
  assert.deepEqual([isSignInAsked.value, sent('GET /api/usage/').length], [false, 0])
  await signInNewly()
  assert.deepEqual(await usage, { total: 2, used: 1 })
})

test('a call that is refused after every sign-in fails', async () => {
  await signIn(network, 'ann')
  network.replies[rename] = { status: 401 }
  const refused = assert.rejects(renameOnce(), isRefusal)
  for (let time = 2; time < 6; time++) {
    await settled()
    network.replies['POST /api/login'] = { text: tokenOf('ann', time) }
    await login('ann', 'secret')
  }
  await refused
  // As it was, with a newer token of another tab, and after the sign-in.
  assert.equal(sent(rename).length, 3)
})

test('an aborted call does not wait for the sign-in', async () => {
  await signIn(network, 'ann')
  refuseFirst('GET /api/resources/')
  const controller = new AbortController()
  const given = assert.rejects(call('GET /api/resources/*', { signal: controller.signal }), { name: 'AbortError' })
  await settled()
  controller.abort()
  await given
  await signInNewly()
  await settled()
  assert.equal(sent('GET /api/resources/').length, 1)
})

test('a logout while the session is over ends the waiting', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  await logout(() => {})
  await refused
  assert.deepEqual([locked.value, isSignInAsked.value, user.value], [false, false, null])
})

test('a logout that the server refuses does not ask for the sign-in', async () => {
  await signIn(network, 'ann')
  network.replies['POST /api/logout'] = () => ({ status: 401 })
  const asked: boolean[] = []
  const stop = isSignInAsked.subscribe((value) => asked.push(value))
  await logout(() => {})
  stop()
  assert.deepEqual(asked, [false])
})

test('a renewal that is refused asks for the sign-in and is not sent again', async () => {
  await signIn(network, 'ann')
  network.replies['POST /api/renew'] = { status: 401 }
  await assert.rejects(call('POST /api/renew'), isRefusal)
  assert.equal(isSignInAsked.value, true)
  await signInNewly()
  await settled()
  assert.equal(sent('POST /api/renew').length, 1)
})

/** Simulates another tab: what it receives from this one, and what it stores. */
function otherTab() {
  const tab = new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>
  followOtherTabs(tab, () => {})
  return {
    tells: (value: string | undefined) =>
      tab.dispatchEvent(Object.assign(new Event('storage'), { key: storageKey('token'), newValue: value ?? null })),
  }
}

test('a tab that asks for the sign-in, and one whose token is refused at start, do not sign the others out', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  // Removing it would be a logout for the other tabs.
  assert.equal(getItem('token'), tokenOf('ann'))
  await logout(() => {})
  await refused
  setItem('token', tokenOf('ann'))
  network.replies['POST /api/renew'] = { status: 401 }
  await startSession()
  assert.equal(user.value, null)
  assert.equal(getItem('token'), tokenOf('ann'))
})

test('a sign-in in another tab applies here, and refused calls are sent again', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  const renamed = renameOnce()
  await settled()
  setItem('token', tokenOf('ann', 2))
  otherTab().tells(tokenOf('ann', 2))
  await renamed
  assert.deepEqual(sent(rename), [tokenOf('ann'), tokenOf('ann', 2)])
})

test('a token that another tab has stored is used before the sign-in is asked for', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  setItem('token', tokenOf('ann', 2))
  await renameOnce()
  assert.equal(isSignInAsked.value, false)
  assert.deepEqual(sent(rename), [tokenOf('ann'), tokenOf('ann', 2)])
})

test('the sign-in can be asked for at any time after the end of the session', async () => {
  await signIn(network, 'ann')
  refuseFirst(rename)
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  postponeSignIn()
  await refused
  askToSignIn()
  assert.equal(isSignInAsked.value, true)
})

test('without a login screen the page signs in by itself, and asks only when that is refused', async (context) => {
  await signIn(network, 'ann')
  Object.assign(pageConfig, { LoginPage: false })
  context.after(() => Object.assign(pageConfig, { LoginPage: true }))
  network.replies['POST /api/login'] = { text: tokenOf('ann', 2) }
  refuseFirst(rename)
  await renameOnce()
  assert.equal(isSignInAsked.value, false)
  assert.deepEqual(sent(rename), [tokenOf('ann'), tokenOf('ann', 2)])
  network.replies['POST /api/login'] = { status: 403 }
  network.replies[rename] = { status: 401 }
  const refused = assert.rejects(renameOnce(), isRefusal)
  await settled()
  assert.equal(isSignInAsked.value, true)
  postponeSignIn()
  await refused
})
