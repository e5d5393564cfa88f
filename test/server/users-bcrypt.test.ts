// Passwords that come from File Browser: hashes of bcrypt, until their users sign in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSync } from 'bcryptjs'
import { bcryptCost } from '../../src-server/base/bcrypt-text.ts'
import type { State } from '../../src-server/state/state.ts'
import { bcryptEngine } from '../../src-server/users/bcrypt.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { here, startAnn } from '../support/start-ann.ts'
import { cheapCost, userIn } from '../support/start-state.ts'

/** Of `fixture-Bob-263`, made by File Browser 2.63.23. */
const bob = '$2a$10$yNJpepaqzIy6wpHvy9Lx0uUcPsRvYIuvRIbarwzvvuKPBH48PcTjO'
const right = 'fixture-Bob-263'

test('a password of File Browser is right, in each form of its hash', async () => {
  for (const hash of [bob, bob.replace('$2a$', '$2b$'), bob.replace('$2a$', '$2y$')]) {
    assert.equal(await bcryptEngine.verify(right, hash), true, hash)
    assert.equal(await bcryptEngine.verify(`${right} `, hash), false, hash)
  }
})

for (const [text, cost] of [
  [bob, 10],
  [bob.replace('10', '04'), 4],
  [bob.replace('10', '14'), 14],
  [bob.replace('10', '15'), undefined],
  [bob.replace('10', '03'), undefined],
  [bob.replace('2a', '2x'), undefined],
  [bob.slice(0, -1), undefined],
  [`${bob}\n`, undefined],
  ['', undefined],
] as const)
  test(`${JSON.stringify(text)} has ${cost === undefined ? 'no cost' : `the cost ${cost}`}`, () =>
    assert.equal(bcryptCost(text), cost))

/** Passwords whose checks are counted, by kind and cost. `left` is what is left among the users. */
function counted(left: number | undefined) {
  const checks: string[] = []
  const argon2 = { name: 'argon2', hash: async () => '', verify: async () => false } as const
  const engine = async () => ({
    ...argon2,
    verify: async () => {
      checks.push('argon2')
      return false
    },
  })
  const verify = async (_: string, hash: string) => {
    checks.push(`bcrypt ${bcryptCost(hash)}`)
    return false
  }
  return { checks, passwords: new Passwords({ cost: cheapCost, engine, bcrypt: { verify }, bcryptCost: async () => left }) }
}

const argon2Hash = `$argon2id$v=19$m=64,t=1,p=1$${'a'.repeat(22)}$${'b'.repeat(43)}`
const ofCost = (cost: string) => bob.replace('$10$', `$${cost}$`)

for (const [what, stored] of [
  ['of an unknown name', undefined],
  ['of a user with a hash of argon2', argon2Hash],
  ['of a user who cannot sign in', ''],
] as const)
  test(`a failed check ${what} is one of either kind, as long as a hash of bcrypt is left`, async () => {
    const { checks, passwords } = counted(12)
    assert.equal(await passwords.verify('x', stored), false)
    assert.deepEqual(checks.toSorted(), ['argon2', 'bcrypt 12'])
    const none = counted(undefined)
    await none.passwords.verify('x', stored)
    assert.deepEqual(none.checks, ['argon2'])
  })

test('a failed check of an imported user costs as much: of a lower cost with what is missing', async () => {
  for (const [cost, wanted] of [
    ['12', ['argon2', 'bcrypt 12']],
    // 2¹⁰ + 2¹⁰ + 2¹¹ = 2¹².
    ['10', ['argon2', 'bcrypt 10', 'bcrypt 10', 'bcrypt 11']],
  ] as const) {
    const { checks, passwords } = counted(12)
    assert.equal(await passwords.verify('x', ofCost(cost)), false)
    assert.deepEqual(checks.toSorted(), wanted)
  }
})

test('a failed check of the password of a link is one of either kind too, and a full queue takes longer', async () => {
  const { checks, passwords } = counted(undefined)
  const ofLinks = passwords.beside({ atOnce: 1, waiting: 0, bcryptCost: async () => 12 })
  const [right, refused] = await Promise.allSettled([ofLinks.verify('x', argon2Hash), ofLinks.verify('x', argon2Hash)])
  assert.deepEqual([right.status, checks.toSorted()], ['fulfilled', ['argon2', 'bcrypt 12']])
  assert.deepEqual(refused.status === 'rejected' && [refused.reason.code, refused.reason.retryAfter], ['busy', 7])
})

test('the highest cost among links is that of bcrypt alone', async (t) => {
  const { state } = await startAnn(t)
  assert.equal(await state.highestLinkBcryptCost(), undefined)
  const link = { hash: 'x', userId: 1, path: '/', isDir: true, identity: '', expire: 0, createdAt: 0 }
  const passwords = [ofCost('12'), ofCost('10'), argon2Hash, undefined]
  await state.change('other', (draft) => {
    draft.links = passwords.map((password, index) => ({ ...link, hash: `x${index}`, ...(password && { password }) }))
  })
  assert.equal(await state.highestLinkBcryptCost(), 12)
})

/** As it is stored: without hashing it. */
const storePassword = (state: State, stored: string) =>
  state.change('other', (draft) => {
    draft.users = draft.users.map((user) => ({ ...user, password: stored }))
  })

test('an imported user signs in, and the password is hashed anew without being changed', async (t) => {
  const { signIn, state } = await startAnn(t)
  const { token } = await signIn.login(here)
  await storePassword(state, bob)
  const before = userIn(state, 'ann')
  await assert.rejects(signIn.login(here), { code: 'forbidden' })
  assert.equal(await state.highestBcryptCost(), 10)
  await signIn.login({ ...here, password: right })
  const user = userIn(state, 'ann')
  assert.match(user?.password ?? '', /^\$argon2id\$/)
  assert.deepEqual({ ...user, password: '' }, { ...before, password: '' })
  assert.equal(await state.highestBcryptCost(), undefined)
  await signIn.login({ ...here, password: right })
  // A session from before goes on, and so does all that a changed password would end.
  assert.equal((await signIn.identify(token))?.user.username, 'ann')
})

test('two first sign-ins at once both succeed', async (t) => {
  const { signIn, state } = await startAnn(t)
  await storePassword(state, bob)
  await Promise.all([1, 2, 3].map(() => signIn.login({ ...here, password: right })))
  assert.match(userIn(state, 'ann')?.password ?? '', /^\$argon2id\$/)
})

test('a password of which bcrypt takes a part alone is not stored anew with what it leaves out', async (t) => {
  const { signIn, state } = await startAnn(t)
  const long = 'p'.repeat(73)
  const stored = hashSync(long, 4)
  await storePassword(state, stored)
  await signIn.login({ ...here, password: `${long} and more` })
  assert.equal(userIn(state, 'ann')?.password, stored)
  await signIn.login({ ...here, password: long })
})

test('a password that was changed while it was hashed anew stays the changed one', async (t) => {
  const { state } = await startAnn(t)
  await storePassword(state, 'another')
  await state.run('rehashPassword', { id: userIn(state, 'ann')?.id ?? 0, from: bob, to: 'rehashed' })
  assert.equal(userIn(state, 'ann')?.password, 'another')
})
