import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../src-server/contract/files.ts'
import { entriesOf, toSortedEntries } from '../../src-ui/core/entries.ts'
import { nextSorting, sortEntries } from '../../src-ui/listing/sorting.ts'
import { file, folder, resourceOf } from './entries.ts'

const plain = { serverSorting: undefined, locale: 'en' }
const names = (entries: readonly { name: string }[]) => entries.map((entry) => entry.name)

const mixed = resourceOf([
  file('file10.txt', { size: 5, modified: '2026-03-01T10:00:00Z' }),
  file('File9.txt', { size: 5, modified: '2026-01-01T10:00:00Z' }),
  folder('zebra', { modified: '2026-02-01T10:00:00Z' }),
  folder('älter', { modified: '2026-04-01T10:00:00Z' }),
  file('file1.txt', { size: 900, modified: '2026-02-01T10:00:00+05:00' }),
])

const cases = [
  ['name', true, ['älter', 'zebra', 'file1.txt', 'File9.txt', 'file10.txt']],
  ['name', false, ['zebra', 'älter', 'file10.txt', 'File9.txt', 'file1.txt']],
  ['size', true, ['älter', 'zebra', 'File9.txt', 'file10.txt', 'file1.txt']],
  ['size', false, ['älter', 'zebra', 'file1.txt', 'File9.txt', 'file10.txt']],
  ['modified', true, ['zebra', 'älter', 'File9.txt', 'file1.txt', 'file10.txt']],
  ['modified', false, ['älter', 'zebra', 'file10.txt', 'file1.txt', 'File9.txt']],
] as const

for (const [by, asc, expected] of cases) {
  test(`by ${by}, ${asc ? 'ascending' : 'descending'}: folders first, equals by name`, () => {
    assert.deepEqual(names(sortEntries(entriesOf(mixed), { by, asc }, plain)), expected)
  })
}

test('a folder that came sorted by name gives the same orders as one that is compared here', () => {
  for (const asc of [true, false]) {
    const serverSorting = { by: 'name', asc } as const
    const fromServer = sortEntries(entriesOf(mixed), serverSorting, plain)
    for (const [by, ascending, expected] of cases) {
      assert.deepEqual(names(sortEntries(fromServer, { by, asc: ascending }, { serverSorting, locale: 'en' })), expected)
    }
  }
})

test('names are compared by the alphabet of the locale', () => {
  const entries = entriesOf(resourceOf([file('zebra'), file('ärlig')]))
  assert.deepEqual(names(sortEntries(entries, { by: 'name', asc: true }, { serverSorting: undefined, locale: 'sv' })), [
    'zebra',
    'ärlig',
  ])
  assert.deepEqual(names(sortEntries(entries, { by: 'name', asc: true }, { serverSorting: undefined, locale: 'de' })), [
    'ärlig',
    'zebra',
  ])
})

test('a press on a column header twice reverses the order; on another one it begins with A, the largest or the newest', () => {
  assert.deepEqual(nextSorting({ by: 'name', asc: true }, 'name'), { by: 'name', asc: false })
  assert.deepEqual(nextSorting({ by: 'name', asc: true }, 'size'), { by: 'size', asc: false })
  assert.deepEqual(nextSorting({ by: 'size', asc: false }, 'modified'), { by: 'modified', asc: false })
  assert.deepEqual(nextSorting({ by: 'modified', asc: false }, 'name'), { by: 'name', asc: true })
})

test('names that arrive in order are not compared again, which would block the page for a second at 100,000', () => {
  const entries = entriesOf(resourceOf([file('a', { size: 3 }), file('b', { size: 1 }), file('c', { size: 2 })]))
  // Intl refuses this locale: comparing names would throw.
  const refused = { serverSorting: { by: 'name', asc: true }, locale: 'no locale' } as const
  assert.deepEqual(names(sortEntries(entries, { by: 'name', asc: true }, refused)), ['a', 'b', 'c'])
  assert.deepEqual(names(sortEntries(entries, { by: 'size', asc: true }, refused)), ['b', 'c', 'a'])
  assert.throws(() => sortEntries(entries, { by: 'size', asc: true }, { ...refused, serverSorting: undefined }), RangeError)
})

test('an empty folder has no entries, and names that look alike are still two', () => {
  assert.deepEqual(entriesOf({ ...mixed, items: [] } as Resource), [])
  const order = toSortedEntries(entriesOf(resourceOf([file('a�', { unreachable: 'name' }), file('a�', { unreachable: 'name' })])))
  const keys = order.entries.map((entry) => entry.key)
  assert.equal(new Set(keys).size, 2)
  // `CSS.escape` replaces a zero character: no selector would find the row.
  assert.ok(keys.every((key) => !key.includes('\0')))
})
