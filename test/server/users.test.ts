// Users as administrators see and change them, and new passwords: /api/users.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { deny, password, startApp, usual } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const app = await startApp(
  { after },
  {
    files: { 'a.txt': 'a', 'ann/b.txt': 'b' },
    users: {
      root: { perm: allPermissions },
      second: { perm: allPermissions },
      ann: {},
      ben: { scope: '/ann' },
      gone: {},
      eve: {},
    },
  },
)
const idOf = (name: string) => userIn(app.parts.state, name)?.id ?? 0
const stored = (name: string) => userIn(app.parts.state, name)

async function ask(who: string, method: string, address: string, body?: unknown) {
  const answer = await (await app.as(who)).ask(method, address, body === undefined ? {} : { body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

const put = (who: string, name: string, which: readonly string[], data: object, more = {}) =>
  ask(who, 'PUT', `/api/users/${idOf(name)}`, { what: 'user', which, data: { id: idOf(name), ...data }, ...more })
const post = (data: unknown, who = 'root') => ask(who, 'POST', '/api/users', { what: 'user', which: [], data })
const canSignIn = async (username: string, secret: string) =>
  (await app.principal().ask('POST', '/api/login', { body: JSON.stringify({ username, password: secret }) })).status === 200

test('a field of a user that this version does not know leaves in no answer', async () => {
  await app.parts.state.change('other', (draft) => {
    draft.users = draft.users.map((user) => ({ ...user, laterSecret: 'kept', perm: { ...user.perm, laterRight: 'kept' } }))
  })
  for (const address of ['/api/users', `/api/users/${idOf('ann')}`])
    assert.doesNotMatch((await ask('root', 'GET', address)).text, /later/)
  assert.equal(JSON.stringify(stored('ann')).includes('laterSecret'), true)
})

test('administrators list all users by id, without a password', async () => {
  const { status, text } = await ask('root', 'GET', '/api/users')
  const users = JSON.parse(text) as { id: number; username: string; password: string }[]
  assert.equal(status, 200)
  assert.deepEqual(
    users.map(({ id }) => id),
    app.parts.state.data.users.map(({ id }) => id),
  )
  assert.deepEqual(new Set(users.map((user) => user.password)), new Set(['']))
  assert.doesNotMatch(text, /argon2/)
})

test('one reads their own record without its scope; administrators read every one', async () => {
  const own = JSON.parse((await ask('ben', 'GET', `/api/users/${idOf('ben')}`)).text)
  assert.deepEqual([own.username, own.scope, own.password], ['ben', '', ''])
  assert.equal(JSON.parse((await ask('root', 'GET', `/api/users/${idOf('ben')}`)).text).scope, '/ann')
  assert.equal((await ask('ann', 'GET', `/api/users/${idOf('ben')}`)).status, 403)
  assert.equal((await ask('root', 'GET', '/api/users/9999')).status, 404)
})

test('a new user is 201 with the address of the page, and can sign in', async () => {
  const rules = [{ allow: false, path: '/private', regex: false, regexp: { raw: '' } }]
  const made = await post({ username: 'new', password, scope: './ann', perm: { ...usual, share: false }, commands: [''], rules })
  assert.deepEqual([made.status, made.headers.get('location')], [201, `/settings/users/${idOf('new')}`])
  const { scope, perm, commands, rules: kept } = stored('new') ?? {}
  assert.deepEqual([scope, perm?.share, commands, kept], ['/ann', false, [], rules])
  assert.equal(await canSignIn('new', password), true)
})

const expression = { allow: false, path: '', regex: true, regexp: { raw: 'x' } }
const refused: [string, number, RegExp, unknown][] = [
  ['a name that is taken', 409, /taken/, { username: 'ann', password }],
  ['no name', 400, /username/, { password }],
  ['no password', 400, /password/, { username: 'x' }],
  ['a short password', 400, /password must have at least 12/, { username: 'x', password: 'short' }],
  ['an unknown field', 400, /"colour" is no field/, { username: 'x', password, colour: 'red' }],
  ['a permission that is no boolean', 400, /perm has/, { username: 'x', password, perm: { ...usual, admin: 'yes' } }],
  ['a scope above the root', 400, /scope/, { username: 'x', password, scope: '../up' }],
  [
    'an expression that does not compile',
    400,
    /rules has "\(key\|pem\$"/,
    { username: 'x', password, rules: [{ allow: false, path: '', regex: true, regexp: { raw: '(key|pem$' } }] },
  ],
  ['1,001 path rules', 400, /rules has at most 1000 paths/, { username: 'x', password, rules: Array(1001).fill(deny('/x')) }],
  ['101 expressions', 400, /rules has at most 100 expressions/, { username: 'x', password, rules: Array(101).fill(expression) }],
]

for (const [what, status, sentence, data] of refused) {
  test(`a new user with ${what}: ${status}, and nobody is made`, async () => {
    const before = app.parts.state.data.users.length
    const answer = await post(data)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text, sentence)
    assert.equal(app.parts.state.data.users.length, before)
  })
}

test('names of prototypes are unknown fields', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const body = `{"what":"user","which":["${name}"],"data":{"id":${idOf('ann')},"${name}":{"admin":true}}}`
    await (await app.as('root')).ask('PUT', `/api/users/${idOf('ann')}`, { body })
    const made = await (await app.as('root')).ask('POST', '/api/users', {
      body: `{"what":"user","which":[],"data":{"username":"p","password":"${password}","${name}":{"admin":true}}}`,
    })
    assert.equal(made.status, 400, name)
  }
  assert.equal(stored('ann')?.perm.admin, false)
})

