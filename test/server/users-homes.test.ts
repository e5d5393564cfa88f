// The home folders of new users, and what they begin with.
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Settings } from '../../src-server/contract/settings.ts'
import { password, startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const app = await startApp(
  { after },
  { files: { 'a.txt': 'a', 'b/c.txt': 'c' }, users: { root: { perm: allPermissions }, ann: {} } },
)
const root = await app.as('root')
const stored = (name: string) => userIn(app.parts.state, name)

const create = (data: object, more: object = {}) =>
  root.ask('POST', '/api/users', { body: JSON.stringify({ what: 'user', which: [], data, ...more }) })
async function set(settings: object) {
  const answer = await root.ask('PUT', '/api/settings', { body: JSON.stringify(settings) })
  assert.equal(answer.status, 200, await answer.text())
}

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

test('a new user begins with the defaults of the settings', async () => {
  const { defaults } = (await (await root.ask('GET', '/api/settings')).json()) as Settings
  await set({ defaults: { ...defaults, scope: '/b', locale: 'de', viewMode: 'list' } })
  assert.equal((await create({ username: 'usual', password })).status, 201)
  assert.equal((await create({ username: 'french', password, locale: 'fr', scope: '/a' })).status, 201)
  assert.deepEqual([stored('usual')?.scope, stored('usual')?.locale, stored('usual')?.viewMode], ['/b', 'de', 'list'])
  assert.deepEqual([stored('french')?.scope, stored('french')?.locale, stored('french')?.viewMode], ['/a', 'fr', 'list'])
})

test('the empty field passsword, so spelled, that the page of other servers sends besides is ignored', async () => {
  assert.equal((await create({ username: 'misspelled', password, passsword: '' })).status, 201)
})

test('when the name of a changed user is taken, the password stays too', async () => {
  await create({ username: 'both', password })
  const data = { id: stored('both')?.id, username: 'ann', password: 'another long password' }
  const body = JSON.stringify({ what: 'user', which: ['username', 'password'], data })
  assert.equal((await root.ask('PUT', `/api/users/${data.id}`, { body })).status, 409)
  const credentials = JSON.stringify({ username: 'both', password })
  assert.equal((await app.principal().ask('POST', '/api/login', { body: credentials })).status, 200)
})
