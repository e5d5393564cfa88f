// Which jobs may run at a time, and when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { UserFiles } from '../../src-server/files/user-files.ts'
import { Job } from '../../src-server/jobs/job.ts'
import { KeptJob } from '../../src-server/jobs/kept-job.ts'
import { type Places, Scheduler } from '../../src-server/jobs/scheduler.ts'
import { StoppedClock } from '../support/clock.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { startJobs } from '../support/start-jobs.ts'
import { until } from '../support/until.ts'

function setup() {
  const clock = new StoppedClock()
  const scheduler = new Scheduler(clock)
  const begun: string[] = []
  const places = new Map<string, Places>()
  const enter = (name: string, person: number, ...devices: string[]) => {
    places.set(name, scheduler.enter({ person, devices, begin: () => void begun.push(name) }))
  }
  const close = (name: string) => places.get(name)?.close()
  return { clock, scheduler, begun, enter, close, places }
}

test('two of a person run, and the next when one of them ends', () => {
  const { begun, enter, close } = setup()
  for (const name of ['a', 'b', 'c', 'd']) enter(name, 1, name)
  enter('other', 2, 'a')
  assert.deepEqual(begun, ['a', 'b', 'other'])
  close('a')
  close('a')
  assert.deepEqual(begun, ['a', 'b', 'other', 'c'])
})

test('what a person does one by one runs in its order, and keeps nothing else up', () => {
  const { begun, scheduler, enter } = setup()
  const inTurn = (name: string, person: number) =>
    scheduler.enter({ person, devices: [], isOneByOne: true, begin: () => void begun.push(name) })
  const first = inTurn('first', 1)
  inTurn('second', 1)
  inTurn('third', 1)
  inTurn('of another', 2)
  enter('copy', 1, 'disk')
  assert.deepEqual(begun, ['first', 'of another', 'copy'])
  first.close()
  assert.deepEqual(begun.slice(3), ['second'])
})

test('four run on a device, where source and target count', () => {
  const { begun, enter, close } = setup()
  for (let person = 1; person <= 4; person++) enter(`${person}`, person, 'source', `target ${person}`)
  enter('fifth', 5, 'other', 'source')
  enter('sixth', 6, 'other')
  assert.deepEqual(begun, ['1', '2', '3', '4', 'sixth'])
  close('2')
  assert.deepEqual(begun.at(-1), 'fifth')
})

test('one device that is source and target counts once', () => {
  const { begun, enter } = setup()
  for (let person = 1; person <= 4; person++) enter(`${person}`, person, 'disk', 'disk')
  assert.equal(begun.length, 4)
})

test('twenty of a person wait, a hundred in all, and the next is refused as busy', () => {
  const { begun, enter, close } = setup()
  for (let job = 0; job < 22; job++) enter(`1-${job}`, 1, 'disk')
  assert.throws(() => enter('1-more', 1, 'disk'), { code: 'busy', retryAfter: 30 })
  close('1-21')
  enter('1-again', 1, 'disk')
  for (let person = 2; person <= 6; person++) {
    for (let job = 0; job < 22; job++) {
      if (person === 6) assert.throws(() => enter('more', 9, 'disk', 'x'), { code: 'busy' })
      try {
        enter(`${person}-${job}`, person, 'disk')
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'busy')
      }
    }
  }
  assert.equal(begun.length, 4)
  // What needs no place of the full ones still runs.
  enter('free', 9, 'another')
  assert.equal(begun.at(-1), 'free')
})

test('the oldest that can begin is next, and what cannot holds nothing meanwhile', () => {
  const { begun, enter, close } = setup()
  for (let person = 1; person <= 4; person++) enter(`${person}`, person, 'one')
  enter('both', 5, 'one', 'two')
  for (let person = 6; person <= 9; person++) enter(`${person}`, person, 'two')
  assert.deepEqual(begun, ['1', '2', '3', '4', '6', '7', '8', '9'])
  close('6')
  assert.equal(begun.length, 8)
  close('1')
  assert.equal(begun.at(-1), 'both')
})

test('what has waited for thirty seconds is passed by no other any more', () => {
  const { clock, begun, enter, close } = setup()
  for (let person = 1; person <= 4; person++) enter(`one ${person}`, person, 'one')
  for (let person = 11; person <= 14; person++) enter(`two ${person}`, person, 'two')
  enter('old', 5, 'one', 'two')
  enter('young', 6, 'two')
  clock.advance({ seconds: 29 })
  close('two 11')
  assert.equal(begun.at(-1), 'young')
  clock.advance({ seconds: 1 })
  enter('younger', 7, 'two')
  close('two 12')
  assert.equal(begun.at(-1), 'young', 'the place is kept')
  close('one 1')
  assert.equal(begun.at(-1), 'old')
})

