// What one client sends must not take the memory or the time of the others.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { keepStreams } from '../../src-server/api/bodies.ts'
import { endpoint } from '../../src-server/api/endpoint.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { openSocket } from '../support/raw-request.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const contract = {
  ...endpoints,
  'GET /api/test/slow': { access: 'public' },
  'POST /api/test/slow': { access: 'public', streamed: true },
} as const

/** A server with a call that answers when it is told, and what it has at work. */
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

  test('are not read while one waits, so that they take no memory', async (t) => {
    const { app, work, arrived } = await startSlow(t)
    const { socket } = await openSocket(app.port)
    t.after(() => socket.destroy())
    const all = 100_000
    socket.write(slow.repeat(all))
    await until(() => work.now === 1, 'the first is at work')
    // Another connection is answered meanwhile, and what this one sent has not been read.
    assert.equal((await app.principal().ask('GET', '/health')).status, 200)
    assert.ok(arrived() < all / 2, `${arrived()} were read`)
    socket.destroy()
    work.go.resolve()
    await until(() => work.now === 0, 'the first has ended')
    assert.ok(arrived() < all / 2, `${arrived()} were read`)
  })

  test('do not hold up those of another connection', async (t) => {
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

describe('work of one kind', () => {
  const limits = () => new Limits({ listings: { inAll: 3, ofOne: 2 } })
  /** Enters for a person; the operation ends the work, `begun` tells whether it may begin. */
  const enter = (to: Limits, person: number) => {
    const operation = new Operation()
    const work = { operation, begun: false, entered: Promise.resolve() }
    work.entered = to.enter('listings', person, operation).then(() => {
      work.begun = true
    })
    return work
  }
  const settled = () => new Promise(setImmediate)

  test('waits when one person has enough at work, and lets others pass', async () => {
    const all = limits()
    const works = [1, 1, 1, 2].map((person) => enter(all, person))
    await settled()
    assert.deepEqual(
      works.map(({ begun }) => begun),
      [true, true, false, true],
    )
    await works[0]?.operation.end()
    await settled()
    assert.equal(works[2]?.begun, true)
  })

  test('waits when there is enough at work in all, and begins in the order in which it came', async () => {
    const all = limits()
    const works = [1, 2, 3, 4, 5].map((person) => enter(all, person))
    await works[1]?.operation.end()
    await settled()
    assert.deepEqual(
      works.map(({ begun }) => begun),
      [true, true, true, true, false],
    )
  })

  test('that is aborted while it waits is not begun, and takes no place', async () => {
    const all = limits()
    const [first, , waiting, last] = [1, 1, 1, 1].map((person) => enter(all, person))
    const reason = new Error('gone')
    waiting?.operation.abort(reason)
    await assert.rejects(waiting?.entered ?? Promise.resolve(), reason)
    await first?.operation.end()
    await last?.entered
    assert.equal(waiting?.begun, false)
  })

  test('is refused with a time to come again when too much waits', async () => {
    const all = limits()
    const works = Array.from({ length: 1002 }, () => enter(all, 1))
    await assert.rejects(enter(all, 1).entered, { code: 'busy', retryAfter: 2 })
    for (const { operation, entered } of works) {
      operation.abort(new Error('gone'))
      await entered.catch(() => {})
    }
  })
})

test('a body that somebody sends who has not signed in is at most 64 KiB', async (t) => {
  const app = await startApp(t)
  const body = (size: number) => JSON.stringify({ username: 'ann', password: 'x'.repeat(size) })
  assert.equal((await app.principal().ask('POST', '/api/login', { body: body(70_000) })).status, 413)
  assert.equal((await app.principal().ask('POST', '/api/login', { body: body(500) })).status, 403)
})

for (const [what, length, sent] of [
  ['a sign-in that is not finished', 1000, '{"username":'],
  ['a sign-in that is too large and not finished', 1 << 20, '{"username":'],
] as const) {
  test(`${what} does not stay for ever`, async (t) => {
    const app = await startApp(t)
    const { socket, ended } = await openSocket(app.port)
    socket.write(`POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${sent}`)
    await until(() => app.clock.waiting === 1, 'the server waits for the rest')
    app.clock.advance({ milliseconds: 29_999 })
    assert.equal(app.clock.waiting, 1)
    app.clock.advance({ milliseconds: 1 })
    await ended
  })
}

test('an upload that stalls does not stay for ever, and its folder can be deleted', async (t) => {
  const app = await startApp(t, { files: { 'dir/': '' } })
  const ann = await app.as('ann')
  const { socket, ended } = await openSocket(app.port)
  socket.write(`POST /api/resources/dir/a HTTP/1.1\r\nHost: x\r\nX-Auth: ${ann.token}\r\nContent-Length: 100\r\n\r\nbegun`)
  await until(() => app.clock.waiting === 1, 'the server waits for the rest')
  app.clock.advance({ minutes: 2 })
  await ended
  await until(() => readdirSync(join(app.root, 'dir')).length === 0, 'nothing is left of it')
  assert.equal((await ann.remove('/dir')).status, 200)
  assert.deepEqual(app.events, ['failed upload /dir/a', 'delete /dir'])
})

test('an upload whose reader is slow does not count as one that stalls', async (t) => {
  let pieces = 0
  const app = await startApp(t, {
    calls: (scope, api) => {
      keepStreams(scope)
      endpoint(scope, { ...api, contract }, 'POST /api/test/slow', async ({ body, reply }) => {
        for await (const piece of body) {
          pieces += piece.length > 0 ? 1 : 0
          app.clock.advance({ hours: 1 })
        }
        return reply.send()
      })
    },
  })
  assert.equal((await app.principal().ask('POST', '/api/test/slow', { body: 'x'.repeat(300_000) })).status, 200)
  assert.ok(pieces > 1, `${pieces} pieces`)
  assert.equal(app.clock.waiting, 0)
})
