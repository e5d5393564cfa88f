// Bodies that are meant to reach more than their fields: prototypes, repeated keys, depth, odd names.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { allPermissions, noPermissions } from '../../src-server/access/permissions.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { openSocket } from '../support/raw-request.ts'
import { share, sharesOf } from '../support/share-calls.ts'
import { only, password, startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const copier = { perm: { ...noPermissions, create: true, download: true } }
const users = { ann: {}, bare: { perm: noPermissions }, copier, admin: { perm: allPermissions } }

async function start(t: TestContext) {
  const app = await startApp(t, { files: { 'd/a.txt': 'a' }, users })
  await app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, signup: true, createUserDir: true }
  })
  const [ann, bare, admin] = await Promise.all([app.as('ann'), app.as('bare'), app.as('admin')])
  const { hash } = await share(ann, '/d')
  const id = userIn(app.parts.state, 'bare')?.id ?? 0
  /** The calls that take JSON, each by whoever may call it. */
  const calls = [
    { by: app.principal(), method: 'POST', address: '/api/login' },
    { by: app.principal(), method: 'POST', address: '/api/signup' },
    { by: bare, method: 'PUT', address: `/api/users/${id}` },
    { by: admin, method: 'POST', address: '/api/users' },
    { by: admin, method: 'PUT', address: '/api/settings' },
    { by: admin, method: 'POST', address: '/api/rules/try' },
    { by: ann, method: 'POST', address: '/api/share/d' },
    { by: ann, method: 'PATCH', address: `/api/share/${hash}` },
    { by: ann, method: 'POST', address: '/api/archives' },
  ]
  return { app, ann, bare, admin, calls, hash, id }
}

test('no call takes a prototype, at any depth, nor a body that is nested without end', async (t) => {
  const { app, calls } = await start(t)
  const before = JSON.stringify(app.parts.state.data.users) + JSON.stringify(app.parts.state.data.settings)
  for (const { by, method, address } of calls) {
    for (const body of [
      '{"__proto__":{"admin":true}}',
      '{"\\u005f_proto__":{"admin":true}}',
      '{"branding":{"__proto__":{"name":"x"}}}',
      '{"rules":[{"__proto__":{}}]}',
      '{"constructor":{"prototype":{"admin":true}}}',
    ]) {
      const answer = await by.ask(method, address, { body })
      const text = await answer.text()
      assert.deepEqual([answer.status, /__proto__/.test(text)], [400, true], `${method} ${address} ${body} ${text}`)
    }
    // A sign-in that is not JSON is one without a name.
    const isSignIn = address === '/api/login'
    for (const body of ['['.repeat(60_000), '{"a":'.repeat(12_000)])
      assert.equal((await by.ask(method, address, { body })).status, isSignIn ? 403 : 400, `${method} ${address}`)
    for (const body of ['[]', '1', '"x"'])
      assert.equal((await by.ask(method, address, { body })).status, 400, `${method} ${address} ${body}`)
  }
  assert.equal(JSON.stringify(app.parts.state.data.users) + JSON.stringify(app.parts.state.data.settings), before)
  assert.equal(({} as { admin?: boolean }).admin, undefined)
})

test('of a key that comes twice the value that was checked is the one that counts', async (t) => {
  const { app, bare, id } = await start(t)
  const change = (text: string) => bare.ask('PUT', `/api/users/${id}`, { body: text.replaceAll('ID', `${id}`) })
  for (const [status, body] of [
    [400, '{"what":"user","which":["viewMode"],"which":["perm"],"data":{"id":ID,"viewMode":"list","perm":{"admin":true}}}'],
    [200, '{"what":"user","which":["perm"],"which":["viewMode"],"data":{"id":ID,"viewMode":"list","perm":{"admin":true}}}'],
    [400, '{"what":"user","which":["viewMode"],"data":{"id":ID,"id":1,"viewMode":"list"}}'],
  ] as const)
    assert.equal((await change(body)).status, status, body)
  assert.deepEqual(userIn(app.parts.state, 'bare')?.perm, noPermissions)
  const signUp = JSON.stringify({ username: 'x', password }).replace('{', '{"username":"y",')
  assert.equal((await app.principal().ask('POST', '/api/signup', { body: signUp })).status, 200)
  assert.deepEqual([userIn(app.parts.state, 'x')?.scope, userIn(app.parts.state, 'y')], ['/users/x', undefined])
})

test('a field that a link does not have is refused by its name when the link is changed', async (t) => {
  const { ann, hash } = await start(t)
  const before = await sharesOf(ann)
  for (const [name, value] of [
    ['expire', 0],
    ['path', '/'],
    ['identity', ''],
    ['hash', 'another'],
    ['Password', 'a secret'],
    ['constructor', {}],
  ] as const) {
    const answer = await ann.ask('PATCH', `/api/share/${hash}`, { body: JSON.stringify({ note: 'new', [name]: value }) })
    assert.deepEqual([answer.status, await answer.text()], [400, `400 Bad Request (a link has no field "${name}")\n`])
  }
  assert.deepEqual(await sharesOf(ann), before)
})

test('a link is not made without a password that was sent under another case of its name', async (t) => {
  const { ann } = await start(t)
  const make = (body: object) => ann.ask('POST', '/api/share/d/a.txt', { body: JSON.stringify(body) })
  for (const name of ['Password', 'PASSWORD', 'mostdownloads', 'Expires']) {
    assert.equal((await make({ [name]: '1' })).status, 400, name)
  }
  assert.deepEqual(await sharesOf(ann, '/d/a.txt'), [])
  assert.equal((await make({ userID: 1, path: '/', hash: 'x', username: 'ann' })).status, 200)
  assert.equal((await sharesOf(ann, '/d/a.txt'))[0]?.path, '/d/a.txt')
})

