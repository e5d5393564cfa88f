// What one address may keep of a link and of the disk by announcing files.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Book } from '../../src-server/requests/book.ts'
import { Quotas } from '../../src-server/requests/quotas.ts'
import type { StoredRequest } from '../../src-server/state/state-data.ts'
import type { Upload } from '../../src-server/uploads/upload.ts'
import { editRequest, requestFiles } from '../support/request-calls.ts'
import { senderOn } from '../support/sender.ts'
import { startApp } from '../support/start-app.ts'

const MB = 1e6

/** Senders of one link, by their addresses. */
async function start(t: TestContext, body: object) {
  const app = await startApp(t, { files: { 'in/a.txt': 'x' }, options: { trustedProxies: ['127.0.0.1'] } })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', body)
  const from = (address: string) => {
    const sender = senderOn(app, hash)
    const headers = { 'X-Forwarded-For': address }
    const send = (name: string, body: string) => sender.send(name, body, { headers })
    return { ...sender, send, begin: (name: string, length: number) => sender.begin(name, { length, headers }) }
  }
  return { app, ann, hash, from }
}

test('one address that announces files and sends nothing closes no link', async (t) => {
  const { app, from } = await start(t, { mostBytes: 20 * MB, mostFileBytes: 2 * MB })
  const begun: number[] = []
  for (let sender = 0; sender < 2; sender++)
    for (let count = 0; count < 3; count++) begun.push((await from('192.0.2.1').begin(`${count}`, 2 * MB)).status)
  assert.deepEqual(begun, [201, 201, 429, 429, 429, 429])
  assert.equal((await from('192.0.2.2').begin('a', 2 * MB)).status, 201)
  // What is announced and does not come is forgotten after ten minutes.
  app.clock.advance({ minutes: 10 })
  assert.equal((await from('192.0.2.1').begin('a', 2 * MB)).status, 201)
})

test('a file that comes alone may be as large as the link allows, and what has come keeps nothing', async (t) => {
  const { from } = await start(t, { mostBytes: 20 * MB, mostFileBytes: 18 * MB })
  const sender = from('192.0.2.1')
  const address = (await sender.begin('a', 18 * MB)).headers.get('location') ?? ''
  assert.equal((await from('192.0.2.1').begin('b', 1 * MB)).status, 429)
  assert.equal((await from('192.0.2.2').begin('b', 1 * MB)).status, 201)
  assert.equal((await sender.patch(address, 0, new Uint8Array(17.9 * MB))).status, 204)
  assert.equal((await from('192.0.2.1').begin('b', 100_000)).status, 201)
})

test('of a file of which hardly anything has come no more is kept than of one without bytes', async (t) => {
  const { app, from } = await start(t, { mostBytes: 20 * MB, mostFileBytes: 20 * MB })
  const sender = from('192.0.2.1')
  const begun = async (bytes: number) => {
    const address = (await sender.begin('a', 19 * MB)).headers.get('location') ?? ''
    assert.equal((await sender.patch(address, 0, new Uint8Array(bytes))).status, 204)
    assert.equal((await from('192.0.2.2').begin('b', 5 * MB)).status, 507)
    return address
  }
  await begun(1)
  app.clock.advance({ minutes: 10 })
  assert.equal((await from('192.0.2.3').begin('b', 19 * MB)).status, 201)
  app.clock.advance({ minutes: 10 })
  const address = await begun(0.2 * MB)
  app.clock.advance({ hours: 23 })
  assert.equal((await sender.patch(address, 0.2 * MB, new Uint8Array(1))).status, 204)
})

test('the addresses of one customer of a provider keep no more than one', async (t) => {
  const { from } = await start(t, { mostBytes: 20 * MB, mostFileBytes: 2 * MB })
  const begun: number[] = []
  for (let network = 0; network < 4; network++) begun.push((await from(`2001:db8:0:1${network}0::1`).begin('a', 2 * MB)).status)
  assert.deepEqual(begun, [201, 201, 429, 429])
  assert.equal((await from('2001:db8:0:200::1').begin('a', 2 * MB)).status, 201)
})

