// Links that take files in, as their owners make, see, change and delete them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { LiveMessage } from '../../src-server/contract/live.ts'
import { followFolder } from '../support/live-client.ts'
import { askRequest, editRequest, requestFiles, requestsOf } from '../support/request-calls.ts'
import { askShare, share, sharesOf } from '../support/share-calls.ts'
import { deny, only, startApp } from '../support/start-app.ts'
import { changeUser, rename, userIn } from '../support/start-state.ts'

const files = { 'in/a.txt': 'a', 'secret/b.txt': 'b', 'c.txt': 'c' }

test('a request link has what its owner says, and what holds where nothing is said', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const made = await requestFiles(ann, '/in')
  const { hash, ...rest } = made
  const userID = userIn(app.parts.state, 'ann')?.id
  assert.match(hash, /^[\w-]{22}$/)
  assert.deepEqual(rest, {
    ...{ path: '/in', name: 'in', userID, username: 'ann', expire: 0, created: Math.floor(app.clock.now() / 1000) },
    ...{ title: 'Photos', text: '', hasPassword: false, mostBytes: 20e9, mostFileBytes: 200e6, mostFiles: 10_000 },
    ...{ filesAnHour: 2000, endings: [], asksName: false, hasFolders: true, tells: false },
    ...{ files: 0, bytes: 0, senders: 0, seen: 0 },
  })
  const said = {
    ...{ title: ' Trip ', text: 'By Friday, please.', password: 'long enough', expires: 2, unit: 'days', mostBytes: 5000 },
    ...{ mostFiles: 3, filesAnHour: 7, endings: ['jpg', 'png'], asksName: true, hasFolders: false, tells: true },
  }
  const { password: _, expires: __, unit: ___, ...shown } = said
  const other = await requestFiles(ann, '/in', said)
  const expire = Math.floor(app.clock.now() / 1000) + 2 * 86_400
  assert.deepEqual(other, { ...made, ...shown, hash: other.hash, title: 'Trip', hasPassword: true, expire, mostFileBytes: 5000 })
  assert.deepEqual((await requestsOf(ann)).map((one) => one.hash).sort(), [hash, other.hash].sort())
  assert.deepEqual(app.events, ['share', 'share'])
})

for (const [what, body, word] of [
  ['no title', { title: undefined }, 'title must not be empty'],
  ['a title of spaces', { title: '  ' }, 'title must not be empty'],
  ['a long title', { title: 'x'.repeat(201) }, 'title'],
  ['a file larger than all together', { mostBytes: 10, mostFileBytes: 11 }, 'mostFileBytes must be a whole number from 1 to 10'],
  ['an ending with a dot', { endings: ['.jpg'] }, 'endings'],
  ['an ending in upper case', { endings: ['JPG'] }, 'endings'],
  ['a short password', { password: 'short' }, 'password'],
  ['more bytes than a disk has', { mostBytes: 2 ** 51 }, 'mostBytes'],
  ['an end that is none', { expires: 'soon' }, 'expires'],
  ['a field that it does not have', { mostDownloads: 3 }, 'mostDownloads'],
] as const) {
  test(`${what} is refused`, async (t) => {
    const app = await startApp(t, { files })
    const answer = await askRequest(await app.as('ann'), '/in', body)
    assert.equal(answer.status, 400)
    assert.ok((await answer.text()).includes(word))
    assert.deepEqual(app.parts.state.data.requests, [])
  })
}

test('needs share and create, and not download', async (t) => {
  const users = {
    ann: { perm: only('share', 'create') },
    bob: { perm: only('share', 'download') },
    cy: { perm: only('create', 'download') },
  }
  const app = await startApp(t, { files, users })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in')
  await editRequest(ann, hash, { title: 'Other' })
  for (const name of ['bob', 'cy']) {
    const calls = await app.as(name)
    const asked = [askRequest(calls, '/in'), calls.ask('GET', '/api/requests'), calls.ask('DELETE', `/api/requests/${hash}`)]
    for (const answer of await Promise.all(asked)) assert.equal(answer.status, 403)
  }
  assert.equal((await ann.ask('DELETE', `/api/requests/${hash}`)).status, 200)
  assert.deepEqual(await requestsOf(ann), [])
})

test('leads to a folder that its owner may see, and to nothing else', async (t) => {
  const app = await startApp(t, { files, users: { ann: {} }, rules: [deny('/secret')] })
  const ann = await app.as('ann')
  const statuses = await Promise.all(['/c.txt', '/secret', '/none'].map(async (path) => (await askRequest(ann, path)).status))
  assert.deepEqual(statuses, [400, 403, 404])
})

test('others do not see it, an administrator sees and changes all', async (t) => {
  const app = await startApp(t, { files, users: { ann: { scope: '/in' }, bob: {}, root: { perm: allPermissions } } })
  const [ann, bob, root] = [await app.as('ann'), await app.as('bob'), await app.as('root')]
  const { hash } = await requestFiles(ann, '/')
  assert.deepEqual(await requestsOf(bob), [])
  assert.equal((await bob.ask('PATCH', `/api/requests/${hash}`, { body: '{"title":"Mine"}' })).status, 404)
  assert.equal((await bob.ask('DELETE', `/api/requests/${hash}`)).status, 404)
  const [seen] = await requestsOf(root)
  assert.deepEqual([seen?.path, seen?.name, seen?.username], ['/in', 'in', 'ann'])
  assert.equal((await requestsOf(ann))[0]?.path, '/')
  assert.equal((await editRequest(root, hash, { title: 'Theirs' })).title, 'Theirs')
})

