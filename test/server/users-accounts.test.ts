import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import bcrypt from 'bcryptjs'
import { allPermissions, noPermissions, type Permissions } from '../../src-server/access/permissions.ts'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { ensureAdministrator, type GivenPassword } from '../../src-server/users/first-administrator.ts'
import { changeUser, goodPassword, startPeople, userIn } from '../support/start-state.ts'

test('a new user exists after a restart, with a hashed password', async (t) => {
  const { accounts, state, clock } = await startPeople(t)
  const ann = await accounts.create({ username: 'ann', password: goodPassword, scope: '/ann' })
  assert.deepEqual(userIn(state, ann.id), ann)
  assert.deepEqual(userIn(state, 'ann'), ann)
  assert.match(ann.password, /^\$argon2id\$/)
  assert.equal(ann.perm.admin, false)
  assert.equal(ann.perm.execute, false)
  await state.close()
  const later = await startPeople(t, { file: state.file, clock })
  assert.deepEqual(later.state.data.users, [ann])
})

const refused: { name: string; username?: string; password?: string; says: RegExp }[] = [
  { name: 'no name', username: '', says: /needs a name/ },
  { name: 'a name of 256 bytes', username: 'ä'.repeat(128), says: /at most 255 bytes/ },
  { name: 'a lone surrogate', username: 'a\ud800', says: /well-formed/ },
  { name: 'spaces alone', username: ' \u00a0\u3000', says: /needs a name/ },
  { name: 'invisible characters alone', username: '\u200b\u2060', says: /needs a name/ },
  { name: 'a space before the name', username: ' ann', says: /no space around/ },
  { name: 'a line break after the name', username: 'ann\u0085', says: /no space around/ },
  { name: 'an empty password', password: '', says: /at least 12 characters/ },
  { name: 'eleven characters', password: '12345678901', says: /at least 12 characters/ },
  { name: 'eleven emoji, which are 22 units', password: '😀'.repeat(11), says: /at least 12 characters/ },
  { name: 'a password that is no Unicode', password: `${goodPassword}\udc00`, says: /well-formed/ },
]

for (const { name, username = 'ann', password = goodPassword, says } of refused) {
  test(`${name}: no user is made`, async (t) => {
    const { accounts, state } = await startPeople(t)
    await assert.rejects(accounts.create({ username, password }), (error: Error) => {
      assert.equal((error as { code?: string }).code, 'invalid')
      assert.match(error.message, says)
      return true
    })
    assert.equal(state.data.users.length, 0)
  })
}

test('a password of twelve characters and a name of 255 bytes are accepted', async (t) => {
  const { accounts } = await startPeople(t)
  await accounts.create({ username: 'n'.repeat(255), password: '123456789012' })
  await accounts.create({ username: 'ann', password: '😀'.repeat(12) })
})

test('a name is given once, also when two users are created at once', async (t) => {
  const { accounts } = await startPeople(t)
  const results = await Promise.allSettled([1, 2, 3].map(() => accounts.create({ username: 'ann', password: goodPassword })))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'conflict')
  await assert.rejects(accounts.create({ username: 'ann', password: goodPassword }), { code: 'conflict' })
  await accounts.create({ username: 'Anna', password: goodPassword })
})

const spellings: readonly (readonly [what: string, one: string, other: string])[] = [
  ['another case', 'ana', 'Ana'],
  ['another Unicode form', 'J\u00fcrgen', 'Ju\u0308rgen'],
  ['both', 'j\u00fcrgen', 'JU\u0308RGEN'],
  ['an invisible character', 'admin', 'ad\u200bmin'],
  ['another space', 'ann smith', 'Ann\u00a0Smith'],
  ['more spaces', 'ann smith', 'ann \t smith'],
  ['wide letters', 'ann', '\uff41\uff4e\uff4e'],
  ['the sharp s as capitals', 'stra\u00dfe', 'STRASSE'],
]

for (const [what, one, other] of spellings) {
  test(`a name in ${what} is taken, for a new user and for one who is renamed`, async (t) => {
    const { accounts, state } = await startPeople(t)
    const { id } = await accounts.create({ username: one, password: goodPassword })
    const { id: second } = await accounts.create({ username: 'somebody', password: goodPassword })
    await assert.rejects(accounts.create({ username: other, password: goodPassword }), { code: 'conflict' })
    await assert.rejects(accounts.change(second, { username: other }), { code: 'conflict' })
    await accounts.change(id, { username: other })
    assert.equal(userIn(state, other)?.id, id)
  })
}