test('an administrator changes a whole record or single fields, and an empty password keeps the old one', async () => {
  const hash = stored('eve')?.password
  assert.equal(
    (await put('root', 'eve', ['all'], { username: 'eva', password: '', scope: 'ann', lockPassword: true })).status,
    200,
  )
  const { scope, lockPassword, password: kept } = stored('eva') ?? {}
  assert.deepEqual([scope, lockPassword, kept], ['/ann', true, hash])
  assert.equal((await put('root', 'eva', ['username'], { username: 'eve', scope: '/' })).status, 200)
  assert.equal(stored('eve')?.scope, '/ann')
  assert.equal((await put('root', 'eve', ['username'], { username: 'ann' })).status, 409)
})

test('an administrator has every permission and no locked password', async () => {
  await put('root', 'second', ['perm', 'lockPassword'], { perm: { ...usual, admin: true, execute: false }, lockPassword: true })
  assert.deepEqual([stored('second')?.perm, stored('second')?.lockPassword], [allPermissions, false])
})

test('nobody raises their own rights, and nobody changes the record of somebody else', async () => {
  for (const field of ['perm', 'scope', 'rules', 'commands', 'lockPassword', 'username', 'Perm']) {
    const { status } = await put('ann', 'ann', [field], {
      perm: allPermissions,
      scope: '/',
      rules: [],
      commands: [],
      username: 'x',
    })
    assert.ok(status === 400 || status === 403, `${field}: ${status}`)
  }
  assert.equal((await put('ann', 'ben', ['locale'], { locale: 'de' })).status, 403)
  assert.deepEqual([stored('ann')?.perm.admin, stored('ann')?.username], [false, 'ann'])
})

test('a new password of one’s own keeps this session and ends the others', async () => {
  const [here, elsewhere] = [await app.as('ann'), await app.as('ann')]
  const secret = 'another long password'
  const body = (more: object) =>
    JSON.stringify({ what: 'user', which: ['password'], data: { id: idOf('ann'), password: secret }, ...more })
  const wrong = await here.ask('PUT', `/api/users/${idOf('ann')}`, { body: body({ current_password: 'not it' }) })
  assert.deepEqual([wrong.status, /current_password is wrong/.test(await wrong.text())], [400, true])
  assert.equal((await here.ask('PUT', `/api/users/${idOf('ann')}`, { body: body({}) })).status, 200)
  assert.equal((await here.get('/')).status, 200)
  assert.equal((await elsewhere.get('/')).status, 401)
  assert.equal(await canSignIn('ann', secret), true)
})

test('a locked password is changed by administrators alone', async () => {
  await put('root', 'ben', ['lockPassword'], { lockPassword: true })
  assert.equal((await put('ben', 'ben', ['password'], { password: 'another long password' })).status, 403)
  assert.equal((await put('root', 'ben', ['password'], { password: 'another long password' })).status, 200)
  assert.equal(await canSignIn('ben', 'another long password'), true)
})

test('deleting a user ends the sessions; nobody deletes themselves', async () => {
  const principal = await app.as('gone')
  assert.equal((await ask('root', 'DELETE', `/api/users/${idOf('gone')}`)).status, 200)
  assert.equal((await principal.get('/')).status, 401)
  assert.equal((await ask('root', 'DELETE', '/api/users/9999')).status, 404)
  const own = await ask('root', 'DELETE', `/api/users/${idOf('root')}`)
  assert.deepEqual([own.status, /nobody deletes themselves/.test(own.text)], [403, true])
})

test('the last administrator stays one', async () => {
  for (const { id, perm, username } of app.parts.state.data.users) {
    if (perm.admin && username !== 'root') await put('root', username, ['perm'], { id, perm: usual })
  }
  assert.equal((await put('root', 'root', ['perm'], { perm: usual })).status, 403)
  assert.equal(stored('root')?.perm.admin, true)
})

test('deleting a user ends the links and keeps the files', async () => {
  await post({ username: 'sharer', password, perm: usual })
  await post({ username: 'other sharer', password, perm: usual })
  for (const name of ['sharer', 'other sharer']) {
    const made = await (await app.as(name)).ask('POST', '/api/share/a.txt', { body: '{}' })
    assert.equal(made.status, 200, await made.text())
  }
  assert.equal((await ask('root', 'DELETE', `/api/users/${idOf('sharer')}`)).status, 200)
  const owners = app.parts.state.data.links?.map(({ userId }) => userId)
  assert.deepEqual(owners, [idOf('other sharer')])
  assert.equal((await (await app.as('root')).get('/a.txt')).status, 200)
})

test('there are at most 1,000 users', async () => {
  const before = app.parts.state.data.users
  const [ann] = before.filter(({ username }) => username === 'ann')
  assert.ok(ann)
  const more = Array.from({ length: 999 - before.length }, (_, index) => {
    return { ...ann, id: ann.id + 1000 + index, username: `many ${index}` }
  })
  await app.parts.state.change('other', (draft) => {
    draft.users = [...draft.users, ...more]
    draft.lastUserId = 5000
  })
  assert.equal((await post({ username: 'the last', password })).status, 201)
  const refusal = await post({ username: 'one more', password })
  assert.deepEqual([refusal.status, /at most 1000 users/.test(refusal.text)], [409, true], refusal.text)
  await app.parts.state.change('other', (draft) => {
    draft.users = before
  })
})
