import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { diskSystem } from '../../src-server/disk/system.ts'
import type { Argon2Engine } from '../../src-server/people/argon2-engine.ts'
import { Passwords } from '../../src-server/people/passwords.ts'
import { cheapCost, goodPassword, startPeople } from '../support/start-state.ts'

const here = { username: 'ann', password: goodPassword, address: '192.0.2.1' }
const day = 24 * 3600

type Options = Parameters<typeof startPeople>[1]

/** With one user, `ann`. */
async function startAnn(t: TestContext, options: Options = {}) {
  const people = await startPeople(t, options)
  const ann = await people.accounts.create({ username: 'ann', password: goodPassword })
  return { ...people, ann }
}

/** The same state in a server that was started anew. */
async function restart(t: TestContext, { state, clock }: Awaited<ReturnType<typeof startPeople>>) {
  await state.close()
  return startPeople(t, { file: state.file, clock })
}

function claims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

test('a sign-in leads to a user, and logout ends it at once', async (t) => {
  const { signIn } = await startAnn(t)
  const { token, cookie, maxAge } = await signIn.login(here)
  const identity = signIn.identify(token)
  assert.equal(identity?.user.username, 'ann')
  assert.equal(identity.renewSoon, false)
  assert.equal(signIn.identify(cookie)?.user.username, 'ann')
  assert.equal(maxAge, 7200)
  await signIn.logout(identity)
  assert.equal(signIn.identify(token), undefined)
  assert.equal(signIn.identify(cookie), undefined)
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

test('names are exact: case, spaces and Unicode forms tell people apart', async (t) => {
  const { accounts, signIn } = await startAnn(t)
  await accounts.create({ username: 'Zoe\u0308', password: goodPassword })
  for (const username of ['Ann', 'ann ', ' ann', 'ann\0', 'Zo\u00eb', '', 'constructor', '__proto__']) {
    await assert.rejects(signIn.login({ ...here, username }), { code: 'forbidden' }, username)
  }
  const { token } = await signIn.login({ ...here, username: 'Zoe\u0308' })
  assert.equal(signIn.identify(token)?.user.username, 'Zoe\u0308')
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
  const { accounts, signIn, state, ann } = await startAnn(t, { passwords: new Passwords({ engine: async () => engine }) })
  await signIn.login(here)
  await assert.rejects(signIn.login({ ...here, username: 'nobody' }), { code: 'forbidden' })
  await state.change('other', (draft) => {
    for (const user of draft.users) user.password = ''
  })
  assert.equal(accounts.byId(ann.id)?.password, '')
  await assert.rejects(signIn.login(here), { code: 'forbidden' })
  const costs = verified.map((phc) => phc.split('$').slice(1, 4).join('$'))
  assert.deepEqual(costs, Array(3).fill('argon2id$v=19$m=65536,t=3,p=1'))
  assert.equal(verified[1], verified[2])
  assert.notEqual(verified[0], verified[1])
})

test('a dummy never lets anybody in, though its password were guessed', async (t) => {
  const engine: Argon2Engine = { name: 'argon2', hash: async () => '', verify: async () => true }
  const { signIn } = await startPeople(t, { passwords: new Passwords({ engine: async () => engine }) })
  await assert.rejects(signIn.login(here), { code: 'forbidden' })
})

test('what is no token of ours leads to nobody', async (t) => {
  const { signIn } = await startAnn(t)
  for (const token of [undefined, '', 'a.b.c', 'undefined', 'null', '..', '.'.repeat(20_000)]) {
    assert.equal(signIn.identify(token), undefined)
  }
})

test('the token shows the user, the cookie nothing of him', async (t) => {
  const { signIn, ann, state } = await startAnn(t)
  const { token, cookie } = await signIn.login(here)
  const { user, sid, iat, exp } = claims(token)
  const { id, username, locale, viewMode, sorting, perm, commands, lockPassword } = ann
  assert.deepEqual(user, { id, username, locale, viewMode, sorting, perm, commands, lockPassword })
  assert.equal(Number(exp), Number(iat) + 7200)
  assert.deepEqual(claims(cookie), { sid, exp })
  assert.equal(sid, state.data.sessions[0]?.id)
  assert.ok(!Buffer.from(token, 'base64url').toString().includes('argon2'))
  assert.ok(cookie.length < 512)
})

test('the cookie stays small whatever the user holds', async (t) => {
  const { signIn, accounts } = await startAnn(t)
  const commands = Array.from({ length: 1000 }, (_, index) => `command-${index}`)
  await accounts.create({ username: 'bob', password: goodPassword, commands })
  const { token, cookie } = await signIn.login({ ...here, username: 'bob' })
  assert.ok(token.length > 4096)
  assert.ok(cookie.length < 512)
  assert.equal(signIn.identify(token)?.user.username, 'bob')
})

test('whatever ends a session ends it at once, and for good', async (t) => {
  const ends: Record<string, (people: Awaited<ReturnType<typeof startAnn>>, token: string) => Promise<void>> = {
    logout: async ({ signIn }, token) => signIn.logout(signIn.identify(token) ?? assert.fail()),
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
        assert.equal(signIn.identify(token), undefined)
        assert.equal(signIn.identify(cookie), undefined)
        assert.equal(signIn.identify(bob.token)?.user.username, 'bob', 'nobody else is signed out')
      }
    })
  }
})

