// Jobs that a kill has interrupted: continued, they come to the end to which they would have come, whatever they had done.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import type { JobRequest } from '../../src-server/jobs/jobs.ts'
import { KeptJob } from '../../src-server/jobs/kept-job.ts'
import { body, capability } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { MemoryDisk, MemoryDriver } from '../support/memory-disk.ts'
import { startActs } from '../support/start-acts.ts'
import { Gate, startJobs } from '../support/start-jobs.ts'
import { harvest, type Tree } from '../support/tree.ts'
import { untilStill } from '../support/until-still.ts'

const tree: Tree = { 'a.txt': 'A', 'b.txt': 'B', 'd/1': 'one', 'd/e/2': 'two', 't/a.txt': 'old', 'c.txt': 'C' }
const entries = ['/a.txt', '/b.txt', '/d', '/c.txt']

/** A disk on which `/t` lies on another device than all else. */
class TwoDevices extends MemoryDriver {
  override async move(...asked: Parameters<MemoryDriver['move']>) {
    const [from, to] = asked
    if (from.path.startsWith('/t/') !== to.path.startsWith('/t/')) throw new CrossDevice()
    return super.move(...asked)
  }
}

async function contents(disk: Disk, folder = '/'): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { path, isDir } of await disk.list(capability('read', folder))) {
    if (isDir) Object.assign(found, await contents(disk, path))
    else found[path.slice(1)] = await contentOf(disk, path)
  }
  return found
}

/** Kills the server at a step of a job, and starts another one. @returns what is there at the end; undefined after the last step */
async function killedAt(t: TestContext, asked: Partial<JobRequest> & Pick<JobRequest, 'kind'>, how: KillHow) {
  const disk = how.twoDevices ? new Disk(new TwoDevices(tree)) : new MemoryDisk(tree)
  const setup = await startJobs(t, disk, { deviceAt: (path) => (path.startsWith('/t') ? 'there' : 'here') })
  const request = setup.request(asked.kind, entries, { taken: 'number', ...asked })
  const gate = new Gate()
  const held = gate.holdAt(how.step, how.when)
  const jobs = await setup.open(gate)
  const started = setup.begin(jobs, request)
  const reached = await Promise.race([
    held.then(() => 'held' as const),
    started.then(async (job) => {
      await job.rested
      return 'ended' as const
    }),
  ])
  if (reached === 'ended') return undefined
  const next = await setup.open()
  const known = next.of(setup.present().id)[0]
  // Nothing had begun when it was not kept yet: the client asks again, under the same id.
  if (!known) await setup.begin(next, request)
  else if (!known.isOver) await known.resume()
  const job = await setup.reaches(next, request.id, 'ended')
  await job.rested
  return { job, found: await contents(disk), reports: setup.reports }
}

type KillHow = Readonly<{ step: number; when: 'before' | 'after'; twoDevices: boolean }>

const unmoved = { 'a.txt': 'A', 'b.txt': 'B', 'd/1': 'one', 'd/e/2': 'two', 'c.txt': 'C' }
const arrived = { 't/a.txt': 'old', 't/a(1).txt': 'A', 't/b.txt': 'B', 't/d/1': 'one', 't/d/e/2': 'two', 't/c.txt': 'C' }

for (const [kind, twoDevices, expected] of [
  ['copy', false, { ...unmoved, ...arrived }],
  ['move', false, arrived],
  ['move', true, arrived],
] as const) {
  const where = twoDevices ? ' to another device' : ''
  for (const when of ['before', 'after'] as const) {
    test(`a ${kind}${where} that was killed ${when} any step is completed, with no second name by number`, async (t) => {
      for (let step = 0; ; step++) {
        const ended = await killedAt(t, { kind }, { step, when, twoDevices })
        if (ended === undefined) return assert.ok(step > 8, `${step} steps`)
        assert.deepEqual(ended.found, expected, `step ${step}`)
        const { done, failed, skipped } = ended.job.head
        assert.deepEqual([done, failed, skipped, ended.reports], [4, 0, 0, []], `step ${step}`)
      }
    })
  }
}

for (const when of ['before', 'after'] as const) {
  test(`a removal that was killed ${when} any step is completed`, async (t) => {
    for (let step = 0; ; step++) {
      const ended = await killedAt(t, { kind: 'delete' }, { step, when, twoDevices: false })
      // It lies on one device, and so is kept only when it takes long.
      if (ended === undefined) return assert.ok(step > 4, `${step} steps`)
      assert.deepEqual(ended.found, { 't/a.txt': 'old' }, `step ${step}`)
    }
  })
}

for (const kind of ['copy', 'delete'] as const) {
  test(`a short ${kind} that takes long is kept with all that it has done, whenever a kill comes`, async (t) => {
    for (let step = 0; step < 2; step++) {
      const disk = new MemoryDisk(tree)
      const setup = await startJobs(t, disk)
      const gate = new Gate()
      const request = setup.request(kind, entries, { taken: 'number' })
      // The first entries are done, and the next one takes long.
      const slow = gate.holdAt(2, 'before')
      void setup.begin(await setup.open(gate), request)
      await slow
      await untilStill()
      const killed = gate.holdAt(gate.steps + step, 'after')
      setup.clock.advance({ milliseconds: 700 })
      await killed
      const next = await setup.open()
      await next.find(setup.present().id, request.id).resume()
      const { head } = await setup.reaches(next, request.id, 'ended')
      assert.deepEqual([head.done, head.failed], [4, 0], `step ${step}`)
      assert.deepEqual(await contents(disk), kind === 'copy' ? { ...unmoved, ...arrived } : { 't/a.txt': 'old' }, `step ${step}`)
    }
  })
}