test('a state that holds one name in two spellings opens, and both users can be changed', async (t) => {
  const { accounts, state, clock } = await startPeople(t)
  const { id } = await accounts.create({ username: 'ana', password: goodPassword })
  const { id: second } = await accounts.create({ username: 'other', password: goodPassword })
  await state.change('other', (draft) => {
    draft.users = draft.users.map((user) => (user.id === second ? { ...user, username: 'Ana' } : user))
  })
  await state.close()
  const later = await startPeople(t, { file: state.file, clock })
  assert.deepEqual([userIn(later.state, 'ana')?.id, userIn(later.state, 'Ana')?.id], [id, second])
  await later.accounts.change(id, { locale: 'de', username: 'ana' })
  await later.accounts.change(second, { locale: 'fr' })
  assert.equal((await later.signIn.login({ username: 'Ana', password: goodPassword, address: '' })).maxAge > 0, true)
})

test('ids are never used twice, across a restart too', async (t) => {
  const { accounts, state, clock } = await startPeople(t)
  const one = await accounts.create({ username: 'one', password: goodPassword })
  await accounts.remove(one.id)
  await state.close()
  const later = await startPeople(t, { file: state.file, clock })
  const two = await later.accounts.create({ username: 'one', password: goodPassword })
  assert.notEqual(two.id, one.id)
})

test('an administrator has every permission, and the last one stays', async (t) => {
  const { accounts } = await startPeople(t)
  const admin = await accounts.create({ username: 'a', password: goodPassword, perm: { ...noPermissions, admin: true } })
  assert.deepEqual(admin.perm, allPermissions)
  await accounts.create({ username: 'ann', password: goodPassword })
  await assert.rejects(accounts.remove(admin.id), { code: 'forbidden' })
  const other = await accounts.create({ username: 'b', password: goodPassword, perm: allPermissions })
  await accounts.remove(admin.id)
  await assert.rejects(accounts.remove(other.id), { code: 'forbidden' })
})

test('of two administrators that are removed at once one stays', async (t) => {
  const { accounts, state } = await startPeople(t)
  const users = [
    await accounts.create({ username: 'a', password: goodPassword, perm: allPermissions }),
    await accounts.create({ username: 'b', password: goodPassword, perm: allPermissions }),
  ]
  await Promise.allSettled(users.map(({ id }) => accounts.remove(id)))
  assert.equal(state.data.users.length, 1)
})

