// Uploads that hold places and send hardly anything, and downloads of links that nobody reads.
import assert from 'node:assert/strict'
import { readdirSync, truncateSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Limits } from '../../src-server/api/limits.ts'
import { ReceivedBody } from '../../src-server/api/received-body.ts'
import { TakenAnswer } from '../../src-server/api/taken-answer.ts'
import { GatheredWriter } from '../../src-server/disk/gathered-writer.ts'
import type { DiskSystem } from '../../src-server/disk/system.ts'
import { StoppedClock } from '../support/clock.ts'
import { openSocket } from '../support/raw-request.ts'
import { share } from '../support/share-calls.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { takesNoMore } from '../support/takes-no-more.ts'
import { until } from '../support/until.ts'

type Upload = Readonly<{ token: string | undefined; name: string; type?: string }>

/** Begins an upload whose body does not come. */
async function beginUpload(t: TestContext, app: TestApp, { token = '', name, type = '' }: Upload) {
  const opened = await openSocket(app.port)
  t.after(() => opened.socket.destroy())
  const head = `POST /api/resources/${name} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\n${type}Content-Length: 100000\r\n\r\n`
  opened.socket.write(`${head}--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nb`)
  return opened
}

/** How many uploads wait for their clients: the server looks of each whether it stalls. */
const untilBegun = (app: TestApp, uploads: number) =>
  until(() => app.clock.waiting >= uploads, 'the server waits for the rest of the bodies')

test('eight slow uploads of each of four accounts do not stop a save', async (t) => {
  const names = ['ben', 'cid', 'dan', 'eve']
  const app = await startApp(t, { users: Object.fromEntries(['ann', ...names].map((name) => [name, {}])) })
  for (const name of names) {
    const { token } = await app.as(name)
    for (let index = 0; index < 8; index++) await beginUpload(t, app, { token, name: `${name}-${index}` })
  }
  await untilBegun(app, 32)
  const saved = await (await app.as('ann')).ask('POST', '/api/resources/a', { body: 'a' })
  assert.equal(saved.status, 200)
})

for (const [what, address, type] of [
  ['a body', 'slow', ''],
  ['a form', '', 'Content-Type: multipart/form-data; boundary=x\r\n'],
] as const) {
  test(`without a free place the slowest of whoever holds most gives way, and is told: ${what}`, async (t) => {
    const limits = new Limits({ bodies: { inAll: 3, ofOne: 3, longestWait: 20_000 } })
    const app = await startApp(t, { users: { ann: {}, ben: {}, cid: {} }, services: { limits } })
    const [ann, ben, cid] = [await app.as('ann'), await app.as('ben'), await app.as('cid')]
    const first = await beginUpload(t, app, { token: ben.token, name: address, type })
    const second = await beginUpload(t, app, { token: ben.token, name: `${address}2`, type })
    const other = await beginUpload(t, app, { token: cid.token, name: 'other' })
    await untilBegun(app, 3)
    app.clock.advance({ seconds: 10 })
    assert.equal((await ann.ask('POST', '/api/resources/saved', { body: 'a' })).status, 200)
    const answered = () => [first, second].filter(({ received }) => received() !== '')
    await until(() => answered().length === 1, 'one is answered')
    const [refused] = answered() as [typeof first]
    assert.match(refused.received(), /^HTTP\/1\.1 503 .*\r\nretry-after: 10\r\n/is)
    assert.equal(other.received(), '')
    assert.deepEqual(readdirSync(app.root), ['saved'])
    app.clock.advance({ seconds: 5 })
    await refused.ended
  })
}

test('a long field of a form is a body that arrives, and keeps its place', async (t) => {
  const limits = new Limits({ bodies: { inAll: 1, ofOne: 1, longestWait: 100 } })
  const app = await startApp(t, { users: { ann: {}, ben: {} }, services: { limits } })
  const sockets: Socket[] = []
  app.parts.app.server.on('connection', (socket: Socket) => sockets.push(socket))
  const [ann, ben] = [await app.as('ann'), await app.as('ben')]
  const { socket, received } = await openSocket(app.port)
  t.after(() => socket.destroy())
  const head = `POST /api/resources/ HTTP/1.1\r\nHost: x\r\nX-Auth: ${ben.token}\r\nContent-Length: 100000\r\n`
  socket.write(
    `${head}Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="f"\r\n\r\nb`,
  )
  await untilBegun(app, 1)
  app.clock.advance({ seconds: 5 })
  socket.write('x'.repeat(90_000))
  await until(() => sockets.some(({ bytesRead }) => bytesRead > 90_000), 'it has arrived')
  app.clock.advance({ seconds: 6 })
  assert.equal((await ann.ask('POST', '/api/resources/a', { body: 'a' })).status, 503)
  assert.equal(received(), '')
})

test('a body is slow below a kibibyte a second in the last ten seconds of waiting for its client', async () => {
  const clock = new StoppedClock()
  const body = new ReceivedBody(clock)
  let arrive = (_result: IteratorResult<Uint8Array>) => {}
  const items = { next: () => new Promise<IteratorResult<Uint8Array>>((resolve) => (arrive = resolve)) }
  const send = async (waiting: Promise<unknown>, bytes: number) => {
    arrive({ value: new Uint8Array(bytes) })
    await waiting
  }
  let waiting = body.next(items)
  clock.advance({ milliseconds: 9_999 })
  assert.equal(body.slowness(), undefined, 'too early')
  clock.advance({ milliseconds: 1 })
  assert.equal(body.slowness(), 1024)
  await send(waiting, 5 * 1024)
  assert.equal(body.slowness(), undefined, 'the server does not wait for the client')
  clock.advance({ hours: 1 })
  waiting = body.next(items)
  assert.equal(body.slowness(), 512, 'the time of the server does not count')
  await send(waiting, 5 * 1024)
  waiting = body.next(items)
  assert.equal(body.slowness(), undefined)
  clock.advance({ seconds: 9 })
  assert.equal(body.slowness(), undefined)
  clock.advance({ seconds: 1 })
  assert.equal(body.slowness(), 1024)
  body.end()
  await assert.rejects(waiting, { code: 'busy', retryAfter: 10 })
  await assert.rejects(body.next(items), { code: 'busy' })
})

