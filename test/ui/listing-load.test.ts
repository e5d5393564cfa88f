import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceItem } from '../../src-server/contract/files.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { isSlow } from '../../src-ui/listing/fetch-listing.ts'
import { gridFocusSlice } from '../../src-ui/listing/grid-focus.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { selectOnly } from '../../src-ui/listing/selection.ts'
import { file, folder, resourceOf } from './entries.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const listing = workspace.use(listingSlice)
const gridFocus = workspace.use(gridFocusSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

type Request = {
  address: string
  answer(items: ResourceItem[]): Promise<void>
  answerWith(resource: ResourceItem): Promise<void>
  refuse(status: number): Promise<void>
  lose(): Promise<void>
}

const realFetch = globalThis.fetch
let asked: Request[] = []
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

beforeEach(() => {
  asked = []
  globalThis.fetch = (address, init) =>
    new Promise((resolve, reject) => {
      const give = (response: Response) => {
        resolve(response)
        return settled()
      }
      const lose = () => {
        reject(new TypeError('lost'))
        return settled()
      }
      init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      asked.push({
        address: String(address),
        answer: (items) => give(Response.json({ ...resourceOf(items), sorting: { by: 'name', asc: true } })),
        answerWith: (resource) => give(Response.json(resource)),
        refuse: (status) => give(new Response(`${status} No`, { status })),
        lose,
      })
    })
})
afterEach(() => {
  listing.reset()
  globalThis.fetch = realFetch
})

const shown = () => listing.sortedEntries.value.entries.map((entry) => entry.name)

async function visitWith(path: string, ...items: ResourceItem[]): Promise<void> {
  const visited = listing.load(path)
  await asked.at(-1)?.answer(items)
  await visited
}

const inFolder = (where: string, ...names: string[]) => names.map((name) => file(name, { path: `${where}/${name}` }))

test('a folder is asked for by its encoded path and shown', async () => {
  await visitWith('/a#b/100%', ...inFolder('/a#b/100%', 'x'))
  assert.equal(asked[0]?.address, '/api/resources/a%23b/100%25?content=false')
  assert.deepEqual(shown(), ['x'])
})

test('the shown folder stays until the next one is loaded, and a wait is shown after 150 ms', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await visitWith('/', ...inFolder('', 'old'))
  const visited = listing.load('/next')
  assert.equal(listing.currentPath.value, '/next')
  assert.deepEqual(shown(), ['old'])
  t.mock.timers.tick(149)
  assert.equal(listing.loading.value, false)
  t.mock.timers.tick(1)
  assert.equal(listing.loading.value, true)
  await asked[1]?.answer(inFolder('/next', 'new'))
  await visited
  assert.equal(listing.loading.value, false)
  assert.deepEqual(shown(), ['new'])
})

test('an answer that arrives after another navigation is not shown', async () => {
  const first = listing.load('/first')
  const second = listing.load('/second')
  await asked[1]?.answer(inFolder('/second', 'second'))
  await asked[0]?.answer(inFolder('/first', 'first'))
  await Promise.all([first, second])
  assert.deepEqual(shown(), ['second'])
})

test('a refusal is shown with its status', async () => {
  for (const status of [403, 404, 500]) {
    const visited = listing.load(`/${status}`)
    await asked.at(-1)?.refuse(status)
    await visited
    assert.equal(listing.state.value.kind === 'failed' && listing.state.value.status, status)
  }
  const visited = listing.load('/lost')
  await asked.at(-1)?.lose()
  await visited
  assert.equal(listing.state.value.kind === 'failed' && listing.state.value.status, 0)
})

test('navigation clears the selection; a refresh keeps what still exists', async () => {
  await visitWith('/', ...inFolder('', 'a', 'b'))
  listing.selection.value = selectOnly('/a')
  const again = listing.refresh()
  await asked[1]?.answer(inFolder('', 'a', 'c'))
  await again
  assert.deepEqual(
    listing.selected.value.map((entry) => entry.name),
    ['a'],
  )
  await visitWith('/else', ...inFolder('/else', 'a'))
  assert.deepEqual(listing.selected.value, [])
})

test('a refresh with an unreachable server keeps the listing and says so', async () => {
  await visitWith('/', ...inFolder('', 'a'))
  for (const fails of ['lose', 'refuse'] as const) {
    const again = listing.refresh()
    await (fails === 'lose' ? asked.at(-1)?.lose() : asked.at(-1)?.refuse(503))
    await again
    assert.deepEqual(shown(), ['a'])
  }
  assert.equal(notices.list.value.at(-1)?.kind, 'error')
  const gone = listing.refresh()
  await asked.at(-1)?.refuse(404)
  await gone
  assert.equal(listing.state.value.kind, 'failed')
})

