import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { call, type HttpFailure } from '../../src-ui/api/http.ts'
import { userOf } from '../../src-ui/api/token.ts'
import { expired, followOtherTabs, login, logout, renew, startSession, token, user } from '../../src-ui/state/session.ts'
import { keep, recall, storageKey } from '../../src-ui/state/storage.ts'

type Call = { name: string; auth: string | null; body: unknown }
type Reply = { status?: number; text?: string; headers?: Record<string, string> }

let calls: Call[] = []
let replies: Record<string, Reply | (() => Reply | Promise<Reply>)> = {}
const reach = globalThis.fetch

beforeEach(() => {
  calls = []
  replies = {}
  globalThis.fetch = answer as typeof fetch
})

afterEach(async () => {
  replies = {}
  await logout(() => {})
  expired.value = false
  globalThis.fetch = reach
})

async function answer(address: string, init: RequestInit): Promise<Response> {
  const name = `${init.method} ${address}`
  calls.push({ name, auth: new Headers(init.headers).get('X-Auth'), body: init.body })
  const reply = replies[name] ?? { status: 404 }
  const { status = 200, text = '', headers = {} } = typeof reply === 'function' ? await reply() : reply
  return new Response(text, { status, headers })
}

test('a login keeps the token and knows who it is', async () => {
  replies['POST /api/login'] = { text: tokenOf('ann') }
  await login('ann', 'secret')
  assert.equal(user.value?.username, 'ann')
  assert.equal(token.value, tokenOf('ann'))
  assert.equal(recall('token'), tokenOf('ann'))
  assert.deepEqual(calls[0]?.body, JSON.stringify({ username: 'ann', password: 'secret' }))
})

test('a refused login throws its status and its sentence, and ends nothing', async () => {
  replies['POST /api/login'] = { status: 403, text: 'wrong name or password\n' }
  await assert.rejects(
    login('ann', 'no'),
    (failure: HttpFailure) => failure.status === 403 && failure.message === 'wrong name or password',
  )
  assert.equal(user.value, null)
  assert.equal(expired.value, false)
})

test('too many attempts say after how many seconds', async () => {
  replies['POST /api/login'] = { status: 429, headers: { 'Retry-After': '30' } }
  await assert.rejects(login('ann', 'no'), (failure: HttpFailure) => failure.retryAfter === 30)
})

test('a token that is none is refused as malformed', async () => {
  const malformed = ['', 'a.b', 'a.b.c.d', 'a.!!!.c', `a.${encode({ name: 'ann' })}.c`, `a.${encode(null)}.c`]
  for (const wrong of malformed) assert.throws(() => userOf(wrong), /^Error: token malformed$/, wrong)
  replies['POST /api/login'] = { text: 'not a token' }
  await assert.rejects(login('ann', 'secret'), /token malformed/)
  assert.equal(token.value, undefined)
})

test('a name beyond ASCII is read from the token as it is', () => {
  assert.equal(userOf(tokenOf('Åsa 😀')).username, 'Åsa 😀')
})

test('the session is renewed once before the first picture', async () => {
  keep('token', tokenOf('ann'))
  replies['POST /api/renew'] = { text: tokenOf('ann', 2) }
  await startSession()
  assert.deepEqual(calls, [{ name: 'POST /api/renew', auth: tokenOf('ann'), body: undefined }])
  assert.equal(token.value, tokenOf('ann', 2))
})

test('a kept token that the server refuses is forgotten', async () => {
  keep('token', tokenOf('ann'))
  replies['POST /api/renew'] = { status: 401 }
  await startSession()
  assert.equal(user.value, null)
  assert.equal(recall('token'), undefined)
})

test('a kept token outlives a server that fails or is out of reach', async () => {
  for (const reply of [{ status: 503 }, () => Promise.reject(new TypeError('fetch failed'))]) {
    keep('token', tokenOf('ann'))
    replies['POST /api/renew'] = reply
    await startSession()
    assert.equal(user.value?.username, 'ann')
    assert.equal(recall('token'), tokenOf('ann'))
  }
})

test('a malformed kept token is only a warning', async (context) => {
  const warn = context.mock.method(console, 'warn', () => {})
  keep('token', 'nonsense')
  await startSession()
  assert.deepEqual(warn.mock.calls[0]?.arguments, ['token malformed'])
  assert.equal(user.value, null)
  assert.deepEqual(calls, [])
})

