// Live folders: what ends, refuses and limits the socket, and what becomes of a folder that is moved or removed.

import assert from 'node:assert/strict'
import { type EventEmitter, once } from 'node:events'
import * as fs from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { stop } from '../../src-server/listening.ts'
import type { StoredLink, UserDraft } from '../../src-server/state/state-data.ts'
import { followFolder, openLive } from '../support/live-client.ts'
import { openSocket, rawRequest } from '../support/raw-request.ts'
import { type AppSetup, deny, startApp, type TestApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const start = (t: TestContext, setup: AppSetup = {}) => startApp(t, { ...setup, services: { clock: systemClock } })

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** Opens the socket by hand. @returns what the server sends, and the connection */
async function upgraded(t: TestContext, { port }: Pick<TestApp, 'port'>, headers: Record<string, string>, query = '') {
  const client = await openSocket(port)
  t.after(() => client.socket.destroy())
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...upgrade, ...headers }).map((pair) => `${pair.join(': ')}\r\n`)
  client.socket.write(`GET /api/live${query} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await until(() => client.received().includes('\r\n\r\n'), 'the server answers')
  return { ...client, status: Number(client.received().split(' ')[1]) }
}

test('session and origin are checked before the upgrade', async (t) => {
  const app = await start(t)
  const { token = '' } = await app.as('ann')
  const cookie = { Cookie: `auth-${app.parts.state.data.instance}=${token}` }
  for (const [status, headers, query] of [
    [101, cookie, ''],
    [101, { 'X-Auth': token }, ''],
    [101, { ...cookie, Origin: `http://127.0.0.1:${app.port}` }, ''],
    [403, { ...cookie, Origin: 'http://elsewhere.example' }, ''],
    [403, { ...cookie, Origin: 'null' }, ''],
    [401, {}, ''],
    [401, { Cookie: `auth-${app.parts.state.data.instance}=${token.slice(0, -3)}abc` }, ''],
    [401, {}, '?auth=a.b.c'],
  ] as const) {
    assert.equal((await upgraded(t, app, headers, query)).status, status, JSON.stringify([headers, query]))
  }
  const plain = { port: app.port, method: 'GET', address: '/api/live', headers: { 'X-Auth': token, Connection: 'close' } }
  assert.equal((await rawRequest(plain)).status, 400)
})

test('requests that are refused leave nothing behind on their connection', async (t) => {
  const app = await start(t)
  const { token = '' } = await app.as('ann')
  const connections: Socket[] = []
  app.parts.app.server.on('connection', (connection) => connections.push(connection))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const ask = async (headers: Record<string, string>) => {
    const sent = get(`${app.url}/api/live`, { agent, headers })
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    return answer.statusCode
  }
  for (const [status, headers] of [
    [401, {}],
    [400, { 'X-Auth': token }],
  ] as const) {
    assert.equal(await ask(headers), status)
    const listeners = connections[0]?.listenerCount('close')
    for (let count = 0; count < 20; count++) assert.equal(await ask(headers), status)
    assert.equal(connections[0]?.listenerCount('close'), listeners)
  }
  assert.equal(connections.length, 1)
})

test('a session has eight sockets, a person 32, and a closed one makes room', async (t) => {
  const app = await start(t, { users: { ann: {}, bob: {} } })
  const tokens = await Promise.all(Array.from({ length: 5 }, async () => (await app.as('ann')).token))
  const open = (token: string | undefined) => openLive(app, token)
  const [first] = await Promise.all(Array.from({ length: 8 }, () => open(tokens[0])))
  await assert.rejects(open(tokens[0]))
  assert.equal((await upgraded(t, app, { 'X-Auth': tokens[0] ?? '' })).status, 429)
  for (const token of tokens.slice(1, 4)) await Promise.all(Array.from({ length: 8 }, () => open(token)))
  assert.equal((await upgraded(t, app, { 'X-Auth': tokens[4] ?? '' })).status, 429)
  await open((await app.as('bob')).token)
  first?.close()
  await first?.closed
  await until(async () => (await upgraded(t, app, { 'X-Auth': tokens[4] ?? '' })).status === 101, 'there is room')
})

for (const [what, code, texts] of [
  ['more than 8 KiB', 1009, [JSON.stringify({ kind: 'ask', more: 'x'.repeat(8192) })]],
  ['more than twenty messages in a second', 1008, Array.from({ length: 200 }, () => '{"kind":"ask"}')],
  ['five folders', 1008, [JSON.stringify({ kind: 'follow', folders: ['/1', '/2', '/3', '/4', '/5'] })]],
  ['a path that leads up', 1008, [JSON.stringify({ kind: 'follow', folders: ['/a/../..'] })]],
  ['no JSON', 1008, ['{']],
  ['another kind of message', 1008, ['{"kind":"list"}']],
  ['a number', 1008, ['7']],
] as const) {
  // The time limit of the closing itself is half a minute.
  test(`a client that sends ${what} is cut off with ${code}`, { timeout: 25_000 }, async (t) => {
    const app = await start(t)
    const client = await openLive(app, (await app.as('ann')).token)
    for (const text of texts) client.send(text)
    assert.equal(await client.closed, code)
  })
}

