// No client may exhaust the memory or the time of the others.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { endpoint } from '../../src-server/api/endpoint.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { Operation } from '../../src-server/base/operation.ts'
import type { LimitedKind } from '../../src-server/contract/endpoint.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { openSocket } from '../support/raw-request.ts'
import { startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'
import { takesNoMore } from '../support/takes-no-more.ts'
import { until } from '../support/until.ts'

const contract = { ...endpoints, 'GET /api/test/slow': { access: 'public' } } as const

/** A server with a call that answers when `work.go` resolves, and the numbers of its running and ended calls. */
async function startSlow(t: TestContext) {
  const work = { now: 0, most: 0, done: 0, go: Promise.withResolvers<void>() }
  const app = await startApp(t, {
    calls: (scope, api) =>
      endpoint(scope, { ...api, contract }, 'GET /api/test/slow', async ({ reply }) => {
        work.most = Math.max(work.most, ++work.now)
        await work.go.promise
        work.now--
        return reply.type('text/plain').send(`answer ${++work.done};`)
      }),
  })
  let arrived = 0
  app.parts.app.server.on('request', () => arrived++)
  return { app, work, arrived: () => arrived }
}

const slow = 'GET /api/test/slow HTTP/1.1\r\nHost: x\r\n\r\n'

describe('requests that are sent on one connection without waiting for answers', () => {
  test('are worked on one at a time, and answered in their order', async (t) => {
    const { app, work } = await startSlow(t)
    const { socket, received } = await openSocket(app.port)
    t.after(() => socket.destroy())
    socket.write(slow.repeat(200))
    await until(() => work.now === 1, 'the first is at work')
    work.go.resolve()
    await until(() => received().includes('answer 200;'), 'all are answered')
    assert.equal(work.most, 1)
    const answers = received().match(/answer \d+/g) ?? []
    assert.deepEqual(
      answers,
      Array.from({ length: 200 }, (_, index) => `answer ${index + 1}`),
    )
  })

  test('are not read while one waits, so that they use no memory', async (t) => {
    const { app, work, arrived } = await startSlow(t)
    const { socket } = await openSocket(app.port)
    t.after(() => socket.destroy())
    const all = 100_000
    socket.write(slow.repeat(all))
    await until(() => work.now === 1, 'the first is at work')
    // Enough turns of the event loop to read everything, if it were read.
    for (let turn = 0; turn < 200; turn++) assert.equal((await app.principal().ask('GET', '/health')).status, 200)
    const most = all / 20
    assert.ok(arrived() < most, `${arrived()} were read`)
    socket.destroy()
    work.go.resolve()
    await until(() => work.now === 0, 'the first has ended')
    assert.ok(arrived() < most, `${arrived()} were read`)
  })

  test('do not delay those of another connection', async (t) => {
    const { app, work } = await startSlow(t)
    const { socket } = await openSocket(app.port)
    t.after(() => socket.destroy())
    socket.write(slow.repeat(2))
    await until(() => work.now === 1, 'the first is at work')
    const other = app.principal().ask('GET', '/api/test/slow')
    await until(() => work.now === 2, 'that of the other connection is at work')
    work.go.resolve()
    assert.equal((await other).status, 200)
  })

  test('leave the body of the next one whole', async (t) => {
    const app = await startApp(t)
    const { token } = await app.as('ann')
    const { socket, received } = await openSocket(app.port)
    t.after(() => socket.destroy())
    const content = 'x'.repeat(300_000)
    for (const name of ['a', 'b', 'c']) {
      const head = `POST /api/resources/${name} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nContent-Length: ${content.length}\r\n\r\n`
      socket.write(head + content)
    }
    await until(() => received().match(/HTTP\/1.1 200/g)?.length === 3, 'all are answered')
    const { items = [] } = await (await app.as('ann')).read('/')
    assert.deepEqual(
      items.map(({ name, size }) => [name, size]),
      ['a', 'b', 'c'].map((name) => [name, content.length]),
    )
  })
})

/** Limits that leave room for a small answer, and not for one of 2,500 entries. */
const bytes = { inAll: 1_000_000, ofOne: 500_000 }

for (const [what, kind, weight, waiting, passing] of [
  ['a listing waits while the user has enough of them running', 'listings', 1, 'few/', 'few/a.txt?checksum=md5'],
  ['a checksum waits while the user has enough of them running', 'hashing', 1, 'few/a.txt?checksum=md5', 'few/'],
  ['a large listing is not sent while too much waits for its clients', 'answers', 250_000, 'many/', 'few/'],
] as const) {
  test(`${what}, and others pass`, async (t) => {
    const limits = new Limits({ listings: { inAll: 2, ofOne: 1 }, hashing: { inAll: 2, ofOne: 1 }, answers: bytes })
    const files = { 'few/a.txt': 'a', ...Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`many/${index}`, ''])) }
    const app = await startApp(t, { files, users: { ann: {}, ben: {} }, services: { limits } })
    const [ann, ben] = [await app.as('ann'), await app.as('ben')]
    const held = new Operation()
    await limits.enter(kind, userIn(app.parts.state, 'ann')?.id ?? 0, held, { weight })
    const ended: string[] = []
    const ask = async (who: typeof ann, address: string, name: string) => {
      const answer = await who.ask('GET', `/api/resources/${address}`)
      assert.equal(answer.status, 200)
      await answer.text()
      ended.push(name)
    }
    await ask(ann, passing, 'of another kind or size')
    const waits = ask(ann, waiting, 'waited')
    for (let round = 0; round < 20; round++) await ask(ben, waiting, 'of another')
    assert.ok(!ended.includes('waited'))
    await held.end()
    await waits
  })
}

