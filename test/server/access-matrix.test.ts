// Every call of the contract × every kind of principal: generated from the contract, on a real server and disk.

import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allPermissions, noPermissions, type Permissions } from '../../src-server/access/permissions.ts'
import type { Access, Endpoint } from '../../src-server/contract/endpoint.ts'
import { type EndpointName, endpoints } from '../../src-server/contract/endpoints.ts'
import type { Permission } from '../../src-server/contract/permissions.ts'
import type { StoredLink } from '../../src-server/state/state-data.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { request } from '../support/engines.ts'
import { password, startApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { harvest, plant } from '../support/tree.ts'

type Example = { address: string; body?: string; headers?: Record<string, string>; status?: number }

/** Bytes of an upload that there is not. */
const aPiece = { body: 'sent', headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }, status: 404 }

const tus = { 'Tus-Resumable': '1.0.0' }

/** One request for each call, with `:id` for the caller's id and `:hash` for that of a link of the caller; does not compile when a call of the contract is missing. */
const examples: Record<EndpointName, Example> = {
  'POST /api/login': { address: '/api/login', body: JSON.stringify({ username: 'bare', password }) },
  'POST /api/signup': { address: '/api/signup', body: JSON.stringify({ username: 'new :fresh', password }) },
  'POST /api/renew': { address: '/api/renew' },
  'POST /api/logout': { address: '/api/logout' },
  'GET /api/sessions': { address: '/api/sessions' },
  'DELETE /api/sessions': { address: '/api/sessions' },
  'DELETE /api/sessions/:session': { address: '/api/sessions/none' },
  'GET /health': { address: '/health' },
  'GET /api/resources/*': { address: '/api/resources/kept.txt' },
  'POST /api/resources/*': { address: '/api/resources/made.txt', body: 'made' },
  'PUT /api/resources/*': { address: '/api/resources/saved.txt', body: 'saved' },
  'PATCH /api/resources/*': { address: '/api/resources/moved.txt?action=rename&destination=/gone.txt' },
  'DELETE /api/resources/*': { address: '/api/resources/deleted.txt' },
  'GET /api/usage/*': { address: '/api/usage/' },
  'GET /api/size/*': { address: '/api/size/' },
  'GET /api/counts/*': { address: '/api/counts/?names=gone' },
  'POST /api/archives': { address: '/api/archives', body: '{"folder":"/","files":["kept.txt"]}' },
  'GET /api/raw/*': { address: '/api/raw/kept.txt' },
  'GET /api/search/*': { address: '/api/search/?query=kept' },
  'GET /api/subtitle/*': { address: '/api/subtitle/kept.srt' },
  'GET /api/preview/:size/*': { address: '/api/preview/thumb/drawn.svg' },
  'GET /api/share/*': { address: '/api/share/kept.txt' },
  'POST /api/share/*': { address: '/api/share/kept.txt', body: '{}' },
  'GET /api/shares': { address: '/api/shares' },
  'PATCH /api/share/:hash': { address: '/api/share/:hash', body: '{"note":"for the committee"}' },
  'DELETE /api/share/:hash': { address: '/api/share/:hash' },
  'GET /api/requests': { address: '/api/requests' },
  'POST /api/requests/*': { address: '/api/requests/', body: '{"title":"Photos"}' },
  'PATCH /api/requests/:hash': { address: '/api/requests/:hash', body: '{"title":"Other photos"}' },
  'DELETE /api/requests/:hash': { address: '/api/requests/:hash' },
  'GET /api/public/request/:hash': { address: '/api/public/request/:hash' },
  'GET /api/requests/:hash/senders': { address: '/api/requests/:hash/senders' },
  'GET /api/requests/:hash/arrivals': { address: '/api/requests/:hash/arrivals' },
  'PUT /api/requests/:hash/seen': { address: '/api/requests/:hash/seen', body: '{"files":0}' },
  'POST /api/public/request/:hash/receipt': { address: '/api/public/request/:hash/receipt', status: 409 },
  'GET /api/public/request/:hash/receipt/:number': { address: '/api/public/request/:hash/receipt/AB-CDEF-GH', status: 404 },
  'GET /api/public/request/:hash/form': { address: '/api/public/request/:hash/form' },
  // No form.
  'POST /api/public/request/:hash/form': { address: '/api/public/request/:hash/form', body: 'sent', status: 400 },
  'POST /api/public/request/:hash/unlock': { address: '/api/public/request/:hash/unlock', body: 'password=x', status: 303 },
  'POST /api/public/request/:hash/leave': { address: '/api/public/request/:hash/leave', status: 204 },
  'POST /api/public/tus/:hash/*': {
    address: '/api/public/tus/:hash/sent.txt',
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '4' },
    status: 201,
  },
  'HEAD /api/public/tus/:hash/:id': { address: '/api/public/tus/:hash/none', headers: tus, status: 404 },
  'PATCH /api/public/tus/:hash/:id': {
    address: '/api/public/tus/:hash/none',
    ...aPiece,
    headers: { ...aPiece.headers, 'Tus-Resumable': '1.0.0' },
  },
  'DELETE /api/public/tus/:hash/:id': { address: '/api/public/tus/:hash/none', headers: tus, status: 404 },
  'GET /api/public/share/:hash/*': { address: '/api/public/share/:hash' },
  'GET /api/public/dl/:hash/*': { address: '/api/public/dl/:hash/kept.txt' },
  'GET /api/public/preview/:size/:hash/*': { address: '/api/public/preview/thumb/:hash/drawn.svg' },
  'GET /api/public/search/:hash/*': { address: '/api/public/search/:hash?query=kept' },
  'GET /api/public/live/:hash': { address: '/api/public/live/:hash' },
  'GET /api/live': { address: '/api/live' },
  'GET /api/command/*': { address: '/api/command/' },
  'GET /api/users': { address: '/api/users' },
  'GET /api/users/:id': { address: '/api/users/:id' },
  'POST /api/users': {
    address: '/api/users',
    body: JSON.stringify({ what: 'user', which: [], data: { username: 'made', password } }),
  },
  'DELETE /api/users/:id': { address: '/api/users/:other' },
  'GET /api/settings': { address: '/api/settings' },
  'PUT /api/settings': { address: '/api/settings', body: '{"branding":{"name":"Files"}}' },
  'POST /api/rules/try': { address: '/api/rules/try', body: '{"username":"bare","path":"/kept.txt"}' },
  'GET /api/imports': { address: '/api/imports' },
  'DELETE /api/imports': { address: '/api/imports' },
  'GET /api/activity': { address: '/api/activity' },
  'GET /api/history': { address: '/api/history' },
  'POST /api/history/:id/undo': { address: '/api/history/none/undo', body: '{}' },
  'POST /api/history/:id/redo': { address: '/api/history/none/redo', body: '{}' },
  'POST /api/jobs': { address: '/api/jobs', body: '{"id":"job-:fresh-of-mine","kind":"size","entries":["/kept.txt"]}' },
  'GET /api/jobs': { address: '/api/jobs' },
  'GET /api/jobs/:id': { address: '/api/jobs/:job' },
  'PATCH /api/jobs/:id': { address: '/api/jobs/:job', body: '{"action":"cancel"}' },
  'DELETE /api/jobs/:id': { address: '/api/jobs/:job' },
  'OPTIONS /api/tus/*': { address: '/api/tus/sent.txt', status: 204 },
  'POST /api/tus/*': { address: '/api/tus/sent.txt', headers: { 'Upload-Length': '4' }, status: 201 },
  'GET /api/tus/*': { address: '/api/tus/none.txt', status: 404 },
  'PATCH /api/tus/*': { address: '/api/tus/none.txt', ...aPiece },
  'DELETE /api/tus/*': { address: '/api/tus/none.txt', status: 404 },
  'GET /api/uploads': { address: '/api/uploads' },
  'POST /api/uploads/:id': { address: '/api/uploads/none', status: 405 },
  'HEAD /api/uploads/:id': { address: '/api/uploads/none', status: 404 },
  'PATCH /api/uploads/:id': { address: '/api/uploads/none', ...aPiece },
  'DELETE /api/uploads/:id': { address: '/api/uploads/none', status: 404 },
  'POST /api/uploads/:id/name': { address: '/api/uploads/none/name', body: '{"name":"other.txt"}', status: 404 },
  'GET /api/trash': { address: '/api/trash' },
  'POST /api/trash/restore': { address: '/api/trash/restore', body: '{"items":["none"]}' },
  'DELETE /api/trash': { address: '/api/trash', body: '{"items":["none"]}' },
  'GET /api/trash/raw/:id': { address: '/api/trash/raw/:item' },
  'GET /api/trash/preview/:size/:id': { address: '/api/trash/preview/thumb/:item' },
  'PUT /api/users/:id': {
    address: '/api/users/:id',
    body: '{"what":"user","which":["viewMode"],"data":{"id"::id,"viewMode":"list"}}',
  },
}
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
const files = { 'kept.txt': 'k', 'kept.srt': '1', 'saved.txt': 's', 'moved.txt': 'm', 'deleted.txt': 'd', 'drawn.svg': drawing }

