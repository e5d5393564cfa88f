// How downloads of links are counted, and links that end after some.
import assert from 'node:assert/strict'
import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Downloads } from '../../src-server/shares/downloads.ts'
import { Visits } from '../../src-server/shares/visits.ts'
import { type CountedDownload, downloadLog } from '../../src-server/state/download-log.ts'
import { Feed } from '../../src-server/state/feed.ts'
import type { StoredLink } from '../../src-server/state/state-data.ts'
import { StoppedClock } from '../support/clock.ts'
import { openDownload } from '../support/open-download.ts'
import { picture } from '../support/pictures.ts'
import { rawRequest } from '../support/raw-request.ts'
import { downloaded, share, sharesOf } from '../support/share-calls.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const files = { 'a.txt': 'content', 'd/b.txt': 'b', 'd/c.txt': 'c' }

async function start(t: TestContext, path: string, body: object = {}) {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const { hash } = await share(ann, path, body)
  const counted = async () => (await sharesOf(ann)).map(({ downloads }) => downloads)
  return { app, ann, hash, counted }
}

/** The status of a download from a local address. */
const from = async (app: TestApp, address: string, number: number, headers = {}): Promise<number> =>
  (await answerTo(app, address, number, headers)).status

async function answerTo(app: TestApp, address: string, number: number, headers = {}) {
  const download = await openDownload({ port: app.port, address, from: `127.0.0.${number}`, headers })
  await download.rest()
  return download
}

