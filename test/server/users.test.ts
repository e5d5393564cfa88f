// What administrators do with users: GET, POST, PUT and DELETE /api/users.
import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { User } from '../../src-server/contract/users.ts'
import { deny, only, password, startApp, usual } from '../support/start-app.ts'

const app = await startApp(
  { after },
  { files: { 'a.txt': 'a', 'b/c.txt': 'c' }, users: { root: { perm: allPermissions }, ann: {} } },
)
const root = await app.as('root')
const stored = (name: string) => app.parts.accounts.byName(name)
const idOf = (name: string) => stored(name)?.id ?? 0

const create = (data: object, more: object = {}) =>
  root.ask('POST', '/api/users', { body: JSON.stringify({ what: 'user', which: [], data, ...more }) })
const change = (name: string, which: unknown, data: object, more: object = {}) => {
  const body = JSON.stringify({ what: 'user', which, data: { id: idOf(name), ...data }, ...more })
  return root.ask('PUT', `/api/users/${idOf(name)}`, { body })
}
const remove = (name: string, body = '') => root.ask('DELETE', `/api/users/${idOf(name)}`, { ...(body && { body }) })
const signsIn = async (username: string, word: string) =>
  (await app.principal().ask('POST', '/api/login', { body: JSON.stringify({ username, password: word }) })).status

async function set(settings: object) {
  const answer = await root.ask('PUT', '/api/settings', { body: JSON.stringify(settings) })
  assert.equal(answer.status, 200, await answer.text())
}

test('a new user gets the defaults, may sign in, and is listed without a password', async () => {
  const answer = await create({ username: 'new', password })
  const location = `/settings/users/${idOf('new')}`
  assert.deepEqual([answer.status, answer.headers.get('location'), await answer.text()], [201, location, '201 Created\n'])
  const users = (await (await root.ask('GET', '/api/users')).json()) as User[]
  assert.deepEqual(
    users.map(({ id }) => id),
    users.map(({ id }) => id).toSorted((one, other) => one - other),
  )
  assert.deepEqual(
    users.find(({ username }) => username === 'new'),
    {
      ...{ id: idOf('new'), username: 'new', password: '', scope: '/', locale: '', lockPassword: false, viewMode: 'mosaic' },
      ...{ sorting: { by: 'name', asc: true }, perm: usualOfNew, commands: [], rules: [] },
    },
  )
  assert.equal(await signsIn('new', password), 200)
})
const usualOfNew = { ...usual, execute: false }

test('users read themselves without their scope, and nobody else', async () => {
  await create({ username: 'scoped', password, scope: '/b' })
  const scoped = await app.as('scoped')
  const own = (await (await scoped.ask('GET', `/api/users/${idOf('scoped')}`)).json()) as User
  assert.deepEqual([own.username, own.scope, own.password], ['scoped', '', ''])
  assert.equal((await scoped.ask('GET', `/api/users/${idOf('root')}`)).status, 403)
  assert.equal(((await (await root.ask('GET', `/api/users/${idOf('scoped')}`)).json()) as User).scope, '/b')
  assert.equal((await root.ask('GET', '/api/users/9999')).status, 404)
})

const refused: [what: string, status: number, cause: RegExp, data: object][] = [
  ['no name', 400, /username is missing/, { password }],
  ['no password', 400, /password is missing/, { username: 'x' }],
  ['a short password', 400, /at least 12/, { username: 'x', password: 'short' }],
  ['a name that is taken', 409, /taken/, { username: 'ann', password }],
  ['a field that there is not', 400, /no field colour/, { username: 'x', password, colour: 'red' }],
  ['a field named as a method', 400, /no field constructor/, { username: 'x', password, constructor: {} }],
  ['a scope above the root', 400, /scope/, { username: 'x', password, scope: '/../etc' }],
  ['an unknown right', 400, /perm/, { username: 'x', password, perm: { ...usual, fly: true } }],
  ['half the rights', 400, /perm/, { username: 'x', password, perm: { admin: false } }],
  [
    'a rule that is no expression',
    400,
    /rules\.0/,
    { username: 'x', password, rules: [{ ...deny(''), regex: true, regexp: { raw: '(' } }] },
  ],
  ['an empty rule', 400, /rules\.0 is empty/, { username: 'x', password, rules: [deny('')] }],
  ['1,001 path rules', 400, /at most 1000 paths/, { username: 'x', password, rules: Array(1001).fill(deny('/a')) }],
  [
    '101 expressions',
    400,
    /at most 100 expressions/,
    { username: 'x', password, rules: Array(101).fill({ ...deny(''), regex: true, regexp: { raw: 'a' } }) },
  ],
]
for (const [what, status, cause, data] of refused) {
  test(`a new user with ${what} is refused: ${status}`, async () => {
    const answer = await create(data)
    assert.equal(answer.status, status)
    assert.match(await answer.text(), cause)
    assert.equal(stored('x'), undefined)
  })
}

test('a record with a prototype in it is refused', async () => {
  const body = `{"what":"user","which":[],"data":{"username":"x","password":"${password}","__proto__":{"perm":{}}}}`
  assert.equal((await root.ask('POST', '/api/users', { body })).status, 400)
  assert.equal(stored('x'), undefined)
})

