// What may be done with a job while it runs, and what ends it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { CrossDevice, type Disk } from '../../src-server/disk/disk.ts'
import { questionOf } from '../../src-server/jobs/names.ts'
import { capability } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { deny } from '../support/start-app.ts'
import { Gate, startJobs } from '../support/start-jobs.ts'
import { changeUser } from '../support/start-state.ts'
import type { Tree } from '../support/tree.ts'
import { until } from '../support/until.ts'
import { usedMemory } from '../support/used-memory.ts'

const many = Array.from({ length: 20 }, (_, index) => `/f${index}`)
const tree: Tree = { ...Object.fromEntries(many.map((path) => [path.slice(1), path])), 't/x': 'X', 'd/1': '1', 'd/2': '2' }

/** A job of twenty files of which some are copied, and the others wait for the gate. */
async function held(t: Parameters<typeof startJobs>[0], entries: readonly string[] = many, step = 3) {
  const disk = new MemoryDisk(tree)
  const setup = await startJobs(t, disk, { deviceAt: (path) => (path.startsWith('/t') ? 'there' : 'here') })
  const gate = new Gate()
  const reached = gate.holdAt(step, 'before')
  const jobs = await setup.open(gate, 'disk')
  const request = setup.request('copy', entries)
  const job = await setup.begin(jobs, request)
  await reached
  assert.equal(job.head.state, 'running')
  return { ...setup, disk, gate, jobs, job, request }
}

const copied = async (disk: Disk) => (await namesIn(disk, '/t')).length - 1

test('a paused job lets what it does end, holds no place, and goes on where it was', async (t) => {
  const { job, gate, disk, reaches, jobs, request } = await held(t)
  await job.pause()
  assert.equal(job.head.state, 'pausing')
  gate.release()
  await reaches(jobs, request.id, 'paused')
  assert.ok((await copied(disk)) < 20)
  await job.resume()
  await reaches(jobs, request.id, 'ended')
  assert.deepEqual([await copied(disk), job.head.done, job.head.failed], [20, 20, 0])
})

test('a cancelled job keeps what is whole, also of a folder: it could be of others by now', async (t) => {
  // The folder and its first file are there.
  const { job, gate, disk, reaches, jobs, request } = await held(t, ['/d'], 2)
  await until(async () => (await namesIn(disk, '/t/d')).length === 1, 'a file is there')
  await job.cancel()
  assert.equal(job.head.state, 'cancelling')
  gate.release()
  await reaches(jobs, request.id, 'cancelled')
  await job.rested
  assert.deepEqual(
    [await namesIn(disk, '/t'), await namesIn(disk, '/d')],
    [
      ['d', 'x'],
      ['1', '2'],
    ],
  )
  const [name, ...more] = await namesIn(disk, '/t/d')
  assert.deepEqual([await contentOf(disk, `/t/d/${name}`), more], [name, []])
  await assert.rejects(job.resume(), { code: 'conflict' })
})

test('a job that is cancelled before its pause has come ends cancelled', async (t) => {
  const { job, gate } = await held(t)
  await job.pause()
  await job.cancel()
  assert.equal(job.head.state, 'cancelling')
  gate.release()
  await job.rested
  assert.equal(job.head.state, 'cancelled')
})

test('a job on a disk that does not answer is cancelled at once, and its person may begin another', async (t) => {
  const { job, jobs, begin, request, reaches, gate } = await held(t)
  const state = (id: string) => jobs.find(job.head.userId, id).head.state
  for (const id of ['second-job', 'third-job']) await begin(jobs, { ...request, id, to: parsePath(`/t/${id}`) })
  await reaches(jobs, 'second-job', 'running')
  assert.equal(state('third-job'), 'waiting')
  await job.cancel()
  assert.equal(job.head.state, 'cancelling')
  await reaches(jobs, 'third-job', 'running')
  gate.release()
  await job.rested
  assert.equal(job.head.state, 'cancelled')
})