for (const length of ['Content-Length: 500000', 'Transfer-Encoding: chunked'])
  test(`a long body is not read of a caller who is not known or has no right (${length.split(':')[0]})`, async (t) => {
    const { app, bare, calls } = await start(t)
    const refused = async (method: string, address: string, token: string | undefined) => {
      const { socket, received } = await openSocket(app.port)
      t.after(() => socket.destroy())
      socket.write(`${method} ${address} HTTP/1.1\r\nHost: x\r\n${token ? `X-Auth: ${token}\r\n` : ''}${length}\r\n\r\n`)
      await until(() => received().includes('\r\n\r\n'), `${method} ${address} is answered`)
      return Number(received().split(' ')[1])
    }
    const signedIn = calls.filter(({ by }) => by.token !== undefined)
    for (const { method, address } of signedIn) assert.equal(await refused(method, address, undefined), 401, address)
    for (const address of ['/api/users', '/api/rules/try', '/api/archives'])
      assert.equal(await refused('POST', address, bare.token), 403)
  })

test('a long body is refused with the sentence of a short one when a permission is missing', async (t) => {
  const looker = { perm: noPermissions }
  const [reader, sharer] = [{ perm: only('download') }, { perm: only('share') }]
  const { as } = await startApp(t, { files: { 'd/a.txt': 'a' }, users: { looker, reader, sharer } })
  for (const [name, method, address, body, sentence] of [
    ['looker', 'POST', '/api/archives', { files: ['d/a.txt'] }, 'you may not download here'],
    ['reader', 'POST', '/api/share/d', {}, 'you may not share'],
    ['sharer', 'POST', '/api/share/d', {}, 'you may not share'],
    ['reader', 'PATCH', '/api/share/hash', {}, 'you may not share'],
    ['sharer', 'PATCH', '/api/share/hash', {}, 'you may not share'],
  ] as const) {
    const person = await as(name)
    for (const size of [0, 200_000]) {
      const answer = await person.ask(method, address, { body: JSON.stringify(body).padEnd(size) })
      const expected = [403, `403 Forbidden (${sentence})\n`]
      assert.deepEqual([answer.status, await answer.text()], expected, `${name} ${method} ${address} ${size}`)
    }
  }
})

test('a body that is of no use to a call does not decide about its rights: whoever may not rename copies', async (t) => {
  const { app } = await start(t)
  const { socket, received } = await openSocket(app.port)
  t.after(() => socket.destroy())
  const { token } = await app.as('copier')
  socket.write('PATCH /api/resources/d/a.txt?action=copy&destination=/d/b.txt HTTP/1.1\r\nHost: x\r\n')
  socket.write(`X-Auth: ${token}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
  await until(() => received().includes('\r\n\r\n'), 'the copy is answered')
  assert.match(received(), /^HTTP\/1\.1 200 /)
})

test('a body of a megabyte is taken from a caller who is known, and a longer one only by the call that needs it', async (t) => {
  const { ann, admin } = await start(t)
  const padded = (body: object, size: number) => JSON.stringify(body).padEnd(size)
  const note = (size: number) => ann.ask('POST', '/api/share/d/a.txt', { body: padded({ note: 'x' }, size) })
  const list = (size: number) => ann.ask('POST', '/api/archives', { body: padded({ folder: '/d', files: ['a.txt'] }, size) })
  assert.equal((await note(1_000_000)).status, 200)
  assert.equal((await note(1_100_000)).status, 413)
  assert.equal((await list(8_000_000)).status, 200)
  assert.equal((await list(8_500_000)).status, 413)
  assert.equal((await admin.ask('POST', '/api/none', { body: padded({}, 100_000) })).status, 404)
})

test('a body without a length does not wait for long ones, but where a call takes long ones', async (t) => {
  const limits = new Limits()
  const app = await startApp(t, { files: { 'd/a.txt': 'a' }, services: { limits } })
  const [ann, held] = [await app.as('ann'), new Operation()]
  await limits.enter('longBodies', userIn(app.parts.state, 'ann')?.id ?? 0, held)
  const { socket, received } = await openSocket(app.port)
  t.after(() => socket.destroy())
  const head = `POST /api/share/d/a.txt HTTP/1.1\r\nHost: x\r\nX-Auth: ${ann.token}\r\nTransfer-Encoding: chunked\r\n\r\n`
  socket.write(`${head}2\r\n{}\r\n0\r\n\r\n`)
  await until(() => received().includes('\r\n\r\n'), 'it is answered')
  assert.equal(received().split(' ')[1], '200')
  await held.end()
})

test('one body of more than a megabyte of a person is read at a time', async (t) => {
  const limits = new Limits()
  const app = await startApp(t, { files: { 'd/a.txt': 'a' }, services: { limits } })
  const [ann, held] = [await app.as('ann'), new Operation()]
  await limits.enter('longBodies', userIn(app.parts.state, 'ann')?.id ?? 0, held)
  const list = (size: number) =>
    ann.ask('POST', '/api/archives', { body: JSON.stringify({ folder: '/d', files: ['a.txt'] }).padEnd(size) })
  let isRead = false
  const long = list(2_000_000).then(({ status }) => {
    isRead = true
    return status
  })
  for (let round = 0; round < 20; round++) assert.equal((await list(1_000_000)).status, 200)
  assert.equal(isRead, false)
  await held.end()
  assert.equal(await long, 200)
  assert.equal((await list(2_000_000)).status, 200)
})
