// The speed and the time left of uploads, from the bytes that were sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration } from '../../src-ui/i18n/format.ts'
import { Speed } from '../../src-ui/sending/speed.ts'
import { UploadSpeeds } from '../../src-ui/uploads/upload-speeds.ts'
import { many, startQueue, upload } from './start-queue.ts'

test('the speed is that of the last five seconds, and unknown in the first', () => {
  const speed = new Speed()
  for (const [second, bytes] of [0, 1000, 2000, 3000, 4000, 5000].entries()) {
    speed.note(second * 1000, bytes)
    assert.equal(speed.value, second === 0 ? undefined : 1000)
  }
  // It was fast, and is slow now.
  for (const second of [6, 7, 8, 9, 10, 11]) speed.note(second * 1000, 5000 + 10 * (second - 5))
  assert.equal(speed.value, 10)
  assert.equal(speed.timeFor(100), 10)
})

test('the speed falls while nothing is sent, and the time left is unknown then', () => {
  const speed = new Speed()
  speed.note(0, 0)
  speed.note(1000, 5000)
  assert.equal(speed.value, 5000)
  for (const second of [2, 3, 4, 5, 6, 7]) speed.note(second * 1000, 5000)
  assert.equal(speed.value, 0)
  assert.equal(speed.timeFor(100), undefined)
})

test('fewer bytes than before, as after a cancelled upload, begin anew', () => {
  const speed = new Speed()
  speed.note(0, 0)
  speed.note(1000, 5000)
  speed.note(2000, 1000)
  assert.equal(speed.value, undefined)
})

test('a duration is shown in one unit, which is never a lonely one that does not change', () => {
  const shown = [0.2, 59, 90, 91, 3600, 5401, 100_000, 200_000].map(formatDuration)
  assert.deepEqual(shown, ['1 sec', '59 sec', '90 sec', '2 min', '60 min', '2 hr', '28 hr', '3 days'])
})

test('while the person pauses, what is sent is finished and nothing else begins', async () => {
  const { queue, sent, phases } = startQueue()
  queue.add(many(7))
  queue.pause()
  await sent[0]?.succeed()
  assert.deepEqual(phases().slice(0, 6), ['done', 'sending', 'sending', 'sending', 'sending', 'waiting'])
  assert.equal(sent.length, 5)
  queue.resume()
  assert.equal(sent.length, 6)
})

test('no speed is shown while a name is asked about, and afterwards it is measured anew', async () => {
  const { queue, sent } = startQueue()
  const speeds = new UploadSpeeds()
  const at = (second: number) => speeds.measure(second * 1000, queue).speed
  queue.add([upload('sent', 5000), upload('taken', 5000)])
  at(0)
  await sent[0]?.succeed()
  assert.equal(at(1), 5000)
  await sent[1]?.fail(409)
  assert.deepEqual([at(2), at(60)], [undefined, undefined])
  queue.answer(new Set(queue.jobs.map(({ id }) => id)), 'replace')
  at(61)
  sent[2]?.progress(3000)
  assert.equal(at(62), 3000)
})

test('what the server has kept of an upload counts as progress, and not as speed', async () => {
  const { queue, sent } = startQueue()
  const speeds = new UploadSpeeds()
  const at = (second: number) => speeds.measure(second * 1000, queue)
  queue.add([upload('large', 20_000)])
  at(0)
  sent[0]?.kept(15_000)
  assert.equal(queue.totals.loaded, 15_000)
  sent[0]?.progress(15_100)
  const { speed, speeds: each, timeLeft } = at(1)
  assert.deepEqual([speed, [...each.values()], timeLeft], [100, [100], 49])
})
