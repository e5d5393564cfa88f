// Who sends files by a request link, and where they go.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { requestFiles } from '../support/request-calls.ts'
import { restartApp } from '../support/restart-app.ts'
import { senderOn } from '../support/sender.ts'
import { startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { pieceType } from '../support/tus-calls.ts'
import { until } from '../support/until.ts'

const files = { 'in/a.txt': 'of the owner', 'other/x': 'x' }

test('what somebody sends goes to a folder of theirs, with its folders', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { asksName: true, text: 'By Friday.' })
  const rosa = senderOn(app, hash)
  const { kind, ...page } = await rosa.shown()
  assert.deepEqual(
    [kind, page],
    [
      'open',
      {
        ...{ title: 'Photos', text: 'By Friday.', expire: 0, mostFileBytes: 200e6, asksName: true, hasFolders: true },
        ...{ sent: [], sentCount: 0, receipts: [], unfinished: [] },
      },
    ],
  )
  const metadata = { sender: ' Rosa/Lind: ' }
  await rosa.send('a.txt', 'one', { metadata })
  await rosa.send('trip/b.txt', 'two')
  await rosa.send('empty', '')
  assert.deepEqual(await harvest(app.root), {
    ...files,
    ...{ 'in/Rosa-Lind-/a.txt': 'one', 'in/Rosa-Lind-/trip/b.txt': 'two', 'in/Rosa-Lind-/empty': '' },
  })
  assert.deepEqual(await rosa.sent(), ['empty', 'trip/b.txt', 'a.txt'])
  const shown = await rosa.shown()
  assert.ok(shown.kind === 'open')
  assert.deepEqual([shown.name, shown.sentCount, shown.sent[2]?.size], ['Rosa/Lind:', 3, 3])
})

test('the activity log says who has sent what', async (t) => {
  const app = await startApp(t, {
    ...{ files, users: { ann: {}, root: { perm: allPermissions } } },
    options: ({ folder }) => ({ auditLog: join(folder, 'activity.log') }),
  })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { asksName: true })
  await senderOn(app, hash).send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  const answer = await (await app.as('root')).ask('GET', '/api/activity?way=request')
  const lines = (await answer.text()).trim().split('\n')
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(
    told.map(({ who, what, path, way, sender }) => [who, what, path, way, sender]),
    [
      ['ann', 'upload', '/in/Rosa/a.txt', 'request', 'Rosa'],
      ['ann', 'upload', '/in/Rosa', 'request', 'Rosa'],
    ],
  )
})

test('without folders all goes into that of the link, and taken names get numbers', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { hasFolders: false })
  const [one, two] = [senderOn(app, hash), senderOn(app, hash)]
  await one.send('a.txt', 'one')
  await two.send('a.txt', 'two')
  assert.deepEqual(await harvest(join(app.root, 'in')), { 'a.txt': 'of the owner', 'a(1).txt': 'one', 'a(2).txt': 'two' })
  assert.deepEqual([await one.sent(), await two.sent()], [['a.txt'], ['a.txt']])
  const folder = await one.begin('sub/a.txt', { body: 'x' })
  assert.equal(await folder.text(), '400 Bad Request (folders are not taken in here)\n')
})

test('a file goes on where it broke off, and its answer says nothing of where it is', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in')
  const sender = senderOn(app, hash)
  const begun = await sender.begin('a.txt', { length: 6, metadata: { nonce: 'n1' } })
  const address = begun.headers.get('location') ?? ''
  assert.match(address, new RegExp(`^/api/public/tus/${hash}/[0-9a-f]{32}$`))
  assert.equal((await sender.patch(address, 0, 'abc')).status, 204)
  const wrong = await sender.patch(address, 0, 'abc')
  assert.deepEqual([wrong.status, wrong.headers.get('upload-offset')], [409, '3'])
  assert.equal((await sender.tus('HEAD', address)).headers.get('upload-offset'), '3')
  const shown = await sender.shown()
  assert.ok(shown.kind === 'open')
  assert.deepEqual(
    shown.unfinished.map(({ name, offset, length, metadata }) => [name, offset, length, metadata]),
    [['a.txt', 3, 6, 'nonce bjE=']],
  )
  // The same that was begun twice is one.
  assert.equal((await sender.begin('a.txt', { length: 6, metadata: { nonce: 'n1' } })).headers.get('location'), address)
  assert.equal((await sender.patch(address, 3, 'def')).status, 204)
  assert.deepEqual(await sender.sent(), ['a.txt'])
  const [folder = ''] = readdirSync(join(app.root, 'in')).filter((name) => name !== 'a.txt')
  assert.deepEqual(await harvest(join(app.root, 'in', folder)), { 'a.txt': 'abcdef' })
  const again = await sender.begin('a.txt', { length: 6, metadata: { nonce: 'n1' } })
  assert.deepEqual([again.headers.get('location'), again.headers.get('upload-offset')], [address, '6'])
})

