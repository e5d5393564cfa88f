// A move to another disk that rests and is cancelled: what has begun is ended, once, whatever comes between.
import assert from 'node:assert/strict'
import { cp, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as nextTurn } from 'node:timers/promises'
import { Disk } from '../../src-server/disk/disk.ts'
import { Resuming } from '../../src-server/files/resume.ts'
import { Job } from '../../src-server/jobs/job.ts'
import { JobRun } from '../../src-server/jobs/job-run.ts'
import type { Jobs } from '../../src-server/jobs/jobs.ts'
import { JobFiles } from '../../src-server/state/job-files.ts'
import type { JobLine } from '../../src-server/state/job-store.ts'
import { withdrawn } from '../../src-server/users/access-revocation.ts'
import { startActs } from '../support/start-acts.ts'
import { Gate } from '../support/start-jobs.ts'
import { harvest, type Tree } from '../support/tree.ts'

const files = { 'd/1': 'one', 'd/2': 'two', 'd/e/3': 'three', 't/x': 'X' }
const places = ['/1', '/2']

type Acts = Awaited<ReturnType<typeof startActs>>

/** A move to another disk that a kill has interrupted when a part of it was copied, in the server after that. */
async function startInterrupted(t: TestContext) {
  const app = await startActs(t, { files, twoDevices: true })
  const before = await harvest(app.root)
  const gate = new Gate('files')
  const held = gate.holdAt(2, 'after')
  const request = app.request('move', ['/d'], { places })
  await app.begin(await app.open(gate), request)
  await held
  await gate.still()
  await app.startServer()
  assert.notDeepEqual(await harvest(app.root), before)
  const jobs = await app.open()
  const job = jobs.find(app.present().id, request.id)
  const isTakenBack = async (one = job) => {
    await one.rested
    assert.deepEqual([one.head.state, await harvest(app.root), await app.acts()], ['cancelled', before, []])
  }
  return { app, jobs, job, before, isTakenBack }
}

/** Lets what does not wait come to its end; what does cannot fail by it. */
async function turns() {
  for (let turn = 0; turn < 50; turn++) await nextTurn(1)
}

/** Holds calls of a method of which a check is true, until they are released. */
function holding<T extends object, K extends keyof T>(
  t: TestContext,
  target: T,
  name: K,
  isHeld: (...asked: never[]) => boolean,
) {
  const [come, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const was = target[name] as (...asked: unknown[]) => Promise<unknown>
  const held = async function (this: unknown, ...asked: unknown[]) {
    if (isHeld(...(asked as never[]))) {
      come.resolve()
      await free.promise
    }
    return was.apply(this, asked)
  }
  t.mock.method(target, name as never, held as never)
  return { come: come.promise, release: () => free.resolve() }
}

test('a job that is cancelled before it goes on again begins no run', async (t) => {
  const { job, isTakenBack } = await startInterrupted(t)
  const runs: string[] = []
  for (const name of ['run', 'end'] as const) {
    const was = JobRun.prototype[name]
    t.mock.method(JobRun.prototype, name, function (this: JobRun, ...asked: Parameters<JobRun['end']>) {
      runs.push(name)
      return was.apply(this, asked)
    })
  }
  await Promise.all([job.resume(), job.cancel()])
  await isTakenBack()
  assert.deepEqual(runs, ['end'])
})

test('who undoes what an interrupted job did is told to try again where its end takes longer', async (t) => {
  const { app, jobs, job, isTakenBack } = await startInterrupted(t)
  const ending = holding(t, JobRun.prototype, 'end', () => true)
  let isAnswered = false
  const undo = () => jobs.endResting(app.present().id, job.shown().id)
  const asked = assert.rejects(undo(), { code: 'busy', retryAfter: 2 }).finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    app.clock.advance({ milliseconds: 700 })
    await nextTurn(1)
  }
  await asked
  ending.release()
  await isTakenBack()
  assert.equal(await undo(), true)
})

test('a cancel that comes while an interruption is being kept ends what has begun, and a removal waits for it', async (t) => {
  const { app, jobs, job, before } = await startInterrupted(t)
  // It goes on, and is paused before its entry comes to anything.
  const running = holding(t, Resuming.prototype, 'move', () => true)
  const pausing = holding(t, JobFiles.prototype, 'setHead', (head: { state: string }) => head.state === 'paused')
  const ending = holding(t, JobRun.prototype, 'end', () => true)
  await job.resume()
  await running.come
  await job.pause()
  running.release()
  await pausing.come
  const removed = jobs.removePerson(app.present().id)
  await turns()
  pausing.release()
  await ending.come
  await turns()
  assert.equal(job.head.state, 'cancelling')
  assert.equal(jobs.find(app.present().id, job.shown().id), job)
  ending.release()
  await removed
  assert.deepEqual([job.head.state, await harvest(app.root)], ['cancelled', before])
  assert.deepEqual(app.reports, [])
})

