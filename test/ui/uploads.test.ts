import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noTotals, percentOf } from '../../src-ui/uploads/upload-jobs.ts'
import { many, startQueue, upload } from './start-queue.ts'

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

test('while a drop is being read the queue does not end, though everything that was read is sent', async () => {
  const { queue, sent, ends } = startQueue()
  queue.beginBatch()
  queue.add([upload('a')])
  await sent[0]?.succeed()
  assert.deepEqual([ends, queue.isOpen], [[], true])
  queue.add([upload('b')])
  queue.endBatch()
  assert.deepEqual(ends, [])
  await sent[1]?.succeed()
  assert.deepEqual([ends, queue.isOpen], [[{ files: 2, folders: 0, failed: 0, skipped: 0 }], false])
})

test('the percentage is loaded over total, summed and rounded up', () => {
  const { queue, sent } = startQueue()
  queue.add([upload('small', 100), upload('large', 900)])
  assert.equal(percentOf(queue.totals), 0)
  sent[0]?.progress(1)
  assert.equal(percentOf(queue.totals), 1)
  sent[1]?.progress(450)
  assert.equal(percentOf(queue.totals), 46)
  // A transport may report more bytes than the file has, for its multipart envelope.
  sent[1]?.progress(1000)
  assert.equal(percentOf(queue.totals), 91)
})

test('files without a byte are 100 per cent when they are done', () => {
  assert.equal(percentOf({ ...noTotals, waiting: 1, done: 1 }), 0)
  assert.equal(percentOf({ ...noTotals, done: 2 }), 100)
  assert.equal(percentOf(noTotals), 0)
})

test('progress is reported at most once in 100 ms, and the last value always', () => {
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

test('cancelling removes an upload from the list, stops its request and starts the next', async () => {
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

test('only failed uploads are retried, and the end reports their results alone', async () => {
  const { queue, sent, ends, phases } = startQueue()
  queue.add(many(3))
  await sent[0]?.succeed()
  await sent[1]?.fail(413)
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

test('removing a failed upload from the list is no second end', async () => {
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
  queue.resume()
  assert.equal(queue.totals.sending, 5)
  for (let index = 5; index < 12; index++) await sent[index]?.succeed()
  assert.deepEqual(ends, [{ files: 7, folders: 0, failed: 0, skipped: 0 }])
})

test('what is lost with the connection is sent again when the server is back, in its order and before the rest', async () => {
  const { queue, sent, ends, losses } = startQueue()
  queue.add(many(7))
  for (const one of sent.slice(0, 5)) await one.fail(0, 'The server could not be reached.')
  assert.deepEqual([sent.length, losses(), queue.isAway, queue.totals.waiting, queue.totals.failed], [5, 5, true, 7, 0])
  queue.goOn({ wasAway: true })
  assert.deepEqual(
    [sent.slice(5).map(({ path }) => path), queue.isAway],
    [['/file 0', '/file 1', '/file 2', '/file 3', '/file 4'], false],
  )
  for (let index = 5; index < 12; index++) await sent[index]?.succeed()
  assert.deepEqual(ends, [{ files: 7, folders: 0, failed: 0, skipped: 0 }])
})

test('an upload that is lost again and again while the server answers fails; a server that is busy is asked again', async () => {
  const { queue, sent, phases } = startQueue()
  queue.add([upload('gone')])
  for (const status of [0, 503, 429, 0, 0]) {
    await sent.at(-1)?.fail(status, 'lost')
    queue.goOn({ wasAway: false })
  }
  assert.deepEqual([phases(), sent.length], [['failed'], 5])
  queue.retryFailed()
  for (let time = 0; time < 9; time++) {
    await sent.at(-1)?.fail(0)
    queue.goOn({ wasAway: true })
  }
  assert.deepEqual(phases(), ['sending'])
})

const large = 17 << 20

test('a large file that breaks off goes on from what has arrived, and each part that arrives is no loss', async () => {
  const { queue, sent, losses } = startQueue()
  queue.add([upload('large', large)])
  const lost = async (index: number, kept: number) => {
    sent[index]?.kept(kept)
    await sent[index]?.fail(0)
    queue.goOn({ wasAway: false })
  }
  for (let index = 0; index < 8; index++) await lost(index, (index + 1) << 20)
  assert.equal(losses(), 8)
  assert.deepEqual([queue.jobs[0]?.phase, queue.jobs[0]?.lostSince], ['sending', undefined])
  assert.equal(queue.totals.loaded, 8 << 20)
  for (let index = 8; index < 13; index++) await lost(index, 8 << 20)
  assert.equal(queue.jobs[0]?.phase, 'failed')
})

test('too many that are unfinished fail at once: to wait for the server would be in vain', async () => {
  const { queue, sent, phases, losses } = startQueue()
  queue.add([upload('large', large), upload('small')])
  await sent[0]?.fail(429, '', { code: 'tooManyUploads', params: {} })
  assert.deepEqual([phases(), losses(), queue.isAway], [['failed', 'sending'], 0, false])
})

test('a pause stops large files at once, and they go on where they stopped', async () => {
  const { queue, sent, phases, removed } = startQueue()
  queue.add([upload('large', large), upload('small')])
  sent[0]?.kept(1 << 20)
  sent[0]?.progress(3 << 20)
  queue.pause()
  assert.deepEqual([sent[0]?.aborted(), sent[1]?.aborted(), phases()], [true, false, ['waiting', 'sending']])
  assert.equal(queue.totals.loaded, 1 << 20)
  queue.resume()
  assert.equal(sent[2]?.path, '/large')
  await sent[2]?.succeed()
  assert.deepEqual(removed, [])
})

test('what the person cancels is told, and what is left with the page is not', () => {
  const { queue, removed, idOf } = startQueue()
  queue.add([upload('a', large), upload('b', large), upload('c', large)])
  queue.cancel(idOf('/a'))
  queue.discard()
  assert.deepEqual(removed, ['/a'])
})
