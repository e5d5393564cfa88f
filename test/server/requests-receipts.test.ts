// What has arrived by a request link, as its sender and its owner are told.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ArrivalList, Receipt, SenderList } from '../../src-server/contract/requests.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { Books } from '../../src-server/requests/books.ts'
import { Receipts } from '../../src-server/requests/receipts.ts'
import { Sums } from '../../src-server/requests/sums.ts'
import type { LinePlace } from '../../src-server/state/placed-lines.ts'
import type { RequestLine, RequestStore } from '../../src-server/state/request-store.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { editRequest, requestFiles, requestsOf } from '../support/request-calls.ts'
import { restartApp } from '../support/restart-app.ts'
import { senderOn } from '../support/sender.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

async function start(t: TestContext) {
  const app = await startApp(t, { files: { 'in/x': '' }, users: { ann: {}, bob: {} } })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { asksName: true })
  const [rosa, eva] = [senderOn(app, hash), senderOn(app, hash)]
  return { app, ann, hash, rosa, eva }
}

type Sender = ReturnType<typeof senderOn>

const address = (hash: string, rest = '') => `/api/public/request/${hash}/receipt${rest}`
const make = async (sender: Sender, hash: string) => {
  const answer = await sender.ask('POST', address(hash))
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as Receipt
}
const read = async (sender: Sender, hash: string, number: string) =>
  (await (await sender.ask('GET', address(hash, `/${number}`))).json()) as Receipt
const listed = async <T>(calls: PrincipalCalls, hash: string, rest: string) =>
  (await (await calls.ask('GET', `/api/requests/${hash}/${rest}`)).json()) as T
const logOf = (app: Pick<TestApp, 'folder'>, hash: string) => join(app.folder, `state.json.requests/${hash}.jsonl`)
const sums = (app: Pick<TestApp, 'folder'>, hash: string) => readFileSync(logOf(app, hash), 'utf8').split('"sha256"').length - 1

