// What is read of databases and exports of File Browser.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { stringify } from 'yaml'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { readSource, readSources } from '../../src-server/import/read-source.ts'
import { bytesIn, isLockListed, SourceFault } from '../../src-server/import/source-file.ts'
import { boltOf } from '../support/bolt-writer.ts'
import { databaseContent, databaseOf, storedAdmin, storedServer, storedSettings, storedUser } from '../support/file-browser.ts'

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/filebrowser', name)
const read = (file: Buffer | string) => readSource(bytesIn(Buffer.from(file as Buffer)))

test('the database of 2.63 has all that its facts say', () => {
  const { users, links, settings, server, auther, lastId, unknown, state } = readSources([fixture('filebrowser-2.63.db')])
  assert.deepEqual(
    users.map(({ id, username, scope }) => [id, username, scope]),
    [
      [1, 'admin', '/'],
      [2, 'bob', '/bob'],
      [3, 'carol', '/carol'],
      [4, 'dave', '/dave'],
      [5, 'kiosk', '/kiosk'],
      [6, 'zoë müller', '/zoe'],
      [7, 'ops', '/ops'],
      [9, 'hana', '/homes/hana'],
      [10, 'signed up', '/homes/signed-up'],
    ],
  )
  const [, bob, carol, dave, kiosk, zoe] = users
  assert.deepEqual([bob?.sorting, bob?.locale, bob?.viewMode], [{ by: 'size', asc: false }, 'de', 'mosaic'])
  assert.deepEqual(
    carol?.rules?.map(({ path, regexp, allow }) => [allow, regexp?.raw ?? path]),
    [
      [false, '/private'],
      [true, '/private/shared'],
      [false, '(?i)\\.(key|pem)$'],
      [false, '^/\\d{4}-secret(/|$)'],
      [true, '\\.draft$'],
    ],
  )
  assert.deepEqual([dave?.commands, dave?.aceEditorTheme], [['git', 'ls', 'echo'], 'monokai'])
  assert.deepEqual([kiosk?.lockPassword, kiosk?.perm.create, kiosk?.perm.download], [true, false, true])
  assert.deepEqual([zoe?.viewMode, zoe?.hideDotfiles, zoe?.dateFormat, zoe?.singleClick], ['mosaic gallery', true, true, true])
  assert.deepEqual(
    links.map(({ hash, userID, path, expire }) => [hash, userID, path, expire]),
    [
      ['PRcuWkFV', 1, '/public/a b#c.txt', 2110606507],
      ['UDje07OM', 8, '/a b#c.txt', 0],
      ['V7otcAw6', 1, '/public/', 0],
      ['VR4vbh8u', 2, '/docs', 2110606507],
      ['mizsk5vE', 3, '/note.md', 1795246508],
      ['w02LK-N_', 2, '/docs/plan.txt', 0],
      ['yYk6JnsS', 2, '/docs/plan.txt', 0],
    ],
  )
  const locked = links.find(({ hash }) => hash === 'VR4vbh8u')
  assert.match(locked?.password_hash ?? '', /^\$2a\$10\$.{53}$/)
  assert.equal(locked?.token?.length, 128)
  assert.equal(settings?.branding?.name, 'Müller & Söhne <Files>')
  assert.deepEqual([settings?.fileMode, settings?.dirMode, settings?.minimumPasswordLength], [0o644, 0o755, 8])
  assert.deepEqual([settings?.userHomeBasePath, settings?.logoutPage, settings?.hideLoginButton], ['/homes', '/bye', true])
  assert.equal(settings?.commands?.before_save?.[0], 'echo <b>&"quoted"</b>')
  assert.deepEqual([server?.root, server?.baseURL, server?.port, server?.tokenExpirationTime], ['/srv', '/files', '8080', '8h'])
  assert.deepEqual(auther, { recaptcha: null })
  assert.deepEqual([lastId, unknown, typeof state?.transaction, state?.isPrevious], [10, [], 'bigint', false])
})