test('the notice of a failed refresh ends when the folder is read, in whatever way', async () => {
  await visitWith('/', ...inFolder('', 'a'))
  const again = listing.refresh()
  await asked.at(-1)?.lose()
  await again
  const isSaid = () => notices.list.value.some(({ text }) => text === 'The folder could not be refreshed')
  assert.equal(isSaid(), true)
  const quietly = listing.refreshQuietly()
  await settled()
  await asked.at(-1)?.answer(inFolder('', 'a', 'b'))
  await quietly
  assert.deepEqual([shown(), isSaid()], [['a', 'b'], false])
})

test('a refresh that fails while a file is open says so of the file, which stays shown, until it is read', async () => {
  await visitWith('/', file('a.png', { type: 'image' }))
  const opening = listing.load('/a.png')
  await asked.at(-1)?.refuse(503)
  await opening
  const said = () => notices.list.value.filter(({ text }) => /was not (refreshed|read again)$/.test(text)).map(({ text }) => text)
  assert.deepEqual([listing.state.value.kind, said()], ['file', ['“\u2068a.png\u2069” was not read again']])
  const quietly = listing.refreshQuietly()
  await settled()
  await asked.at(-1)?.answerWith(file('a.png', { type: 'image' }))
  await quietly
  assert.deepEqual([listing.state.value.kind, said()], ['file', []])
})

test('of several failed refreshes the last one is said, whatever the reasons, and nothing after a success', async () => {
  await visitWith('/', ...inFolder('', 'a'))
  const said = () => notices.list.value.filter(({ text }) => text === 'The folder could not be refreshed')
  for (const fail of [() => asked.at(-1)?.lose(), () => asked.at(-1)?.refuse(503), () => asked.at(-1)?.refuse(500)]) {
    const again = listing.refresh()
    await fail()
    await again
    assert.equal(said().length, 1)
  }
  assert.match(said().at(-1)?.detail ?? '', /500/)
  const again = listing.refresh()
  await asked.at(-1)?.answer(inFolder('', 'a', 'b'))
  await again
  assert.deepEqual([shown(), said().length], [['a', 'b'], 0])
})

test('new entries are selected, by the part of their path in this folder', async () => {
  await visitWith('/trip', ...inFolder('/trip', 'a', 'b'), folder('day', { path: '/trip/day' }))
  listing.showNew(['/trip/day/1.jpg', '/trip/b', '/elsewhere/a'])
  assert.deepEqual(
    listing.selected.value.map((entry) => entry.name),
    ['day', 'b'],
  )
  assert.equal(listing.revealRequest.value?.key, '/trip/day')
})

test('the order of the server is kept until another is chosen', async () => {
  await visitWith('/', file('a', { size: 1 }), file('b', { size: 2 }))
  listing.sortBy('size')
  assert.deepEqual(shown(), ['b', 'a'])
  listing.sortBy('size')
  assert.deepEqual(shown(), ['a', 'b'])
  listing.setSorting({ by: 'name', asc: true })
})

test('the keyboard begins at the first entry, selects as it moves, extends with Shift and only moves with Ctrl', async () => {
  await visitWith('/', ...inFolder('', 'a', 'b', 'c', 'd'))
  const names = () => listing.selected.value.map((entry) => entry.name).join('')
  gridFocus.move('down', 'select')
  assert.equal(names(), 'a')
  gridFocus.move('down', 'select')
  assert.equal(names(), 'b')
  gridFocus.move('down', 'extend')
  assert.equal(names(), 'bc')
  gridFocus.move('down', 'focus')
  assert.equal(names(), 'bc')
  assert.equal(listing.selection.value.focus, '/d')
  gridFocus.move('first', 'select')
  gridFocus.move('last', 'extend')
  assert.equal(names(), 'abcd')
  gridFocus.move('pageUp', 'select')
  assert.equal(names(), 'a')
})

test('sorting is announced', async () => {
  await visitWith('/', file('a', { size: 1 }), file('b', { size: 2 }))
  listing.sortBy('size')
  assert.equal(notices.announcement.value, 'Sorted by Size, descending')
  listing.sortBy('size')
  assert.equal(notices.announcement.value, 'Sorted by Size, ascending')
  listing.setSorting({ by: 'name', asc: true })
  assert.equal(notices.announcement.value, 'Sorted by Name, ascending')
})

test('a failed refresh keeps the selection', async () => {
  await visitWith('/', file('a'), file('b'))
  listing.selection.value = selectOnly('/b')
  const refreshing = listing.refresh()
  await asked.at(-1)?.lose()
  await refreshing
  assert.deepEqual(
    listing.selected.value.map(({ name }) => name),
    ['b'],
  )
})

test('a folder whose answer takes three seconds says that the server does not answer', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const loading = listing.load('/slow')
  context.mock.timers.tick(2999)
  assert.equal(isSlow.value, false)
  context.mock.timers.tick(1)
  assert.equal(isSlow.value, true)
  await asked.at(-1)?.answer([file('a.txt')])
  await loading
  assert.equal(isSlow.value, false)
})