test('is changed field by field, closed and opened again', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const made = await requestFiles(ann, '/in', { text: 'x', password: 'long enough', endings: ['jpg'], expires: 1 })
  const now = Math.floor(app.clock.now() / 1000)
  const closed = await editRequest(ann, made.hash, { closed: true, mostFiles: 5 })
  assert.deepEqual(closed, { ...made, closedAt: now, mostFiles: 5 })
  app.clock.advance({ hours: 1 })
  assert.equal((await editRequest(ann, made.hash, { closed: true })).closedAt, now)
  const opened = await editRequest(ann, made.hash, { closed: false, text: '', password: '', endings: [], expires: '' })
  assert.deepEqual(opened, { ...made, mostFiles: 5, text: '', hasPassword: false, endings: [], expire: 0 })
  const refused = await ann.ask('PATCH', `/api/requests/${made.hash}`, { body: '{"hasFolders":false}' })
  assert.equal(refused.status, 400)
})

test('is not listed, edited or opened as a share, nor given for a permanent one', async (t) => {
  const app = await startApp(t, { files })
  const [ann, stranger] = [await app.as('ann'), app.principal()]
  const { hash } = await requestFiles(ann, '/in')
  assert.deepEqual([await sharesOf(ann), await sharesOf(ann, '/in')], [[], []])
  assert.equal((await ann.ask('PATCH', `/api/share/${hash}`, { body: '{"note":"x"}' })).status, 404)
  assert.equal((await ann.ask('DELETE', `/api/share/${hash}`)).status, 404)
  for (const address of [`share/${hash}`, `dl/${hash}/a.txt`, `search/${hash}?query=a`])
    assert.equal((await stranger.ask('GET', `/api/public/${address}`)).status, 404)
  const shared = await share(ann, '/in')
  assert.notEqual(shared.hash, hash)
  assert.equal((await ann.ask('PATCH', `/api/requests/${shared.hash}`, { body: '{"title":"x"}' })).status, 404)
  assert.equal((await requestsOf(ann)).length, 1)
  assert.equal((await askShare(ann, '/in', { expires: 1 })).status, 200)
})

test('follows renames and the trash, and ends with its owner', async (t) => {
  const app = await startApp(t, { files, users: { ann: {}, root: { perm: allPermissions } } })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in')
  const now = async () => (await requestsOf(ann))[0]
  await ann.ask('PATCH', '/api/resources/in?action=rename&destination=/out')
  assert.equal((await now())?.path, '/out')
  const item = (await ann.ask('DELETE', '/api/resources/out')).headers.get('holdall-trash') ?? ''
  assert.deepEqual([(await now())?.inTrash, (await now())?.leadsNowhere], [true, undefined])
  await ann.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [item] }) })
  assert.deepEqual([(await now())?.inTrash, (await now())?.path], [undefined, '/out'])
  await ann.ask('DELETE', '/api/resources/out?trash=false')
  assert.deepEqual(await requestsOf(ann), [])
  await requestFiles(ann, '/secret')
  const root = await app.as('root')
  assert.equal((await requestsOf(root)).length, 1)
  await app.parts.state.run('removeUser', { id: userIn(app.parts.state, 'ann')?.id ?? 0 })
  assert.deepEqual([await requestsOf(root), await app.parts.state.request(hash)], [[], undefined])
})

test('says when it leads nowhere because of what its owner may no longer do', async (t) => {
  const app = await startApp(t, { files, users: { ann: {}, root: { perm: allPermissions } } })
  await requestFiles(await app.as('ann'), '/in')
  const root = await app.as('root')
  const leads = async () => (await requestsOf(root))[0]?.leadsNowhere
  assert.equal(await leads(), undefined)
  for (const change of [{ perm: only('share', 'download') }, { scope: '/secret' }, { rules: [deny('/in')] }]) {
    const { id = 0, ...before } = userIn(app.parts.state, 'ann') ?? {}
    await changeUser(app.parts, id, (user) => void Object.assign(user, change))
    assert.equal(await leads(), true)
    await changeUser(app.parts, id, (user) => void Object.assign(user, before))
  }
})

test('stays listed after its end', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { expires: 1, unit: 'seconds' })
  app.clock.advance({ hours: 1 })
  await requestFiles(ann, '/secret')
  await share(ann, '/in')
  assert.ok((await requestsOf(ann)).some((one) => one.hash === hash))
  await ann.ask('PATCH', '/api/resources/in?action=rename&destination=/out')
  assert.ok((await requestsOf(ann)).some((one) => one.hash === hash && one.path === '/out'))
})

test('the pages of its owner alone are told of a change', async (t) => {
  const app = await startApp(t, { files, users: { ann: {}, bob: {}, root: { perm: allPermissions } } })
  const ann = await app.as('ann')
  const sockets = await Promise.all(['ann', 'bob', 'root'].map((name) => followFolder(app, name, '/secret')))
  t.after(() => {
    for (const socket of sockets) socket.close()
  })
  await requestFiles(ann, '/in')
  await share(await app.as('root'), '/in')
  const isNews = ({ kind }: LiveMessage) => kind === 'requests'
  await sockets[0]?.next('requests')
  // What concerns all of them comes after it.
  await app.parts.state.change('other', rename('another'))
  for (const socket of sockets) socket.send({ kind: 'ask' })
  for (const socket of sockets) await socket.next('alive')
  assert.deepEqual(
    sockets.map(({ messages }) => messages.filter(isNews).length),
    [1, 0, 0],
  )
})
