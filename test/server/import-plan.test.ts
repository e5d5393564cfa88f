// What an import plans: what comes, with which meaning, and what does not.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePlan } from '../../src-server/import/plan.ts'
import { PlanBudget } from '../../src-server/import/plan-budget.ts'
import type { PlanAnswers } from '../../src-server/import/plan-parts.ts'
import { readSource, readSources } from '../../src-server/import/read-source.ts'
import { bytesIn } from '../../src-server/import/source-file.ts'
import { databaseOf, type StoredRecords, storedAdmin, storedSettings, storedUser } from '../support/file-browser.ts'
import { memoryFacts } from '../support/memory-facts.ts'

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/filebrowser', name)
const noAnswers: PlanAnswers = { keepExecute: false, hasWholeNames: false, scopes: undefined, unusable: undefined }
/** When the fixtures were made, more or less. */
const now = 1_795_900_000

type Planned = Readonly<{ budget?: PlanBudget; paths?: readonly string[]; answers?: Partial<PlanAnswers>; root?: string }>

const context = ({ paths = [], answers = {}, root, budget }: Planned) => ({
  ...(budget && { budget }),
  facts: memoryFacts(paths, root),
  answers: { ...noAnswers, ...answers },
  now,
})

async function planOf(records: StoredRecords, planned: Planned = {}) {
  const plan = await makePlan(readSource(bytesIn(databaseOf(records))), context(planned))
  const said = (kind: string) => plan.notes.filter((note) => note.kind === kind).map(({ about, text }) => `${about}: ${text}`)
  const notes = {
    changed: said('changed'),
    left: said('left').filter((text) => !text.includes('key of tokens')),
    look: said('look'),
  }
  return { ...plan, ...notes, user: plan.users.find(({ id }) => id === 2) }
}

const planOfUser = (fields: object, planned: Planned = {}) => planOf({ users: [storedAdmin(), storedUser(fields)] }, planned)

test('a source is known by its key in each form, and without one by its users', async () => {
  const sourceOf = async (key: unknown, username = 'admin') =>
    (await planOf({ settings: storedSettings({ key }), users: [storedAdmin({ username })] })).source
  assert.equal(await sourceOf([0, 0, 0]), await sourceOf('AAAA'))
  for (const key of ['', [], null]) assert.notEqual(await sourceOf(key), await sourceOf(key, 'root'))
})

test('one expression too many is told, also when it is the one for names that begin with a dot', async () => {
  const rules = Array.from({ length: 100 }, (_, index) => ({ regex: true, allow: false, path: '', regexp: { raw: `x${index}` } }))
  assert.deepEqual((await planOfUser({ rules })).stops, [])
  assert.match((await planOfUser({ rules, hideDotfiles: true })).stops.join(), /101 expressions.*at most 100/)
  assert.match(
    (await planOfUser({ rules, hideDotfiles: true })).stops.join(),
    /with the one that hides names that begin with a dot/,
  )
})

test('an ordinary user comes as it is', async () => {
  const { user, changed, left, look, stops } = await planOfUser(
    { sorting: { by: 'size', asc: true }, commands: ['git', ''] },
    { paths: ['/bob/'] },
  )
  assert.deepEqual(user, {
    ...{
      id: 2,
      idThere: 2,
      username: 'bob',
      password: `$2a$04$${'a'.repeat(53)}`,
      scope: '/bob',
      locale: 'en',
      lockPassword: false,
    },
    ...{ viewMode: 'list', sorting: { by: 'size', asc: true }, perm: storedUser().perm, commands: ['git'], rules: [] },
  })
  assert.deepEqual({ changed, left, look, stops }, { changed: [], left: [], look: [], stops: [] })
})

