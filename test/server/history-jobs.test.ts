// Undo of what a job does, or has not done to its end.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'
import { harvest } from '../support/tree.ts'

const key = 'copy-of-sixty'
const names = Array.from({ length: 60 }, (_, index) => `f${index}`)
const files = { ...Object.fromEntries(names.map((name) => [name, name])), 't/f59': 'there before' }
const entries = names.map((name) => `/${name}`)

/** A job that copies files into `/t`, of which all but the first nineteen wait before they are copied. */
async function startCopy(t: TestContext) {
  const app = await startApp(t, { files, users: { ann: {} } })
  const ann = await app.as('ann')
  const history = historyCalls(app.url, ann)
  const jobs = jobCalls(history.act(key))
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { copyFile } = Disk.prototype
  let calls = 0
  const held = t.mock.method(Disk.prototype, 'copyFile', async function (this: Disk, ...asked: Parameters<Disk['copyFile']>) {
    if (++calls >= 20) {
      reached.resolve()
      await released.promise
    }
    return copyFile.apply(this, asked)
  })
  t.after(() => released.resolve())
  const start = async (taken: string) => {
    const { status } = await jobs.start({ id: key, kind: 'copy', entries, to: '/t', taken })
    assert.equal(status, 202)
    await reached.promise
  }
  const tree = async () =>
    Object.fromEntries(Object.entries(await harvest(app.root)).filter(([path]) => !path.startsWith('.holdall-trash')))
  const newest = async () => (await history.list())[0]
  const isRefused = async (way: 'undo' | 'redo' = 'undo') => {
    const act = await newest()
    assert.deepEqual([act?.mayUndo, act?.mayRedo, act?.why], [false, false, 'running'])
    const answer = await ann.ask('POST', `/api/history/${act?.id}/${way}`, { body: '{}' })
    assert.deepEqual([answer.status, answer.headers.get('X-Refusal')], [409, 'code=stillRunning'])
    const { job } = await jobCalls(ann).start({ kind: 'undo', act: act?.id, redo: way === 'redo' })
    const { failures } = await jobs.reaches(job.id, 'ended')
    assert.deepEqual(
      failures.map(({ refusal }) => refusal?.code),
      ['stillRunning'],
    )
  }
  return { app, ann, history, jobs, start, release: () => released.resolve(), held, tree, newest, isRefused }
}

test('what a job does is not undone while the job is at work', async (t) => {
  const { jobs, start, release, tree, newest, isRefused, history } = await startCopy(t)
  await start('number')
  await isRefused()
  await jobs.change(key, { action: 'pause' })
  assert.equal((await jobs.details(key)).state, 'pausing')
  await isRefused()
  await jobs.change(key, { action: 'cancel' })
  assert.equal((await jobs.details(key)).state, 'cancelling')
  await isRefused()
  release()
  await jobs.reaches(key, 'cancelled')
  assert.equal((await newest())?.mayUndo, true)
  assert.equal((await history.undo()).status, 200)
  assert.deepEqual([await tree(), (await history.list()).length], [files, 1])
})

test('what a job has done before it was paused can be undone, and the job does not go on', async (t) => {
  const { jobs, start, release, tree, history } = await startCopy(t)
  await start('number')
  await jobs.change(key, { action: 'pause' })
  release()
  await jobs.reaches(key, 'paused')
  const { status, undone } = await history.undo()
  assert.deepEqual([status, undone.left], [200, []])
  assert.deepEqual([await jobs.change(key, { action: 'continue' }), (await jobs.details(key)).state], [409, 'cancelled'])
  assert.deepEqual([await tree(), (await history.list()).length], [files, 1])
})

test('what a job has done that asks something can be undone, and nothing is asked any more', async (t) => {
  const { jobs, start, release, tree, history, ann } = await startCopy(t)
  await start('ask')
  release()
  const [question] = (await jobs.reaches(key, 'asking')).questions
  assert.ok(question)
  // Refused, it is left alone.
  await ann.save('/t/f1', 'changed since')
  assert.equal((await history.undo()).status, 409)
  assert.equal((await jobs.details(key)).state, 'asking')
  assert.equal((await history.undo(undefined, { rest: true })).status, 200)
  const answer = { action: 'answer', question: question.question, taken: 'replace' }
  assert.deepEqual([await jobs.change(key, answer), (await jobs.details(key)).state], [409, 'cancelled'])
  assert.deepEqual(await tree(), { ...files, 't/f1': 'changed since' })
})

