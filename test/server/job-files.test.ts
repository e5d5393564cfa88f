// What lasts of jobs, as files beside the state.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { Unsynced } from '../../src-server/state/durable-file.ts'
import { JobFiles } from '../../src-server/state/job-files.ts'
import type { JobHead, JobLine, JobRecord } from '../../src-server/state/job-store.ts'
import { FaultyDisk, type Survives } from '../support/faulty-disk.ts'
import { temporaryFolder } from '../support/start-state.ts'

const record = (key: string, entries: readonly string[] = ['/a', '/b']): JobRecord => ({
  ...{ key, kind: 'copy', userId: 1, epoch: 0, scope: '/', address: '::1', entries: [...entries], to: '/t', startedAt: 5 },
})
const head = (key: string, changed: Partial<JobHead> = {}): JobHead => ({
  ...{ key, kind: 'copy', userId: 1, epoch: 0, scope: '/', state: 'running', entries: 2, done: 0, failed: 0, skipped: 0 },
  ...{ digest: 'd', startedAt: 5, changedAt: 5 },
  ...changed,
})
const begun: JobLine = { begun: 0, version: 'v', isDir: false, to: '/t/a (1)' }

function start(t: TestContext) {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  const disk = new FaultyDisk(folder)
  t.after(() => disk.close())
  return { folder, disk, jobs: filesIn(folder, disk), below: join(folder, 'state.json.jobs') }
}

function filesIn(folder: string, disk?: FaultyDisk, report: (path: string, error: unknown) => void = assert.fail) {
  return new JobFiles({ stateFile: join(folder, 'state.json'), report, ...(disk && { system: disk.system }) })
}

test('a job is found by the next start as it was left, and nothing of it is open to others', async (t) => {
  const { folder, jobs, below } = start(t)
  assert.deepEqual(await jobs.open(), [])
  await jobs.add(record('a'), head('a'))
  await jobs.append('a', [begun, { done: 0 }], true)
  await jobs.setHead(head('a', { state: 'paused', done: 1 }), true)
  await jobs.add(record('b'), head('b'))
  await jobs.remove('b')
  await jobs.close()
  const next = filesIn(folder)
  assert.deepEqual(await next.open(), [head('a', { state: 'paused', done: 1 })])
  assert.deepEqual([await next.record('a'), await next.record('b')], [record('a'), undefined])
  assert.deepEqual([await next.lines('a'), await next.lines('b')], [[begun, { done: 0 }], []])
  assert.deepEqual(readdirSync(below).sort(), ['a.json', 'a.log'])
  for (const name of ['a.json', 'a.log']) assert.equal(statSync(join(below, name)).mode & 0o777, 0o600)
})

test('a job whose head was lost is interrupted, with the outcomes of its log', async (t) => {
  const { folder, jobs } = start(t)
  await jobs.open()
  await jobs.add(record('a'), head('a'))
  await jobs.append('a', [begun, { done: 0 }, { failed: 1, why: { code: 'full', template: '', about: {} } }], false)
  await jobs.close()
  truncateSync(join(folder, 'state.json.job-heads'))
  const [found] = await filesIn(folder).open()
  assert.deepEqual([found?.state, found?.done, found?.failed, found?.entries], ['interrupted', 1, 1, 2])
})

test('a job that was at work says how far its log is, and one that rested what it said', async (t) => {
  const { folder, jobs } = start(t)
  await jobs.open()
  const why = { code: 'full', template: '', about: {} }
  const lines: JobLine[] = [
    ...[begun, { asked: 2, at: 1 }, { asked: 3, at: 1 }, { answered: 2, taken: 'skip' } as const, { skipped: 2 }],
    ...[{ done: 0 }, { failed: 1, why }, { retried: true } as const, { done: 1 }, { failed: 4, why }],
  ]
  for (const [key, state] of [
    ['a', 'running'],
    ['b', 'cancelling'],
    ['c', 'ended'],
  ] as const) {
    await jobs.add(record(key), head(key, { state, done: 1 }))
    await jobs.append(key, lines, false)
  }
  await jobs.close()
  const found = await filesIn(folder).open()
  const counts = found.map(({ done, failed, skipped, asked }) => [done, failed, skipped, asked])
  assert.deepEqual(counts.slice(0, 2), [
    [2, 1, 1, 1],
    [2, 1, 1, 1],
  ])
  assert.deepEqual(counts[2], [1, 0, 0, undefined])
})

test('a job whose head was lost says of what it is, as before', async (t) => {
  const { folder, jobs } = start(t)
  await jobs.open()
  const undo = { act: 'f'.repeat(32), redo: true, rest: false }
  const unchanged: JobLine = { done: 0, isUnchanged: true }
  await jobs.add({ ...record('a'), first: '/where it was', undo }, head('a'))
  await jobs.append('a', [unchanged], false)
  await jobs.close()
  truncateSync(join(folder, 'state.json.job-heads'))
  const [found] = await filesIn(folder).open()
  assert.deepEqual(
    [found?.first, found?.act, found?.redo, found?.done, found?.unchanged],
    ['/where it was', undo.act, true, 1, 1],
  )
})

