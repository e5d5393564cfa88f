import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diskSystem } from '../../src-server/disk/system.ts'
import { claims, here, restart, startAnn } from '../support/start-ann.ts'
import { changeUser, goodPassword } from '../support/start-state.ts'

const day = 24 * 3600

test('every way to end a session ends it at once, and permanently', async (t) => {
  const ends: Record<string, (people: Awaited<ReturnType<typeof startAnn>>, token: string) => Promise<void>> = {
    logout: async ({ signIn }, token) => signIn.logout((await signIn.identify(token)) ?? assert.fail()),
    'password change': ({ accounts, ann }) => accounts.changePassword(ann.id, 'another long password'),
    'sign out everywhere': ({ accounts, ann }) => accounts.signOutEverywhere(ann.id),
    deletion: ({ accounts, ann }) => accounts.remove(ann.id),
  }
  for (const [name, end] of Object.entries(ends)) {
    await t.test(name, async (t) => {
      const people = await startAnn(t)
      await people.accounts.create({ username: 'bob', password: goodPassword })
      const bob = await people.signIn.login({ ...here, username: 'bob' })
      const { token, cookie } = await people.signIn.login(here)
      await end(people, token)
      const later = await restart(t, people)
      for (const { signIn } of [people, later]) {
        assert.equal(await signIn.identify(token), undefined)
        assert.equal(await signIn.identify(cookie), undefined)
        assert.equal((await signIn.identify(bob.token))?.user.username, 'bob', 'nobody else is signed out')
      }
    })
  }
})

test('one session can be kept by a password change and by signing out everywhere else', async (t) => {
  const { accounts, signIn, ann } = await startAnn(t)
  const [mine, other] = [await signIn.login(here), await signIn.login(here)]
  const keep = (await signIn.identify(mine.token))?.session.id
  await accounts.changePassword(ann.id, 'another long password', keep)
  assert.ok(await signIn.identify(mine.token))
  assert.equal(await signIn.identify(other.token), undefined)
  const third = await signIn.login({ ...here, password: 'another long password' })
  await accounts.signOutEverywhere(ann.id, keep)
  assert.ok(await signIn.identify(mine.token))
  assert.equal(await signIn.identify(third.token), undefined)
  await accounts.signOutEverywhere(ann.id)
  assert.equal(await signIn.identify(mine.token), undefined)
})

test('sessions survive a restart', async (t) => {
  const people = await startAnn(t)
  const { token, cookie } = await people.signIn.login(here)
  const { signIn } = await restart(t, people)
  assert.equal((await signIn.identify(token))?.user.username, 'ann')
  assert.equal((await signIn.identify(cookie))?.user.username, 'ann')
})

test('a session ends 30 days after its sign-in, however often it was renewed', async (t) => {
  const people = await startAnn(t, { lifetime: 2 * day })
  const { signIn, clock, state } = people
  let { token, maxAge } = await signIn.login(here)
  const sid = claims(token).sid
  for (let days = 0; days < 29; days += 1) {
    clock.advance({ days: 1 })
    const renewed = await signIn.renew((await signIn.identify(token)) ?? assert.fail())
    token = renewed.token
    maxAge = renewed.maxAge
    assert.equal(claims(token).sid, sid, 'renewing keeps the session')
  }
  assert.equal(maxAge, day, 'a token does not outlive its session')
  clock.advance({ seconds: day - 1 })
  assert.ok(await signIn.identify(token))
  clock.advance({ seconds: 1 })
  assert.equal(await signIn.identify(token), undefined)
  assert.equal(state.data.sessions.length, 1)
  await signIn.login(here)
  assert.equal(state.data.sessions.length, 1, 'the next sign-in clears away what is over')
})

test('a token is valid until its end and not after, also of a renewed session', async (t) => {
  const { signIn, clock } = await startAnn(t, { lifetime: 1800 })
  const { token } = await signIn.login(here)
  clock.advance({ seconds: 1799 })
  const renewed = await signIn.renew((await signIn.identify(token)) ?? assert.fail())
  clock.advance({ seconds: 2 })
  assert.equal(await signIn.identify(token), undefined)
  assert.ok(await signIn.identify(renewed.token))
})