test('a receipt is about all that is in none, with the checksums as soon as they are known', async (t) => {
  const { app, hash, rosa, eva } = await start(t)
  await rosa.shown()
  assert.equal((await rosa.ask('POST', address(hash))).status, 409)
  const large = Buffer.alloc(300_000, 'x')
  await rosa.send('trip/a.txt', 'one', { metadata: { sender: 'Rosa' } })
  assert.equal((await rosa.begin('large', { body: large })).status, 201)
  await eva.send('a.txt', 'two', { metadata: { sender: 'Eva' } })
  const { number, at, ...rest } = await make(rosa, hash)
  assert.match(number, /^[A-HJKMNP-Z2-9]{2}-[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{2}$/)
  assert.deepEqual([rest.title, rest.name], ['Photos', 'Rosa'])
  assert.deepEqual(
    rest.files.map(({ name, size }) => [name, size]),
    [
      ['trip/a.txt', 3],
      ['large', 300_000],
    ],
  )
  await until(() => sums(app, hash) === 3, 'all are summed')
  const known = await read(rosa, hash, number)
  assert.deepEqual(
    known.files.map((file) => file.sha256),
    [sha256('one'), sha256(large)],
  )
  assert.equal((await rosa.ask('POST', address(hash))).status, 409)
  await rosa.send('b.txt', 'three')
  assert.deepEqual(
    (await make(rosa, hash)).files.map(({ name }) => name),
    ['b.txt'],
  )
  const shown = await rosa.shown()
  assert.ok(shown.kind === 'open')
  assert.deepEqual(
    shown.receipts.map(({ files, bytes }) => [files, bytes]),
    [
      [1, 5],
      [2, 300_003],
    ],
  )
  assert.equal(shown.receipts[1]?.at, at)
  const text = await rosa.ask('GET', address(hash, `/${number}?format=txt`))
  assert.equal(text.headers.get('content-disposition'), `attachment; filename="receipt-${number}.txt"`)
  assert.ok((await text.text()).includes(`3  ${sha256('one')}  trip/a.txt\n`))
})

test("another's number is 404", async (t) => {
  const { hash, rosa, eva } = await start(t)
  await rosa.send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  await eva.send('a.txt', 'two', { metadata: { sender: 'Eva' } })
  const { number } = await make(rosa, hash)
  for (const [who, asked] of [
    [eva, number],
    [rosa, 'AB-CDEF-GH'],
  ] as const)
    assert.equal((await who.ask('GET', address(hash, `/${asked}`))).status, 404)
})

test('where a file has arrived is known after its folders were renamed, and also as older logs say it', async (t) => {
  const { app, ann, hash, rosa } = await start(t)
  for (const name of ['trip/a.txt', 'trip/a.txt', 'b.txt']) await rosa.send(name, 'one', { metadata: { sender: 'Rosa' } })
  await until(() => sums(app, hash) === 3, 'all are summed')
  const lines = () => readFileSync(logOf(app, hash), 'utf8').trim().split('\n')
  const arrived = () =>
    lines()
      .filter((line) => line.includes('"arrival"'))
      .map((line) => JSON.parse(line))
  assert.deepEqual(
    arrived().map(({ name, as, path }) => [name, as, path]),
    [
      ['trip/a.txt', undefined, undefined],
      ['trip/a.txt', 'trip/a(1).txt', undefined],
      ['b.txt', undefined, undefined],
    ],
  )
  await ann.ask('PATCH', '/api/resources/in/Rosa?action=rename&destination=/in/Eva')
  await ann.ask('PATCH', '/api/resources/in?action=rename&destination=/out')
  const between = () => {
    const kept = lines().filter((line) => !line.includes('"sha256"'))
    const older = (line: string) =>
      line.includes('"b.txt"') ? { ...JSON.parse(line), path: '/out/Eva/b.txt' } : JSON.parse(line)
    writeFileSync(logOf(app, hash), kept.map((line) => `${JSON.stringify(older(line))}\n`).join(''))
  }
  await restartApp(app, { between })
  await until(() => sums(app, hash) === 3, 'all are summed again')
})

test('a file changed since has no sum', async (t) => {
  const { app, hash, rosa } = await start(t)
  await rosa.send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  await until(() => sums(app, hash) === 1, 'it is summed')
  const between = () => {
    const lines = readFileSync(logOf(app, hash), 'utf8').split('\n')
    writeFileSync(logOf(app, hash), lines.filter((line) => !line.includes('sha256')).join('\n'))
    writeFileSync(join(app.root, 'in/Rosa/a.txt'), 'other')
  }
  const again = await restartApp(app, { between })
  const same = senderOn(again, hash, rosa.cookies)
  await same.send('b.txt', 'two')
  await until(() => sums(app, hash) === 1, 'the other is summed')
  const { files } = await make(same, hash)
  assert.deepEqual(
    files.map((file) => file.sha256),
    [undefined, sha256('two')],
  )
})

test('is there after closing and a restart, and not for ever', async (t) => {
  const { app, ann, hash, rosa } = await start(t)
  await rosa.send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  const { number } = await make(rosa, hash)
  await rosa.send('b.txt', 'two')
  await editRequest(ann, hash, { closed: true })
  const again = senderOn(await restartApp(app), hash, rosa.cookies)
  const shown = await again.shown()
  assert.deepEqual([shown.kind, shown.receipts.map((one) => one.number)], ['closed', [number]])
  assert.equal((await read(again, hash, number)).files.length, 1)
  assert.deepEqual(
    (await make(again, hash)).files.map(({ name }) => name),
    ['b.txt'],
  )
  app.clock.advance({ hours: 24 * 30 + 1 })
  assert.equal((await again.ask('GET', address(hash, `/${number}`))).status, 404)
})

test('other sites end nothing, and make no receipt', async (t) => {
  const { rosa, hash } = await start(t)
  await rosa.send('a.txt', 'a', { metadata: { sender: 'Rosa' } })
  for (const call of ['leave', 'receipt'])
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'Sec-Fetch-Site': site }
      const answer = await rosa.ask('POST', `/api/public/request/${hash}/${call}`, { headers })
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [403, []], `${call} ${site}`)
    }
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  assert.equal((await rosa.ask('POST', `/api/public/request/${hash}/receipt`, { headers })).status, 200)
})