test('the databases of 2.7.0 have all that their facts say', () => {
  const small = readSources([fixture('sample-small-v2.7.0.db')])
  assert.deepEqual(
    small.users.map(({ id, username }) => [id, username]),
    [
      [1, 'admin'],
      [2, 'user0é'],
      [4, 'user2é'],
    ],
  )
  assert.deepEqual(
    small.links.map(({ hash, expire }) => [hash, expire]),
    [
      ['C1iUhFVX', 0],
      ['sYFimWp0', 1795998229],
      ['uZXXKgZ_', 0],
    ],
  )
  assert.equal(small.lastId, 4)
  const large = readSources([fixture('sample-v2.7.0.db')])
  assert.deepEqual([large.users.length, large.settings?.rules?.length, large.links.length], [150, 300, 3])
  assert.deepEqual(large.settings?.rules?.[299], { regex: false, allow: true, path: '/r299', regexp: { raw: '' } })
  assert.deepEqual([large.server?.root, large.server?.port, large.unknown], ['/srv/family/pictures', '18278', []])
})

/** As Go writes YAML: the names of fields in lower case. */
function lowerCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), lowerCased(field)]))
}

const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '^/x' } }]
const users = [storedAdmin(), storedUser({ id: 5, username: 'zoë: "m"', rules, commands: ['git'], lockPassword: true })]
const config = { settings: storedSettings({ rules, createUserDir: true }), server: storedServer(), auther: { recaptcha: null } }

for (const [format, write] of [
  ['JSON', (value: unknown) => JSON.stringify(value, undefined, 4)],
  ['YAML', (value: unknown) => stringify(lowerCased(value))],
] as const)
  test(`exports in ${format} are read as the database is`, () => {
    const whole = read(databaseOf({ users, settings: config.settings, lastId: 5 }))
    assert.deepEqual(read(write(users)).users, whole.users)
    const { settings, server, auther } = read(write(config))
    assert.deepEqual({ settings, server, auther }, { settings: whole.settings, server: whole.server, auther: whole.auther })
    assert.deepEqual(whole.users, users)
  })

for (const format of ['json', 'yaml'])
  test(`what 2.63.23 exports as ${format} is what its database holds`, () => {
    const exported = readSources([fixture(`users-2.63.${format}`), fixture(`config-2.63.${format}`)])
    const database = readSources([fixture('filebrowser-2.63.db')])
    assert.deepEqual([exported.users, exported.auther, exported.unknown], [database.users, database.auther, []])
    // The key is a text in one and a list of numbers in the other.
    assert.deepEqual({ ...exported.settings, key: '' }, { ...database.settings, key: '' })
    const { imageResolutionCal, caseInsensitiveFs: _, ...server } = exported.server ?? { root: '' }
    const other = imageResolutionCal === undefined ? {} : { imageResolutionCalculation: imageResolutionCal }
    assert.deepEqual({ ...server, ...other }, database.server)
  })

const withoutField = (record: object, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => field !== name))

for (const name of ['id', 'username', 'password', 'scope', 'perm', 'rules', 'lockPassword'])
  test(`a user without ${name} is refused: what it stands for when it is missing could be more`, () => {
    const user = withoutField(storedUser(), name)
    assert.throws(
      () => read(JSON.stringify([user])),
      (error) => error instanceof SourceFault && error.message.includes('user 1'),
    )
  })

for (const [what, reason, content] of [
  ['an empty file', /^is empty$/, ''],
  ['a list of texts', /^is damaged: user 1 of the export/, '["admin"]'],
  ['JSON of another program', /holds neither users nor settings/, '{"users":[]}'],
  ['a broken text', /the export is not JSON/, '[{'],
  ['prose', /holds neither users nor settings/, 'These are not the settings.'],
  ['YAML that repeats itself', /nor an export of it in JSON or YAML/, `a: &a [x]\nb: [${'*a,'.repeat(1000)}]`],
  ['JSON that is nested without end', /the export is not JSON/, '['.repeat(1 << 17)],
  [
    'YAML of more than 512 KiB',
    /^is longer than what is read .* import the database itself, or an export .* \.json$/,
    `- ${'x'.repeat(512 << 10)}`,
  ],
  ['YAML that is nested without end', /nor an export of it/, `- ${'['.repeat(20_000)}`],
  [
    'two users with one id',
    /user 2 of the export has the id 2, which is another's/,
    JSON.stringify([storedUser(), storedUser({ username: 'eve' })]),
  ],
] as const)
  test(`${what} is refused with its reason`, () => {
    assert.throws(
      () => read(content),
      (error) => error instanceof SourceFault && reason.test(error.message),
    )
  })

