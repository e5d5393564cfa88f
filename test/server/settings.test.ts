// The settings of the server: GET and PUT /api/settings, and POST /api/rules/try.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { hookEvents, type Settings } from '../../src-server/contract/settings.ts'
import { allow, deny, startApp } from '../support/start-app.ts'

const app = await startApp(
  { after },
  { files: { 'a.txt': 'a', 'b/c.txt': 'c' }, users: { root: { perm: allPermissions }, ann: { rules: [allow('/b/c.txt')] } } },
)
const root = await app.as('root')
const read = async () => (await (await root.ask('GET', '/api/settings')).json()) as Settings
const put = (body: unknown, headers: Record<string, string> = {}) =>
  root.ask('PUT', '/api/settings', { body: JSON.stringify(body), headers })

test('a new server answers all settings with their defaults', async () => {
  const settings = await read()
  assert.deepEqual(Object.keys(settings.commands), [...hookEvents])
  assert.deepEqual([settings.signup, settings.shell, settings.css, settings.userHomeBasePath], [false, [], '', '/users'])
  assert.deepEqual(
    [settings.defaults.perm.admin, settings.defaults.perm.execute, settings.defaults.perm.create],
    [false, false, true],
  )
})

test('settings that a body does not name keep their value', async () => {
  assert.equal((await put({ shell: ['sh', '-c'], commands: { before_save: ['a', 'b &'] } })).status, 200)
  assert.equal((await put({ signup: true })).status, 200)
  const { signup, shell, commands } = await read()
  assert.deepEqual([signup, shell, commands.before_save, commands.after_save], [true, ['sh', '-c'], ['a', 'b &'], []])
  await put({ signup: false, shell: [], commands: {} })
})

test('a change for an older version is refused', async () => {
  const etag = (await root.ask('GET', '/api/settings')).headers.get('etag') ?? ''
  const first = await put({ signup: true }, { 'If-Match': etag })
  assert.equal(first.status, 200)
  const second = await put({ createUserDir: true }, { 'If-Match': etag })
  assert.deepEqual([second.status, (await read()).createUserDir], [412, false])
  assert.equal((await put({ signup: false }, { 'If-Match': first.headers.get('etag') ?? '' })).status, 200)
})

const branding = { name: 'Files', disableExternal: true, theme: 'dark', files: '' }
const refused: [what: string, cause: RegExp, settings: object][] = [
  ['an unknown setting', /no setting colour/, { colour: 'red' }],
  ['a setting named as a method', /no setting constructor/, { constructor: {} }],
  ['a text for a switch', /signup/, { signup: 'yes' }],
  ['an invalid expression', /rules\.1/, { rules: [deny('/a'), { ...deny(''), regex: true, regexp: { raw: '(' } }] }],
  ['an unknown event', /no event after_lunch/, { commands: { after_lunch: ['x'] } }],
  ['a branding folder that is not there', /branding\.files/, { branding: { ...branding, files: '/does/not/exist' } }],
  ['a theme that there is not', /branding\.theme/, { branding: { ...branding, theme: 'pink' } }],
  ['an unknown field of the branding', /branding/, { branding: { ...branding, logo: 'x' } }],
  ['a scope above the root', /\.\./, { defaults: { ...(await read()).defaults, scope: '../x' } }],
  ['a stylesheet that loads', /@import/, { css: '@\\69mport "//example.org/x.css";' }],
  ['a stylesheet with addresses', /url\(\)/, { css: 'a { background: url( "https://example.org/x.png") }' }],
  ['a stylesheet with hidden addresses', /url\(\)/, { css: 'a { background: u\\72l(//example.org/x.png) }' }],
  ['a long stylesheet', /256 KiB/, { css: ' '.repeat(262_145) }],
]
for (const [what, cause, settings] of refused) {
  test(`${what} is refused by name, and nothing is saved`, async () => {
    const before = await read()
    const answer = await put({ createUserDir: true, ...settings })
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), cause)
    assert.deepEqual(await read(), before)
  })
}

test('branding, stylesheet and defaults are stored', async () => {
  const css = 'a::before { content: "\\201C"; background: url(data:image/png;base64,AA) }'
  const { defaults } = await read()
  assert.equal(
    (await put({ branding: { ...branding, files: app.folder }, css, defaults: { ...defaults, locale: 'de' } })).status,
    200,
  )
  const now = await read()
  assert.deepEqual(now.branding, { ...branding, files: app.folder, disableUsedPercentage: false, color: '' })
  assert.deepEqual([now.css, now.defaults.locale], [css, 'de'])
})

test('a rule counts from the next request on', async () => {
  const ann = await app.as('ann')
  assert.deepEqual(await ann.list('/'), ['b', 'a.txt'])
  assert.equal((await put({ rules: [deny('/b')] })).status, 200)
  assert.deepEqual(await ann.list('/'), ['a.txt'])
  assert.equal((await ann.raw('/b/c.txt')).status, 200, 'the rule of the user comes after the global ones')
  await put({ rules: [] })
})

test('a path is tried: the last rule that matches decides', async () => {
  await put({ rules: [deny('/b')] })
  const ask = async (path: string, more: object = {}) => {
    const body = JSON.stringify({ username: 'ann', path, ...more })
    return (await root.ask('POST', '/api/rules/try', { body })).json()
  }
  assert.deepEqual(await ask('/a.txt'), { allowed: true })
  assert.deepEqual(await ask('/b/d'), { allowed: false, decidedBy: { of: 'global', index: 0, rule: deny('/b') } })
  assert.deepEqual(await ask('/b/c.txt'), { allowed: true, decidedBy: { of: 'user', index: 0, rule: allow('/b/c.txt') } })
  assert.deepEqual(await ask('/b/d', { rules: [] }), { allowed: true })
  const unknown = await root.ask('POST', '/api/rules/try', { body: '{"username":"nobody","path":"/"}' })
  assert.equal(unknown.status, 404)
})
