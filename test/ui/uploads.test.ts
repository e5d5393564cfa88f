import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyName, type Upload } from '../../src-ui/state/upload-job.ts'
import { type Ended, UploadQueue } from '../../src-ui/state/upload-queue.ts'
import { noTotals, percentOf } from '../../src-ui/state/upload-totals.ts'

const bytes = (size: number) => new Blob([new Uint8Array(size)])
const upload = (name: string, size = 10): Upload => ({ path: `/${name}`, into: '/', file: bytes(size) })
const many = (count: number, size = 10) => Array.from({ length: count }, (_, index) => upload(`file ${index}`, size))

type Sent = {
  path: string
  overwrite: boolean
  isFolder: boolean
  aborted: () => boolean
  progress: (sent: number) => void
  succeed: () => Promise<void>
  fail: (status: number, message?: string) => Promise<void>
}

/** A queue whose transport and clock the test holds in its hands. */
function startQueue() {
  const sent: Sent[] = []
  const ends: Ended[] = []
  const alarms: { at: number; work: () => void }[] = []
  let time = 0
  let changes = 0
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  const queue = new UploadQueue(
    (job, { progress, signal }) =>
      new Promise<void>((resolve, reject) => {
        const { path, overwrite, file } = job
        const fail = (status: number, message = '') => {
          reject({ status, message })
          return settled()
        }
        const succeed = () => {
          resolve()
          return settled()
        }
        sent.push({ path, overwrite, isFolder: !file, aborted: () => signal.aborted, progress, succeed, fail })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    { now: () => time, after: (delay, work) => alarms.push({ at: time + delay, work }) },
    { changed: () => changes++, ended: (result) => ends.push(result) },
  )
  return {
    queue,
    sent,
    ends,
    changes: () => changes,
    pass(milliseconds: number) {
      time += milliseconds
      for (const alarm of alarms.splice(0)) {
        if (alarm.at <= time) alarm.work()
        else alarms.push(alarm)
      }
    },
    phases: () => queue.jobs.map((job) => job.phase),
    idOf: (path: string) => queue.jobs.find((job) => job.path === path)?.id ?? -1,
  }
}

test('at most five run at once; the next starts when one has ended, in the order of arrival', async () => {
  const { queue, sent } = startQueue()
  queue.add(many(8))
  assert.deepEqual(
    sent.map(({ path }) => path),
    ['/file 0', '/file 1', '/file 2', '/file 3', '/file 4'],
  )
  await sent[3]?.succeed()
  assert.equal(sent.length, 6)
  assert.equal(sent[5]?.path, '/file 5')
  await sent[0]?.fail(500)
  assert.equal(sent[6]?.path, '/file 6')
  assert.equal(queue.totals.sending, 5)
})

test('the end comes once, when queue and active set are both empty, and says what became of them', async () => {
  const { queue, sent, ends } = startQueue()
  queue.add([{ path: '/folder', into: '/', file: undefined }, upload('folder/a'), upload('folder/b')])
  assert.equal(sent[0]?.isFolder, true)
  for (const one of sent.slice(0, 2)) await one.succeed()
  assert.deepEqual(ends, [])
  await sent[2]?.fail(507, '507 Insufficient Storage')
  assert.deepEqual(ends, [{ files: 1, folders: 1, failed: 1, skipped: 0 }])
})

test('the percentage is loaded over total, summed and rounded up', () => {
  const { queue, sent } = startQueue()
  queue.add([upload('small', 100), upload('large', 900)])
  assert.equal(percentOf(queue.totals), 0)
  sent[0]?.progress(1)
  assert.equal(percentOf(queue.totals), 1)
  sent[1]?.progress(450)
  assert.equal(percentOf(queue.totals), 46)
  // A transport that counts its own wrapping counts too much.
  sent[1]?.progress(1000)
  assert.equal(percentOf(queue.totals), 91)
})

test('files without a byte are 100 per cent when they are done', () => {
  assert.equal(percentOf({ ...noTotals, waiting: 1, done: 1 }), 0)
  assert.equal(percentOf({ ...noTotals, done: 2 }), 100)
  assert.equal(percentOf(noTotals), 0)
})

test('progress is told at most once in 100 ms, and the last word always', () => {
  const { queue, sent, changes, pass } = startQueue()
  queue.add([upload('a', 1000)])
  assert.equal(changes(), 1)
  for (let step = 1; step <= 9; step++) {
    pass(10)
    sent[0]?.progress(step * 10)
  }
  assert.equal(changes(), 1)
  pass(10)
  assert.equal(changes(), 2)
  pass(300)
  assert.equal(changes(), 2)
})

test('10,000 files are one change, five requests and no more', () => {
  const { queue, sent, changes } = startQueue()
  queue.add(many(10_000, 1))
  assert.equal(changes(), 1)
  assert.equal(sent.length, 5)
  assert.equal(queue.totals.waiting, 9_995)
})

test('a taken name asks and holds up nobody; replacing sends it again with override', async () => {
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

test('an answer for all that remain counts for what of the drop is still to be read, and for no other drop', () => {
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

test('a folder that is there already is no conflict', () => {
  const { queue, phases } = startQueue()
  queue.add([{ path: '/folder', into: '/', file: undefined, existing: { size: 0, modified: '', isDir: true } }])
  assert.deepEqual(phases(), ['sending'])
})

test('what is skipped is not sent, does not count, and asks again when retried', async () => {
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

test('the number stands before the ending of the name, not of its folder', () => {
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

test('cancelling takes an upload off the list, stops its request and starts the next', async () => {
  const { queue, sent, idOf, ends } = startQueue()
  queue.add(many(6))
  queue.cancel(idOf('/file 2'))
  assert.equal(sent[2]?.aborted(), true)
  assert.equal(sent[5]?.path, '/file 5')
  assert.equal(queue.jobs.length, 5)
  assert.equal(queue.totals.size, 50)
  queue.cancelAll()
  await sent[5]?.succeed()
  assert.equal(queue.jobs.length, 0)
  assert.deepEqual(ends, [{ files: 0, folders: 0, failed: 0, skipped: 0 }])
  assert.deepEqual(queue.totals, noTotals)
})

test('only what failed is tried again, and its end is told with what it brought', async () => {
  const { queue, sent, ends, phases } = startQueue()
  queue.add(many(3))
  await sent[0]?.succeed()
  await sent[1]?.fail(0, 'The server could not be reached.')
  await sent[2]?.fail(507)
  queue.retryFailed()
  assert.deepEqual(
    sent.slice(3).map(({ path }) => path),
    ['/file 1', '/file 2'],
  )
  for (const again of sent.slice(3)) await again.succeed()
  assert.deepEqual(phases(), ['done', 'done', 'done'])
  assert.deepEqual(ends.at(-1), { files: 2, folders: 0, failed: 0, skipped: 0 })
})

test('new uploads after the end count from nothing; what failed stays on the list', async () => {
  const { queue, sent, phases } = startQueue()
  queue.add(many(2))
  await sent[0]?.succeed()
  await sent[1]?.fail(507)
  queue.add([upload('new', 40)])
  assert.deepEqual(phases(), ['failed', 'sending'])
  assert.equal(queue.totals.size, 40)
  assert.equal(percentOf(queue.totals), 0)
})

test('taking a failed line off the list is no second end', async () => {
  const { queue, sent, ends, idOf } = startQueue()
  queue.add(many(2))
  await sent[0]?.succeed()
  await sent[1]?.fail(507)
  queue.cancel(idOf('/file 1'))
  queue.clear()
  assert.equal(ends.length, 1)
  assert.equal(queue.jobs.length, 0)
})

test('a session that has ended holds the queue; the upload goes on once somebody has signed in', async () => {
  const { queue, sent, ends, phases } = startQueue()
  queue.add(many(7))
  await sent[0]?.fail(401)
  assert.equal(sent.length, 5)
  assert.equal(queue.totals.waiting, 3)
  for (const one of sent.slice(1, 5)) await one.fail(401)
  assert.deepEqual(new Set(phases()), new Set(['waiting']))
  queue.release()
  assert.equal(queue.totals.sending, 5)
  for (let index = 5; index < 12; index++) await sent[index]?.succeed()
  assert.deepEqual(ends, [{ files: 7, folders: 0, failed: 0, skipped: 0 }])
})
