// The shown folder follows what the server tells of it: in place, without losing what the person is doing.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { LiveMessage } from '../../src-server/contract/live.ts'
import { dragSlice } from '../../src-ui/core/drag.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { presenceSlice } from '../../src-ui/core/presence.ts'
import { locked, user } from '../../src-ui/core/session.ts'
import { listingLater } from '../../src-ui/listing/feature-later.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { refreshOnReturn } from '../../src-ui/listing/refresh-when-due.ts'
import { file, folder } from './entries.ts'
import { type FakeLive, startLive } from './fake-live.ts'
import { ann, type Folders, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach } = hooksOf(import.meta.filename)

let folders: Folders
let running: FakeLive | undefined
afterEach(() => {
  running?.workspace.dispose()
  locked.value = false
  folders.close()
})

/** A page that shows the root and is told of its changes. @param since of the server; a listing is read at 1 */
async function start(context: TestContext, { isComplete = true, since = 0 } = {}) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'd/'], '/d': ['inner.txt'] })
  const network = { listings: 0, hold: undefined as Promise<void> | undefined }
  const answer = globalThis.fetch
  globalThis.fetch = (async (address: string, init: RequestInit) => {
    if (init.method === 'GET') network.listings += 1
    const answered = await answer(address, init)
    await network.hold
    const headers = { ...Object.fromEntries(answered.headers), 'X-Read-At': '1' }
    return new Response(answered.body, { status: answered.status, headers })
  }) as typeof fetch
  user.value = ann
  const fake = startLive()
  running = fake
  listingLater.follow(fake.workspace)
  const listing = fake.workspace.use(listingSlice)
  const drag = fake.workspace.use(dragSlice)
  const notices = fake.workspace.use(noticesSlice)
  await listing.load('/')
  fake.last().tell({ kind: 'hello', user: ann.id })
  const tell = (message: LiveMessage) => fake.last().tell(message)
  const following = { kind: 'following', folder: '/', since, isComplete } as const
  // Read again, so that the listing is known to belong to this connection.
  await listing.refresh()
  network.listings = 0
  tell(following)
  await settled()
  const shown = () => listing.sortedEntries.value.entries.map(({ name }) => name)
  const pass = async (milliseconds: number) => {
    context.mock.timers.tick(milliseconds)
    await settled()
  }
  return { ...fake, listing, drag, notices, network, tell, following, shown, pass }
}

const changed = (items: ReturnType<typeof file>[], removed: string[] = []): LiveMessage => ({
  kind: 'changed',
  folder: '/',
  items,
  removed,
})

test('a change is shown in place, without another listing; selection, focus and the other entries stay', async (context) => {
  const { listing, network, tell, shown } = await start(context)
  assert.deepEqual([shown(), network.listings, listing.isLive.value], [['d', 'a.txt', 'b.txt'], 0, true])
  listing.selection.value = { keys: new Set(['/b.txt', '/a.txt']), focus: '/a.txt' }
  const before = listing.sortedEntries.value.entries
  tell(changed([file('aa.txt'), folder('c'), file('b.txt', { size: 7 })], ['a.txt']))
  assert.deepEqual(shown(), ['c', 'd', 'aa.txt', 'b.txt'])
  assert.deepEqual([...listing.selection.value.keys], ['/b.txt'])
  assert.equal(listing.selection.value.focus, '/b.txt')
  assert.equal(listing.sortedEntries.value.entries[1], before[0])
  assert.equal(network.listings, 0)
})

test('selected entries that go one after the other are told of once', async (context) => {
  const { listing, notices, tell, pass } = await start(context)
  listing.selection.value = { keys: new Set(['/a.txt', '/b.txt', '/d']), focus: '/d' }
  const said: string[] = []
  context.after(notices.announcement.subscribe((text) => void said.push(text)))
  for (const name of ['a.txt', 'b.txt']) {
    tell(changed([], [name]))
    await pass(600)
  }
  for (let time = 0; time < 5000; time += 500) await pass(500)
  assert.deepEqual(said, ['3 selected', '2 items removed.', '1 selected'])
})

