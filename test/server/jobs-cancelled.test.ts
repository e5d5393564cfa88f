// What a copy leaves that is cancelled, or paused first.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { orAborted } from '../../src-server/base/or-aborted.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { startActs } from '../support/start-acts.ts'
import { harvest } from '../support/tree.ts'

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
