import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, callWithHeaders, type HttpFailure } from '../../src-ui/api/http.ts'
import { userOf } from '../../src-ui/api/token.ts'
import { expired, locked, login, logout, renew, startSession, token, user } from '../../src-ui/core/session.ts'
import { getItem, setItem } from '../../src-ui/core/storage.ts'
import { answering, encode, type Reply, signIn, tokenOf } from './answering.ts'

const network = answering(import.meta.filename)

test('a login stores the token and sets the user', async () => {
  network.replies['POST /api/login'] = { text: tokenOf('ann') }
  await login('ann', 'secret')
  assert.equal(user.value?.username, 'ann')
  assert.equal(token.value, tokenOf('ann'))
  assert.equal(getItem('token'), tokenOf('ann'))
  assert.deepEqual(network.calls[0]?.body, JSON.stringify({ username: 'ann', password: 'secret' }))
})

test('a refused login throws its status and its message, and ends nothing', async () => {
  network.replies['POST /api/login'] = { status: 403, text: 'wrong name or password\n' }
  await assert.rejects(
    login('ann', 'no'),
    (failure: HttpFailure) => failure.status === 403 && failure.message === 'wrong name or password',
  )
  assert.equal(user.value, null)
  assert.equal(expired.value, false)
})

test('too many attempts report after how many seconds to retry', async () => {
  network.replies['POST /api/login'] = { status: 429, headers: { 'Retry-After': '30' } }
  await assert.rejects(login('ann', 'no'), (failure: HttpFailure) => failure.retryAfter === 30)
})

test('an invalid token is refused as malformed', async () => {
  const malformed = ['', 'a.b', 'a.b.c.d', 'a.!!!.c', `a.${encode({ name: 'ann' })}.c`, `a.${encode(null)}.c`]
  for (const wrong of malformed) assert.throws(() => userOf(wrong), /^Error: token malformed$/, wrong)
  network.replies['POST /api/login'] = { text: 'not a token' }
  await assert.rejects(login('ann', 'secret'), /token malformed/)
  assert.equal(token.value, undefined)
})

test('a name beyond ASCII is read from the token as it is', () => {
  assert.equal(userOf(tokenOf('Åsa 😀')).username, 'Åsa 😀')
})

test('the session is renewed once before the first picture', async () => {
  setItem('token', tokenOf('ann'))
  network.replies['POST /api/renew'] = { text: tokenOf('ann', 2) }
  await startSession()
  assert.deepEqual(network.calls, [{ name: 'POST /api/renew', auth: tokenOf('ann'), body: undefined }])
  assert.equal(token.value, tokenOf('ann', 2))
})

test('a stored token that the server refuses signs nobody in, and the login says that the session has ended', async () => {
  setItem('token', tokenOf('ann'))
  network.replies['POST /api/renew'] = { status: 401 }
  await startSession()
  assert.equal(user.value, null)
  assert.equal(expired.value, true)
})

test('a stored token is kept when the server fails or is unreachable', async () => {
  for (const reply of [{ status: 503 }, () => Promise.reject(new TypeError('fetch failed'))]) {
    setItem('token', tokenOf('ann'))
    network.replies['POST /api/renew'] = reply
    await startSession()
    assert.equal(user.value?.username, 'ann')
    assert.equal(getItem('token'), tokenOf('ann'))
  }
})

test('a malformed stored token is only a warning', async (context) => {
  const warn = context.mock.method(console, 'warn', () => {})
  setItem('token', 'nonsense')
  await startSession()
  assert.deepEqual(warn.mock.calls[0]?.arguments, ['token malformed'])
  assert.equal(user.value, null)
  assert.deepEqual(network.calls, [])
})

test('every call carries the token, and X-Renew-Token renews it', async () => {
  await signIn(network, 'ann')
  network.replies['GET /api/resources/a%20b/%23%3F%25'] = {
    text: '{}',
    headers: { 'X-Renew-Token': 'true', 'Content-Type': 'application/json' },
  }
  network.replies['POST /api/renew'] = { text: tokenOf('ann', 2) }
  await call('GET /api/resources/*', { path: '/a b/#?%' })
  await renew()
  assert.deepEqual(
    network.calls.slice(1).map(({ name, auth }) => [name, auth]),
    [
      ['GET /api/resources/a%20b/%23%3F%25', tokenOf('ann')],
      ['POST /api/renew', tokenOf('ann')],
    ],
  )
  assert.equal(token.value, tokenOf('ann', 2))
})

test('a 401 to an older token does not end the session that followed it', async () => {
  await signIn(network, 'ann')
  const late = Promise.withResolvers<Reply>()
  network.replies['GET /api/resources/'] = () => {
    network.replies['GET /api/resources/'] = {}
    return late.promise
  }
  network.replies['POST /api/renew'] = { text: tokenOf('ann', 2) }
  const answered = call('GET /api/resources/*')
  await renew()
  late.resolve({ status: 401 })
  await answered
  assert.deepEqual([token.value, locked.value], [tokenOf('ann', 2), false])
})

test('a renewal that arrives after the logout signs nobody in', async () => {
  await signIn(network, 'ann')
  const late = Promise.withResolvers<Reply>()
  network.replies['POST /api/renew'] = () => late.promise
  const renewed = renew()
  await logout(() => {})
  late.resolve({ text: tokenOf('ann', 2) })
  await renewed
  assert.equal(user.value, null)
  assert.equal(getItem('token'), undefined)
})

test('logging out ends the session here even when the server does not answer', async () => {
  await signIn(network, 'ann')
  let then = ''
  await logout(() => {
    then = `nobody is ${user.peek()}`
  })
  assert.equal(network.calls.at(-1)?.name, 'POST /api/logout')
  assert.equal(then, 'nobody is null')
  assert.equal(getItem('token'), undefined)
  assert.equal(expired.value, false)
})

test('an unreachable server is a failure with status 0', async () => {
  network.replies['GET /api/resources/'] = () => Promise.reject(new TypeError('fetch failed'))
  await assert.rejects(call('GET /api/resources/*'), (failure: HttpFailure) => failure.status === 0)
})

test('a 401 of a public call says nothing about the session', async () => {
  await signIn(network, 'ann')
  network.replies['POST /api/login'] = { status: 401 }
  await assert.rejects(call('POST /api/login', { body: { username: 'ann', password: 'wrong' } }))
  assert.equal(user.value?.username, 'ann')
  network.replies['GET /health'] = { status: 401 }
  await assert.rejects(call('GET /health'))
  assert.equal(token.value, tokenOf('ann'))
})

test('the headers of an answer reach the caller', async () => {
  await signIn(network, 'ann')
  network.replies['GET /api/resources/a.txt'] = { text: '{}', headers: { ETag: '"1"', 'Content-Type': 'application/json' } }
  const { headers } = await callWithHeaders('GET /api/resources/*', { path: '/a.txt' })
  assert.equal(headers.get('ETag'), '"1"')
})