test('an administrator changes a user in part or as a whole', async () => {
  await create({ username: 'part', password })
  assert.equal((await change('part', ['scope', 'rules'], { scope: 'b', rules: [deny('/x')], locale: 'de' })).status, 200)
  assert.deepEqual([stored('part')?.scope, stored('part')?.rules, stored('part')?.locale], ['/b', [deny('/x')], ''])
  const whole = {
    ...stored('part'),
    changedAt: undefined,
    password: '',
    locale: 'fr',
    commands: [' ls ', ''],
    perm: only(),
  }
  assert.equal((await change('part', ['all'], whole)).status, 200)
  assert.deepEqual([stored('part')?.locale, stored('part')?.commands, stored('part')?.perm.create], ['fr', ['ls'], false])
  assert.equal(await signsIn('part', password), 200, 'an empty password keeps the old one')
  assert.match(await (await change('part', ['colour'], { colour: 1 })).text(), /no field colour/)
  assert.equal((await change('part', ['username'], { username: 'ann' })).status, 409)
  assert.equal(
    (await root.ask('PUT', '/api/users/9999', { body: '{"what":"user","which":["locale"],"data":{"id":9999,"locale":"de"}}' }))
      .status,
    404,
  )
})

test('choosing administrator gives all permissions and unlocks the password', async () => {
  await create({ username: 'second', password })
  await change('second', ['lockPassword', 'perm'], { lockPassword: true, perm: { ...only(), admin: true } })
  assert.deepEqual([stored('second')?.perm, stored('second')?.lockPassword], [allPermissions, false])
  await remove('second')
})

test('the last administrator cannot be demoted, and nobody deletes themselves', async () => {
  const answer = await change('root', ['perm'], { perm: usual })
  assert.deepEqual([answer.status, /administrator/.test(await answer.text())], [403, true])
  assert.equal((await remove('root')).status, 403)
  assert.deepEqual(stored('root')?.perm, allPermissions)
})

test('a deleted user is signed out, and the files stay', async () => {
  await create({ username: 'leaving', password, scope: '/b' })
  const leaving = await app.as('leaving')
  assert.equal((await leaving.upload('/kept.txt', 'kept')).status, 200)
  assert.equal((await remove('leaving')).status, 200)
  assert.equal((await leaving.get('/')).status, 401)
  assert.ok(existsSync(join(app.root, 'b/kept.txt')))
  assert.equal((await root.ask('DELETE', '/api/users/9999')).status, 404)
})

test('a wrong current password is refused whenever it is sent', async () => {
  const wrong = { current_password: 'wrong' }
  for (const answer of [
    await create({ username: 'x', password }, wrong),
    await change('ann', ['locale'], { locale: 'de' }, wrong),
    await remove('ann', JSON.stringify(wrong)),
  ]) {
    assert.deepEqual([answer.status, /current password is incorrect/.test(await answer.text())], [400, true])
  }
  assert.deepEqual([stored('x'), stored('ann')?.locale], [undefined, ''])
  assert.equal((await change('ann', ['locale'], { locale: '' }, { current_password: password })).status, 200)
})

test('users change their password unless it is locked, and their other sessions end', async () => {
  await create({ username: 'own', password })
  const [one, other] = [await app.as('own'), await app.as('own')]
  const put = (word: string) => {
    const body = JSON.stringify({ what: 'user', which: ['password'], data: { id: idOf('own'), password: word } })
    return one.ask('PUT', `/api/users/${idOf('own')}`, { body })
  }
  assert.equal((await put('another long password')).status, 200)
  assert.deepEqual([(await one.get('/')).status, (await other.get('/')).status], [200, 401])
  assert.deepEqual([await signsIn('own', 'another long password'), await signsIn('own', password)], [200, 403])
  await change('own', ['lockPassword'], { lockPassword: true })
  const answer = await put('a third long password')
  assert.deepEqual([answer.status, /locked/.test(await answer.text())], [403, true])
})

test('with home folders a new user gets one of the cleaned name, and no two get the same', async () => {
  await set({ createUserDir: true })
  assert.equal((await create({ username: 'a/b c', password })).status, 201)
  assert.equal(stored('a/b c')?.scope, '/users/a-b-c')
  assert.ok(statSync(join(app.root, 'users/a-b-c')).isDirectory())
  for (const username of ['a-b-c', 'a b/c', 'A-B-C']) {
    const answer = await create({ username, password })
    assert.deepEqual([answer.status, stored(username)], [409, undefined])
  }
  assert.equal((await create({ username: '..', password })).status, 400)
  assert.equal((await create({ username: 'placed', password, scope: '/made/here' })).status, 201)
  assert.ok(statSync(join(app.root, 'made/here')).isDirectory())
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ username: 'many', password })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  await set({ createUserDir: false })
})

test('the sessions of a user are listed, and one or all others are ended', async () => {
  const [one, two, three] = [await app.as('ann'), await app.as('ann'), await app.as('ann')]
  const list = async () => (await (await one.ask('GET', '/api/sessions')).json()) as { id: string; current: boolean }[]
  const before = await list()
  assert.equal(before.filter(({ current }) => current).length, 1)
  assert.deepEqual(Object.keys(before[0] ?? {}).toSorted(), ['address', 'createdAt', 'current', 'id', 'usedAt', 'userAgent'])
  const sid = app.parts.signIn.identify(two.token)?.session.id ?? ''
  assert.equal((await root.ask('DELETE', `/api/sessions/${sid}`)).status, 404)
  assert.equal((await one.ask('DELETE', `/api/sessions/${sid}`)).status, 200)
  assert.deepEqual([(await two.get('/')).status, (await three.get('/')).status], [401, 200])
  assert.equal((await one.ask('DELETE', '/api/sessions')).status, 200)
  assert.deepEqual([(await one.get('/')).status, (await three.get('/')).status, (await list()).length], [200, 401, 1])
})