for (const [field, given, wanted] of [
  ['locale', 'sv', 'sv-se'],
  ['locale', 'nl', 'nl-be'],
  ['locale', 'pt-pt', 'pt'],
  ['locale', 'he', ''],
  ['locale', 'zh-tw', 'zh-tw'],
  ['locale', '', ''],
  ['viewMode', 'mosaic gallery', 'mosaic'],
  ['viewMode', 'mosaic', 'mosaic'],
  ['viewMode', '', 'list'],
  ['sorting', { by: 'name', asc: false }, { by: 'name', asc: true }],
  ['sorting', { by: 'name', asc: true }, { by: 'name', asc: false }],
  ['sorting', { by: '', asc: false }, { by: 'name', asc: true }],
  ['sorting', { by: 'modified', asc: false }, { by: 'modified', asc: false }],
  ['password', `$2y$04$${'b'.repeat(53)}`, `$2y$04$${'b'.repeat(53)}`],
  ['password', `$2a$15$${'b'.repeat(53)}`, ''],
  ['password', `$2a$03$${'b'.repeat(53)}`, ''],
  ['password', 'plain text', ''],
  ['password', `$2a$10$${'b'.repeat(53)}\n`, ''],
  ['scope', '.', '/'],
  ['scope', './users/bob', '/users/bob'],
  ['scope', 'users//bob/', '/users/bob'],
  ['scope', '..', '/'],
  ['scope', '../../etc/../bob', '/bob'],
  ['scope', '', '/'],
] as const)
  test(`${field} ${JSON.stringify(given)} comes as ${JSON.stringify(wanted)}`, async () => {
    const { user } = await planOfUser({ [field]: given }, { paths: ['/users/bob/', '/bob/', '/etc/'] })
    assert.deepEqual(user?.[field], wanted)
  })

test('what no password can be is neither compared nor printed', async () => {
  const { changed, notes } = await planOfUser({ password: 'plain secret' })
  assert.match(changed.join(), /user "bob": has a password that is stored in another way than bcrypt/)
  assert.ok(!JSON.stringify(notes).includes('plain secret'))
})

test('only administrators get more than they had, and are named', async () => {
  const perm = { ...storedUser().perm, admin: true, delete: false, share: false, execute: true }
  const { user, changed } = await planOfUser({ perm, lockPassword: true }, { paths: ['/bob/'] })
  assert.deepEqual([Object.values(user?.perm ?? {}).every(Boolean), user?.lockPassword], [true, false])
  assert.deepEqual(changed, ['user "bob": is an administrator, and so may delete and share too'])
})

test('the right to run commands comes only when it is asked for', async () => {
  const fields = { perm: { ...storedUser().perm, execute: true, create: false }, commands: ['git', 'ls'] }
  const without = await planOfUser(fields, { paths: ['/bob/'] })
  assert.deepEqual([without.user?.perm.execute, without.user?.perm.create, without.user?.commands], [false, false, ['git', 'ls']])
  assert.match(
    without.changed.join(),
    /^user "bob": may not run commands any more \(it could run "git" and "ls"\): --keep-execute/,
  )
  const kept = await planOfUser(fields, { paths: ['/bob/'], answers: { keepExecute: true } })
  assert.deepEqual([kept.user?.perm.execute, kept.changed], [true, []])
})

test('commands that were expressions are named', async () => {
  const fields = { perm: { ...storedUser().perm, execute: true }, commands: ['git', '', 'ls|cat', '.*'] }
  const { user, changed } = await planOfUser(fields, { paths: ['/bob/'], answers: { keepExecute: true } })
  assert.deepEqual(user?.commands, ['git', 'ls|cat', '.*'])
  assert.equal(changed.length, 2)
  assert.match(changed.join(), /could run every command[\s\S]*the commands "ls\|cat" and "\.\*" are names, and no expressions/)
})

test('of names that people take for one, the lowest id keeps it', async () => {
  const named = (id: number, username: string) => storedUser({ id, username })
  const users = [storedAdmin(), named(3, 'bob'), named(2, 'BOB'), named(4, 'Bob '), named(5, 'bob-2')]
  const { users: planned, changed } = await planOf({ users }, { paths: ['/bob/'] })
  assert.deepEqual(
    planned.map(({ id, username }) => [id, username]),
    [
      [1, 'admin'],
      [2, 'BOB'],
      [3, 'bob-3'],
      [4, 'Bob-4'],
      [5, 'bob-2'],
    ],
  )
  assert.equal(changed.length, 2)
  assert.match(changed[0] ?? '', /^user "bob": is "bob-3" from now on, with the same password/)
})