const changedBucket = (name: string, change: (entries: readonly (readonly [string | Buffer, unknown])[]) => unknown) =>
  boltOf(
    databaseContent({ users: [storedAdmin(), storedUser()] }).map(([bucket, value]) =>
      bucket === name ? [bucket, { bucket: change((value as { bucket: [] }).bucket) as [] }] : [bucket, value],
    ),
  )

for (const [what, reason, file] of [
  [
    'of File Browser 1',
    /was written by File Browser 1/,
    boltOf([
      [
        'config',
        {
          bucket: [
            ['key', '"x"'],
            ['commands', '{}'],
          ],
        },
      ],
    ]),
  ],
  ['of another program', /holds no settings/, boltOf([['things', { bucket: [['a', 'b']] }]])],
  [
    'in another version',
    /is in version 3 of its content/,
    changedBucket('config', (entries) => entries.map(([key, value]) => [key, key === 'version' ? '3' : value])),
  ],
  [
    'in another encoding',
    /another encoding than JSON/,
    changedBucket('User', (entries) =>
      entries.map(([key, value]) => [key, key === '__storm_metadata' ? { bucket: [['codec', 'gob']] } : value]),
    ),
  ],
  [
    'with a user under another id',
    /user 2 says that it is user 1/,
    changedBucket('User', (entries) =>
      entries.map(([key, value]) => [key, Buffer.isBuffer(key) && key[7] === 2 ? JSON.stringify(storedAdmin()) : value]),
    ),
  ],
  [
    'with a record that is no JSON',
    /a record of "User" is not JSON/,
    changedBucket('User', (entries) => entries.map(([key, value]) => [key, Buffer.isBuffer(key) ? '{' : value])),
  ],
] as const)
  test(`a database ${what} is refused with its reason`, () => {
    assert.throws(
      () => read(file),
      (error) => error instanceof SourceFault && reason.test(error.message),
    )
  })

test('fields that no version writes are named, and dropped', () => {
  const { users: found, unknown } = read(
    databaseOf({ users: [storedUser({ __proto__: null, quota: 5, perm: { ...storedUser().perm, root: true } })] }),
  )
  assert.deepEqual(found, [storedUser()])
  assert.deepEqual(unknown, ['user 2: root', 'user 2: quota'])
})

test('the sentence names the file', () => {
  assert.throws(
    () => readSources([join(import.meta.dirname, 'nothing.db')]),
    (error) => error instanceof StartupError && /nothing\.db does not exist\.$/.test(error.message),
  )
  assert.throws(
    () => readSources([fixture('filebrowser-2.63.db'), fixture('filebrowser-2.63.db')]),
    /^StartupError: Two files are imported together only/,
  )
})

for (const [what, lock, isListed] of [
  ['by the device of its status', 'FLOCK  ADVISORY  WRITE 32694 fe:00:300 0 EOF', true],
  ['by the device of its file system, which is another one on btrfs', 'FLOCK  ADVISORY  WRITE 32694 00:23:300 0 EOF', true],
  ['of another file', 'FLOCK  ADVISORY  WRITE 32694 00:23:301 0 EOF', false],
  ['of a file of another mount', 'FLOCK  ADVISORY  WRITE 32694 00:24:300 0 EOF', false],
  ['for reading', 'FLOCK  ADVISORY  READ 32694 00:23:300 0 EOF', false],
  ['of another kind', 'POSIX  ADVISORY  WRITE 32694 00:23:300 0 EOF', false],
] as const)
  test(`a lock ${what} ${isListed ? 'is one' : 'is none'} of a running File Browser`, () => {
    const kernel = {
      fdinfo: 'pos:\t0\nflags:\t0100000\nmnt_id:\t40\nino:\t300\n',
      locks: `1: POSIX  ADVISORY  READ 1 fe:00:7 0 EOF\n2: ${lock}\n`,
      mountinfo: '39 27 0:36 / /x rw - tmpfs x rw\n40 27 0:35 /@ /srv rw,relatime - btrfs /dev/sda2 rw,subvol=/@\n',
    }
    assert.equal(isLockListed(kernel, { ino: 300n, device: '254:0' }), isListed)
    assert.equal(isLockListed({ fdinfo: '', locks: '', mountinfo: '' }, { ino: 300n, device: '254:0' }), false)
  })
