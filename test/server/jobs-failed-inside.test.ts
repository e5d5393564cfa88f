// A merge by a move of which single entries fail: the others are moved, and these are named and can be tried again.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { mostEntries } from '../../src-server/contract/jobs.ts'
import { CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import { EntriesFailed } from '../../src-server/files/entries-failed.ts'
import type { Jobs } from '../../src-server/jobs/jobs.ts'
import { OwnJobs } from '../../src-server/jobs/own-jobs.ts'
import { insideOf, JobProgress } from '../../src-server/jobs/progress.ts'
import { startActs } from '../support/start-acts.ts'
import { harvest, type Tree } from '../support/tree.ts'

const files: Tree = {
  ...{ 'd/1': 'new 1', 'd/2': 'new 2', 'd/e/3': 'new 3', 'd/e/4': 'new 4', 'd/e/5': 'new 5', 'd/f/6': 'new 6', 'd/z': 'new z' },
  ...{ 't/d/1': 'old 1', 't/d/e/3': 'old 3', 't/d/x': 'X' },
}
const moved: Tree = {
  ...{ 't/d/1': 'new 1', 't/d/2': 'new 2', 't/d/e/3': 'new 3', 't/d/e/4': 'new 4', 't/d/e/5': 'new 5' },
  ...{ 't/d/f/6': 'new 6', 't/d/z': 'new z', 't/d/x': 'X' },
}

/** What is at its target, but for what stays. */
function movedBut(...stay: readonly string[]): Tree {
  const others = Object.entries(moved).filter(([path]) => !stay.some((name) => `t/${name}` === path))
  return { ...Object.fromEntries(others), ...Object.fromEntries(stay.map((name) => [name, files[name] ?? ''])) }
}

async function begin(t: TestContext, setup: Parameters<typeof startActs>[1], entries: readonly string[] = ['/d']) {
  const app = await startActs(t, setup)
  const request = app.request('move', [...entries], { taken: 'replace' })
  const jobs = await app.open()
  const run = async () => {
    await app.begin(jobs, request)
    const job = await app.reaches(jobs, request.id, 'ended')
    await job.rested
    return job
  }
  const own = new OwnJobs({ jobs, me: { user: app.present() }, source: { address: '', way: 'page' } })
  const failures = async () => {
    const { failures: all } = await own.details(request.id)
    return all.map(({ path, of, code, message }) => [path, of, code, message])
  }
  return { app, run, failures }
}

/** Refuses to move some entries. @returns ends that */
function refusing(t: TestContext, disk: Disk, reasons: Readonly<Record<string, Error>>) {
  const { move } = Disk.prototype
  const mocked = t.mock.method(disk, 'move', function (this: Disk, ...asked: Parameters<Disk['move']>) {
    const reason = reasons[Capability.check(asked[0], 'rename').path]
    return reason ? Promise.reject(reason) : move.apply(this, asked)
  })
  return () => mocked.mock.restore()
}

const full = () => new Failure('full', 'no space is left')

test('a merge by a move goes on past entries that fail, names them, and a retry moves them', async (t) => {
  const { app, run, failures } = await begin(t, { files })
  const again = refusing(t, app.disk, { '/d/2': full(), '/d/e/4': new Failure('forbidden', 'the system does not allow it') })
  const job = await run()
  assert.deepEqual([job.head.done, job.head.failed], [0, 1])
  assert.deepEqual(await failures(), [
    ['/d/2', '/d', 'full', 'no space is left'],
    ['/d/e/4', '/d', 'forbidden', 'the system does not allow it'],
  ])
  assert.deepEqual(await harvest(app.root), movedBut('d/2', 'd/e/4'))
  again()
  await job.retry()
  await job.rested
  assert.deepEqual([job.head.done, job.head.failed, await failures()], [1, 0, []])
  assert.deepEqual(await harvest(app.root), moved)
  assert.deepEqual((await app.turn('undo')).left, [])
  assert.deepEqual(await harvest(app.root), files)
})

test('what has gone past an entry that failed is undone and done again', async (t) => {
  const { app, run } = await begin(t, { files })
  refusing(t, app.disk, { '/d/2': full(), '/d/e/4': full() })
  await run()
  for (const direction of ['undo', 'redo', 'undo'] as const) {
    assert.deepEqual((await app.turn(direction)).left, [], direction)
    assert.deepEqual(await harvest(app.root), direction === 'undo' ? files : movedBut('d/2', 'd/e/4'), direction)
  }
})

test('an entry of another kind than what has its name stays alone, and is moved when that is gone', async (t) => {
  const { 't/d/x': _x, ...others } = files
  const { app, run, failures } = await begin(t, { files: { ...others, 'd/x': 'a file', 't/d/x/': '', 't/d/f': 'a file' } })
  const job = await run()
  const message = 'a folder and a file cannot replace each other'
  assert.deepEqual(await failures(), [
    ['/d/f', '/d', 'conflict', message],
    ['/d/x', '/d', 'conflict', message],
  ])
  const { 't/d/x': _, ...part } = movedBut('d/f/6')
  assert.deepEqual(await harvest(app.root), { ...part, 'd/x': 'a file', 't/d/x/': '', 't/d/f': 'a file' })
  for (const path of ['t/d/x', 't/d/f']) await rm(join(app.root, path), { recursive: true })
  await job.retry()
  await job.rested
  assert.deepEqual([job.head.failed, await harvest(app.root)], [0, { ...moved, 't/d/x': 'a file' }])
})

test('an error that is none of a person is reported, and the other entries are moved', async (t) => {
  const { app, run, failures } = await begin(t, { files })
  refusing(t, app.disk, { '/d/z': new Error('of the disk') })
  await run()
  assert.deepEqual(await failures(), [['/d/z', '/d', 'internal', '']])
  assert.deepEqual([app.reports.splice(0).map(String), await harvest(app.root)], [['Error: of the disk'], movedBut('d/z')])
})

test('what is kept of a job names them after a restart', async (t) => {
  const { app, run } = await begin(t, { files })
  refusing(t, app.disk, { '/d/2': full() })
  const job = await run()
  await job.keep()
  await app.startServer()
  const jobs = await app.open()
  const own = new OwnJobs({ jobs, me: { user: app.present() }, source: { address: '', way: 'page' } })
  const [listed] = own.list()
  const { failures } = await own.details(listed?.id ?? '')
  assert.deepEqual(
    failures.map(({ path, of }) => [path, of]),
    [['/d/2', '/d']],
  )
})

test('to another file system all of it is refused for the kind of one entry', async (t) => {
  const { 't/d/x': _x, ...others } = files
  const { app, run, failures } = await begin(t, { files: { ...others, 'd/x': 'a file', 't/d/x/y': 'Y' }, twoDevices: true })
  const all = await harvest(app.root)
  await run()
  assert.deepEqual(await failures(), [['/d', undefined, 'conflict', 'a folder and a file cannot replace each other']])
  assert.deepEqual(await harvest(app.root), all)
})

test('of more entries than are named each counts once, also where several folders fail at once', async () => {
  const many = mostEntries * 0.7
  const failed = (folder: string) => {
    const entries = Array.from({ length: many }, (_, index) => ({ path: parsePath(`${folder}/${index}`), error: full() }))
    return new EntriesFailed(full(), entries, 0)
  }
  const progress = new JobProgress(3)
  const fail = (entry: number, folder: string, room: number) => {
    const inside = insideOf(failed(folder), room)
    progress.add({ failed: entry, why: { code: 'full', template: '', about: {} }, ...(inside && { inside }) })
  }
  const room = progress.roomInside
  fail(0, '/a', room)
  fail(1, '/b', room)
  fail(2, '/c', progress.roomInside)
  const record = { kind: 'move', scope: '/', entries: ['/a', '/b', '/c'], to: '/t' }
  const job = { load: async () => ({ record, progress }), shown: () => ({}), isOver: true }
  const jobs = { find: () => job } as unknown as Jobs
  const own = new OwnJobs({ jobs, me: { user: { id: 1 } as never }, source: { address: '', way: 'page' } })
  const { failures, moreFailures } = await own.details('')
  assert.deepEqual([failures.length, failures.at(-1)?.path, moreFailures], [2 * many + 1, '/c', many - 1])
})

test('where only some of it lies on another file system, what has moved stays moved, and the others are named', async (t) => {
  const tree: Tree = { 'd/a': 'new a', 'd/b': 'new b', 'd/k': 'a file', 't/d/k/': '' }
  const { app, run, failures } = await begin(t, { files: tree })
  const { move } = Disk.prototype
  let moves = 0
  const mocked = t.mock.method(app.disk, 'move', async function (this: Disk, ...asked: Parameters<Disk['move']>) {
    if (moves++ > 0) throw new CrossDevice()
    return move.apply(this, asked)
  })
  const job = await run()
  const crossed = [Object.keys(await harvest(app.root)).includes('t/d/a') ? '/d/b' : '/d/a', '/d']
  const named = (await failures()).map(([path, of]) => [path, of])
  const isOfKind = ([path]: readonly unknown[]) => path === '/d/k'
  assert.deepEqual([named.filter((one) => !isOfKind(one)), job.head.failed], [[crossed], 1])
  mocked.mock.restore()
  await rm(join(app.root, 't/d/k'), { recursive: true })
  await job.retry()
  await job.rested
  assert.deepEqual(await harvest(app.root), { 't/d/a': 'new a', 't/d/b': 'new b', 't/d/k': 'a file' })
})