describe('a download is counted', () => {
  test('once for a visitor and an hour', async (t) => {
    const { app, hash, counted } = await start(t, '/d')
    const dl = `/api/public/dl/${hash}`
    assert.deepEqual(await counted(), [0])
    const { status, cookie: Cookie } = await answerTo(app, `${dl}/b.txt`, 1)
    assert.equal(status, 200)
    for (const rest of ['/b.txt', '/c.txt', '', '/b.txt']) assert.equal(await from(app, dl + rest, 1, { Cookie }), 200)
    assert.deepEqual(await counted(), [1])
    assert.equal(await from(app, `${dl}/b.txt`, 2), 200)
    assert.deepEqual(await counted(), [2])
    app.clock.advance({ minutes: 59 })
    await from(app, `${dl}/b.txt`, 1, { Cookie, Range: 'bytes=0-0' })
    assert.deepEqual(await counted(), [2])
    app.clock.advance({ minutes: 1 })
    await from(app, `${dl}/b.txt`, 1, { Cookie })
    assert.deepEqual(await counted(), [3])
    await until(() => app.events.filter((event) => event === 'download').length === 3, 'each is announced')
  })

  test('once for the files and ranges of a client without cookies, and anew for each whole download', async (t) => {
    const { app, hash, counted } = await start(t, '/d')
    const dl = `/api/public/dl/${hash}`
    for (const rest of ['/b.txt', '/c.txt', '']) assert.equal(await from(app, dl + rest, 1), 200)
    assert.deepEqual(await counted(), [1])
    assert.equal(await from(app, `${dl}/b.txt`, 1), 200)
    assert.deepEqual(await counted(), [2])
    assert.equal(await from(app, `${dl}/c.txt`, 1, { 'User-Agent': 'other' }), 200)
    assert.deepEqual(await counted(), [3])
  })

  test('once when a client without cookies takes ranges side by side, and resumes what broke off', async (t) => {
    const { app, ann, hash } = await start(t, '/a.txt', { mostDownloads: 1 })
    const dl = `/api/public/dl/${hash}`
    assert.equal(await from(app, dl, 1, { Range: 'bytes=0-0' }), 206)
    const ranges = ['0-1', '2-3', '4-5', '6-']
    const statuses = ranges.map((range) => from(app, dl, 1, { Range: `bytes=${range}` }))
    assert.deepEqual(await Promise.all(statuses), [206, 206, 206, 206])
    await writeFile(join(app.root, 'long.bin'), Buffer.alloc(40 << 20))
    const long = `/api/public/dl/${(await share(ann, '/long.bin', { mostDownloads: 1 })).hash}`
    const broken = await openDownload({ port: app.port, address: long, from: '127.0.0.1' })
    broken.close()
    await until(async () => (await sharesOf(ann, '/long.bin'))[0]?.downloads === 1, 'it is counted')
    await until(async () => (await from(app, long, 1, { Range: 'bytes=1000000-' })) === 206, 'the first has ended')
    assert.equal(await from(app, long, 2, { Range: 'bytes=1000000-' }), 404)
  })

  test('once when a client without cookies begins an archive again that broke off', async (t) => {
    const { app, ann } = await start(t, '/a.txt')
    await mkdir(join(app.root, 'long'))
    await writeFile(join(app.root, 'long/long.bin'), Buffer.alloc(40 << 20))
    const long = `/api/public/dl/${(await share(ann, '/long', { mostDownloads: 1 })).hash}?algo=tar`
    const broken = await openDownload({ port: app.port, address: long, from: '127.0.0.1' })
    broken.close()
    await until(async () => (await sharesOf(ann, '/long'))[0]?.downloads === 1, 'it is counted')
    await until(async () => (await from(app, long, 1)) === 200, 'it is sent again')
    assert.deepEqual([await from(app, long, 1), await from(app, long, 2)], [404, 404])
    assert.equal((await sharesOf(ann, '/long'))[0]?.downloads, 1)
  })

  test('once for a paused film, and for a phone that goes on at another address', async (t) => {
    const { app, hash, counted } = await start(t, '/a.txt', { mostDownloads: 1 })
    const dl = `/api/public/dl/${hash}`
    const { cookie: Cookie } = await answerTo(app, dl, 1, { Range: 'bytes=0-' })
    assert.match(Cookie, /^visit-/)
    for (const [number, range] of [
      [1, '5-'],
      [1, '0-'],
      [2, '3-'],
      [3, '0-'],
    ] as const)
      assert.equal(await from(app, dl, number, { Cookie, Range: `bytes=${range}` }), 206)
    assert.equal(await from(app, `/api/public/share/${hash}`, 4, { Cookie }), 200)
    assert.deepEqual(await counted(), [1])
    assert.equal(await from(app, dl, 1, { Range: 'bytes=5-' }), 404, 'the visit is that of a browser, and this is another client')
    assert.equal(await from(app, dl, 4, { Cookie: `${Cookie}x` }), 404)
  })

  test('behind a proxy that is not trusted for each but a range of the counted version', async (t) => {
    const { app, hash } = await start(t, '/a.txt', { mostDownloads: 1 })
    const dl = `/api/public/dl/${hash}`
    const { headers } = await rawRequest({ port: app.port, method: 'HEAD', address: dl })
    const forwarded = { 'X-Forwarded-For': '192.0.2.1' }
    assert.equal(await from(app, dl, 1, { ...forwarded, Range: 'bytes=0-3' }), 206)
    assert.equal(await from(app, dl, 1, { ...forwarded, Range: 'bytes=4-' }), 404)
    assert.equal(await from(app, dl, 1, { ...forwarded, Range: 'bytes=4-', 'If-Range': headers.etag }), 206)
  })

  test('also as a large picture, and as an original in place of a small one, but not as a small one', async (t) => {
    const red = await picture('png', 40, 30)
    for (const [size, isOff, expected] of [
      ['thumb', false, 0],
      ['big', false, 1],
      ['thumb', true, 1],
    ] as const) {
      const app = await startApp(t, { files: { 'red.png': red }, options: { thumbnails: !isOff } })
      const ann = await app.as('ann')
      const { hash } = await share(ann, '/red.png', { mostDownloads: 1 })
      assert.equal(await from(app, `/api/public/preview/${size}/${hash}`, 1), 200)
      assert.deepEqual((await sharesOf(ann))[0]?.downloads, expected, `${size} ${isOff}`)
      const again = await from(app, `/api/public/dl/${hash}`, 2)
      assert.equal(again, expected === 1 ? 404 : 200)
      await until(() => app.events.includes('download'), 'it is announced')
    }
  })

  test('only when something is sent', async (t) => {
    const { app, hash, counted } = await start(t, '/a.txt')
    const address = `/api/public/dl/${hash}`
    const { headers } = await rawRequest({ port: app.port, method: 'HEAD', address })
    for (const [status, asked] of [
      [304, { 'If-None-Match': headers.etag ?? '' }],
      [416, { Range: 'bytes=99-' }],
      [412, { 'If-Match': '"other"' }],
    ] as const)
      assert.equal(await from(app, address, 1, asked), status)
    for (const other of [`/api/public/share/${hash}`, `/api/public/dl/${hash}/x/y`]) await from(app, other, 1)
    await until(async () => (await counted())[0] === 0, 'nothing is counted')
    assert.deepEqual(app.events, ['share'])
  })

  test('without the state being written', async (t) => {
    const { app, hash } = await start(t, '/a.txt', { mostDownloads: 5 })
    const before = await stat(join(app.folder, 'state.json'), { bigint: true })
    assert.equal(await from(app, `/api/public/dl/${hash}`, 1), 200)
    const after = await stat(join(app.folder, 'state.json'), { bigint: true })
    assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs])
    assert.ok(!(await readFile(join(app.folder, 'state.json.downloads'), 'utf8')).includes('127.0.0'))
  })
})