test('announced files of which little has come make way for a newcomer where they take all places', async (t) => {
  const { app, ann, hash, from } = await start(t, { mostFiles: 6 })
  const [one, other] = [from('192.0.2.1'), from('192.0.2.2')]
  const addresses: string[] = []
  for (const [sender, name] of [
    [one, 'first'],
    [one, 'second'],
    [one, 'third'],
    [one, 'fourth'],
    [other, 'a'],
    [other, 'b'],
  ] as const) {
    const begun = await sender.begin(name, 2)
    assert.equal(begun.status, 201)
    addresses.push(begun.headers.get('location') ?? '')
    app.clock.advance({ seconds: 1 })
  }
  const [first = '', second = ''] = addresses
  assert.equal((await one.patch(first, 0, 'x')).status, 204)
  const newcomer = from('192.0.2.3')
  // What has just come makes no way.
  assert.equal((await newcomer.begin('new', 2)).status, 507)
  app.clock.advance({ seconds: 60 })
  // Who holds the most makes no room for itself.
  assert.equal((await one.begin('fifth', 2)).status, 507)
  // What is refused takes nobody's place.
  assert.equal((await newcomer.begin('.holdall-volume', 2)).status, 403)
  assert.equal((await one.tus('HEAD', second)).status, 200)
  await newcomer.send('new', 'whole')
  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const answer = method === 'PATCH' ? await one.patch(second, 0, 'xy') : await one.tus(method, second)
    assert.equal(answer.status, 410, method)
    if (method !== 'HEAD') assert.equal(answer.headers.get('x-refusal'), 'code=uploadMadeWay')
  }
  // Who would hold as many as the one that has the most gets no more: both would end each other's files in turn.
  assert.equal((await other.begin('c', 2)).status, 507)
  // The others go on, and so does the one that has made way once there is place.
  assert.equal((await one.patch(first, 1, 'x')).status, 204)
  await editRequest(ann, hash, { mostFiles: 7 })
  await one.send('second', 'xy')
})

test('500 announced files of five networks shut nobody out of a link', () => {
  const ended: string[] = []
  const uploads = Array.from({ length: 500 }, (_, count) => {
    const source = `2001:db8:0:${(count % 5) + 1}00::/64`
    const request = { hash: '1', sender: `${count}`, source, name: 'x' }
    const record = { id: `${count}`, userId: 1, length: 2, offset: count === 0 ? 0 : 1, request, changedAt: count }
    return {
      record,
      isGone: false,
      isReceiving: false,
      isInUse: false,
      end: async () => void ended.push(record.id),
    } as unknown as Upload
  })
  const quotas = new Quotas({ unfinished: () => uploads, isShared: () => false, now: () => 61_000 })
  const request = { hash: '1', mostBytes: 1e15, mostFileBytes: 10, mostFiles: 1e6, filesAnHour: 1e6 } as StoredRequest
  const begin = (source: string) =>
    quotas.count({ request, book: new Book(), sender: source, source, name: 'x', bytes: 1, hasName: true })
  // What was begun before, or is refused, takes no place, and two at once never the same.
  const refused = begin('192.0.2.3')
  const waiting = begin('192.0.2.4')
  refused.failed()
  assert.deepEqual(ended, [])
  for (const place of [begin('192.0.2.1'), begin('192.0.2.2'), waiting]) place.kept()
  // The one without a byte first, and then the oldest of another network.
  assert.deepEqual(ended.sort(), ['0', '1', '2'])
  assert.ok(quotas.hasMadeWay('0') && !quotas.hasMadeWay('4'))
})