test('whoever leaves a computer is somebody else there', async (t) => {
  const { hash, rosa } = await start(t)
  await rosa.send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  assert.equal((await rosa.ask('POST', `/api/public/request/${hash}/leave`)).status, 204)
  assert.deepEqual([...rosa.cookies.keys()], [])
  assert.deepEqual(await rosa.sent(), [])
})

test('the owner sees who has sent what, and what of it is new', async (t) => {
  const { app, ann, hash, rosa, eva } = await start(t)
  await rosa.send('trip/a.txt', 'one', { metadata: { sender: 'Rosa' } })
  app.clock.advance({ seconds: 5 })
  await eva.send('b.txt', 'four', { metadata: { sender: 'Eva' } })
  const { number } = await make(eva, hash)
  await until(() => sums(app, hash) === 2, 'all are summed')
  const { senders } = await listed<SenderList>(ann, hash, 'senders')
  assert.deepEqual(
    senders.map(({ name, files, bytes, path }) => [name, files, bytes, path]),
    [
      ['Eva', 1, 4, '/in/Eva'],
      ['Rosa', 1, 3, '/in/Rosa'],
    ],
  )
  const { arrivals } = await listed<ArrivalList>(ann, hash, 'arrivals')
  assert.deepEqual(
    arrivals.map((one) => [one.name, one.size, one.sha256, one.receipt]),
    [
      ['b.txt', 4, sha256('four'), number],
      ['trip/a.txt', 3, sha256('one'), undefined],
    ],
  )
  const ofRosa = await listed<ArrivalList>(ann, hash, `arrivals?sender=${senders[1]?.id}`)
  assert.deepEqual(
    ofRosa.arrivals.map(({ name }) => name),
    ['trip/a.txt'],
  )
  const facts = async () => {
    const [link] = await requestsOf(ann)
    return [link?.files, link?.bytes, link?.senders, link?.seen]
  }
  assert.deepEqual(await facts(), [2, 7, 2, 0])
  const body = JSON.stringify({ files: 9 })
  assert.equal((await ann.ask('PUT', `/api/requests/${hash}/seen`, { body })).status, 200)
  assert.deepEqual(await facts(), [2, 7, 2, 2])
  const bob = await app.as('bob')
  for (const rest of ['senders', 'arrivals']) assert.equal((await bob.ask('GET', `/api/requests/${hash}/${rest}`)).status, 404)
  assert.equal((await bob.ask('PUT', `/api/requests/${hash}/seen`, { body })).status, 404)
  assert.equal((await ann.ask('DELETE', `/api/requests/${hash}`)).status, 200)
  assert.deepEqual(await requestsOf(ann), [])
  assert.equal((await rosa.ask('GET', address(hash, `/${number}`))).status, 404)
})

test('of a long log no more is read than what somebody asks for, and one at a time reads', async () => {
  const kept: RequestLine[] = []
  const asked: number[][] = []
  let reading = 0
  const store = {
    readAt: async (_hash: string, places: readonly LinePlace[]) => {
      assert.equal(++reading, 1)
      asked.push(places.map(({ start }) => start))
      await null
      reading--
      return places.map(({ start }) => kept[start])
    },
    append: async (_hash: string, line: RequestLine) => ({ start: kept.push(line) - 1, length: 1 }),
  } as unknown as RequestStore
  const state = { feed: { tell: () => {} }, request: async () => ({}) } as unknown as ConstructorParameters<
    typeof Books
  >[0]['state']
  const books = new Books({ store, state, now: () => 0, report: () => {} })
  for (const id of ['a', 'b']) await books.add('h', { is: 'sender', id, at: 0, address: '' })
  const arrival = (sender: string, upload: string) =>
    books.add('h', { is: 'arrival', upload, sender, name: `${upload}.txt`, path: '/x', size: 5, version: '', at: 1000 })
  for (let count = 0; count < 10; count++) await arrival('b', `b${count}`)
  await arrival('a', 'a1')
  await books.add('h', { is: 'sum', upload: 'a1', sha256: '0'.repeat(64) })
  const receipts = new Receipts(books, () => 2000)
  const about = { hash: 'h', sender: 'a', title: 'Photos', name: undefined }
  const receipt = await receipts.make(about)
  assert.deepEqual(receipt.files, [{ name: 'a1.txt', size: 5, at: 1, sha256: '0'.repeat(64) }])
  await assert.rejects(receipts.make(about), { code: 'conflict' })
  const all = await Promise.all(Array.from({ length: 3 }, () => receipts.find(about, receipt.number)))
  assert.deepEqual(all, [receipt, receipt, receipt])
  assert.deepEqual(new Set(asked.map(String)), new Set(['12', '14']))
  assert.deepEqual(books.of('h')?.senders.get('a')?.receipts.length, 1)
})

