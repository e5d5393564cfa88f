// Extension points for later features: calls with typed addresses, sockets and jobs, without production code of their own.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { type Static, Type } from 'typebox'
import type { Authenticate } from '../../src-server/api/context.ts'
import { Deadlines } from '../../src-server/api/deadlines.ts'
import { type Api, endpoint } from '../../src-server/api/endpoint.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { methodsAt } from '../../src-server/api/routes.ts'
import { type Connection, socket } from '../../src-server/api/socket.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { childOf, type Path, rootPath } from '../../src-server/base/paths.ts'
import type { Named } from '../../src-server/contract/endpoint.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { principalOf } from '../../src-server/files/principal-of.ts'
import { UserFiles } from '../../src-server/files/user-files.ts'
import { Previews } from '../../src-server/previews/previews.ts'
import { openSocket, rawRequest } from '../support/raw-request.ts'
import { deny, startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const own = {
  'GET /api/test/shelves/:shelf/books/:title': {
    access: 'user',
    params: Type.Object({ shelf: Type.Integer({ minimum: 1, description: 'a shelf has a number' }), title: Type.String() }),
    reply: Type.Object({ shelf: Type.Integer(), title: Type.String() }),
  },
  'GET /api/test/echo/*': { access: 'user', actions: ['read'], socket: true, cookie: true },
} as const
const contract = { ...endpoints, ...own } satisfies Named<typeof own>
type Echo = Connection<(typeof own)['GET /api/test/echo/*'], 'GET /api/test/echo/*'>

test('a test extends the contract with a call of its own, whose parameters are typed', async (t) => {
  const app = await startApp(t, {
    calls: (scope, api) =>
      endpoint(scope, { ...api, contract }, 'GET /api/test/shelves/:shelf/books/:title', async ({ params, me }) => {
        const { shelf, title }: Static<(typeof own)['GET /api/test/shelves/:shelf/books/:title']['params']> = params
        return { shelf: shelf + 1, title: `${title} of ${me.user.username}` }
      }),
  })
  const ann = await app.as('ann')
  const answer = await ann.ask('GET', '/api/test/shelves/7/books/a%2Fb%20c')
  assert.deepEqual(await answer.json(), { shelf: 8, title: 'a/b c of ann' })
  for (const shelf of ['0', '01', '1e1', '-1', '+1', '1.5', '0x1', '%201', 'first', '12345678901234567']) {
    const refused = await ann.ask('GET', `/api/test/shelves/${shelf}/books/x`)
    assert.deepEqual([refused.status, await refused.text()], [404, '404 Not Found (a shelf has a number)\n'], shelf)
  }
  assert.equal((await app.principal().ask('GET', '/api/test/shelves/first/books/x')).status, 401)
})

test('an address without its schemas, a call as a socket and a socket as a call do not compile', () => {
  const app = Fastify()
  const api = { contract, authenticate: {} as Authenticate, limits: new Limits(), deadlines: new Deadlines() }
  // @ts-expect-error `:id` has no schema
  const incomplete = { 'GET /api/test/:id': { access: 'user' } } as const satisfies Named<{
    'GET /api/test/:id': { access: 'user' }
  }>
  assert.ok(incomplete)
  // @ts-expect-error a socket is no call
  endpoint(app, api, 'GET /api/test/echo/*', async () => undefined)
  // @ts-expect-error nor is a call a socket
  const unknown = () => socket(app, api, 'GET /health', async () => {})
  assert.ok(unknown)
  // @ts-expect-error an address without `*` has no path
  endpoint(app, api, 'GET /health', async ({ path }) => ({ status: path as 'OK' }))
})

test('the methods at an address come from any contract', () => {
  assert.deepEqual(methodsAt('/api/test/shelves/1/books/x', contract), ['GET', 'HEAD'])
  for (const address of ['/api/test/shelves/1/books', '/api/test/shelves/1/books/', '/api/test/shelves//books/x'])
    assert.deepEqual(methodsAt(address, contract), [], address)
})

/** Answers each received name with what `files` reads of it. */
async function echo({ files, path, messages, send }: Echo) {
  for await (const name of messages) {
    const seen = await files.open(childOf(path, name)).catch(({ code }: { code: string }) => ({ type: code }))
    await send(`${name}: ${seen.type}`)
  }
}

async function startEcho(t: TestContext, handle: (connection: Echo) => Promise<void> = echo) {
  const app = await startApp(t, {
    files: { 'dir/a.txt': 'a', 'dir/b.png': 'b', 'dir/secret/c': 'c' },
    rules: [deny('/dir/secret')],
    calls: (scope, api: Api) => socket(scope, { ...api, contract }, 'GET /api/test/echo/*', handle),
  })
  const { token } = await app.as('ann')
  const address = `/api/test/echo/dir?auth=${token}`
  return { app, address, url: app.url.replace('http', 'ws') + address }
}

/** Opens a socket and sends each text after the answer to the previous one. */
async function converse(url: string, texts: readonly string[]): Promise<string[]> {
  const client = new WebSocket(url)
  const answers: string[] = []
  await new Promise<void>((resolve, reject) => {
    client.onerror = () => reject(new Error('the socket did not open'))
    const next = () => (answers.length < texts.length ? client.send(texts[answers.length] as string) : resolve())
    client.onopen = next
    client.onmessage = ({ data }) => {
      answers.push(String(data))
      next()
    }
  })
  client.close()
  return answers
}

test('a socket echoes what `files` may see', async (t) => {
  const { url } = await startEcho(t)
  const answers = await converse(url, ['a.txt', 'b.png', 'secret', 'none'])
  assert.deepEqual(answers, ['a.txt: text', 'b.png: image', 'secret: forbidden', 'none: notFound'])
})

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

for (const [who, status, headers, isSignedIn = true] of [
  ['a page of this server', 101, (host: string) => ({ Origin: `http://${host}` })],
  ['a page of this server behind TLS', 101, (host: string) => ({ Origin: `https://${host}` })],
  ['a program', 101, () => ({})],
  ['a page elsewhere', 403, () => ({ Origin: 'http://elsewhere.example' })],
  ['a page of another port', 403, () => ({ Origin: 'http://127.0.0.1:1' })],
  ['a page without an origin of its own', 403, () => ({ Origin: 'null' })],
  ['somebody without a session', 401, () => ({}), false],
] as const) {
  test(`${who} opens a socket: ${status}`, async (t) => {
    const { app, address } = await startEcho(t, async () => {})
    const host = `127.0.0.1:${app.port}`
    const { socket: client, received } = await openSocket(app.port)
    t.after(() => client.destroy())
    const all = { Host: host, ...upgrade, ...headers(host) }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    client.write(`GET ${isSignedIn ? address : '/api/test/echo/dir'} HTTP/1.1\r\n${lines.join('')}\r\n`)
    await until(() => received().includes('\r\n\r\n'), 'the server answers')
    assert.equal(Number(received().split(' ')[1]), status)
  })
}

test('a request at the address of a socket is refused, and an upgrade elsewhere is an ordinary request', async (t) => {
  const { app, address } = await startEcho(t)
  assert.equal((await app.principal().ask('GET', address)).status, 400)
  const headers = { ...upgrade, Upgrade: 'h2c' }
  const answer = await rawRequest({
    port: app.port,
    method: 'GET',
    address: '/health',
    headers: { ...headers, Connection: 'close' },
  })
  assert.equal(answer.status, 200)
})

test('a socket’s operation is aborted when the client disconnects, and ends when the handler has returned', async (t) => {
  const [begun, aborted, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { url } = await startEcho(t, async ({ operation }) => {
    operation.own({ close: () => ended.resolve() })
    operation.signal.addEventListener('abort', () => aborted.resolve())
    begun.resolve()
    await aborted.promise
  })
  const client = new WebSocket(url)
  await begun.promise
  client.close()
  await ended.promise
})

test('a socket whose handler fails is closed, and so is one that sends bytes', async (t) => {
  const { url } = await startEcho(t, async (connection) => {
    await connection.send('one')
    for await (const text of connection.messages) throw new Error(text)
  })
  for (const [sent, code] of [
    ['a text', 1011],
    [new Uint8Array(1), 1003],
  ] as const) {
    const client = new WebSocket(url)
    client.onmessage = () => client.send(sent)
    const closed = await new Promise<CloseEvent>((resolve) => {
      client.onclose = resolve
    })
    assert.equal(closed.code, code)
  }
})

test('a job works with an operation of its own, and holds nothing when it has ended', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'a', 'b/c.txt': 'c' } })
  const { state, disks, events } = app.parts
  const ann = userIn(state, 'ann')
  assert.ok(ann)
  const progress: number[] = []
  const operation = new Operation({ onProgress: ({ done }) => progress.push(done) })
  const principal = principalOf(ann, state.data.settings.rules)
  const disk = disks.for(principal, operation)
  const source = { address: '', way: 'job' } as const
  const files = new UserFiles({
    principal,
    disk,
    events,
    operation,
    source,
    previews: new Previews(),
    sorting: ann.sorting,
    locale: '',
  })
  await files.copy('/b' as Path, '/copied' as Path, { override: false, rename: false })
  await operation.end()
  // First how much it is.
  assert.deepEqual([app.events, progress], [['copy /b /copied'], [0, 1, 2]])
  await assert.rejects(files.open(rootPath), operation.signal.reason)
})