for (const state of ['interrupted', 'paused']) {
  test(`what a server that ends cannot end any more, the next one ends: of one that was ${state}`, async (t) => {
    const { app, job, jobs, isTakenBack } = await startInterrupted(t)
    if (state === 'paused') {
      const running = holding(t, Resuming.prototype, 'move', () => true)
      await job.resume()
      await running.come
      await job.pause()
      running.release()
      await job.rested
    }
    const loading = holding(t, JobFiles.prototype, 'lines', () => true)
    const cancelled = job.cancel()
    await loading.come
    const closed = jobs.close()
    loading.release()
    await Promise.all([cancelled, closed])
    assert.equal(job.isOver, false)
    await app.startServer()
    await isTakenBack((await app.open()).find(app.present().id, job.shown().id))
  })
}

test('one that goes on and is cancelled before it comes to its entry is ended too', async (t) => {
  const { job, isTakenBack } = await startInterrupted(t)
  const running = holding(t, Resuming.prototype, 'move', () => true)
  await job.resume()
  await running.come
  await job.cancel()
  running.release()
  await isTakenBack()
})

test('one that cannot be read is cancelled when it can be, also after a restart', async (t) => {
  const { app, job, isTakenBack } = await startInterrupted(t)
  const ending = holding(t, Resuming.prototype, 'endMove', () => true)
  await job.cancel()
  await ending.come
  const { lines } = JobFiles.prototype
  let isRead = false
  const reading = t.mock.method(JobFiles.prototype, 'lines', function (this: JobFiles, ...asked: Parameters<JobFiles['lines']>) {
    return isRead ? lines.apply(this, asked) : Promise.reject(new Error('EMFILE'))
  })
  await app.startServer()
  const found = (await app.open()).find(app.present().id, job.shown().id)
  assert.deepEqual([found.head.state, app.reports.map(String)], ['interrupted', ['Error: EMFILE']])
  await assert.rejects(found.cancel(), { message: 'EMFILE' })
  isRead = true
  await app.startServer()
  const last = (await app.open()).find(app.present().id, job.shown().id)
  ending.release()
  await isTakenBack(last)
  reading.mock.restore()
})

test('an end that meets an error says so, and one whose right is withdrawn asks for those that are left', async (t) => {
  const { endMove } = Resuming.prototype
  for (const [error, failed] of [
    [new Error('EIO'), 1],
    [withdrawn, 0],
  ] as const) {
    const { job, isTakenBack } = await startInterrupted(t)
    let calls = 0
    const mock = t.mock.method(
      Resuming.prototype,
      'endMove',
      function (this: Resuming, ...asked: Parameters<Resuming['endMove']>) {
        return calls++ === 0 ? Promise.reject(error) : endMove.apply(this, asked)
      },
    )
    await job.cancel()
    await job.rested
    assert.deepEqual([job.head.state, job.head.failed], ['cancelled', failed])
    if (failed === 0) await isTakenBack()
    mock.mock.restore()
  }
})

test('the end of a move waits for no place, also where as many jobs wait as may', async (t) => {
  const { app, jobs, job, isTakenBack } = await startInterrupted(t)
  const held = holding(t, JobRun.prototype, 'run', () => true)
  const others = Array.from({ length: 22 }, (_, number) =>
    app.request('copy', ['/t/x'], { id: `other-${number}`, to: undefined, places }),
  )
  const started = others.map((request) => app.begin(jobs, { ...request, kind: 'delete' }).catch((error: unknown) => error))
  await held.come
  await assert.rejects(app.begin(jobs, app.request('delete', ['/t/x'], { id: 'last', places })), { code: 'busy' })
  // One that is refused rests as before.
  await assert.rejects(job.resume(), { code: 'busy' })
  await job.cancel()
  await isTakenBack()
  held.release()
  // What still runs at the end of the test would meet a closed disk.
  for (const begun of await Promise.all(started)) if (begun instanceof Job) await begun.rested
})

