// What would take more of the disk in the trash than one person may is not deleted before somebody has agreed to that.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Disk } from '../../src-server/disk/disk.ts'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import type { SystemPath } from '../../src-server/disk/system.ts'
import { jobCalls } from '../support/job-calls.ts'
import { allow, deny, startApp } from '../support/start-app.ts'
import { pathsOf } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'

const large = 'l'.repeat(2 ** 20 + 1)
const files = { large, 'd/a': 'a'.repeat(40), 'd/e/b': 'b'.repeat(40), 'small/a': 'a'.repeat(40), file: 'f' }

test('where something else has the name of the trash the folders say that nothing is kept', async (t) => {
  const app = await startApp(t, { files: { '.holdall-trash': 'foreign', a: 'a', 'd/b': 'b' } })
  const ann = await app.as('ann')
  for (const path of ['/', '/d', '/d']) {
    const { trash, noTrash } = await ann.read(path)
    assert.deepEqual([trash, noTrash], [false, '".holdall-trash" is no folder of the server'])
  }
  assert.equal((await ann.upload('/a', 'new', 'override=true')).status, 200)
  const other = await (await startApp(t, { files: { 'd/b': 'b' } })).as('ann')
  const { trash, noTrash } = await other.read('/d')
  assert.deepEqual([trash, noTrash], [undefined, undefined])
})

test('a file or a folder that is too large for the trash is refused, and nothing else', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const disk = { total: 1000, free: 0 }
  // However long the disk takes.
  t.mock.method(AbortSignal, 'timeout', () => new AbortController().signal)
  // A person may keep 50 bytes.
  t.mock.method(Disk.prototype, 'usage', async () => disk)
  for (const path of ['/large', '/d']) {
    const refused = await ann.ask('DELETE', `/api/resources${path}?trash=true`)
    assert.deepEqual([refused.status, refused.headers.get('X-Refusal')], [409, 'code=trashTooSmall'])
    assert.match(await refused.text(), /larger than what one person may keep in the trash; \?trash=false deletes it for good/)
  }
  const { job } = await jobCalls(ann).start({ kind: 'delete', entries: ['/d', '/small', '/large', '/file'], trash: true })
  const { failures } = await jobCalls(ann).reaches(job.id, 'ended')
  assert.deepEqual(failures.map(({ path, refusal }) => [path, refusal?.code]).sort(), [
    ['/d', 'trashTooSmall'],
    ['/large', 'trashTooSmall'],
  ])
  assert.deepEqual(await pathsOf(ann), ['/file', '/small'])
  assert.deepEqual(Object.keys(await harvest(app.root)).sort(), ['d/a', 'd/e/b', 'large'])
})

test('clients that know of no trash are refused nothing, and no folder is looked through on a disk that holds less', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const disk = { total: 1000, free: 0 }
  t.mock.method(Disk.prototype, 'usage', async () => disk)
  for (const path of ['/large', '/d']) assert.equal((await ann.remove(path)).status, 200)
  disk.free = 950
  assert.equal((await ann.ask('DELETE', '/api/resources/small?trash=true')).status, 200)
  assert.deepEqual(await pathsOf(ann), ['/d', '/large', '/small'])
})

/** A server whose disk does not open the folder `/d/e` before it has answered. */
function startWith(t: TestContext, answer: () => Promise<void>) {
  const openPath = async (address: SystemPath) => {
    if (String(address).endsWith('/e')) await answer()
    return descriptorStrategy.openPath(address)
  }
  const strategy: HandleStrategy = { ...descriptorStrategy, openPath }
  return startApp(t, { files: { 'd/a': 'a', 'd/e/b': 'b' }, services: { strategy } })
}

const denied = () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' }))

for (const [what, usage, below] of [
  ['holds a folder that cannot be read', async () => ({ total: 1000, free: 0 }), denied],
  ['holds a folder that does not answer', async () => ({ total: 1000, free: 0 }), 'hangs'],
  ['is on a disk that does not tell its size', () => Promise.reject(new Error('statfs')), undefined],
  ['is on a disk that does not answer', () => new Promise<never>(() => {}), undefined],
] as const) {
  test(`what ${what} goes into the trash all the same`, async (t) => {
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
    // Before the server is closed, which waits for its disk.
    t.after(() => thaw())
    const app = await startWith(t, below === 'hangs' ? () => thawed : (below ?? (async () => {})))
    t.mock.method(Disk.prototype, 'usage', usage)
    const ann = await app.as('ann')
    const answer = await ann.ask('DELETE', '/api/resources/d?trash=true')
    assert.equal(answer.status, 200, await answer.text())
    assert.deepEqual(await pathsOf(ann), ['/d'])
  })
}

test('so does what lies in a folder that the rules hide', async (t) => {
  const app = await startApp(t, { files: { 'a/b/c': 'c' }, rules: [deny('/a'), allow('/a/b')] })
  const ann = await app.as('ann')
  assert.equal((await ann.ask('DELETE', '/api/resources/a/b?trash=true')).status, 200)
  assert.deepEqual(await pathsOf(ann), ['/a/b'])
})