test('files and lines that are cut anywhere open', async (t) => {
  const { folder, jobs, below } = start(t)
  await jobs.open()
  await jobs.add(record('a'), head('a'))
  await jobs.append('a', [begun, { answered: 0, taken: 'number' }, { done: 0, value: { sha256: 'f' } }, { skipped: 1 }], true)
  await jobs.setHead(head('a', { done: 1, skipped: 1, state: 'ended' }), true)
  await jobs.close()
  const files = ['state.json.job-heads', 'state.json.jobs/a.json', 'state.json.jobs/a.log']
  const copy = join(temporaryFolder(t), 'cut')
  for (const file of files) {
    const size = statSync(join(folder, file)).size
    for (let length = 0; length < size; length++) {
      cpSync(folder, copy, { recursive: true })
      truncateSync(join(copy, file), length)
      const opened = filesIn(copy, undefined, () => {})
      const heads = await opened.open()
      const [found] = heads
      const isRecord = file.endsWith('.json')
      assert.ok(heads.length === 1 || isRecord, `${file} ${length}`)
      assert.deepEqual(await opened.record('a'), isRecord ? undefined : record('a'))
      const lines = await opened.lines('a')
      assert.deepEqual(lines, (await jobs.lines('a')).slice(0, lines.length))
      // What is added now is read whole.
      if (found) await opened.append('a', [{ done: 1 }], true)
      assert.deepEqual((await opened.lines('a')).slice(lines.length), found ? [{ done: 1 }] : [])
      await opened.close()
    }
  }
  appendFileSync(join(below, 'a.log'), '{"done":"x"}\n[]\n7\n')
  assert.equal((await jobs.lines('a')).length, 4)
})

for (const survives of ['nothing', 'names'] as const satisfies readonly Survives[]) {
  test(`a power cut at any step loses no job that was added, with its progress, and no name that was logged (${survives} unsynced stays)`, async (t) => {
    for (let step = 0, isWhole = false; !isWhole; step++) {
      const { disk, jobs } = start(t)
      await jobs.open()
      let reached = 'nothing'
      disk.crashAt(disk.calls.length + step)
      try {
        await jobs.add(record('a'), head('a'))
        reached = 'added'
        await jobs.append('a', [begun], true)
        reached = 'begun'
        await jobs.add(record('b'), head('b'), [begun])
        reached = 'both'
        isWhole = true
      } catch {
        // The cut.
      }
      const left = join(temporaryFolder(t), 'left')
      disk.afterPowerCut(left, survives)
      const opened = filesIn(left)
      const heads = await opened.open()
      const keys = heads.map(({ key }) => key)
      if (reached !== 'nothing') assert.ok(keys.includes('a'), `step ${step}`)
      if (reached === 'begun' || reached === 'both') assert.deepEqual(await opened.lines('a'), [begun], `step ${step}`)
      if (reached === 'both') assert.ok(keys.includes('b'), `step ${step}`)
      assert.deepEqual(
        await opened.lines('b'),
        keys.includes('b') ? [begun] : [],
        `known with its progress or not at all, step ${step}`,
      )
      await jobs.close().catch(() => {})
    }
  })
}

test('heads that changed often are written anew, in a file that stays short', async (t) => {
  const { folder, jobs } = start(t)
  await jobs.open()
  await jobs.add(record('a'), head('a'))
  for (let done = 0; done <= 3000; done++) await jobs.setHead(head('a', { state: 'paused', done }), false)
  await jobs.close()
  assert.ok(readFileSync(join(folder, 'state.json.job-heads'), 'utf8').split('\n').length < 1500)
  assert.equal((await filesIn(folder).open())[0]?.done, 3000)
})

test('what is no job is reported and left as it is', async (t) => {
  const { folder, jobs, below } = start(t)
  await jobs.open()
  await jobs.add(record('a'), head('a'))
  await jobs.close()
  writeFileSync(join(below, 'b.json'), '{"key":"b"}')
  const reported: string[] = []
  const heads = await filesIn(folder, undefined, (path) => void reported.push(path)).open()
  assert.deepEqual([heads.length, reported, existsSync(join(below, 'b.json'))], [1, [join(below, 'b.json')], true])
})

test('a job that has no space is not added, and says why; the next one is', async (t) => {
  const { jobs, disk, folder } = start(t)
  await jobs.open()
  for (const lines of [[], [begun]]) {
    disk.failAt(disk.calls.length + 1, 'ENOSPC')
    await assert.rejects(jobs.add(record('a'), head('a'), lines), { code: 'full', message: /server keeps its own files/ })
  }
  await jobs.add(record('b'), head('b'), [begun])
  await jobs.close()
  assert.deepEqual(
    (await filesIn(folder).open()).map(({ key }) => key),
    ['b'],
  )
})

const isFull = (error: unknown) => error instanceof Failure && error.code === 'full'

test('a job for which the space ends at any step is not added, and says why; the next start finds nothing of it', async (t) => {
  for (let step = 1, isAdded = false; !isAdded; step++) {
    const { jobs, disk, folder } = start(t)
    await jobs.open()
    disk.failAt(disk.calls.length + step, 'ENOSPC')
    try {
      await jobs.add(record('a'), head('a'), [begun])
      isAdded = true
    } catch (error) {
      assert.ok(error instanceof Unsynced || isFull(error), `step ${step}: ${error}`)
    }
    // Its end may come to the step of the failure.
    await jobs.close().catch(() => {})
    assert.equal((await filesIn(folder).open()).length, isAdded ? 1 : 0, `step ${step}`)
    assert.equal(existsSync(join(folder, 'state.json.jobs/a.json')), isAdded, `step ${step}`)
  }
})