test('a move that was removing its source is brought to its end also where nothing tells when files were made', async (t) => {
  const app = await startActs(t, { files: { 'd/1': 'one', 'd/2': 'two', 't/x': 'X' }, twoDevices: true })
  const { inode } = Disk.prototype
  t.mock.method(Disk.prototype, 'inode', async function (this: Disk, ...asked: Parameters<Disk['inode']>) {
    const found = await inode.apply(this, asked)
    return found && { ...found, made: 0n }
  })
  const gate = new Gate('files')
  const { remove } = Disk.prototype
  const [one, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
  const removing = t.mock.method(Disk.prototype, 'remove', async function (this: Disk, ...asked: Parameters<Disk['remove']>) {
    await remove.apply(this, asked)
    one.resolve()
    await killed.promise
  })
  const jobs = await app.open(gate)
  const job = await app.begin(jobs, app.request('move', ['/d'], { places }))
  await one.promise
  removing.mock.restore()
  assert.equal(Object.keys(await harvest(app.root)).filter((path) => path.startsWith('d/')).length, 1)
  await app.startServer()
  const found = (await app.open()).find(app.present().id, job.shown().id)
  await found.cancel()
  await found.rested
  killed.reject(new Error('the server was killed'))
  await job.rested
  assert.deepEqual(await harvest(app.root), { 't/d/1': 'one', 't/d/2': 'two', 't/x': 'X' })
  assert.equal((await app.acts()).length, 1)
})

/** Kills the server after each of its steps in moving `/d`, and cancels in the next one. @param check is given the files before and after that */
async function eachKilled(
  t: TestContext,
  files: Tree,
  check: (app: Acts, how: Readonly<{ step: number; before: Tree; now: Tree }>) => Promise<void>,
) {
  for (let step = 0; ; step++) {
    const app = await startActs(t, { files, twoDevices: true })
    const before = await harvest(app.root)
    const gate = new Gate('files')
    const held = gate.holdAt(step, 'after')
    const request = app.request('move', ['/d'], { places, taken: 'replace' })
    const job = await app.begin(await app.open(gate), request)
    if ((await Promise.race([held.then(() => 'held'), job.rested.then(() => 'ended')])) === 'ended') return
    await gate.still()
    await app.startServer()
    const found = (await app.open()).find(app.present().id, request.id)
    await found.cancel()
    await found.rested
    await check(app, { step, before, now: await harvest(app.root) })
  }
}

test('a move to another disk that was killed after any step, and is cancelled then, is whole at one end and can be undone', async (t) => {
  const ends = { before: 0, after: 0 }
  await eachKilled(t, { 'd/1': 'one', 'd/e/2': 'two', 't/x': 'X' }, async (app, { step, before, now }) => {
    const end = 'd/1' in now ? 'before' : 'after'
    ends[end]++
    const after = { 't/d/1': 'one', 't/d/e/2': 'two', 't/x': 'X' }
    assert.deepEqual(now, end === 'before' ? before : after, `step ${step}`)
    assert.deepEqual((await app.acts()).length, end === 'before' ? 0 : 1, `step ${step}`)
    if (end === 'after') assert.deepEqual((await app.turn('undo')).left, [], `step ${step}`)
    assert.deepEqual(await harvest(app.root), before, `step ${step}`)
  })
  assert.ok(ends.before > 2 && ends.after > 2, JSON.stringify(ends))
})

for (const [what, files, source] of [
  ['over a file', { d: 'one', 't/d': 'old' }, { d: 'one' }],
  ['into a folder', { 'd/1': 'one', 'd/2': 'two', 't/d/1': 'old 1', 't/d/0': 'zero' }, { 'd/1': 'one', 'd/2': 'two' }],
  [
    'of folders into a folder',
    { 'd/e/': '', 'd/f/': '', 'd/1': 'one', 't/d/0': 'zero' },
    { 'd/e/': '', 'd/f/': '', 'd/1': 'one' },
  ],
] as const) {
  test(`a move to another disk ${what} that was killed after any step, and is cancelled then, has its source or all of it at the target`, async (t) => {
    const ends = { before: 0, after: 0 }
    await eachKilled(t, files, async (app, { step, now }) => {
      const left = Object.entries(now).filter(([path]) => path.startsWith('d'))
      const end = left.length > 0 ? 'before' : 'after'
      ends[end]++
      if (end === 'before') assert.deepEqual(Object.fromEntries(left), source, `step ${step}`)
      else for (const [path, text] of Object.entries(source)) assert.equal(now[`t/${path}`], text, `step ${step}`)
      // Both ends are on one device here: of folders alone nothing tells that they were merged.
      if (!what.startsWith('of folders')) assert.equal((await app.acts()).length, end === 'before' ? 0 : 1, `step ${step}`)
      if (end === 'before' || what !== 'over a file') return
      assert.deepEqual((await app.turn('undo')).left, [], `step ${step}`)
      const { d, 't/d': other } = await harvest(app.root)
      assert.deepEqual([d, other], ['one', 'old'], `step ${step}`)
    })
    assert.ok(ends.before > 0 && ends.after > 1, JSON.stringify(ends))
  })
}

test('the end of a cancelled move that a kill breaks off comes at the next start, and nothing goes on with the move', async (t) => {
  const app = await startActs(t, { files: { 'd/1': 'one', 'd/2': 'two', 'd/e/3': 'three', 't/x': 'X' }, twoDevices: true })
  const before = await harvest(app.root)
  const request = app.request('move', ['/d'], { places: ['/1', '/2'] })
  const heldAt = async (gate: Gate, step: number, when: 'before' | 'after', work: (jobs: Jobs) => Promise<unknown>) => {
    const held = gate.holdAt(step, when)
    const jobs = await app.open(gate)
    await work(jobs)
    await held
    await gate.still()
    return jobs.find(app.present().id, request.id)
  }
  await heldAt(new Gate('files'), 2, 'after', (jobs) => app.begin(jobs, request))
  await app.startServer()
  assert.notDeepEqual(await harvest(app.root), before)
  const ending = await heldAt(new Gate('files'), 0, 'before', (jobs) => jobs.find(app.present().id, request.id).cancel())
  assert.equal(ending.head.state, 'cancelling')
  for (const act of [() => ending.pause(), () => ending.resume()]) await assert.rejects(act(), { code: 'conflict' })
  await ending.cancel()
  assert.equal(ending.isOver, false)
  await app.startServer()
  const last = (await app.open()).find(app.present().id, request.id)
  await last.rested
  assert.deepEqual([last.head.state, await harvest(app.root), await app.acts()], ['cancelled', before, []])
})

for (const name of ['inode', 'remove'] as const) {
  test(`copies that cannot be taken back because of an error of the disk are named: ${name}`, async (t) => {
    const { job } = await startInterrupted(t)
    t.mock.method(Disk.prototype, name, () => Promise.reject(new Error('EIO')))
    await job.cancel()
    await job.rested
    assert.deepEqual([job.head.state, job.head.failed], ['cancelled', 1])
  })
}

test('what a person has copied by hand stays when the move goes on and is cancelled', async (t) => {
  const app = await startActs(t, { files, twoDevices: true })
  for (const path of ['d/1', 'd/2', 'd/e/3']) await utimes(join(app.root, path), 1e9, 1e9)
  const gate = new Gate('files')
  const held = gate.holdAt(0, 'before')
  const request = app.request('move', ['/d'], { places })
  await app.begin(await app.open(gate), request)
  await held
  await gate.still()
  await cp(join(app.root, 'd'), join(app.root, 't/d'), { recursive: true, preserveTimestamps: true })
  const before = await harvest(app.root)
  await app.startServer()
  const job = (await app.open()).find(app.present().id, request.id)
  const crossing = holding(t, JobFiles.prototype, 'append', (_: never, lines: JobLine[]) =>
    lines.some((line) => 'across' in line),
  )
  await job.resume()
  await crossing.come
  await job.cancel()
  crossing.release()
  await job.rested
  assert.deepEqual([job.head.state, await harvest(app.root)], ['cancelled', before])
})

for (const then of ['at the next start', 'when it is continued'])
  test(`a cancelled move whose log fails rests, and comes to its end ${then}`, async (t) => {
    const { app, job, isTakenBack } = await startInterrupted(t)
    const running = holding(t, Resuming.prototype, 'move', () => true)
    await job.resume()
    await running.come
    const failing = t.mock.method(JobFiles.prototype, 'append', () => Promise.reject(new Error('EIO')))
    t.mock.method(JobRun.prototype, 'end', () => Promise.reject(new Error('EIO')), { times: 1 })
    await job.cancel()
    running.release()
    await job.rested
    assert.equal(job.head.state, 'interrupted')
    failing.mock.restore()
    if (then === 'when it is continued') {
      await job.resume()
      await job.rested
      return assert.deepEqual([job.head.state, job.head.done], ['ended', 1])
    }
    await app.startServer()
    await isTakenBack((await app.open()).find(app.present().id, job.shown().id))
  })
