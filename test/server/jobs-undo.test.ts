// Undo by a job: of acts with many changes, and of what went to another file system.
import assert from 'node:assert/strict'
import { mkdir, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import type { Undone } from '../../src-server/contract/history.ts'
import type { JobDetails } from '../../src-server/contract/jobs.ts'
import { CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import { historyCalls } from '../support/history-calls.ts'
import { type JobAsked, jobCalls } from '../support/job-calls.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { itemsOf } from '../support/trash-calls.ts'
import { harvest, temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = { 'a.txt': 'A', 'd/1': 'one', 'd/e/2': 'two', 't/x': 'X' }
const five = ['1', '2', '3', '4', '5']

async function start(t: TestContext, services: AppSetup['services'] = {}) {
  const app = await startApp(t, { files, services: { history: { limits: { atOnce: 3 } }, ...services } })
  const ann = await app.as('ann')
  const [history, jobs] = [historyCalls(app.url, ann), jobCalls(ann)]
  const tree = async () =>
    Object.fromEntries(Object.entries(await harvest(app.root)).filter(([path]) => !path.startsWith('.holdall-trash')))
  const newest = async () => (await history.list())[0]
  /** Undoes the last act. @returns how it ended */
  const undoByJob = async (asked: Partial<JobAsked> = {}) => {
    const { job } = await jobs.start({ kind: 'undo', act: (await newest())?.id, ...asked })
    const ended = await jobs.reaches(job.id, 'ended')
    return { ended, undone: undoneIn(ended) }
  }
  /** Uploads five files, which is more than is undone at once. */
  const drop = async (folder = '/n') => {
    const all = history.act()
    for (const name of five) await all.upload(`${folder}/${name}`, name)
  }
  return { app, ann, history, jobs, tree, newest, undoByJob, drop }
}

const undoneIn = ({ values }: JobDetails) => values[0]?.value as Undone

/** All below `/t` lies on another file system. */
function withTwoDevices(t: TestContext) {
  const { move } = Disk.prototype
  t.mock.method(Disk.prototype, 'move', async function (this: Disk, ...asked: Parameters<Disk['move']>) {
    const ends = [asked[0], asked[1]].map((end) => Capability.check(end, 'rename').path.startsWith('/t/'))
    if (ends[0] !== ends[1]) throw new CrossDevice()
    return move.apply(this, asked)
  })
}

test('an act with many changes is undone and done again by jobs, which the calls refuse', async (t) => {
  const { history, tree, newest, undoByJob, drop, jobs } = await start(t)
  const before = await tree()
  await drop()
  const after = await tree()
  assert.equal((await history.undo()).status, 409)
  const { ended, undone } = await undoByJob()
  assert.deepEqual([undone.done, undone.left, undone.act.state, ended.act], [5, [], 'undone', undone.act.id])
  assert.deepEqual(await tree(), before)
  assert.deepEqual([(await newest())?.mayRedo, (await newest())?.byJob], [true, true])
  const again = await undoByJob({ redo: true })
  assert.deepEqual([again.undone.act.state, again.ended.redo], ['done', true])
  assert.deepEqual(await tree(), after)
  for (const asked of [{}, { act: 'x' }]) assert.equal((await jobs.start({ kind: 'undo', ...asked })).status, 400)
  assert.equal((await undoByJob({ act: '0'.repeat(32) })).ended.failures[0]?.code, 'notFound')
})

test('where something is not as it was left nothing is changed, or the rest when that was asked for', async (t) => {
  const { app, tree, undoByJob, drop, jobs } = await start(t)
  await drop()
  await writeFile(join(app.root, 'n/3'), 'of another')
  const changed = await tree()
  const { ended, undone } = await undoByJob()
  assert.deepEqual([ended.done, undone.done, undone.left], [1, 0, [{ path: '/n/3', how: 'changed' }]])
  // Pages that wait for nothing of it are told too.
  const told = (await jobs.list())[0]
  assert.deepEqual([told?.unchanged, told?.redo], [1, undefined])
  assert.deepEqual(await tree(), changed)
  const rest = await undoByJob({ rest: true })
  assert.deepEqual([rest.undone.done, rest.undone.act.state, rest.ended.unchanged], [4, 'partly', undefined])
  assert.deepEqual(await tree(), { ...files, 'n/3': 'of another' })
})

// A new folder goes into the trash at once.
for (const [step, folder] of [[1, '/n'] as const, [1, '/t'] as const, [3, '/t'] as const, [5, '/t'] as const]) {
  test(`an undo of files in ${folder} that stops at change ${step} has begun, and goes on to its end`, async (t) => {
    const { tree, newest, drop, jobs } = await start(t)
    await drop(folder)
    const { toTrash } = Disk.prototype
    const [acted, held] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
    let calls = 0
    const stopped = t.mock.method(Disk.prototype, 'toTrash', async function (this: Disk, ...asked: Parameters<Disk['toTrash']>) {
      const item = await toTrash.apply(this, asked)
      if (++calls < step) return item
      acted.resolve()
      return held.promise
    })
    const { job } = await jobs.start({ kind: 'undo', act: (await newest())?.id })
    await acted.promise
    await jobs.change(job.id, { action: 'pause' })
    stopped.mock.restore()
    held.reject(new Error('stopped'))
    await jobs.reaches(job.id, 'paused')
    assert.equal((await newest())?.begun, 'undo')
    assert.equal(await jobs.change(job.id, { action: 'continue' }), 200)
    const ended = await jobs.reaches(job.id, 'ended')
    assert.deepEqual([ended.failures, undoneIn(ended).left], [[], []])
    assert.deepEqual(await tree(), files)
  })
}

test('what went to another file system comes back by a job alone, and goes there again', async (t) => {
  const { history, tree, newest, undoByJob } = await start(t)
  withTwoDevices(t)
  const all = history.act()
  await all.move('/a.txt', '/t/a.txt')
  await all.move('/d', '/t/d')
  const after = await tree()
  assert.deepEqual(after, { 't/a.txt': 'A', 't/d/1': 'one', 't/d/e/2': 'two', 't/x': 'X' })
  assert.deepEqual([(await newest())?.mayUndo, (await newest())?.byJob, (await newest())?.why], [true, true, undefined])
  const refused = await history.undo()
  assert.deepEqual([refused.status, refused.undone.left.map(({ how }) => how)], [409, ['across', 'across']])
  const { undone } = await undoByJob()
  assert.deepEqual([undone.done, undone.left], [2, []])
  assert.deepEqual(await tree(), files)
  assert.deepEqual((await undoByJob({ redo: true })).undone.left, [])
  assert.deepEqual(await tree(), after)
})

test('what has come back from another file system is what earlier acts have made', async (t) => {
  const { history, tree, undoByJob } = await start(t)
  const before = await tree()
  withTwoDevices(t)
  const made = history.act()
  await made.upload('/new.txt', 'new')
  await made.makeFolder('/empty')
  await history.act().move('/new.txt', '/named.txt')
  const away = history.act()
  await away.move('/named.txt', '/t/named.txt')
  await away.move('/empty', '/t/empty')
  for (const round of [1, 2]) {
    assert.deepEqual((await undoByJob()).undone.left, [], `round ${round}`)
    if (round === 1) assert.deepEqual((await undoByJob({ redo: true })).undone.left, [])
  }
  for (const what of ['the name', 'the file and the folder']) {
    const acts = await history.list()
    const { undone } = await history.undo(acts.find(({ mayUndo }) => mayUndo)?.id)
    assert.deepEqual(undone.left, [], what)
  }
  assert.deepEqual(await tree(), before)
})

type Breaking = Readonly<{ t: TestContext; name: 'copyFile' | 'remove'; before?(): Promise<unknown> }>

/** An undo by a job that ends after one call, as at a kill: nothing is taken back. @returns the job, and the path of the call */
async function brokenOff({ jobs, newest }: Pick<Awaited<ReturnType<typeof start>>, 'jobs' | 'newest'>, how: Breaking) {
  const { t, name, before } = how
  const original = Disk.prototype[name] as (...given: unknown[]) => Promise<unknown>
  const [acted, held] = [Promise.withResolvers<string>(), Promise.withResolvers<never>()]
  const stopped = t.mock.method(
    Disk.prototype,
    name,
    async function (this: Disk, ...given: [Capability<'rename'>, ...unknown[]]) {
      await before?.()
      await original.apply(this, given)
      acted.resolve(Capability.check(given[0], 'rename').path)
      return held.promise
    },
  )
  const { job } = await jobs.start({ kind: 'undo', act: (await newest())?.id })
  const path = await acted.promise
  await jobs.change(job.id, { action: 'pause' })
  stopped.mock.restore()
  const kept = t.mock.method(Disk.prototype, 'remove', async () => {})
  held.reject(new Error('stopped'))
  await jobs.reaches(job.id, 'paused')
  kept.mock.restore()
  return { job, path }
}

for (const name of ['copyFile', 'remove'] as const) {
  test(`a way back from another file system that stops after ${name} goes on to its end`, async (t) => {
    const { history, tree, newest, jobs } = await start(t)
    withTwoDevices(t)
    await history.act().move('/d', '/t/d')
    const { job } = await brokenOff({ jobs, newest }, { t, name })
    await jobs.change(job.id, { action: 'continue' })
    const ended = await jobs.reaches(job.id, 'ended')
    assert.deepEqual([ended.failures, undoneIn(ended).left], [[], []])
    assert.deepEqual(await tree(), files)
  })
}

test('a way back from another file system that goes on does not lose what was edited since and keeps its size and its time', async (t) => {
  const { app, history, tree, newest, jobs } = await start(t)
  withTwoDevices(t)
  await history.act().move('/d', '/t/d')
  for (const path of ['t/d/1', 't/d/e/2']) await utimes(join(app.root, path), 1e9, 1e9)
  const before = async () => stampsReach(await temporaryFolder(t), Date.now())
  const { job, path } = await brokenOff({ jobs, newest }, { t, name: 'copyFile', before })
  const copied = join(app.root, path)
  await writeFile(copied, 'EDI')
  await utimes(copied, 1e9, 1e9)
  await jobs.change(job.id, { action: 'continue' })
  assert.deepEqual((await jobs.reaches(job.id, 'ended')).failures, [])
  assert.deepEqual(await tree(), { ...files, [copied.slice(`${app.root}/t/`.length)]: 'EDI' })
  // Nothing tells the copy that it had made from what another may have put there.
  assert.deepEqual(
    (await itemsOf(await app.as('ann'))).map(({ why, size }) => [why, size]),
    [['replace', 3]],
  )
})

/** The clock that stamps files may be some milliseconds late. */
function stampsReach(folder: string, time: number) {
  const probe = join(folder, 'probe')
  const isReached = async () => {
    await writeFile(probe, 'x')
    return (await stat(probe)).ctimeMs >= time
  }
  return until(isReached, 'the stamps of files have come to a time')
}

test('a way back that stopped before it brought anything does not take for its own a file of another', async (t) => {
  const { app, history, tree, newest, undoByJob, jobs } = await start(t)
  await history.act().upload('/c', 'C')
  withTwoDevices(t)
  await history.act().move('/c', '/t/c')
  const [acted, held] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
  const stopped = t.mock.method(Disk.prototype, 'copyFile', () => {
    acted.resolve()
    return held.promise
  })
  const { job } = await jobs.start({ kind: 'undo', act: (await newest())?.id })
  await acted.promise
  await jobs.change(job.id, { action: 'pause' })
  stopped.mock.restore()
  held.reject(new Error('stopped'))
  await jobs.reaches(job.id, 'paused')
  await rename(join(app.root, 't/c'), join(app.root, 'away'))
  await writeFile(join(app.root, 'c'), 'D')
  const before = await tree()
  await jobs.change(job.id, { action: 'continue' })
  const ended = await jobs.reaches(job.id, 'ended')
  assert.deepEqual(undoneIn(ended).left, [{ path: '/t/c', how: 'missing' }])
  await undoByJob({ redo: true })
  assert.deepEqual(await tree(), before)
})

/** A way back of `/d` from another file system that was stopped halfway, and has then failed on a full disk. */
async function failedHalfway(t: TestContext) {
  const started = await start(t)
  const { history, newest, jobs } = started
  withTwoDevices(t)
  await history.act().move('/d', '/t/d')
  const { copyFile } = Disk.prototype
  let calls = 0
  const [acted, held] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
  const stopped = t.mock.method(Disk.prototype, 'copyFile', async function (this: Disk, ...given: Parameters<Disk['copyFile']>) {
    // The other one is missing.
    if (++calls === 1) await copyFile.apply(this, given)
    acted.resolve()
    return held.promise
  })
  const { job } = await jobs.start({ kind: 'undo', act: (await newest())?.id })
  await acted.promise
  await jobs.change(job.id, { action: 'pause' })
  stopped.mock.restore()
  // As after a kill: nothing is taken back.
  const kept = t.mock.method(Disk.prototype, 'remove', async () => {})
  held.reject(new Error('stopped'))
  await jobs.reaches(job.id, 'paused')
  kept.mock.restore()
  t.mock.method(Disk.prototype, 'copyFile', async () => {
    // It cannot take back what it has made.
    t.mock.method(Disk.prototype, 'remove', () => Promise.reject(new Failure('internal')))
    throw new Failure('full', 'no space is left')
  })
  await jobs.change(job.id, { action: 'continue' })
  const { failures } = await jobs.reaches(job.id, 'ended')
  assert.deepEqual(
    failures.map(({ code }) => code),
    ['full'],
  )
  t.mock.restoreAll()
  withTwoDevices(t)
  return started
}

test('a way back from another file system that fails halfway on a full disk is ended by another undo', async (t) => {
  const { tree, undoByJob } = await failedHalfway(t)
  assert.deepEqual((await undoByJob()).undone.left, [])
  assert.deepEqual(await tree(), files)
})

test('a way back that failed halfway leaves alone what another has put in its place since', async (t) => {
  const { app, tree, undoByJob } = await failedHalfway(t)
  await rename(join(app.root, 'd'), join(app.root, 'away'))
  await mkdir(join(app.root, 'd'))
  await writeFile(join(app.root, 'd/3'), 'of another')
  const before = await tree()
  assert.deepEqual((await undoByJob()).undone.left, [{ path: '/t/d', how: 'taken' }])
  assert.deepEqual(await tree(), before)
})

test('a way back that fails because another has taken the name does not take what is there for its own', async (t) => {
  const { app, history, tree, undoByJob } = await start(t)
  withTwoDevices(t)
  await history.act().move('/d', '/t/d')
  const { makeFolder } = Disk.prototype
  const taken = t.mock.method(
    Disk.prototype,
    'makeFolder',
    async function (this: Disk, ...asked: Parameters<Disk['makeFolder']>) {
      await mkdir(join(app.root, 'd'))
      await writeFile(join(app.root, 'd/3'), 'of another')
      return makeFolder.apply(this, asked)
    },
  )
  assert.deepEqual((await undoByJob()).undone.left, [{ path: '/t/d', how: 'taken' }])
  taken.mock.restore()
  const before = await tree()
  assert.deepEqual((await undoByJob()).undone.left, [{ path: '/t/d', how: 'taken' }])
  assert.deepEqual(await tree(), before)
})

test('a removal that was noted twice, because it was gone on with, is undone once', async (t) => {
  const store = new HistoryFiles({ stateFile: join(await temporaryFolder(t), 'state.json') })
  const app = await startApp(t, { files, services: { history: { store } } })
  const { act, list, undo } = historyCalls(app.url, await app.as('ann'))
  for (const path of ['/a.txt', '/d']) await act('both-of-them').remove(path)
  const [head] = await store.heads(1)
  assert.ok(head)
  const [first] = (await store.deeds(1, [head.id])).get(head.id) ?? []
  assert.ok(first)
  await store.append(head, [{ ...first, deed: 2 }])
  await store.setHead({ ...head, deeds: 3 }, false)
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.left, undone.act.state], [200, [], 'undone'])
  assert.equal((await list())[0]?.mayRedo, true)
})

test('an undo takes places on the devices of what it changes, and so do jobs of the trash', async (t) => {
  const asked: (readonly string[])[] = []
  const jobDevices = (paths: readonly string[]) => {
    asked.push([...paths].sort())
    return [...new Set(paths.map((path) => (path.startsWith('/t') ? 'there' : 'here')))]
  }
  const { ann, history, jobs, newest, undoByJob } = await start(t, { jobDevices })
  const all = history.act()
  for (const name of five) await all.upload(`/t/${name}`, name)
  await all.upload('/d/6', '6')
  const { ended } = await undoByJob()
  assert.deepEqual([ended.failures, asked.at(-1)], [[], ['/d', '/t']])
  await history.act().remove('/t/x')
  assert.equal((await newest())?.kind, 'delete')
  const item = (await itemsOf(ann)).find(({ path }) => path === '/t/x')
  const { job } = await jobs.start({ kind: 'restore', entries: [item?.id ?? ''] })
  assert.deepEqual([job.done, asked.at(-1)], [1, ['/t']])
})

test('undo jobs of one person wait for each other, and for an undo that somebody waits for', async (t) => {
  const { history, tree, jobs, drop } = await start(t)
  const before = await tree()
  await history.act().upload('/other', 'other')
  await drop()
  const [dropped, other] = await history.list()
  const { toTrash } = Disk.prototype
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = t.mock.method(Disk.prototype, 'toTrash', async function (this: Disk, ...given: Parameters<Disk['toTrash']>) {
    reached.resolve()
    await released.promise
    return toTrash.apply(this, given)
  })
  const called = history.undo(other?.id)
  await reached.promise
  const { job } = await jobs.start({ kind: 'undo', act: dropped?.id })
  const again = await jobs.start({ kind: 'undo', act: dropped?.id, redo: true })
  const undone = await jobs.start({ kind: 'undo', act: dropped?.id })
  assert.deepEqual([again.job.state, undone.job.state], ['waiting', 'waiting'])
  held.mock.restore()
  released.resolve()
  assert.equal((await called).status, 200)
  for (const { id } of [job, again.job, undone.job]) assert.deepEqual((await jobs.reaches(id, 'ended')).failures, [])
  assert.deepEqual(await tree(), before)
})

test('of more jobs than are kept those that were begun last are, also where all end in the same millisecond', async (t) => {
  const { jobs, undoByJob } = await start(t)
  const begun: string[] = []
  for (let count = 0; count < 23; count++) begun.push((await undoByJob({ act: '0'.repeat(32) })).ended.id)
  const kept = async () => (await jobs.list()).map(({ id }) => id)
  // The oldest is forgotten after the last has ended.
  await until(async () => (await kept()).length <= 20, 'twenty are kept')
  assert.deepEqual(await kept(), begun.slice(3).toReversed())
})
