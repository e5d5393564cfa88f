// Lists that are too long for an address are kept for a minute.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ArchiveTickets } from '../../src-server/api/archive-tickets.ts'
import type { Path } from '../../src-server/base/paths.ts'
import { zipped } from '../support/archive-calls.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { StoppedClock } from '../support/clock.ts'
import { deny, only, startApp } from '../support/start-app.ts'

const many = Array.from({ length: 10_000 }, (_, index) => `file ${index} ${'n'.repeat(220)}`)
const app = await startApp(
  { after },
  {
    files: {
      'a/x': 'x',
      'a/y,z': 'y',
      'a/%2F': 'percent',
      'a/secret': 's',
      ...Object.fromEntries(many.map((name) => [`many/${name}`, ''])),
    },
    users: { ann: { rules: [deny('/a/secret')] }, bob: {}, looker: { perm: only('modify') } },
  },
)
const ann = await app.as('ann')
const post = (calls: PrincipalCalls, body: object) => calls.ask('POST', '/api/archives', { body: JSON.stringify(body) })
const ticketFor = async (calls: PrincipalCalls, body: object) => {
  const answer = await post(calls, body)
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { ticket: string }).ticket
}

test('a ticket stands for its list, more than once', async () => {
  const ticket = await ticketFor(ann, { folder: '/a', files: ['x', 'y,z', '/%2F'] })
  for (let round = 0; round < 2; round++)
    assert.deepEqual(await zipped(ann, '/', `ticket=${ticket}`), { '%2F': 'percent', x: 'x', 'y,z': 'y' })
})

test('the format belongs to the ticket', async () => {
  const ticket = await ticketFor(ann, { folder: '/', files: ['a'], algo: 'tar' })
  const answer = await ann.ask('HEAD', `/api/raw/?ticket=${ticket}&algo=zip`)
  assert.match(answer.headers.get('content-disposition') ?? '', /"a\.tar"/)
})

test('ten thousand names fit, and no more', async () => {
  const ticket = await ticketFor(ann, { folder: '/many', files: many })
  assert.deepEqual(Object.keys(await zipped(ann, '/', `ticket=${ticket}`)).sort(), many.toSorted())
  assert.equal((await post(ann, { folder: '/many', files: [...many, 'a'] })).status, 400)
})

test('a list of too many names is refused before anything is made of them', async () => {
  const answer = await post(ann, { folder: '..', files: Array(10_001).fill(1) })
  assert.deepEqual([answer.status, /at most 10,000 chosen entries/.test(await answer.text())], [400, true])
})

test('others are answered while long names are compared with many rules', async (t) => {
  const rules = Array.from({ length: 100 }, (_, index) => ({ ...deny(''), regex: true, regexp: { raw: `/secret${index}$` } }))
  const { as } = await startApp(t, { files: { x: 'x' }, users: { ann: { rules }, bob: {} } })
  const [ann, bob] = [await as('ann'), await as('bob')]
  const files = Array.from({ length: 1000 }, (_, index) => `${index}${'/n'.repeat(100)}`)
  let isAnswered = false
  const asked = post(ann, { files }).finally(() => {
    isAnswered = true
  })
  assert.equal((await bob.read('/')).isDir, true)
  assert.equal(isAnswered, false)
  assert.equal((await asked).status, 404)
})

for (const [what, body, status] of [
  ['a missing entry', { folder: '/a', files: ['none'] }, 404],
  ['a blocked entry', { folder: '/a', files: ['x', 'secret'] }, 403],
  ['an unknown format', { folder: '/a', files: ['x'], algo: 'rar' }, 400],
  ['no entry', { folder: '/a', files: [] }, 400],
  ['what is no name', { folder: '/a', files: ['x', 1] }, 400],
  ['a way out', { folder: '/a', files: ['../x'] }, 400],
  ['no list', { folder: '/a' }, 400],
] as const)
  test(`a list with ${what} is refused with ${status}`, async () => {
    assert.equal((await post(ann, body)).status, status)
  })

test('a ticket is of use in its session alone', async () => {
  const ticket = await ticketFor(ann, { folder: '/a', files: ['x'] })
  const [sameUser, bob] = [await app.as('ann'), await app.as('bob')]
  for (const other of [sameUser, bob]) assert.equal((await other.raw('/', `ticket=${ticket}`)).status, 404)
  assert.equal((await app.principal().raw('/', `ticket=${ticket}`)).status, 401)
  assert.equal((await ann.raw('/', 'ticket=none')).status, 404)
  assert.equal((await ann.raw('/', `ticket=${ticket}`)).status, 200)
})

test('rights are asked again when a ticket is used', async (t) => {
  const { parts, as } = await startApp(t, { files: { 'a/x': 'x' } })
  const ann = await as('ann')
  const ticket = await ticketFor(ann, { folder: '/a', files: ['x'] })
  await parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules: [deny('/a/x')] }
  })
  assert.equal((await ann.raw('/', `ticket=${ticket}`)).status, 403)
})

test('a ticket ends after a minute', async (t) => {
  const { clock, as } = await startApp(t, { files: { x: 'x' } })
  const ann = await as('ann')
  const ticket = await ticketFor(ann, { folder: '/', files: ['x'] })
  clock.advance({ milliseconds: 59_999 })
  assert.equal((await ann.raw('/', `ticket=${ticket}`)).status, 200)
  clock.advance({ milliseconds: 1 })
  assert.equal((await ann.raw('/', `ticket=${ticket}`)).status, 404)
})

describe('the memory of tickets', () => {
  const owner = (userId: number) => ({ userId, sessionId: `s${userId}` })
  const list = (bytes: number) => ({
    paths: Array.from({ length: bytes / 8192 }, () => `/${'x'.repeat(4063)}` as Path),
    format: undefined,
  })

  test('is four lists of one user: a fifth replaces the oldest', () => {
    const tickets = new ArchiveTickets(new StoppedClock())
    const ids = Array.from({ length: 5 }, () => tickets.issue(owner(1), list(8192)))
    const other = tickets.issue(owner(2), list(8192))
    assert.throws(() => tickets.find(ids[0] as string, owner(1)), { code: 'notFound' })
    for (const id of ids.slice(1)) assert.equal(tickets.find(id, owner(1)).paths.length, 1)
    assert.equal(tickets.find(other, owner(2)).paths.length, 1)
  })

  test('is bounded for all users, and free again after a minute', () => {
    const clock = new StoppedClock()
    const tickets = new ArchiveTickets(clock)
    for (let user = 0; user < 8; user++) tickets.issue(owner(user), list(8 * 2 ** 20))
    assert.throws(() => tickets.issue(owner(9), list(8 * 2 ** 20)), { code: 'busy', retryAfter: 5 })
    clock.advance({ minutes: 1 })
    assert.ok(tickets.issue(owner(9), list(8 * 2 ** 20)))
  })
})
