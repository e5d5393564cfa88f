// Removals by a job: into the trash or for good, and what a kill amid them leaves.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Disk } from '../../src-server/disk/disk.ts'
import { type JobAsked, jobCalls } from '../support/job-calls.ts'
import { startApp } from '../support/start-app.ts'
import { pathsOf } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'

const files = { 'a.txt': 'A', 'b.txt': 'B', 'd/c.txt': 'C' }

async function start(t: TestContext) {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const turnOff = () =>
    app.parts.state.change('other', (draft) => {
      draft.settings = { ...draft.settings, trash: { ...draft.settings.trash, isOn: false } }
    })
  const left = async () => Object.keys(await harvest(app.root)).filter((path) => !path.startsWith('.holdall-trash'))
  const calls = jobCalls(ann)
  /** A job that is paused as soon as a call of the disk has acted, before anybody knows. */
  const stoppedAfter = async (name: 'toTrash' | 'assertRemovable', asked: JobAsked) => {
    const original = Disk.prototype[name] as (...given: unknown[]) => Promise<unknown>
    const acted = Promise.withResolvers<void>()
    const held = Promise.withResolvers<never>()
    const stopped = t.mock.method(Disk.prototype, name, async function (this: Disk, ...given: unknown[]) {
      await original.apply(this, given)
      acted.resolve()
      return held.promise
    })
    const begun = calls.start(asked)
    await acted.promise
    app.clock.advance({ seconds: 1 })
    const { job } = await begun
    await calls.change(job.id, { action: 'pause' })
    held.reject(new Error('stopped'))
    stopped.mock.restore()
    await calls.reaches(job.id, 'paused')
    return job
  }
  return { app, turnOff, left, trashed: () => pathsOf(ann), stoppedAfter, ...calls }
}

test('a removal goes into the trash by default and when that is asked for, and for good when that is', async (t) => {
  const { left, trashed, start: begin } = await start(t)
  const jobs = [
    await begin({ kind: 'delete', entries: ['/a.txt'] }),
    await begin({ kind: 'delete', entries: ['/b.txt'], trash: true }),
    await begin({ kind: 'delete', entries: ['/d'], trash: false }),
  ]
  assert.deepEqual(
    jobs.map(({ job }) => job.trash),
    [undefined, true, false],
  )
  assert.deepEqual([await left(), await trashed()], [[], ['/a.txt', '/b.txt']])
})

test('without a trash a removal is for good, and refused entry by entry when only the trash was asked for', async (t) => {
  const { turnOff, left, change, reaches, start: begin } = await start(t)
  await turnOff()
  const { job } = await begin({ kind: 'delete', entries: ['/a.txt', '/d'], trash: true })
  const refusals = job.failures.map(({ path, refusal }) => [path, refusal?.code])
  assert.deepEqual(
    [job.done, refusals],
    [
      0,
      [
        ['/a.txt', 'noTrash'],
        ['/d', 'noTrash'],
      ],
    ],
  )
  // What is tried again is asked for as before.
  assert.equal(await change(job.id, { action: 'retry' }), 200)
  assert.equal((await reaches(job.id, 'ended')).failed, 2)
  await begin({ kind: 'delete', entries: ['/a.txt'] })
  assert.deepEqual(await left(), ['b.txt', 'd/c.txt'])
})

test('another way to remove under the same id is another job', async (t) => {
  const { start: begin } = await start(t)
  const asked = { id: 'removal-1', kind: 'delete', entries: ['/a.txt'] }
  await begin({ ...asked, trash: true })
  assert.equal((await begin({ ...asked, trash: false })).status, 409)
  assert.equal((await begin({ ...asked, entries: ['/b.txt'], id: 'removal-2', trash: 'yes' as never })).status, 400)
})

for (const [path, what] of [
  ['/a.txt', 'a file'],
  ['/d', 'a folder'],
] as const) {
  for (const [isMade, where] of [
    [false, ''],
    [true, ' of which another has the name by now'],
  ] as const) {
    test(`${what}${where} that was in the trash before anybody noted it is not removed again`, async (t) => {
      const { app, change, left, trashed, reaches, stoppedAfter } = await start(t)
      const job = await stoppedAfter('toTrash', { kind: 'delete', entries: [path], trash: true })
      if (isMade && path === '/d') await mkdir(join(app.root, path))
      if (isMade) await writeFile(join(app.root, path === '/d' ? '/d/new.txt' : path), 'of another')
      assert.equal(await change(job.id, { action: 'resume' }), 200)
      const ended = await reaches(job.id, 'ended')
      assert.deepEqual([ended.done, ended.failures], [1, []])
      assert.deepEqual(await trashed(), [path])
      const others = path === '/d' ? 'd/new.txt' : 'a.txt'
      assert.equal((await left()).includes(others), isMade)
    })
  }
}

test('a removal for good that goes on leaves a folder that others have made since', async (t) => {
  const { app, change, left, reaches, stoppedAfter } = await start(t)
  const job = await stoppedAfter('assertRemovable', { kind: 'delete', entries: ['/d'], trash: false })
  await rm(join(app.root, 'd'), { recursive: true })
  await mkdir(join(app.root, 'd'))
  await writeFile(join(app.root, 'd/new.txt'), 'of another')
  await change(job.id, { action: 'resume' })
  const ended = await reaches(job.id, 'ended')
  assert.deepEqual([ended.failed, await left()], [1, ['a.txt', 'b.txt', 'd/new.txt']])
})
