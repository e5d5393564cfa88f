// The socket over which the open page of a link is told that it has changed.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import type { LinkMessage } from '../../src-server/contract/shares.ts'
import { FollowedLink } from '../../src-server/shares/followed-link.ts'
import type { StoredLink } from '../../src-server/state/state-data.ts'
import { StoppedClock } from '../support/clock.ts'
import { openBelow } from '../support/open-below.ts'
import { downloaded, share } from '../support/share-calls.ts'
import { deny, only, startApp, type TestApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const files = { 'd/a.txt': 'a', 'd/b.txt': 'b', 'other/c.txt': 'c' }
const start = (t: TestContext) => startApp(t, { files, users: { ann: {}, bob: {} } })

type Visitor = { messages: LinkMessage[]; closed: Promise<number>; send(text: string): void; close(): void }

/** Opens the socket of a link, and waits for its first message. @throws when it is refused */
async function visit(t: TestContext, app: TestApp, hash: string): Promise<Visitor> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/public/live/${hash}`)
  t.after(() => socket.close())
  const messages: LinkMessage[] = []
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('the socket did not open')))
    socket.addEventListener('message', ({ data }) => {
      messages.push(JSON.parse(String(data)))
      resolve()
    })
  })
  return { messages, closed, send: (text) => socket.send(text), close: () => socket.close() }
}

type Request = Readonly<{ hash: string; from?: string; headers?: Readonly<Record<string, string>> }>

/** Asks for the socket by hand. @param from the local address @returns the head of the answer without its date, and its status */
async function ask(t: TestContext, { port }: TestApp, { hash, from = '127.0.0.1', headers = {} }: Request) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' }
  const all = { Host: `127.0.0.1:${port}`, ...upgrade, 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers }
  const lines = Object.entries(all).map((pair) => `${pair.join(': ')}\r\n`)
  socket.write(`GET /api/public/live/${hash} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await until(() => text.includes('\r\n\r\n'), 'the server answers')
  return { status: Number(text.split(' ')[1]), text: text.replace(/\r\ndate:[^\r]*/i, ''), socket, received: () => text }
}

/** A WebSocket's close with code 1000, in Latin-1. */
const closeFrame = '\x88\x02\x03\xe8'

/** Changes a link in the state. */
const edit = (app: TestApp, hash: string, change: Partial<StoredLink>) =>
  app.parts.state.change('other', (draft) => {
    draft.links = (draft.links ?? []).map((link) => (link.hash === hash ? { ...link, ...change } : link))
  })

const changes: Record<string, (app: TestApp, link: { hash: string; userID: number }) => Promise<unknown>> = {
  'the link is deleted': async (app, { hash }) => (await app.as('ann')).ask('DELETE', `/api/share/${hash}`),
  'the owner is deleted': (app, { userID }) => app.parts.accounts.remove(userID),
  'the owner may no longer share': (app, { userID }) =>
    changeUser(app.parts, userID, (user) => {
      user.perm = only('download')
    }),
  'a rule hides a part of it': (app) =>
    app.parts.state.change('other', (draft) => {
      draft.settings = { ...draft.settings, rules: [deny('/d/a.txt')] }
    }),
  'it leaves the scope of its owner': (app, { userID }) =>
    changeUser(app.parts, userID, (user) => {
      user.scope = '/elsewhere'
    }),
  'it gets a password': async (app, { hash }) =>
    (await app.as('ann')).ask('PATCH', `/api/share/${hash}`, { body: '{"password":"a secret"}' }),
  'it gets another end': (app, { hash }) => edit(app, hash, { expire: 4_000_000_000 }),
  'the folder is renamed': async (app) =>
    (await app.as('ann')).ask('PATCH', '/api/resources/d?action=rename&destination=/renamed'),
  'the folder is deleted': async (app) => (await app.as('ann')).ask('DELETE', '/api/resources/d'),
}

for (const [what, change] of Object.entries(changes)) {
  test(`the socket of the page closes at once when ${what}`, async (t) => {
    const app = await start(t)
    const made = await share(await app.as('ann'), '/d')
    const visitor = await visit(t, app, made.hash)
    await change(app, made)
    assert.equal(await visitor.closed, 1000)
  })
}

test('it stays open when other things change, and says every 25 seconds that it is there', async (t) => {
  const app = await start(t)
  const ann = await app.as('ann')
  const { hash } = await share(ann, '/d')
  const visitor = await visit(t, app, hash)
  assert.deepEqual(visitor.messages, [{ kind: 'alive' }])
  await ann.ask('PATCH', `/api/share/${hash}`, { body: '{"note":"for the committee"}' })
  await ann.ask('DELETE', `/api/share/${(await share(ann, '/other')).hash}`)
  await changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
    user.perm = { ...usual, create: false }
    user.locale = 'de'
  })
  await app.parts.accounts.remove(userIn(app.parts.state, 'bob')?.id ?? 0)
  app.clock.advance({ seconds: 25 })
  await until(() => visitor.messages.length === 2, 'a second message comes')
  assert.deepEqual(visitor.messages[1], { kind: 'alive' })
})

test('a link that expires ends it at that moment, and any link after a quarter of an hour', async (t) => {
  const app = await start(t)
  const ann = await app.as('ann')
  const expiring = await visit(t, app, (await share(ann, '/d', { expires: 20, unit: 'seconds' })).hash)
  app.clock.advance({ seconds: 20 })
  assert.equal(await expiring.closed, 1000)
  const permanent = await visit(t, app, (await share(ann, '/other')).hash)
  app.clock.advance({ minutes: 15 })
  assert.equal(await permanent.closed, 1000)
})