describe('a link that ends after some downloads', () => {
  test('gives two of four whole downloads that one address begins at once', async (t) => {
    const { app, hash, counted } = await start(t, '/a.txt', { mostDownloads: 2 })
    const statuses = await Promise.all([1, 1, 1, 1].map((number) => from(app, `/api/public/dl/${hash}`, number)))
    assert.deepEqual(statuses.sort(), [200, 200, 404, 404])
    assert.deepEqual(await counted(), [2])
  })

  test('gives the last of them once to twenty who ask at the same time', async (t) => {
    const { app, hash, counted } = await start(t, '/a.txt', { mostDownloads: 2 })
    const address = `/api/public/dl/${hash}`
    assert.equal(await from(app, address, 100), 200)
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => from(app, address, index + 1)))
    assert.deepEqual(statuses.sort(), [200, ...Array.from({ length: 19 }, () => 404)])
    assert.deepEqual(await counted(), [2])
  })

  test('is then answered as one that never was, but lets those go on who have one', async (t) => {
    const { app, hash } = await start(t, '/a.txt', { mostDownloads: 1 })
    const unknown = 'x'.repeat(hash.length)
    assert.equal(await from(app, `/api/public/dl/${hash}`, 2), 200)
    for (const address of [
      `/api/public/dl/${hash}`,
      `/api/public/share/${hash}`,
      `/api/public/preview/thumb/${hash}`,
      `/api/public/search/${hash}`,
    ]) {
      const answers = [address, address.replace(hash, unknown)].map(async (asked) => {
        const { status, headers, body } = await rawRequest({ port: app.port, method: 'GET', address: asked })
        return { status, headers: { ...headers, date: '' }, body }
      })
      const [used, never] = await Promise.all(answers)
      assert.deepEqual(used, never)
      assert.equal(used?.status, 404)
    }
    assert.equal(await from(app, `/api/public/dl/${hash}`, 2, { Range: 'bytes=3-' }), 206)
    app.clock.advance({ hours: 1 })
    assert.equal(await from(app, `/api/public/dl/${hash}`, 2), 404)
  })

  test('has given them after a restart too, also when the last line of the log is torn', async (t) => {
    const { app, hash } = await start(t, '/a.txt', { mostDownloads: 2 })
    assert.deepEqual(await downloaded(app.principal(), hash), [200, 'content'])
    const file = join(app.folder, 'state.json')
    await appendFile(`${file}.downloads`, '{"hash":"torn","ad')
    const log = downloadLog(file)
    await log.append({ hash, add: 1 }, true)
    assert.deepEqual(
      log.read().map(({ hash, add }) => [hash, add]),
      [
        [hash, 1],
        [hash, 1],
      ],
    )
    await log.replace([{ hash, add: 2 }])
    assert.deepEqual(downloadLog(file).read(), [{ hash, add: 2 }])
  })
})

test('a download that could not be counted is not taken off the count later', async () => {
  const written: number[] = []
  let isFull = true
  const append = async ({ add }: CountedDownload) => {
    if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
    written.push(add)
  }
  const counted = { read: () => [], append, replace: async () => assert.fail() }
  const link = { hash: 'x'.repeat(22), mostDownloads: 1 } as StoredLink
  const state = { feed: new Feed((error) => assert.fail(String(error))), link: async () => undefined }
  const downloads = await Downloads.open({ counted, clock: new StoppedClock(), secret: () => 'x', state, report: assert.fail })
  const visitor = { source: '192.0.2.1', agent: 'curl', isShared: false }
  const part = { content: 'file', size: 10, length: 10, isOfVersion: false }
  // Two ranges of one visit, of which the first counts it.
  const ranges = [5, 5].map((length) => downloads.reserve(link, visitor, { ...part, length }))
  for (const reserved of ranges) await assert.rejects(reserved, { code: 'full' })
  isFull = false
  assert.equal(downloads.countOf(link), 0)
  await downloads.reserve(link, visitor, part)
  assert.deepEqual(written, [1])
})

describe('the visits of one address', () => {
  const link = { hash: 'x'.repeat(22) }
  const visitor = { source: '192.0.2.1', agent: 'curl', isShared: false }
  const part = { content: 'file', size: 10, length: 10, isOfVersion: false }

  /** Visits that are asked for the time, which they do for each visit that they look at. */
  function many(count: number) {
    const time = { now: 1_000_000, asked: 0 }
    const now = () => {
      time.asked++
      return time.now
    }
    const visits = new Visits({ secret: () => 'x', now, most: { visits: 100_000, contents: 500_000 } })
    const all = Array.from({ length: count }, () => {
      const visit = visits.begin(link, visitor)
      visits.addSent(visit, part, part.length)
      return visit
    })
    const asked = (work: () => unknown) => {
      const before = time.asked
      work()
      return time.asked - before
    }
    return { time, visits, all, asked }
  }

  test('cost a request no more when they are many, and are forgotten in parts', () => {
    const { time, visits, asked } = many(1000)
    assert.ok(asked(() => assert.equal(visits.find(link, visitor, part), undefined)) < 100)
    time.now += 3600
    assert.ok(asked(() => visits.begin(link, visitor)) < 500)
    for (let more = 0; more < 10; more++) visits.begin(link, visitor)
    assert.ok(asked(() => assert.equal(visits.living().length, 11)) < 20, 'all that have ended are forgotten')
  })

  test('are each found by the cookie, and the newest of them without it, until the cookie has come', () => {
    const { visits, all } = many(200)
    for (const visit of all.slice(0, 199)) assert.equal(visits.find(link, { ...visitor, visit: visit.cookie }, part), visit)
    const range = { ...part, length: 5 }
    assert.equal(visits.find(link, visitor, range), all[199])
    assert.equal(visits.find(link, { ...visitor, visit: all[199]?.cookie }, range), all[199])
    assert.equal(visits.find(link, visitor, range), undefined)
  })
})
