// tus as clients use it that mean harm, and what others change between the first byte of an upload and its last.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { uploadName } from '../../src-server/disk/temporary-names.ts'
import { type AppSetup, deny, only, startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { harvest } from '../support/tree.ts'
import { checksum, pieceType, told, tusCalls } from '../support/tus-calls.ts'
import { until } from '../support/until.ts'

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, setup)
  const ann = await app.as('ann')
  const tus = tusCalls(ann)
  const begin = async (path: string, length: number | undefined, query = '') => {
    const answer = await tus.create(path, length, { query })
    assert.equal(answer.status, 201, await answer.text())
    return answer.headers.get('location') ?? ''
  }
  const change = (to: Parameters<typeof changeUser>[2]) => changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, to)
  const name = (address: string, body: object) => tus.ask('POST', `${address}/name`, { body: JSON.stringify(body) })
  return { ...app, ann, tus, begin, change, name }
}

const own = uploadName('a'.repeat(32))
const badNames = ['..', '.', '', 'a/b', 'a\0b', '.holdall-trash', own, 'x'.repeat(256), '\ud800']

test('a name that leads elsewhere, is reserved or is too long is refused, at the beginning and at the end', async (t) => {
  const { tus, begin, name, port, root, ann } = await start(t, { files: { taken: 't' } })
  // As it is: fetch() would resolve dots.
  const create = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'X-Auth': ann.token ?? '', 'Tus-Resumable': '1.0.0', 'Upload-Length': '1' }
      const sent = request({ port, method: 'POST', path: `/api/tus/${path}`, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end()
    })
  const bad = ['..', '../x', '%2e%2e/x', '..%2fx', 'd/%2e%2e/%2e%2e/x', 'a%00b', '', '%ff', '.holdall-trash/x', `d/${own}`, own]
  for (const path of [...bad, 'x'.repeat(256), `d/${'x'.repeat(256)}`, '%']) {
    const status = await create(path)
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
  }
  assert.equal(await create('taken/x'), 412)
  assert.equal((await tus.create(`/${'y'.repeat(255)}`, 1, { body: '1' })).status, 201)
  const address = await begin('/a', 1)
  fs.writeFileSync(join(root, 'a'), 'other')
  assert.equal((await tus.patch(address, 0, 'b')).status, 412)
  for (const one of badNames) {
    const { status } = await name(address, { name: one })
    assert.ok(status >= 400 && status < 500, `${JSON.stringify(one)}: ${status}`)
  }
  assert.equal((await name(address, { name: 'b' })).status, 204)
  for (const path of [`/d/${own}`, '/d/e/.holdall-volume', '/d/.holdall-trash/x', '/d/.holdall-trash/'])
    assert.equal((await ann.ask('POST', `/api/resources${path}`, { body: '1' })).status, 403, path)
  // No folder was made for what is refused.
  assert.deepEqual(await harvest(root), { taken: 't', a: 'other', b: 'b', ['y'.repeat(255)]: '1' })
})

test('an upload that is not whole gets no name that is reserved, and can be removed whatever has its name or its folder', async (t) => {
  const { tus, begin, name, root, folder } = await start(t)
  const address = await begin('/d/a', 6)
  assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
  for (const one of ['.holdall-trash', own]) assert.equal((await name(address, { name: one })).status, 403)
  assert.deepEqual([(await tus.list())[0]?.path, told(await tus.head(address)).status], ['/d/a', 200])
  assert.equal((await tus.end(address)).status, 204)
  const links = ['nowhere', folder, 'a']
  for (const target of links) {
    const other = await begin('/d/a', 6, '?override=true')
    assert.equal((await tus.patch(other, 0, 'abc')).status, 204)
    fs.symlinkSync(target, join(root, 'd/a'))
    assert.equal((await tus.end(other)).status, 204, target)
    assert.deepEqual(await fs.promises.readdir(join(root, 'd')), ['a'], target)
    fs.rmSync(join(root, 'd/a'))
  }
  for (const target of links) {
    const other = await begin('/d/a', 6)
    assert.equal((await tus.patch(other, 0, 'abc')).status, 204)
    fs.renameSync(join(root, 'd'), join(root, `moved${links.indexOf(target)}`))
    fs.symlinkSync(target, join(root, 'd'))
    assert.equal((await tus.end(other)).status, 204, target)
    fs.rmSync(join(root, 'd'))
  }
  assert.deepEqual(await tus.list(), [])
})

test('a name that a rule hides can be changed for another', async (t) => {
  const { tus, begin, name, parts, root } = await start(t, { files: { a: 'old' }, rules: [deny('/secret')] })
  const address = await begin('/b', 3)
  fs.writeFileSync(join(root, 'b'), 'other')
  assert.equal((await tus.patch(address, 0, 'abc')).status, 412)
  assert.equal((await name(address, { name: 'secret' })).status, 403)
  await parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules: [deny('/secret'), deny('/b')] }
  })
  assert.equal((await tus.head(address)).status, 403)
  assert.equal((await name(address, { name: 'c' })).status, 204)
  assert.deepEqual(await harvest(root), { a: 'old', b: 'other', c: 'abc' })
})

