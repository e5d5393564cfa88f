// Copies by a job for which the disk has no space.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { startActs } from '../support/start-acts.ts'
import { harvest } from '../support/tree.ts'

for (const isUndone of [true, false]) {
  test(`a copy of a folder for which the disk is full leaves no empty folder, and is ${isUndone ? 'undone' : 'done'} afterwards`, async (t) => {
    const app = await startActs(t, { files: { 'd/1': 'one', 'd/e/2': 'two', 'b.txt': 'B', 't/x': 'X' } })
    const { copyFile } = Disk.prototype
    const full = t.mock.method(Disk.prototype, 'copyFile', async function (this: Disk, ...asked: Parameters<Disk['copyFile']>) {
      if (Capability.check(asked[0], 'download').path !== '/b.txt') throw new Failure('full', 'no space is left')
      return copyFile.apply(this, asked)
    })
    const before = await harvest(app.root)
    const request = app.request('copy', ['/d', '/b.txt'])
    const job = await app.begin(await app.open(), request)
    await job.rested
    assert.deepEqual([job.head.done, job.head.failed], [1, 1])
    assert.deepEqual(await harvest(app.root), { ...before, 't/b.txt': 'B' })
    full.mock.restore()
    if (!isUndone) {
      await job.retry()
      await job.rested
      assert.equal((await harvest(app.root))['t/d/e/2'], 'two')
    }
    const { left } = await app.turn('undo')
    assert.deepEqual([left, await harvest(app.root)], [[], before])
  })
}