const names = Object.keys(endpoints) as EndpointName[]
/** `signedUp` made the account for themselves; `demoted` signed in as an administrator, and has no permission since then. */
const principals = ['nobody', 'bare', 'permitted', 'admin', 'signedUp', 'demoted'] as const
type Who = (typeof principals)[number]

/** The permissions that a call needs in addition to seeing. */
function neededFor(name: EndpointName): Permission[] {
  return ((endpoints[name] as Endpoint).actions ?? []).filter((action) => action !== 'read')
}

function expectedStatus(name: EndpointName, who: Who): number {
  const access = endpoints[name].access as Access
  // None of them has done anything that can be undone.
  const isUndo = name.startsWith('POST /api/history/')
  const permitted = isSocket(name) ? 400 : isUndo ? 404 : name === 'POST /api/users' ? 201 : (examples[name].status ?? 200)
  if (access === 'public' || isForLinks(name) || who === 'admin') return permitted
  if (who === 'nobody') return 401
  const needed = neededFor(name)
  const may = who === 'permitted' || (who === 'signedUp' ? !needed.includes('execute') : needed.length === 0)
  return access === 'user' && may ? permitted : 403
}

/** A request without an upgrade is refused, but only after the rights were checked. */
const isSocket = (name: EndpointName) => 'socket' in endpoints[name]