test('a cookie alone does nothing, also by a method in a header', async (t) => {
  const { tus, begin, principal, ann, parts, root } = await start(t)
  const address = await begin('/a', 3)
  const nobody = tusCalls(principal())
  const cookie = { Cookie: `auth-${parts.state.instance}=${ann.token}` }
  const refused: [method: string, at: string, headers: Record<string, string>][] = [
    ['POST', '/api/tus/b', { 'Upload-Length': '0' }],
    ['POST', address, { 'X-HTTP-Method-Override': 'DELETE' }],
    ['POST', address, { 'X-HTTP-Method-Override': 'PATCH', 'Upload-Offset': '0', ...pieceType }],
    ['POST', '/api/tus/a', { 'X-HTTP-Method-Override': 'DELETE' }],
    ['GET', '/api/uploads', {}],
    ['GET', '/api/tus/a', {}],
    ['POST', `${address}/name`, { 'Content-Type': 'application/json' }],
  ]
  for (const [method, at, headers] of refused) {
    const body = method === 'POST' && at !== '/api/tus/b' ? { body: '{}' } : {}
    const { status } = await nobody.ask(method, at, { headers: { ...cookie, ...headers }, ...body })
    assert.equal(status, 401, `${method} ${at} ${JSON.stringify(headers)}`)
  }
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 0, length: 3 })
  assert.deepEqual(await harvest(root), {})
})

test('headers that come twice or do not belong together change nothing', async (t) => {
  const { tus, begin, root } = await start(t)
  const address = await begin('/a', undefined)
  assert.equal((await tus.patch(address, 0, 'ab', { 'Upload-Length': '1' })).status, 413)
  assert.equal((await tus.patch(address, 0, 'ab', { 'Upload-Length': '4' })).status, 204)
  for (const length of ['5', '3', '1', '-4', '4, 4', '0x4', '4.0', '+4', ' '])
    assert.equal((await tus.patch(address, 2, 'c', { 'Upload-Length': length })).status, 400, length)
  for (const offset of ['-1', '2, 2', '1e0', '', '9'.repeat(16)])
    assert.equal((await tus.patch(address, 0, 'c', { 'Upload-Offset': offset })).status, 400, offset)
  assert.equal((await tus.patch(address, 999_999_999_999_999, 'c')).status, 409)
  for (const sum of ['crc32 AAAA', 'sha256', 'SHA256 AAAA', `sha256 ${'A'.repeat(42)}`, 'sha1 ../..', 'toString AAAA'])
    assert.equal((await tus.patch(address, 2, 'c', { 'Upload-Checksum': sum })).status, 400, sum)
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 2, length: 4 })
  // The last piece is damaged: no file.
  assert.equal((await tus.patch(address, 2, 'cx', checksum('cd'))).status, 460)
  assert.equal(fs.existsSync(join(root, 'a')), false)
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 2, length: 4 })
  assert.equal((await tus.patch(address, 2, 'cd', checksum('cd', 'sha1'))).status, 204)
  // Nothing, and the length with it, at the end.
  const empty = await begin('/e', undefined)
  assert.equal((await tus.patch(empty, 0, '', { 'Upload-Length': '0' })).status, 204)
  const late = await begin('/l', undefined)
  assert.equal((await tus.patch(late, 0, 'xyz')).status, 204)
  assert.equal((await tus.patch(late, 3, '', { 'Upload-Length': '2' })).status, 400)
  assert.equal((await tus.patch(late, 3, '', { 'Upload-Length': '3' })).status, 204)
  assert.deepEqual(await harvest(root), { a: 'abcd', e: '', l: 'xyz' })
})

test('a hundred requests at once begin no more than fifty uploads, and ids that are none are not found', async (t) => {
  const { tus } = await start(t)
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, count) => {
      for (;;) {
        const { status } = await tus.create(`/${count}`, 6)
        if (status !== 503) return status
      }
    }),
  )
  assert.equal(statuses.filter((status) => status === 201).length, 50)
  assert.equal(statuses.filter((status) => status === 429).length, 50)
  for (const id of ['__proto__', 'constructor', '..%2f..%2fsettings', 'A'.repeat(32), 'a'.repeat(9000), '%00']) {
    const { status } = await tus.head(`/api/uploads/${id}`)
    assert.ok(status === 404 || status === 414 || status === 400, `${id.slice(0, 40)}: ${status}`)
  }
})

