// The settings and the record of the server in the plan of an import.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlan } from '../../src-server/import/plan.ts'
import { readSource } from '../../src-server/import/read-source.ts'
import { bytesIn } from '../../src-server/import/source-file.ts'
import { databaseOf, type StoredRecords, storedServer, storedSettings, storedUser } from '../support/file-browser.ts'
import { memoryFacts } from '../support/memory-facts.ts'

async function planOf(records: StoredRecords, { keepExecute = false, paths = [] as string[], root = '/srv' } = {}) {
  const answers = { keepExecute, hasWholeNames: false, scopes: undefined, unusable: undefined }
  const plan = await makePlan(readSource(bytesIn(databaseOf(records))), {
    facts: memoryFacts(paths, root),
    answers,
    now: 1_795_900_000,
  })
  const about = (part: string) => plan.notes.filter((note) => note.about === part).map(({ kind, text }) => `${kind}: ${text}`)
  return { ...plan, about }
}

const settingsOf = (fields: object, how?: Parameters<typeof planOf>[1]) => planOf({ settings: storedSettings(fields) }, how)
const serverOf = (fields: object, others: StoredRecords = {}) => planOf({ server: storedServer(fields), ...others })
const { defaults, branding } = storedSettings()

test('settings that nobody has changed come as they are', async () => {
  const { settings, stops, about } = await settingsOf({})
  assert.deepEqual(settings, {
    ...{ signup: false, createUserDir: false, rules: [], shell: [], commands: {}, branding: { ...branding, css: '' } },
    defaults: {
      scope: '/',
      locale: 'en',
      viewMode: 'mosaic',
      sorting: { by: 'name', asc: true },
      perm: defaults.perm,
      commands: [],
    },
  })
  assert.deepEqual([stops, about('the settings')], [[], ['left: the key of tokens: everybody signs in again']])
})

test('new users become no administrators, and run commands only when that is kept', async () => {
  const perm = { ...defaults.perm, admin: true, execute: true, delete: false }
  const { settings, about } = await settingsOf({ defaults: { ...defaults, perm } })
  assert.deepEqual(settings?.defaults.perm, { ...perm, admin: false, execute: false })
  assert.equal(about('what new users begin with').length, 2)
  const kept = await settingsOf({ defaults: { ...defaults, perm } }, { keepExecute: true })
  assert.equal(kept.settings?.defaults.perm.execute, true)
})

test('sign-up that would give the whole root stays closed, and is said to', async () => {
  const { settings, about } = await settingsOf({ signup: true })
  assert.equal(settings?.signup, true)
  assert.match(about('the settings').join(), /sign-up stays closed as long as new users would see the whole root/)
  const homes = await settingsOf({ signup: true, createUserDir: true, userHomeBasePath: '/users' })
  assert.doesNotMatch(homes.about('the settings').join(), /sign-up|home folders/)
})

test('sign-up is closed where dot files were hidden from new users, who would see them', async () => {
  const { settings, about } = await settingsOf({
    signup: true,
    createUserDir: true,
    defaults: { ...defaults, hideDotfiles: true },
  })
  assert.equal(settings?.signup, false)
  assert.match(about('the settings').join(), /changed: sign-up is closed/)
})

test('home folders that are made elsewhere are named', async () => {
  const { about } = await settingsOf({ createUserDir: true, userHomeBasePath: '/homes' })
  assert.match(about('the settings').join(), /home folders of new users are made in "\/users", and not in "\/homes"/)
})

for (const [what, scope, base, scopes, isOpen] of [
  ['below a scope that others have', '/public', '/homes', ['/'], false],
  ['in the folder of users, which somebody sees', '/', '/homes', ['/', '/users'], false],
  ['in the folder of users, which nobody else sees', '/', '/homes', ['/', '/public', '/users/bob'], true],
  ['where they were', '/public', '/public/users', ['/', '/public'], true],
  ['where they were by default', '/', '', ['/', '/users'], true],
] as const)
  test(`sign-up is ${isOpen ? 'open' : 'closed'} with home folders ${what}`, async () => {
    const { settings, about } = await planOf({
      users: scopes.map((one, index) => storedUser({ id: index + 1, username: `user${index}`, scope: one })),
      settings: storedSettings({
        ...{ signup: true, createUserDir: true, userHomeBasePath: base, defaults: { ...defaults, scope } },
      }),
    })
    assert.deepEqual([settings?.signup, settings?.createUserDir], [isOpen, true])
    const said = /changed: sign-up is closed: others would see the home folders of new users, which are made in "[^"]*users"/
    if (isOpen) assert.doesNotMatch(about('the settings').join(), /sign-up/)
    else assert.match(about('the settings').join(), said)
  })

test('what has nothing in its place is named, unless it is as it was at first', async () => {
  const late = {
    userHomeBasePath: '/users',
    logoutPage: '/login',
    minimumPasswordLength: 12,
    fileMode: 0o640,
    dirMode: 0o750,
    hideLoginButton: false,
  }
  assert.equal((await settingsOf(late)).about('the settings').length, 1)
  const { about } = await settingsOf({ ...late, logoutPage: '/bye', minimumPasswordLength: 20, fileMode: 0o644 })
  assert.match(
    about('the settings')[0] ?? '',
    /the page after signing out, "\/bye", the mode 644 of new files, which is 640 and the shortest password of 20 characters, which is 12/,
  )
})

