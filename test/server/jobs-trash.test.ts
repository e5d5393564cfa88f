// Entries of the trash that jobs put back and delete for good.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { openLive } from '../support/live-client.ts'
import { startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { deleted, pathsOf, restore } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = { 'a.txt': 'A', 'b.txt': 'B', 'd/c.txt': 'C' }

async function start(t: TestContext) {
  const app = await startApp(t, { files, users: { ann: {}, bob: {} } })
  const ann = await app.as('ann')
  const ids: string[] = []
  for (const path of ['/a.txt', '/b.txt', '/d/c.txt']) ids.push(await deleted(ann, path))
  const tree = async () =>
    Object.fromEntries(Object.entries(await harvest(app.root)).filter(([path]) => !path.startsWith('.holdall-trash')))
  return { app, ann, ids, tree, trashed: () => pathsOf(ann), ...jobCalls(ann) }
}

test('entries come back from the trash with their folders, and each outcome is named by its id', async (t) => {
  const { ids, tree, trashed, start: begin } = await start(t)
  const { status, job } = await begin({ kind: 'restore', entries: [...ids, 'f'.repeat(32)] })
  assert.deepEqual([status, job.state, job.done, job.first], [200, 'ended', 3, '/a.txt'])
  assert.deepEqual(
    job.failures.map(({ path, code }) => [path, code]),
    [['f'.repeat(32), 'notFound']],
  )
  assert.deepEqual(job.renamed.map(({ path, to }) => [ids.indexOf(path), to]).sort(), [
    [0, '/a.txt'],
    [1, '/b.txt'],
    [2, '/d/c.txt'],
  ])
  assert.deepEqual([await tree(), await trashed()], [files, []])
  assert.equal((await begin({ kind: 'restore', entries: ['/a.txt'] })).status, 400)
})

test('what was put back when the job was paused is in its act, so that undo takes all of it away', async (t) => {
  const { app, ann, ids, tree } = await start(t)
  const history = historyCalls(app.url, ann)
  const { start: begin, change, reaches } = jobCalls(history.act())
  const before = await tree()
  const { fromTrash } = Disk.prototype
  const [done, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = t.mock.method(
    Disk.prototype,
    'fromTrash',
    async function (this: Disk, ...asked: Parameters<Disk['fromTrash']>) {
      await fromTrash.apply(this, asked)
      done.resolve()
      await held.promise
    },
  )
  const begun = begin({ kind: 'restore', entries: ids })
  await done.promise
  app.clock.advance({ milliseconds: 700 })
  const { job } = await begun
  assert.equal(await change(job.id, { action: 'pause' }), 200)
  holding.mock.restore()
  held.resolve()
  assert.equal((await reaches(job.id, 'ended')).done, 3)
  assert.deepEqual(await tree(), files)
  const undone = await history.undo()
  assert.deepEqual([undone.status, undone.undone.left], [200, []])
  assert.deepEqual(await tree(), before)
})

test('taken names are asked about, or decided entry by entry', async (t) => {
  const { app, ids, tree, trashed, change, reaches, start: begin } = await start(t)
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(app.root, name), 'new')
  const choices = { [ids[1] ?? '']: 'replace' }
  const { status, job } = await begin({ kind: 'restore', entries: ids, choices })
  assert.deepEqual([status, job.state, job.done], [202, 'asking', 2])
  const [asked] = job.questions
  assert.deepEqual([asked?.path, asked?.to], [ids[0], '/a.txt'])
  assert.equal(await change(job.id, { action: 'answer', question: asked?.question, taken: 'number' }), 200)
  assert.equal((await reaches(job.id, 'ended')).done, 3)
  assert.deepEqual(await tree(), { 'a.txt': 'new', 'a(1).txt': 'A', 'b.txt': 'B', 'd/c.txt': 'C' })
  assert.deepEqual(await trashed(), ['/b.txt'])
})

test('two sessions of a person are told that a restore asks, and either answers it, after which it goes on in both', async (t) => {
  const { app, ann, ids, tree, trashed, start: begin } = await start(t)
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(app.root, name), 'new')
  const other = await app.as('ann')
  const pages = [await openLive(app, ann.token), await openLive(app, other.token)]
  for (const page of pages) await page.next('hello')
  const told = () => {
    app.clock.advance({ milliseconds: 250 })
    return Promise.all(
      pages.map(async (page) => (await page.next('jobs')).jobs.map(({ id, state, asked }) => [id, state, asked])),
    )
  }
  const { job } = await begin({ kind: 'restore', entries: ids })
  const asking = [[job.id, 'asking', 2]]
  assert.deepEqual(await told(), [asking, asking])
  const [first, second] = [jobCalls(ann), jobCalls(other)]
  const [one, two] = (await second.details(job.id)).questions
  assert.deepEqual([one?.to, two?.to], ['/a.txt', '/b.txt'])
  assert.equal(await second.change(job.id, { action: 'answer', question: one?.question, taken: 'replace' }), 200)
  await until(async () => {
    const { state, done } = await first.details(job.id)
    return state === 'asking' && done === 2
  }, 'the answer of the other session is done')
  assert.deepEqual(
    (await first.details(job.id)).questions.map(({ to }) => to),
    ['/b.txt'],
  )
  const still = [[job.id, 'asking', 1]]
  assert.deepEqual(await told(), [still, still])
  assert.equal(await first.change(job.id, { action: 'answer', question: two?.question, taken: 'skip' }), 200)
  await second.reaches(job.id, 'ended')
  const ended = [[job.id, 'ended', 0]]
  assert.deepEqual(await told(), [ended, ended])
  assert.deepEqual(await tree(), { 'a.txt': 'A', 'b.txt': 'new', 'd/c.txt': 'C' })
  assert.deepEqual(await trashed(), ['/a.txt', '/b.txt'])
  for (const page of pages) page.close()
})