const hints: { name: string; lifetime: number; elapsed: number; hint: boolean }[] = [
  { name: 'two hours, one left', lifetime: 7200, elapsed: 3600, hint: false },
  { name: 'two hours, less than one left', lifetime: 7200, elapsed: 3601, hint: true },
  { name: 'half an hour, half of it left', lifetime: 1800, elapsed: 900, hint: false },
  { name: 'half an hour, less than half left', lifetime: 1800, elapsed: 901, hint: true },
  { name: 'a week, a day left', lifetime: 7 * day, elapsed: 6 * day, hint: false },
  { name: 'a week, less than an hour left', lifetime: 7 * day, elapsed: 7 * day - 3599, hint: true },
  { name: 'just made', lifetime: 7200, elapsed: 0, hint: false },
]

for (const { name, lifetime, elapsed, hint } of hints) {
  test(`renewing is ${hint ? '' : 'not '}hinted at: ${name}`, async (t) => {
    const { signIn, clock } = await startAnn(t, { lifetime })
    const { token, cookie } = await signIn.login(here)
    clock.advance({ seconds: elapsed })
    assert.equal((await signIn.identify(token))?.renewSoon, hint)
    assert.equal((await signIn.identify(cookie))?.renewSoon, false, 'who comes with the cookie cannot read the hint')
  })
}

test('renewing is hinted at when the user changed after the token was made, in the same second too', async (t) => {
  const { signIn, accounts, state, ann } = await startAnn(t)
  const { token } = await signIn.login(here)
  await changeUser({ accounts, state }, ann.id, (user) => {
    user.locale = 'de'
  })
  const identity = (await signIn.identify(token)) ?? assert.fail()
  assert.equal(identity.renewSoon, true)
  const renewed = await signIn.renew(identity)
  assert.equal((await signIn.identify(renewed.token))?.renewSoon, false)
  assert.equal((claims(renewed.token).user as { locale: string }).locale, 'de')
  await changeUser({ accounts, state }, ann.id, (user) => {
    user.locale = 'fr'
  })
  assert.equal((await signIn.identify(renewed.token))?.renewSoon, true)
})

test('permissions are read from the state, whatever the token contains', async (t) => {
  const { signIn, accounts, state, ann } = await startAnn(t)
  const { token } = await signIn.login(here)
  await changeUser({ accounts, state }, ann.id, (user) => {
    user.perm = { ...user.perm, download: false }
  })
  assert.equal((await signIn.identify(token))?.user.perm.download, false)
})

test('the last use of a session is written at most every ten minutes', async (t) => {
  const { signIn, clock, state, sessions } = await startAnn(t)
  const { token } = await signIn.login(here)
  const start = clock.now() / 1000
  const usedAt = () => state.data.sessions[0]?.usedAt
  clock.advance({ seconds: 599 })
  await signIn.identify(token)
  await sessions.touch(state.data.sessions[0] ?? assert.fail())
  assert.equal(usedAt(), start)
  clock.advance({ seconds: 1 })
  const before = state.data
  for (let request = 0; request < 50; request += 1) await signIn.identify(token)
  await state.change('session', () => {})
  assert.equal(usedAt(), start + 600)
  assert.notEqual(state.data, before)
})

test('a session ends with its last token, and the next sign-in removes it from the state', async (t) => {
  const { signIn, clock, state } = await startAnn(t, { lifetime: 7200 })
  for (let poll = 0; poll < 5; poll += 1) {
    await signIn.login(here)
    clock.advance({ minutes: 20 })
  }
  assert.equal(state.data.sessions.length, 5)
  const { token } = await signIn.login(here)
  clock.advance({ minutes: 119 })
  const renewed = await signIn.renew((await signIn.identify(token)) ?? assert.fail())
  clock.advance({ minutes: 119 })
  assert.ok(await signIn.identify(renewed.token), 'renewal moves the end')
  await signIn.login(here)
  assert.equal(state.data.sessions.length, 2)
  clock.advance({ minutes: 1 })
  assert.equal(await signIn.identify(renewed.token), undefined)
})

