import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { waitsForDisk } from '../../src-server/disk/device-calls.ts'
import { fileSystemOf, fileSystemOn } from '../../src-server/disk/file-systems.ts'
import { descriptorStrategy } from '../../src-server/disk/path-handle.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { namesIn } from '../support/in-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { temporaryFolder } from '../support/tree.ts'

const open = promisify(fs.open)
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4

test('uploads into a frozen file system block no other request', async (t) => {
  const fifo = join(await temporaryFolder(t), 'fifo')
  execFileSync('mkfifo', [fifo])
  let held = 0
  const isHeld = Promise.withResolvers<void>()
  // Opening a FIFO without a writer blocks a thread of the pool, as a sync of a frozen file system does.
  const system: DiskSystem = {
    ...diskSystem,
    sync: async (fd) => {
      held++
      isHeld.resolve()
      fs.closeSync(await open(fifo, 'r'))
      await diskSystem.sync(fd)
    },
  }
  const { disk } = await openDisk(t, { files: { 'd/f': 'x' }, options: () => ({ system }) })
  const uploads = Array.from({ length: 2 * threads }, (_, index) =>
    disk.write(capability('create', `/${index}`), body('x'), { replace: false }),
  )
  let thaw: number | undefined
  try {
    await isHeld.promise
    // Each of these runs in the pool, and would wait if every thread were blocked.
    for (let round = 0; round < 20; round++) assert.deepEqual(await namesIn(disk, '/d'), ['f'])
    assert.ok(held <= threads / 2, `${held} of ${threads} threads are held`)
  } finally {
    thaw = fs.openSync(fifo, fs.constants.O_RDWR)
    await Promise.allSettled(uploads)
    fs.closeSync(thaw)
  }
  assert.equal((await namesIn(disk)).length, 2 * threads + 1)
})

test('the type of a file system is not learned from a handle that was closed and leads to a file of another one', async (t) => {
  const folder = await descriptorStrategy.openPath(await temporaryFolder(t))
  t.after(() => folder.close())
  const other = fs.openSync('/proc/self', fs.constants.O_DIRECTORY)
  t.after(() => fs.closeSync(other))
  const learned = await fileSystemOf({ ...folder, stats: fs.fstatSync(other, { bigint: true }) })
  assert.deepEqual([learned.isLearned, learned.isLocal], [false, false])
  const own = await fileSystemOf(folder)
  assert.equal(own.isLearned, true)
})

test('a request that gave up on a device no longer counts as one that waits for it', async (t) => {
  const folder = await descriptorStrategy.openPath(await temporaryFolder(t))
  t.after(() => folder.close())
  const stats = Object.assign(fs.statSync('.', { bigint: true }), { dev: 1n << 40n })
  const held = Promise.withResolvers<void>()
  const running = Array.from({ length: threads }, () => fileSystemOn(stats.dev).calls.read(() => held.promise))
  const leaving = new AbortController()
  const asked = fileSystemOf({ ...folder, stats }, leaving.signal)
  leaving.abort()
  await assert.rejects(async () => asked)
  const later = performance.now() + 60_000
  t.mock.method(performance, 'now', () => later)
  assert.equal(waitsForDisk(leaving.signal), false)
  held.resolve()
  await Promise.all(running)
})
