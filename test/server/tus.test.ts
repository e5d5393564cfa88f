// tus 1.0 (https://tus.io/protocols/resumable-upload): what each call answers.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { historyCalls } from '../support/history-calls.ts'
import { type AppSetup, deny, only, startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { harvest } from '../support/tree.ts'
import { checksum, pieceType, told, tusCalls } from '../support/tus-calls.ts'

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, setup)
  const ann = await app.as('ann')
  return {
    ...app,
    ann,
    tus: tusCalls(ann),
    begin: (path: string, length: number | undefined) => begun(tusCalls(ann), path, length),
  }
}

type Tus = ReturnType<typeof tusCalls>

/** @returns the address of a new upload, without the base */
async function begun(tus: Tus, path: string, length: number | undefined) {
  const answer = await tus.create(path, length)
  assert.equal(answer.status, 201, await answer.text())
  return answer.headers.get('location') ?? ''
}

test('what the server can is told to everybody', async (t) => {
  const { principal } = await start(t)
  for (const address of ['/api/tus', '/api/tus/a/b']) {
    const answer = await principal().ask('OPTIONS', address)
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('tus-resumable'), '1.0.0')
    assert.equal(answer.headers.get('tus-version'), '1.0.0')
    assert.match(answer.headers.get('tus-extension') ?? '', /creation-with-upload.*termination,checksum,expiration/)
    assert.equal(answer.headers.get('tus-checksum-algorithm'), 'sha1,sha256')
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  }
})

test('an upload is begun, asked about, sent in pieces and finished', async (t) => {
  const { tus, root, events } = await start(t)
  const answer = await tus.create('/d/%C3%A4%20b', 6, { headers: { 'Upload-Metadata': 'filename YQ==,empty' } })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('tus-resumable'), '1.0.0')
  const expires = Date.parse(answer.headers.get('upload-expires') ?? '')
  assert.ok(expires > Date.now())
  const address = answer.headers.get('location') ?? ''
  assert.match(address, /^\/api\/uploads\/[0-9a-f]{32}$/)
  const head = await tus.head(address)
  assert.deepEqual(told(head), { status: 200, offset: 0, length: 6 })
  assert.equal(head.headers.get('upload-metadata'), 'filename YQ==,empty')
  assert.equal(head.headers.get('cache-control'), 'no-store')
  assert.deepEqual(told(await tus.patch(address, 0, 'abc', checksum('abc', 'sha1'))), { status: 204, offset: 3 })
  assert.deepEqual(told(await tus.head('/api/tus/d/%C3%A4%20b')), { status: 200, offset: 3, length: 6 })
  assert.deepEqual(told(await tus.ask('GET', '/api/tus/d/%C3%A4%20b')), { status: 200, offset: 3, length: 6 })
  assert.deepEqual(told(await tus.patch('/api/tus/d/%C3%A4%20b', 3, 'def', checksum('def'))), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(root), { 'd/ä b': 'abcdef' })
  // A lost answer makes no second file.
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 6, length: 6 })
  assert.deepEqual(told(await tus.patch(address, 6, '')), { status: 204, offset: 6 })
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 409, offset: 6 })
  assert.equal((await tus.patch(address, 6, 'g')).status, 413)
  assert.equal((await tus.end(address)).status, 404)
  assert.deepEqual(events, ['upload /d/ä b'])
})

test('an upload may come with its creation, in part or whole, also without a byte', async (t) => {
  const { tus, root } = await start(t)
  const part = await tus.create('/a', 6, { body: 'abc' })
  assert.deepEqual(told(part), { status: 201, offset: 3 })
  assert.equal((await tus.patch(part.headers.get('location') ?? '', 3, 'def')).status, 204)
  assert.deepEqual(told(await tus.create('/b', 3, { body: 'abc', headers: checksum('abc') })), { status: 201, offset: 3 })
  assert.deepEqual(told(await tus.create('/c', 0)), { status: 201, offset: 0 })
  assert.deepEqual(await harvest(root), { a: 'abcdef', b: 'abc', c: '' })
  assert.equal((await tus.create('/c', 3, { body: 'abc' })).status, 412)
  // Its answer may have been lost.
  assert.equal((await tus.create('/c', 0)).status, 201)
  fs.rmSync(join(root, 'c'))
  assert.equal((await tus.create('/c', 0)).status, 201)
  fs.writeFileSync(join(root, 'c'), 'other')
  assert.equal((await tus.create('/c', 0)).status, 412)
  assert.deepEqual(await tus.list(), [])
})