test('entries are deleted for good by who has deleted them, and nobody else', async (t) => {
  const { app, ids, trashed, start: begin } = await start(t)
  const bob = jobCalls(await app.as('bob'))
  const refused = await bob.start({ kind: 'purge', entries: ids.slice(0, 1) })
  assert.deepEqual(
    refused.job.failures.map(({ code }) => code),
    ['forbidden'],
  )
  assert.equal((await begin({ kind: 'purge', entries: ids.slice(0, 2) })).job.done, 2)
  assert.deepEqual(await trashed(), ['/d/c.txt'])
  await changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
    user.perm = { ...usual, delete: false }
  })
  assert.equal((await begin({ kind: 'purge', entries: ids.slice(2) })).job.failed, 1)
})

/** Puts an entry back by a job that stops when it is back, and is paused. @returns the calls, and what goes on with it */
async function stoppedRestore(t: TestContext) {
  const started = await start(t)
  const { app, ann, ids } = started
  const { act, list, undo } = historyCalls(app.url, ann)
  const acting = jobCalls(act())
  const { fromTrash } = Disk.prototype
  const [acted, held] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
  const stopped = t.mock.method(
    Disk.prototype,
    'fromTrash',
    async function (this: Disk, ...given: Parameters<Disk['fromTrash']>) {
      await fromTrash.apply(this, given)
      acted.resolve()
      return held.promise
    },
  )
  const begun = acting.start({ kind: 'restore', entries: ids.slice(0, 1) })
  await acted.promise
  app.clock.advance({ seconds: 1 })
  const { job } = await begun
  await acting.change(job.id, { action: 'pause' })
  stopped.mock.restore()
  held.reject(new Error('stopped'))
  await acting.reaches(job.id, 'paused')
  const goOn = async () => {
    await acting.change(job.id, { action: 'continue' })
    return acting.reaches(job.id, 'ended')
  }
  return { ...started, goOn, list, undo }
}

test('what was put back before it was noted is in the act of the job that goes on, and is undone', async (t) => {
  const { tree, goOn, list, undo } = await stoppedRestore(t)
  assert.deepEqual((await goOn()).failures, [])
  assert.deepEqual((await list()).map(({ kind, count }) => [kind, count])[0], ['restore', 1])
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await tree(), { 'd/': '' })
})