test('an answer is unread while its client takes nothing of what waits for it', () => {
  const clock = new StoppedClock()
  const socket = { bytesWritten: 1000, writableLength: 500, destroyed: false, destroy: () => (socket.destroyed = true) }
  const answer = new TakenAnswer(socket as unknown as Socket, clock)
  const { slowness, end } = answer.unreadFor(30_000)
  clock.advance({ seconds: 29 })
  assert.equal(slowness(), undefined)
  clock.advance({ seconds: 1 })
  assert.equal(slowness(), 30_000)
  socket.writableLength = 400
  assert.equal(slowness(), undefined, 'a little was taken')
  clock.advance({ seconds: 20 })
  socket.writableLength = 300
  clock.advance({ seconds: 20 })
  assert.equal(slowness(), undefined, 'it was taken between two looks of others')
  socket.writableLength = 0
  clock.advance({ hours: 1 })
  assert.equal(slowness(), undefined, 'nothing waits to be taken')
  end()
  answer.close()
  assert.deepEqual([socket.destroyed, clock.waiting], [true, 0])
})

for (const { what, kind, query, seconds } of [
  { what: 'file', kind: 'linkDownloads', query: '', seconds: 30 },
  { what: 'archive', kind: 'linkArchives', query: '?algo=tar', seconds: 60 },
] as const) {
  test(`an unread download of a link gives way to a newcomer after ${seconds} s: ${what}`, async (t) => {
    const waiting = { inAll: 1, ofOne: 1 }
    const limits = new Limits({ [kind]: { inAll: 1, ofOne: 1, waiting, longestWait: 20_000 } })
    const app = await startApp(t, { files: { 'large/f': '', 'small/f': 'small' }, services: { limits } })
    truncateSync(join(app.root, 'large/f'), 64 << 20)
    const ann = await app.as('ann')
    const below = what === 'file' ? '/f' : ''
    const [large, small] = [await share(ann, `/large${below}`), await share(ann, `/small${below}`)]
    const sockets: Socket[] = []
    app.parts.app.server.on('connection', (socket: Socket) => sockets.push(socket))
    const { socket, ended } = await openSocket(app.port)
    t.after(() => socket.destroy())
    socket.pause()
    socket.write(`GET /api/public/dl/${large.hash}${query} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const isFull = takesNoMore(() => sockets[0])
    await until(isFull, 'the client takes no more')
    app.clock.advance({ seconds: 5 })
    let isCut = false
    sockets[0]?.once('close', () => {
      isCut = true
    })
    app.clock.advance({ seconds: seconds - 1 })
    let hasCome = false
    app.parts.app.server.once('request', () => {
      hasCome = true
    })
    const asked = app.principal().ask('GET', `/api/public/dl/${small.hash}${query}`)
    await until(() => hasCome, 'a newcomer has come')
    assert.equal(isCut, false)
    app.clock.advance({ seconds: 1 })
    const answer = await asked
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
    assert.equal(isCut, true)
    socket.resume()
    await ended
  })
}

test('many bodies hold little in memory together', async () => {
  let written = 0
  const gate = Promise.withResolvers<void>()
  const system = {
    writev: async (_fd: number, chunks: readonly Uint8Array[]) => {
      const size = chunks.reduce((sum, { length }) => sum + length, 0)
      await gate.promise
      written += size
      return size
    },
  } as unknown as DiskSystem
  const writers = Array.from({ length: 256 }, () => new GatheredWriter(system, async () => 1, { position: 0, atOnce: 2 }))
  const chunk = new Uint8Array(60_000)
  let taken = 0
  const filling = writers.map(async (writer) => {
    for (let index = 0; index < 17; index++) {
      await writer.take(chunk)
      taken += chunk.length
    }
  })
  await new Promise(setImmediate)
  assert.ok(taken < 96 << 20, `${taken} bytes are held`)
  gate.resolve()
  await Promise.all(filling)
  await Promise.all(writers.map((writer) => writer.end()))
  assert.equal(written, 256 * 17 * chunk.length)
})

test('what could not be written counts no more, so that later bodies are written in large pieces', async () => {
  const sizes: number[] = []
  let isFull = true
  const system = {
    writev: async (_fd: number, chunks: readonly Uint8Array[]) => {
      const size = chunks.reduce((sum, { length }) => sum + length, 0)
      sizes.push(size)
      if (isFull) throw new Error('the disk is full')
      return size
    },
  } as unknown as DiskSystem
  const take = async () => {
    const writer = new GatheredWriter(system, async () => 1, { position: 0, atOnce: 2 })
    for (let index = 0; index < 31; index++) await writer.take(new Uint8Array(1 << 16))
    await writer.end()
  }
  for (let index = 0; index < 60; index++) await assert.rejects(take, /the disk is full/)
  isFull = false
  sizes.length = 0
  await take()
  assert.equal(sizes[0], 1 << 20)
})