test('the last download ends it for those who had none', async (t) => {
  const app = await start(t)
  const { hash } = await share(await app.as('ann'), '/d', { mostDownloads: 1 })
  const visitor = await ask(t, app, { hash, from: '127.0.0.2' })
  const own = await visit(t, app, hash)
  await until(() => visitor.received().includes('alive'), 'the link is followed')
  assert.deepEqual(await downloaded(app.principal(), hash, '/a.txt'), [200, 'a'])
  await until(() => visitor.received().endsWith(closeFrame), 'it is closed')
  assert.equal((await ask(t, app, { hash, from: '127.0.0.2' })).status, 404)
  app.clock.advance({ seconds: 25 })
  await until(() => own.messages.length === 2, 'the other stays')
})

test('links that lead nowhere are refused byte for byte alike, and locked ones need their ticket', async (t) => {
  const app = await start(t)
  const ann = await app.as('ann')
  const made = await share(ann, '/d')
  const unknown = await ask(t, app, { hash: 'a-link-that-never-was' })
  assert.equal(unknown.status, 404)
  const used = await share(ann, '/other', { mostDownloads: 1 })
  await downloaded(app.principal(), used.hash)
  assert.equal((await ask(t, app, { hash: used.hash, from: '127.0.0.2' })).text, unknown.text)
  for (const change of [{ expire: 1 }, { identity: ':1:1' }, { path: '/gone' }, { userId: 4711 }]) {
    const before = app.parts.state.data.links?.find(({ hash }) => hash === made.hash)
    await edit(app, made.hash, change)
    assert.equal((await ask(t, app, { hash: made.hash })).text, unknown.text, JSON.stringify(change))
    await edit(app, made.hash, before ?? {})
  }
  await ann.ask('DELETE', `/api/share/${made.hash}`)
  assert.equal((await ask(t, app, { hash: made.hash })).text, unknown.text)

  const [locked, other] = [
    await share(ann, '/d', { password: 'password one' }),
    await share(ann, '/other/c.txt', { password: 'password two' }),
  ]
  const ticketOf = async (hash: string, password: string) => {
    const answer = await app.principal().ask('GET', `/api/public/share/${hash}`, { headers: { 'X-SHARE-PASSWORD': password } })
    return /^link-[^=]+=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
  }
  for (const [status, ticket] of [
    [401, ''],
    [401, await ticketOf(other.hash, 'password two')],
    [101, await ticketOf(locked.hash, 'password one')],
  ] as const)
    assert.equal((await ask(t, app, { hash: locked.hash, headers: { Cookie: `link-${locked.hash}=${ticket}` } })).status, status)
})

test('an address has 64 at once, the server 512, and a closed one makes room', async (t) => {
  const app = await start(t)
  const { hash } = await share(await app.as('ann'), '/d')
  const open = async (from: string) => (await ask(t, app, { hash, from })).status
  const [first] = await Promise.all(Array.from({ length: 64 }, () => ask(t, app, { hash })))
  assert.equal(await open('127.0.0.1'), 503)
  for (let address = 2; address <= 8; address++)
    await Promise.all(Array.from({ length: 64 }, async () => assert.equal(await open(`127.0.0.${address}`), 101)))
  assert.equal(await open('127.0.0.9'), 503)
  first?.socket.destroy()
  await until(async () => (await open('127.0.0.9')) === 101, 'there is room')
  await until(() => openBelow(app.root).length === 0, 'no folder is kept open')
})

test('pages of other sites are refused, and so is a client that sends something', async (t) => {
  const app = await start(t)
  const { hash } = await share(await app.as('ann'), '/d')
  assert.equal((await ask(t, app, { hash, headers: { Origin: 'http://elsewhere.example' } })).status, 403)
  const talking = await visit(t, app, hash)
  talking.send('hello')
  assert.equal(await talking.closed, 1008)
  const long = await visit(t, app, hash)
  long.send('x'.repeat(65))
  assert.equal(await long.closed, 1009)
})

test('what a link leads to may be gone without a trace: the next look at the link says so', async (t) => {
  const app = await start(t)
  const { hash } = await share(await app.as('ann'), '/d')
  rmSync(`${app.root}/d`, { recursive: true })
  assert.equal((await ask(t, app, { hash })).status, 404)
})

test('a page whose folder goes into the trash is told by the end of its socket', async (t) => {
  const app = await start(t)
  const { hash } = await share(await app.as('ann'), '/d')
  const visitor = await visit(t, app, hash)
  const act = { kind: 'delete', path: parsePath('/d'), isDir: true, trash: '0'.repeat(32) } as const
  await app.parts.events.around({ ...act, by: { name: 'bob' }, address: '', way: 'page' }, async () => {
    assert.equal(await visitor.closed, 1000)
    assert.equal((await ask(t, app, { hash })).status, 404)
  })
})

test('a page that has left before its link is followed is followed no more', async () => {
  const messages = (async function* (): AsyncGenerator<string> {})()
  const parts = { clock: new StoppedClock(), expire: 0, signal: AbortSignal.abort() }
  const link = new FollowedLink({ ...parts, exhausted: () => assert.fail('nobody would end the listening') })
  await link.serve({ messages, send: () => assert.fail('nobody is there') })
})
