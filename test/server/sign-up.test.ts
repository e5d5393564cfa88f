// Accounts that people make for themselves: POST /api/signup.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Endpoint } from '../../src-server/contract/endpoint.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import type { ShownSettings } from '../../src-server/contract/settings.ts'
import type { StoredSettings } from '../../src-server/state/state-data.ts'
import { type AppSetup, password, startApp, type TestApp, usual } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const homes = { signup: true, createUserDir: true }

async function start(t: TestContext, settings: Partial<StoredSettings>, setup: AppSetup = {}): Promise<TestApp> {
  const app = await startApp(t, { users: { root: { perm: allPermissions } }, ...setup })
  await set(app, settings)
  return app
}

const set = (app: TestApp, settings: Partial<StoredSettings>) =>
  app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, ...settings }
  })

async function signUp(app: TestApp, body: object, headers: Record<string, string> = {}) {
  const answer = await app.principal().ask('POST', '/api/signup', { body: JSON.stringify(body), headers })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

const stored = (app: TestApp, name: string) => userIn(app.parts.state, name)
const everything = { scope: '/', locale: 'de', viewMode: 'list', sorting: { by: 'size', asc: false } } as const

const pageOf = async ({ url }: TestApp) => /"Signup":(true|false)/.exec(await (await fetch(url)).text())?.[1]

async function obstacleOf(app: TestApp) {
  const answer = await (await app.as('root')).ask('GET', '/api/settings', { headers: { 'X-User': 'root' } })
  return ((await answer.json()) as ShownSettings).signupObstacle
}

test('while sign-up is off it is 405, and with noauth or a proxy too', async (t) => {
  const off = await start(t, { signup: false, createUserDir: true })
  assert.equal((await signUp(off, { username: 'new', password })).status, 405)
  assert.deepEqual([await pageOf(off), await obstacleOf(off)], ['false', undefined])
  const proxy = { authMethod: 'proxy', authHeader: 'x-user', trustedProxies: ['127.0.0.1'] } as const
  for (const options of [{ authMethod: 'noauth' }, proxy] as const) {
    const app = await start(t, homes, { options })
    assert.equal((await signUp(app, { username: 'new', password })).status, 405)
    assert.deepEqual([await pageOf(app), await obstacleOf(app)], ['false', 'method'])
  }
})

test('whoever signs up has an account with a home folder of their own, and signs in', async (t) => {
  const app = await start(t, homes)
  const { status, text } = await signUp(app, { username: 'ann', password })
  assert.deepEqual([status, text], [200, '200 OK\n'])
  const ann = stored(app, 'ann')
  assert.deepEqual([ann?.scope, ann?.perm, ann?.lockPassword], ['/users/ann', { ...usual, execute: false }, false])
  assert.ok(statSync(join(app.root, 'users/ann')).isDirectory())
  const signIn = await app.principal().ask('POST', '/api/login', { body: JSON.stringify({ username: 'ann', password }) })
  assert.equal(signIn.status, 200)
  assert.match(await (await fetch(app.url)).text(), /"Signup":true/)
})

test('never administrator, execute or commands, whatever the defaults and the body say', async (t) => {
  const defaults = { ...everything, perm: allPermissions, commands: ['sh'] }
  const app = await start(t, { ...homes, defaults })
  const wishes = { perm: allPermissions, scope: '/', commands: ['sh'], rules: [], id: 1, lockPassword: true }
  assert.equal((await signUp(app, { username: 'ann', password, ...wishes })).status, 200)
  const ann = stored(app, 'ann')
  assert.deepEqual(ann?.perm, { ...allPermissions, admin: false, execute: false })
  assert.deepEqual([ann?.commands, ann?.scope, ann?.locale, ann?.viewMode], [[], '/users/ann', 'de', 'list'])
  assert.equal(stored(app, 'root')?.perm.admin, true)
})

test('sign-up is refused while it would give the whole root, and allowed with a scope for new users', async (t) => {
  const app = await start(t, { signup: true, createUserDir: false }, { files: { 'common/a.txt': 'a' } })
  const refused = await signUp(app, { username: 'ann', password })
  assert.deepEqual([refused.status, stored(app, 'ann')], [403, undefined])
  assert.match(refused.text, /home folders, or a scope/)
  assert.deepEqual([await pageOf(app), await obstacleOf(app)], ['false', undefined])
  await set(app, { defaults: { ...everything, scope: '/./', perm: usual, commands: [] } })
  assert.equal((await signUp(app, { username: 'ann', password })).status, 403)
  await set(app, { defaults: { ...everything, scope: '/common', perm: usual, commands: [] } })
  assert.equal((await signUp(app, { username: 'ann', password })).status, 200)
  assert.equal(stored(app, 'ann')?.scope, '/common')
  assert.equal(await pageOf(app), 'true')
})

test('while there is no room for more accounts the page offers no sign-up, and the settings say so', async (t) => {
  const app = await start(t, homes)
  assert.deepEqual([await pageOf(app), await obstacleOf(app)], ['true', undefined])
  await app.parts.state.change('other', (draft) => {
    const [root = assert.fail()] = draft.users
    draft.users = [root, ...Array.from({ length: 899 }, (_, index) => ({ ...root, id: index + 2, username: `user-${index}` }))]
  })
  assert.deepEqual([await pageOf(app), await obstacleOf(app)], ['false', 'room'])
  const { status, text } = await signUp(app, { username: 'ann', password })
  assert.deepEqual([status, text], [403, '403 Forbidden (there is no room for more accounts)\n'])
})

const invalid: readonly (readonly [what: string, body: object, sentence: RegExp])[] = [
  ['no name', { password }, /needs a name/],
  ['no password', { username: 'new' }, /at least 12 characters/],
  ['a short password', { username: 'new', password: 'short' }, /at least 12 characters/],
  ['a list for a name', { username: ['new'], password }, /./],
  ['a name of which no folder can be made', { username: '猫', password }, /no home folder/],
  ['the name of the folder above', { username: '..', password }, /more than dots/],
  ['a slash', { username: 'a/b', password }, /slash/],
  ['a backslash', { username: 'a\\b', password }, /slash/],
  ['a Cyrillic letter among Latin ones', { username: 'r\u043eot', password }, /one script/],
  ['a Greek letter among Latin ones', { username: 'r\u03bfot', password }, /one script/],
  ['two scripts that are not written together', { username: '\u0430\u0561', password }, /one script/],
  ['a script that nobody writes today', { username: '\u{10900}\u{10901}', password }, /one script/],
  ['an invisible character', { username: 'ad\u200bmin', password }, /invisible/],
  ['a direction mark', { username: 'ann\u202e', password }, /invisible/],
  ['a line break', { username: 'a\nb', password }, /invisible/],
  ['a space around it', { username: ' root', password }, /space/],
]

test('an account that is not valid is refused by name of the field, and does not count', async (t) => {
  const app = await start(t, homes)
  for (const [what, body, sentence] of invalid) {
    const { status, text } = await signUp(app, body)
    assert.deepEqual([status, sentence.test(text)], [400, true], `${what}: ${text}`)
  }
  assert.equal(app.parts.state.data.users.length, 1)
  assert.equal(existsSync(join(app.root, 'users')), false)
  assert.equal((await signUp(app, { username: 'ann', password })).status, 200)
})

test('names in the scripts that people write are taken, also those that are written together', async (t) => {
  const scope = { defaults: { ...everything, scope: '/common', perm: usual, commands: [] } }
  const app = await start(
    t,
    { signup: true, ...scope },
    { files: { 'common/a.txt': 'a' }, options: { trustedProxies: ['127.0.0.1'] } },
  )
  const names = [
    ...['zo\u00eb', 'chloe\u0308', 'Никита', 'Ελένη', 'محمد', 'דוד', 'สมชาย', 'नेहा', '김민준 kim', '山田たろう', 'タロー 3'],
    ...['ann@example.org', 'O’Neil-Smith', 'user_1 🎈'],
  ]
  for (const [index, username] of names.entries()) {
    const { status, text } = await signUp(app, { username, password }, { 'X-Forwarded-For': `192.0.2.${index}` })
    assert.equal(status, 200, `${username}: ${text}`)
  }
})

test('a name that is taken in another spelling is 409, and so is one whose home folder another has', async (t) => {
  const app = await start(t, homes)
  assert.equal((await signUp(app, { username: 'a b', password })).status, 200)
  for (const username of ['A B', 'a-b', 'ROOT']) assert.equal((await signUp(app, { username, password })).status, 409, username)
})

test('a folder that is there already is nobody’s home, and stays as it is', async (t) => {
  const app = await start(t, homes)
  mkdirSync(join(app.root, 'users/ann'), { recursive: true })
  writeFileSync(join(app.root, 'users/ann/diary.txt'), 'of somebody who was deleted')
  assert.equal((await signUp(app, { username: 'ann', password })).status, 409)
  assert.equal(stored(app, 'ann'), undefined)
  assert.deepEqual(readdirSync(join(app.root, 'users/ann')), ['diary.txt'])
})

test('when the record cannot be stored the new home folder is removed again', async (t) => {
  const app = await start(t, homes)
  const { state } = app.parts
  const run = state.run.bind(state)
  const refuse: typeof run = (name, ...given) =>
    name === 'addUser' ? Promise.reject(new Error('the disk is full')) : run(name, ...given)
  t.mock.method(state, 'run', refuse)
  assert.equal((await signUp(app, { username: 'ann', password })).status, 500)
  assert.equal(existsSync(join(app.root, 'users/ann')), false)
})

test('of fifty at once with one name, one is made', async (t) => {
  const app = await start(t, homes, { options: { trustedProxies: ['127.0.0.1'] } })
  const names = ['ann', 'Ann', 'ANN', 'anN', 'aNn']
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      signUp(app, { username: names[index % names.length], password }, { 'X-Forwarded-For': `192.0.2.${index}` }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status }) => [200, 409, 503].includes(status)))
  assert.equal(app.parts.state.data.users.length, 2)
  assert.equal(readdirSync(join(app.root, 'users')).length, 1)
})