test('a file that is sent whole again, because no answer has come, arrives once', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { hasFolders: false })
  const sender = senderOn(app, hash)
  const unfinished = async () => {
    const shown = await sender.shown()
    return shown.kind === 'open' ? shown.unfinished.length : 0
  }
  const begun = await sender.begin('b.txt', { length: 6, metadata: { nonce: 'n1' } })
  assert.equal((await sender.patch(begun.headers.get('location') ?? '', 0, 'abc')).status, 204)
  await sender.send('b.txt', 'abcdef', { metadata: { nonce: 'n1' } })
  assert.equal(await unfinished(), 0)
  // Of a connection that is lost the server may know nothing yet.
  const headers = { 'Upload-Length': '6', 'Upload-Metadata': 'nonce bjI=', ...pieceType }
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('ab')) })
  const leaving = new AbortController()
  const lost = sender
    .tus('POST', `/api/public/tus/${hash}/c.txt`, { headers, body, signal: leaving.signal })
    .catch(() => undefined)
  await until(async () => (await unfinished()) === 1, 'a part is there')
  await sender.send('c.txt', 'abcdef', { metadata: { nonce: 'n2' } })
  leaving.abort()
  await lost
  await sender.send('c.txt', 'abcdef', { metadata: { nonce: 'n2' } })
  assert.deepEqual(await harvest(join(app.root, 'in')), { 'a.txt': 'of the owner', 'b.txt': 'abcdef', 'c.txt': 'abcdef' })
  assert.deepEqual([await sender.sent(), await unfinished()], [['c.txt', 'b.txt'], 0])
})

test('two equal requests at the same moment bring one file', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { asksName: true })
  const sender = senderOn(app, hash)
  await sender.shown()
  const metadata = { nonce: 'n', sender: 'Rosa' }
  const begun = await Promise.all(Array.from({ length: 4 }, () => sender.begin('a.txt', { length: 3, metadata })))
  assert.equal(new Set(begun.map(({ headers }) => headers.get('location'))).size, 1)
  await Promise.all(
    Array.from({ length: 4 }, () => sender.begin('b.txt', { body: 'abc', metadata: { ...metadata, nonce: 'm' } })),
  )
  assert.equal((await sender.patch(begun[0]?.headers.get('location') ?? '', 0, 'abc')).status, 204)
  await until(async () => (await sender.sent()).length === 2, 'both have come')
  assert.deepEqual(await harvest(join(app.root, 'in')), { 'a.txt': 'of the owner', 'Rosa/a.txt': 'abc', 'Rosa/b.txt': 'abc' })
})

test('one that is given up leaves no file and no folder', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in')
  const sender = senderOn(app, hash)
  const address = (await sender.begin('x/y/a.txt', { length: 6 })).headers.get('location') ?? ''
  assert.equal((await sender.patch(address, 0, 'abc')).status, 204)
  assert.equal((await sender.tus('DELETE', address)).status, 204)
  assert.equal((await sender.tus('HEAD', address)).status, 404)
  await until(() => readdirSync(join(app.root, 'in')).length === 1, 'the folders are gone')
  assert.deepEqual(await harvest(app.root), files)
})