test('a listing that waits too long for its turn is 503, with a time to ask again', async (t) => {
  const limits = new Limits({ listings: { inAll: 1, ofOne: 1, longestWait: 1 } })
  const app = await startApp(t, { files: { 'dir/a.txt': 'a' }, services: { limits } })
  const [ann, held] = [await app.as('ann'), new Operation()]
  await limits.enter('listings', 0, held)
  const answer = await ann.get('/dir/')
  assert.deepEqual([answer.status, answer.headers.get('Retry-After')], [503, '2'])
  await held.end()
  assert.equal((await ann.get('/dir/')).status, 200)
})

test('a hundred changes that a client sends at once are all done', async (t) => {
  const names = Array.from({ length: 100 }, (_, index) => `${index}`)
  const app = await startApp(t, { files: { ...Object.fromEntries(names.map((name) => [name, 'x'])), 'to/': '' } })
  const ann = await app.as('ann')
  const changes = names.map((name, index) => (index % 2 === 0 ? ann.remove(`/${name}`) : ann.move(`/${name}`, `/to/${name}`)))
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal((await ann.list('/to')).length, 50)
})

test('listings and checksums of one user run one after the other when the limit is one', async (t) => {
  const one = { inAll: 1, ofOne: 1 }
  const limits = new Limits({ listings: one, answers: one, hashing: one })
  const app = await startApp(t, { files: { 'dir/a.txt': 'a' }, services: { limits } })
  const ann = await app.as('ann')
  const addresses = ['dir/', 'dir/a.txt', 'dir/a.txt?checksum=md5', 'none'].map((path) => `/api/resources/${path}`)
  const asked = Array.from({ length: 40 }, (_, index) => ann.ask('GET', addresses[index % 4] ?? ''))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.deepEqual(
    statuses,
    statuses.map((_, index) => (index % 4 === 3 ? 404 : 200)),
  )
})

test('a short listing is answered while large ones of the same user are not read', async (t) => {
  const limits = new Limits({ answers: { inAll: 1, ofOne: 1 } })
  const app = await startApp(t, { files: { 'dir/a.txt': 'a' }, services: { limits } })
  const ann = await app.as('ann')
  const unread = new Operation()
  const { user } = JSON.parse(Buffer.from(ann.token?.split('.')[1] ?? '', 'base64url').toString()) as { user: { id: number } }
  await limits.enter('answers', user.id, unread)
  assert.equal((await ann.get('/dir/')).status, 200)
  await unread.end()
})

/** Limits that know which kinds of work have asked to begin. */
class CountedLimits extends Limits {
  readonly asked: LimitedKind[] = []

  override enter(...work: Parameters<Limits['enter']>): ReturnType<Limits['enter']> {
    this.asked.push(work[0])
    return super.enter(...work)
  }
}

test('listings that wait until their person takes other answers give way to others', async (t) => {
  const limits = new CountedLimits({
    listings: { inAll: 2, ofOne: 2, longestWait: 60_000 },
    answers: { inAll: 1000, ofOne: 500 },
  })
  const files = { 'few/a.txt': 'a', 'long.txt': 'x'.repeat(100_000) }
  const app = await startApp(t, { files, users: { ann: {}, ben: {} }, services: { limits } })
  const [ann, ben, unread] = [await app.as('ann'), await app.as('ben'), new Operation()]
  await limits.enter('answers', userIn(app.parts.state, 'ben')?.id ?? 0, unread, { weight: 500 })
  const asked = [1, 2].map(() => ben.get('/long.txt'))
  await until(() => limits.asked.filter((kind) => kind === 'answers').length === 3, 'both are read and wait')
  const listed = ann.get('/few/')
  app.clock.advance({ seconds: 2 })
  assert.equal((await listed).status, 200)
  const refused = await Promise.race(asked)
  assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '2'])
  await unread.end()
  assert.deepEqual((await Promise.all(asked)).map(({ status }) => status).sort(), [200, 503])
})

test('a large answer that its client does not take gives way to another after ten seconds', async (t) => {
  const limits = new Limits({ answers: { inAll: 1000, ofOne: 1000 } })
  const files = { 'long.txt': 'x'.repeat(9 << 20), 'other.txt': 'y'.repeat(100_000) }
  const app = await startApp(t, { files, users: { ann: {}, ben: {} }, services: { limits } })
  const [ann, { token }] = [await app.as('ann'), await app.as('ben')]
  const sockets: Socket[] = []
  app.parts.app.server.on('connection', (socket: Socket) => sockets.push(socket))
  const { socket, ended } = await openSocket(app.port)
  t.after(() => socket.destroy())
  socket.pause()
  socket.write(`GET /api/resources/long.txt HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\n\r\n`)
  const isFull = takesNoMore(() => sockets[0])
  await until(isFull, 'the client takes no more')
  app.clock.advance({ seconds: 5 })
  const asked = ann.get('/other.txt')
  app.clock.advance({ seconds: 10 })
  assert.equal((await asked).status, 200)
  socket.resume()
  await ended
})

test('a long text is answered in parts, whatever characters stand where they meet', async (t) => {
  const text = `${'x'.repeat((64 << 10) - 1)}😀"\\\u0001\n${'é'.repeat(200_000)}\u2028`
  const app = await startApp(t, { files: { 'long.txt': text } })
  const { name, type, content } = await (await app.as('ann')).read('/long.txt')
  assert.deepEqual([name, type, content === text], ['long.txt', 'text', true])
})

test('a body without a session is at most 64 KiB', async (t) => {
  const app = await startApp(t)
  const body = (size: number) => JSON.stringify({ username: 'ann', password: 'x'.repeat(size) })
  assert.equal((await app.principal().ask('POST', '/api/login', { body: body(70_000) })).status, 413)
  assert.equal((await app.principal().ask('POST', '/api/login', { body: body(500) })).status, 403)
})
