// Thumbnails of the tiles: which are loaded, in which order, and what is dropped.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { HttpFailure } from '../../src-ui/api/http.ts'
import { uploadConnectionsSlice } from '../../src-ui/core/connections.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { Thumbnails } from '../../src-ui/listing/thumbnails.ts'
import { until } from '../support/until.ts'

type Loading = { signal: AbortSignal; answer: (blob: Blob) => void; fail: (error: unknown) => void }

function start(t: TestContext) {
  const workspace = new Workspace(signal(null))
  t.after(() => workspace.dispose())
  const asked: string[] = []
  const loading = new Map<string, Loading>()
  const thumbnails = new Thumbnails(workspace, (path, signal) => {
    asked.push(path)
    return new Promise((answer, fail) => {
      loading.set(path, { signal, answer, fail })
      signal.addEventListener('abort', () => fail(signal.reason))
    })
  })
  const want = (path: string, isInView?: boolean, modified = '1') => {
    const wanted = thumbnails.want({ path, modified, size: 1 })
    if (isInView !== undefined) wanted.setInView(isInView, 0)
    return wanted
  }
  const asking = async (path: string): Promise<Loading> => {
    const found = loading.get(path)
    loading.delete(path)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 0))
    return asking(path)
  }
  const answer = async (path: string) => (await asking(path)).answer(new Blob(['x']))
  const fail = async (path: string, error: HttpFailure) => (await asking(path)).fail(error)
  return { workspace, asked, loading, want, answer, fail }
}

const isShown = (wanted: ReturnType<Thumbnails['want']>) => typeof wanted.state.value === 'object'

test('four are loaded at a time, those in view first from top to bottom, the others afterwards', async (t) => {
  const { want, asked, answer } = start(t)
  const near = want('/near')
  const tiles = ['/1', '/2', '/3', '/4', '/5'].map((path) => want(path))
  assert.deepEqual(asked, [], 'what is not known to be in view is not loaded')
  near.setInView(false, 0)
  for (const [index, tile] of [...tiles.entries()].reverse()) tile.setInView(true, index)
  await until(() => asked.length === 4, 'four are asked for')
  assert.deepEqual(asked, ['/1', '/2', '/3', '/4'])
  await answer('/1')
  await until(() => asked.length === 5, 'the next in view')
  assert.equal(asked[4], '/5')
  await answer('/2')
  await until(() => asked.length === 6, 'the one near it')
  assert.equal(asked[5], '/near')
})

test('uploads and thumbnails together leave a connection for a listing', async (t) => {
  const { workspace, want, asked } = start(t)
  const uploads = workspace.use(uploadConnectionsSlice)
  uploads.value = 5
  for (const path of ['/1', '/2', '/3', '/4']) want(path, true)
  // Later than the timer that begins: timers of equal time run in order.
  await new Promise((resolve) => setTimeout(resolve, 0))
  assert.deepEqual(asked, [])
  uploads.value = 3
  await until(() => asked.length > 0, 'an upload has ended')
  assert.equal(asked.length, 2)
  uploads.value = 0
  await until(() => asked.length === 4, 'the uploads have ended')
})

test('what is scrolled away is dropped, and comes back when its tile does', async (t) => {
  const { want, asked, loading, answer } = start(t)
  const tiles = ['/1', '/2', '/3', '/4', '/5'].map((path) => want(path, true))
  await until(() => asked.length === 4, 'four are asked for')
  for (const tile of tiles) tile.release()
  assert.ok(loading.get('/1')?.signal.aborted)
  assert.deepEqual(asked, ['/1', '/2', '/3', '/4'], '/5 was never asked for')
  const again = want('/1', true)
  await until(() => asked.length === 5, 'asked again')
  await answer('/1')
  await until(() => isShown(again), 'shown')
})

test('what leaves the view while it is loaded waits until nothing in view does', async (t) => {
  const { want, asked, loading, answer } = start(t)
  const [first, ...others] = ['/1', '/2', '/3', '/4', '/5', '/6'].map((path) => want(path, true))
  await until(() => asked.length === 4, 'four are asked for')
  first?.setInView(false, 0)
  assert.ok(loading.get('/1')?.signal.aborted)
  await until(() => asked.length === 5, 'the next in view')
  await answer('/2')
  await until(() => asked.length === 6, 'the last in view')
  await answer('/3')
  await until(() => asked.length === 7, 'the one that left')
  assert.deepEqual(asked.slice(4), ['/5', '/6', '/1'])
  await answer('/1')
  await until(() => first !== undefined && isShown(first), 'shown')
  assert.equal(others.length, 5)
})

test('a thumbnail is kept for its tile, and loaded again when its file has changed', async (t) => {
  const { want, asked, answer } = start(t)
  const tile = want('/1', true)
  await answer('/1')
  await until(() => isShown(tile), 'shown')
  tile.release()
  assert.ok(isShown(want('/1')))
  assert.equal(want('/1', true, '2').state.value, 'loading')
  await until(() => asked.length === 2, 'asked for again')
})

test('a picture that cannot be decoded is not asked for again, a busy server is', async (t) => {
  const { want, asked, fail, answer } = start(t)
  const broken = want('/broken', true)
  await fail('/broken', new HttpFailure(501, 'no'))
  await until(() => broken.state.value === 'none', 'the icon stays')
  broken.release()
  assert.equal(want('/broken', true).state.value, 'none')
  const late = want('/late', true)
  await fail('/late', new HttpFailure(503, 'busy', { retryAfter: 0 }))
  await until(() => asked.filter((path) => path === '/late').length === 2, 'asked again')
  await answer('/late')
  await until(() => isShown(late), 'shown')
  assert.deepEqual(asked, ['/broken', '/late', '/late'])
})

test('a server that stays busy is asked four times', async (t) => {
  const { want, asked, fail } = start(t)
  const tile = want('/1', true)
  for (let tries = 1; tries <= 4; tries++) {
    await until(() => asked.length === tries, `try ${tries}`)
    await fail('/1', new HttpFailure(503, 'busy', { retryAfter: 0 }))
  }
  await until(() => tile.state.value === 'none', 'the icon stays')
})

test('a thumbnail that the browser cannot show leaves the icon', async (t) => {
  const { want, answer } = start(t)
  const tile = want('/1', true)
  await answer('/1')
  await until(() => isShown(tile), 'shown')
  tile.refuse()
  assert.equal(tile.state.value, 'none')
})

test('the memory of thumbnails is freed: past 300 without a tile, and all at the sign-out', async (t) => {
  const { workspace, want, answer, asked } = start(t)
  const revoked: string[] = []
  t.mock.method(URL, 'revokeObjectURL', (url: string) => revoked.push(url))
  for (let index = 0; index < 302; index++) {
    const tile = want(`/${index}`, true)
    await answer(`/${index}`)
    await until(() => isShown(tile), 'shown')
    tile.release()
  }
  want('/last')
  assert.equal(revoked.length, 2)
  want('/0', true)
  await until(() => asked.at(-1) === '/0', 'the oldest is loaded again')
  workspace.dispose()
  assert.equal(revoked.length, 302)
})
