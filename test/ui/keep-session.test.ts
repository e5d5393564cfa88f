import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import { call } from '../../src-ui/api/http.ts'
import { lifetimeOf } from '../../src-ui/api/token.ts'
import { keepSession, renewalDelay } from '../../src-ui/core/keep-session.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { expired, locked, login, stayWhile, token, user } from '../../src-ui/core/session.ts'
import { getItem } from '../../src-ui/core/storage.ts'
import { workspace } from './workspace.ts'
// It is the uploads that ask.
import '../../src-ui/uploads/uploads.ts'
import { answering, encode, signIn, tokenOf } from './answering.ts'
import { hooksOf } from './hooks.ts'

const overlays = workspace.use(overlaysSlice)

const { afterEach } = hooksOf(import.meta.filename)

const network = answering(import.meta.filename)
afterEach(() => overlays.close())

const shown = (): string => overlays.current.value.kind

/** A token that lasts so many seconds. */
function lasting(seconds: number): string {
  const [head, claims = '', signature] = tokenOf('ann').split('.')
  const given = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number }
  return [head, encode({ ...given, exp: given.iat + seconds }), signature].join('.')
}

test('a session is renewed before half of its life is gone', () => {
  assert.equal(lifetimeOf(lasting(7200)), 7200)
  assert.equal(renewalDelay(lasting(7200)), 3_240_000)
  assert.equal(renewalDelay(tokenOf('ann')), undefined)
  // A timer can wait for no more than 24 days.
  assert.equal(renewalDelay(lasting(365 * 86_400)), 2 ** 31 - 1)
})

test('it is renewed only while something is under way, and once for each token', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const isUnderWay = signal(false)
  network.replies['POST /api/login'] = { text: lasting(7200) }
  await login('ann', 'secret')
  const renewals = () => network.calls.filter(({ name }) => name === 'POST /api/renew').length
  keepSession(workspace, isUnderWay)
  context.mock.timers.tick(7_200_000)
  assert.equal(renewals(), 0)
  isUnderWay.value = true
  context.mock.timers.tick(3_240_000)
  assert.equal(renewals(), 1)
  isUnderWay.value = false
  context.mock.timers.tick(7_200_000)
  assert.equal(renewals(), 1)
})

async function loseSession() {
  network.replies['GET /api/resources/'] = { status: 401 }
  await assert.rejects(call('GET /api/resources/*'))
}

test('a session that ends in the midst of something leaves the page, and its person, where they are', async (context) => {
  context.after(stayWhile(() => true))
  await signIn(network, 'ann')
  await loseSession()
  assert.equal(locked.value, true)
  assert.equal(user.value?.username, 'ann')
  assert.equal(token.value, undefined)
  assert.equal(getItem('token'), undefined)
  assert.equal(expired.value, false)
  await signIn(network, 'ann')
  assert.equal(locked.value, false)
})

test('when nothing is under way a session that ends leads to the login', async () => {
  await signIn(network, 'ann')
  await loseSession()
  assert.equal(locked.value, false)
  assert.equal(user.value, null)
})

test('the password is asked for once, as soon as nothing else lies over the page, and no longer than needed', async (context) => {
  context.after(stayWhile(() => true))
  await signIn(network, 'ann')
  overlays.open({ kind: 'newDir' })
  await loseSession()
  assert.equal(shown(), 'newDir')
  overlays.close()
  assert.equal(shown(), 'password')
  overlays.close('password')
  assert.equal(shown(), 'none')
  await signIn(network, 'ann')
  await loseSession()
  assert.equal(shown(), 'password')
  await signIn(network, 'ann')
  assert.equal(shown(), 'none')
})