test('one session can be kept by a password change and by signing out everywhere else', async (t) => {
  const { accounts, signIn, ann } = await startAnn(t)
  const [mine, other] = [await signIn.login(here), await signIn.login(here)]
  const keep = signIn.identify(mine.token)?.session.id
  await accounts.changePassword(ann.id, 'another long password', keep)
  assert.ok(signIn.identify(mine.token))
  assert.equal(signIn.identify(other.token), undefined)
  const third = await signIn.login({ ...here, password: 'another long password' })
  await accounts.signOutEverywhere(ann.id, keep)
  assert.ok(signIn.identify(mine.token))
  assert.equal(signIn.identify(third.token), undefined)
  await accounts.signOutEverywhere(ann.id)
  assert.equal(signIn.identify(mine.token), undefined)
})

test('sessions survive a restart', async (t) => {
  const people = await startAnn(t)
  const { token, cookie } = await people.signIn.login(here)
  const { signIn } = await restart(t, people)
  assert.equal(signIn.identify(token)?.user.username, 'ann')
  assert.equal(signIn.identify(cookie)?.user.username, 'ann')
})

test('a session ends 30 days after its sign-in, however often it was renewed', async (t) => {
  const people = await startAnn(t, { lifetime: 2 * day })
  const { signIn, clock, state } = people
  let { token, maxAge } = await signIn.login(here)
  const sid = claims(token).sid
  for (let days = 0; days < 29; days += 1) {
    clock.advance({ days: 1 })
    const renewed = await signIn.renew(signIn.identify(token) ?? assert.fail())
    token = renewed.token
    maxAge = renewed.maxAge
    assert.equal(claims(token).sid, sid, 'renewing keeps the session')
  }
  assert.equal(maxAge, day, 'a token does not outlive its session')
  clock.advance({ seconds: day - 1 })
  assert.ok(signIn.identify(token))
  clock.advance({ seconds: 1 })
  assert.equal(signIn.identify(token), undefined)
  assert.equal(state.data.sessions.length, 1)
  await signIn.login(here)
  assert.equal(state.data.sessions.length, 1, 'the next sign-in clears away what is over')
})

test('a token is good until its end and not after, also a renewed session', async (t) => {
  const { signIn, clock } = await startAnn(t, { lifetime: 1800 })
  const { token } = await signIn.login(here)
  clock.advance({ seconds: 1799 })
  const renewed = await signIn.renew(signIn.identify(token) ?? assert.fail())
  clock.advance({ seconds: 2 })
  assert.equal(signIn.identify(token), undefined)
  assert.ok(signIn.identify(renewed.token))
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
    assert.equal(signIn.identify(token)?.renewSoon, hint)
    assert.equal(signIn.identify(cookie)?.renewSoon, false, 'who comes with the cookie cannot read the hint')
  })
}