test('what a paused job does stays one act when its undo is refused', async (t) => {
  const { jobs, start, release, tree, history, ann } = await startCopy(t)
  await start('number')
  await jobs.change(key, { action: 'pause' })
  release()
  await jobs.reaches(key, 'paused')
  await ann.save('/t/f1', 'changed since')
  assert.equal((await history.undo()).status, 409)
  assert.equal(await jobs.change(key, { action: 'continue' }), 200)
  await jobs.reaches(key, 'ended')
  const acts = await history.list()
  assert.deepEqual(
    acts.map(({ count }) => count),
    [60],
  )
  assert.equal((await history.undo(undefined, { rest: true })).status, 200)
  assert.deepEqual(await tree(), { ...files, 't/f1': 'changed since' })
})

test('what was undone is not done again while its job tries again what has failed', async (t) => {
  const { jobs, start, release, tree, history, held, isRefused, newest } = await startCopy(t)
  await start('skip')
  held.mock.mockImplementation(async () => {
    throw new Failure('full', 'no space is left')
  })
  release()
  assert.ok((await jobs.reaches(key, 'ended')).failed > 0)
  assert.equal((await history.undo()).status, 200)
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  held.mock.mockImplementation(async () => {
    reached.resolve()
    await released.promise
    throw new Failure('full', 'no space is left')
  })
  await jobs.change(key, { action: 'retry' })
  await reached.promise
  await isRefused('redo')
  released.resolve()
  await jobs.reaches(key, 'ended')
  assert.deepEqual([await tree(), (await newest())?.mayRedo], [files, true])
})

test('what a job does stays one act when its person gets another password meanwhile', async (t) => {
  const { app, start, release, tree } = await startCopy(t)
  await start('number')
  await app.parts.accounts.changePassword(userIn(app.parts.state, 'ann')?.id ?? 0, 'another long password')
  release()
  const ann = await app.as('ann')
  await jobCalls(ann).reaches(key, 'cancelled')
  const { list, undo } = historyCalls(app.url, ann)
  assert.equal((await list()).length, 1)
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await tree(), files)
})

test('a job tries nothing again while what it did is undone, and afterwards as an act of its own', async (t) => {
  const { ann, jobs, start, release, tree, history, held } = await startCopy(t)
  await start('skip')
  const { toTrash } = Disk.prototype
  held.mock.mockImplementation(async () => {
    throw new Failure('full', 'no space is left')
  })
  release()
  await jobs.reaches(key, 'ended')
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.after(() => released.resolve())
  const trashing = t.mock.method(Disk.prototype, 'toTrash', async function (this: Disk, ...asked: Parameters<Disk['toTrash']>) {
    reached.resolve()
    await released.promise
    return toTrash.apply(this, asked)
  })
  const undoing = history.undo()
  await reached.promise
  const refused = await ann.ask('PATCH', `/api/jobs/${key}`, { body: JSON.stringify({ action: 'retry' }) })
  assert.deepEqual([refused.status, refused.headers.get('X-Refusal')], [409, 'code=beingUndone'])
  assert.equal((await jobs.details(key)).state, 'ended')
  released.resolve()
  assert.equal((await undoing).status, 200)
  assert.deepEqual(await tree(), files)
  trashing.mock.restore()
  held.mock.restore()
  assert.equal(await jobs.change(key, { action: 'retry' }), 200)
  assert.equal((await jobs.reaches(key, 'ended')).failed, 0)
  const acts = await history.list()
  assert.deepEqual(
    acts.map(({ state, why }) => [state, why]),
    [
      ['done', undefined],
      ['undone', 'newer'],
    ],
  )
  assert.equal((await history.undo()).status, 200)
  assert.deepEqual(await tree(), files)
})

test('the act of a job that may try again what has failed stays whole, whatever its person does meanwhile', async (t) => {
  const { as, root, url } = await startApp(t, {
    files: { a: 'A', b: 'B', 't/x': 'X' },
    services: { history: { limits: { acts: 3 } } },
  })
  const history = historyCalls(url, await as('ann'))
  const jobs = jobCalls(history.act())
  const { move } = Disk.prototype
  const failing = t.mock.method(Disk.prototype, 'move', async function (this: Disk, ...asked: Parameters<Disk['move']>) {
    if (Capability.check(asked[0], 'rename').path === '/b') throw new Failure('busy', 'it is written to')
    return move.apply(this, asked)
  })
  const { job } = await jobs.start({ kind: 'move', entries: ['/a', '/b'], to: '/t' })
  assert.equal((await jobs.reaches(job.id, 'ended')).failed, 1)
  failing.mock.restore()
  for (const name of ['1', '2', '3', '4']) await history.act().upload(`/${name}`, name)
  assert.equal(await jobs.change(job.id, { action: 'retry' }), 200)
  await jobs.reaches(job.id, 'ended')
  const act = (await history.list()).find(({ key }) => key === job.id)
  assert.deepEqual((await history.undo(act?.id)).undone.left, [])
  const tree = await harvest(root)
  assert.deepEqual([tree.a, tree.b, tree['t/a'], tree['t/b']], ['A', 'B', undefined, undefined])
})