test('of an address that many have only what lies idle makes way', () => {
  const ended: string[] = []
  const uploads = [0, 1, 2].map((count) => {
    const request = { hash: '1', sender: 'one', source: '127.0.0.1', name: 'x' }
    const record = { id: `${count}`, userId: 1, length: 2, offset: 0, request, changedAt: count * 60_000 }
    return {
      record,
      isGone: false,
      isReceiving: false,
      isInUse: false,
      end: async () => void ended.push(record.id),
    } as unknown as Upload
  })
  const quotas = new Quotas({ unfinished: () => uploads, isShared: () => true, now: () => 60_000 })
  const request = { hash: '1', mostBytes: 1e15, mostFileBytes: 10, mostFiles: 3, filesAnHour: 1e6 } as StoredRequest
  const begin = (sender: string) =>
    quotas.count({ request, book: new Book(), sender, source: '127.0.0.1', name: 'x', bytes: 1, hasName: true })
  begin('new').kept()
  assert.throws(() => begin('newer'), { code: 'full' })
  assert.deepEqual(ended, ['0'])
})

test('the networks of one customer share the files of an hour', () => {
  const quotas = new Quotas({ unfinished: () => [], isShared: () => false, now: () => 0 })
  const request = { hash: '1', mostBytes: 1e15, mostFileBytes: 1, mostFiles: 1e6, filesAnHour: 3 } as StoredRequest
  const come = (source: string) =>
    quotas.count({ request, book: new Book(), sender: source, source, name: 'x', bytes: 1, hasName: true }).began()
  for (const network of [1, 2, 3]) come(`2001:db8:0:10${network}::/64`)
  assert.throws(() => come('2001:db8:0:104::/64'), { code: 'tooMany' })
  come('2001:db8:0:201::/64')
})

/** @param announced by the addresses that announce them: the owner of the link, and the bytes */
function quotasWith(announced: Record<string, [userId: number, left: number]>, shared: string[] = []) {
  const quotas = new Quotas({ unfinished: () => [], isShared: (source) => shared.includes(source), now: () => 0 })
  const request = { mostBytes: 1e15, mostFileBytes: 1e15, mostFiles: 1e6, filesAnHour: 1e6, hasFolders: true } as StoredRequest
  const about = { book: new Book(), name: 'a', hasName: true }
  for (const [source, [userId, bytes]] of Object.entries(announced))
    quotas.count({ ...about, request: { ...request, hash: `${userId}`, userId }, sender: source, source, bytes })
  return (userId: number, source: string, available: number) =>
    quotas.checkDisk({ request: { ...request, userId }, source }, available)
}

test('of the disk other addresses and the links of other owners keep a quarter', () => {
  const check = quotasWith({ a: [1, 1000], b: [1, 100], c: [2, 5000], d: [3, 5000] })
  // b has announced 100; a quarter is kept for a, and one for c and d.
  check(1, 'b', 200)
  assert.throws(() => check(1, 'b', 199), { code: 'full' })
  assert.throws(() => check(1, 'a', 1466), { code: 'full' })
  check(1, 'a', 1467)
  assert.throws(() => check(1, 'b', -1), { code: 'full' })
})

test('300 people come from one address in an hour, and more where it is that of a proxy that is not named', () => {
  for (const [shared, most] of [
    [false, 300],
    [true, 3000],
  ] as const) {
    const quotas = new Quotas({ unfinished: () => [], isShared: () => shared, now: () => 0 })
    const come = (hash: string, sender: string) => {
      const request = { hash, mostBytes: 1e15, mostFileBytes: 1, mostFiles: 1e6, filesAnHour: 1e6 } as StoredRequest
      quotas.count({ request, book: new Book(), sender, source: 'a', name: 'x', bytes: 1, hasName: true }).began()
    }
    for (let count = 0; count < most; count++) come('1', `${count}`)
    assert.throws(() => come('1', 'next'), { code: 'tooMany' })
    come('2', 'next')
  }
})
