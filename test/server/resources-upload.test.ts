// Uploading, saving, making folders: the old file stays until the new one is complete.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { descriptorStrategy } from '../../src-server/disk/path-handle.ts'
import type { SystemPath } from '../../src-server/disk/system.ts'
import { historyCalls } from '../support/history-calls.ts'
import { openSocket } from '../support/raw-request.ts'
import { deny, only, startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

test('an upload appears under its name, with the folders above it', async (t) => {
  const app = await startApp(t)
  const ann = await app.as('ann')
  const answer = await ann.upload('/new/deep/a.json', '{"not":"parsed"')
  assert.deepEqual([answer.status, await answer.text()], [200, '200 OK\n'])
  assert.match(answer.headers.get('etag') ?? '', /^"[\w-]+"$/)
  assert.equal(readFileSync(join(app.root, 'new/deep/a.json'), 'utf8'), '{"not":"parsed"')
  assert.equal(statSync(join(app.root, 'new/deep/a.json')).mode & 0o777, 0o640)
  assert.equal(statSync(join(app.root, 'new/deep')).mode & 0o777, 0o750)
  assert.deepEqual(app.events, ['upload /new/deep/a.json'])
})

for (const type of [
  'application/json',
  'text/plain',
  'multipart/form-data',
  'nonsense',
  'a b/c;;d',
  'application/json; charset=latin1',
]) {
  test(`a body sent as ${type} is stored byte for byte`, async (t) => {
    const app = await startApp(t)
    const bytes = Buffer.from([0xff, 0x00, 0x7b, 0xc3, 0x28])
    const ann = await app.as('ann')
    const answer = await ann.ask('POST', '/api/resources/bytes', { body: bytes, headers: { 'Content-Type': type } })
    assert.equal(answer.status, 200)
    assert.deepEqual(readFileSync(join(app.root, 'bytes')), bytes)
  })
}

test('an existing target is 409 and untouched, and is not even opened', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'old', 'dir/x': 'x' } })
  const ann = await app.as('ann')
  const before = statSync(join(app.root, 'a.txt'))
  for (const query of [undefined, 'override=false', 'override=1', 'override=TRUE', 'override']) {
    assert.equal((await ann.upload('/a.txt', 'new', query)).status, 409)
  }
  assert.equal((await ann.upload('/dir', 'new')).status, 409)
  assert.deepEqual(statSync(join(app.root, 'a.txt')), before)
  assert.deepEqual(app.events, [])
})

test('override replaces a file and keeps its mode', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'old' } })
  assert.equal((await (await app.as('ann')).upload('/a.txt', 'new', 'override=true')).status, 200)
  assert.equal(readFileSync(join(app.root, 'a.txt'), 'utf8'), 'new')
  assert.equal(statSync(join(app.root, 'a.txt')).mode & 0o777, 0o644)
})

test('override needs the right to modify, and of a folder it is refused', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'old', 'dir/x': 'x' }, users: { maker: { perm: only('create') }, ann: {} } })
  const maker = await app.as('maker')
  assert.equal((await maker.upload('/a.txt', 'new', 'override=true')).status, 403)
  assert.equal((await maker.upload('/b.txt', 'new', 'override=true')).status, 200)
  assert.equal((await (await app.as('ann')).upload('/dir', 'new', 'override=true')).status, 409)
  assert.deepEqual(readdirSync(app.root).sort(), ['a.txt', 'b.txt', 'dir'])
  assert.equal(readFileSync(join(app.root, 'dir/x'), 'utf8'), 'x')
})

test('an upload to the root, or below a file, is a conflict', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'old' } })
  const ann = await app.as('ann')
  assert.equal((await ann.upload('/a.txt/b/c', 'new')).status, 409)
  assert.equal((await ann.ask('POST', '/api/resources', { body: 'x' })).status, 200)
  assert.deepEqual(readdirSync(app.root), ['a.txt'])
})

test('a parent that rules hide is not made, nor any above it', async (t) => {
  const app = await startApp(t, { users: { ann: { rules: [deny('/x/secret')] } } })
  const ann = await app.as('ann')
  assert.equal((await ann.upload('/x/secret/a.txt', 'new')).status, 403)
  assert.equal((await ann.makeFolder('/x/secret/deep')).status, 403)
  assert.deepEqual(readdirSync(app.root), [])
})

test('a link inside is written through, one that leaves or is broken is not', async (t) => {
  const app = await startApp(t, {
    files: { 'a.txt': 'old', 'in.txt': { link: 'a.txt' }, dangling: { link: '../made' }, lost: { link: 'none' } },
  })
  writeFileSync(join(app.folder, 'outside.txt'), 'outside')
  symlinkSync('../outside.txt', join(app.root, 'out.txt'))
  const ann = await app.as('ann')
  assert.equal((await ann.upload('/in.txt', 'new', 'override=true')).status, 200)
  assert.equal(readFileSync(join(app.root, 'a.txt'), 'utf8'), 'new')
  for (const name of ['out.txt', 'dangling', 'lost']) {
    for (const query of [undefined, 'override=true']) {
      assert.ok([403, 409].includes((await ann.upload(`/${name}`, 'evil', query)).status), name)
    }
  }
  assert.equal(readFileSync(join(app.folder, 'outside.txt'), 'utf8'), 'outside')
  assert.deepEqual(
    readdirSync(app.folder).filter((name) => name === 'made'),
    [],
  )
})