test('the length may be said later', async (t) => {
  const { tus, begin, root } = await start(t)
  const address = await begin('/a', undefined)
  const head = await tus.head(address)
  assert.deepEqual([head.headers.get('upload-defer-length'), head.headers.get('upload-length')], ['1', null])
  assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
  assert.equal((await tus.patch(address, 3, 'd', { 'Upload-Length': '4' })).status, 204)
  assert.deepEqual(await harvest(root), { a: 'abcd' })
})

test('what is no request of tus is refused before anything is done', async (t) => {
  const { tus, begin, root } = await start(t)
  const refused: [what: string, headers: Record<string, string>][] = [
    ['no length', {}],
    ['both lengths', { 'Upload-Length': '1', 'Upload-Defer-Length': '1' }],
    ['no number', { 'Upload-Length': '1e3' }],
    ['a sign', { 'Upload-Length': '-1' }],
    ['too many digits', { 'Upload-Length': '9007199254740993' }],
    ['another deferral', { 'Upload-Defer-Length': '2' }],
    ['no Base64', { 'Upload-Length': '1', 'Upload-Metadata': 'a b!' }],
    ['a key twice', { 'Upload-Length': '1', 'Upload-Metadata': 'a YQ==,a YQ==' }],
    ['long metadata', { 'Upload-Length': '1', 'Upload-Metadata': `a ${'YWFh'.repeat(1100)}` }],
    ['a part of several at once', { 'Upload-Length': '1', 'Upload-Concat': 'partial' }],
  ]
  for (const [what, headers] of refused) {
    const answer = await tus.ask('POST', '/api/tus/a', { headers })
    assert.deepEqual([answer.status, answer.headers.get('tus-resumable')], [400, '1.0.0'], what)
  }
  assert.equal((await tus.ask('POST', '/api/tus/a', { headers: { 'Upload-Length': '3' }, body: 'abc' })).status, 415)
  assert.equal((await tus.create('/a', 2, { body: 'abc' })).status, 413)
  const address = await begin('/a', 6)
  assert.equal((await tus.patch(address, 0, 'abc', { 'Content-Type': 'text/plain' })).status, 415)
  for (const headers of [
    { 'Upload-Offset': 'x' },
    { 'Upload-Checksum': 'md5 YQ==' },
    { 'Upload-Checksum': 'sha1 YQ==' },
    { 'Upload-Checksum': 'sha1' },
    { 'Upload-Length': '7' },
  ] as Record<string, string>[])
    assert.equal((await tus.patch(address, 0, 'abc', headers)).status, 400, JSON.stringify(headers))
  assert.deepEqual(told(await tus.patch(address, 3, 'abc')), { status: 409, offset: 0 })
  assert.equal((await tus.patch(address, 0, 'abcdefg')).status, 413)
  assert.equal((await tus.patch(address, 0, 'abc', checksum('abd'))).status, 460)
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 0, length: 6 })
  for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE']) {
    const answer = await tus.ask(method, method === 'POST' ? '/api/tus/b' : address, { headers: { 'Tus-Resumable': '0.2.2' } })
    assert.deepEqual([answer.status, answer.headers.get('tus-version')], [412, '1.0.0'], method)
  }
  assert.equal((await tus.end(address)).status, 204)
  assert.deepEqual(await harvest(root), {})
})

test('a name that is taken is 412, at the beginning and at the end, and the list says why', async (t) => {
  const { tus, begin, root } = await start(t, { files: { a: 'old' } })
  assert.equal((await tus.create('/a', 3)).status, 412)
  const address = await begin('/b', 3)
  fs.writeFileSync(join(root, 'b'), 'other')
  const refused = await tus.patch(address, 0, 'new')
  assert.deepEqual([refused.status, refused.headers.get('x-refusal')], [412, 'code=nameTaken'])
  assert.equal((await tus.head(address)).status, 412)
  const [listed, ...more] = await tus.list()
  assert.deepEqual(more, [])
  const { id, path, length, offset, isGone, isReceiving, isCompared, refused: why } = listed ?? {}
  assert.deepEqual(
    { path, length, offset, isGone, isReceiving, isCompared },
    {
      ...{ path: '/b', length: 3, offset: 3, isGone: false, isReceiving: false, isCompared: false },
    },
  )
  assert.deepEqual(why, { code: 'conflict', message: 'the name is taken', refusal: { code: 'nameTaken', params: {} } })
  const name = (body: object) => tus.ask('POST', `/api/uploads/${id}/name`, { body: JSON.stringify(body) })
  assert.equal((await name({ name: 'a' })).status, 409)
  assert.equal((await name({ name: 'd/c' })).status, 400)
  assert.equal((await name({ name: 'c' })).status, 204)
  assert.deepEqual(await tus.list(), [])
  assert.deepEqual(await harvest(root), { a: 'old', b: 'other', c: 'new' })
})