for (const [what, end] of [
  ['a sign-out', (_: TestApp, signOut: () => Promise<unknown>) => signOut()],
  ['the removal of the user', ({ parts }: TestApp) => parts.accounts.remove(userIn(parts.state, 'ann')?.id ?? 0)],
  [
    'another password',
    ({ parts }: TestApp) => parts.accounts.changePassword(userIn(parts.state, 'ann')?.id ?? 0, 'quite another'),
  ],
  ['signing out everywhere', ({ parts }: TestApp) => parts.accounts.signOutEverywhere(userIn(parts.state, 'ann')?.id ?? 0)],
] as const) {
  test(`${what} ends the sockets of the session, and those of nobody else`, async (t) => {
    const app = await start(t, { files: { 'd/': '' }, users: { ann: {}, bob: {} } })
    const ann = await app.as('ann')
    const [client, other] = [await openLive(app, ann.token), await followFolder(app, 'bob', '/d')]
    client.follow('/d')
    await client.next('following')
    await end(app, () => ann.ask('POST', '/api/logout'))
    fs.writeFileSync(join(app.root, 'd/secret'), '')
    await client.next('ended')
    assert.equal(await client.closed, 1000)
    assert.doesNotMatch(JSON.stringify(client.messages), /secret/)
    await other.next('changed')
  })
}

test('changed rights are told to the open page, and other changes of the person are not', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const client = await openLive(app, (await app.as('ann')).token)
  await client.next('hello')
  const change = (edit: (user: UserDraft) => void) => changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, edit)
  await change((user) => {
    user.locale = 'de'
  })
  await change((user) => {
    user.perm = { ...user.perm, create: false }
  })
  await client.next('account')
  await app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules: [deny('/d')] }
  })
  await client.next('account')
  assert.equal(client.messages.filter(({ kind }) => kind === 'account').length, 2)
})

test('links that were made, changed or deleted are told to those who may manage them, and to nobody else', async (t) => {
  const app = await start(t, { files: { 'd/': '' }, users: { ann: {}, bob: {}, admin: { perm: allPermissions } } })
  const names = ['ann', 'bob', 'admin'] as const
  const [ann, bob, admin] = await Promise.all(names.map(async (name) => openLive(app, (await app.as(name)).token)))
  const clients = [ann, bob, admin].filter((client) => client !== undefined)
  for (const client of clients) await client.next('hello')
  const told = () => clients.map(({ messages }) => messages.filter(({ kind }) => kind === 'links').length)
  const userId = userIn(app.parts.state, 'ann')?.id ?? 0
  const link = { hash: 'a-link', userId, path: '/d', isDir: true, identity: '', expire: 0, createdAt: 0 }
  const change = (links: StoredLink[]) =>
    app.parts.state.change('other', (draft) => {
      draft.links = links
    })
  for (const [index, links] of [[link], [{ ...link, note: 'for the committee' }], []].entries()) {
    await change(links)
    await ann?.next('links')
    await admin?.next('links')
    assert.deepEqual(told(), [index + 1, 0, index + 1])
  }
})

test('a renewal of the token leaves the socket open', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const ann = await app.as('ann')
  const client = await openLive(app, ann.token)
  client.follow('/d')
  await client.next('following')
  assert.equal((await ann.ask('POST', '/api/renew')).status, 200)
  fs.writeFileSync(join(app.root, 'd/x'), '')
  await client.next('changed')
})

test('a folder that another program removes is gone, and is followed again when it is back', async (t) => {
  const app = await start(t, { files: { 'd/f': 'x' } })
  const client = await followFolder(app, 'ann', '/d')
  fs.rmSync(join(app.root, 'd'), { recursive: true })
  assert.deepEqual(await client.next('gone'), { kind: 'gone', folder: '/d' })
  fs.mkdirSync(join(app.root, 'd'))
  await client.next('following')
  fs.writeFileSync(join(app.root, 'd/again'), '')
  await client.next('changed')
})