test('a device that hangs keeps no place of others, and leaves its persons one', () => {
  const { clock, begun, enter, places } = setup()
  for (let person = 1; person <= 4; person++) enter(`hung ${person}`, person, 'dead')
  // Cancelled by their persons, but the device does not answer.
  for (let person = 1; person <= 4; person++) places.get(`hung ${person}`)?.leavePerson()
  for (let job = 0; job < 5; job++) enter(`waits ${job}`, 1, 'dead', 'disk')
  clock.advance({ minutes: 10 })
  enter('own', 1, 'disk')
  for (let person = 5; person <= 8; person++) enter(`disk ${person}`, person, 'disk')
  assert.deepEqual(begun.slice(4), ['own', 'disk 5', 'disk 6'], 'one place of the disk is kept for the oldest')
  places.get('hung 1')?.close()
  assert.equal(begun.at(-1), 'waits 0')
})

test('whoever waits for the end of their own work keeps nothing from others', () => {
  const { clock, begun, enter, close } = setup()
  enter('1', 1, 'one')
  enter('2', 1, 'one')
  enter('own third', 1, 'two')
  for (let person = 2; person <= 5; person++) enter(`two ${person}`, person, 'two')
  enter('waits', 6, 'two')
  clock.advance({ minutes: 5 })
  close('two 2')
  assert.equal(begun.at(-1), 'waits')
})

test('what is closed while it waits never begins', () => {
  const { begun, enter, close } = setup()
  for (const name of ['a', 'b', 'c', 'd']) enter(name, 1, 'disk')
  close('c')
  close('a')
  assert.deepEqual(begun, ['a', 'b', 'd'])
})

test('any order of jobs between devices, in both directions, ends with all of them done', () => {
  const random = new SeededRandom(20)
  const { clock, begun, enter, close } = setup()
  const devices = ['a', 'b', 'c']
  const ended = new Set<string>()
  let entered = 0
  let closed = 0
  while (closed < 2000) {
    clock.advance({ seconds: 1 })
    if (entered < 2000) {
      try {
        enter(`${entered}`, 1 + random.below(6), random.pick(devices), random.pick(devices))
        entered++
      } catch {
        // Busy.
      }
    }
    const running = begun.filter((name) => !ended.has(name))
    if (running.length > 0 && (entered === 2000 || random.below(2) === 0)) {
      const name = random.pick(running)
      ended.add(name)
      closed++
      close(name)
    }
    assert.ok(running.length > 0 || entered < 2000 || closed === 2000, 'nothing runs while some wait')
  }
  assert.equal(begun.length, 2000)
})

test('the folders of an act are looked for once, and one on each device is kept', async (t) => {
  let calls = 0
  const placesOf = async () => {
    calls++
    return ['/a', '/a/b', '/t/c', '/t']
  }
  const deviceAt = (path: string) => (path.startsWith('/t') ? 'there' : 'here')
  const setup = await startJobs(t, new MemoryDisk({}), { deviceAt, placesOf })
  const jobs = await setup.open()
  const request = setup.request('undo', ['/'], { undo: { act: '0'.repeat(32), redo: false, rest: false } })
  const job = await setup.begin(jobs, request)
  await setup.begin(jobs, request)
  const { record } = await job.load()
  assert.deepEqual([calls, record?.places], [1, ['/a', '/t/c']])
})

test('checksums and sizes have limits of their own, and take no place of those who change files', async (t) => {
  const { open, begin, request } = await startJobs(t, new MemoryDisk({ a: 'a', b: 'b', 't/x': 'x' }))
  const jobs = await open()
  const read = Promise.withResolvers<void>()
  const find = t.mock.method(UserFiles.prototype, 'find', () => read.promise.then(() => Promise.reject(new Failure('notFound'))))
  t.after(() => read.resolve())
  const sums = ['1', '2', '3'].map((id) => begin(jobs, request('checksum', ['/a'], { id })))
  await until(() => find.mock.callCount() === 3, 'all three are at work')
  const copy = await begin(jobs, request('copy', ['/b']))
  assert.equal(copy.head.state, 'ended')
  read.resolve()
  await Promise.all(sums)
})

test('a question of more than seven days that cannot be answered yet is tried once an hour', async (t) => {
  const { open, begin, request, reaches, clock, reports } = await startJobs(t, new MemoryDisk({ a: 'new', 't/a': 'old' }))
  const jobs = await open()
  const asked = request('copy', ['/a'])
  const job = await begin(jobs, asked)
  assert.equal(job.head.state, 'asking')
  const full = new Failure('full')
  const { mock } = t.mock.method(KeptJob.prototype, 'answer', () => Promise.reject(full))
  const skip = t.mock.method(Job.prototype, 'skipQuestions')
  const tried = async (count: number) => {
    await until(() => reports.length === count, `${count} are told`)
    await job.rested
  }
  clock.advance({ days: 7, minutes: 1 })
  await tried(1)
  for (let minutes = 0; minutes < 55; minutes += 5) clock.advance({ minutes: 5 })
  assert.deepEqual([skip.mock.callCount(), reports], [1, [full]])
  clock.advance({ minutes: 10 })
  await tried(2)
  mock.restore()
  clock.advance({ hours: 1, minutes: 1 })
  await reaches(jobs, asked.id, 'ended')
  assert.equal(job.head.skipped, 1)
})
