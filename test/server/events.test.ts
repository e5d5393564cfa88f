// Listeners are called before and after each change, with all its fields, and for nothing else.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { rootPath } from '../../src-server/base/paths.ts'
import { type Event, Events } from '../../src-server/events/events.ts'
import { type AppSetup, only, password, startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const someEvent: Event = { kind: 'delete', path: rootPath, isDir: true, by: { id: 1, name: 'ann' }, address: '', way: 'job' }
const reason = new Error('no')

/** Events that record what their listeners receive. */
function listening() {
  const told: string[] = []
  const reports: unknown[] = []
  const events = new Events((error) => reports.push(error))
  events.before(() => void told.push('before'))
  events.done((event) => void told.push(`done ${'bytes' in event ? event.bytes : ''}`.trim()))
  events.failed((_event, error) => void told.push(`failed ${error}`))
  return { events, told, reports }
}

describe('around a work', () => {
  test('listeners are called before it and when it is done', async () => {
    const { events, told } = listening()
    const result = await events.around(someEvent, async () => told.push('work'))
    assert.deepEqual([result, told], [2, ['before', 'work', 'done']])
  })

  test('listeners receive what only the result contains', async () => {
    const { events, told } = listening()
    await events.around(
      someEvent,
      async () => 5,
      (bytes) => ({ bytes }),
    )
    assert.deepEqual(told, ['before', 'done 5'])
  })

  test('listeners are told that it failed, and not that it succeeded', async () => {
    const { events, told } = listening()
    await assert.rejects(
      events.around(someEvent, () => Promise.reject(reason)),
      reason,
    )
    assert.deepEqual(told, ['before', 'failed Error: no'])
  })

  test('a listener refuses it: it is not done, and the others are told that it failed', async () => {
    const { events, told } = listening()
    events.before(() => Promise.reject(reason))
    events.before(() => void told.push('the next'))
    await assert.rejects(
      events.around(someEvent, async () => told.push('work')),
      reason,
    )
    assert.deepEqual(told, ['before', 'failed Error: no'])
  })

  test('who compares before and after receives what the result contains, also that a field is not so, and nothing of a failure', async () => {
    const { events } = listening()
    const told: unknown[] = []
    events.surround(async () => async (done) => void told.push(done))
    const intoTrash: Event = { ...someEvent, trash: 'a' }
    await events.around(
      intoTrash,
      async () => 5,
      (bytes) => ({ bytes, trash: undefined }),
    )
    await assert.rejects(
      events.around(intoTrash, () => Promise.reject(reason)),
      reason,
    )
    assert.deepEqual(told, [{ ...someEvent, bytes: 5, trash: undefined }, undefined])
  })

  test('a listener that fails afterwards is reported and changes nothing', async () => {
    const { events, told, reports } = listening()
    events.done(() => Promise.reject(reason))
    events.done(() => void told.push('the next'))
    assert.equal(await events.around(someEvent, async () => 'result'), 'result')
    assert.deepEqual([told, reports], [['before', 'done', 'the next'], [reason]])
  })
})

/** A server whose events are recorded from the end of its setup on. */
async function startListening(t: TestContext, setup: AppSetup) {
  const app = await startApp(t, setup)
  const ann = await app.as('ann')
  const id = userIn(app.parts.state, 'ann')?.id
  const heard: Event[] = []
  app.parts.events.done((event) => void heard.push(event))
  app.parts.events.failed((event) => assert.fail(`failed: ${event.kind}`))
  const from = { by: { id, name: 'ann' }, address: '127.0.0.1', way: 'page' }
  return { app, ann, heard, from }
}

test('an event says who, what, where in the served root, whether it is a folder, how many bytes, and where from', async (t) => {
  const files = { 'people/ann/old.txt': 'old', 'people/ann/dir/x': 'x' }
  const { ann, heard, from } = await startListening(t, { files, users: { ann: { scope: '/people/ann' } } })
  for (const [request, ...events] of [
    [() => ann.upload('/new/a.txt', 'abc'), { kind: 'upload', path: '/people/ann/new/a.txt', isDir: false, bytes: 3 }],
    [() => ann.save('/old.txt', 'abcd'), { kind: 'save', path: '/people/ann/old.txt', isDir: false, bytes: 4 }],
    [() => ann.makeFolder('/made'), { kind: 'upload', path: '/people/ann/made', isDir: true }],
    [() => ann.makeFolder('/made')],
    [
      () => ann.copy('/old.txt', '/made/b.txt'),
      { kind: 'copy', path: '/people/ann/old.txt', to: '/people/ann/made/b.txt', isDir: false, bytes: 4 },
    ],
    [() => ann.move('/dir', '/made/dir'), { kind: 'rename', path: '/people/ann/dir', to: '/people/ann/made/dir', isDir: true }],
    [() => ann.remove('/old.txt'), { kind: 'delete', path: '/people/ann/old.txt', isDir: false, bytes: 4 }],
    [() => ann.remove('/made'), { kind: 'delete', path: '/people/ann/made', isDir: true }],
    [() => ann.get('/')],
    [() => ann.raw('/new/a.txt')],
  ] as const) {
    heard.length = 0
    const answer = await request()
    assert.equal(answer.status, 200, await answer.text())
    const item = answer.headers.get('Holdall-Trash')
    assert.deepEqual(
      heard,
      events.map((event) => ({ ...event, ...from, ...(event.kind === 'delete' && { trash: item }) })),
    )
  }
})

test('sign-ins, sign-outs and changes of settings are events', async (t) => {
  const { app, ann, heard, from } = await startListening(t, {})
  const credentials = JSON.stringify({ username: 'ann', password })
  const signedIn = await app.principal().ask('POST', '/api/login', { body: credentials })
  const headers = { 'X-Auth': await signedIn.text() }
  const change = { what: 'user', which: ['viewMode', 'locale'], data: { id: from.by.id, viewMode: 'list', locale: 'de' } }
  assert.equal((await ann.ask('PUT', `/api/users/${from.by.id}`, { body: JSON.stringify(change) })).status, 200)
  assert.equal((await ann.ask('POST', '/api/renew')).status, 200)
  assert.equal((await app.principal().ask('POST', '/api/logout', { headers })).status, 200)
  assert.deepEqual(heard, [
    { kind: 'signIn', ...from },
    { kind: 'settings', fields: ['viewMode', 'locale'], ...from },
    { kind: 'signOut', ...from },
  ])
})

test('a refused sign-in is a failed event with the submitted name', async (t) => {
  const app = await startApp(t)
  const failed: Event[] = []
  app.parts.events.failed((event) => void failed.push(event))
  const body = JSON.stringify({ username: 'eve', password: 'a guess' })
  assert.equal((await app.principal().ask('POST', '/api/login', { body })).status, 403)
  assert.deepEqual(failed, [{ kind: 'signIn', by: { name: 'eve' }, address: '127.0.0.1', way: 'page' }])
  assert.deepEqual(app.events, ['failed signIn'])
})

test('a request that is refused before it begins is no event', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'a' }, users: { ann: { perm: only('rename') } } })
  const ann = await app.as('ann')
  for (const answer of [
    await ann.upload('/b.txt', 'b'),
    await ann.remove('/a.txt'),
    await ann.move('/none', '/b'),
    await ann.copy('/a.txt', '/b.txt'),
    await app.principal().upload('/c.txt', 'c'),
  ]) {
    assert.ok([401, 403, 404].includes(answer.status))
  }
  assert.deepEqual(app.events, [])
})

test('a listener refuses with a message, and nothing is changed', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'a' } })
  const ann = await app.as('ann')
  app.parts.events.before((event) => {
    if (event.kind === 'delete') throw new Failure('forbidden', 'the month is closed')
  })
  const refused = await ann.remove('/a.txt')
  assert.deepEqual([refused.status, await refused.text()], [403, '403 Forbidden (the month is closed)\n'])
  assert.deepEqual(await ann.list('/'), ['a.txt'])
  assert.deepEqual(app.events, ['failed delete /a.txt'])
})