test('a user whose name or scope is none does not come, and neither do the links', async () => {
  const users = [
    storedAdmin(),
    storedUser({ username: '\u200b' }),
    storedUser({ id: 3, username: 'x'.repeat(300) }),
    storedUser({ id: 4, scope: `/${'y'.repeat(256)}` }),
  ]
  const links = [{ hash: 'abcdefgh', path: '/a', userID: 4, expire: 0 }]
  const { users: planned, left, links: plannedLinks } = await planOf({ users, links }, { paths: ['/a'] })
  assert.deepEqual(
    planned.map(({ id }) => id),
    [1],
  )
  assert.deepEqual(plannedLinks, [])
  assert.match(left[0] ?? '', /^user "\\u\{200b\}": has a name that nobody can see/)
  assert.match(left[2] ?? '', /has the scope "\/y+…", which is no path/)
  assert.match(left[3] ?? '', /link "abcdefgh" to "\/a": its owner, user 4, does not come or was deleted/)
})

test('without an administrator nothing comes', async () => {
  const { stops } = await planOf({ users: [storedUser()] })
  assert.match(stops.join(), /^None of the users is an administrator/)
})

test('what hides dot files denies them', async () => {
  const { user, changed } = await planOfUser({ hideDotfiles: true }, { paths: ['/bob/'] })
  assert.deepEqual(user?.rules, [{ allow: false, regex: true, path: '', regexp: { raw: '/\\.[^/]*$' } }])
  assert.match(changed.join(), /hides names that begin with a dot/)
})

test('a scope whose folder is not there is named', async () => {
  const { user, look, stops } = await planOfUser({ scope: '/home/bob' })
  assert.deepEqual([user?.scope, stops], ['/home/bob', []])
  assert.match(look.join(), /the folder of the scope, "\/home\/bob", is not there/)
})

test('more users than are possible stop the import with their number', async () => {
  const users = [
    storedAdmin(),
    ...Array.from({ length: 1000 }, (_, index) => storedUser({ id: index + 2, username: `user${index}` })),
  ]
  const { stops } = await planOf({ users })
  assert.match(stops.join(), /^There would be 1001 users, and at most 1000 are possible/)
})

const links = (...all: object[]) =>
  all.map((link, index) => ({ hash: `link-${index}`, path: '/a', userID: 2, expire: 0, ...link }))

test('links come with their hash, password and end, and lead to what is there', async () => {
  const password = `$2a$10$${'c'.repeat(53)}`
  const all = links(
    {},
    { path: '/folder/', expire: now + 5, password_hash: password, token: 'secret' },
    { path: '/a' },
    { path: '/none' },
    { expire: now - 5 },
  )
  const {
    links: planned,
    left,
    changed,
  } = await planOf({ users: [storedAdmin(), storedUser()], links: all }, { paths: ['/bob/a', '/bob/folder/', '/none'] })
  assert.deepEqual(planned, [
    { hash: 'link-0', userId: 2, path: '/bob/a', isDir: false, identity: 'object /bob/a', expire: 0 },
    { hash: 'link-1', userId: 2, path: '/bob/folder', isDir: true, identity: 'object /bob/folder', expire: now + 5, password },
    { hash: 'link-2', userId: 2, path: '/bob/a', isDir: false, identity: 'object /bob/a', expire: 0 },
  ])
  assert.deepEqual(left, ['links: 1 that have expired', 'link "link-3" to "/none": nothing is there'])
  assert.deepEqual(changed, ['the link "link-1": addresses that end with ?token= ask for the password now'])
})

