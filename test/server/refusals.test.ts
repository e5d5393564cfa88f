// What a client receives of a refusal, and what the log contains about a disconnected client.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { answerFailures } from '../../src-server/api/error-replies.ts'
import { lingering } from '../../src-server/api/lingering.ts'
import { loggerFor } from '../../src-server/api/log.ts'
import { openSocket } from '../support/raw-request.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const app = await startApp({ after }, { files: { 'taken.bin': 'x' } })
const ann = await app.as('ann')
const megabyte = Buffer.alloc(1_000_000, 'x')
const head = (length: number) =>
  `POST /api/resources/taken.bin HTTP/1.1\r\nHost: x\r\nX-Auth: ${ann.token}\r\nContent-Length: ${length}\r\n\r\n`

/** Sends a whole body before it reads anything, as simple clients do. @throws when the connection is reset before the end */
async function sendAll(socket: Socket, megabytes: number): Promise<string> {
  socket.write(head(megabytes * megabyte.length))
  for (let sent = 0; sent < megabytes; sent++) {
    if (!socket.write(megabyte)) await once(socket, 'drain')
  }
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a client whose 20 MB are refused sees the answer and no reset', async () => {
  for (let round = 0; round < 10; round++) {
    const answer = await sendAll(connect(app.port, '127.0.0.1').pause(), 20)
    assert.match(answer, /^HTTP\/1\.1 409 Conflict\r\n/)
    assert.match(answer, /\r\nconnection: close\r\n/i)
    assert.ok(answer.endsWith('409 Conflict (the name is taken)\n'))
  }
})

test('a refused body is read for as long as something of it comes every two seconds, and for half a minute at the most', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [what, pause, pieces] of [
    ['slow', 1500, 20],
    ['still', 2000, 1],
  ] as const) {
    const request = Object.assign(new PassThrough(), { complete: false }) as unknown as IncomingMessage & PassThrough
    const answer = lingering('no\n', request)
    const ended = once(answer, 'end')
    assert.equal(String((await once(answer, 'data'))[0]), 'no\n')
    await new Promise((resolve) => setImmediate(resolve))
    for (let piece = 1; piece <= pieces; piece++) {
      assert.equal(answer.readableEnded, false, `${what}, before piece ${piece}`)
      request.write('x')
      await new Promise((resolve) => setImmediate(resolve))
      t.mock.timers.tick(pause)
    }
    await ended
  }
})

test('a refused client that sends nothing more gets the whole answer at once', async () => {
  const { socket, received, ended } = await openSocket(app.port)
  socket.write(head(20_000_000))
  await until(() => received().endsWith('409 Conflict (the name is taken)\n'), 'the answer does not come')
  await ended
})

test('a disconnected client is not logged as an error with its stack', async (t) => {
  const lines: string[] = []
  const logger = loggerFor({ logLevel: 'info', logFormat: 'json' }, (line) => lines.push(line))
  const server = Fastify({ logger, disableRequestLogging: true })
  t.after(() => server.close())
  answerFailures(server)
  let hasBegun = false
  let hasEnded = false
  server.get('/', async ({ raw }) => {
    hasBegun = true
    await once(raw.socket, 'close')
    hasEnded = true
    throw new Error('the client left before the end')
  })
  server.get('/broken', () => Promise.reject(new Error('out of order')))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const { socket } = await openSocket(port)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => hasBegun, 'the request has not begun')
  socket.destroy()
  await until(() => hasEnded, 'the server does not see that the client has gone')
  // The error of a later request is logged, which shows that the log works.
  assert.equal((await fetch(`http://127.0.0.1:${port}/broken`)).status, 500)
  const errors = lines.filter((line) => line.includes('"stack"'))
  assert.equal(errors.length, 1)
  assert.match(errors[0] ?? '', /out of order/)
})
