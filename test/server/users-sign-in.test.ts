import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Argon2Engine } from '../../src-server/users/argon2-engine.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { claims, here, startAnn } from '../support/start-ann.ts'
import { cheapCost, goodPassword, startPeople, userIn } from '../support/start-state.ts'

test('a sign-in identifies a user, and logout ends it at once', async (t) => {
  const { signIn } = await startAnn(t)
  const { token, cookie, maxAge } = await signIn.login(here)
  const identity = await signIn.identify(token)
  assert.equal(identity?.user.username, 'ann')
  assert.equal(identity.renewSoon, false)
  assert.equal((await signIn.identify(cookie))?.user.username, 'ann')
  assert.equal(maxAge, 7200)
  await signIn.logout(identity)
  assert.equal(await signIn.identify(token), undefined)
  assert.equal(await signIn.identify(cookie), undefined)
  await assert.rejects(signIn.renew(identity), { code: 'unauthorized' })
})

test('a wrong password and an unknown name are refused alike', async (t) => {
  const { signIn } = await startAnn(t)
  const wrong = await signIn.login({ ...here, password: 'not the password' }).catch((error) => error)
  const unknown = await signIn.login({ ...here, username: 'bob' }).catch((error) => error)
  assert.equal(wrong.code, 'forbidden')
  assert.deepEqual({ ...wrong }, { ...unknown })
  assert.equal(wrong.message, unknown.message)
})

test('names are exact: case, spaces and Unicode forms distinguish users', async (t) => {
  const { accounts, signIn } = await startAnn(t)
  await accounts.create({ username: 'Zoe\u0308', password: goodPassword })
  for (const username of ['Ann', 'ann ', ' ann', 'ann\0', 'Zo\u00eb', '', 'constructor', '__proto__']) {
    await assert.rejects(signIn.login({ ...here, username }), { code: 'forbidden' }, username)
  }
  const { token } = await signIn.login({ ...here, username: 'Zoe\u0308' })
  assert.equal((await signIn.identify(token))?.user.username, 'Zoe\u0308')
})

