// Uploads whose names are taken: asked about one by one or all at once, and never overwritten without an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLikelyItself } from '../../src-ui/uploads/likely-itself.ts'
import { copyName } from '../../src-ui/uploads/upload-jobs.ts'
import { many, startQueue, upload } from './start-queue.ts'

test('a taken name asks and blocks no other upload; replacing sends it again with override', async () => {
  const { queue, sent, ends, phases, idOf } = startQueue()
  queue.add([upload('a'), upload('b')])
  assert.equal(sent[0]?.overwrite, false)
  await sent[0]?.fail(409)
  await sent[1]?.succeed()
  assert.deepEqual(phases(), ['asking', 'done'])
  assert.deepEqual(ends, [])
  queue.answer(new Set([idOf('/a')]), 'replace')
  assert.deepEqual([sent[2]?.path, sent[2]?.overwrite], ['/a', true])
  await sent[2]?.succeed()
  assert.deepEqual(ends, [{ files: 2, folders: 0, failed: 0, skipped: 0 }])
})

test('a name that the page knows to be taken asks before a byte is sent', () => {
  const { queue, sent, phases } = startQueue()
  queue.add([{ ...upload('a'), existing: { size: 1, modified: '', isDir: false } }, upload('b')])
  assert.deepEqual(phases(), ['asking', 'sending'])
  assert.equal(sent.length, 1)
})

test('nothing of a drop is sent before its names that are taken are asked about, and other drops go on', () => {
  const { queue, sent, idOf } = startQueue()
  const existing = { size: 1, modified: '', isDir: false }
  queue.beginBatch()
  queue.postpone(1)
  queue.add([
    { ...upload('a'), drop: 1 },
    { ...upload('b'), drop: 1, existing },
    { ...upload('other'), drop: 2 },
  ])
  const paths = () => sent.map(({ path }) => path)
  assert.deepEqual(paths(), ['/other'])
  queue.answer(new Set([idOf('/b')]), 'replace')
  assert.deepEqual(paths(), ['/other'])
  queue.add([{ ...upload('c'), drop: 1, existing }])
  queue.endBatch(1)
  assert.deepEqual(paths(), ['/other'])
  queue.answer(new Set([idOf('/c')]), 'skip')
  assert.deepEqual(paths(), ['/other', '/a', '/b'])
})

test('an answer for all remaining conflicts covers the unread rest of the drop, and no other drop', () => {
  const { queue, sent, phases, idOf } = startQueue()
  const existing = { size: 1, modified: '', isDir: false }
  const taken = (name: string, drop: number) => ({ ...upload(name), existing, drop })
  queue.add([taken('a', 1), taken('b', 1)])
  queue.answer(new Set([idOf('/a'), idOf('/b')]), 'skip', { forAll: true })
  queue.add([taken('c', 1), upload('d'), taken('e', 2)])
  assert.deepEqual(phases(), ['skipped', 'sending', 'asking'])
  assert.deepEqual(
    sent.map(({ path }) => path),
    ['/d'],
  )
  queue.retry(idOf('/c'))
  assert.deepEqual(phases(), ['asking', 'sending', 'asking'])
})

test('Esc in a conflict prompt: uploads that run finish, the rest of that drop stops, and other drops go on', async () => {
  const { queue, sent, ends, phases } = startQueue()
  const existing = { size: 1, modified: '', isDir: false }
  const first = many(7).map((one) => ({ ...one, drop: 1 }))
  queue.add(first)
  assert.equal(sent.length, 5)
  queue.add([
    { ...upload('taken'), existing, drop: 1 },
    { ...upload('other'), drop: 2 },
  ])
  queue.stopDrops(new Set([1]))
  assert.ok(sent.every(({ aborted }) => !aborted()))
  // An upload that was running finds its name taken: it is not asked about any more.
  await sent[0]?.fail(409)
  for (const one of sent.slice(1)) await one.succeed()
  assert.deepEqual(
    sent.slice(5).map(({ path }) => path),
    ['/other'],
  )
  await sent[5]?.succeed()
  assert.deepEqual(phases(), ['skipped', 'done', 'done', 'done', 'done', 'done'])
  assert.deepEqual(ends, [{ files: 5, folders: 0, failed: 0, skipped: 1 }])
})