test('what has arrived is known also when another of its name is given up', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in')
  const sender = senderOn(app, hash)
  const first = await sender.send('a.txt', 'one')
  app.clock.advance({ seconds: 1 })
  const second = (await sender.begin('a.txt', { length: 6 })).headers.get('location') ?? ''
  assert.equal((await sender.tus('DELETE', second)).status, 204)
  assert.equal((await sender.tus('HEAD', first)).status, 200)
})

test('two files of one name and length both arrive', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { hasFolders: false })
  const sender = senderOn(app, hash)
  await sender.shown()
  const addresses = await Promise.all(
    ['n1', 'n2', ''].map(async (nonce) => {
      const answer = await sender.begin('b.txt', { length: 1, metadata: nonce ? { nonce } : {} })
      return answer.headers.get('location') ?? ''
    }),
  )
  assert.equal(new Set(addresses).size, 3)
  for (const [index, address] of addresses.entries()) assert.equal((await sender.patch(address, 0, String(index))).status, 204)
  assert.deepEqual(await harvest(join(app.root, 'in')), {
    'a.txt': 'of the owner',
    'b.txt': '0',
    'b(1).txt': '1',
    'b(2).txt': '2',
  })
})

test('a forged, foreign or changed cookie is another sender', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const [one, two] = [await requestFiles(ann, '/in'), await requestFiles(ann, '/in')]
  const sender = senderOn(app, one.hash)
  const address = (await sender.begin('b.txt', { length: 2 })).headers.get('location') ?? ''
  await sender.send('a.txt', 'x')
  const name = `sender-${one.hash}`
  const cookie = sender.cookies.get(name) ?? ''
  assert.match(cookie, /^[0-9a-f]{32}\.[\w-]{43}$/)
  const other = senderOn(app, two.hash)
  await other.shown()
  const foreign = other.cookies.get(`sender-${two.hash}`) ?? ''
  const flipped = (cookie[0] === '0' ? '1' : '0') + cookie.slice(1)
  for (const forged of [
    '',
    'x',
    foreign,
    flipped,
    `${cookie}x`,
    cookie.slice(0, -1),
    cookie.split('.')[0] ?? '',
    `${cookie.slice(0, 33)}${'A'.repeat(43)}`,
  ]) {
    const thief = senderOn(app, one.hash, new Map([[name, forged]]))
    for (const method of ['HEAD', 'DELETE']) assert.equal((await thief.tus(method, address)).status, 404, forged)
    assert.equal((await thief.patch(address, 0, 'ab')).status, 404)
    const shown = await thief.shown()
    assert.ok(shown.kind === 'open' && shown.sentCount === 0 && shown.unfinished.length === 0)
    assert.notEqual(thief.cookies.get(name), forged)
  }
  assert.equal((await sender.patch(address, 0, 'ab')).status, 204)
})

test('the cookie is for its link alone, and no script reads it', async (t) => {
  const app = await startApp(t, { files, options: { baseURL: '/base' } })
  const { hash } = await requestFiles(await app.as('ann'), '/in')
  const answer = await senderOn(app, hash).page()
  const attributes = 'Path=/base/api/public; Max-Age=2592000; HttpOnly; SameSite=Lax'
  assert.match(answer.headers.getSetCookie().join(), new RegExp(`^sender-${hash}=[0-9a-f]{32}\\.[\\w-]{43}; ${attributes}$`))
})

test('nothing is stored before the first file', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { mostFileBytes: 3 })
  const sender = senderOn(app, hash)
  await sender.shown()
  assert.equal((await sender.begin('a.txt', { body: 'more' })).status, 413)
  assert.equal((await sender.tus('HEAD', `/api/public/tus/${hash}/${'0'.repeat(32)}`)).status, 404)
  assert.ok(!existsSync(join(app.folder, 'state.json.requests')))
  assert.deepEqual(await harvest(app.root), files)
})

test('a sender sees own names alone, also where a name was taken', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { asksName: true })
  const [one, two] = [senderOn(app, hash), senderOn(app, hash)]
  await one.send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  await two.send('a.txt', 'two', { metadata: { sender: 'Rosa' } })
  await two.send('a.txt', 'three')
  assert.deepEqual(await harvest(join(app.root, 'in')), {
    ...{ 'a.txt': 'of the owner', 'Rosa/a.txt': 'one', 'Rosa(1)/a.txt': 'two', 'Rosa(1)/a(1).txt': 'three' },
  })
  assert.deepEqual([await one.sent(), await two.sent()], [['a.txt'], ['a.txt', 'a.txt']])
})