test('where nothing numbers files another one of another size is not taken for what was put back', async (t) => {
  const { toTrash } = Disk.prototype
  t.mock.method(Disk.prototype, 'identify', async () => '')
  t.mock.method(Disk.prototype, 'toTrash', async function (this: Disk, ...given: Parameters<Disk['toTrash']>) {
    return { ...(await toTrash.apply(this, given)), identity: '' }
  })
  const { app, goOn, tree } = await stoppedRestore(t)
  await writeFile(join(app.root, 'a.txt'), 'of another')
  assert.deepEqual(
    (await goOn()).failures.map(({ code }) => code),
    ['notFound'],
  )
  assert.equal((await tree())['a.txt'], 'of another')
})

test('another entry at the place of what was to be put back is not taken for it', async (t) => {
  const { app, goOn, list } = await stoppedRestore(t)
  await rm(join(app.root, 'a.txt'))
  await writeFile(join(app.root, 'a.txt'), 'of another')
  const ended = await goOn()
  assert.deepEqual(
    ended.failures.map(({ code }) => code),
    ['notFound'],
  )
  assert.equal(
    (await list()).some(({ kind }) => kind === 'restore'),
    false,
  )
})

test('what a job put back is one act, which is undone', async (t) => {
  const { app, ann, ids, tree } = await start(t)
  const { act, list, undo } = historyCalls(app.url, ann)
  const { job } = await jobCalls(act()).start({ kind: 'restore', entries: ids })
  assert.equal(job.done, 3)
  const [shown] = await list()
  assert.deepEqual([shown?.kind, shown?.count], ['restore', 3])
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await tree(), { 'd/': '' })
})

for (const [kind, name] of [
  ['restore', 'fromTrash'],
  ['purge', 'purge'],
] as const) {
  test(`a ${kind} that was done before anybody noted it does not fail`, async (t) => {
    const { app, ids, tree, change, reaches, start: begin } = await start(t)
    const original = Disk.prototype[name] as (...given: unknown[]) => Promise<unknown>
    const [acted, held] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
    const stopped = t.mock.method(Disk.prototype, name, async function (this: Disk, ...given: unknown[]) {
      await original.apply(this, given)
      acted.resolve()
      return held.promise
    })
    const begun = begin({ kind, entries: ids.slice(0, 1), taken: 'number' })
    await acted.promise
    app.clock.advance({ seconds: 1 })
    const { job } = await begun
    await change(job.id, { action: 'pause' })
    stopped.mock.restore()
    held.reject(new Error('stopped'))
    await reaches(job.id, 'paused')
    await change(job.id, { action: 'resume' })
    const ended = await reaches(job.id, 'ended')
    assert.deepEqual([ended.done, ended.failures], [1, []])
    assert.deepEqual(await tree(), { ...(kind === 'restore' && { 'a.txt': 'A' }), 'd/': '' })
  })
}

for (const by of ['a job', 'a call'] as const) {
  for (const [what, plant] of [
    ['is taken', (root: string) => writeFile(join(root, 'a.txt'), 'of another')],
    ['was taken for a moment', async () => {}],
  ] as const) {
    test(`what ${by} puts back and has a name that ${what} just before it gets it comes back all the same`, async (t) => {
      const { app, ann, ids, tree, start: begin } = await start(t)
      const { fromTrash } = Disk.prototype
      let isFirst = true
      t.mock.method(Disk.prototype, 'fromTrash', async function (this: Disk, ...asked: Parameters<Disk['fromTrash']>) {
        if (!isFirst) return fromTrash.apply(this, asked)
        isFirst = false
        await plant(app.root)
        throw new Failure('conflict', 'the name is taken')
      })
      const items = ids.slice(0, 1)
      if (by === 'a call') await restore(ann, items, 'number')
      else assert.equal((await begin({ kind: 'restore', entries: items, taken: 'number' })).job.done, 1)
      const expected = what === 'is taken' ? { 'a.txt': 'of another', 'a(1).txt': 'A' } : { 'a.txt': 'A' }
      assert.deepEqual(await tree(), { ...expected, 'd/': '' })
    })
  }
}