test('a connection that breaks during an upload leaves no new file, and the old one stays', async (t) => {
  const app = await startApp(t, { files: { 'old.txt': 'old' } })
  const { token } = await app.as('ann')
  for (const address of ['/api/resources/new.txt', '/api/resources/old.txt?override=true']) {
    const { socket, ended } = await openSocket(app.port)
    socket.write(`POST ${address} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nContent-Length: 3000000\r\n\r\n`)
    socket.write(Buffer.alloc(2_000_000))
    await until(() => hasPart(app.root), 'the upload is being written')
    socket.destroy()
    await ended
    await until(() => !hasPart(app.root), 'its temporary file is removed')
  }
  assert.deepEqual(readdirSync(app.root), ['old.txt'])
  assert.equal(readFileSync(join(app.root, 'old.txt'), 'utf8'), 'old')
  await until(() => app.events.length === 2, 'both failures are told')
  assert.deepEqual(app.events, ['failed upload /new.txt', 'failed upload /old.txt'])
})

test('a temporary file is hidden, and its name is refused', async (t) => {
  const app = await startApp(t)
  const name = `.holdall-${'0'.repeat(32)}.part`
  writeFileSync(join(app.root, name), 'half')
  const ann = await app.as('ann')
  assert.deepEqual(await ann.list('/'), [])
  for (const answer of [
    await ann.get(`/${name}`),
    await ann.raw(`/${name}`),
    await ann.upload(`/${name}`, 'x'),
    await ann.remove(`/${name}`),
  ]) {
    assert.equal(answer.status, 403)
  }
})

test('uploads at once under one name: one wins, the others are conflicts', async (t) => {
  const app = await startApp(t)
  const ann = await app.as('ann')
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => ann.upload('/deep/one.txt', `body ${index}`)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array(7).fill(409)])
})

test('a folder is created with those above it; creating it again succeeds; a file at its path is a conflict', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'x' } })
  const ann = await app.as('ann')
  assert.equal((await ann.makeFolder('/one/two')).status, 200)
  assert.equal((await ann.makeFolder('/one/two')).status, 200)
  assert.equal((await ann.makeFolder('/a.txt')).status, 409)
  assert.equal((await ann.makeFolder('/a.txt/b')).status, 409)
  assert.deepEqual(app.events, ['upload /one/two', 'failed upload /a.txt/b'])
})

test('saving replaces an existing file, and creates none', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'old', 'dir/x': 'x' }, users: { ann: {}, maker: { perm: only('create') } } })
  const ann = await app.as('ann')
  const saved = await ann.save('/a.txt', 'new')
  assert.deepEqual([saved.status, await saved.text()], [200, '200 OK\n'])
  assert.match(saved.headers.get('etag') ?? '', /^"[\w-]+"$/)
  assert.equal((await ann.save('/none', 'new')).status, 404)
  assert.equal((await ann.save('/dir', 'new')).status, 409)
  const onFolder = await ann.ask('PUT', '/api/resources/dir/', { body: 'new' })
  assert.deepEqual([onFolder.status, onFolder.headers.get('allow')], [405, 'GET, HEAD, POST, PATCH, DELETE'])
  assert.equal((await (await app.as('maker')).save('/a.txt', 'x')).status, 403)
  assert.equal(readFileSync(join(app.root, 'a.txt'), 'utf8'), 'new')
  assert.equal(readFileSync(join(app.root, 'dir/x'), 'utf8'), 'x')
  assert.deepEqual(app.events, ['save /a.txt'])
})

test('a listener that refuses stops an upload before a byte is written', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'old' } })
  const ann = await app.as('ann')
  app.parts.events.before(() => {
    throw new Error('no')
  })
  assert.equal((await ann.upload('/a.txt', 'new', 'override=true')).status, 500)
  assert.equal((await ann.upload('/b/c.txt', 'new')).status, 500)
  assert.deepEqual(readdirSync(app.root), ['a.txt'])
  assert.equal(readFileSync(join(app.root, 'a.txt'), 'utf8'), 'old')
})

const hasPart = (folder: string) => readdirSync(folder).some((name) => name.endsWith('.part'))

test('the path of a file that is uploaded or saved is resolved once', async (t) => {
  let looks = 0
  const strategy = {
    ...descriptorStrategy,
    openPath: (address: SystemPath) => {
      if (String(address).endsWith('/between')) looks++
      return descriptorStrategy.openPath(address)
    },
  }
  const app = await startApp(t, { files: { 'top/between/below/a.txt': 'old' }, services: { strategy } })
  const script = await app.as('ann')
  // Saves of a page follow each other without keeping what they replace.
  const ann = historyCalls(app.url, script).act()
  // The first look at a folder is followed by one at the same name in capital letters.
  assert.equal((await ann.save('/top/between/below/a.txt', 'new')).status, 200)
  for (const [change, times] of [
    [() => ann.save('/top/between/below/a.txt', 'newer'), 1],
    // What is replaced goes into the trash, for which its folders are opened by their names once more.
    [() => ann.upload('/top/between/below/a.txt', 'newest', 'override=true'), 2],
    [() => ann.upload('/top/between/below/b.txt', 'other'), 1],
  ] as const) {
    looks = 0
    assert.equal((await change()).status, 200)
    assert.equal(looks, times, String(change))
  }
})