test('a full disk of the state says that it is full', async () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
  const store = { append: () => Promise.reject(full) } as unknown as RequestStore
  const state = { request: async () => ({}) } as unknown as ConstructorParameters<typeof Books>[0]['state']
  const books = new Books({ store, state, now: () => 0, report: () => {} })
  await assert.rejects(books.add('h', { is: 'sender', id: 'a', at: 0, address: '' }), { code: 'full' })
  assert.equal(books.of('h')?.senders.size, 0)
})

test('nothing is kept of links that are asked about and are not there', async () => {
  const state = { request: async () => undefined } as unknown as ConstructorParameters<typeof Books>[0]['state']
  const books = new Books({ store: {} as RequestStore, state, now: () => 0, report: assert.ifError })
  const receipts = new Receipts(books, () => 0)
  for (const hash of ['', 'deleted']) {
    assert.equal(books.find(hash), undefined)
    await assert.rejects(receipts.make({ hash, sender: 'a', title: '', name: undefined }), { code: 'conflict' })
    assert.equal(await books.add(hash, { is: 'sender', id: 'a', at: 0, address: '' }), false)
  }
  assert.deepEqual(books.all(), [])
})

/** Checksums of which only the readings are looked at. @param hold awaited by each of them */
function sumsOf(hold: (path: string) => Promise<void>, deviceOf: (hash: string) => string) {
  const asked: string[] = []
  const books = {
    arrivals: async (hash: string, [upload]: readonly string[]) => [{ path: `/${hash}/${upload}` }],
    pathOf: async (_hash: string, { path }: { path: string }) => path,
    all: () => [],
  } as unknown as Books
  const files = {
    openForRaw: async (path: string) => {
      asked.push(path)
      await hold(path)
    },
  } as unknown as UserFiles
  return { asked, sums: new Sums({ books, filesIn: () => files, deviceOf, report: assert.ifError }) }
}

test('a file that takes long holds up the checksums of its own link alone', async () => {
  const gate = Promise.withResolvers<void>()
  const { asked, sums } = sumsOf(
    async (path) => (path === '/a/1' ? gate.promise : undefined),
    () => '',
  )
  for (const upload of ['1', '2']) sums.add('a', upload)
  for (const hash of ['b', 'c', 'd']) for (const upload of ['1', '2']) sums.add(hash, upload)
  await until(() => asked.length === 7, 'those of the others are done')
  assert.deepEqual(asked.slice(0, 3), ['/a/1', '/b/1', '/c/1'])
  assert.ok(!asked.includes('/a/2'))
  gate.resolve()
  await until(() => asked.includes('/a/2'), 'the next of its link is read')
  await sums.close()
})

test('a disk that does not answer holds up the checksums of its own links alone, and few of these', async () => {
  const answer = Promise.withResolvers<void>()
  const isDead = (name: string) => name.includes('dead')
  const { asked, sums } = sumsOf(
    async (path) => (isDead(path) ? answer.promise : undefined),
    (hash) => (isDead(hash) ? '0:99' : '8:1'),
  )
  for (const hash of ['dead1', 'dead2', 'dead3', 'dead4', 'well']) for (const upload of ['1', '2']) sums.add(hash, upload)
  await until(() => asked.includes('/well/2'), 'those of the other disk are read')
  assert.equal(asked.filter(isDead).length, 3)
  answer.resolve()
  await until(() => asked.length === 10, 'all are read')
  await sums.close()
})