test('a message that changes nothing draws nothing anew', async (context) => {
  const { listing, tell } = await start(context)
  const before = listing.state.value
  tell(changed([file('a.txt')], ['never there']))
  assert.equal(listing.state.value, before)
})

test('another folder that is opened is followed, and a change of the former one is not shown in it', async (context) => {
  const { listing, tell, last, shown, pass } = await start(context)
  await listing.load('/d')
  await pass(100)
  assert.deepEqual(last().sent.at(-1), { kind: 'follow', folders: ['/d'] })
  tell(changed([file('late.txt')]))
  assert.deepEqual(shown(), ['inner.txt'])
  assert.equal(listing.isLive.value, false)
})

test('a change that comes while a listing is on its way is applied again after it', async (context) => {
  const { listing, network, tell, shown } = await start(context)
  const arrives = Promise.withResolvers<void>()
  network.hold = arrives.promise
  const refreshed = listing.refresh()
  await settled()
  // The listing on its way was read before this.
  tell(changed([file('new.txt')], ['a.txt']))
  assert.deepEqual(shown(), ['d', 'b.txt', 'new.txt'])
  arrives.resolve()
  await refreshed
  await settled()
  assert.deepEqual(shown(), ['d', 'b.txt', 'new.txt'])
})

test('what changed between the listing and the beginning is found by one more listing', async (context) => {
  const { network, tell, following, shown } = await start(context)
  folders.stand['/'] = ['a.txt', 'missed.txt']
  tell({ ...following, since: 2 })
  await settled()
  assert.deepEqual([network.listings, shown()], [1, ['a.txt', 'missed.txt']])
})

test('after a lost connection the folder is listed again', async (context) => {
  const { live, listing, network, tell, following, last, shown, pass, sockets } = await start(context)
  last().lose()
  assert.equal(listing.isLive.value, false)
  await pass(1000)
  assert.equal(sockets.length, 2)
  folders.stand['/'] = ['a.txt', 'meanwhile.txt']
  assert.equal(live.openedAt, undefined)
  tell({ kind: 'hello', user: ann.id })
  tell(following)
  await settled()
  assert.deepEqual([network.listings, shown()], [1, ['a.txt', 'meanwhile.txt']])
})

test('a refresh that has failed is repeated later also where the server reports changes, until its notice can go', async (context) => {
  const { listing, notices, network, pass } = await start(context)
  const reach = globalThis.fetch
  const refused = '503 Service Unavailable (too many calls run)'
  globalThis.fetch = () => Promise.resolve(new Response(refused, { status: 503 }))
  await listing.refresh()
  const said = () => notices.list.value.filter(({ text }) => text === 'The folder could not be refreshed')
  assert.deepEqual(
    said().map(({ detail }) => detail),
    ['The server is busy. Try again in a moment.'],
  )
  await pass(15_000)
  assert.equal(said().length, 1)
  globalThis.fetch = reach
  await pass(15_000)
  assert.deepEqual([network.listings, said()], [1, []])
  await pass(15_000)
  assert.equal(network.listings, 1)
})

test('a file whose refresh has failed is asked for again until it is read, and only then', async (context) => {
  const { listing, pass } = await start(context)
  let asked = 0
  let status = 200
  globalThis.fetch = () => {
    asked += 1
    return Promise.resolve(status === 200 ? Response.json(file('a.txt')) : new Response('', { status }))
  }
  await listing.load('/a.txt')
  status = 503
  await listing.refresh()
  await pass(15_000)
  assert.deepEqual([listing.isStale.value, asked], [true, 3])
  status = 200
  await pass(15_000)
  assert.deepEqual([listing.isStale.value, asked], [false, 4])
  await pass(60_000)
  assert.equal(asked, 4)
})

test('the advice to list again is followed with pauses, however often it comes', async (context) => {
  const { network, tell, pass } = await start(context)
  for (let times = 0; times < 20; times++) tell({ kind: 'resync', folder: '/' })
  await settled()
  assert.equal(network.listings, 1)
  tell({ kind: 'resync', folder: '/' })
  await pass(900)
  assert.equal(network.listings, 1)
  await pass(60_000)
  assert.equal(network.listings, 2)
})

