import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { partialListingOf } from '../../src-ui/listing/partial-listing.ts'
import { file, resourceOf } from './entries.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const listing = workspace.use(listingSlice)

const { afterEach } = hooksOf(import.meta.filename)
const realFetch = globalThis.fetch
afterEach(() => {
  listing.reset()
  globalThis.fetch = realFetch
})

const names = Array.from({ length: 30 }, (_, index) => `scan "${index}" },{.tif`)

/** The answer for a folder as the server sends a large one: its entries last. */
function answerOf(by: 'name' | 'size' = 'name'): string {
  const { items, ...folder } = resourceOf(names.map((name) => file(name)))
  return JSON.stringify({ ...folder, numFiles: 1000, sorting: { by, asc: true }, items })
}

/** Replaces `fetch` by an answer whose body the test sends part by part. */
function sending() {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      body = controller
    },
  })
  globalThis.fetch = async () => new Response(stream, { headers: { 'Content-Type': 'application/json' } })
  return {
    part: async (text: string) => {
      body?.enqueue(new TextEncoder().encode(text))
      await new Promise((resolve) => setTimeout(resolve))
    },
    end: () => body?.close(),
  }
}

test('the first entries are shown before the rest has arrived, and are then replaced by the whole listing', async () => {
  const sent = sending()
  const text = answerOf()
  const middle = text.length >> 1
  const visited = listing.load('/many')
  await sent.part(text.slice(0, middle))
  assert.equal(listing.state.value.kind, 'nothing')
  assert.equal(listing.sortedEntries.value.entries.length, 0)
  const shown = listing.partialListing.value
  assert.deepEqual([shown?.path, shown?.count, shown?.folders], ['/many', 1000, 0])
  const seen = shown?.entries.map(({ name }) => name) ?? []
  assert.ok(seen.length > 5)
  assert.deepEqual(seen, names.slice(0, seen.length))
  await sent.part(text.slice(middle))
  sent.end()
  await visited
  assert.equal(listing.partialListing.value, undefined)
  assert.equal(listing.sortedEntries.value.entries.length, names.length)
})

test('a refresh does not replace the listing with its first entries', async () => {
  globalThis.fetch = async () => Response.json(resourceOf([file('a')]))
  await listing.load('/many')
  const sent = sending()
  const refreshed = listing.refresh()
  const text = answerOf()
  await sent.part(text.slice(0, text.length >> 1))
  assert.equal(listing.partialListing.value, undefined)
  await sent.part(text.slice(text.length >> 1))
  sent.end()
  await refreshed
  assert.equal(listing.sortedEntries.value.entries.length, names.length)
})

test('first entries in another order than the wanted one are not shown', async () => {
  assert.equal(partialListingOf('/many', answerOf('size').slice(0, 4000)), undefined)
  listing.setSorting({ by: 'size', asc: true })
  const sent = sending()
  const visited = listing.load('/many')
  await sent.part(answerOf().slice(0, 4000))
  assert.equal(listing.partialListing.value, undefined)
  sent.end()
  await visited
})

for (const [what, text] of [
  ['too short to hold an entry', '{"path":"/many","numDirs":0'],
  ['of a small folder, whose entries come before their number', JSON.stringify(resourceOf([file('a'), file('b')]))],
  ['not from this server', '}},{"path":'],
] as const)
  test(`first bytes that are ${what} give no partial listing`, () => assert.equal(partialListingOf('/many', text), undefined))
