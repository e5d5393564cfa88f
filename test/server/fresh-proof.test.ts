// What takes over an account needs a sign-in, or a right current_password, of the last 15 minutes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { AppSetup } from '../support/start-app.ts'
import { deny, password, startApp, usual } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const sentence = /\(this needs a sign-in, or the right current_password, within the last 15 minutes\)/
const other = 'another long and easy password'

async function start(t: TestContext, options: AppSetup['options'] = {}) {
  const users = { root: { perm: allPermissions }, ann: {}, ben: {} }
  const app = await startApp(t, { users, options })
  const idOf = (name: string) => userIn(app.parts.state, name)?.id ?? 0
  const stored = (name: string) => userIn(app.parts.state, name)
  /** Calls with one session. */
  const as = async (name: string) => {
    const { ask } = await app.as(name)
    const send = async (method: string, address: string, body: object) => {
      const answer = await ask(method, address, { body: JSON.stringify(body) })
      return { status: answer.status, text: await answer.text() }
    }
    return {
      change: (whom: string, data: object, more = {}) =>
        send('PUT', `/api/users/${idOf(whom)}`, {
          what: 'user',
          which: Object.keys(data),
          data: { id: idOf(whom), ...data },
          ...more,
        }),
      changeWhole: (whom: string, data: object) => {
        const { changedAt: _, ...record } = stored(whom) ?? assert.fail()
        return send('PUT', `/api/users/${idOf(whom)}`, {
          what: 'user',
          which: ['all'],
          data: { ...record, password: '', ...data },
        })
      },
      create: (data: object, more = {}) => send('POST', '/api/users', { what: 'user', which: [], data, ...more }),
      set: (settings: object) => send('PUT', '/api/settings', settings),
      ask,
    }
  }
  return { app, as, stored }
}

type Calls = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['as']>>

const guarded: readonly (readonly [string, (root: Calls) => Promise<{ status: number; text: string }>])[] = [
  ['the password of somebody', (root) => root.change('ann', { password: other })],
  ['one’s own password', (root) => root.change('root', { password: other })],
  ['a permission', (root) => root.change('ann', { perm: { ...usual, share: false } })],
  ['the scope', (root) => root.change('ann', { scope: '/elsewhere' })],
  ['the rules', (root) => root.change('ann', { rules: [deny('/private')] })],
  ['the commands of somebody', (root) => root.change('ann', { commands: ['ls'] })],
  ['a permission in a whole record', (root) => root.changeWhole('ann', { perm: allPermissions })],
  ['a new administrator', (root) => root.create({ username: 'new', password, perm: allPermissions })],
  [
    'a new user with a permission that new users do not begin with',
    (root) => root.create({ username: 'new', password, perm: usual }),
  ],
  ['a new user with a command', (root) => root.create({ username: 'new', password, commands: ['sh'] })],
  ['a command of an event', (root) => root.set({ commands: { after_save: ['touch x'] } })],
  ['the program for commands of events', (root) => root.set({ shell: ['sh', '-c'] })],
  ['what new users may', (root) => root.set({ defaults: { perm: allPermissions } })],
  ['whether new users have a folder of their own', (root) => root.set({ createUserDir: true })],
  ['the rules of everybody', (root) => root.set({ rules: [deny('/private')] })],
]

for (const [what, act] of guarded) {
  test(`${what}: 403 after 15 minutes, as always right after the sign-in`, async (t) => {
    const { app, as } = await start(t)
    const [root, late] = [await as('root'), await as('root')]
    app.clock.advance({ minutes: 15 })
    const before = JSON.stringify([app.parts.state.data.users, app.parts.state.data.settings])
    const refused = await act(late)
    assert.deepEqual([refused.status, sentence.test(refused.text)], [403, true], refused.text)
    assert.equal(JSON.stringify([app.parts.state.data.users, app.parts.state.data.settings]), before)
    app.clock.set(app.clock.now() - 60_000)
    const done = await act(root)
    assert.ok(done.status === 200 || done.status === 201, done.text)
  })
}

test('a new user who sees more than new users do needs a proof', async (t) => {
  const { app, as, stored } = await start(t)
  const root = await as('root')
  assert.equal((await root.set({ createUserDir: true })).status, 200)
  app.clock.advance({ hours: 1 })
  const refused = await root.create({ username: 'new', password, scope: '/elsewhere' })
  assert.deepEqual([refused.status, sentence.test(refused.text), stored('new')], [403, true, undefined], refused.text)
  for (const [username, scope] of Object.entries({ new1: undefined, new2: '', new3: '/', new4: '/users/new4/below' }))
    assert.equal((await root.create({ username, password, ...(scope !== undefined && { scope }) })).status, 201, username)
  assert.equal(stored('new3')?.scope, '/users/new3')
})

test('what takes no account over needs no proof, also in a whole record and in all settings', async (t) => {
  const { app, as } = await start(t)
  const root = await as('root')
  app.clock.advance({ hours: 1 })
  assert.equal((await root.change('ann', { locale: 'de' })).status, 200)
  assert.equal((await root.changeWhole('ann', { locale: 'fr', commands: [''] })).status, 200)
  assert.equal((await root.changeWhole('root', { viewMode: 'list' })).status, 200)
  assert.equal((await root.create({ username: 'new', password })).status, 201)
  const settings = await (await root.ask('GET', '/api/settings')).json()
  assert.equal((await root.set({ ...settings, signup: true })).status, 200)
})

test('a right password is a proof for 15 minutes of its session, with whatever call it comes', async (t) => {
  const { app, as, stored } = await start(t)
  const [root, elsewhere] = [await as('root'), await as('root')]
  app.clock.advance({ minutes: 30 })
  const wrong = await root.change('ann', { password: other }, { current_password: 'not it' })
  assert.deepEqual([wrong.status, /current_password is wrong/.test(wrong.text)], [400, true])
  assert.equal((await root.set({ shell: ['sh'], current_password: password })).status, 200)
  assert.equal((await root.change('ann', { password: other })).status, 200)
  assert.equal((await elsewhere.change('ann', { perm: allPermissions })).status, 403)
  app.clock.advance({ minutes: 15 })
  assert.equal((await root.change('ann', { perm: allPermissions })).status, 403)
  assert.equal(
    (await root.create({ username: 'new', password, perm: allPermissions }, { current_password: password })).status,
    201,
  )
  app.clock.advance({ minutes: 15 })
  // Also with a call that needs none.
  assert.equal((await root.change('root', { locale: 'de' }, { current_password: password })).status, 200)
  assert.equal((await root.change('ann', { perm: allPermissions })).status, 200)
  assert.equal(stored('ann')?.perm.admin, true)
})

test('a renewed session is no proof', async (t) => {
  const { app, as } = await start(t)
  const root = await as('root')
  app.clock.advance({ minutes: 16 })
  assert.equal((await root.ask('POST', '/api/renew')).status, 200)
  assert.equal((await root.change('ann', { password: other })).status, 403)
})

for (const authMethod of ['noauth', 'proxy'] as const) {
  test(`with ${authMethod} there is no sign-in to ask for`, async (t) => {
    const options = { authMethod, ...(authMethod === 'proxy' && { authHeader: 'x-user', trustedProxies: ['127.0.0.1'] }) }
    const { app, as } = await start(t, options)
    const root = await as('root')
    app.clock.advance({ hours: 1 })
    assert.equal((await root.change('ann', { perm: allPermissions })).status, 200)
    assert.equal((await root.set({ shell: ['sh'] })).status, 200)
  })
}
