// The connection of live folders: when it is open, when it is tried again, and what it tells its followers.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { presenceSlice } from '../../src-ui/core/presence.ts'
import { isSignInAsked, locked, token, user } from '../../src-ui/core/session.ts'
import { tokenOf } from './answering.ts'
import { type FakeLive, startLive } from './fake-live.ts'
import { ann, settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach } = hooksOf(import.meta.filename)

let running: FakeLive | undefined
afterEach(() => {
  running?.workspace.dispose()
  user.value = null
  locked.value = false
  token.value = undefined
})

/** @param now milliseconds that `performance.now()` tells */
function start(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const time = { now: 1000 }
  context.mock.method(performance, 'now', () => time.now)
  user.value = ann
  const fake = startLive()
  running = fake
  const heard: string[] = []
  const follower = {
    receive: ({ kind, folder }: { kind: string; folder: string }) => void heard.push(`${kind} ${folder}`),
    lost: () => void heard.push('lost'),
  }
  const pass = (milliseconds: number) => {
    time.now += milliseconds
    context.mock.timers.tick(milliseconds)
  }
  const hello = () => fake.last().tell({ kind: 'hello', user: ann.id })
  const { isVisible, returns } = fake.workspace.use(presenceSlice)
  return { ...fake, heard, follower, pass, hello, isVisible, returns }
}

test('the connection is open while somebody is signed in, and asks for the folders that are followed', (context) => {
  const { live, sockets, last, follower, hello, heard } = start(context)
  assert.equal(sockets.length, 1)
  hello()
  const stop = live.follow('/a', follower)
  assert.deepEqual(last().sent.at(-1), { kind: 'follow', folders: ['/a'] })
  last().tell({ kind: 'resync', folder: '/a' })
  last().tell({ kind: 'resync', folder: '/not followed' })
  assert.deepEqual(heard, ['resync /a'])
  stop()
  assert.equal(last().isClosed, false)
  user.value = null
  assert.equal(last().isClosed, true)
})

test('changed links are told to those who show some, and so is a connection that begins', (context) => {
  const { live, last, hello } = start(context)
  let told = 0
  const stop = live.followNews('links', () => {
    told += 1
  })
  hello()
  assert.equal(told, 1, 'links may have changed before')
  last().tell({ kind: 'links' })
  assert.equal(told, 2)
  stop()
  last().tell({ kind: 'links' })
  assert.equal(told, 2)
})

test('folders that follow each other quickly are asked for ten times a second at most, the last of them surely', (context) => {
  const { live, last, follower, hello, pass } = start(context)
  live.follow('/0', follower)
  hello()
  for (let index = 1; index <= 100; index++) {
    const stop = live.follow(`/${index}`, follower)
    pass(10)
    if (index < 100) stop()
  }
  pass(100)
  assert.ok(last().sent.length <= 13, `${last().sent.length} requests`)
  assert.deepEqual(last().sent.at(-1), { kind: 'follow', folders: ['/0', '/100'] })
})

test('a lost connection comes back, each time later, and at once after one that was good', (context) => {
  const { live, sockets, last, follower, hello, pass, heard } = start(context)
  live.follow('/a', follower)
  hello()
  pass(20_000)
  last().lose()
  assert.deepEqual(heard, ['lost'])
  const waits = []
  for (let attempt = 0; attempt < 8; attempt++) {
    const before = sockets.length
    let waited = 0
    for (; sockets.length === before; waited += 25) pass(25)
    waits.push(waited)
    last().lose()
  }
  assert.deepEqual(waits, [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500])
  assert.deepEqual(heard, ['lost'])
  pass(22_500)
  hello()
  assert.deepEqual(last().sent, [{ kind: 'follow', folders: ['/a'] }])
})