test('branding that is not possible here is left out, and the rest of it comes', async () => {
  const { settings, about } = await settingsOf({
    branding: { name: 'x'.repeat(256), theme: 'blue', color: 'red', files: 'brand', disableExternal: true },
  })
  assert.deepEqual(settings?.branding, {
    name: '',
    disableExternal: true,
    disableUsedPercentage: false,
    theme: '',
    color: '',
    files: '',
    css: '',
  })
  assert.equal(about('branding').length, 4)
})

test('commands of events come, and those of unknown events and too many lines do not', async () => {
  const commands = {
    after_upload: ['echo', ' '],
    before_save: null,
    after_party: ['x'],
    after_copy: Array(101).fill('y'),
    after_void: [],
  }
  const { settings, about } = await settingsOf({ commands, shell: ['sh', '-c'] })
  assert.deepEqual([settings?.commands, settings?.shell], [{ after_upload: ['echo'], before_save: [] }, ['sh', '-c']])
  assert.deepEqual(about('commands of events'), [
    'left: those of "after_party", which is no event here',
    'left: those of after_copy: they are too many, too long or no text',
    'look: come, and run only with --enable-exec',
  ])
})

test('the global rules are compared with what each scope has', async () => {
  const rules = [{ regex: false, allow: false, path: '/private', regexp: null }]
  const { about, settings } = await settingsOf({ rules }, { paths: ['/private2'] })
  assert.match(about('the global rules').join(), /blocks "\/private2" too, as before 2\.63\.1/)
  assert.deepEqual(settings?.rules, [{ allow: false, regex: true, path: '', regexp: { raw: '^/private' } }])
})

for (const [what, fields, options] of [
  ['address and port', {}, { address: '127.0.0.1', port: '8080' }],
  ['all addresses', { address: '' }, { address: '0.0.0.0', port: '8080' }],
  ['a socket', { socket: '/run/fb.sock' }, { socket: '/run/fb.sock' }],
  ['a base URL', { baseURL: 'files/' }, { address: '127.0.0.1', port: '8080', baseurl: '/files/' }],
  ['TLS', { tlsCert: '/c.pem', tlsKey: '/k.pem' }, { address: '127.0.0.1', port: '8080', cert: '/c.pem', key: '/k.pem' }],
  ['half of TLS', { tlsCert: '/c.pem' }, { address: '127.0.0.1', port: '8080' }],
  ['a life of tokens', { tokenExpirationTime: '1h30m0s' }, { address: '127.0.0.1', port: '8080', 'token-lifetime': '1h30m' }],
  ['what Go calls a time, and is none here', { tokenExpirationTime: '1.5h' }, { address: '127.0.0.1', port: '8080' }],
  ['a port that is none', { port: '99999' }, { address: '127.0.0.1' }],
  [
    'pictures off',
    { enableThumbnails: false, resizePreview: false },
    { address: '127.0.0.1', port: '8080', 'no-thumbnails': true, 'no-resize-preview': true },
  ],
  ['pictures off by 2.7', { enableThumbnails: false, enableExec: undefined }, { address: '127.0.0.1', port: '8080' }],
] as const)
  test(`${what} as options`, async () => {
    const { server } = await serverOf(fields)
    assert.deepEqual(server.options, options)
  })

test('files with which the server would not start are named, and come all the same', async () => {
  const { about } = await serverOf({ socket: '/nowhere/fb.sock', tlsCert: '/nowhere/c.pem', tlsKey: '/nowhere/k.pem' })
  const said = about('the server').filter((text) => text.includes('does not start until'))
  assert.match(
    said.join('\n'),
    /the socket cannot be used as it is.*nowhere.*\n.*the certificate cannot be used as it is.*nowhere/,
  )
})

test('a captcha comes with its secret apart from the options', async () => {
  const auther = { recaptcha: { host: 'https://www.google.com', key: 'site', secret: 'hidden' } }
  const { server } = await serverOf({}, { auther })
  assert.deepEqual(
    [server.options['captcha-key'], server.options['captcha-host'], server.captchaSecret],
    ['site', 'https://www.google.com', 'hidden'],
  )
  assert.ok(!JSON.stringify(server.options).includes('hidden'))
})

for (const [method, auther, reason] of [
  ['proxy', { header: 'X-User' }, /a proxy named the user in "X-User": that needs --auth-header and --trusted-proxy/],
  ['noauth', {}, /that needs --noauth/],
  ['hook', { command: '/bin/check' }, /a program decided who signs in \("\/bin\/check"\)/],
] as const)
  test(`the sign-in by ${method} is named with what it needs, and is not switched on`, async () => {
    const { server, about } = await serverOf({}, { auther, settings: storedSettings({ authMethod: method }) })
    assert.match(about('the sign-in').join(), reason)
    assert.deepEqual(server.options, { address: '127.0.0.1', port: '8080' })
  })

test('what of the server is not taken over is named', async () => {
  const { about } = await serverOf({
    root: '/data',
    enableExec: true,
    followExternalSymlinks: true,
    log: '/var/log/fb.log',
    authHook: '/x',
  })
  assert.equal(about('the server').length, 5)
  assert.match(
    about('the server').join('\n'),
    /served "\/data", and "\/srv" is served from now on[\s\S]*--enable-exec[\s\S]*--links-into/,
  )
})
