import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { entriesOf } from '../../src-ui/core/entries.ts'
import { knownTrashSlice } from '../../src-ui/core/known-trash.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { login } from '../../src-ui/core/session.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { chosenSlice } from '../../src-ui/search/chosen.ts'
import { isRefusedQuery, searchSlice } from '../../src-ui/search/search.ts'
import { until } from '../support/until.ts'
import { answering, signIn, tokenOf } from './answering.ts'
import { folder, resourceOf } from './entries.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const network = answering(import.meta.filename)
const search = workspace.use(searchSlice)
const listing = workspace.use(listingSlice)
const chosen = workspace.use(chosenSlice)
const { afterEach } = hooksOf(import.meta.filename)

afterEach(() => {
  search.close()
  search.text.value = ''
  search.types.value = new Set()
  search.isHere.value = false
  workspace.use(knownTrashSlice).facts.value = undefined
  workspace.use(overlaysSlice).close()
  listing.reset()
})

const line = (path: string, marks?: [number, number][]) =>
  JSON.stringify({ dir: false, path, name: path.split('/').at(-1), marks })
const lines = (...all: string[]) => ({
  text: all.map((one) => `${one}\n`).join(''),
  headers: { 'Content-Type': 'application/x-ndjson' },
})
const asked = () => network.calls.map(({ name }) => name).filter((name) => name.includes('/api/search'))
const isDone = () => until(() => search.state.value.kind === 'done', 'the search is done')

function show(path: string) {
  listing.currentPath.value = path
  const resource = resourceOf([folder('Drawings')])
  listing.state.value = { kind: 'folder', path, resource, entries: entriesOf(resource) }
}

test('types and words are one query, and what is in the shown folder comes first', async () => {
  await signIn(network, 'ann')
  show('/Mill')
  network.replies['GET /api/search/?query=type%3Aimage+weir'] = lines(line('far/weir.jpg'), '', line('Mill/weir.png', [[0, 4]]))
  search.text.value = ' weir '
  search.types.value = new Set(['image'])
  search.open()
  await isDone()
  assert.deepEqual(
    search.ordered.value.map(({ path, isDir }) => [path, isDir]),
    [
      ['/Mill/weir.png', false],
      ['/far/weir.jpg', false],
    ],
  )
  assert.deepEqual(search.ordered.value[0]?.marks, [[0, 4]])
})

test('only the folder is searched on request, with whole paths', async () => {
  await signIn(network, 'ann')
  show('/Mill')
  network.replies['GET /api/search/?query=weir'] = lines()
  network.replies['GET /api/search/Mill?query=weir'] = lines(line('in/weir.png'))
  search.text.value = 'weir'
  search.open()
  await isDone()
  search.setHere(true)
  await isDone()
  assert.deepEqual(
    search.results.value.map(({ path }) => path),
    ['/Mill/in/weir.png'],
  )
})

test('while something is typed the results before are stale, and nothing is chosen', async () => {
  await signIn(network, 'ann')
  show('/')
  network.replies['GET /api/search/?query=weir'] = lines(line('weir.png'))
  search.text.value = 'weir'
  search.open()
  await isDone()
  chosen.entry.value = search.ordered.value[0]
  search.type('weir b')
  assert.equal(search.isStale.value, true)
  assert.equal(chosen.entry.value, undefined)
  assert.equal(search.results.value.length, 1)
  search.close()
})

test('an empty field asks nothing, and a refused query says so', async () => {
  await signIn(network, 'ann')
  show('/')
  search.open()
  assert.deepEqual(search.state.value, { kind: 'nothing' })
  assert.deepEqual(asked(), [])
  network.replies['GET /api/search/?query=size%3Ax'] = { status: 400, text: '400 Bad Request (size: needs a number)' }
  search.text.value = 'size:x'
  search.start()
  await until(() => search.state.value.kind === 'failed', 'it is refused')
  const { value } = search.state
  assert.ok(value.kind === 'failed' && isRefusedQuery(value.failure))
})