for (const [what, link, user, reason] of [
  ['of a deleted owner', { userID: 8 }, {}, /its owner, user 8, does not come or was deleted/],
  ['whose owner may not share', {}, { perm: { ...storedUser().perm, share: false } }, /may not share or download/],
  ['whose owner may not download', {}, { perm: { ...storedUser().perm, download: false } }, /may not share or download/],
  ['with a password in another form', { password_hash: 'plain' }, {}, /its password is stored in another way/],
  ['with a hash that is none', { hash: '../x' }, {}, /its hash is none that a link can have/],
  ['to no path', { path: `/${'x'.repeat(300)}` }, {}, /it leads to no path/],
] as const)
  test(`a link ${what} does not come`, async () => {
    const { links: planned, left } = await planOf(
      { users: [storedAdmin(), storedUser(user)], links: links(link) },
      { paths: ['/bob/a'] },
    )
    assert.deepEqual(planned, [])
    assert.match(left.join(), reason)
  })

test('a link of an administrator who could not share does not come', async () => {
  const perm = { ...storedUser().perm, admin: true, share: false }
  const { links: planned, user } = await planOf({ users: [storedUser({ perm })], links: links({}) }, { paths: ['/bob/a'] })
  assert.deepEqual([planned, user?.perm.share], [[], true])
})

test('ids that no database has are refused: there must be others after them', () => {
  for (const lastId of [2 ** 31 + 1, 2 ** 52])
    assert.throws(() => readSource(bytesIn(databaseOf({ lastId }))), /an id of a user is no such number/)
})

test('users of an export come without global rules only when that is said', async () => {
  const source = readSources([fixture('users-2.63.yaml')])
  const asked = await makePlan(source, context({}))
  assert.match(asked.stops.join(), /^An export of users has no global rules, .*--without-settings/)
  assert.deepEqual((await makePlan(source, context({ answers: { withoutSettings: true } }))).stops, [])
  const both = await makePlan(readSources([fixture('users-2.63.yaml'), fixture('config-2.63.json')]), context({}))
  assert.deepEqual([both.stops, both.settings?.rules.length], [[], 3])
})

test('a link out of the scope of its owner does not come', async () => {
  const facts = memoryFacts(['/bob/a', '/other'])
  const leading = {
    ...facts,
    target: async (path: never) => (path === '/bob/a' ? facts.target('/other' as never) : facts.target(path)),
  }
  const source = readSource(bytesIn(databaseOf({ users: [storedAdmin(), storedUser()], links: links({}) })))
  const plan = await makePlan(source, { facts: leading, answers: noAnswers, now })
  assert.deepEqual(plan.links, [])
})

test('the database of 2.63 comes as its facts say', async () => {
  const paths = [
    '/bob/docs/plan.txt',
    '/carol/note.md',
    '/public/a b#c.txt',
    '/dave/',
    '/kiosk/',
    '/zoe/',
    '/ops/',
    '/homes/hana/',
    '/homes/signed-up/',
  ]
  const plan = await makePlan(readSources([fixture('filebrowser-2.63.db')]), context({ paths }))
  assert.deepEqual(plan.stops, [])
  assert.deepEqual([plan.users.length, plan.lastUserId], [9, 10])
  assert.deepEqual(
    plan.links.map(({ hash, path, expire, password }) => [hash, path, expire, password !== undefined]),
    [
      ['PRcuWkFV', '/public/a b#c.txt', 2110606507, false],
      ['V7otcAw6', '/public', 0, false],
      ['VR4vbh8u', '/bob/docs', 2110606507, true],
      ['w02LK-N_', '/bob/docs/plan.txt', 0, false],
      ['yYk6JnsS', '/bob/docs/plan.txt', 0, false],
    ],
  )
  assert.deepEqual(
    plan.users.find(({ username }) => username === 'carol')?.rules.map(({ allow, path, regexp }) => [allow, path || regexp.raw]),
    [
      [false, '^/private'],
      [true, '/private/shared'],
      [false, '(?i)\\.(key|pem)$'],
      [false, '^/\\d{4}-secret(/|$)'],
      [true, '\\.draft$'],
    ],
  )
  const { settings, server } = plan
  // New users had dot files hidden, which there is no setting for.
  assert.deepEqual([settings?.signup, settings?.createUserDir, settings?.shell], [false, true, ['/bin/sh', '-c']])
  assert.deepEqual(settings?.branding, {
    ...{ name: 'Müller & Söhne <Files>', disableExternal: true, disableUsedPercentage: true, theme: 'dark', color: '#ff8800' },
    ...{ files: '/etc/filebrowser/branding', css: '' },
  })
  assert.deepEqual(settings?.defaults, {
    ...{ scope: '/public', locale: 'fr', viewMode: 'mosaic', sorting: { by: 'size', asc: true }, commands: ['tree', 'du'] },
    perm: { admin: false, execute: false, create: true, rename: true, modify: true, delete: false, share: true, download: true },
  })
  assert.deepEqual(settings?.commands.after_upload, ['logger -t files "$USERNAME uploaded $FILE"', 'true &'])
  assert.deepEqual(server, { options: { address: '127.0.0.1', port: '8080', baseurl: '/files', 'token-lifetime': '8h' } })
})