test('a file is replaced on request, when the person may and it is the one that they know', async (t) => {
  const { tus, ann, root, as } = await start(t, {
    files: { a: 'old' },
    users: { ann: {}, bob: { perm: only('create') } },
  })
  const version = (await ann.raw('/a')).headers.get('etag') ?? ''
  const bob = tusCalls(await as('bob'))
  assert.equal((await bob.create('/a', 3, { query: '?override=true' })).status, 403)
  const other = await tus.create('/a', 3, { query: '?override=true', headers: { 'If-Match': '"other"' } })
  assert.equal(other.status, 412)
  const right = await tus.create('/a', 3, { query: '?override=true', headers: { 'If-Match': version } })
  assert.equal((await tus.patch(right.headers.get('location') ?? '', 0, 'new')).status, 204)
  assert.deepEqual(await harvest(root), { a: 'new' })
})

test('what a rule or a command refuses is 403, and the bytes stay', async (t) => {
  const { tus, begin, parts, clock, root } = await start(t, { rules: [deny('/secret')] })
  assert.equal((await tus.create('/secret/a', 3)).status, 403)
  const address = await begin('/a', 3)
  let refuses = true
  parts.events.before(() => {
    if (refuses) throw new Failure('forbidden', 'too large for us', { isWritten: true })
  })
  assert.equal((await tus.patch(address, 0, 'abc')).status, 403)
  assert.equal((await tus.head(address)).status, 403)
  refuses = false
  clock.advance({ seconds: 11 })
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 3, length: 3 })
  assert.deepEqual(await harvest(root), { a: 'abc' })
})

test('an upload that is not one of the person is 404, without a session 401, also with the cookie alone', async (t) => {
  const { begin, as, principal, ann, parts } = await start(t, { users: { ann: {}, bob: {} } })
  const address = await begin('/a', 3)
  const cookie = { Cookie: `auth-${parts.state.instance}=${ann.token}` }
  for (const at of [address, '/api/tus/a']) {
    const bob = tusCalls(await as('bob'))
    assert.equal((await bob.head(at)).status, 404)
    assert.equal((await bob.patch(at, 0, 'abc')).status, 404)
    assert.equal((await bob.end(at)).status, 404)
    const nobody = tusCalls(principal())
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const answer = await nobody.ask(method, at, { headers: { ...pieceType, 'Upload-Offset': '0', ...cookie } })
      assert.deepEqual([answer.status, answer.headers.get('tus-resumable')], [401, '1.0.0'], method)
    }
  }
})

test('an upload is removed with its bytes, also by who may no longer create, and a file never', async (t) => {
  const setup = await start(t, { files: { kept: 'k' } })
  const { tus, begin, root, parts } = setup
  const address = await begin('/a', 6)
  await tus.patch(address, 0, 'abc')
  assert.equal((await tus.end('/api/tus/kept')).status, 404)
  await changeUser(parts, userIn(parts.state, 'ann')?.id ?? 0, (user) => {
    user.perm = { ...usual, create: false }
  })
  assert.equal((await tus.patch(address, 3, 'def')).status, 403)
  assert.equal((await tus.end(address)).status, 204)
  assert.equal((await tus.head(address)).status, 404)
  assert.deepEqual(await harvest(root), { kept: 'k' })
})

