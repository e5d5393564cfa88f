// Changes of single entries are put in their place, in the order of the server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceItem } from '../../src-server/contract/files.ts'
import type { Sorting } from '../../src-server/contract/users.ts'
import { sortEntries } from '../../src-server/files/sorting.ts'
import { entriesOf } from '../../src-ui/core/entries.ts'
import { applyChanges, comparerFor } from '../../src-ui/listing/apply-changes.ts'
import { file, folder } from './entries.ts'

const byName = comparerFor({ by: 'name', asc: true }, 'en')
const namesOf = (entries: readonly { name: string }[] | undefined) => entries?.map(({ name }) => name)

test('new, changed and removed entries, each once', () => {
  const entries = entriesOf({ items: [folder('b'), folder('d'), file('1'), file('3')] })
  const items = [folder('c'), file('2'), file('3', { size: 5 })]
  const applied = applyChanges(entries, { items, removed: ['d', 'unknown'] }, byName)
  assert.deepEqual(namesOf(applied?.entries), ['b', 'c', '1', '2', '3'])
  assert.deepEqual(applied?.counts, { added: 2, removed: 1, changed: 1 })
  assert.equal(applied?.entries.at(-1)?.size, 5)
  assert.equal(applied?.entries[0], entries[0])
})

test('what is there already changes nothing', () => {
  const entries = entriesOf({ items: [file('1'), file('2')] })
  assert.equal(applyChanges(entries, { items: [file('2')], removed: ['gone'] }, byName), undefined)
})

test('a folder that takes the name of a file goes to the folders', () => {
  const entries = entriesOf({ items: [folder('a'), file('x'), file('y')] })
  const applied = applyChanges(entries, { items: [folder('x')], removed: [] }, byName)
  assert.deepEqual(
    applied?.entries.map(({ name, isDir }) => `${name}${isDir ? '/' : ''}`),
    ['a/', 'x/', 'y'],
  )
})

test('an entry whose name cannot be read stays, although a removed name looks the same', () => {
  const entries = entriesOf({ items: [file('a\ufffd', { unreachable: 'name' }), file('b')] })
  assert.equal(applyChanges(entries, { items: [], removed: ['a\ufffd'] }, byName), undefined)
})

for (const by of ['name', 'size', 'modified'] as const) {
  for (const asc of [true, false]) {
    test(`added entries come where a listing has them, sorted by ${by} ${asc ? 'up' : 'down'}`, async () => {
      const sorting: Sorting = { by, asc }
      const all = Array.from({ length: 120 }, (_, index) => sample(index))
      const whole = await listed(all, sorting)
      const before = entriesOf({ items: whole.filter((_, index) => index % 3 > 0) })
      const added = whole.filter((_, index) => index % 3 === 0)
      const applied = applyChanges(before, { items: added, removed: [] }, comparerFor(sorting, 'en'))
      assert.deepEqual(namesOf(applied?.entries), namesOf(whole))
    })
  }
}

/** Names with numbers, in upper and lower case, with equal sizes and times. */
function sample(index: number): ResourceItem {
  const name = `${['File ', 'file', 'é', 'Zoo-', '_', '日本'][index % 6]}${index * 7}`
  const fields = { size: index % 5, modified: `2026-01-0${1 + (index % 4)}T00:00:00Z` }
  return index % 4 === 0 ? folder(name, fields) : file(name, fields)
}

async function listed(items: readonly ResourceItem[], sorting: Sorting): Promise<ResourceItem[]> {
  const entries = items.map((item) => ({ ...item, modified: BigInt(Date.parse(item.modified)) }))
  const sorted = await sortEntries(entries as never, { ...sorting, locale: 'en' })
  return sorted.map(({ name }) => items.find((item) => item.name === name) as ResourceItem)
}