test('the databases of 2.7.0 come, also the thumbnails that it stored as off', async () => {
  for (const [name, users] of [
    ['sample-small-v2.7.0.db', 3],
    ['sample-v2.7.0.db', 150],
  ] as const) {
    const plan = await makePlan(
      readSources([fixture(name)]),
      context({ paths: ['/a.txt', '/é #1.txt'], root: '/srv/family/pictures' }),
    )
    assert.deepEqual([plan.stops, plan.users.length, plan.links.length], [[], users, 3])
    assert.ok(!('no-thumbnails' in plan.server.options))
  }
})

test('of very many sentences that stop a plan the first are shown', async () => {
  const rules = (id: number) =>
    Array.from({ length: 100 }, (_, index) => ({ regex: true, allow: false, path: '', regexp: { raw: `(${id}-${index}` } }))
  const users = Array.from({ length: 30 }, (_, index) =>
    storedAdmin({ id: index + 1, username: `a${index}`, rules: rules(index) }),
  )
  assert.deepEqual((await planOf({ users })).stops.slice(100), ['More than that must be answered or mended'])
})

test('too many look-ups stop the plan for links, and leave paths on which releases differ without a name', async () => {
  const links = ['aaaaaaa1', 'aaaaaaa2', 'aaaaaaa3'].map((hash) => ({ hash, path: '/f', userID: 2, expire: 0 }))
  const deny = { regex: false, allow: false, path: '/secret', regexp: null }
  const records = { users: [storedAdmin({ rules: [deny] }), storedUser({ rules: [deny] })], links }
  const paths = ['/bob/f', '/secretX', '/bob/secretX']
  const plan = await planOf(records, { paths, budget: new PlanBudget({ links: 2, folders: 1 }) })
  assert.deepEqual(
    plan.links.map(({ hash }) => hash),
    ['aaaaaaa1', 'aaaaaaa2'],
  )
  assert.match(plan.left.join('\n'), /link "aaaaaaa3" to "\/f": there are more links than are looked for on the disk/)
  assert.match(plan.stops.join(), /^There are more links than are looked for on the disk/)
  assert.match(plan.look.join('\n'), /the rules: not all paths are named/)
  assert.deepEqual([plan.changed.length, plan.users[1]?.rules.length], [1, 1])
})

test('rules that take too long for links stop the plan', async () => {
  const links = [{ hash: 'aaaaaaa1', path: '/f', userID: 2, expire: 0 }]
  const plan = await planOf(
    { users: [storedAdmin(), storedUser()], links },
    { paths: ['/bob/f'], budget: new PlanBudget({ computing: 0 }) },
  )
  assert.deepEqual(plan.links, [])
  assert.match(plan.stops.join(), /^The expressions of the rules take too long/)
})