for (const [what, end] of Object.entries({
  'signs out everywhere': ({ accounts, ann }) => accounts.signOutEverywhere(ann.id),
  'gets another password': ({ accounts, ann }) => accounts.changePassword(ann.id, 'another long password'),
  'gets another scope': (setup) =>
    changeUser(setup, setup.ann.id, (user) => {
      user.scope = '/d'
    }),
} satisfies Record<string, (setup: Awaited<ReturnType<typeof held>>) => Promise<void>>)) {
  test(`a job ends in less than a second when its person ${what}`, async (t) => {
    const setup = await held(t)
    const { gate, disk, job } = setup
    await end(setup)
    const before = performance.now()
    gate.release()
    await job.rested
    assert.ok(performance.now() - before < 1000)
    assert.equal(job.head.state, 'cancelled')
    const there = await copied(disk)
    assert.ok(there < 20, `${there} are copied`)
    for (const name of await namesIn(disk, '/t')) if (name !== 'x') assert.equal(await contentOf(disk, `/t/${name}`), `/${name}`)
  })
}

test('a job goes on when a rule is added, which refuses the entries that are left', async (t) => {
  const setup = await held(t)
  await changeUser(setup, setup.ann.id, (user) => {
    user.rules = [deny('/f19')]
  })
  setup.gate.release()
  await setup.job.rested
  assert.deepEqual([setup.job.head.state, setup.job.head.done, setup.job.head.failed], ['ended', 19, 1])
})

test('two of a person run and the third waits, in what is told of them', async (t) => {
  const { jobs, job, begin, request, gate, clock, reaches } = await held(t)
  const told: string[] = []
  const end = jobs.follow(job.head.userId, (changed) => told.push(changed.map(({ id, state }) => `${id} ${state}`).join()))
  const strangers: unknown[] = []
  jobs.follow(job.head.userId + 1, (changed) => strangers.push(changed))
  const another = (id: string) => ({ ...request, id, to: parsePath(`/t/${id}`) })
  for (const id of ['second-job', 'third-job']) await begin(jobs, another(id))
  gate.release()
  await reaches(jobs, 'third-job', 'ended')
  clock.advance({ milliseconds: 249 })
  assert.equal(told.length, 0)
  clock.advance({ milliseconds: 1 })
  assert.equal(told.length, 1, 'at most four times a second')
  assert.ok(told[0]?.includes('third-job ended'))
  end()
  assert.deepEqual(strangers, [])
})

test('a hundred jobs of ten thousand entries wait in less than 20 MB', async (t) => {
  const { jobs, accounts, begin, request, gate } = await held(t)
  const entries = Array.from({ length: 10_000 }, (_, index) => parsePath(`/a folder/with a usual name/file ${index}.txt`))
  const people: number[] = []
  for (const username of ['p1', 'p2', 'p3', 'p4', 'p5'])
    people.push((await accounts.create({ username, password: 'a long and easy password' })).id)
  const before = usedMemory().heap
  for (const userId of people) {
    for (let job = 0; job < 20; job++)
      await begin(jobs, { ...request, id: `waiting-${job}`, entries: [...entries] }, { userId, epoch: 0, scope: '/' })
  }
  const used = (usedMemory().heap - before) / 2 ** 20
  const waiting = people.flatMap((id) => jobs.of(id)).filter(({ head }) => head.state === 'waiting')
  assert.ok(waiting.length >= 97, `${waiting.length} wait`)
  assert.ok(used < 20, `${Math.round(used)} MB`)
  gate.release()
})

test('a job that is kept while it runs has all that it does in its log, and a retry repeats only what failed', async (t) => {
  const entries = [...many.slice(0, 5), '/missing']
  for (let step = 0; step < 5; step++) {
    const disk = new MemoryDisk(tree)
    const setup = await startJobs(t, disk)
    const gate = new Gate()
    const reached = gate.holdAt(step, 'before')
    const jobs = await setup.open(gate, 'disk')
    const request = setup.request('copy', entries, { taken: 'number' })
    const begun = setup.begin(jobs, request)
    await reached
    setup.clock.advance({ seconds: 1 })
    gate.release()
    const job = await begun
    await setup.reaches(jobs, request.id, 'ended')
    assert.deepEqual([job.isRecorded, job.head.done, job.head.failed], [true, 5, 1], `step ${step}`)
    await job.retry()
    await setup.reaches(jobs, request.id, 'ended')
    await jobs.close()
    // Of a job that had ended before the start too.
    const after = await setup.open()
    const again = after.find(setup.ann.id, request.id)
    assert.deepEqual([again.head.state, again.head.done, again.head.failed], ['ended', 5, 1])
    await again.retry()
    await setup.reaches(after, request.id, 'ended')
    const { progress } = await again.load()
    assert.deepEqual(
      [...(progress?.failures.values() ?? [])].map(({ code }) => code),
      ['notFound'],
    )
    assert.equal(await copied(disk), 5)
  }
})