test('a folder that a person renames is gone to its new name, also when one above it is renamed', async (t) => {
  const app = await start(t, { files: { 'a/b/f': 'x' }, users: { ann: {}, bob: {} } })
  const bob = await app.as('bob')
  const client = await followFolder(app, 'ann', '/a/b')
  await bob.move('/a/b', '/a/c')
  assert.deepEqual(await client.next('gone'), { kind: 'gone', folder: '/a/b', to: '/a/c' })
  client.follow('/a/c')
  await client.next('following')
  await bob.move('/a', '/z')
  assert.deepEqual(await client.next('gone'), { kind: 'gone', folder: '/a/c', to: '/z/c' })
})

test('a folder whose former content comes back from the trash elsewhere has not moved there', async (t) => {
  const app = await start(t, { files: { 'd/f': 'x' } })
  const client = await followFolder(app, 'ann', '/d')
  const [path, to] = [parsePath('/d'), parsePath('/d (1)')]
  const about = { isDir: true, trash: '0'.repeat(32), by: { name: 'bob' }, address: '', way: 'page' } as const
  await app.parts.events.around({ kind: 'restore', path, to, ...about }, async () => fs.mkdirSync(join(app.root, 'd (1)')))
  fs.rmSync(join(app.root, 'd'), { recursive: true })
  assert.deepEqual(await client.next('gone'), { kind: 'gone', folder: '/d' })
})

test('the new name of a folder is told only to those who may see it', async (t) => {
  const users = { ann: { scope: '/home' }, bob: {} }
  const app = await start(t, { files: { 'home/a/f': 'x' }, users })
  const client = await followFolder(app, 'ann', '/a')
  await (await app.as('bob')).move('/home/a', '/elsewhere')
  assert.deepEqual(await client.next('gone'), { kind: 'gone', folder: '/a' })
})

test('another folder under the same path is followed from then on', async (t) => {
  const app = await start(t, { files: { 'a/b/': '', 'other/b/': '' } })
  const client = await followFolder(app, 'ann', '/a/b')
  fs.renameSync(join(app.root, 'a'), join(app.root, 'was'))
  fs.renameSync(join(app.root, 'other'), join(app.root, 'a'))
  await client.next('following')
  fs.writeFileSync(join(app.root, 'was/b/former'), '')
  fs.writeFileSync(join(app.root, 'a/b/present'), '')
  const { items } = await client.next('changed')
  assert.deepEqual(
    items.map(({ name }) => name),
    ['present'],
  )
})

test('a listing says when it was read, so that the page knows whether it misses something', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const ann = await app.as('ann')
  const before = Number((await ann.get('/d/')).headers.get('X-Read-At'))
  const client = await openLive(app, ann.token)
  client.follow('/d')
  const { since } = await client.next('following')
  const after = Number((await ann.get('/d/')).headers.get('X-Read-At'))
  assert.ok(before > 0 && before < since && since <= after, `${before} ${since} ${after}`)
})

test('a client that answers no ping is cut off, and one that does stays', async (t) => {
  const app = await startApp(t)
  const silent = await upgraded(t, app, { 'X-Auth': (await app.as('ann')).token ?? '' })
  const client = await openLive(app, (await app.as('ann')).token)
  await until(() => silent.received().includes('hello'), 'the socket is open')
  const sockets = [...(app.parts.app.websocketServer?.clients ?? [])] as unknown as EventEmitter[]
  const answered = Promise.race(sockets.map((socket) => once(socket, 'pong')))
  app.clock.advance({ seconds: 30 })
  await answered
  app.clock.advance({ seconds: 30 })
  await silent.ended
  client.send({ kind: 'ask' })
  await client.next('alive')
})

test('a client that reads nothing costs one message, and gets the advice to list again', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const { token = '' } = await app.as('ann')
  const slow = await upgraded(t, app, { 'X-Auth': token })
  slow.socket.write(masked(JSON.stringify({ kind: 'follow', folders: ['/d'] })))
  await until(() => slow.received().includes('"following"'), 'it follows')
  slow.socket.pause()
  const server = [...(app.parts.app.websocketServer?.clients ?? [])][0] as unknown as { bufferedAmount: number }
  const name = (index: number) => `${index}`.padStart(200, 'x')
  let largest = 0
  for (let index = 0; index < 5000; index++) {
    fs.writeFileSync(join(app.root, 'd', name(index)), '')
    if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    largest = Math.max(largest, server.bufferedAmount)
  }
  assert.ok(largest < 2 ** 20, `${largest} bytes wait`)
  slow.socket.resume()
  await until(() => slow.received().includes('"resync"'), 'the advice comes')
})

test('stopping the server closes the sockets at once', async (t) => {
  const app = await start(t, { files: { 'd/': '' } })
  const client = await followFolder(app, 'ann', '/d')
  const stopping = stop(app.parts.app, 3_600_000)
  await client.closed
  await stopping
})

/** A text frame of a client. */
function masked(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}
