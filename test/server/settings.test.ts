// The settings of the server: GET and PUT /api/settings.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Settings, ShownSettings } from '../../src-server/contract/settings.ts'
import { deny, password, startApp, usual } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const app = await startApp(
  { after },
  { files: { 'a.txt': 'a', 'private/b.txt': 'b' }, users: { root: { perm: allPermissions }, ann: {} } },
)
const root = await app.as('root')

async function read(): Promise<{ settings: Settings; tag: string }> {
  const answer = await root.ask('GET', '/api/settings')
  return { settings: (await answer.json()) as Settings, tag: answer.headers.get('etag') ?? '' }
}

async function put(body: unknown, headers: Record<string, string> = {}) {
  const answer = await root.ask('PUT', '/api/settings', { body: JSON.stringify(body), headers })
  return { status: answer.status, text: await answer.text(), tag: answer.headers.get('etag') }
}

const noCommands = Object.fromEntries(
  ['after_copy', 'after_delete', 'after_rename', 'after_save', 'after_upload']
    .flatMap((name) => [name, name.replace('after', 'before')])
    .map((name) => [name, []]),
)

test('the settings of a new server have every field', async () => {
  const { settings, tag } = await read()
  assert.match(tag, /^"[\w-]{22}"$/)
  assert.deepEqual(settings, {
    signup: false,
    createUserDir: false,
    defaults: {
      scope: '/',
      locale: '',
      viewMode: 'mosaic',
      sorting: { by: 'name', asc: true },
      perm: { ...usual, execute: false },
      commands: [],
    },
    rules: [],
    branding: { name: '', disableExternal: false, disableUsedPercentage: false, theme: '', color: '', files: '', css: '' },
    shell: [],
    commands: noCommands,
    hookLimits: { seconds: 30, kilobytes: 64 },
    trash: { isOn: true, days: 30, percent: 10, isNews: false },
    uploads: { days: 7 },
    archives: { gigabytes: 100, ratio: 1000, entries: 1_000_000, spare: 5 },
  })
})

test('what was read can be saved unchanged, and keeps its version', async () => {
  const { settings, tag } = await read()
  const saved = await put(settings)
  assert.deepEqual([saved.status, saved.text, saved.tag], [200, '200 OK\n', tag])
  assert.deepEqual(await read(), { settings, tag })
})

test('absent fields keep their values', async () => {
  const branding = { name: 'Files of `Ann`', theme: 'dark', color: '#2979ff', files: app.folder, css: 'a{color:red}' }
  const commands = { after_save: ['', 'echo saved &', '  '] }
  await put({ branding, shell: ['bash', '-c', ''], commands, defaults: { scope: './ann', commands: ['git', ''] } })
  assert.equal((await put({ signup: true })).status, 200)
  assert.equal((await put({ branding: { disableExternal: true } })).status, 200)
  const { settings } = await read()
  assert.deepEqual(settings.branding, { ...branding, disableExternal: true, disableUsedPercentage: false })
  assert.deepEqual([settings.signup, settings.shell], [true, ['bash', '-c']])
  assert.deepEqual(settings.commands, { ...noCommands, after_save: ['echo saved &'] })
  assert.deepEqual([settings.defaults.scope, settings.defaults.commands, settings.defaults.viewMode], ['/ann', ['git'], 'mosaic'])
})

test('clients that do not send the limits of commands keep them, and one of both changes alone', async () => {
  await put({ hookLimits: { seconds: 7, kilobytes: 8 } })
  const { hookLimits: _, ...old } = (await read()).settings
  assert.equal((await put(old)).status, 200)
  assert.equal((await put({ hookLimits: { seconds: 600 } })).status, 200)
  assert.deepEqual((await read()).settings.hookLimits, { seconds: 600, kilobytes: 8 })
})

test('a global rule counts from the next request of everybody', async () => {
  const ann = await app.as('ann')
  assert.equal((await ann.get('/private/b.txt')).status, 200)
  await put({ rules: [deny('/private')] })
  assert.equal((await ann.get('/private/b.txt')).status, 403)
  await put({ rules: [] })
  assert.equal((await ann.get('/private/b.txt')).status, 200)
})

test('a change for another version is 412, and of two at once one is saved', async () => {
  const { tag } = await read()
  const two = await Promise.all(['one', 'two'].map((name) => put({ branding: { name } }, { 'If-Match': tag })))
  assert.deepEqual(two.map(({ status }) => status).toSorted(), [200, 412])
  assert.match(two.find(({ status }) => status === 412)?.text ?? '', /the settings have changed/)
  const saved = two[0]?.status === 200 ? 'one' : 'two'
  const { settings, tag: next } = await read()
  assert.equal(settings.branding.name, saved)
  assert.notEqual(next, tag)
  assert.equal((await put({ branding: { name: 'three' } }, { 'If-Match': next })).status, 200)
})

