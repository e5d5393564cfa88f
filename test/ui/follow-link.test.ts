// The page of a link: when it is connected, and when it reads its link again.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { LinkHandlers } from '../../src-ui/api/link-socket.ts'
import { followLink } from '../../src-ui/share-page/follow-link.ts'

type FakePage = EventTarget & { visibilityState: DocumentVisibilityState }

function start(context: TestContext, { visibility = 'visible' as DocumentVisibilityState } = {}) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const time = { now: 0 }
  context.mock.method(performance, 'now', () => time.now)
  const page: FakePage = Object.assign(new EventTarget(), { visibilityState: visibility })
  const frame = new EventTarget()
  const sockets: { handlers: LinkHandlers; isClosed: boolean }[] = []
  const readings: (() => void)[] = []
  const connect = (hash: string, handlers: LinkHandlers) => {
    assert.equal(hash, 'abc')
    const socket = { handlers, isClosed: false }
    sockets.push(socket)
    return () => {
      socket.isClosed = true
    }
  }
  const read = () => new Promise<void>((resolve) => readings.push(resolve))
  const parts = { hash: 'abc', read, page: page as unknown as Document, frame: frame as unknown as Window, connect }
  const end = followLink({ ...parts, random: () => 0.5 })
  const pass = (milliseconds: number) => {
    time.now += milliseconds
    context.mock.timers.tick(milliseconds)
  }
  const show = (state: DocumentVisibilityState) => {
    page.visibilityState = state
    page.dispatchEvent(new Event('visibilitychange'))
  }
  /** The last reading has ended. */
  const answer = async () => {
    readings.at(-1)?.()
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const tell = (event: string) => void frame.dispatchEvent(new Event(event))
  /** Sockets that were opened, those that are open, and readings. */
  const counts = () => [sockets.length, sockets.filter(({ isClosed }) => !isClosed).length, readings.length]
  return { sockets, counts, pass, show, answer, tell, end, last: () => sockets.at(-1)?.handlers as LinkHandlers }
}

test('a change is read within 200 ms, and the link is followed again at once', async (context) => {
  const { last, counts, pass, answer } = start(context)
  last().onAlive()
  last().onClose(true)
  assert.deepEqual(counts(), [1, 0, 0])
  pass(200)
  assert.deepEqual(counts(), [1, 0, 1])
  await answer()
  assert.deepEqual(counts(), [2, 1, 1])
})

test('without a connection the link is read every 15 seconds, and less often when that takes long', async (context) => {
  const { last, counts, pass, answer } = start(context)
  for (let round = 1; round <= 3; round++) {
    last().onClose(false)
    pass(200)
    await answer()
    assert.deepEqual(counts(), [round, 0, round])
    pass(14_999)
    assert.deepEqual(counts(), [round, 0, round])
    pass(1)
    assert.deepEqual(counts(), [round + 1, 1, round])
  }
  last().onClose(false)
  pass(200)
  pass(5000)
  await answer()
  pass(99_000)
  assert.deepEqual(counts(), [4, 0, 4])
  pass(1000)
  assert.deepEqual(counts(), [5, 1, 4])
})

test('a connection that does not answer, and one that falls silent, are given up', async (context) => {
  const { last, counts, pass, answer } = start(context)
  pass(8000)
  assert.deepEqual(counts(), [1, 0, 0])
  pass(200)
  await answer()
  pass(15_000)
  last().onAlive()
  pass(25_000)
  last().onAlive()
  pass(39_999)
  assert.deepEqual(counts(), [2, 1, 1])
  pass(1)
  assert.deepEqual(counts(), [2, 0, 1])
  pass(200)
  assert.deepEqual(counts(), [2, 0, 2])
})

test('a page that is hidden for a minute is not connected, and reads its link when it is shown again', async (context) => {
  const { last, counts, pass, show, answer } = start(context)
  last().onAlive()
  show('hidden')
  pass(30_000)
  show('visible')
  assert.deepEqual(counts(), [1, 1, 0])
  last().onAlive()
  show('hidden')
  pass(39_000)
  last().onAlive()
  pass(21_000)
  assert.deepEqual(counts(), [1, 0, 0])
  pass(600_000)
  assert.deepEqual(counts(), [1, 0, 0])
  show('visible')
  assert.deepEqual(counts(), [1, 0, 1])
  await answer()
  assert.deepEqual(counts(), [2, 1, 1])
})

test('a page that begins hidden, or comes back from the history, does the same', async (context) => {
  const { counts, show, answer, tell } = start(context, { visibility: 'hidden' })
  assert.deepEqual(counts(), [0, 0, 0])
  show('visible')
  await answer()
  assert.deepEqual(counts(), [1, 1, 1])
  tell('pageshow')
  assert.deepEqual(counts(), [1, 1, 1])
  tell('pagehide')
  assert.deepEqual(counts(), [1, 0, 1])
  tell('pageshow')
  await answer()
  assert.deepEqual(counts(), [2, 1, 2])
})

test('after the end nothing is read and nothing connects, whatever comes', async (context) => {
  const { last, counts, pass, show, answer, end } = start(context)
  last().onClose(true)
  pass(200)
  end()
  await answer()
  show('visible')
  pass(600_000)
  assert.deepEqual(counts(), [1, 0, 1])
})
