// Downloads of folders and of several entries as one archive.
import assert from 'node:assert/strict'
import { chmodSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zipped } from '../support/archive-calls.ts'
import { nameInZip, nastyNames } from '../support/nasty-names.ts'
import { readZip } from '../support/read-zip.ts'
import { deny, only, startApp } from '../support/start-app.ts'

const app = await startApp(
  { after },
  {
    files: {
      'trip/notes.txt': 'notes',
      'trip/day 1/a.jpg': 'a',
      'trip/day 1/raw/b.raw': 'b',
      'trip/day 2/c.jpg': 'c',
      'trip/empty/': '',
      'trip/secret/d.txt': 'hidden',
      'single.txt': 'single',
      'secret.txt': 'hidden',
      'a,b.txt': 'comma',
      'a+b c%2F.txt': 'plus',
      'links/in.txt': { link: '../single.txt' },
      'links/folder': { link: '../trip/day 1' },
      'links/up': { link: '..' },
      'links/out': { link: '/etc' },
      'links/broken': { link: 'nowhere' },
      'links/hidden': { link: '../trip/secret' },
      'slashes/a\\b': 'first',
      'slashes/a_b': 'second',
      ...Object.fromEntries(nastyNames.map((name) => [`nasty/${name}`, name])),
    },
    users: { ann: { rules: [deny('/secret.txt'), deny('/trip/secret')] }, looker: { perm: only('modify') } },
  },
)
const ann = await app.as('ann')

test('a folder is a zip archive of what it holds, counted from the folder', async () => {
  const expected = {
    'day 1/': '',
    'day 1/a.jpg': 'a',
    'day 1/raw/': '',
    'day 1/raw/b.raw': 'b',
    'day 2/': '',
    'day 2/c.jpg': 'c',
    'empty/': '',
    'notes.txt': 'notes',
  }
  for (const algo of ['', 'algo=zip', 'algo=', 'algo=true']) assert.deepEqual(await zipped(ann, '/trip', algo), expected, algo)
})

for (const [path, query, name] of [
  ['/trip', '', 'trip.zip'],
  ['/trip/', '', 'trip.zip'],
  ['/', '', 'archive.zip'],
  ['/trip', 'algo=tar', 'trip.tar'],
  ['/trip', 'algo=targz', 'trip.tar.gz'],
  ['/trip', 'algo=tarbz2', 'trip.tar.bz2'],
  ['/trip', 'algo=tarxz', 'trip.tar.xz'],
  ['/trip', 'algo=tarlz4', 'trip.tar.lz4'],
  ['/trip', 'algo=tarsz', 'trip.tar.sz'],
  ['/trip', 'files=day%201', 'day 1.zip'],
  ['/trip', 'files=notes.txt', 'notes.txt.zip'],
  ['/trip', 'files=notes.txt,day%201', '_trip.zip'],
  ['/', 'files=trip/day%201/a.jpg,trip/day%202', '_trip.zip'],
  ['/', 'files=trip,single.txt', 'archive.zip'],
] as const)
  test(`GET ${path}?${query} is called ${name}`, async () => {
    const answer = await ann.raw(path, query)
    const { headers } = answer
    await answer.body?.cancel()
    assert.equal(answer.status, 200)
    const disposition = `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`
    const types = {
      zip: 'application/zip',
      tar: 'application/x-tar',
      gz: 'application/gzip',
      bz2: 'application/x-bzip2',
      xz: 'application/x-xz',
      lz4: 'application/x-lz4',
      sz: 'application/x-snappy-framed',
    }
    assert.deepEqual(
      Object.fromEntries(headers.entries().filter(([key]) => /^(content|accept|x-|cross|cache|transfer)/.test(key))),
      {
        'accept-ranges': 'none',
        'cache-control': 'private, no-cache',
        'content-disposition': disposition,
        'content-security-policy': "sandbox; default-src 'none'",
        'content-type': types[name.split('.').at(-1) as 'zip'],
        'cross-origin-resource-policy': 'same-origin',
        'transfer-encoding': 'chunked',
        'x-content-type-options': 'nosniff',
      },
    )
  })

const lists: readonly (readonly [list: string, expected: Record<string, string>])[] = [
  ['trip/notes.txt', { 'notes.txt': 'notes' }],
  ['/trip/notes.txt', { 'notes.txt': 'notes' }],
  ['%2Ftrip%2Fnotes.txt', { 'notes.txt': 'notes' }],
  ['%252Ftrip%252Fnotes.txt', { 'notes.txt': 'notes' }],
  ['single.txt,trip/notes.txt', { 'single.txt': 'single', 'trip/notes.txt': 'notes' }],
  ['trip/notes.txt,trip/notes.txt,/trip//notes.txt', { 'notes.txt': 'notes' }],
  ['trip/day%201,trip/day%201/raw/b.raw', { 'a.jpg': 'a', 'raw/': '', 'raw/b.raw': 'b' }],
  ['trip/day%201/raw,trip/day%202', { 'day 1/raw/': '', 'day 1/raw/b.raw': 'b', 'day 2/': '', 'day 2/c.jpg': 'c' }],
  ['a%252Cb.txt', { 'a,b.txt': 'comma' }],
  ['a%252Bb%2520c%25252F.txt,single.txt', { 'a+b c%2F.txt': 'plus', 'single.txt': 'single' }],
  [',,single.txt,', { 'single.txt': 'single' }],
]
for (const [list, expected] of lists)
  test(`files=${list} holds ${Object.keys(expected).join(', ')}`, async () => {
    assert.deepEqual(await zipped(ann, '/', `files=${list}`), expected)
  })