const noPermission = { perm: noPermissions }
const permitted = names.map((name) => {
  const own = Object.fromEntries(neededFor(name).map((permission) => [permission, true]))
  return [`permitted for ${name}`, { perm: { ...noPermissions, ...own } }] as const
})
const app = await startApp(
  { after },
  {
    options: ({ folder }) => ({ auditLog: join(folder, 'activity.log'), enableExec: true, execUnconfined: true }),
    files,
    users: {
      bare: noPermission,
      other: noPermission,
      admin: { perm: allPermissions },
      demoted: noPermission,
      ...Object.fromEntries(permitted),
    },
  },
)

await app.parts.state.change('other', (draft) => {
  draft.settings = { ...draft.settings, signup: true, createUserDir: true }
})
/** Makes names that nobody has. */
let fresh = 0

const signedUp = await app.principal().ask('POST', '/api/signup', { body: JSON.stringify({ username: 'signedUp', password }) })
assert.equal(signedUp.status, 200)
// The files of the calls lie in the root, and not in the person's own folder.
await changeUser(app.parts, userIn(app.parts.state, 'signedUp')?.id ?? 0, (user) => {
  user.scope = '/'
})

/** Signs in as an administrator, who is demoted afterwards. */
async function demoted(): Promise<PrincipalCalls> {
  const id = userIn(app.parts.state, 'demoted')?.id ?? 0
  const rights = (perm: Permissions) =>
    changeUser(app.parts, id, (user) => {
      user.perm = perm
    })
  await rights(allPermissions)
  const calls = await app.as('demoted')
  await rights(noPermissions)
  return calls
}