test('a connection over which nothing comes is given up: at the beginning, and later', (context) => {
  const { live, sockets, last, follower, hello, pass, heard } = start(context)
  live.follow('/a', follower)
  pass(8000)
  assert.equal(last().isClosed, true)
  pass(1000)
  assert.equal(sockets.length, 2)
  hello()
  for (let times = 0; times < 10; times++) {
    pass(25_000)
    last().tell({ kind: 'alive' })
  }
  assert.equal(sockets.length, 2)
  pass(40_000)
  assert.deepEqual([sockets[1]?.isClosed, heard], [true, ['lost']])
})

test('after a sleep the server is asked whether the connection is there', (context) => {
  const { live, sockets, last, follower, hello, pass, returns } = start(context)
  live.follow('/a', follower)
  hello()
  returns.value += 1
  assert.deepEqual(last().sent.at(-1), { kind: 'ask' })
  last().tell({ kind: 'alive' })
  pass(30_000)
  assert.equal(sockets.length, 1)
  returns.value += 1
  pass(8000)
  assert.equal(sockets[0]?.isClosed, true)
  pass(1000)
  assert.equal(sockets.length, 2)
})

test('a return to the page does not wait for the next attempt', (context) => {
  const { live, sockets, last, follower, returns } = start(context)
  live.follow('/a', follower)
  last().lose()
  returns.value += 1
  assert.equal(sockets.length, 2)
})

test('a hidden page is disconnected after a minute, and connected again when it is seen', (context) => {
  const { live, sockets, last, follower, hello, pass, isVisible } = start(context)
  live.follow('/a', follower)
  hello()
  const alive = () => last().tell({ kind: 'alive' })
  isVisible.value = false
  pass(30_000)
  alive()
  pass(29_000)
  isVisible.value = true
  pass(2000)
  assert.equal(last().isClosed, false)
  isVisible.value = false
  alive()
  pass(30_000)
  alive()
  pass(30_000)
  assert.equal(last().isClosed, true)
  pass(600_000)
  assert.equal(sockets.length, 1)
  isVisible.value = true
  assert.equal(sockets.length, 2)
})

test('the end of the session is told to the followers; without a session there is no connection', (context) => {
  const { live, sockets, last, follower, hello, pass, heard } = start(context)
  live.follow('/a', follower)
  hello()
  last().tell({ kind: 'ended' })
  assert.deepEqual(heard, ['lost'])
  pass(600_000)
  assert.equal(sockets.length, 1)
  token.value = 'of the next session'
  assert.equal(sockets.length, 2)
  locked.value = true
  assert.equal(last().isClosed, true)
  locked.value = false
  assert.equal(sockets.length, 3)
  hello()
  user.value = null
  assert.equal(last().isClosed, true)
})

test('the end of the session elsewhere asks for the sign-in at once, whatever is shown', async (context) => {
  const asked: string[] = []
  context.mock.method(globalThis, 'fetch', async (address: string) => {
    asked.push(address)
    return new Response('401 Unauthorized', { status: 401 })
  })
  token.value = tokenOf('ann', 1, ann.id, ann.perm)
  const { last, hello } = start(context)
  hello()
  assert.deepEqual([asked, locked.value], [[], false])
  last().tell({ kind: 'ended' })
  await settled()
  assert.deepEqual([asked, locked.value, isSignInAsked.value], [['/api/renew'], true, true])
  isSignInAsked.value = false
})

test('a server that takes the page for somebody else is told nothing', (context) => {
  const { live, last, sockets, follower, pass } = start(context)
  live.follow('/a', follower)
  const first = last()
  first.tell({ kind: 'hello', user: ann.id + 1 })
  assert.deepEqual([first.isClosed, first.sent], [true, []])
  pass(1000)
  assert.equal(sockets.length, 2)
})

test('nothing of a workspace that was disposed goes on', (context) => {
  const { live, sockets, last, follower, hello, pass, workspace } = start(context)
  live.follow('/a', follower)
  hello()
  workspace.dispose()
  assert.equal(last().isClosed, true)
  pass(600_000)
  assert.equal(sockets.length, 1)
})