test('for a file the format and the list are ignored', async () => {
  const answer = await ann.raw('/single.txt', 'algo=rar&files=none')
  assert.deepEqual([answer.status, await answer.text()], [200, 'single'])
})

for (const [path, query, status] of [
  ['/trip', 'algo=rar', 400],
  ['/none', '', 404],
  ['/', 'files=single.txt,none', 404],
  ['/', 'files=trip,trip/none', 404],
  ['/', 'files=links/broken', 404],
  ['/secret.txt', '', 403],
  ['/trip/secret', '', 403],
  ['/', 'files=single.txt,secret.txt', 403],
  ['/', 'files=trip,trip/secret', 403],
  ['/', 'files=none,secret.txt', 403],
  ['/', 'files=links/out', 403],
  ['/', 'files=links/hidden', 403],
  ['/trip', 'files=../single.txt', 400],
  ['/trip', 'files=..%2Fsingle.txt', 400],
  ['/trip', 'files=%252e%252e/single.txt', 400],
  ['/', 'files=a%2500b', 400],
] as const)
  test(`GET ${path}?${query} is refused with ${status} before the first byte`, async () => {
    const answer = await ann.raw(path, query)
    assert.equal(answer.status, status, await answer.text())
    assert.equal(answer.headers.get('content-disposition'), null)
  })

test('without the permission to download there is no archive', async () => {
  assert.equal((await (await app.as('looker')).raw('/trip')).status, 403)
  assert.equal((await app.principal().raw('/trip')).status, 401)
})

test('a list has at most 10,000 names', async () => {
  const list = (length: number) => `files=${Array.from({ length }, () => 'x').join(',')}`
  assert.equal((await ann.raw('/', list(10_000))).status, 404)
  assert.equal((await ann.raw('/', list(10_001))).status, 400)
})

test('HEAD says what GET would, and packs nothing', async () => {
  const answer = await ann.ask('HEAD', '/api/raw/trip?algo=tar')
  assert.deepEqual([answer.status, answer.headers.get('content-type'), await answer.text()], [200, 'application/x-tar', ''])
  assert.match(answer.headers.get('content-disposition') ?? '', /"trip\.tar"/)
  assert.equal(answer.headers.get('content-length'), null)
  assert.equal((await ann.ask('HEAD', '/api/raw/trip?files=none')).status, 404)
})

test('links inside are followed; what leads out, nowhere, to a hidden folder or back is named in a last entry', async () => {
  const files = await zipped(ann, '/links')
  const { '_not-included.txt': list = '', ...others } = files
  assert.deepEqual(others, { 'folder/': '', 'folder/a.jpg': 'a', 'folder/raw/': '', 'folder/raw/b.raw': 'b', 'in.txt': 'single' })
  assert.equal(Object.keys(files).at(-1), '_not-included.txt')
  assert.deepEqual(list.split('\n').slice(2, -1).sort(), [
    'broken: a link that leads nowhere',
    'hidden: a link that leads out of your files',
    'out: a link that leads out of your files',
    'up: a link that leads back to a folder around it',
  ])
})

test('every name is in the archive, in zip with _ for a backslash', async () => {
  const files = await zipped(ann, '/nasty')
  const expected = Object.fromEntries(nastyNames.map((name) => [nameInZip(name), name]))
  assert.deepEqual(files, expected)
})

test('in zip a backslash becomes _, and no other file is lost for it', async () => {
  const files = await zipped(ann, '/slashes')
  assert.deepEqual(Object.keys(files).sort(), ['a_b', 'a_b(1)'])
  assert.deepEqual(Object.values(files).sort(), ['first', 'second'])
})

test('dates and permissions are kept', async (t) => {
  const { root, as } = await startApp(t, { files: { 'run.sh': '#!', 'private/': '' } })
  // With setuid, setgid and sticky, which are left out.
  chmodSync(join(root, 'run.sh'), 0o6751)
  chmodSync(join(root, 'private'), 0o1700)
  utimesSync(join(root, 'run.sh'), 0, 1_600_000_300)
  const answer = await (await as('ann')).raw('/')
  const { entries } = readZip([new Uint8Array(await answer.arrayBuffer())])
  const facts = entries.map(({ name, mode, timestamp }) => [name, mode.toString(8), name === 'run.sh' && timestamp])
  assert.deepEqual(facts.sort(), [
    ['private/', '40700', false],
    ['run.sh', '100751', 1_600_000_300],
  ])
})
