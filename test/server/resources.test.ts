// Reading folders and files.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nastyNames } from '../support/nasty-names.ts'
import { allow, deny, only, startApp } from '../support/start-app.ts'

const app = await startApp(
  { after },
  {
    files: {
      'trip/b10.jpg': 'x',
      'trip/b9.jpg': 'xxxxx',
      'trip/Sub/': '',
      'trip/a.TXT': 'text',
      'notes.md': 'hello\n',
      empty: '',
      'bom.txt': '\ufeffmarked',
      'page.txt': Uint8Array.of(104, 105, 0, 1, 2),
      'late.txt': Buffer.concat([Buffer.alloc(600, 'a'), Buffer.of(0xff, 0xfe)]),
      'cut.txt': Buffer.from(`${'a'.repeat(511)}é`),
      'big.txt': Buffer.alloc((10 << 20) + 1, 'a'),
      'full.txt': Buffer.alloc(10 << 20, 'a'),
      'photo.png': 'not really',
      'unknown.zzz': 'plain text',
      '.bashrc': 'alias',
      Makefile: 'all:',
      'links/in': { link: '../notes.md' },
      'links/dir': { link: '../trip' },
      'links/out': { link: '/etc/hostname' },
      'links/broken': { link: 'nowhere' },
      'secret/plan.txt': 'hidden',
      'pub/link': { link: '../secret/plan.txt' },
    },
    users: {
      ann: { rules: [deny('/secret')] },
      reader: { perm: only('download') },
      looker: { perm: only('modify') },
      inside: { scope: '/trip' },
      narrow: { rules: [deny('/'), allow('/trip')] },
      sorted: { sorting: { by: 'size', asc: false } },
    },
  },
)
const ann = await app.as('ann')

test('a folder has its fields, its items sorted and counted', async () => {
  const folder = await ann.read('/trip')
  const { items = [], modified, ...rest } = folder
  assert.deepEqual(rest, {
    path: '/trip',
    name: 'trip',
    size: rest.size,
    extension: '',
    mode: 2 ** 31 + 0o755,
    isDir: true,
    isSymlink: false,
    type: '',
    numDirs: 1,
    numFiles: 3,
    sorting: { by: 'name', asc: true },
  })
  assert.match(modified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d*[1-9])?(Z|[+-]\d\d:\d\d)$/)
  assert.deepEqual(
    items.map(({ name, path, type, extension, isDir }) => [name, path, type, extension, isDir]),
    [
      ['Sub', '/trip/Sub', '', '', true],
      ['a.TXT', '/trip/a.TXT', 'text', '.TXT', false],
      ['b9.jpg', '/trip/b9.jpg', 'image', '.jpg', false],
      ['b10.jpg', '/trip/b10.jpg', 'image', '.jpg', false],
    ],
  )
  const sizes = items.filter(({ isDir }) => !isDir).map(({ name, size }) => [name, size])
  assert.deepEqual(Object.fromEntries(sizes), { 'a.TXT': 4, 'b9.jpg': 5, 'b10.jpg': 1 })
})

test('a text file includes its text', async () => {
  const { modified: _, ...file } = await ann.read('/notes.md')
  assert.deepEqual(file, {
    path: '/notes.md',
    name: 'notes.md',
    size: 6,
    extension: '.md',
    mode: 0o644,
    isDir: false,
    isSymlink: false,
    type: 'text',
    content: 'hello\n',
  })
})

for (const [path, type, content] of [
  ['/empty', 'text', undefined],
  ['/bom.txt', 'text', '\ufeffmarked'],
  ['/page.txt', 'blob', undefined],
  ['/late.txt', 'blob', undefined],
  ['/cut.txt', 'text', `${'a'.repeat(511)}é`],
  ['/big.txt', 'blob', undefined],
  ['/photo.png', 'image', undefined],
  ['/unknown.zzz', 'text', 'plain text'],
  ['/.bashrc', 'text', 'alias'],
  ['/Makefile', 'text', 'all:'],
] as const) {
  test(`${path} is ${type}${content === undefined ? ', without content' : ''}`, async () => {
    const file = await ann.read(path)
    assert.deepEqual([file.type, file.content], [type, content])
  })
}

test('texts of up to 10 MiB include their content, because editors would otherwise save an empty text', async () => {
  assert.equal((await ann.read('/full.txt')).content?.length, 10 << 20)
})

test('text is immutable without the permission to modify', async () => {
  assert.equal((await (await app.as('reader')).read('/notes.md')).type, 'textImmutable')
})

test('without the permission to download there is no text, no kind from the bytes and no checksum', async () => {
  const looker = await app.as('looker')
  const { type, content } = await looker.read('/notes.md')
  assert.deepEqual([type, content], ['text', undefined])
  assert.equal((await looker.read('/unknown.zzz')).type, 'blob')
  assert.equal((await looker.get('/notes.md', 'checksum=md5')).status, 403)
})

test('a checksum replaces the content', async () => {
  const answer = await ann.get('/notes.md', 'checksum=md5')
  const { checksums, content } = (await answer.json()) as { checksums: unknown; content: unknown }
  assert.deepEqual([checksums, content], [{ md5: 'b1946ac92492d2347c6235b4d2611184' }, undefined])
  // As sha1sum and its siblings say.
  const digests = {
    sha1: 'f572d396fae9206628714fb2ce00f72e94f2258f',
    sha256: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
    sha512:
      'e7c22b994c59d9cf2b48e549b1e24666636045930d3da7c1acb299d1c3b7f931f94aae41edda2c2b207a36e10f8bcb8d45223e54878f5b316e7ce3b6bc019629',
  }
  for (const [name, digest] of Object.entries(digests)) {
    const { checksums } = (await (await ann.get('/notes.md', `checksum=${name}`)).json()) as { checksums: unknown }
    assert.deepEqual(checksums, { [name]: digest })
  }
})

