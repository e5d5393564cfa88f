// How much may be sent by a request link, and that nobody learns how much is left.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Path } from '../../src-server/base/paths.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { Book } from '../../src-server/requests/book.ts'
import { Numbers } from '../../src-server/uploads/numbers.ts'
import { fullSystem } from '../support/full-system.ts'
import { requestFiles } from '../support/request-calls.ts'
import { byScale } from '../support/scale.ts'
import { senderOn } from '../support/sender.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

async function start(t: TestContext, body: object = {}, setup: AppSetup = {}) {
  const app = await startApp(t, { files: { 'in/a.txt': 'x' }, ...setup })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', body)
  const sender = senderOn(app, hash)
  await sender.shown()
  return { app, ann, hash, sender }
}

const refusal = async (answer: Response | Promise<Response>) => {
  const { status, headers } = await answer
  return [status, headers.get('x-refusal'), await (await answer).text()]
}

const full = [507, 'code=noMoreTaken', '507 Insufficient Storage (no more can be taken in at the moment)\n']

const count = byScale({ usual: 24, long: 1000, full: 10_000 })

test('empty files count 4 KiB each, and equal names get numbers', { timeout: 300_000 + count * 200 }, async (t) => {
  const { app, sender } = await start(t, { mostBytes: count * 4096, hasFolders: false, filesAnHour: 100_000, mostFiles: 100_000 })
  for (let sent = 0; sent < count; sent += 8) await Promise.all(Array.from({ length: 8 }, () => sender.send('e', '')))
  assert.deepEqual(await refusal(sender.begin('e')), full)
  const names = Object.keys(await harvest(join(app.root, 'in')))
  assert.deepEqual(names.sort(), ['a.txt', 'e', ...Array.from({ length: count - 1 }, (_, index) => `e(${index + 1})`)].sort())
  assert.ok((await sender.shown()).kind === 'open')
})

test('of the files that somebody has sent the records of fifty uploads are kept', async (t) => {
  const { app, sender } = await start(t)
  const first = await sender.send('0', '')
  for (let sent = 1; sent < 54; sent += 3) await Promise.all([0, 1, 2].map((more) => sender.send(`${sent + more}`, '')))
  await until(() => readdirSync(join(app.folder, 'state.json.request-uploads')).length === 50, 'the oldest are forgotten')
  assert.equal((await sender.tus('HEAD', first)).status, 404)
  assert.equal((await sender.sent()).length, 55)
})

test('ten thousand equal names are looked for ten thousand times', async () => {
  const taken = new Set<string>()
  let looks = 0
  const freeName = async (path: Path, from: number) => {
    for (let number = from; ; number++) {
      looks++
      const found = (number === 0 ? path : `${path}(${number})`) as Path
      if (!taken.has(found)) return { path: found, number }
    }
  }
  const files = { writing: { freeName } } as unknown as UserFiles
  const numbers = new Numbers()
  for (let count = 0; count < 10_000; count += 4) {
    const paths = await Promise.all(Array.from({ length: 4 }, () => numbers.freePath(files, '/e' as Path, '/in/e' as Path)))
    for (const path of paths) taken.add(path)
  }
  assert.equal(taken.size, 10_000)
  assert.ok(looks < 40_000, `${looks} looks`)
})

test('what is full says the same for bytes, files and disk', async (t) => {
  const cases = [
    [{ mostBytes: 4096 * 2, mostFileBytes: 10 }, { length: 1 }],
    [{ mostFiles: 2 }, { length: 1 }],
    [{ mostBytes: 2 ** 50, mostFileBytes: 2 ** 50 }, { length: 2 ** 49 }],
  ] as const
  for (const [body, sent] of cases) {
    const { sender } = await start(t, body)
    await sender.send('one', '1')
    await sender.send('two', '2')
    assert.deepEqual(await refusal(sender.begin('three', sent)), full)
  }
})

test('what is on its way counts, and comes back when it is given up', async (t) => {
  const { sender } = await start(t, { mostBytes: 10_000, mostFileBytes: 6000 })
  const address = (await sender.begin('a', { length: 6000 })).headers.get('location') ?? ''
  assert.deepEqual(await refusal(sender.begin('b', { length: 5000 })), full)
  assert.equal((await sender.tus('DELETE', address)).status, 204)
  const [one, two] = await Promise.all([sender.begin('b', { length: 6000 }), sender.begin('c', { length: 6000 })])
  assert.deepEqual([one.status, two.status].sort(), [201, 507])
})

test('what was announced and never came holds no place after ten minutes', async (t) => {
  const { app, sender } = await start(t, { mostBytes: 10_000, mostFileBytes: 6000 })
  await sender.begin('a', { length: 6000 })
  app.clock.advance({ minutes: 10 })
  assert.equal((await sender.begin('b', { length: 6000 })).status, 201)
})