test('a continued removal leaves what has been made since under the same name', async (t) => {
  const disk = new MemoryDisk(tree)
  const setup = await startJobs(t, disk, { deviceAt: (path) => path })
  const gate = new Gate()
  const jobs = await setup.open(gate)
  const request = setup.request('delete', ['/a.txt', '/b.txt'])
  // After the record, that it runs, and what begins: the removal of the first.
  const held = gate.holdAt(3, 'after')
  void setup.begin(jobs, request)
  await held
  await disk.remove(capability('delete', '/a.txt')).catch(() => {})
  await disk.write(capability('create', '/a.txt'), body('of another'), { replace: false })
  const next = await setup.open()
  await next.find(setup.present().id, request.id).resume()
  const job = await setup.reaches(next, request.id, 'ended')
  assert.equal(await contentOf(disk, '/a.txt'), 'of another')
  assert.equal(job.head.failed, 1)
  assert.ok(!(await namesIn(disk)).includes('b.txt'))
})

test('an interrupted job of a person who has signed out everywhere since is cancelled', async (t) => {
  const disk = new MemoryDisk(tree)
  const setup = await startJobs(t, disk, { deviceAt: (path) => path })
  const gate = new Gate()
  const held = gate.holdAt(6, 'before')
  const request = setup.request('copy', entries, { taken: 'number' })
  void setup.begin(await setup.open(gate), request)
  await held
  await setup.accounts.signOutEverywhere(setup.present().id)
  const next = await setup.open()
  const job = next.find(setup.present().id, request.id)
  assert.equal(job.head.state, 'cancelled')
  await assert.rejects(job.resume(), { code: 'conflict' })
})

test('paused jobs and questions are there after a restart as before', async (t) => {
  const disk = new MemoryDisk(tree)
  const setup = await startJobs(t, disk)
  const jobs = await setup.open()
  const request = setup.request('copy', ['/a.txt', '/b.txt'])
  const job = await setup.begin(jobs, request)
  assert.equal(job.head.state, 'asking')
  await jobs.close()
  const next = await setup.open()
  const found = next.find(setup.present().id, request.id)
  const { progress } = await found.load()
  const [[entry, at] = [0, 0]] = progress?.questions ?? []
  assert.deepEqual([found.head.state, found.head.done, entry], ['asking', 1, 0])
  await found.answer(`${entry}.${at}`, 'number', false)
  await setup.reaches(next, request.id, 'ended')
  assert.equal(await contentOf(disk, '/t/a(1).txt'), 'A')
})

test('a job that is kept while a line of its log waits keeps that line', async (t) => {
  const app = await startActs(t, { files: { a: 'new', 't/a': 'old' } })
  const gate = new Gate('files')
  const held = gate.holdAt(0, 'after')
  const request = app.request('move', ['/a'], { taken: 'replace', places: ['/t'] })
  const jobs = await app.open(gate)
  const { append } = KeptJob.prototype
  t.mock.method(KeptJob.prototype, 'append', async function (this: KeptJob, ...asked: Parameters<KeptJob['append']>) {
    await append.apply(this, asked)
    // As if it had taken as long as that by now.
    if (asked[0].some((line) => 'begun' in line)) await jobs.find(app.present().id, request.id).keep()
  })
  void app.begin(jobs, request)
  await held
  await gate.still()
  await app.startServer()
  const job = (await app.open()).find(app.present().id, request.id)
  await job.resume()
  await job.rested
  assert.deepEqual([job.head.done, job.head.failed, (await app.acts()).length], [1, 0, 1])
  assert.deepEqual((await app.turn('undo')).left, [])
  assert.deepEqual(await harvest(app.root), { a: 'new', 't/a': 'old' })
})

const five: Tree = { 'd/1': 'one', 'd/2': 'two', 'd/3': 'three', 'd/4': 'four', 'd/5': 'five', 't/x': 'X' }

test('a copy that was paused and goes on is an act of as many changes as without that', async (t) => {
  for (let step = 0; step < 5; step++) {
    const app = await startActs(t, { files: five, limits: { deeds: 6 } })
    const gate = new Gate('files')
    const held = gate.holdAt(step, 'after')
    const jobs = await app.open(gate, 'disk')
    const request = app.request('copy', ['/d'])
    const job = await app.begin(jobs, request)
    await held
    await job.pause()
    app.clock.advance({ seconds: 60 })
    gate.release()
    await job.rested
    assert.equal(job.head.state, 'paused', `step ${step}`)
    await job.resume()
    await (await app.reaches(jobs, request.id, 'ended')).rested
    const acts = await app.acts()
    const found = acts.map(({ deeds, chosen, isTooLarge }) => ({ deeds, chosen, isTooLarge }))
    assert.deepEqual(found, [{ deeds: 6, chosen: 1, isTooLarge: undefined }], `step ${step}`)
  }
})

test('a turn of a copied folder that was killed as soon as the folder had gone, or had come back, is ended by the next one', async (t) => {
  const app = await startActs(t, { files: five })
  const before = await harvest(app.root)
  const request = app.request('copy', ['/d'])
  const jobs = await app.open()
  await app.begin(jobs, request)
  await (await app.reaches(jobs, request.id, 'ended')).rested
  const after = await harvest(app.root)
  for (const direction of ['undo', 'redo', 'undo'] as const) {
    t.mock.method(app.parts().deeds, 'setDeed', () => Promise.reject(new Error('killed')))
    await assert.rejects(app.turn(direction), /killed/)
    assert.deepEqual(await harvest(app.root), direction === 'undo' ? before : after)
    const { trash } = (await app.startServer()).trash
    const { done, left } = await app.turn(direction)
    assert.deepEqual([done, left, [...trash.known()].length], [5, [], direction === 'undo' ? 1 : 0])
    assert.deepEqual(await harvest(app.root), direction === 'undo' ? before : after)
  }
})