test('a job that goes on after a pause is not ended by the deadline of the pause', async (t) => {
  const { job, gate, reaches, jobs, request, clock } = await held(t)
  await job.pause()
  gate.release()
  await reaches(jobs, request.id, 'paused')
  clock.advance({ hours: 6 * 24 })
  const stopped = gate.holdAt(gate.steps, 'before')
  await job.resume()
  await stopped
  clock.advance({ hours: 2 * 24 })
  assert.equal(job.head.state, 'running')
  gate.release()
  await reaches(jobs, request.id, 'ended')
  assert.equal(job.head.done, 20)
})

test('entries of one name do not replace each other, but what was there before', async (t) => {
  const disk = new MemoryDisk({ 'x/a': 'of x', 'y/a': 'of y', 't/a': 'before' })
  const { open, request, begin } = await startJobs(t, disk)
  await begin(await open(), request('move', ['/x/a', '/y/a'], { taken: 'replace' }))
  const names = await namesIn(disk, '/t')
  const texts = await Promise.all(names.map((name) => contentOf(disk, `/t/${name}`)))
  assert.deepEqual(
    [names, texts.sort()],
    [
      ['a', 'a(1)'],
      ['of x', 'of y'],
    ],
  )
})

test('of short jobs of one person some are remembered, however many there are', async (t) => {
  const { open, request, begin, ann } = await startJobs(t, new MemoryDisk(tree))
  const jobs = await open()
  const idOf = (index: number) => `short-job-${index}`
  for (let index = 0; index < 40; index++) await begin(jobs, request('delete', ['/missing'], { id: idOf(index) }))
  assert.throws(() => jobs.find(ann.id, idOf(0)), { code: 'notFound' })
  assert.equal(jobs.find(ann.id, idOf(39)).head.failed, 1)
})

test('an entry that is being worked on stops when a right to it is withdrawn', async (t) => {
  const setup = await held(t, ['/d'], 2)
  await changeUser(setup, setup.ann.id, (user) => {
    user.rules = [deny('/d/2')]
  })
  setup.gate.release()
  await setup.reaches(setup.jobs, setup.request.id, 'ended')
  assert.equal((await namesIn(setup.disk, '/t/d')).includes('2'), false)
})

test('a job that is paused and resumed while it is being kept runs once, when it has places', async (t) => {
  const disk = new MemoryDisk(tree)
  const setup = await startJobs(t, disk, { deviceAt: (path) => (path.startsWith('/t') ? 'there' : 'here') })
  const gate = new Gate()
  const keeping = gate.holdAt(0, 'before')
  const jobs = await setup.open(gate)
  const request = setup.request('copy', many, { taken: 'number' })
  const begun = setup.begin(jobs, request)
  await keeping
  const job = jobs.find(setup.ann.id, request.id)
  await job.pause()
  const resumed = job.resume()
  gate.release()
  await Promise.all([begun, resumed])
  await setup.reaches(jobs, request.id, 'ended')
  assert.deepEqual([await copied(disk), job.head.done], [20, 20])
})

test('an answer that is given while the job is being kept is kept too', async (t) => {
  const setup = await startJobs(t, new MemoryDisk(tree))
  const gate = new Gate()
  const keeping = gate.holdAt(0, 'before')
  const jobs = await setup.open(gate)
  const request = setup.request('copy', ['/t/x'])
  const begun = setup.begin(jobs, request)
  await keeping
  const job = jobs.find(setup.ann.id, request.id)
  const { progress } = await job.load()
  const answered = job.answer(questionOf(0, progress?.questions.get(0)), 'skip', false)
  gate.release()
  await Promise.all([begun, answered])
  await setup.reaches(jobs, request.id, 'ended')
  assert.equal((await job.load()).progress?.answerOf(0), 'skip')
})