test('a name that turns out to be taken follows the answer for all too', async () => {
  const { queue, sent, idOf } = startQueue()
  queue.add([
    { ...upload('a'), drop: 1 },
    { ...upload('b'), drop: 1 },
  ])
  await sent[0]?.fail(409)
  queue.answer(new Set([idOf('/a')]), 'keepBoth', { forAll: true })
  await sent[1]?.fail(409)
  assert.deepEqual(
    sent.slice(2).map(({ path, overwrite }) => [path, overwrite]),
    [
      ['/a(1)', false],
      ['/b(1)', false],
    ],
  )
})

test('a folder that exists already is no conflict', () => {
  const { queue, phases } = startQueue()
  queue.add([{ path: '/folder', into: '/', file: undefined, existing: { size: 0, modified: '', isDir: true } }])
  assert.deepEqual(phases(), ['sending'])
})

test('a skipped upload is not sent, does not count, and asks again when retried', async () => {
  const { queue, sent, ends, idOf, phases } = startQueue()
  queue.add([upload('a', 10), upload('b', 30)])
  await sent[0]?.fail(409)
  queue.answer(new Set([idOf('/a')]), 'skip')
  assert.equal(queue.totals.size, 30)
  await sent[1]?.succeed()
  assert.deepEqual(ends, [{ files: 1, folders: 0, failed: 0, skipped: 1 }])
  queue.retry(idOf('/a'))
  assert.equal(sent[2]?.overwrite, false)
  await sent[2]?.fail(409)
  assert.deepEqual(phases(), ['asking', 'done'])
})

test('keeping both tries name(1), then the next number, and never overwrites', async () => {
  const { queue, sent, idOf, phases } = startQueue()
  queue.add([upload('a.tar.gz')])
  await sent[0]?.fail(409)
  queue.answer(new Set([idOf('/a.tar.gz')]), 'keepBoth')
  assert.equal(sent[1]?.path, '/a.tar(1).gz')
  await sent[1]?.fail(409)
  assert.equal(sent[2]?.path, '/a.tar(2).gz')
  assert.ok(sent.every(({ overwrite }) => !overwrite))
  await sent[2]?.succeed()
  assert.deepEqual(phases(), ['done'])
})

/** A queue with one upload whose name is taken and that is to be kept beside it. */
function startKeepBoth() {
  const started = startQueue()
  const { queue } = started
  queue.add([{ ...upload('a'), drop: 1, existing: { size: 1, modified: '', isDir: false } }])
  queue.answer(new Set([queue.jobs[0]?.id ?? 0]), 'keepBoth', { forAll: true })
  return started
}

test('keeping both stores one copy only when the answer to it is lost again and again', async () => {
  const { queue, sent, phases } = startKeepBoth()
  const stored = new Set<string>()
  for (let time = 0; time < 20 && phases()[0] === 'sending'; time++) {
    const last = sent.at(-1)
    const isTaken = stored.has(last?.path ?? '')
    stored.add(last?.path ?? '')
    await last?.fail(isTaken ? 409 : 504)
    queue.goOn({ wasAway: time % 2 === 1 })
  }
  assert.deepEqual([[...stored], sent.length, phases()], [['/a(1)'], 2, ['asking']])
  // Another answer than the one for all is needed, and it holds.
  queue.answer(new Set([queue.jobs[0]?.id ?? 0]), 'keepBoth')
  assert.equal(sent.at(-1)?.path, '/a(2)')
  await sent.at(-1)?.fail(409)
  assert.equal(sent.at(-1)?.path, '/a(3)')
})

test('losses count on under the next number, and no more after a retry', async () => {
  const { queue, sent, phases } = startKeepBoth()
  for (let number = 1; number <= 5; number++) {
    if (number > 1) await sent.at(-1)?.fail(409)
    await sent.at(-1)?.fail(429)
    queue.goOn({ wasAway: false })
  }
  assert.deepEqual([phases(), sent.at(-1)?.path], [['failed'], '/a(5)'])
  queue.retryFailed()
  await sent.at(-1)?.fail(429)
  queue.goOn({ wasAway: false })
  assert.deepEqual(phases(), ['sending'])
})