test('a number comes at the end of the name of a folder, whatever dots are in that', async (t) => {
  const app = await startApp(t, { files })
  const named = (await requestFiles(await app.as('ann'), '/in', { asksName: true })).hash
  for (const body of ['1', '2']) await senderOn(app, named).send('a', body, { metadata: { sender: 'J. Smith' } })
  const nameless = (await requestFiles(await app.as('ann'), '/other')).hash
  for (const body of ['1', '2']) await senderOn(app, nameless).send('a', body)
  const names = Object.keys(await harvest(app.root)).sort()
  assert.deepEqual(names.slice(0, 3), ['in/J. Smith(1)/a', 'in/J. Smith/a', 'in/a.txt'])
  assert.match(names[3] ?? '', /^other\/\d{4}-\d\d-\d\d \d\d\.\d\d\(1\)\/a$/)
})

test('a folder renamed is followed, one moved out is not written to', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { asksName: true })
  const sender = senderOn(app, hash)
  await sender.send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  const address = (await sender.begin('late.txt', { length: 6 })).headers.get('location') ?? ''
  await sender.patch(address, 0, 'abc')
  assert.equal((await ann.ask('PATCH', '/api/resources/in/Rosa?action=rename&destination=/in/Rosa%20L')).status, 200)
  assert.equal((await sender.patch(address, 3, 'def')).status, 204)
  await sender.send('b.txt', 'two')
  await ann.ask('PATCH', '/api/resources/in/Rosa%20L?action=rename&destination=/other/Rosa')
  await sender.send('c.txt', 'three')
  renameSync(join(app.root, 'in/Rosa'), join(app.root, 'in/Moved by a program'))
  await sender.send('d.txt', 'four')
  assert.deepEqual(await harvest(app.root), {
    ...files,
    ...{ 'other/Rosa/a.txt': 'one', 'other/Rosa/b.txt': 'two', 'other/Rosa/late.txt': 'abcdef' },
    ...{ 'in/Moved by a program/c.txt': 'three', 'in/Rosa/d.txt': 'four' },
  })
})

test('of two folders that have had one name the present one is followed', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { asksName: true })
  const named = { metadata: { sender: 'Rosa' } }
  const [first, second] = [senderOn(app, hash), senderOn(app, hash)]
  await first.send('a.txt', 'one', named)
  await ann.ask('PATCH', '/api/resources/in/Rosa?action=rename&destination=/other/Rosa')
  await second.send('b.txt', 'two', named)
  await ann.ask('PATCH', '/api/resources/in/Rosa?action=rename&destination=/in/Rosa%20L')
  await second.send('c.txt', 'three')
  await first.send('d.txt', 'four')
  assert.deepEqual(await harvest(app.root), {
    ...files,
    ...{ 'other/Rosa/a.txt': 'one', 'in/Rosa L/b.txt': 'two', 'in/Rosa L/c.txt': 'three', 'in/Rosa/d.txt': 'four' },
  })
})

test('a server that starts again knows senders, folders and what is unfinished', async (t) => {
  const app = await startApp(t, { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { asksName: true, mostFiles: 3 })
  const sender = senderOn(app, hash)
  await sender.send('a.txt', 'one', { metadata: { sender: 'Rosa' } })
  const address = (await sender.begin('b.txt', { length: 6 })).headers.get('location') ?? ''
  await sender.patch(address, 0, 'abc')
  const again = await restartApp(app)
  const same = senderOn(again, hash, sender.cookies)
  assert.equal((await same.patch(address, 3, 'def')).status, 204)
  assert.deepEqual(await same.sent(), ['b.txt', 'a.txt'])
  await same.send('c.txt', '')
  assert.equal((await same.begin('d.txt')).status, 507)
  assert.deepEqual(Object.keys(await harvest(join(again.root, 'in'))).sort(), ['Rosa/a.txt', 'Rosa/b.txt', 'Rosa/c.txt', 'a.txt'])
})