const expression = { allow: false, path: '', regex: true, regexp: { raw: 'x' } }
const refused: [string, RegExp, unknown][] = [
  ['an unknown field', /"colour" is no setting/, { colour: 'red' }],
  ['a prototype', /"constructor" is no setting/, { constructor: {} }],
  ['a prototype in branding', /branding\."toString" is no setting/, { branding: { toString: 'x' } }],
  ['what is no event', /commands\."party" is no setting/, { commands: { party: ['x'] } }],
  ['an unknown default', /defaults\."username" is no setting/, { defaults: { username: 'x' } }],
  ['a permission that is no boolean', /defaults\.perm has/, { defaults: { perm: { ...usual, admin: 1 } } }],
  ['a default scope above the root', /defaults\.scope/, { defaults: { scope: '../up' } }],
  ['sign-up that is no boolean', /signup is true or false/, { signup: 'yes' }],
  ['branding that is a list', /branding is an object/, { branding: [] }],
  ['an unknown theme', /branding\.theme is empty, light or dark/, { branding: { theme: 'pink' } }],
  ['a colour that is none', /branding\.color/, { branding: { color: 'red;}' } }],
  ['a folder that does not exist', /branding\.files/, { branding: { files: join(app.folder, 'gone') } }],
  ['a folder that is a file', /branding\.files/, { branding: { files: join(app.root, 'a.txt') } }],
  ['a folder in the served one', /branding\.files is a folder in the served one/, { branding: { files: app.root } }],
  ['a relative folder', /branding\.files/, { branding: { files: 'files' } }],
  ['a line of a hook that is no text', /commands\.after_save is a list/, { commands: { after_save: 'echo' } }],
  ...[0, 601, 1.5, '30', null, Number.MAX_SAFE_INTEGER].map((seconds): [string, RegExp, unknown] => [
    `a time limit of ${JSON.stringify(seconds)}`,
    /hookLimits\.seconds is a whole number from 1 to 600/,
    { hookLimits: { seconds } },
  ]),
  ['an output limit of 1025', /hookLimits\.kilobytes is a whole number from 1 to 1024/, { hookLimits: { kilobytes: 1025 } }],
  ['an unknown limit', /hookLimits\."minutes" is no setting/, { hookLimits: { minutes: 1 } }],
  ['too many words of a shell', /shell is a list/, { shell: Array.from({ length: 101 }, () => 'x') }],
  ['a path rule outside', /rules has "\/\.\."/, { rules: [deny('/..')] }],
  [
    'an expression that does not compile',
    /rules has "\(key"/,
    { rules: [deny('/x'), { allow: false, path: '', regex: true, regexp: { raw: '(key' } }] },
  ],
  ['a rule without an expression', /rules is a list/, { rules: [{ allow: false, path: '', regex: true }] }],
  ['101 expressions', /rules has at most 100 expressions/, { rules: Array(101).fill(expression) }],
  ['1,001 path rules', /rules has at most 1000/, { rules: Array.from({ length: 1001 }, (_, index) => deny(`/${index}`)) }],
]

for (const [what, sentence, body] of refused) {
  test(`${what} is refused by name, and nothing is saved`, async () => {
    const before = await read()
    const answer = await put({ createUserDir: !before.settings.createUserDir, ...(body as object) })
    assert.deepEqual([answer.status, sentence.test(answer.text)], [400, true], answer.text)
    assert.deepEqual(await read(), before)
  })
}

const sheets: [string, boolean][] = [
  ['a { background: url(data:image/png;base64,AA==) }', true],
  ["a { background: URL( 'data:image/png;base64,AA==' ) }", true],
  ['.curl { content: "url" } /* x */', true],
  ['@font-face { src: url("data:font/woff2;base64,AA==") }', true],
  ['@import "x.css"', false],
  ['@IMPORT url(data:text/css,a)', false],
  ['@\\69mport "x.css"', false],
  ['a { background: url(//evil.example/x) }', false],
  ['a { background: url( "http://evil.example/x") }', false],
  ['a { background: u\\72 l(http://evil.example/x) }', false],
  ['a { background: url(/*x*/data:x) }', false],
  ['a { background: image-set("http://evil.example/x" 1x) }', false],
  [`a { background: url(${' '.repeat(100_000)}http://evil.example/x) }`, false],
  ['x'.repeat(256 * 1024 + 1), false],
]

for (const [css, isTaken] of sheets) {
  test(`the style sheet ${css.slice(0, 48)} is ${isTaken ? 'taken' : 'refused'}`, async () => {
    const { status, text } = await put({ branding: { css } })
    assert.deepEqual([status, /branding\.css/.test(text)], [isTaken ? 200 : 400, !isTaken], text)
  })
}

test('fields of other servers of this API are ignored', async () => {
  const before = await read()
  const body = { authMethod: 'json', minimumPasswordLength: 1, tus: { chunkSize: 1 }, defaults: { singleClick: true } }
  assert.equal((await put(body)).status, 200)
  assert.deepEqual(await read(), before)
})

test('a new user gets the defaults for what is not given', async () => {
  const defaults = { scope: '/private', locale: 'de', viewMode: 'list', commands: ['git'], perm: { ...usual, share: false } }
  assert.equal((await put({ defaults })).status, 200)
  const data = { username: 'new', password, viewMode: 'mosaic' }
  const made = await root.ask('POST', '/api/users', { body: JSON.stringify({ what: 'user', which: [], data }) })
  assert.equal(made.status, 201)
  const { scope, locale, viewMode, commands, perm } = userIn(app.parts.state, 'new') ?? {}
  assert.deepEqual({ scope, locale, viewMode, commands, perm }, { ...defaults, viewMode: 'mosaic' })
})

test('proxies that are not named are shown; they are not part of what is stored, and are no change', async (t) => {
  const own = await startApp(t, { users: { root: { perm: allPermissions } } })
  const [calls, stranger] = [await own.as('root'), own.principal()]
  const ask = async () => {
    const answer = await calls.ask('GET', '/api/settings')
    return { settings: (await answer.json()) as ShownSettings, tag: answer.headers.get('etag') ?? '' }
  }
  const before = await ask()
  assert.ok(!('unnamedProxies' in before.settings))
  await stranger.ask('GET', '/health', { headers: { 'X-Forwarded-For': '192.0.2.1' } })
  const { settings, tag } = await ask()
  assert.deepEqual([settings.unnamedProxies, tag], [['127.0.0.1'], before.tag])
  const saved = await calls.ask('PUT', '/api/settings', { body: JSON.stringify(settings), headers: { 'If-Match': tag } })
  assert.deepEqual([saved.status, saved.headers.get('etag')], [200, tag])
})