test('that there may be more is told with its reason', async () => {
  await signIn(network, 'ann')
  show('/')
  network.replies['GET /api/search/?query=weir'] = lines(line('weir.png'), '{"more":"results"}')
  search.text.value = 'weir'
  search.open()
  await isDone()
  assert.deepEqual(search.state.value, { kind: 'done', more: 'results' })
  assert.equal(search.results.value.length, 1)
})

test('what was found is sorted by name at the end, as listings are, also at the limit', async () => {
  await signIn(network, 'ann')
  show('/Mill')
  const found = ['weir 10', 'b/Weir 9', 'a/weir 9', 'Mill/weir b', 'weir 2', 'Mill/Weir a'].map((path) => line(path))
  network.replies['GET /api/search/?query=weir'] = lines(...found, '{"more":"results"}')
  search.text.value = 'weir'
  search.open()
  await isDone()
  assert.deepEqual(
    search.ordered.value.map(({ path }) => path),
    ['/Mill/Weir a', '/Mill/weir b', '/weir 2', '/a/weir 9', '/b/Weir 9', '/weir 10'],
  )
})

test('an entry that is chosen before the end is still shown when all is sorted', async (context) => {
  await signIn(network, 'ann')
  show('/')
  const found = Array.from({ length: 70 }, (_, index) => line(`weir ${70 - index}`))
  network.replies['GET /api/search/?query=weir'] = lines(...found)
  search.text.value = 'weir'
  search.open()
  context.after(
    search.results.subscribe(([first]) => {
      if (search.state.value.kind === 'searching') chosen.entry.value = first
    }),
  )
  await isDone()
  assert.equal(
    search.ordered.value.findIndex(({ key }) => key === chosen.entry.value?.key),
    69,
  )
  assert.equal(search.shownCount.value, 100)
})

test('fifty more are shown at a time, up to what was found', async () => {
  await signIn(network, 'ann')
  show('/')
  network.replies['GET /api/search/?query=weir'] = lines(...Array.from({ length: 70 }, (_, index) => line(`weir ${index}`)))
  search.text.value = 'weir'
  search.open()
  await isDone()
  assert.equal(search.shownCount.value, 50)
  search.showMore()
  search.showMore()
  assert.equal(search.shownCount.value, 100)
})

/** Waits until everything that follows an answer is done. */
const isSettled = () => new Promise((resolve) => setImmediate(resolve))

test('words are looked for in the trash too once the search has ended, where there is one and the person may see it', async () => {
  const trash = 'GET /api/trash?filter=weir&limit=1'
  const askedOfTrash = () => network.calls.filter(({ name }) => name.startsWith('GET /api/trash')).map(({ name }) => name)
  const { facts } = workspace.use(knownTrashSlice)
  network.replies['GET /api/search/?query=weir'] = lines()
  network.replies['GET /api/search/?query=weir+size%3A1'] = lines()
  network.replies[trash] = {
    text: JSON.stringify({ items: [], total: 3, bytes: 3, days: 30, isOn: true }),
    headers: { 'Content-Type': 'application/json' },
  }
  const perm = { ...noPermissions, download: true, create: true }
  network.replies['POST /api/login'] = { text: tokenOf('ann', 1, 1, perm) }
  await login('ann', 'secret')
  show('/')
  search.text.value = 'weir'
  search.open()
  await isDone()
  await isSettled()
  assert.deepEqual([askedOfTrash(), search.inTrash.value], [[], undefined])
  facts.value = { isOn: true, days: 30, total: 3 }
  search.start()
  await until(() => search.inTrash.value !== undefined, 'the trash has answered')
  assert.deepEqual([askedOfTrash(), search.inTrash.value], [[trash], { count: 3, filter: 'weir' }])
  search.text.value = 'weir size:1'
  search.start()
  assert.equal(search.inTrash.value, undefined)
  await isDone()
  await isSettled()
  assert.deepEqual(askedOfTrash(), [trash])
})
