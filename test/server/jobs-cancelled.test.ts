// What a copy leaves that is cancelled, or paused first, and a move to another disk.
import assert from 'node:assert/strict'
import { link, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { nextTickAfter } from '../../src-server/base/clock-ticks.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { orAborted } from '../../src-server/base/or-aborted.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { beginInstallation, newTemporaryName } from '../../src-server/disk/temporary-names.ts'
import { startActs } from '../support/start-acts.ts'
import { Gate } from '../support/start-jobs.ts'
import { harvest, type Tree } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = { 'd/1': 'one', 'd/e/2': 'two', 'b.txt': 'B', 't/x': 'X' }

/** A copy by a job that has made what is before `stopsAt`, and waits there. */
async function startStopping(t: TestContext, entries: string[], ...stopsAt: string[]) {
  const app = await startActs(t, { files })
  const { copyFile } = Disk.prototype
  const reached = Promise.withResolvers<void>()
  const slow = t.mock.method(Disk.prototype, 'copyFile', async function (this: Disk, ...asked: Parameters<Disk['copyFile']>) {
    if (!stopsAt.includes(Capability.check(asked[0], 'download').path)) return copyFile.apply(this, asked)
    reached.resolve()
    return orAborted(new Promise<never>(() => {}), asked[3])
  })
  const before = await harvest(app.root)
  const job = await app.begin(await app.open(), app.request('copy', entries))
  await reached.promise
  return { app, job, before, goOn: () => slow.mock.restore() }
}

test('a copy of a folder that is cancelled before any file was copied leaves no empty folder', async (t) => {
  const { app, job, before } = await startStopping(t, ['/d'], '/d/1', '/d/e/2')
  await job.cancel()
  await job.rested
  assert.equal(job.head.state, 'cancelled')
  assert.deepEqual(await harvest(app.root), before)
})

test('of a copy that is cancelled what was copied stays, and is undone', async (t) => {
  const { app, job, before } = await startStopping(t, ['/d', '/b.txt'], '/d/e/2')
  await job.cancel()
  await job.rested
  const left = await harvest(app.root)
  assert.deepEqual([left['t/d/1'], left['t/d/e/2']], ['one', undefined])
  await app.turn('undo')
  assert.deepEqual(await harvest(app.root), before)
})

test('a copy that is paused keeps its folders, and goes on in them', async (t) => {
  const { app, job, before, goOn } = await startStopping(t, ['/d'], '/d/1', '/d/e/2')
  await job.pause()
  await job.rested
  assert.equal(job.head.state, 'paused')
  const left = await harvest(app.root)
  assert.ok('t/d/' in left || 't/d/e/' in left, JSON.stringify(left))
  goOn()
  await job.resume()
  await job.rested
  assert.equal((await harvest(app.root))['t/d/e/2'], 'two')
  await app.turn('undo')
  assert.deepEqual(await harvest(app.root), before)
})

type OnRemove = (count: number, path: string, remove: () => Promise<void>) => Promise<void>

/** Files of which all below `/t` lies on another disk. Each removal passes `onRemove`. */
async function openMoving(t: TestContext, moving: Tree, onRemove: OnRemove) {
  const app = await startActs(t, { files: moving, twoDevices: true })
  const before = await harvest(app.root)
  const { remove } = Disk.prototype
  let count = 0
  const removing = t.mock.method(Disk.prototype, 'remove', function (this: Disk, ...asked: Parameters<Disk['remove']>) {
    return onRemove(++count, Capability.check(asked[0], 'rename').path, () => remove.apply(this, asked))
  })
  const begin = async (path: string) => app.begin(await app.open(), app.request('move', [path]))
  return { app, before, removing, begin }
}

/** A move of a folder to another disk by a job. */
async function startMoving(t: TestContext, onRemove: OnRemove) {
  const { begin, ...opened } = await openMoving(t, { 'd/1': 'one', 'd/2': 'two', 'd/e/3': 'three', 't/x': 'X' }, onRemove)
  const after = { 't/d/1': 'one', 't/d/2': 'two', 't/d/e/3': 'three', 't/x': 'X' }
  return { ...opened, after, job: await begin('/d') }
}

for (const action of ['cancel', 'pause'] as const) {
  test(`a ${action} that comes while the source of a move to another disk is removed comes after that`, async (t) => {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { app, job, before, after } = await startMoving(t, async (count, _path, remove) => {
      await remove()
      if (count !== 1) return
      reached.resolve()
      await released.promise
    })
    await reached.promise
    await job[action]()
    released.resolve()
    await job.rested
    assert.deepEqual([job.head.done, await harvest(app.root)], [1, after])
    await app.turn('undo')
    assert.deepEqual(await harvest(app.root), before)
  })
}

test('hidden second names of copies that a kill has left go with the copies, and none that is in use', async (t) => {
  t.after(() => beginInstallation(''))
  for (const isInUse of [false, true]) {
    beginInstallation('i')
    const app = await startActs(t, { files: { 'd/1': 'one', 'd/2': 'two', 't/x': 'X' }, twoDevices: true })
    const before = await harvest(app.root)
    const gate = new Gate('files')
    const held = gate.holdAt(2, 'after')
    const request = app.request('move', ['/d'], { places: ['/1', '/2'] })
    await app.begin(await app.open(gate), request)
    await held
    await gate.still()
    await app.startServer()
    const [copy = ''] = Object.keys(await harvest(app.root)).filter((path) => /^t\/d\/./.test(path))
    const hidden = `t/d/${newTemporaryName()}`
    await link(join(app.root, copy), join(app.root, hidden))
    // Made by this process, or by one before it.
    await nextTickAfter(Date.now())
    if (!isInUse) beginInstallation('i')
    const job = (await app.open()).find(app.present().id, request.id)
    await job.cancel()
    await job.rested
    assert.deepEqual(await harvest(app.root), isInUse ? { ...before, [hidden]: before[copy.slice(2)] } : before)
  }
})

for (const twoDevices of [true, false]) {
  test(`a move that had changed nothing changes nothing when it is cancelled, also where the target looks the same: on ${twoDevices ? 2 : 1} devices`, async (t) => {
    const app = await startActs(t, {
      files: { a: 'one', 't/a': 'one', 'd/': '', 't/d/1': 'old', l: { link: 'x' }, 't/l': { link: 'x' } },
      twoDevices,
    })
    for (const path of ['a', 't/a']) await utimes(join(app.root, path), 1e9, 1e9)
    const before = await harvest(app.root)
    const gate = new Gate('files')
    const held = gate.holdAt(0, 'before')
    const request = app.request('move', ['/a', '/d', '/l'], { places: twoDevices ? ['/1', '/2'] : undefined, taken: 'replace' })
    const jobs = await app.open(gate)
    void app.begin(jobs, request)
    await held
    await jobs.find(app.present().id, request.id).keep()
    await gate.still()
    await app.startServer()
    const job = (await app.open()).find(app.present().id, request.id)
    await job.cancel()
    await job.rested
    assert.deepEqual([job.head.state, job.head.done, await harvest(app.root), await app.acts()], ['cancelled', 0, before, []])
  })
}

test('what a paused move to another disk has moved is undone, also while an entry has begun', async (t) => {
  const app = await startActs(t, { files: { ...files, 'd/3': 'three' }, twoDevices: true })
  const before = await harvest(app.root)
  const { copyFile } = Disk.prototype
  const reached = Promise.withResolvers<void>()
  const slow = t.mock.method(Disk.prototype, 'copyFile', async function (this: Disk, ...asked: Parameters<Disk['copyFile']>) {
    if (Capability.check(asked[0], 'rename').path !== '/d/3') return copyFile.apply(this, asked)
    reached.resolve()
    return orAborted(new Promise<never>(() => {}), asked[3])
  })
  const jobs = await app.open()
  app.parts().deeds.setJobs(jobs)
  const job = await app.begin(jobs, app.request('move', ['/b.txt', '/d'], { places: ['/1', '/2'] }))
  await reached.promise
  await until(() => job.shown().done === 1, 'the file is moved')
  await job.pause()
  await job.rested
  slow.mock.restore()
  assert.deepEqual((await app.turn('undo')).left, [])
  assert.deepEqual([job.head.state, await harvest(app.root)], ['cancelled', before])
})

test('a move to another disk of which nothing could be removed is taken back', async (t) => {
  const { app, job, before } = await startMoving(t, async (_count, path, remove) => {
    if (path.startsWith('/d/')) throw new Failure('forbidden')
    return remove()
  })
  await job.rested
  assert.deepEqual([job.head.failed, await harvest(app.root), await app.acts()], [1, before, []])
})

test('the copy of a file stays and is told in the history when nothing is there any more to be removed, as after a lost answer of a disk', async (t) => {
  let isTaken = false
  const takeAway = async (_count: number, _path: string, remove: () => Promise<void>) => {
    if (!isTaken) await rename(join(app.root, 'b'), join(app.root, 'away'))
    isTaken = true
    return remove()
  }
  const { app, begin } = await openMoving(t, { b: 'B', 't/x': 'X' }, takeAway)
  const job = await begin('/b')
  await job.rested
  assert.deepEqual(await harvest(app.root), { away: 'B', 't/b': 'B', 't/x': 'X' })
  assert.deepEqual([job.head.failed, (await app.acts()).length], [1, 1])
})

test('a move to another disk of which a part stays is told in the history, and undone once that is away', async (t) => {
  const { app, job, before, after, removing } = await startMoving(t, async (_count, path, remove) => {
    if (path === '/d/e') throw new Failure('internal')
    return remove()
  })
  await job.rested
  removing.mock.restore()
  assert.deepEqual([job.head.failed, await harvest(app.root)], [1, { ...after, 'd/e/': '' }])
  assert.deepEqual((await app.turn('undo')).left, [{ path: '/t/d', how: 'taken' }])
  await rm(join(app.root, 'd'), { recursive: true })
  assert.deepEqual((await app.turn('undo')).left, [])
  assert.deepEqual(await harvest(app.root), before)
})

test('a file that replaces one on another disk comes back, and so does the other one', async (t) => {
  const files = { b: 'B', 't/b': 'old' }
  const app = await startActs(t, { files, twoDevices: true })
  const job = await app.begin(await app.open(), app.request('move', ['/b'], { taken: 'replace' }))
  await job.rested
  assert.deepEqual(await harvest(app.root), { 't/b': 'B' })
  for (const direction of ['undo', 'redo', 'undo'] as const) {
    assert.deepEqual((await app.turn(direction)).left, [], direction)
    assert.deepEqual(await harvest(app.root), direction === 'undo' ? files : { 't/b': 'B' }, direction)
  }
})

test('a file that goes through a link on another disk is not offered to be undone', async (t) => {
  const app = await startActs(t, { files: { b: 'B', 't/b': { link: 'c' }, 't/c': 'old' }, twoDevices: true })
  const job = await app.begin(await app.open(), app.request('move', ['/b'], { taken: 'replace' }))
  await job.rested
  const after = { 't/b': { link: 'c' }, 't/c': 'B' }
  assert.deepEqual([job.head.done, await harvest(app.root)], [1, after])
  assert.deepEqual((await app.turn('undo')).left, [{ path: '/t/b', how: 'throughLink' }])
  assert.deepEqual(await harvest(app.root), after)
})
