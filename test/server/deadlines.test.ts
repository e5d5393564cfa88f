// Requests that a client stops sending and answers that it stops reading are ended.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { keepStreams } from '../../src-server/api/bodies.ts'
import { endpoint } from '../../src-server/api/endpoint.ts'
import type { Operation } from '../../src-server/base/operation.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { openSocket } from '../support/raw-request.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const contract = {
  ...endpoints,
  'GET /api/test/slow': { access: 'public' },
  'GET /api/test/endless': { access: 'public' },
  'POST /api/test/slow': { access: 'public', streamed: true },
} as const

for (const [what, length, sent] of [
  ['a sign-in that is not finished', 1000, '{"username":'],
  ['a sign-in that is too large and not finished', 1 << 20, '{"username":'],
] as const) {
  test(`${what} is ended`, async (t) => {
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

test('a stalled upload is ended, and its folder can be deleted', async (t) => {
  const app = await startApp(t, { files: { 'dir/': '' } })
  const ann = await app.as('ann')
  const { socket, ended } = await openSocket(app.port)
  socket.write(`POST /api/resources/dir/a HTTP/1.1\r\nHost: x\r\nX-Auth: ${ann.token}\r\nContent-Length: 100\r\n\r\nbegun`)
  await until(() => app.clock.waiting === 1, 'the server waits for the rest')
  app.clock.advance({ minutes: 2 })
  await ended
  await until(() => readdirSync(join(app.root, 'dir')).length === 0, 'the temporary file is removed')
  assert.equal((await ann.remove('/dir')).status, 200)
  assert.deepEqual(app.events, ['failed upload /dir/a', 'delete /dir'])
})

test('an upload that the server reads slowly does not count as stalled', async (t) => {
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

/** The server's sockets of the connections that it accepts. */
function acceptedBy(app: TestApp) {
  const sockets: Socket[] = []
  app.parts.app.server.on('connection', (socket: Socket) => sockets.push(socket))
  return sockets
}

test('an answer that is not read is ended', async (t) => {
  const operation = Promise.withResolvers<Operation>()
  const app = await startApp(t, {
    calls: (scope, api) =>
      endpoint(scope, { ...api, contract }, 'GET /api/test/endless', async (call) => {
        operation.resolve(call.operation)
        return call.reply.send(Readable.from(endless()))
      }),
  })
  const sockets = acceptedBy(app)
  const client = await openSocket(app.port)
  t.after(() => client.socket.destroy())
  client.socket.pause()
  client.socket.write('GET /api/test/endless HTTP/1.1\r\nHost: x\r\n\r\n')
  const { signal } = await operation.promise
  const [socket] = sockets as [Socket]
  await until(() => socket.writableNeedDrain, 'the client takes no more')
  assert.equal(socket.timeout, 120_000)
  socket.emit('timeout')
  await until(() => signal.aborted, 'its work is stopped')
  client.socket.resume()
  await client.ended
})

async function* endless() {
  const chunk = Buffer.alloc(1 << 20)
  for (;;) {
    yield chunk
    await new Promise(setImmediate)
  }
}

test('a slow answer of the server has no deadline', async (t) => {
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const app = await startApp(t, {
    calls: (scope, api) =>
      endpoint(scope, { ...api, contract }, 'GET /api/test/slow', async ({ reply }) => {
        begun.resolve()
        await go.promise
        return reply.send('ready')
      }),
  })
  const sockets = acceptedBy(app)
  const answered = app.principal().ask('GET', '/api/test/slow')
  await begun.promise
  for (const socket of sockets) socket.emit('timeout')
  go.resolve()
  assert.equal((await answered).status, 200)
})