test('POST takes the place of PATCH and DELETE for clients that can send nothing else', async (t) => {
  const { tus, begin, root } = await start(t)
  const address = await begin('/a', 3)
  const instead = (method: string, at: string, headers: Record<string, string> = {}, body?: string) =>
    tus.ask('POST', at, { headers: { 'X-HTTP-Method-Override': method, ...headers }, ...(body !== undefined && { body }) })
  assert.equal((await instead('PATCH', address, { ...pieceType, 'Upload-Offset': '0' }, 'ab')).status, 204)
  assert.equal((await instead('PATCH', '/api/tus/a', { ...pieceType, 'Upload-Offset': '2' }, 'c')).status, 204)
  const other = await begin('/b', undefined)
  const withLength = { ...pieceType, 'Upload-Offset': '0', 'Upload-Length': '3' }
  assert.equal((await instead('PATCH', '/api/tus/b', withLength, 'a')).status, 204)
  assert.equal((await tus.list()).length, 1)
  assert.equal((await instead('DELETE', other)).status, 204)
  for (const method of ['HEAD', 'PUT']) assert.equal((await instead(method, address)).status, 405, method)
  assert.equal((await tus.ask('POST', address)).status, 405)
  assert.deepEqual(await harvest(root), { a: 'abc' })
})

test('an upload whose folder is gone, or whose time is over, is 410', async (t) => {
  const { tus, begin, root, clock, as } = await start(t)
  const [address, late] = [await begin('/d/a', 6), await begin('/b', 6)]
  assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
  fs.renameSync(join(root, 'd'), join(root, 'e'))
  assert.equal((await tus.head(address)).status, 410)
  assert.equal((await tus.patch(address, 3, 'def')).status, 410)
  assert.equal((await tus.list()).find(({ path }) => path === '/d/a')?.isGone, true)
  // Its token has ended too.
  clock.advance({ hours: 25 })
  const ann = tusCalls(await as('ann'))
  assert.equal((await ann.head(late)).status, 410)
  assert.equal((await ann.head(address)).status, 410)
})

test('how long uploads are kept is a setting', async (t) => {
  const { tus, begin, as, clock } = await start(t, { users: { ann: {}, admin: { perm: allPermissions } } })
  const address = await begin('/a', 6)
  await tus.patch(address, 0, 'abc')
  const expires = async () => Number((await tus.list())[0]?.expires) - clock.now()
  assert.equal(await expires(), 7 * 86_400_000)
  const set = async (days: number) =>
    (await as('admin')).ask('PUT', '/api/settings', { body: JSON.stringify({ uploads: { days } }) })
  for (const days of [0, 366]) assert.equal((await set(days)).status, 400)
  assert.equal((await set(30)).status, 200)
  assert.equal(await expires(), 30 * 86_400_000)
})

test('an upload goes with a folder that is moved, renamed or restored, and does not keep it from being deleted', async (t) => {
  const { tus, begin, ann, root } = await start(t)
  const address = await begin('/d/a', 6)
  await tus.patch(address, 0, 'ab')
  assert.equal((await ann.move('/d', '/e')).status, 200)
  assert.deepEqual(told(await tus.patch(address, 2, 'cd')), { status: 204, offset: 4 })
  const deleted = await ann.remove('/e')
  assert.equal((await tus.head(address)).status, 410)
  const items = JSON.stringify({ items: [deleted.headers.get('holdall-trash')] })
  assert.equal((await ann.ask('POST', '/api/trash/restore', { body: items })).status, 200)
  assert.deepEqual(told(await tus.patch(address, 4, 'ef')), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(join(root, 'e')), { a: 'abcdef' })
  const other = await begin('/f/a', 6)
  await tus.patch(other, 0, 'ab')
  assert.equal((await ann.ask('DELETE', '/api/resources/f?trash=false')).status, 200)
  assert.equal(fs.existsSync(join(root, 'f')), false)
  assert.equal((await tus.head(other)).status, 410)
  assert.equal((await tus.end(other)).status, 204)
})

test('a question that cannot be answered for a time is 423, because clients begin anew after any other answer', async (t) => {
  const failing: { code?: string } = {}
  const fail = () => Promise.reject(Object.assign(new Error(String(failing.code)), { code: failing.code, syscall: 'open' }))
  const system: DiskSystem = {
    ...diskSystem,
    open: (...asked) => (failing.code && String(asked[0]).endsWith('.upload') ? fail() : diskSystem.open(...asked)),
  }
  const { tus, begin } = await start(t, { services: { system } })
  const address = await begin('/a', 6)
  await tus.patch(address, 0, 'abc')
  for (const [code, status] of Object.entries({ EMFILE: 503, EIO: 500, ENOSPC: 507 })) {
    failing.code = code
    const head = await tus.head(address)
    assert.deepEqual([head.status, Number(head.headers.get('retry-after')) > 0], [423, true], code)
    assert.equal((await tus.patch(address, 3, 'def')).status, status, code)
  }
  delete failing.code
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 3, length: 6 })
})

