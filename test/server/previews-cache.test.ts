// Previews are kept on disk, for those who may see them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { PreviewCache } from '../../src-server/previews/preview-cache.ts'
import { Previews } from '../../src-server/previews/previews.ts'
import { StoppedClock } from '../support/clock.ts'
import { picture, slowSvg } from '../support/pictures.ts'
import { deny, only, startApp, usual } from '../support/start-app.ts'
import { temporaryFolder } from '../support/tree.ts'

const red = await picture('png', 40, 30, 'red')
const blue = await picture('png', 40, 30, 'blue')
const key = { identity: '/a.png', version: 'v1', size: 'thumb' } as const
const signal = new AbortController().signal
const image = (byte: number, length = 100) => ({ type: 'image/webp', bytes: Buffer.alloc(length, byte) }) as const

/** A picture that counts how often it is read. */
function counted(bytes: Buffer) {
  const reads = { count: 0 }
  const read = async function* () {
    reads.count += 1
    yield bytes
  }
  return { reads, picture: { size: bytes.length, read } }
}

function open(t: TestContext, folder: string, clock = new StoppedClock(Date.now())) {
  const reports: unknown[] = []
  const cache = new PreviewCache({ folder, clock, report: (error) => reports.push(error) })
  const previews = new Previews({ cache })
  t.after(() => previews.close())
  return { cache, previews, clock, reports }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

test('a preview is made once, also across restarts, and again for another version, file or size', async (t) => {
  const folder = await temporaryFolder(t)
  const { reads, picture } = counted(red)
  const first = await open(t, folder).previews.make(key, picture, signal)
  const { previews } = open(t, folder)
  assert.deepEqual(await previews.kept(key), first)
  assert.deepEqual(await previews.make(key, picture, signal), first)
  assert.equal(reads.count, 1)
  for (const other of [{ version: 'v2' }, { identity: '/b.png' }, { size: 'big' as const }])
    assert.equal(await previews.kept({ ...key, ...other }), undefined)
})

test('a picture that cannot be decoded is not tried again for a day', async (t) => {
  const { previews, clock } = open(t, await temporaryFolder(t))
  const { reads, picture } = counted(Buffer.from('no picture'))
  const make = () => previews.make(key, picture, signal)
  await assert.rejects(make(), { code: 'unsupported', message: 'the picture cannot be decoded' })
  await assert.rejects(make(), { code: 'unsupported', message: 'the picture cannot be decoded' })
  await assert.rejects(previews.kept(key), { code: 'unsupported' })
  assert.equal(reads.count, 1)
  clock.advance({ hours: 25 })
  await assert.rejects(make(), { code: 'unsupported' })
  assert.equal(reads.count, 2)
})

test('a request that was aborted is no reason to refuse the next', async (t) => {
  const { previews } = open(t, await temporaryFolder(t))
  const { picture } = counted(red)
  await assert.rejects(previews.make(key, picture, AbortSignal.abort(new Error('left'))), /left/)
  assert.equal((await previews.make(key, picture, signal)).type, 'image/webp')
})

test('a file without a version is decoded each time', async (t) => {
  const { previews } = open(t, await temporaryFolder(t))
  const { reads, picture } = counted(red)
  for (const _ of [1, 2]) await previews.make({ ...key, version: '' }, picture, signal)
  assert.equal(reads.count, 2)
})

test('an entry that is cut short or damaged is made again', async (t) => {
  const folder = await temporaryFolder(t)
  const { previews } = open(t, folder)
  const { picture } = counted(red)
  const whole = await previews.make(key, picture, signal)
  const [file = ''] = filesIn(folder)
  const bytes = readFileSync(file)
  const damaged = Buffer.from(bytes)
  damaged[bytes.length - 1] = (damaged[bytes.length - 1] ?? 0) ^ 1
  for (const wrong of [bytes.subarray(0, -1), bytes.subarray(0, 5), Buffer.alloc(bytes.length), Buffer.alloc(0), damaged]) {
    writeFileSync(file, wrong)
    assert.equal(await previews.kept(key), undefined)
    assert.deepEqual(await previews.make(key, picture, signal), whole)
  }
})

test('only the user of the server can read the entries', async (t) => {
  const folder = join(await temporaryFolder(t), 'previews')
  const { cache } = open(t, folder)
  await cache.put('k', image(1))
  const [file = ''] = filesIn(folder)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
})

test('beyond the limit the least recently used entries are removed', async (t) => {
  const folder = await temporaryFolder(t)
  const clock = new StoppedClock(Date.now())
  const limited = () => new PreviewCache({ folder, clock, most: 5 * 4096 })
  const cache = limited()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await cache.put(name, image(1))
  await cache.get('a')
  await cache.put('f', image(1))
  await cache.settled()
  assert.equal(await cache.get('b'), undefined)
  assert.ok(await cache.get('a'))
  assert.equal(filesIn(folder).length, 5)
  await cache.put('wide', image(1, 3 * 4096))
  await cache.settled()
  assert.ok(await cache.get('wide'))
  assert.equal(filesIn(folder).length, 2)
})

test('after a restart the times of use still count, and what was left unfinished is removed', async (t) => {
  const folder = await temporaryFolder(t)
  const clock = new StoppedClock(Date.now())
  const limited = () => new PreviewCache({ folder, clock, most: 3 * 4096 })
  const first = limited()
  for (const name of ['a', 'b', 'c']) {
    await first.put(name, image(1))
    clock.advance({ hours: 2 })
    await first.get(name)
  }
  // Used last, a day later.
  clock.advance({ hours: 24 })
  await first.get('a')
  const [file = ''] = filesIn(folder)
  writeFileSync(`${file}.1234.part`, 'unfinished')
  utimesSync(`${file}.1234.part`, 0, 0)
  const second = limited()
  await second.put('d', image(1))
  await second.settled()
  assert.equal(await second.get('b'), undefined)
  assert.ok((await second.get('a')) && (await second.get('c')) && (await second.get('d')))
  assert.equal(filesIn(folder).length, 3)
})

test('a folder that cannot be written costs nothing but the time, and is reported once', async (t) => {
  const parent = await temporaryFolder(t)
  writeFileSync(join(parent, 'file'), '')
  const { previews, reports } = open(t, join(parent, 'file', 'previews'))
  const { picture } = counted(red)
  for (const _ of [1, 2]) assert.equal((await previews.make(key, picture, signal)).type, 'image/webp')
  assert.equal(reports.length, 1)
})

const colourOf = async (answer: Response) => (await sharp(Buffer.from(await answer.arrayBuffer())).stats()).dominant

test('while one user waits for two slow pictures, another gets a thumbnail', async (t) => {
  const files = { 'a.png': red, 'slow-1.svg': slowSvg, 'slow-2.svg': `${slowSvg}\n` }
  const app = await startApp(t, { files, users: { ann: {}, bob: {} } })
  const left = new AbortController()
  const ann = await app.as('ann')
  const slow = ['slow-1.svg', 'slow-2.svg'].map((name) =>
    ann.ask('GET', `/api/preview/thumb/${name}`, { signal: left.signal }).then(
      () => 'answered',
      () => 'aborted',
    ),
  )
  const answer = await (await app.as('bob')).ask('GET', '/api/preview/thumb/a.png')
  assert.equal(answer.status, 200)
  left.abort()
  assert.deepEqual(await Promise.all(slow), ['aborted', 'aborted'])
})

test('rights are asked before the cache', async (t) => {
  const app = await startApp(t, {
    files: { 'a.png': red },
    users: { ann: {}, bare: { perm: only() }, blocked: { rules: [deny('/a.png')] } },
  })
  assert.equal((await (await app.as('ann')).ask('GET', '/api/preview/thumb/a.png')).status, 200)
  for (const name of ['bare', 'blocked']) {
    assert.equal((await (await app.as(name)).ask('GET', '/api/preview/thumb/a.png')).status, 403, name)
  }
  assert.equal((await app.principal().ask('GET', '/api/preview/thumb/a.png')).status, 401)
})

test('files of the same name in two scopes, and a file that was replaced, have their own previews', async (t) => {
  const app = await startApp(t, {
    files: { 'ann/a.png': red, 'bob/a.png': blue },
    users: { ann: { scope: '/ann' }, bob: { scope: '/bob', perm: usual } },
  })
  // The same time and size: only the place of the file differs.
  const times = new Date()
  for (const name of ['ann', 'bob']) utimesSync(join(app.root, name, 'a.png'), times, times)
  const ask = async (name: string) => colourOf(await (await app.as(name)).ask('GET', '/api/preview/thumb/a.png'))
  assert.ok((await ask('ann')).r > 200)
  assert.ok((await ask('bob')).b > 200)
  await (await app.as('ann')).save('/a.png', blue)
  assert.ok((await ask('ann')).b > 200)
})

test('the cache stays inside its own folder of the cache directory', async (t) => {
  const app = await startApp(t, { files: { 'a.png': red } })
  await (await app.as('ann')).ask('GET', '/api/preview/thumb/a.png')
  const [file = ''] = filesIn(join(app.folder, 'cache'))
  assert.match(file, /\/cache\/previews\/[0-9a-f]{2}\/[0-9a-f]{64}$/)
})