function exampleFor(name: EndpointName, who: Who): Example {
  const id = userIn(app.parts.state, nameOf(name, who))?.id ?? 1
  const { address, body, headers = {} } = examples[name]
  // Nobody deletes themselves.
  const other = userIn(app.parts.state, 'other')?.id ?? 1
  return {
    address: address.replace(':id', `${id}`).replace(':other', `${other}`).replace(':hash', hash).replace(':job', job),
    headers,
    ...(body === undefined ? {} : { body: body.replace(':id', `${id}`).replace(':fresh', `${++fresh}`) }),
  }
}

const job = 'a-job-of-the-caller'
const ownJob = JSON.stringify({ id: job, kind: 'size', entries: ['/kept.txt'] })

const hash = 'a-link-to-everything-x'

/** A link to the root, of the caller or, for those without a session, of the administrator. */
async function makeLink(name: EndpointName, who: Who, changed: Partial<StoredLink> = {}) {
  const owner = (isForLinks(name) ? undefined : userIn(app.parts.state, nameOf(name, who))) ?? userIn(app.parts.state, 'admin')
  const link = { hash, userId: owner?.id ?? 1, path: '/', isDir: true, identity: '', expire: 0, createdAt: 0, ...changed }
  await app.parts.state.change('other', (draft) => {
    draft.links = [link]
    draft.requests = [request(hash, link.userId, { path: '/', ...forRequest(changed) })]
  })
}