test('renewing is hinted at when the user changed after the token was made, in the same second too', async (t) => {
  const { signIn, accounts, ann } = await startAnn(t)
  const { token } = await signIn.login(here)
  await accounts.change(ann.id, (user) => {
    user.locale = 'de'
  })
  const identity = signIn.identify(token) ?? assert.fail()
  assert.equal(identity.renewSoon, true)
  const renewed = await signIn.renew(identity)
  assert.equal(signIn.identify(renewed.token)?.renewSoon, false)
  assert.equal((claims(renewed.token).user as { locale: string }).locale, 'de')
  await accounts.change(ann.id, (user) => {
    user.locale = 'fr'
  })
  assert.equal(signIn.identify(renewed.token)?.renewSoon, true)
})

test('rights are read fresh, whatever the token shows', async (t) => {
  const { signIn, accounts, ann } = await startAnn(t)
  const { token } = await signIn.login(here)
  await accounts.change(ann.id, (user) => {
    user.perm = { ...user.perm, download: false }
  })
  assert.equal(signIn.identify(token)?.user.perm.download, false)
})

test('a password that was changed while the old one was looked at starts no session', async (t) => {
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

test('the last use of a session is written at most every ten minutes', async (t) => {
  const { signIn, clock, state, sessions } = await startAnn(t)
  const { token } = await signIn.login(here)
  const start = clock.now() / 1000
  const usedAt = () => state.data.sessions[0]?.usedAt
  clock.advance({ seconds: 599 })
  signIn.identify(token)
  await sessions.touch(String(claims(token).sid))
  assert.equal(usedAt(), start)
  clock.advance({ seconds: 1 })
  const before = state.data
  for (let request = 0; request < 50; request += 1) signIn.identify(token)
  await state.change('session', () => {})
  assert.equal(usedAt(), start + 600)
  assert.notEqual(state.data, before)
})

test('a last use that cannot be written is reported and refuses nobody', async (t) => {
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
  assert.ok(signIn.identify(token))
  await assert.rejects(
    state.change('session', (draft) => {
      draft.settings.signup = true
    }),
  )
  assert.equal(reports.length, 1)
  await assert.rejects(signIn.login(here), { code: 'internal' }, 'a sign-in that is not durable is none')
  assert.equal(state.data.sessions.length, 1)
  isBroken = false
  assert.ok(signIn.identify(token))
})

test('without sign-in everybody is the administrator with the lowest id', async (t) => {
  const { signIn, accounts, ann } = await startAnn(t)
  await assert.rejects(signIn.loginWithoutAuth(), { code: 'forbidden' })
  const first = await accounts.create({ username: 'first', password: goodPassword, perm: { ...ann.perm, admin: true } })
  await accounts.create({ username: 'second', password: goodPassword, perm: { ...ann.perm, admin: true } })
  const { token } = await signIn.loginWithoutAuth()
  assert.equal(signIn.identify(token)?.user.id, first.id)
})

test('a proxy names a user exactly; an unknown one is refused and not made', async (t) => {
  const { signIn, accounts } = await startAnn(t)
  const { token } = await signIn.loginByProxy('ann')
  assert.equal(signIn.identify(token)?.user.username, 'ann')
  for (const name of ['', 'Ann', 'bob']) await assert.rejects(signIn.loginByProxy(name), { code: 'forbidden' })
  assert.equal(accounts.all().length, 1)
})

test('two servers on one host know each their own cookies and tokens', async (t) => {
  const [one, other] = [await startAnn(t), await startAnn(t)]
  assert.notEqual(one.state.data.instance, other.state.data.instance)
  const { token, cookie } = await one.signIn.login(here)
  assert.equal(other.signIn.identify(token), undefined)
  assert.equal(other.signIn.identify(cookie), undefined)
})

test('many wrong passwords lead to a refusal that says when to come back, and right ones wait too', async (t) => {
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
