// Threads that share the work: failures, idle threads and transferred memory.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { WorkerPool } from '../../src-server/base/worker-pool.ts'
import { until } from '../support/until.ts'

type Request = { fails?: 'throws' | 'exits'; bytes?: ArrayBuffer; unsendable?: () => void }
type Answer = { thread: number; size?: number }

const start = (most = 1) => new WorkerPool<Request, Answer>('../test/support/pool-thread.ts', most)

/** The threads of this process that run now. */
function running(): number {
  Object.assign(process.report, { excludeNetwork: true })
  return (process.report.getReport() as unknown as { workers: unknown[] }).workers.length
}

/** Sets the clock forward until the idle threads end, and waits for their end. */
async function rest(t: TestContext): Promise<void> {
  t.mock.timers.tick(10_000)
  t.mock.timers.reset()
  await until(() => running() === 0, 'the idle threads end')
}

for (const [fails, reason] of [
  ['throws', /the thread threw/],
  ['exits', /the thread ended/],
] as const)
  test(`a thread that ${fails} fails its job alone, and the next job has another thread`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pool = start()
    const { thread } = await pool.run({})
    const failing = assert.rejects(pool.run({ fails }), reason)
    // It waits when the only thread ends.
    const waiting = await pool.run({})
    await failing
    assert.notEqual(waiting.thread, thread)
    assert.deepEqual(await pool.run({}), waiting)
    await rest(t)
  })

test('jobs that each end a thread fail one by one, and the pool goes on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pool = start(2)
  const failing = Array.from({ length: 5 }, () => assert.rejects(pool.run({ fails: 'exits' }), /the thread ended/))
  const answer = pool.run({})
  await Promise.all(failing)
  assert.ok((await answer).thread > 0)
  await rest(t)
})

test('no more threads run than the pool may have', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pool = start(2)
  const answers = await Promise.all(Array.from({ length: 20 }, () => pool.run({})))
  assert.ok(new Set(answers.map(({ thread }) => thread)).size <= 2)
  assert.ok(running() <= 2)
  await rest(t)
})

test('idle threads end after 10 s, and later work starts another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pool = start()
  const { thread } = await pool.run({})
  t.mock.timers.tick(9999)
  assert.deepEqual(await pool.run({}), { thread, size: undefined })
  // The work in between begins the time anew.
  t.mock.timers.tick(9999)
  assert.deepEqual(await pool.run({}), { thread, size: undefined })
  await rest(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  assert.notEqual((await pool.run({})).thread, thread)
  await rest(t)
})

test('the others of a thread that failed end too when they are idle', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pool = start(2)
  const failing = assert.rejects(pool.run({ fails: 'exits' }))
  await Promise.all([pool.run({}), failing])
  await rest(t)
})

test('transferred memory goes to the thread and leaves the caller', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pool = start()
  const [bytes, copied] = [new ArrayBuffer(1000), new ArrayBuffer(1000)]
  assert.equal((await pool.run({ bytes }, [bytes])).size, 1000)
  assert.equal(bytes.detached, true)
  assert.equal((await pool.run({ bytes: copied })).size, 1000)
  assert.equal(copied.detached, false)
  await rest(t)
})

test('a request that cannot be sent fails, and its thread goes on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pool = start()
  await assert.rejects(pool.run({ unsendable: () => undefined }), { name: 'DataCloneError' })
  assert.ok((await pool.run({})).thread > 0)
  await rest(t)
})