test('files an hour, and unfinished ones of a sender, have their limits', async (t) => {
  const { app, hash, sender } = await start(t, { filesAnHour: 3, mostFileBytes: 5 })
  for (const name of ['a', 'b', 'c']) await sender.send(name, 'x')
  const late = await sender.begin('d')
  assert.equal(late.headers.get('retry-after'), '3600')
  assert.deepEqual(await refusal(late), [
    429,
    'code=tooMuchAtOnce',
    '429 Too Many Requests (too much has come in a short time)\n',
  ])
  app.clock.advance({ hours: 1, seconds: 1 })
  await sender.send('d', 'x')
  const other = (await requestFiles(await app.as('ann'), '/in')).hash
  const busy = senderOn(app, other)
  await busy.shown()
  const begun = await Promise.all(Array.from({ length: 21 }, (_, count) => busy.begin(`${count}`, { length: 1 })))
  assert.deepEqual(begun.map(({ status }) => status).sort(), [...Array(20).fill(201), 429])
  // Others go on.
  await senderOn(app, other).send('x', 'x')
  // Whoever has sent something already goes on.
  const first = (await busy.shown()) as { unfinished: { id: string }[] }
  assert.equal((await busy.patch(`/api/public/tus/${other}/${first.unfinished[0]?.id}`, 0, 'x')).status, 204)
  assert.notEqual(hash, other)
})

test('refused files and who sends them count in their hour, and shut nobody out', async (t) => {
  const { app, hash, sender } = await start(
    t,
    { filesAnHour: 35 },
    { rules: [{ allow: false, path: '', regex: true, regexp: { raw: '\\.exe$' } }] },
  )
  const refused = await Promise.all(Array.from({ length: 36 }, () => senderOn(app, hash).begin('a.exe', { length: 1 })))
  assert.deepEqual(refused.map(({ status }) => status).sort(), [...Array(35).fill(403), 429])
  app.clock.advance({ hours: 1, seconds: 1 })
  await sender.send('a.txt', 'x')
  for (let count = 1; count < 35; count++) assert.equal((await sender.begin('a.exe')).status, 403)
  assert.equal((await sender.begin('b.txt')).status, 429)
  const book = new Book()
  const place = { start: 0, length: 1 }
  for (const id of ['a', 'b']) book.add({ is: 'sender', id, at: 0, address: '' }, place)
  assert.equal(book.withFiles, 0)
  for (const upload of ['1', '2'])
    book.add({ is: 'arrival', upload, sender: 'a', name: 'x', path: '/in/x', size: 1, version: '', at: 0 }, place)
  assert.equal(book.withFiles, 1)
})

test('what the link does not take in is said before anything is stored', async (t) => {
  const { app, sender } = await start(t, { endings: ['jpg', 'tar'], asksName: true, mostFileBytes: 4 })
  const named = { metadata: { sender: 'Rosa' } }
  assert.deepEqual(await refusal(sender.begin('a.jpg')), [
    400,
    'code=senderNameMissing',
    '400 Bad Request (say your name first)\n',
  ])
  assert.equal((await sender.begin('a.jpg', { metadata: { sender: ' \u200b ' } })).status, 400)
  for (const name of ['a.png', 'jpg', 'a.jpg.exe', 'a.'])
    assert.equal((await refusal(sender.begin(name, named)))[1], 'code=kindRefused', name)
  const large = await sender.begin('a.jpg', { length: 5, ...named })
  assert.deepEqual(await refusal(large), [
    413,
    'code=fileTooLargeHere&bytes=4',
    '413 Payload Too Large (a file may have at most 4 bytes here)\n',
  ])
  assert.deepEqual(await harvest(app.root), { 'in/a.txt': 'x' })
  await sender.send('A.JPG', 'x', named)
  await sender.send('b.x.Tar', 'x')
})

test('a full disk empties no trash and leaves nothing', async (t) => {
  const { system, space } = fullSystem()
  const { app, ann, sender } = await start(t, { asksName: true }, { services: { system } })
  await ann.upload('/old.txt', 'old')
  await ann.remove('/old.txt')
  const before = (await (await ann.ask('GET', '/api/trash')).json()) as { items: unknown[] }
  const begun = await sender.begin('a.txt', { length: 6, metadata: { sender: 'Rosa' } })
  const address = begun.headers.get('location') ?? ''
  space.isFull = true
  assert.deepEqual(await refusal(sender.patch(address, 0, 'abc')), full)
  assert.deepEqual(
    await refusal(senderOn(app, address.split('/')[4] ?? '').begin('b.txt', { metadata: { sender: 'Eva' } })),
    full,
  )
  assert.deepEqual(await (await ann.ask('GET', '/api/trash')).json(), before)
  space.isFull = false
  assert.equal((await sender.patch(address, 0, 'abcdef')).status, 204)
  assert.deepEqual(await harvest(app.root), { 'in/a.txt': 'x', 'in/Rosa/a.txt': 'abcdef' })
})