test('who gets another scope finds no upload of the former one, and it is there again with that', async (t) => {
  const { tus, begin, change, root } = await start(t, {
    files: { 'home/x': '', 'other/': '' },
    users: { ann: { scope: '/home' } },
  })
  const address = await begin('/d/a', 6)
  assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
  await change((user) => {
    user.scope = '/other'
  })
  for (const at of [address, '/api/tus/d/a']) {
    assert.equal((await tus.head(at)).status, 404)
    assert.equal((await tus.patch(at, 3, 'def')).status, 404)
    assert.equal((await tus.end(at)).status, 404)
  }
  assert.deepEqual(await tus.list(), [])
  await change((user) => {
    user.scope = '/'
  })
  assert.equal((await tus.list())[0]?.path, '/home/d/a')
  assert.equal((await tus.patch(address, 3, 'def')).status, 204)
  assert.deepEqual(await harvest(root), { 'home/x': '', 'home/d/a': 'abcdef', 'other/': '' })
})

test('a folder that is a link by now leads no upload out of the scope', async (t) => {
  const { tus, begin, root, folder } = await start(t, {
    files: { 'home/x': '', 'other/y': '' },
    users: { ann: { scope: '/home' } },
  })
  for (const [target, path] of [
    [join(folder, 'outside'), '/d/a'],
    [join(root, 'other'), '/e/a'],
  ] as const) {
    fs.mkdirSync(target, { recursive: true })
    const address = await begin(path, 6)
    assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
    const parent = join(root, 'home', path.slice(1, 2))
    const [hidden = ''] = fs.readdirSync(parent)
    fs.renameSync(parent, `${parent}2`)
    fs.symlinkSync(target, parent)
    // As if it were the same file.
    fs.linkSync(join(`${parent}2`, hidden), join(target, hidden))
    for (const answer of [await tus.head(address), await tus.patch(address, 3, 'def')])
      assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`)
    fs.rmSync(join(target, hidden))
    fs.writeFileSync(join(target, hidden), 'abc')
    for (const answer of [await tus.head(address), await tus.patch(address, 3, 'def')])
      assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`)
    assert.equal(fs.readFileSync(join(target, hidden), 'utf8'), 'abc')
    fs.rmSync(join(target, hidden))
    fs.rmSync(parent)
    fs.renameSync(`${parent}2`, parent)
    assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
  }
  assert.deepEqual(fs.readdirSync(join(folder, 'outside')), [])
  assert.deepEqual(await harvest(root), { 'home/x': '', 'home/d/a': 'abcdef', 'home/e/a': 'abcdef', 'other/y': '' })
})

test('what may not be replaced by now is not, and what the person may no longer do neither', async (t) => {
  const { tus, begin, change, name, root } = await start(t, { files: { a: 'old' } })
  const address = await begin('/a', 3, '?override=true')
  await change((user) => {
    user.perm = { ...usual, modify: false }
  })
  assert.equal((await tus.patch(address, 0, 'new')).status, 403)
  assert.equal((await name(address, { override: true })).status, 403)
  assert.equal((await name(address, {})).status, 409)
  await change((user) => {
    user.perm = only('download')
  })
  assert.equal((await name(address, { name: 'b' })).status, 403)
  assert.equal((await tus.create('/c', 0)).status, 403)
  await change((user) => {
    user.perm = only('create')
  })
  assert.equal((await name(address, { name: 'b' })).status, 204)
  assert.deepEqual(await harvest(root), { a: 'old', b: 'new' })
})

test('who is deleted while bytes come leaves nothing', async (t) => {
  const { tus, begin, parts, root, as } = await start(t, {
    users: { ann: {}, root: { perm: { ...usual, admin: true } } },
    files: { kept: '' },
  })
  const address = await begin('/a', 6)
  assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
  const admin = await as('root')
  const id = userIn(parts.state, 'ann')?.id
  const coming = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('d')) })
  const sending = tus.patch(address, 3, coming).then(
    ({ status }) => status,
    () => 0,
  )
  await until(async () => (await tus.list())[0]?.isReceiving === true, 'bytes come')
  const deleted = await admin.ask('DELETE', `/api/users/${id}`, { body: JSON.stringify({ current_password: '' }) })
  assert.ok(deleted.status < 300, await deleted.text())
  const left = () => [...fs.readdirSync(root), ...fs.readdirSync(`${parts.state.file}.uploads`)]
  await until(() => left().length === 1, 'nothing is left but the other file')
  assert.deepEqual(left(), ['kept'])
  assert.notEqual(await sending, 204)
})

test('the principal of a link sends nothing', async (t) => {
  const { tus, ann, principal, root } = await start(t, { files: { 'd/x': '' } })
  const { hash } = (await (await ann.ask('POST', '/api/share/d', { body: '{}' })).json()) as { hash: string }
  const visitor = tusCalls(principal())
  for (const at of [`/api/public/tus/${hash}/a`, `/api/public/uploads/${hash}`, `/api/tus/${hash}/a`, '/api/tus/d/a']) {
    const { status } = await visitor.ask('POST', at, { headers: { 'Upload-Length': '0' } })
    assert.ok([401, 404, 405].includes(status), `${at}: ${status}`)
  }
  assert.deepEqual(await tus.list(), [])
  assert.deepEqual(await harvest(root), { 'd/x': '' })
})
