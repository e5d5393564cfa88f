// What a refusal does with a body that has not arrived completely.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { ArchiveTickets } from '../../src-server/api/archive-tickets.ts'
import { ignoreContentTypes, keepStreams } from '../../src-server/api/bodies.ts'
import type { Authenticate } from '../../src-server/api/context.ts'
import { Deadlines } from '../../src-server/api/deadlines.ts'
import { endpoint } from '../../src-server/api/endpoint.ts'
import { answerFailures } from '../../src-server/api/error-replies.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { loggerFor, RequestLog } from '../../src-server/api/log.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { openSocket, parseAnswer } from '../support/raw-request.ts'
import { only, startApp } from '../support/start-app.ts'

const app = await startApp({ after }, { files: { 'here.txt': 'old' }, users: { ann: {}, reader: { perm: only('download') } } })
const mebibyte = 1 << 20

/** Sends a head with `length` as its Content-Length, and `sent` bytes of the body. */
async function begin(
  token: string | undefined,
  { length, sent }: { length: number; sent: number },
  address = '/api/resources/here.txt',
) {
  const connection = await openSocket(app.port)
  const auth = token === undefined ? '' : `X-Auth: ${token}\r\n`
  connection.socket.write(`POST ${address} HTTP/1.1\r\nHost: x\r\n${auth}Content-Length: ${length}\r\n\r\n`)
  connection.socket.write(Buffer.alloc(sent))
  return connection
}

for (const [who, status] of [
  ['nobody', 401],
  ['reader', 403],
  ['ann', 409],
] as const) {
  test(`an upload of 200 MB that ${who} may not make is answered ${status} at once and the connection ends`, async () => {
    const token = who === 'nobody' ? undefined : (await app.as(who)).token
    const { received, ended } = await begin(token, { length: 200 * mebibyte, sent: 65_536 })
    await ended
    const answer = parseAnswer(Buffer.from(received(), 'latin1'))
    assert.equal(answer.status, status)
    assert.equal(answer.headers.connection, 'close')
  })
}

test('a refused body of unknown length ends the connection as well', async () => {
  const { socket, received, ended } = await openSocket(app.port)
  socket.write('POST /api/resources/here.txt HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')
  await ended
  assert.equal(parseAnswer(Buffer.from(received(), 'latin1')).headers.connection, 'close')
})

test('a refusal of a request without a body keeps the connection', async () => {
  const { socket, received, ended } = await openSocket(app.port)
  for (const head of ['GET /api/nope', 'PUT /health', 'GET /api/resources/', 'DELETE /api/resources/a'])
    socket.write(`${head} HTTP/1.1\r\nHost: x\r\n\r\n`)
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await ended
  assert.deepEqual(
    received().match(/^HTTP\/1.1 \d+/gm),
    [404, 405, 401, 401, 200].map((status) => `HTTP/1.1 ${status}`),
  )
})

test('after a small refused upload the connection is used again', async () => {
  const { token } = await app.as('ann')
  const { socket, received, ended } = await begin(token, { length: 10, sent: 10 })
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await ended
  assert.deepEqual(received().match(/^HTTP\/1.1 \d+/gm), ['HTTP/1.1 409', 'HTTP/1.1 200'])
})

test('a state that cannot be written is one line of the log, not one more for each request', async (t) => {
  const lines: string[] = []
  const own = Fastify({
    logger: loggerFor({ logLevel: 'error', logFormat: 'json' }, (line) => lines.push(line)),
    logController: new RequestLog(),
  })
  t.after(() => own.close())
  answerFailures(own)
  own.get<{ Querystring: { logged?: string } }>('/', async ({ query }) => {
    throw new Failure('internal', '', { isLogged: query.logged === 'yes' })
  })
  assert.equal((await own.inject('/?logged=yes')).statusCode, 500)
  assert.deepEqual(lines, [])
  assert.equal((await own.inject('/')).statusCode, 500)
  assert.equal(lines.length, 1)
})

test('a small body that is refused in the middle does not disturb the next request', async (t) => {
  const own = Fastify()
  t.after(() => own.close())
  answerFailures(own)
  ignoreContentTypes(own)
  const authenticate = { user: async () => ({}), public: async () => ({}) } as unknown as Authenticate
  const api = {
    contract: endpoints,
    authenticate,
    limits: new Limits(),
    deadlines: new Deadlines(),
    tickets: new ArchiveTickets(),
  }
  own.register(async (scope) => {
    keepStreams(scope)
    endpoint(scope, api, 'GET /health', async () => ({ status: 'OK' as const }))
    endpoint(scope, api, 'POST /api/resources/*', async ({ body }) => {
      for await (const chunk of body) throw new Failure('full', `${chunk.length > 0}`)
      throw new Error('nothing came')
    })
  })
  await own.listen({ port: 0 })
  const { socket, received, ended } = await openSocket((own.server.address() as { port: number }).port)
  socket.write('POST /api/resources/a HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n')
  socket.write(Buffer.alloc(900_000))
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await ended
  assert.deepEqual(received().match(/^HTTP\/1.1 \d+/gm), ['HTTP/1.1 507', 'HTTP/1.1 200'])
})