test('during a drag nothing moves, and everything is shown when it ends', async (context) => {
  const { drag, network, tell, shown } = await start(context)
  drag.cancel.value = () => {}
  tell(changed([file('new.txt')], ['a.txt']))
  tell({ kind: 'resync', folder: '/' })
  await settled()
  assert.deepEqual([shown(), network.listings], [['d', 'a.txt', 'b.txt'], 0])
  folders.stand['/'] = ['b.txt', 'd/', 'new.txt']
  drag.cancel.value = undefined
  await settled()
  assert.deepEqual([shown(), network.listings], [['d', 'b.txt', 'new.txt'], 1])
})

test('a folder whose changes the server is not told is asked for every fifteen seconds', async (context) => {
  const { network, pass, listing } = await start(context, { isComplete: false })
  assert.equal(listing.isLive.value, false)
  await pass(14_000)
  assert.equal(network.listings, 0)
  await pass(1000)
  assert.equal(network.listings, 1)
  await pass(15_000)
  assert.equal(network.listings, 2)
})

test('a folder that is live is not asked for', async (context) => {
  const { network, pass } = await start(context)
  await pass(35_000)
  assert.equal(network.listings, 0)
})

test('a folder that is live is not read again when the person returns to the window', async (context) => {
  const { workspace, network, pass } = await start(context)
  refreshOnReturn(workspace)
  workspace.use(presenceSlice).returns.value += 1
  await pass(5000)
  assert.equal(network.listings, 0)
})

test('a folder that vanishes says so, with its new place if it is known, and comes back when it is back', async (context) => {
  const { listing, tell, following, shown } = await start(context)
  tell({ kind: 'gone', folder: '/', to: '/elsewhere' })
  assert.deepEqual(listing.state.value, { kind: 'failed', path: '/', status: 404, message: '', gone: { to: '/elsewhere' } })
  tell({ ...following, since: 5 })
  await settled()
  assert.deepEqual(shown(), ['d', 'a.txt', 'b.txt'])
})

test('a folder that vanishes while it is listed says so too, whatever the listing finds', async (context) => {
  for (const found of ['nothing', 'the folder']) {
    const { listing, network, tell, workspace } = await start(context)
    const arrives = Promise.withResolvers<void>()
    network.hold = arrives.promise
    const refreshed = listing.refresh()
    if (found === 'nothing') delete folders.stand['/']
    await settled()
    tell({ kind: 'gone', folder: '/' })
    arrives.resolve()
    await refreshed
    await settled()
    const gone = { kind: 'failed', path: '/', status: 404, message: '', gone: { to: undefined } }
    assert.deepEqual(listing.state.value, gone, found)
    workspace.dispose()
    folders.close()
    context.mock.timers.reset()
  }
})

test('changes by others are announced together, when there is a pause', async (context) => {
  const { notices, tell, pass } = await start(context)
  tell(changed([file('1'), file('2')]))
  await pass(1000)
  tell(changed([file('1', { size: 3 })], ['a.txt']))
  assert.equal(notices.announcement.value, '')
  await pass(1500)
  assert.equal(notices.announcement.value, '2 items added. 1 item removed. 1 item changed.')
})

test('what this page has done itself is not announced a second time', async (context) => {
  const { notices, listing, tell, pass } = await start(context)
  tell(changed([file('own.txt')]))
  context.mock.method(performance, 'now', () => 1e9)
  folders.stand['/'] = ['a.txt', 'b.txt', 'd/', 'own.txt']
  await listing.refresh()
  await pass(60_000)
  assert.equal(notices.announcement.value, '')
})

test('after the end of the session elsewhere the server is asked, which asks the person to sign in again', async (context) => {
  const { tell, network, pass } = await start(context)
  folders.isSignedOut = true
  tell({ kind: 'ended' })
  await pass(15_000)
  assert.equal(network.listings, 1)
})
