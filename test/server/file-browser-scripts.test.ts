// What scripts for File Browser send to /api/users and /api/settings, as its clients and its own answers have it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions, noPermissions } from '../../src-server/access/permissions.ts'
import type { Settings } from '../../src-server/contract/settings.ts'
import { deny, only, startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const app = await startApp(
  { after },
  { files: { 'a.txt': 'a', 'b.txt': 'b' }, users: { root: { perm: allPermissions }, ann: {} } },
)
const root = await app.as('root')
const stored = (name: string) => userIn(app.parts.state, name)
const idOf = (name: string) => stored(name)?.id ?? 0

async function send(method: string, address: string, body: unknown) {
  const answer = await root.ask(method, address, { body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text() }
}

const post = (data: object) => send('POST', '/api/users', { what: 'user', which: [], data })
const put = (which: readonly string[], data: object, id = idOf('ann')) =>
  send('PUT', `/api/users/${id}`, { what: 'user', which, data: { id, ...data } })
const set = (settings: object) => send('PUT', '/api/settings', settings)
const read = async () => (await (await root.ask('GET', '/api/settings')).json()) as Settings

/** @throws unless the answer is the expected status */
async function is(status: number, asked: Promise<{ status: number; text: string }>) {
  const answer = await asked
  assert.equal(answer.status, status, answer.text)
}

let made = 0
/** The record of a new user, made with these fields. */
async function created(fields: object) {
  const username = `made ${++made}`
  await is(201, post({ username, password: 'a long and easy password', ...fields }))
  return stored(username)
}

test('a sorting that names nothing is the usual one, A to Z', async () => {
  const usual = { by: 'name', asc: true }
  for (const asc of [false, true]) {
    const sorting = { by: '', asc }
    await put(['sorting'], { sorting: { by: 'size', asc: false } })
    await is(200, put(['sorting'], { sorting }))
    assert.deepEqual(stored('ann')?.sorting, usual)
    assert.deepEqual((await created({ sorting }))?.sorting, usual)
    await set({ defaults: { sorting: { by: 'size', asc: false } } })
    await is(200, set({ defaults: { sorting } }))
    assert.deepEqual((await read()).defaults.sorting, usual)
  }
  await is(400, put(['sorting'], { sorting: { by: '', asc: 'false' } }))
  await is(400, put(['sorting'], { sorting: { by: '' } }))
})

test('an empty view is the list of a user, and the mosaic of the settings', async () => {
  await is(200, put(['viewMode'], { viewMode: '' }))
  assert.equal(stored('ann')?.viewMode, 'list')
  assert.equal((await created({ viewMode: '' }))?.viewMode, 'list')
  await is(200, set({ defaults: { viewMode: '' } }))
  assert.equal((await read()).defaults.viewMode, 'mosaic')
})

test('null is an empty list', async () => {
  const line = ['echo']
  await is(200, put(['rules', 'commands'], { rules: [deny('/x')], commands: line }))
  await is(200, put(['rules', 'commands'], { rules: null, commands: null }))
  assert.deepEqual([stored('ann')?.rules, stored('ann')?.commands], [[], []])
  const { rules, commands } = (await created({ rules: null, commands: null })) ?? {}
  assert.deepEqual([rules, commands], [[], []])

  await is(200, set({ rules: [deny('/x')], shell: line, commands: { after_copy: line }, defaults: { commands: line } }))
  await is(200, set({ rules: null, shell: null, commands: { after_copy: null }, defaults: { commands: null } }))
  const now = await read()
  assert.deepEqual([now.rules, now.shell, now.commands.after_copy, now.defaults.commands], [[], [], [], []])
})

test('a field that is not there is no empty list', async () => {
  await is(200, put(['rules', 'commands'], { rules: [deny('/x')], commands: ['echo'] }))
  await is(400, put(['rules'], {}))
  await is(400, put(['commands'], {}))
  assert.equal(stored('ann')?.rules.length, 1)
})

test('the part of a rule that does not count may be missing', async () => {
  const path = { allow: false, regex: false, path: '/private' }
  const expression = { allow: false, regex: true, regexp: { raw: '^/private' } }
  const rules = [path, { ...path, regexp: null }, { ...path, regexp: {} }, expression, { ...expression, path: null }]
  const full = [...Array(3).fill({ ...path, regexp: { raw: '' } }), ...Array(2).fill({ ...expression, path: '' })]
  await is(200, put(['rules'], { rules }))
  assert.deepEqual(stored('ann')?.rules, full)
  assert.deepEqual((await created({ rules }))?.rules, full)
  await is(200, set({ rules }))
  assert.deepEqual((await read()).rules, full)
  await set({ rules: [] })
})

const incomplete: [what: string, rule: object][] = [
  ['no path', { allow: false, regex: false }],
  ['null as its path', { allow: false, regex: false, path: null, regexp: { raw: 'x' } }],
  ['no expression', { allow: false, regex: true, path: '/x' }],
  ['null as its expression', { allow: false, regex: true, path: '/x', regexp: null }],
  ['an expression without a text', { allow: false, regex: true, path: '/x', regexp: {} }],
  ['neither allow nor deny', { regex: false, path: '/x' }],
  ['no kind', { allow: false, path: '/x' }],
  ['a misspelt part', { allow: false, regex: false, path: '/x', regxp: { raw: '' } }],
  ['an expression that is a text', { allow: false, regex: false, path: '/x', regexp: '^/x' }],
]

for (const [what, rule] of incomplete) {
  test(`a rule with ${what} is refused, and those that were there stay`, async () => {
    await is(200, put(['rules'], { rules: [deny('/y')] }))
    await is(400, put(['rules'], { rules: [rule] }))
    await is(400, set({ rules: [rule] }))
    assert.deepEqual(stored('ann')?.rules, [deny('/y')])
  })
}

test('a permission that is missing is not given', async () => {
  const { download: _, ...seven } = { ...allPermissions, admin: false }
  const expected = { ...seven, download: false }
  assert.deepEqual((await created({ perm: seven }))?.perm, expected)
  assert.deepEqual((await created({ perm: {} }))?.perm, noPermissions)
  for (const which of [['all'], ['perm']]) {
    await is(200, put(['perm'], { perm: { ...seven, download: true } }))
    await is(200, put(which, { perm: seven }))
    assert.deepEqual(stored('ann')?.perm, expected)
  }
  await is(200, set({ defaults: { perm: { create: true } } }))
  assert.deepEqual((await read()).defaults.perm, only('create'))
})

test('a permission that is misspelt is refused, as one that is null or a text', async () => {
  const { download: _, ...seven } = allPermissions
  for (const perm of [{ ...seven, downlaod: true }, { ...seven, download: null }, { ...seven, download: 'yes' }, null, []])
    await is(400, put(['perm'], { perm }))
})

test('events that this server does not know are kept as they are sent, and run nothing', async () => {
  const { commands: before } = await read()
  const commands = { ...before, after_foo: ['true'], before_download: [] }
  await is(200, set({ commands }))
  assert.deepEqual((await read()).commands, commands)
  await is(200, set({ signup: false }))
  assert.deepEqual((await read()).commands, commands)
  // The lists of a change are all of them, as those servers have it; only the known ones stay without being sent.
  await is(200, set({ commands: { after_save: ['true'] } }))
  assert.deepEqual((await read()).commands, { ...before, after_save: ['true'] })
})

test('a name that is no event is refused, and so is what is no list of lines', async () => {
  const { commands: before } = await read()
  for (const name of ['foo', 'after_', 'constructor', 'After_copy', 'after copy', `after_${'x'.repeat(100)}`])
    await is(400, set({ commands: { [name]: [] } }))
  for (const lines of ['true', [1], ['a\0']]) await is(400, set({ commands: { after_foo: lines } }))
  assert.deepEqual((await read()).commands, before)
})

const events = ['copy', 'delete', 'rename', 'save', 'upload'].flatMap((name) => [`after_${name}`, `before_${name}`])
const noCommands = Object.fromEntries(events.map((event) => [event, []]))
const perm = { ...allPermissions, admin: false }

/** Settings as 2.7.0 answers them, and as 2.63.23 stores and exports them. */
const oldSettings: Record<string, { defaults: object; [field: string]: unknown }> = {
  '2.7.0': {
    signup: false,
    createUserDir: false,
    defaults: { scope: '.', locale: 'en', viewMode: 'mosaic', sorting: { by: '', asc: false }, perm, commands: [] },
    rules: [],
    branding: { name: '', disableExternal: false, files: '', theme: '' },
    shell: [],
    commands: noCommands,
  },
  '2.63.23': {
    signup: true,
    hideLoginButton: true,
    createUserDir: false,
    userHomeBasePath: '/homes',
    defaults: {
      ...{ scope: '/public', locale: 'fr', viewMode: 'mosaic', singleClick: true, redirectAfterCopyMove: false },
      ...{ sorting: { by: 'size', asc: true }, perm: { ...perm, execute: false }, commands: ['tree', 'du'] },
      ...{ hideDotfiles: true, dateFormat: true, aceEditorTheme: 'dracula' },
    },
    authMethod: 'json',
    logoutPage: '/bye',
    branding: {
      ...{ name: 'Müller & Söhne <Files>', disableExternal: true, disableUsedPercentage: true },
      ...{ files: '', theme: 'dark', color: '#ff8800' },
    },
    tus: { chunkSize: 4_194_304, retryCount: 3 },
    commands: { ...noCommands, after_upload: ['logger "$USERNAME uploaded $FILE"', 'true &'] },
    shell: ['/bin/sh', '-c'],
    rules: [
      { regex: false, allow: false, path: '/lost+found', regexp: null },
      { regex: true, allow: false, path: '', regexp: { raw: '/\\.git(/|$)' } },
    ],
    minimumPasswordLength: 8,
    fileMode: 420,
    dirMode: 493,
    hideDotfiles: false,
  },
}

/** Users as 2.7.0 and 2.63.23 answer them, without id and name. */
const oldUsers: Record<string, object> = {
  '2.7.0': {
    ...{ password: '', scope: '.', locale: 'en', lockPassword: false, viewMode: 'list' },
    ...{ perm: { ...noPermissions, create: true }, commands: ['ls', 'git'], sorting: { by: 'name', asc: false } },
    rules: [
      { regex: true, allow: false, path: '', regexp: { raw: '^/x' } },
      { regex: false, allow: true, path: '/y', regexp: null },
    ],
  },
  '2.63.23': {
    ...{ password: '', scope: '/zoe', locale: 'he', lockPassword: false, viewMode: 'mosaic gallery', singleClick: true },
    ...{ redirectAfterCopyMove: true, perm, commands: [], sorting: { by: 'name', asc: false }, rules: [] },
    ...{ hideDotfiles: true, dateFormat: true, aceEditorTheme: '' },
  },
}

const users = async () => (await (await root.ask('GET', '/api/users')).json()) as { id: number; username: string }[]

for (const release of ['2.7.0', '2.63.23']) {
  test(`settings and users of ${release} are stored, and what is read back can be stored again`, async () => {
    const { [release]: settings = { defaults: {} } } = oldSettings
    const { [release]: record = {} } = oldUsers
    await is(200, set(settings))
    const { id } = (await created({ ...record, id: 0, password: 'a long and easy password' })) ?? { id: 0 }
    await is(200, put(['all'], { ...record, username: `kept ${release}` }, id))
    await created({ ...settings.defaults, lockPassword: false, rules: null })

    const before = { settings: await read(), users: await users() }
    await is(200, set(before.settings))
    for (const user of before.users) await is(200, put(['all'], user, user.id))
    await created({ ...before.settings.defaults, id: 0, lockPassword: false, rules: [] })
    assert.deepEqual({ settings: await read(), users: (await users()).slice(0, -1) }, before)
  })
}
