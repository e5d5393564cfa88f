// A listing in memory is small, and its text is produced as the client reads it.
import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { streamListing } from '../../src-server/api/stream-listing.ts'
import type { Path } from '../../src-server/base/paths.ts'
import type { Entry } from '../../src-server/disk/disk.ts'
import { Listing, manyEntries } from '../../src-server/files/listing.ts'
import { itemOf } from '../../src-server/files/resource.ts'

function entry(name: string, given: Partial<Entry> = {}): Entry {
  const path = `/box/${name}` as Path
  const rest = { isDir: false, isSymlink: false, size: 0, modified: 0n, mode: 0o100640, identity: name, version: name }
  return { name, path, ...rest, ...given }
}

function listingOf(entries: readonly Entry[]) {
  const folder = entry('', { name: 'box', path: '/box' as Path, isDir: true })
  return Listing.of({ folder, entries, sorting: { by: 'name', asc: true }, subtitlesOf: () => [] })
}

const oneOfEach = [
  entry('folder', { isDir: true, mode: 0o40750, size: 4096 }),
  entry('video.mp4', { size: 2 ** 40 + 1, modified: 1_600_000_300_123_456_789n }),
  entry('before 1970 😀', { modified: -1_500_000_000n }),
  entry('far', { modified: 2n ** 70n }),
  entry('link', { isSymlink: true, isDir: true }),
  ...(['outside', 'broken', 'special', 'name'] as const).map((unreachable) =>
    entry(unreachable, { unreachable, isSymlink: unreachable !== 'special' }),
  ),
]

test('a listing shows each entry as it is, in every part', async () => {
  const listing = await listingOf(oneOfEach)
  const expected = oneOfEach.map((one) => itemOf(one))
  assert.deepEqual(listing.items(), expected)
  assert.deepEqual(listing.whole().items, expected)
  assert.deepEqual(listing.items(2, 3), expected.slice(2, 5))
  assert.deepEqual(listing.items(8, 500), expected.slice(8))
  assert.deepEqual([listing.folder.numDirs, listing.folder.numFiles], [2, 7])
})

test('what the making of long listings leaves is collected, at most once in two seconds', async (t) => {
  const collect = t.mock.fn()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 10_000
  t.mock.method(performance, 'now', () => now)
  const pass = (milliseconds: number) => {
    now += milliseconds
    t.mock.timers.tick(milliseconds)
    return collect.mock.callCount()
  }
  const { gc } = globalThis
  t.after(() => Object.assign(globalThis, { gc }))
  Object.assign(globalThis, { gc: collect })
  const entries = Array.from({ length: manyEntries }, (_, index) => entry(`scan ${index}.tif`))
  await listingOf(entries.slice(1))
  assert.equal(pass(10), 0, 'a shorter one leaves little')
  await listingOf(entries)
  assert.equal(pass(10), 1)
  for (const some of [entries, entries]) await listingOf(some)
  assert.equal(pass(1900), 1, 'not again at once')
  assert.equal(pass(101), 2, 'what came meanwhile, later')
  assert.equal(pass(10_000), 2)
  assert.deepEqual(collect.mock.calls[0]?.arguments, [{ type: 'major' }])
})

test('a listing that nobody reads is not made', async () => {
  const listing = await listingOf(Array.from({ length: 60_000 }, (_, index) => entry(`scan ${index}.tif`)))
  let made = 0
  const counted = {
    folder: listing.folder,
    length: listing.length,
    items: (from: number, count: number) => {
      made += count
      return listing.items(from, count)
    },
  }
  const reply = { type: () => reply, send: (stream: Readable) => stream }
  const stream = streamListing(reply as never, counted as never) as unknown as Readable
  const chunks: string[] = []
  for await (const chunk of stream) {
    chunks.push(String(chunk))
    // During these turns of the event loop a stream that ignores its reader would make every part.
    for (let turn = 0; chunks.length === 1 && turn < 500; turn++) await setImmediate()
    // One part is being sent and one is buffered; the rest is made on demand.
    assert.ok(made <= (chunks.length + 2) * 500, `${made} entries are made for ${chunks.length} parts`)
  }
  assert.equal((JSON.parse(chunks.join('')) as { items: unknown[] }).items.length, 60_000)
})