test('an unknown name, and a user without a password, cost a verification of a dummy of the same cost', async (t) => {
  const verified: string[] = []
  const engine: Argon2Engine = {
    name: 'argon2',
    hash: async () => `$argon2id$v=19$m=65536,t=3,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    verify: async (_, phc) => {
      verified.push(phc)
      return phc.includes('AAAA')
    },
  }
  const { signIn, state, ann } = await startAnn(t, { passwords: new Passwords({ engine: async () => engine }) })
  await signIn.login(here)
  await assert.rejects(signIn.login({ ...here, username: 'nobody' }), { code: 'forbidden' })
  await state.change('other', (draft) => {
    draft.users = draft.users.map((user) => ({ ...user, password: '' }))
  })
  assert.equal(userIn(state, ann.id)?.password, '')
  await assert.rejects(signIn.login(here), { code: 'forbidden' })
  const costs = verified.map((phc) => phc.split('$').slice(1, 4).join('$'))
  assert.deepEqual(costs, Array(3).fill('argon2id$v=19$m=65536,t=3,p=1'))
  assert.equal(verified[1], verified[2])
  assert.notEqual(verified[0], verified[1])
})

test('a dummy hash never signs anybody in, even if its password is guessed', async (t) => {
  const engine: Argon2Engine = { name: 'argon2', hash: async () => '', verify: async () => true }
  const { signIn } = await startPeople(t, { passwords: new Passwords({ engine: async () => engine }) })
  await assert.rejects(signIn.login(here), { code: 'forbidden' })
})

test('an invalid token identifies nobody', async (t) => {
  const { signIn } = await startAnn(t)
  for (const token of [undefined, '', 'a.b.c', 'undefined', 'null', '..', '.'.repeat(20_000)]) {
    assert.equal(await signIn.identify(token), undefined)
  }
})

/** Settings of other servers of this API. */
const foreignSettings = {
  singleClick: false,
  redirectAfterCopyMove: false,
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
}

test('the token has the fields without which other clients refuse a sign-in, of the types that they ask for', async (t) => {
  const { signIn } = await startAnn(t)
  const { user, iss } = claims((await signIn.login(here)).token)
  const fields = user as Record<string, unknown>
  assert.equal(iss, 'Holdall')
  assert.deepEqual(Object.fromEntries(Object.keys(foreignSettings).map((name) => [name, fields[name]])), foreignSettings)
})

test('the token contains the user’s settings, the cookie none of them', async (t) => {
  const { signIn, ann, state } = await startAnn(t)
  const { token, cookie } = await signIn.login(here)
  const { user, sid, iat, exp } = claims(token)
  const { id, username, locale, viewMode, sorting, perm, commands, lockPassword } = ann
  assert.deepEqual(user, { id, username, locale, viewMode, sorting, perm, commands, lockPassword, ...foreignSettings })
  assert.equal(Number(exp), Number(iat) + 7200)
  assert.deepEqual(claims(cookie), { sid, exp })
  assert.equal(sid, state.data.sessions[0]?.id)
  assert.ok(!Buffer.from(token, 'base64url').toString().includes('argon2'))
  assert.ok(cookie.length < 512)
})

test('the cookie stays small for any user', async (t) => {
  const { signIn, accounts } = await startAnn(t)
  const commands = Array.from({ length: 1000 }, (_, index) => `command-${index}`)
  await accounts.create({ username: 'bob', password: goodPassword, commands })
  const { token, cookie } = await signIn.login({ ...here, username: 'bob' })
  assert.ok(token.length > 4096)
  assert.ok(cookie.length < 512)
  assert.equal((await signIn.identify(token))?.user.username, 'bob')
})

test('a password that is changed while the old one is verified starts no session', async (t) => {
  let release = () => {}
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  const engine: Argon2Engine = {
    name: 'argon2',
    hash: async (password) => formatted(password),
    verify: async (password, phc) => {
      const isRight = phc === formatted(password)
      await opened
      return isRight
    },
  }
  const { signIn, accounts, ann } = await startAnn(t, { passwords: new Passwords({ engine: async () => engine }) })
  const login = signIn.login(here)
  await accounts.changePassword(ann.id, 'another long password')
  release()
  await assert.rejects(login, { code: 'forbidden' })
  await signIn.login({ ...here, password: 'another long password' })
})

function formatted(password: string) {
  const tag = Buffer.from(password.padEnd(32)).subarray(0, 32).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=64,t=1,p=1$${'A'.repeat(22)}$${tag}`
}

test('without sign-in everybody is the administrator with the lowest id', async (t) => {
  const { signIn, accounts, ann } = await startAnn(t)
  await assert.rejects(signIn.loginWithoutAuth(), { code: 'forbidden' })
  const first = await accounts.create({ username: 'first', password: goodPassword, perm: { ...ann.perm, admin: true } })
  await accounts.create({ username: 'second', password: goodPassword, perm: { ...ann.perm, admin: true } })
  const { token } = await signIn.loginWithoutAuth()
  assert.equal((await signIn.identify(token))?.user.id, first.id)
})

test('a proxy names a user exactly; an unknown one is refused and not made', async (t) => {
  const { signIn, state } = await startAnn(t)
  const { token } = await signIn.loginByProxy('ann')
  assert.equal((await signIn.identify(token))?.user.username, 'ann')
  for (const name of ['', 'Ann', 'bob']) await assert.rejects(signIn.loginByProxy(name), { code: 'forbidden' })
  assert.equal(state.data.users.length, 1)
})

test('two servers on one host accept only their own cookies and tokens', async (t) => {
  const [one, other] = [await startAnn(t), await startAnn(t)]
  assert.notEqual(one.state.data.instance, other.state.data.instance)
  const { token, cookie } = await one.signIn.login(here)
  assert.equal(await other.signIn.identify(token), undefined)
  assert.equal(await other.signIn.identify(cookie), undefined)
})

test('many wrong passwords lead to a refusal with the time to retry, also for the right password', async (t) => {
  const { signIn, clock } = await startAnn(t)
  const wrong = { ...here, password: 'not the password' }
  for (let attempt = 0; attempt < 5; attempt += 1) await assert.rejects(signIn.login(wrong), { code: 'forbidden' })
  const refused = await signIn.login(here).catch((error) => error)
  assert.equal(refused.code, 'tooMany')
  await signIn.login({ ...here, address: '192.0.2.77' })
  clock.advance({ seconds: refused.retryAfter })
  await signIn.login(here)
  await assert.rejects(signIn.login(wrong), { code: 'forbidden' }, 'a success starts the count anew')
})

test('wrong passwords count as failed sign-ins also for who is signed in, so that a session does not help to guess', async (t) => {
  const { signIn } = await startAnn(t)
  const { token } = await signIn.login(here)
  const identity = await signIn.identify(token)
  assert.ok(identity)
  assert.equal(await signIn.confirms(identity, here.password, here.address), true)
  for (let guess = 0; guess < 5; guess++) assert.equal(await signIn.confirms(identity, `guess ${guess}`, here.address), false)
  await assert.rejects(signIn.confirms(identity, here.password, here.address), { code: 'tooMany' })
})

test('a refused attempt does not cost a hash', async (t) => {
  let verifications = 0
  const passwords = new Passwords({ cost: cheapCost })
  const verify = passwords.verify.bind(passwords)
  passwords.verify = (...given) => {
    verifications += 1
    return verify(...given)
  }
  const { signIn } = await startAnn(t, { passwords })
  for (let attempt = 0; attempt < 20; attempt += 1) await signIn.login({ ...here, password: 'wrong' }).catch(() => {})
  assert.equal(verifications, 5)
})

test('the state holds no password in plain text', async (t) => {
  const { state } = await startAnn(t)
  const folder = join(state.file, '..')
  for (const name of readdirSync(folder).filter((name) => !name.includes('.lock'))) {
    assert.ok(!readFileSync(join(folder, name), 'utf8').includes(goodPassword), name)
  }
})
