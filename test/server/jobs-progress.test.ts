// How far a job is: entries and bytes of how many, how fast, and how long the rest takes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { type Path, parsePath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { countEntries } from '../../src-server/jobs/count-entries.ts'
import { RunTally } from '../../src-server/jobs/tally.ts'
import { capability } from '../support/capabilities.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { startJobs } from '../support/start-jobs.ts'
import { until } from '../support/until.ts'

const tree = { 'a/1': 'x'.repeat(10), 'a/b/2': 'x'.repeat(20), 'c.txt': 'x'.repeat(5), 't/x': '' }

/** A copy or a move of a folder and a file, of which what has a name waits; of a copy when so many bytes of it were copied. */
async function heldAt(t: TestContext, name: string, { copied = 0, kind = 'copy' as 'copy' | 'move' } = {}) {
  let [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { copyFile, move } = MemoryDisk.prototype
  t.mock.method(MemoryDisk.prototype, 'move', async function (this: MemoryDisk, ...asked: Parameters<Disk['move']>) {
    if (Capability.check(asked[0], 'rename').path === name) {
      reached.resolve()
      await released.promise
    }
    return move.apply(this, asked)
  })
  t.mock.method(MemoryDisk.prototype, 'copyFile', async function (this: MemoryDisk, ...asked: Parameters<Disk['copyFile']>) {
    if (Capability.check(asked[0], 'download').path.endsWith(name)) {
      if (copied > 0) asked[2].onBytes?.(copied)
      reached.resolve()
      await released.promise
    }
    return copyFile.apply(this, asked)
  })
  const setup = await startJobs(t, new MemoryDisk(tree))
  const jobs = await setup.open()
  const request = setup.request(kind, ['/a', '/c.txt'], { taken: 'number' })
  const begun = setup.begin(jobs, request)
  await reached.promise
  const [job] = [jobs.find(setup.ann.id, request.id)]
  return {
    ...{ ...setup, jobs, request, begun, job, release: () => released.resolve() },
    /** What waits fails, as when it is stopped; what comes from now on waits too. @returns when it has come */
    stopAndHold: () => {
      const { reject } = released
      reached = Promise.withResolvers()
      released = Promise.withResolvers()
      released.promise.catch(() => {})
      reject(new Error('stopped'))
      return reached.promise
    },
  }
}

/** All that needs no disk has happened. */
async function settled() {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('what folders hold is counted beside the work, once it has run for a moment', async (t) => {
  const { job, clock, begun, release } = await heldAt(t, '/a', { kind: 'move' })
  await until(() => job.shown().done === 1, 'the file is moved')
  const before = job.shown().progress
  assert.deepEqual([before?.ofBytes, before?.isCounting, before?.bytes], [undefined, true, 5])
  clock.advance({ seconds: 1 })
  await until(() => job.shown().progress?.ofBytes !== undefined, 'it is counted')
  const { files, ofFiles, bytes, ofBytes, isCounting } = job.shown().progress ?? {}
  assert.deepEqual([files, ofFiles, bytes, ofBytes, isCounting], [1, 5, 5, 35, undefined])
  release()
  await begun
  await job.rested
  assert.deepEqual([job.head.state, job.head.done], ['ended', 2])
})

test('what the work finds out of a folder before it copies it is told at once, and is not counted again', async (t) => {
  const list = t.mock.method(MemoryDisk.prototype, 'listInParts')
  const { job, clock, begun, release } = await heldAt(t, '/2')
  await until(() => job.shown().done === 1, 'the file is copied')
  const { files, ofFiles, bytes, ofBytes, isCounting, name } = job.shown().progress ?? {}
  assert.deepEqual([files, ofFiles, bytes, ofBytes, isCounting, name], [4, 5, 15, 35, undefined, '1'])
  const listed = list.mock.callCount()
  clock.advance({ seconds: 1 })
  await settled()
  assert.equal(list.mock.callCount(), listed)
  release()
  await begun
  await job.rested
  assert.deepEqual([job.head.state, job.head.done], ['ended', 2])
})

test('the count of a folder ends when the work has found out how much it holds', async () => {
  const operation = new Operation()
  let [isKnown, counted] = [false, 0]
  const size = async (_: Path, onCount: (so: { files: number; folders: number }) => void) => {
    for (; counted < 10; counted++) {
      onCount({ files: counted, folders: 0 })
      isKnown = counted >= 2
    }
    return { files: counted, folders: 0, bytes: 0 }
  }
  const files = { look: async () => ({ isDir: true, isSymlink: false, size: 0 }), size } as unknown as UserFiles
  const found: number[] = []
  const how = { entries: [parsePath('/a')], isKnown: () => isKnown, found: (entry: number) => void found.push(entry) }
  await countEntries(files, operation, how)
  assert.deepEqual([counted, found], [3, []])
  await operation.end()
})

test('what is done and how much there is goes on after a pause', async (t) => {
  const { jobs, job, request, clock, begun, reaches, stopAndHold, release } = await heldAt(t, '/2')
  await until(() => job.shown().done === 1, 'the file is copied')
  clock.advance({ seconds: 1 })
  await until(() => job.shown().progress?.ofBytes !== undefined, 'it is counted')
  await begun
  await job.pause()
  const reached = stopAndHold()
  await reaches(jobs, request.id, 'paused')
  await job.rested
  // Also told to a page that is opened meanwhile.
  const rested = job.shown().progress
  assert.deepEqual([rested?.files, rested?.ofFiles, rested?.bytes, rested?.ofBytes, rested?.left], [4, 5, 15, 35, undefined])
  await job.resume()
  await reached
  const { files, ofFiles, bytes, ofBytes } = job.shown().progress ?? {}
  assert.deepEqual([files, ofFiles, bytes, ofBytes], [4, 5, 15, 35])
  release()
  await reaches(jobs, request.id, 'ended')
  assert.deepEqual([job.head.state, job.head.done], ['ended', 2])
})

for (const end of ['pause', 'cancel'] as const) {
  test(`after a ${end} no bytes are told of a file that was not copied whole`, async (t) => {
    const { job, clock, begun, stopAndHold } = await heldAt(t, '/2', { copied: 12 })
    await until(() => job.shown().done === 1, 'the file is copied')
    clock.advance({ seconds: 1 })
    await begun
    assert.equal(job.shown().progress?.bytes, 27)
    await job[end]()
    void stopAndHold()
    await job.rested
    const { files, bytes, again } = job.shown().progress ?? {}
    assert.deepEqual([job.head.state, files, bytes, again], [end === 'pause' ? 'paused' : 'cancelled', 4, 15, 12])
    if (end === 'cancel') return
    await job.resume()
    await until(() => job.shown().progress?.bytes === 27, 'it is copied again')
    assert.equal(job.shown().progress?.again, undefined)
    void stopAndHold()
  })
}

test('what is counted when the run has ended is not told any more, and nothing more is counted', async () => {
  const operation = new Operation()
  const looked: string[] = []
  const look = async (path: Path) => {
    looked.push(path)
    operation.abort(new Error('the run has ended'))
    return { isDir: false, isSymlink: false, size: 1 }
  }
  const found: number[] = []
  const entries = ['/a', '/b'].map(parsePath)
  const how = { entries, isKnown: () => false, found: (entry: number) => void found.push(entry) }
  await assert.rejects(countEntries({ look } as unknown as UserFiles, operation, how))
  assert.deepEqual([looked, found], [['/a'], []])
  await operation.end()
})

test('a count that does not end holds nothing up', async (t) => {
  const { job, clock, begun, release } = await heldAt(t, '/a', { kind: 'move' })
  const list = t.mock.method(MemoryDisk.prototype, 'listInParts', async function* () {
    yield await new Promise<never>(() => {})
  })
  clock.advance({ seconds: 1 })
  await until(() => list.mock.callCount() > 0, 'it is being counted')
  list.mock.restore()
  release()
  await begun
  await job.rested
  assert.deepEqual([job.head.state, job.head.done], ['ended', 2])
})

function tallyOf(count: number, isCounted = true) {
  let now = 0
  const tally = new RunTally({ count, ended: 0, isCounted, elapsed: () => now })
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { tally, pass }
}

test('the speed is that of the last seconds, and the time left that of the slower of entries and bytes', () => {
  const { tally, pass } = tallyOf(2)
  tally.begin(0, 'a')
  tally.transferred(0, 100, 'a')
  assert.deepEqual(tally.figures(), { files: 0, ofFiles: 2, bytes: 100, name: 'a' })
  tally.expect(0, { files: 1, bytes: 1000 })
  tally.expect(1, { files: 1, bytes: 2000 })
  pass(5000)
  tally.transferred(0, 400, 'a')
  pass(5000)
  tally.transferred(0, 500, 'a')
  tally.end(0, true)
  assert.deepEqual(tally.figures(), { files: 1, ofFiles: 2, bytes: 1000, ofBytes: 3000, speed: 100, left: 20, name: 'a' })
  // What has stood still for a minute will not end soon.
  pass(60_000)
  assert.ok((tally.figures().left ?? 0) > 60)
})

test('how long the rest takes is not told before it is counted, but of kinds that are not counted', () => {
  for (const isCounted of [true, false]) {
    const { tally, pass } = tallyOf(10, isCounted)
    for (let entry = 0; entry < 5; entry++) {
      pass(1000)
      tally.begin(entry, 'x')
      tally.end(entry, true)
    }
    assert.equal(tally.figures().left, isCounted ? undefined : 5)
  }
})

test('it is told whether folders are still counted, unless they are few of many entries', () => {
  const { tally } = tallyOf(20)
  tally.see(0, { isDir: true, size: 0 })
  tally.see(1, { isDir: false, size: 4 })
  tally.see(2, { isDir: true, size: 0 })
  assert.equal(tally.figures().isCounting, undefined)
  tally.see(3, { isDir: true, size: 0 })
  assert.equal(tally.figures().isCounting, true)
  tally.begin(3, 'x')
  tally.report(3, { done: 1, total: 3 })
  assert.equal(tally.figures().isCounting, true)
  tally.expect(3, { files: 3, bytes: 9 })
  assert.equal(tally.figures().isCounting, undefined)
})

test('of what is not counted beside the work, or cannot be, a folder is known as soon as the work tells how much it is', () => {
  const { tally } = tallyOf(2, false)
  tally.see(0, { isDir: true, size: 0 })
  tally.begin(0, 'd')
  assert.equal(tally.figures().isCounting, true)
  tally.report(0, { done: 1, total: 3000 })
  assert.equal(tally.figures().isCounting, undefined)
  const uncountable = tallyOf(2).tally
  uncountable.see(0, { isDir: true, size: 0 })
  uncountable.countNoMore()
  assert.equal(uncountable.figures().isCounting, undefined)
})

test('an entry that is tried again, fails or was done before counts once', () => {
  const { tally } = tallyOf(3)
  tally.begin(0, 'd')
  tally.report(0, { done: 2, total: 4 })
  tally.begin(0, 'd')
  tally.report(0, { done: 4, total: 4 })
  assert.deepEqual([tally.figures().files, tally.figures().ofFiles], [4, 6])
  tally.end(0, true)
  tally.begin(1, 'e')
  tally.report(1, { done: 1, total: 9 })
  tally.end(1, false)
  assert.deepEqual([tally.figures().files, tally.figures().ofFiles], [5, 6])
  const again = new RunTally({ count: 3, ended: 2, isCounted: true, elapsed: () => 0 })
  assert.deepEqual([again.figures().files, again.figures().ofFiles], [2, 3])
})

test('a tally goes on with what the one before has kept: bytes once, of a file that is begun anew none', () => {
  const { tally } = tallyOf(4)
  tally.expect(0, { files: 3, bytes: 30 })
  tally.expect(1, { files: 1, bytes: 50 })
  for (const entry of [0, 1, 2, 3]) tally.begin(entry, 'x')
  tally.transferred(0, 20, 'x')
  tally.report(0, { done: 2, total: 3 })
  tally.transferred(1, 40, 'x')
  tally.transferred(2, 7, 'x')
  tally.end(2, true)
  tally.transferred(3, 5, 'x')
  tally.end(3, false)
  const next = (hasEnded: (entry: number) => boolean, ended: number) =>
    new RunTally({ count: 4, ended, isCounted: true, elapsed: () => 0, kept: tally.kept(), hasEnded })
  const paused = next(() => true, 2)
  const { files, ofFiles, bytes, ofBytes } = paused.figures()
  assert.deepEqual([files, ofFiles, bytes, ofBytes], [4, 6, 32, 92])
  paused.begin(0, 'x')
  // What is whole is found again, and the half file is copied anew.
  paused.report(0, { done: 1, total: 3 })
  paused.transferred(0, 15, 'x')
  assert.deepEqual([paused.figures().files, paused.figures().bytes], [4, 42])
  paused.end(0, true)
  assert.deepEqual([paused.figures().files, paused.figures().bytes], [5, 42])
  const retried = next((entry) => entry !== 3, 1)
  assert.deepEqual([retried.figures().files, retried.figures().bytes], [3, 27])
})

test('of a large file the bytes are told as they are copied', async (t) => {
  const size = 3 * 2 ** 20 + 1
  const { disk } = await openDisk(t, { files: { big: Buffer.alloc(size) } })
  const told: number[] = []
  const onBytes = (bytes: number) => void told.push(bytes)
  await disk.copyFile(capability('download', '/big'), capability('create', '/copy'), { replace: false, onBytes })
  assert.ok(told.length > 1, `${told}`)
  assert.equal(
    told.reduce((sum, bytes) => sum + bytes, 0),
    size,
  )
})