test('no change removes the last administrator', async (t) => {
  const { accounts, state } = await startPeople(t)
  const { id } = await accounts.create({ username: 'a', password: goodPassword, perm: allPermissions })
  const demote = (user: { perm: Permissions }) => {
    user.perm = { ...user.perm, admin: false }
  }
  await assert.rejects(changeUser({ accounts, state }, id, demote), {
    code: 'forbidden',
    message: 'one administrator must remain',
  })
  assert.deepEqual(userIn(state, id)?.perm, allPermissions)
  const other = await accounts.create({ username: 'b', password: goodPassword, perm: allPermissions })
  const results = await Promise.allSettled([
    changeUser({ accounts, state }, id, demote),
    changeUser({ accounts, state }, other.id, demote),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  assert.equal((await state.firstAdministrator())?.id, other.id)
})

test('a user who becomes an administrator gets every permission', async (t) => {
  const { accounts, state } = await startPeople(t)
  const { id } = await accounts.create({ username: 'a', password: goodPassword, perm: noPermissions })
  await changeUser({ accounts, state }, id, (user) => {
    user.perm = { ...user.perm, admin: true }
  })
  assert.deepEqual(userIn(state, id)?.perm, allPermissions)
})

test('a missing user cannot be changed', async (t) => {
  const { accounts } = await startPeople(t)
  await assert.rejects(accounts.changePassword(9, goodPassword), { code: 'notFound' })
  await assert.rejects(accounts.signOutEverywhere(9), { code: 'notFound' })
  await assert.rejects(accounts.remove(9), { code: 'notFound' })
  await assert.rejects(accounts.change(9, {}), { code: 'notFound' })
})

test('a changed password applies at once, a short one changes nothing', async (t) => {
  const { accounts, passwords, state } = await startPeople(t)
  const { id } = await accounts.create({ username: 'ann', password: goodPassword })
  await assert.rejects(accounts.changePassword(id, 'short'), { code: 'invalid' })
  assert.equal(await passwords.verify(goodPassword, userIn(state, id)?.password), true)
  await accounts.changePassword(id, 'another long password')
  assert.equal(await passwords.verify(goodPassword, userIn(state, id)?.password), false)
  assert.equal(await passwords.verify('another long password', userIn(state, id)?.password), true)
})

type FirstOptions = { isTerminal?: boolean; given?: () => GivenPassword | undefined; name?: string }

async function startFirst(t: TestContext, { isTerminal = true, given = () => undefined, name }: FirstOptions = {}) {
  const people = await startPeople(t)
  const named = name === undefined ? undefined : { value: name, from: 'FB_USERNAME' }
  const ensure = () => ensureAdministrator({ ...people, given, isTerminal, name: named })
  return { ...people, ensure }
}

test('the first administrator gets a random password, shown once on a terminal', async (t) => {
  const { ensure, signIn, state } = await startFirst(t)
  const first = await ensure()
  assert.ok(first !== undefined && 'password' in first)
  assert.equal(first.username, 'admin')
  assert.match(first.password, /^[a-zA-Z2-9]{20}$/)
  assert.deepEqual(userIn(state, 'admin')?.perm, allPermissions)
  await signIn.login({ username: 'admin', password: first.password, address: '' })
  assert.ok(!existsSync(state.firstPassword.path))
  assert.equal(await ensure(), undefined)
  assert.equal(state.data.users.length, 1)
})

test('the first administrator may have another name, and a password by its hash of bcrypt', async (t) => {
  const hash = await bcrypt.hash('a password of before', 4)
  const { ensure, signIn, state } = await startFirst(t, { name: 'root', given: () => ({ hash, option: 'FB_PASSWORD' }) })
  assert.deepEqual(await ensure(), { username: 'root', option: 'FB_PASSWORD' })
  assert.deepEqual(userIn(state, 'root')?.perm, allPermissions)
  await signIn.login({ username: 'root', password: 'a password of before', address: '' })
  assert.equal((await (await startFirst(t, { name: 'root' })).ensure())?.username, 'root')
})

test('no other text, no hash of "admin" and no bad name make the first administrator', async (t) => {
  const cases = [
    { given: 'a plain text', says: /^StartupError: FB_PASSWORD cannot be used: it takes a hash of bcrypt/ },
    { given: `$2a$15$${'a'.repeat(53)}`, says: /FB_PASSWORD cannot be used: .* of a cost from 4 to 14/ },
    { given: await bcrypt.hash('admin', 4), says: /FB_PASSWORD cannot be used: it is the hash of "admin"/ },
    { name: ' root', given: await bcrypt.hash('another', 4), says: /^StartupError: FB_USERNAME cannot be used: .*space/ },
  ]
  for (const { given: hash, name = 'admin', says } of cases) {
    const { ensure, state } = await startFirst(t, { name, given: () => ({ hash, option: 'FB_PASSWORD' }) })
    await assert.rejects(ensure(), (error) => says.test(String(error)) && !String(error).includes(hash))
    assert.equal(state.data.users.length, 0)
  }
})

test('two servers give different passwords', async (t) => {
  const [one, other] = [await (await startFirst(t)).ensure(), await (await startFirst(t)).ensure()]
  assert.ok(one && other && 'password' in one && 'password' in other)
  assert.notEqual(one.password, other.password)
})

test('without a terminal it is in a file for the owner alone, until it is changed', async (t) => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const { ensure, signIn, accounts, state } = await startFirst(t, { isTerminal: false })
  assert.deepEqual(await ensure(), { username: 'admin', file: `${state.file}.admin-password` })
  const file = `${state.file}.admin-password`
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const password = readFileSync(file, 'utf8').trimEnd()
  await signIn.login({ username: 'admin', password, address: '' })
  const ann = await accounts.create({ username: 'ann', password: goodPassword })
  await accounts.changePassword(ann.id, 'another long password')
  assert.ok(existsSync(file), "somebody else's password is not the first one")
  await accounts.changePassword(userIn(state, 'admin')?.id ?? 0, 'another long password')
  assert.ok(!existsSync(file))
})

test('a chosen password is used, and neither shown nor stored', async (t) => {
  const given = () => ({ password: goodPassword, option: 'HOLDALL_ADMIN_PASSWORD' })
  const { ensure, signIn, state } = await startFirst(t, { isTerminal: false, given })
  assert.deepEqual(await ensure(), { username: 'admin', option: 'HOLDALL_ADMIN_PASSWORD' })
  await signIn.login({ username: 'admin', password: goodPassword, address: '' })
  assert.ok(!existsSync(state.firstPassword.path))
})

test('a chosen password that is too short gives a message that names the option, and creates no user', async (t) => {
  const given = () => ({ password: 'admin', option: '--admin-password-file /run/secret' })
  const { ensure, state } = await startFirst(t, { given })
  await assert.rejects(ensure(), (error: Error) => {
    assert.ok(error instanceof StartupError)
    assert.equal(
      error.message,
      '--admin-password-file /run/secret cannot be used: the password must have at least 12 characters.',
    )
    return true
  })
  assert.equal(state.data.users.length, 0)
})

test('when a user exists the chosen password is not read', async (t) => {
  const { ensure, accounts, state } = await startFirst(t, { given: () => assert.fail() })
  await accounts.create({ username: 'ann', password: goodPassword })
  assert.equal(await ensure(), undefined)
  assert.equal(userIn(state, 'admin'), undefined)
})