test('fifty unfinished uploads are the most, and more than the disk has room for is refused at the beginning', async (t) => {
  const { tus, events } = await start(t)
  const full = await tus.create('/huge', 10 ** 15 - 1)
  assert.equal(full.status, 507)
  // Told, so that room is made in the trash.
  assert.deepEqual(events, ['failed upload /huge'])
  for (let count = 0; count < 50; count++) assert.equal((await tus.create(`/${count}`, 6)).status, 201)
  const more = await tus.create('/more', 6)
  assert.deepEqual([more.status, more.headers.get('x-refusal')], [429, 'code=tooManyUploads'])
  // Its answer was lost: the same one.
  assert.equal((await tus.create('/49', 6)).status, 201)
  assert.equal((await tus.list()).length, 50)
})

test('an upload belongs to the act of its beginning, with what it replaces', async (t) => {
  const { url, ann, root } = await start(t, { files: { a: 'old' } })
  const { act, undo, list } = historyCalls(url, ann)
  const tus = tusCalls(act('act-of-an-upload'))
  const address = (await tus.create('/a', 6, { query: '?override=true' })).headers.get('location') ?? ''
  // Another request, which says of no act.
  await tusCalls(ann).patch(address, 0, 'abc')
  assert.deepEqual(await list(), [])
  await tusCalls(ann).patch(address, 3, 'def')
  assert.equal((await list()).length, 1)
  assert.equal((await undo()).status, 200)
  assert.equal(fs.readFileSync(join(root, 'a'), 'utf8'), 'old')
})

test('clients of the older form are answered as they know it', async (t) => {
  const { ann, root } = await start(t, { files: { 'd/old': 'o', taken: 't' }, options: { baseURL: '/files' } })
  const old = tusCalls(ann, false)
  for (const length of ['', 'x', '-1'])
    assert.equal((await old.ask('POST', '/api/tus/a', { headers: { 'Upload-Length': length } })).status, 400)
  assert.equal((await old.create('/taken', 3)).status, 409)
  assert.equal((await old.create('/d', 3, { query: '?override=true' })).status, 400)
  const answer = await old.create('/n/%C3%A4%23b', 6)
  assert.deepEqual([answer.status, answer.headers.get('location')], [201, '/files/api/tus/n/%C3%A4%23b'])
  assert.equal(answer.headers.get('tus-resumable'), null)
  assert.deepEqual(told(await old.head('/api/tus/n/%C3%A4%23b')), { status: 200, offset: 0, length: 6 })
  assert.equal((await old.head('/api/tus/none')).status, 404)
  assert.equal((await old.patch('/api/tus/none', 0, 'abc')).status, 404)
  assert.equal((await old.patch('/api/tus/n/%C3%A4%23b', 0, 'abc', { 'Content-Type': 'text/plain' })).status, 415)
  assert.deepEqual(told(await old.patch('/api/tus/n/%C3%A4%23b', 0, 'abc')), { status: 204, offset: 3 })
  assert.equal((await old.patch('/api/tus/n/%C3%A4%23b', 0, 'abc')).status, 409)
  assert.equal((await old.patch('/api/tus/n/%C3%A4%23b', 3, 'defg')).status, 413)
  assert.deepEqual(told(await old.ask('GET', '/api/tus/n/%C3%A4%23b')), { status: 200, offset: 3, length: 6 })
  assert.equal((await old.patch('/api/tus/n/%C3%A4%23b', 3, 'def')).status, 204)
  await old.create('/e', 6)
  assert.equal((await old.end('/api/tus/e')).status, 204)
  assert.equal((await old.end('/api/tus/e')).status, 404)
  assert.equal((await old.create('/taken', 3, { query: '?override=true' })).status, 201)
  assert.equal((await old.patch('/api/tus/taken', 0, 'new')).status, 204)
  assert.deepEqual(await harvest(root), { 'd/old': 'o', taken: 'new', 'n/ä#b': 'abcdef' })
})