/** A copy of `/d`, or a move of it to another file system, which has failed on a full disk with one of two files at its target. */
async function half(t: TestContext, kind: 'copy' | 'move') {
  const disk = new MemoryDisk({ ...tree, 'other/3': 'of another' })
  const { move, copyFile } = disk
  const crossing = t.mock.method(disk, 'move', async () => {
    throw new CrossDevice()
  })
  let copies = 0
  const full = t.mock.method(disk, 'copyFile', async (...asked: Parameters<Disk['copyFile']>) => {
    if (++copies > 1) throw new Failure('full', 'no space is left')
    return copyFile.apply(disk, asked)
  })
  // As after a kill: nothing is taken back.
  const kept = t.mock.method(disk, 'remove', async () => {})
  const setup = await startJobs(t, disk)
  const jobs = await setup.open()
  const request = setup.request(kind, ['/d'])
  const job = await setup.begin(jobs, request)
  await setup.reaches(jobs, request.id, 'ended')
  assert.deepEqual([job.head.failed, (await namesIn(disk, '/t/d')).length], [1, 1])
  for (const mocked of [full, kept]) mocked.mock.restore()
  /** Another person renames something. */
  const rename = async (from: string, to: string) => {
    crossing.mock.restore()
    const [one, other] = [from, to].map((path) => capability('rename', path))
    await move.call(disk, one as Capability<'rename'>, other as Capability<'rename'>, { replace: false })
    if (kind === 'move')
      t.mock.method(disk, 'move', async () => {
        throw new CrossDevice()
      })
  }
  const retry = async () => {
    await job.retry()
    await setup.reaches(jobs, request.id, 'ended', 'asking')
    return job.head
  }
  return { ...setup, disk, jobs, job, rename, retry }
}

for (const kind of ['copy', 'move'] as const) {
  test(`a ${kind} that failed halfway asks before it goes on in a folder that another has made since`, async (t) => {
    const { disk, rename, retry } = await half(t, kind)
    await rename('/t/d', '/away')
    await rename('/other', '/t/d')
    const { state, asked } = await retry()
    assert.deepEqual([state, asked], ['asking', 1])
    assert.deepEqual([await namesIn(disk, '/t/d'), await namesIn(disk, '/d')], [['3'], ['1', '2']])
  })

  test(`a ${kind} that failed halfway begins anew when what it has left is gone`, async (t) => {
    const { disk, rename, retry } = await half(t, kind)
    await rename('/t/d', '/away')
    const { state, done } = await retry()
    assert.deepEqual([state, done, await namesIn(disk, '/t/d')], ['ended', 1, ['1', '2']])
  })

  test(`a ${kind} that failed halfway asks once a file of the half copy has changed`, async (t) => {
    const { disk, retry } = await half(t, kind)
    const [name] = await namesIn(disk, '/t/d')
    await disk.copyFile(capability('download', '/other/3'), capability('create', `/t/d/${name}`), { replace: true })
    assert.equal((await retry()).failed, 1)
    const { state, asked } = await retry()
    assert.deepEqual([state, asked], ['asking', 1])
    assert.equal(await contentOf(disk, `/t/d/${name}`), 'of another')
  })
}

for (const kind of ['copy', 'move'] as const) {
  test(`a ${kind} to another file system that fails halfway on a full disk, also when it goes on, is completed by a retry`, async (t) => {
    const disk = new MemoryDisk(tree)
    t.mock.method(disk, 'move', async () => {
      throw new CrossDevice()
    })
    const setup = await startJobs(t, disk)
    const gate = new Gate()
    // The folder and its first file are there.
    const reached = gate.holdAt(1, 'after')
    const jobs = await setup.open(gate, 'disk')
    const request = setup.request(kind, ['/d'])
    const begun = setup.begin(jobs, request)
    await reached
    setup.clock.advance({ seconds: 1 })
    const job = await begun
    await job.pause()
    // As after a kill: nothing is taken back.
    const kept = t.mock.method(disk, 'remove', async () => {})
    gate.release()
    await setup.reaches(jobs, request.id, 'paused', 'ended')
    kept.mock.restore()
    if (job.head.state === 'paused') {
      const full = t.mock.method(disk, 'copyFile', async () => {
        throw new Failure('full', 'no space is left')
      })
      await job.resume()
      await setup.reaches(jobs, request.id, 'ended')
      full.mock.restore()
    }
    assert.equal(job.head.failed, 1)
    await job.retry()
    await setup.reaches(jobs, request.id, 'ended')
    assert.deepEqual([job.head.done, job.head.failed], [1, 0])
    assert.deepEqual(
      [await namesIn(disk, '/t'), await namesIn(disk, '/t/d')],
      [
        ['d', 'x'],
        ['1', '2'],
      ],
    )
    assert.equal((await namesIn(disk, '/')).includes('d'), kind === 'copy')
  })
}