test('an unknown checksum is refused, without the parameter there is none, and a folder has none', async () => {
  assert.equal((await ann.get('/notes.md', 'checksum=MD5')).status, 400)
  assert.equal((await ann.get('/notes.md', 'checksum=')).status, 200)
  assert.equal((await ann.get('/trip', 'checksum=crc')).status, 200)
})

test('the root has an empty name', async () => {
  for (const address of ['/api/resources', '/api/resources/']) {
    const root = (await (await ann.ask('GET', address)).json()) as { path: string; name: string; extension: string }
    assert.deepEqual([root.path, root.name, root.extension], ['/', '', ''])
  }
  assert.equal((await (await app.as('inside')).read('/')).name, '')
})

test('nothing outside the scope is visible', async () => {
  const inside = await app.as('inside')
  assert.deepEqual(await inside.list('/'), ['Sub', 'a.TXT', 'b9.jpg', 'b10.jpg'])
  assert.equal((await inside.get('/notes.md')).status, 404)
})

test('what is missing is 404, also below a file', async () => {
  assert.equal((await ann.get('/none')).status, 404)
  assert.equal((await ann.get('/notes.md/x')).status, 404)
})

test('what a rule hides is refused without a look at the disk, and is not listed', async () => {
  assert.equal((await ann.get('/secret')).status, 403)
  assert.equal((await ann.get('/secret/nothing')).status, 403)
  assert.equal((await ann.get('//secret/./plan.txt')).status, 403)
  assert.ok(!(await ann.list('/')).includes('secret'))
  assert.equal((await ann.get('/pub/link')).status, 403)
})

test('a folder may be reachable in a root that is not', async () => {
  const narrow = await app.as('narrow')
  assert.equal((await narrow.get('/')).status, 403)
  assert.equal((await narrow.list('/trip')).length, 4)
})

test('links: inside is followed, outside and broken are shown and marked', async () => {
  const { items = [] } = await ann.read('/links')
  const shown = Object.fromEntries(
    items.map(({ name, isDir, isSymlink, unreachable }) => [name, [isDir, isSymlink, unreachable]]),
  )
  assert.deepEqual(shown, {
    in: [false, true, undefined],
    dir: [true, true, undefined],
    out: [false, true, 'outside'],
    broken: [false, true, 'broken'],
  })
  assert.equal((await ann.read('/links/in')).content, 'hello\n')
  assert.equal((await ann.list('/links/dir')).length, 4)
  assert.equal((await ann.get('/links/out')).status, 403)
  assert.equal((await ann.get('/links/broken')).status, 404)
})

test('a FIFO is listed, shown and never opened', async () => {
  execFileSync('mkfifo', [join(app.root, 'trip/Sub/pipe')])
  const [pipe] = (await ann.read('/trip/Sub')).items ?? []
  assert.deepEqual([pipe?.unreachable, pipe?.type, pipe && pipe.mode >= 2 ** 25], ['special', 'blob', true])
  assert.equal((await ann.get('/trip/Sub/pipe')).status, 200)
  assert.equal((await ann.get('/trip/Sub/pipe', 'checksum=md5')).status, 403)
  assert.equal((await ann.raw('/trip/Sub/pipe')).status, 403)
})

test('a video names its subtitles, in a listing and alone', async () => {
  for (const name of ['m.mp4', 'm.en.srt', 'm.vtt', 'n.srt']) await ann.upload(`/videos/${name}`, 'x')
  const { items = [] } = await ann.read('/videos')
  assert.deepEqual(items.flatMap(({ subtitles }) => subtitles ?? []).sort(), ['/videos/m.en.srt', '/videos/m.vtt'])
  assert.deepEqual((await ann.read('/videos/m.mp4')).subtitles?.sort(), ['/videos/m.en.srt', '/videos/m.vtt'])
  assert.equal((await ann.read('/videos/n.srt')).subtitles, undefined)
})

test('sorting is that of the user', async () => {
  assert.deepEqual(await (await app.as('sorted')).list('/trip'), ['b9.jpg', 'a.TXT', 'b10.jpg', 'Sub'])
})

test('mode and time are those of the disk', async () => {
  chmodSync(join(app.root, 'empty'), 0o4751)
  utimesSync(join(app.root, 'empty'), 0, 1_600_000_300)
  const { mode, modified } = await ann.read('/empty')
  assert.deepEqual([mode, Date.parse(modified)], [2 ** 23 + 0o751, 1_600_000_300_000])
})

test('every unusual name is uploaded, listed, downloaded and deleted', async () => {
  for (const name of nastyNames) {
    const path = `/nasty/${name}`
    assert.equal((await ann.upload(path, `in ${name}`)).status, 200, JSON.stringify(name))
    assert.deepEqual(await ann.list('/nasty'), [name])
    assert.equal(await (await ann.raw(path)).text(), `in ${name}`)
    assert.equal((await ann.remove(path)).status, 200)
  }
})

test('a listing answers HEAD with its headers alone', async () => {
  const head = await ann.ask('HEAD', '/api/resources/trip')
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('content=false leaves the text out', async () => {
  const read = async (query: string) => (await (await ann.get('/bom.txt', query)).json()) as { type: string; content?: string }
  assert.deepEqual((({ type, content }) => [type, content])(await read('content=false')), ['text', undefined])
  for (const query of ['content=true', 'content=', 'content=0']) assert.equal((await read(query)).content, '\ufeffmarked', query)
})