test('a name that an upload has most likely taken itself is recognised by size and time', async () => {
  const { queue, sent, phases } = startQueue()
  queue.add([upload('a', 10)])
  const job = queue.jobs[0] ?? assert.fail()
  const now = new Date().toISOString()
  const existing = { size: 10, modified: now, isDir: false }
  await sent[0]?.fail(504)
  queue.goOn({ wasAway: false })
  await sent[1]?.fail(409)
  assert.deepEqual([phases(), job.existing, isLikelyItself(job)], [['asking'], undefined, false])
  assert.equal(isLikelyItself({ ...job, existing }), true)
  assert.equal(isLikelyItself({ ...job, existing: { ...existing, size: 11 } }), false)
  assert.equal(isLikelyItself({ ...job, existing: { ...existing, isDir: true } }), false)
  assert.equal(isLikelyItself({ ...job, existing: { ...existing, modified: '2020-01-01T00:00:00Z' } }), false)
})

test('an upload that the browser has sent twice by itself is recognised too, and a name that was taken before is not', async () => {
  const existing = { size: 10, modified: new Date().toISOString(), isDir: false }
  const { queue, sent } = startQueue()
  queue.add([upload('a', 10), { ...upload('b', 10), existing }])
  const [job, taken] = queue.jobs
  assert.ok(job && taken)
  // The page has seen no other answer.
  await sent[0]?.fail(409)
  assert.equal(isLikelyItself({ ...job, existing }), true)
  const earlier = { ...existing, modified: new Date((job.begun ?? 0) - 10_000).toISOString() }
  assert.equal(isLikelyItself({ ...job, existing: earlier }), false)
  assert.equal(isLikelyItself(taken), false)
})

for (const [what, answers, isItself] of [
  ['an attempt that was refused proves nothing', [[9, 401]], { 9: false, 10: false, 11: true }],
  ['an attempt whose answer was lost may have stored it', [[9, 504]], { 8: false, 9: true, 10: true, 11: true }],
  [
    'an attempt whose answer was lost may have stored it before one that was refused',
    [
      [9, 504],
      [10, 401],
    ],
    { 8: false, 9: true },
  ],
  [
    'any of several attempts whose answers were lost may have stored it',
    [
      [9, 504],
      [10, 502],
    ],
    { 8: false, 9: true, 10: true },
  ],
  [
    'an attempt that was refused before the answer to another was lost proves nothing',
    [
      [8, 401],
      [10, 504],
    ],
    { 8: false, 9: false, 10: true },
  ],
] as const)
  test(`whether an upload has most likely taken its name itself: ${what}`, async (context) => {
    const day = Date.UTC(2026, 10, 24)
    const timeOf = (hour: number) => day + hour * 3_600_000
    context.mock.timers.enable({ apis: ['Date'], now: day })
    const { queue, sent } = startQueue()
    queue.pause()
    queue.add([upload('a', 10)])
    const send = async (hour: number, status: number) => {
      context.mock.timers.setTime(timeOf(hour))
      queue.goOn({ wasAway: true })
      queue.resume()
      await sent.at(-1)?.fail(status)
    }
    for (const [hour, status] of answers) await send(hour, status)
    await send(11, 409)
    const job = queue.jobs[0] ?? assert.fail()
    for (const [hour, expected] of Object.entries(isItself)) {
      const existing = { size: 10, modified: new Date(timeOf(Number(hour)) + 1000).toISOString(), isDir: false }
      assert.equal(isLikelyItself({ ...job, existing }), expected, `a file of ${hour} o'clock`)
    }
    assert.equal(sent.length, answers.length + 1)
  })

test('the number is inserted before the extension of the name, not of its folder', () => {
  assert.equal(copyName('/v1.2/readme', 1), '/v1.2/readme(1)')
  assert.equal(copyName('/.bashrc', 3), '/(3).bashrc')
})

test('a conflict that replacing does not solve is a failure', async () => {
  const { queue, sent, idOf, phases } = startQueue()
  queue.add([upload('a')])
  await sent[0]?.fail(409)
  queue.answer(new Set([idOf('/a')]), 'replace')
  await sent[1]?.fail(409, '409 Conflict (a folder of that name is there)')
  assert.deepEqual(phases(), ['failed'])
  assert.deepEqual(queue.jobs[0]?.failure, { status: 409, message: '409 Conflict (a folder of that name is there)' })
})