test('every call carries the token, and X-Renew-Token renews it', async () => {
  await signIn('ann')
  replies['GET /api/resources/a%20b/%23%3F%25'] = {
    text: '{}',
    headers: { 'X-Renew-Token': 'true', 'Content-Type': 'application/json' },
  }
  replies['POST /api/renew'] = { text: tokenOf('ann', 2) }
  await call('GET /api/resources/*', { path: '/a b/#?%' })
  await renew()
  assert.deepEqual(
    calls.slice(1).map(({ name, auth }) => [name, auth]),
    [
      ['GET /api/resources/a%20b/%23%3F%25', tokenOf('ann')],
      ['POST /api/renew', tokenOf('ann')],
    ],
  )
  assert.equal(token.value, tokenOf('ann', 2))
})

test('a 401 ends the session, and the page can say so', async () => {
  await signIn('ann')
  replies['GET /api/resources/'] = { status: 401 }
  await assert.rejects(call('GET /api/resources/*'), (failure: HttpFailure) => failure.status === 401)
  assert.equal(user.value, null)
  assert.equal(expired.value, true)
  assert.equal(recall('token'), undefined)
})

test('a 401 to an older token does not end the session that followed it', async () => {
  await signIn('ann')
  const late = Promise.withResolvers<Reply>()
  replies['GET /api/resources/'] = () => late.promise
  replies['POST /api/renew'] = { text: tokenOf('ann', 2) }
  const refused = assert.rejects(call('GET /api/resources/*'))
  await renew()
  late.resolve({ status: 401 })
  await refused
  assert.equal(token.value, tokenOf('ann', 2))
})

test('a renewal that arrives after the logout signs nobody in', async () => {
  await signIn('ann')
  const late = Promise.withResolvers<Reply>()
  replies['POST /api/renew'] = () => late.promise
  const renewed = renew()
  await logout(() => {})
  late.resolve({ text: tokenOf('ann', 2) })
  await renewed
  assert.equal(user.value, null)
  assert.equal(recall('token'), undefined)
})

test('logging out ends the session here even when the server does not answer', async () => {
  await signIn('ann')
  let then = ''
  await logout(() => {
    then = `nobody is ${user.peek()}`
  })
  assert.equal(calls.at(-1)?.name, 'POST /api/logout')
  assert.equal(then, 'nobody is null')
  assert.equal(recall('token'), undefined)
  assert.equal(expired.value, false)
})

test('a server out of reach is a failure with status 0', async () => {
  replies['GET /api/resources/'] = () => Promise.reject(new TypeError('fetch failed'))
  await assert.rejects(call('GET /api/resources/*'), (failure: HttpFailure) => failure.status === 0)
})

function otherTab() {
  const tab = new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>
  let reloads = 0
  followOtherTabs(tab, () => {
    reloads += 1
  })
  const write = (value: string | undefined, key: string | null = storageKey('token')) => {
    keep('token', value)
    tab.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: value ?? null }))
  }
  return { write, reloads: () => reloads }
}

test('another tab that logs out signs this one out', async () => {
  await signIn('ann')
  const other = otherTab()
  other.write(undefined)
  assert.equal(user.value, null)
  assert.equal(other.reloads(), 0)
})

test('a storage that was cleared signs this tab out', async () => {
  await signIn('ann')
  otherTab().write(undefined, null)
  assert.equal(user.value, null)
})

test('a renewal in another tab counts here, without loading anew', async () => {
  await signIn('ann')
  const other = otherTab()
  other.write(tokenOf('ann', 2))
  assert.equal(token.value, tokenOf('ann', 2))
  assert.equal(other.reloads(), 0)
})

test('when somebody else signs in elsewhere, the page begins afresh and does not act as the wrong person', async () => {
  await signIn('ann')
  const other = otherTab()
  other.write(tokenOf('bob', 1, 2))
  assert.equal(user.value?.username, 'bob')
  assert.equal(other.reloads(), 1)
})

test('a sign-in elsewhere signs this tab in', () => {
  const other = otherTab()
  other.write(tokenOf('ann'))
  assert.equal(user.value?.username, 'ann')
  assert.equal(other.reloads(), 0)
})

test('what else is stored concerns nobody', async () => {
  await signIn('ann')
  otherTab().write(undefined, 'something else')
  assert.equal(user.value?.username, 'ann')
})

async function signIn(username: string): Promise<void> {
  replies['POST /api/login'] = { text: tokenOf(username) }
  await login(username, 'secret')
}

function tokenOf(username: string, issued = 1, id = 1): string {
  const user = {
    id,
    username,
    locale: '',
    viewMode: 'list',
    sorting: { by: 'name', asc: true },
    perm: noPermissions,
    commands: [],
    lockPassword: false,
  }
  return `${encode({ alg: 'HS256' })}.${encode({ user, iat: issued })}.signature`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
