// Every call of the contract × everybody who may come: made from the contract, over a real server with its real doors and disk.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions, noPermissions, type Permission } from '../../src-server/access/permissions.ts'
import { type Access, type Endpoint, type EndpointName, endpoints } from '../../src-server/api/contract.ts'
import { password, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

/** One request for each call; a call that the contract gains and this list lacks does not compile. */
const examples: Record<EndpointName, { address: string; body?: string }> = {
  'POST /api/login': { address: '/api/login', body: JSON.stringify({ username: 'bare', password }) },
  'POST /api/renew': { address: '/api/renew' },
  'POST /api/logout': { address: '/api/logout' },
  'GET /health': { address: '/health' },
  'GET /api/resources/*': { address: '/api/resources/kept.txt' },
  'POST /api/resources/*': { address: '/api/resources/made.txt', body: 'made' },
  'PUT /api/resources/*': { address: '/api/resources/saved.txt', body: 'saved' },
  'PATCH /api/resources/*': { address: '/api/resources/moved.txt?action=rename&destination=/gone.txt' },
  'DELETE /api/resources/*': { address: '/api/resources/deleted.txt' },
  'GET /api/raw/*': { address: '/api/raw/kept.txt' },
}
const files = { 'kept.txt': 'k', 'saved.txt': 's', 'moved.txt': 'm', 'deleted.txt': 'd' }

const names = Object.keys(endpoints) as EndpointName[]
const visitors = ['nobody', 'bare', 'permitted', 'admin'] as const
type Who = (typeof visitors)[number]

/** The permissions that a call asks for, beside seeing what is there. */
function neededFor(name: EndpointName): Permission[] {
  return ((endpoints[name] as Endpoint).needs ?? []).filter((need) => need !== 'see')
}

function expectedStatus(name: EndpointName, who: Who): number {
  const access = endpoints[name].access as Access
  if (access === 'public' || who === 'admin') return 200
  if (access === 'share') return 404
  if (who === 'nobody') return 401
  return access === 'user' && (who === 'permitted' || neededFor(name).length === 0) ? 200 : 403
}

const noPermission = { perm: noPermissions }
for (const name of names) {
  const own = Object.fromEntries(neededFor(name).map((permission) => [permission, true]))
  const users = { bare: noPermission, permitted: { perm: { ...noPermissions, ...own } }, admin: { perm: allPermissions } }
  for (const who of visitors) {
    test(`${who} calls ${name}: ${expectedStatus(name, who)}`, async (t) => {
      const app = await startApp(t, { files, users })
      const visitor = who === 'nobody' ? app.visitor() : await app.as(who)
      const { address, body } = examples[name]
      const answer = await visitor.ask(name.split(' ')[0] as string, address, body === undefined ? {} : { body })
      assert.equal(answer.status, expectedStatus(name, who), await answer.text())
      if (answer.status !== 200) {
        assert.deepEqual(await harvest(app.root), files)
        assert.deepEqual(app.events, [])
      }
    })
  }
}

test('a call without a session is told so before anything else, whatever it asks for', async () => {
  const app = await startApp({ after }, { files })
  for (const name of names.filter((name) => endpoints[name].access === 'user')) {
    const method = name.split(' ')[0] as string
    for (const path of ['/none', '/..%2f', '/a%00b', '/kept.txt/x']) {
      const address = name.includes('*') ? name.split(' ')[1]?.replace('/*', path) : examples[name].address
      assert.equal((await app.visitor().ask(method, address ?? '')).status, 401, `${method} ${address}`)
    }
  }
})
