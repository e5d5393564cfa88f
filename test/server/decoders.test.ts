// The child processes that decode pictures: their limits, their end, and what they know.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { measureProcess, type Picture, usualLimits } from '../../src-server/previews/decoder.ts'
import { DecoderPool, type PoolOptions } from '../../src-server/previews/decoder-pool.ts'
import { PreviewCache } from '../../src-server/previews/preview-cache.ts'
import { Previews } from '../../src-server/previews/previews.ts'
import { picture, slowSvg, zeroPng } from '../support/pictures.ts'
import { temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const small = await picture('png', 40, 30)

function start(t: TestContext, options: PoolOptions = {}) {
  const pool = new DecoderPool({ most: 2, ...options })
  t.after(() => pool.close())
  const run = (bytes: Uint8Array | string, signal = new AbortController().signal) => pool.run('thumb', read(bytes), signal)
  return { pool, run }
}

function read(content: Uint8Array | string): Picture {
  const bytes = Buffer.from(content)
  return {
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += 1 << 20) yield bytes.subarray(at, at + (1 << 20))
    },
  }
}

/** A picture whose file never answers. */
const hanging: Picture = {
  size: 1000,
  async *read({ signal }) {
    yield Buffer.alloc(10)
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}

const failsWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.equal(error.code, code, error.message)
  return true
}

const isRunning = (pid: number) => existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

test('one process decodes one picture after another', async (t) => {
  const { pool, run } = start(t)
  assert.equal((await run(small)).head.type, 'image/webp')
  const [pid] = pool.pids
  assert.equal((await run(small)).head.type, 'image/webp')
  assert.deepEqual(pool.pids, [pid])
})

test('there are never more processes than allowed', async (t) => {
  const { pool, run } = start(t)
  const counts: number[] = []
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await run(small)
      counts.push(pool.pids.length)
    }),
  )
  assert.ok(Math.max(...counts) <= 2)
})

test('a picture that needs more memory than allowed ends its process, and the next is decoded', async (t) => {
  const { pool, run } = start(t, { limits: { ...usualLimits, time: 100_000 } })
  await run(small)
  const [first = 0] = pool.pids
  // 100 megapixels of 8 bytes, which an interlaced picture keeps in memory until its last row.
  await assert.rejects(run(zeroPng(10_000, 9_999, { bits: 16, channels: 4, interlaced: true })), failsWith('tooLarge'))
  await until(() => !isRunning(first), 'the process is ended')
  assert.equal((await run(small)).head.type, 'image/webp')
})

test('a picture that takes too long ends its process, and the next is decoded', async (t) => {
  const { pool, run } = start(t, { limits: { ...usualLimits, time: 300 } })
  await run(small)
  const [first = 0] = pool.pids
  await assert.rejects(run(slowSvg), failsWith('tooLarge'))
  await until(() => !isRunning(first), 'the process is ended')
  assert.equal((await run(small)).head.type, 'image/webp')
})

test('a picture for which the machine is too busy is not called too large', async (t) => {
  const { pool, run } = start(t, { limits: { ...usualLimits, time: 300, waiting: 4000 } })
  await run(small)
  const [first = 0] = pool.pids
  process.kill(first, 'SIGSTOP')
  await assert.rejects(run(small), failsWith('busy'))
  await until(() => !isRunning(first), 'the process is ended')
})

test('a file that is not read in time occupies no process', async (t) => {
  const { pool, run } = start(t, { limits: { ...usualLimits, reading: 100 } })
  await assert.rejects(pool.run('thumb', hanging, new AbortController().signal), failsWith('busy'))
  assert.equal((await run(small)).head.type, 'image/webp')
})

test('when nobody waits for a picture any longer, its process ends, or keeps what it finished at once', async (t) => {
  const { pool, run } = start(t)
  const left = new AbortController()
  const reason = new Error('the client left')
  const waiting = run(slowSvg, left.signal)
  await until(() => pool.pids.length > 0, 'a process works')
  const [pid = 0] = pool.pids
  left.abort(reason)
  await assert.rejects(waiting, reason)
  await until(() => !isRunning(pid), 'the process is ended')
  await assert.rejects(run(small, left.signal), reason)
})

test('a process that was ended from outside is replaced while it decodes', async (t) => {
  const { pool, run } = start(t)
  await run(small)
  const [pid = 0] = pool.pids
  const waiting = run(zeroPng(9_000, 9_000, { channels: 4 }))
  process.kill(pid, 'SIGKILL')
  assert.equal((await waiting).head.type, 'image/webp')
})

test('a process that had no work for ten seconds is ended', async (t) => {
  const { pool, run } = start(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await run(small)
  t.mock.timers.tick(9_999)
  assert.equal(pool.pids.length, 1)
  t.mock.timers.tick(1)
  assert.equal(pool.pids.length, 0)
})

test('a process does not keep the files of the pictures that it has decoded', async (t) => {
  const { pool, run } = start(t)
  const large = Buffer.concat([small, Buffer.alloc(32 << 20, 1)])
  await run(small)
  const [pid = 0] = pool.pids
  const before = measureProcess(pid).memory
  for (let times = 0; times < 2; times++) {
    await run(large)
    await until(() => measureProcess(pid).memory < before + (16 << 20), 'the file of 32 MiB is given back')
  }
  assert.deepEqual(pool.pids, [pid])
})

test('a process without work is ended, and closing ends all', async (t) => {
  const idle = start(t, { idle: 1 })
  await idle.run(small)
  await until(() => idle.pool.pids.length === 0, 'the process without work is ended')
  const { pool, run } = start(t)
  await run(small)
  const [pid = 0] = pool.pids
  pool.close()
  await until(() => !isRunning(pid), 'the process is ended')
  await assert.rejects(run(small), failsWith('busy'))
})

test('a process knows no secret of the server and has none of its files open', async (t) => {
  process.env.HOLDALL_TEST_SECRET = 'a secret'
  t.after(() => {
    delete process.env.HOLDALL_TEST_SECRET
  })
  const { pool, run } = start(t)
  await run(small)
  const [pid = 0] = pool.pids
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  assert.deepEqual(environment.map((line) => line.split('=')[0]).sort(), ['MALLOC_ARENA_MAX', 'UV_THREADPOOL_SIZE'])
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  assert.deepEqual(
    open.filter((target) => target.startsWith('/') && !target.startsWith('/dev/')),
    [],
  )
  assert.equal(readlinkSync(`/proc/${pid}/cwd`), '/')
})

test('a machine that cannot decode pictures says so once, and does not blame the pictures', async (t) => {
  const reports: unknown[] = []
  const cache = new PreviewCache({ folder: await temporaryFolder(t) })
  const previews = new Previews({ cache, report: (error) => reports.push(error) })
  t.after(() => previews.close())
  const key = { identity: '/a', version: 'v', size: 'thumb' } as const
  const signal = new AbortController().signal
  const { execPath } = process
  process.execPath = '/nowhere/node'
  t.after(() => {
    process.execPath = execPath
  })
  for (const _ of [1, 2]) await assert.rejects(previews.make(key, read(small), signal), failsWith('unsupported'))
  assert.equal(reports.length, 1)
  process.execPath = execPath
  assert.equal((await previews.make(key, read(small), signal)).type, 'image/webp')
})

test('there are as many processes as processors, but three for more than one user and four at most', async (t) => {
  const pool = new DecoderPool()
  t.after(() => pool.close())
  const signal = new AbortController().signal
  await Promise.all(Array.from({ length: 12 }, () => pool.run('thumb', read(small), signal)))
  assert.ok(pool.pids.length <= Math.min(4, Math.max(3, availableParallelism())))
})