test('a session of a state without the end of its last token lasts 30 days', async (t) => {
  const { sessions, state, clock } = await startAnn(t)
  const createdAt = clock.now() / 1000
  await state.change('session', (draft) => {
    draft.sessions = [{ id: 'old', userId: 1, createdAt, usedAt: createdAt }]
  })
  clock.advance({ seconds: 30 * day - 1 })
  assert.ok(await sessions.view('old'))
  clock.advance({ seconds: 1 })
  assert.equal(await sessions.view('old'), undefined)
})

test('a user has at most 200 sessions; beyond that the least recently used is removed', async (t) => {
  const { signIn, accounts, sessions, clock, state, ann } = await startAnn(t, { lifetime: day })
  const bob = await accounts.create({ username: 'bob', password: goodPassword })
  const his = await sessions.start(bob)
  const first = await signIn.login(here)
  const second = await sessions.start(ann)
  for (let index = 2; index < 200; index += 1) {
    clock.advance({ seconds: 1 })
    await sessions.start(ann)
  }
  await signIn.renew((await signIn.identify(first.token)) ?? assert.fail())
  await sessions.start(ann)
  assert.equal(state.data.sessions.filter(({ userId }) => userId === ann.id).length, 200)
  assert.equal(await sessions.view(second.id), undefined)
  assert.ok(await signIn.identify(first.token))
  assert.ok(await sessions.view(his.id), 'those of others stay')
})

test('noauth and proxy sign-ins reuse the living session of the caller, and no other', async (t) => {
  const { signIn, accounts, clock, ann } = await startAnn(t, { lifetime: 7200 })
  await accounts.create({ username: 'root', password: goodPassword, perm: { ...ann.perm, admin: true } })
  for (const login of [
    async (token?: string) => signIn.loginWithoutAuth({ caller: await signIn.identify(token) }),
    async (token?: string) => signIn.loginByProxy('root', { caller: await signIn.identify(token) }),
  ]) {
    const { token } = await login()
    clock.advance({ minutes: 90 })
    const again = await login(token)
    assert.equal(claims(again.token).sid, claims(token).sid)
    clock.advance({ minutes: 90 })
    assert.ok(await signIn.identify(again.token), 'reuse moves the end')
    const other = await signIn.login(here)
    assert.notEqual(claims((await login(other.token)).token).sid, claims(other.token).sid)
  }
})

test('after a failed write the last use of a session is not written before the next ten minutes', async (t) => {
  let writes = 0
  let isBroken = false
  const open: typeof diskSystem.open = async (...file) => {
    if (isBroken) writes += 1
    if (isBroken) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    return diskSystem.open(...file)
  }
  const { sessions, ann, clock, state, reports } = await startAnn(t, { system: { ...diskSystem, open }, lifetime: 7200 })
  const session = await sessions.start(ann)
  clock.advance({ minutes: 10 })
  isBroken = true
  await assert.rejects(sessions.touch(session), { code: 'internal' })
  for (const minutes of [0, 5, 4]) {
    clock.advance({ minutes })
    await sessions.touch(session)
  }
  assert.equal(writes, 1)
  clock.advance({ minutes: 1 })
  await assert.rejects(sessions.touch(session), { code: 'internal' })
  isBroken = false
  clock.advance({ minutes: 10 })
  await sessions.touch(session)
  assert.equal(state.data.sessions[0]?.usedAt, clock.now() / 1000)
  assert.deepEqual(reports, [])
})

test('a last use that cannot be written is reported and no request is refused', async (t) => {
  let isBroken = false
  const system = {
    ...diskSystem,
    sync: async (fd: number) => {
      if (isBroken) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      return diskSystem.sync(fd)
    },
  }
  const { signIn, clock, state, reports } = await startAnn(t, { system })
  const { token } = await signIn.login(here)
  clock.advance({ minutes: 10 })
  isBroken = true
  assert.ok(await signIn.identify(token))
  await assert.rejects(
    state.change('session', (draft) => {
      draft.settings = { ...draft.settings, signup: true }
    }),
  )
  assert.equal(reports.length, 1)
  await assert.rejects(signIn.login(here), { code: 'internal' }, 'a sign-in that is not durable is none')
  assert.equal(state.data.sessions.length, 1)
  isBroken = false
  assert.ok(await signIn.identify(token))
})