test('an address has five an hour, also an IPv6 network, and others have theirs', async (t) => {
  const app = await start(t, homes, { options: { trustedProxies: ['127.0.0.1'] } })
  const from = (index: number, address: string) =>
    signUp(app, { username: `user ${index}`, password }, { 'X-Forwarded-For': address })
  for (let index = 0; index < 5; index++) assert.equal((await from(index, `2001:db8:0:1::${index}`)).status, 200)
  const sixth = await from(6, '2001:db8:0:1::99')
  assert.deepEqual([sixth.status, sixth.headers.get('retry-after'), stored(app, 'user 6')], [429, '3600', undefined])
  assert.equal((await from(7, '2001:db8:0:2::1')).status, 200)
  app.clock.advance({ minutes: 60 })
  assert.equal((await from(6, '2001:db8:0:1::99')).status, 200)
})

test('behind a proxy that is not named, where all have one address, there are fifty an hour', async (t) => {
  const app = await start(t, homes)
  const again = (index: number) => signUp(app, { username: `user ${index}`, password })
  for (let index = 0; index < 5; index++) assert.equal((await again(index)).status, 200)
  // A name that is taken counts as well: names can be found out by asking for them.
  for (let index = 5; index < 50; index++) assert.equal((await again(0)).status, 409)
  assert.equal((await again(6)).status, 429)
  app.clock.advance({ minutes: 60 })
  assert.equal((await again(6)).status, 200)
})

test('an account that somebody made is refused everything that administrators do', async (t) => {
  const app = await start(t, { ...homes, defaults: { ...everything, perm: allPermissions, commands: ['sh'] } })
  assert.equal((await signUp(app, { username: 'ann', password })).status, 200)
  const ann = await app.as('ann')
  const calls = Object.entries(endpoints as Record<string, Endpoint>).filter(([, { access }]) => access === 'admin')
  assert.ok(calls.length >= 7)
  for (const [name] of calls) {
    const [method = '', address = ''] = name.split(' ')
    assert.equal((await ann.ask(method, address.replace(':id', '1'), method === 'GET' ? {} : { body: '{}' })).status, 403, name)
  }
  assert.deepEqual(
    app.events.filter((event) => event.startsWith('user')),
    ['user'],
  )
})