/** What is the same of both kinds of links. */
function forRequest({ hash, userId, path, identity, expire, password }: Partial<StoredLink>) {
  const fields = Object.entries({ hash, userId, path, identity, expire, password })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

const isForLinks = (name: EndpointName) => ['share', 'request'].includes(endpoints[name].access)

const nameOf = (name: EndpointName, who: Who) => (who === 'permitted' ? `permitted for ${name}` : who)

/** The file of the trash that a call needs; '' without one. */
function sampleOf(name: EndpointName): string {
  if (name.includes('/trash/preview/')) return 'drawn.svg'
  return name.includes('/trash/raw/') ? 'deleted.txt' : ''
}

/** @returns the id in the trash of a file that an administrator has deleted */
async function deletedFile(name: string): Promise<string> {
  const answer = await (await app.as('admin')).ask('DELETE', `/api/resources/${name}`)
  await plant(app.root, files)
  return answer.headers.get('Holdall-Trash') ?? ''
}

async function callsFor(name: EndpointName, who: Who): Promise<PrincipalCalls> {
  if (who === 'nobody') return app.principal()
  if (who === 'demoted') return demoted()
  return app.as(nameOf(name, who))
}

for (const name of names) {
  for (const who of principals) {
    test(`${who} calls ${name}: ${expectedStatus(name, who)}`, async () => {
      for (const left of readdirSync(app.root)) rmSync(join(app.root, left), { recursive: true })
      await plant(app.root, files)
      await makeLink(name, who)
      // An address may make five accounts an hour.
      if (name === 'POST /api/signup') app.clock.advance({ hours: 1 })
      const item = sampleOf(name) ? await deletedFile(sampleOf(name)) : ''
      const announced = app.events.length
      const { address: sample, body, headers = {} } = exampleFor(name, who)
      const address = sample.replace(':item', item)
      const principal = await callsFor(name, who)
      if (address.endsWith(job)) await principal.ask('POST', '/api/jobs', { body: ownJob })
      const answer = await principal.ask(name.split(' ')[0] as string, address, { headers, ...(body !== undefined && { body }) })
      assert.equal(answer.status, expectedStatus(name, who), await answer.text())
      if (answer.status === 200 || answer.status === 201) return
      assert.deepEqual(await harvest(app.root), files)
      assert.equal(app.events.length, announced)
    })
  }
}

test('without a session a call is refused before anything else is checked', async () => {
  for (const name of names.filter((name) => endpoints[name].access !== 'public' && !isForLinks(name))) {
    const method = name.split(' ')[0] as string
    for (const path of ['/none', '/..%2f', '/a%00b', '/kept.txt/x']) {
      const address = name.includes('*') ? name.split(' ')[1]?.replace('/*', path) : exampleFor(name, 'nobody').address
      assert.equal((await app.principal().ask(method, address ?? '')).status, 401, `${method} ${address}`)
    }
  }
})

/** What a link may have become, and how every call answers then. */
const links: Record<string, { status: number; change: Partial<StoredLink> }> = {
  'an expired link': { status: 404, change: { expire: 1 } },
  'an unknown link': { status: 404, change: { hash: 'another' } },
  'a link of a deleted user': { status: 404, change: { userId: 4711 } },
  'a link of a user who may not share': { status: 404, change: { userId: 1 } },
  'a link to something else of the name': { status: 404, change: { identity: ':1:1' } },
  'a link to what is gone': { status: 404, change: { path: '/gone' } },
}

for (const [what, { status, change }] of Object.entries(links)) {
  test(`whoever holds ${what} is answered ${status}, byte for byte like any other`, async () => {
    await plant(app.root, files)
    assert.equal(userIn(app.parts.state, 1)?.username, 'bare')
    for (const name of names.filter(isForLinks)) {
      await makeLink(name, 'nobody', change)
      const { address } = exampleFor(name, 'nobody')
      const answer = await rawAnswer(name, address)
      const saysEnd = hasEnded(change) && isOfSender(name)
      assert.equal(answer.status, saysEnd ? ended(name) : status, name)
      const unknown = await rawAnswer(name, address.replace(hash, 'b-link-to-everything-x'))
      if (!saysEnd) assert.deepEqual(answer, unknown, name)
    }
  })
}

/** One that takes files in says that it has ended. */
const hasEnded = ({ expire }: Partial<StoredLink>) => expire !== undefined
const isOfSender = (name: EndpointName) => endpoints[name].access === 'request'
/** Its page is shown, and long afterwards no receipt. */
const ended = (name: EndpointName) => {
  if (name.includes('/receipt')) return 404
  return name.includes('/tus/') || name === 'POST /api/public/request/:hash/form' ? 410 : (examples[name].status ?? 200)
}
/** Its refusals are pages. */
const isPage = (name: EndpointName) => /\/(?:form|unlock)$/.test(name)

async function rawAnswer(name: EndpointName, address: string) {
  const { headers: asked = {}, body } = exampleFor(name, 'nobody')
  const [method = ''] = name.split(' ')
  const answer = await app.principal().ask(method, address, { headers: asked, ...(body !== undefined && { body }) })
  const headers = [...answer.headers].filter(([name]) => name !== 'date')
  return { status: answer.status, headers, text: await answer.text() }
}

test('a link opens nothing but its own calls', async () => {
  await plant(app.root, files)
  await makeLink('GET /api/public/dl/:hash/*', 'nobody')
  for (const name of names.filter((name) => endpoints[name].access !== 'public' && !isForLinks(name))) {
    const { address, body } = exampleFor(name, 'nobody')
    const headers = { 'X-SHARE-PASSWORD': hash, Cookie: `auth=${hash}; auth-${app.parts.state.data.instance}=${hash}` }
    const answer = await app.principal().ask(name.split(' ')[0] as string, address, { headers, ...(body && { body }) })
    assert.equal(answer.status, 401, name)
  }
})

test('whoever holds a locked link is answered 401, whatever it leads to', async () => {
  const phc = '$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  for (const change of [{}, { path: '/gone' }, { identity: ':1:1' }])
    for (const name of names.filter(isForLinks)) {
      await makeLink(name, 'nobody', { password: phc, ...change })
      const { status, text } = await rawAnswer(name, exampleFor(name, 'nobody').address)
      assert.equal(status, 401, name)
      if (!name.startsWith('HEAD ') && !isPage(name)) assert.equal(text, '401 Unauthorized\n', name)
    }
})
