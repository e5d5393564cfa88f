// A principal with a base, as for a share: below a folder of its owner, with the owner's rules and its own disk.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isBlocked } from '../../src-server/access/authorize.ts'
import { pathsOf } from '../../src-server/access/principal.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { parsePath, rootPath } from '../../src-server/base/paths.ts'
import { principalOf } from '../../src-server/files/principal-of.ts'
import { UserFiles } from '../../src-server/files/user-files.ts'
import { Previews } from '../../src-server/previews/previews.ts'
import { principal } from '../support/capabilities.ts'
import { deny, only, startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

for (const [scope, base, path, ruled, served] of [
  ['/', '/', '/', '/', '/'],
  ['/', '/', '/a', '/a', '/a'],
  ['/people/ann', '/', '/', '/', '/people/ann'],
  ['/people/ann', '/', '/a', '/a', '/people/ann/a'],
  ['/', '/trip', '/', '/trip', '/trip'],
  ['/people/ann', '/trip', '/', '/trip', '/people/ann/trip'],
  ['/people/ann', '/trip', '/a/b', '/trip/a/b', '/people/ann/trip/a/b'],
] as const) {
  test(`${path} of the base ${base} in the scope ${scope} has the rules of ${ruled} and is served from ${served}`, () => {
    const somebody = { scope: parsePath(scope), base: parsePath(base) }
    assert.deepEqual(pathsOf(somebody, parsePath(path)), { ruled, served })
  })
}

test('rules are asked about the base and the path', () => {
  const shared = { ...principal('/trip/secret'), base: parsePath('/trip') }
  assert.equal(isBlocked(shared, parsePath('/secret/b.jpg')), true)
  assert.equal(isBlocked(shared, parsePath('/trip/secret')), false)
  assert.equal(isBlocked({ ...shared, base: parsePath('/trip/secret') }, rootPath), true)
})

/** The files of a share of ann's folder `trip`. */
async function startShare(t: TestContext) {
  const app = await startApp(t, {
    files: {
      'people/ann/trip/a.jpg': 'A',
      'people/ann/trip/secret/b.jpg': 'B',
      'people/ann/trip/by-link': { link: 'secret' },
      'people/ann/trip/up': { link: '../private' },
      'people/ann/private/c.txt': 'C',
      'trip/other.txt': 'not of ann',
    },
    users: { ann: { scope: '/people/ann', rules: [deny('/trip/secret')] } },
  })
  const { state, disks, events } = app.parts
  const owner = userIn(state, 'ann')
  assert.ok(owner)
  const link = { ...principalOf(owner, state.data.settings.rules), base: parsePath('/trip'), permissions: only('download') }
  const operation = new Operation()
  t.after(() => operation.end())
  const disk = disks.for(link, operation)
  const source = { address: '192.0.2.1', way: 'share' } as const
  return new UserFiles({
    principal: link,
    disk,
    events,
    operation,
    source,
    previews: new Previews(),
    sorting: { by: 'name', asc: true },
    locale: 'en',
  })
}

test('a share principal sees what the owner’s rules allow below its base, and nothing else', async (t) => {
  const files = await startShare(t)
  const { items = [] } = await files.open(rootPath)
  assert.deepEqual(
    items.map(({ name, unreachable = '' }) => `${name} ${unreachable}`.trim()),
    ['a.jpg', 'by-link outside', 'up outside'],
  )
  for (const path of ['/secret', '/secret/b.jpg', '/by-link/b.jpg', '/up/c.txt']) {
    await assert.rejects(files.open(parsePath(path)), { code: 'forbidden' }, path)
  }
  await assert.rejects(files.open(parsePath('/trip/a.jpg')), { code: 'notFound' })
})

test('a share principal may download, and change nothing', async (t) => {
  const files = await startShare(t)
  const opened = await files.openForRaw(parsePath('/a.jpg'))
  assert.equal(opened?.entry.size, 1)
  async function* body() {
    yield Buffer.from('x')
  }
  for (const change of [
    files.upload(parsePath('/new'), body(), { override: true }),
    files.save(parsePath('/a.jpg'), body()),
    files.remove(parsePath('/a.jpg')),
    files.move(parsePath('/a.jpg'), parsePath('/b.jpg'), { override: false, rename: false }),
    files.copy(parsePath('/a.jpg'), parsePath('/b.jpg'), { override: false, rename: false }),
  ]) {
    await assert.rejects(change, { code: 'forbidden' })
  }
})
