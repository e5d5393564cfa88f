// The contract and the context: no route outside the contract, no service beyond a handler's access level.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { ArchiveTickets } from '../../src-server/api/archive-tickets.ts'
import type { Authenticate } from '../../src-server/api/context.ts'
import { Deadlines } from '../../src-server/api/deadlines.ts'
import { endpoint } from '../../src-server/api/endpoint.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { methodsAt, refuseUnlistedRoutes } from '../../src-server/api/routes.ts'
import { createApp } from '../../src-server/app.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import type { Options } from '../../src-server/options/options.ts'
import { startApp } from '../support/start-app.ts'

const outside = /not in src-server\/contract/
const bare = { contract: endpoints, limits: new Limits(), deadlines: new Deadlines(), tickets: new ArchiveTickets() }
const options = { trustedProxies: [], baseURL: '', logLevel: 'silent', logFormat: 'json' } as unknown as Options

for (const [what, add] of [
  ['a route', (app: FastifyInstance) => app.get('/api/backdoor', async () => 'hi')],
  ['another method of a known address', (app: FastifyInstance) => app.post('/health', async () => 'hi')],
  ['another method of a page', (app: FastifyInstance) => app.post('/static/*', async () => 'hi')],
  ['a route for all methods', (app: FastifyInstance) => app.all('/api/anything', async () => 'hi')],
] as const) {
  test(`${what} outside the contract stops the boot`, () => {
    assert.throws(() => add(createApp(options)), outside)
  })
}

test('a route in a plugin stops the boot as well', async () => {
  const app = createApp(options)
  app.register(async (scope) => {
    scope.get('/api/backdoor', async () => 'hi')
  })
  await assert.rejects(async () => app.ready(), outside)
})

test('a route cannot pretend to be registered', () => {
  const config = { 'registered through endpoint()': true, [Symbol('registered through endpoint()')]: true } as never
  assert.throws(() => createApp(options).get('/api/backdoor', { config }, async () => 'hi'), outside)
})

test('a handler cannot name a service that its access level does not include', () => {
  const app = Fastify()
  refuseUnlistedRoutes(app, [])
  const api = { ...bare, authenticate: {} as Authenticate }
  // @ts-expect-error a public call cannot reach files
  endpoint(app, api, 'POST /api/login', async ({ files }) => String(files))
  // @ts-expect-error nor does it know who is calling
  endpoint(app, api, 'GET /health', async ({ me }) => ({ status: me ? 'OK' : 'OK' }))
  // @ts-expect-error a person may renew and end a session, and not begin another's
  endpoint(app, api, 'POST /api/renew', async ({ signIn }) => (await signIn.login({})).token)
  // @ts-expect-error a call that is not in the table has no name
  const unknown = () => endpoint(app, api, 'GET /api/backdoor', async () => 'hi')
  assert.throws(unknown)
})

test('a reply has the shape that the contract says', () => {
  const app = Fastify()
  const api = { ...bare, authenticate: {} as Authenticate }
  // @ts-expect-error not the status of the contract
  endpoint(app, api, 'GET /health', async () => ({ status: 'WELL' }))
  assert.ok(app.hasRoute({ method: 'GET', url: '/health' }))
})

test('fields that the reply’s schema does not name are not sent', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const api = { ...bare, authenticate: { public: async () => ({}) } as unknown as Authenticate }
  endpoint(app, api, 'GET /health', async () => ({ status: 'OK', password: '$argon2id$…' }) as { status: 'OK' })
  assert.deepEqual((await app.inject('/health')).json(), { status: 'OK' })
})

test('the methods at an address come from the contract', () => {
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  for (const address of ['/api/resources', '/api/resources/', '/api/resources/a/b']) assert.deepEqual(methodsAt(address), all)
  assert.deepEqual(methodsAt('/api/login'), ['POST'])
  for (const address of ['/api/login/', '/api/resourcesX', '/api', '/', '/healthy']) assert.deepEqual(methodsAt(address), [])
})

test('a wrong method is 405 with Allow, an unknown address below /api is 404, for everybody', async (t) => {
  const app = await startApp(t)
  for (const principal of [app.principal(), await app.as('ann')]) {
    for (const [method, address, allow] of [
      ['POST', '/health', 'GET, HEAD'],
      ['OPTIONS', '/api/resources/a', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
      ['GET', '/api/login', 'POST'],
      ['HEAD', '/api/logout', 'POST'],
      ['DELETE', '/api/raw/a', 'GET, HEAD'],
      ['PROPFIND', '/api/resources/', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
    ] as const) {
      const answer = await principal.ask(method, address)
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${address}`)
      assert.equal(await answer.text(), method === 'HEAD' ? '' : '405 Method Not Allowed\n')
    }
    for (const address of ['/api', '/api/', '/api/nope', '/api/resourcesX/a', '/api/users/1/x']) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        assert.equal((await principal.ask(method, address)).status, 404, `${method} ${address}`)
      }
    }
  }
})
