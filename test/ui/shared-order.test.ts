import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SharedItem } from '../../src-ui/share-page/shared-items.tsx'
import { type ItemOrder, pressed, sortItems } from '../../src-ui/share-page/sort-items.ts'

const item = (name: string, size: number, day: number, isDir = false) =>
  ({ name, size, isDir, path: `/${name}`, modified: `2026-11-${day}T10:00:00Z`, type: '' }) as SharedItem

// By name, as the server sends them.
const items = [
  item('attic', 0, 12, true),
  item('cellar', 0, 11, true),
  item('a.txt', 30, 15),
  item('b.txt', 10, 20),
  item('c.txt', 20, 10),
]

const cases: [ItemOrder, string][] = [
  [{ by: 'name', asc: true }, 'attic cellar a.txt b.txt c.txt'],
  [{ by: 'name', asc: false }, 'cellar attic c.txt b.txt a.txt'],
  [{ by: 'size', asc: true }, 'attic cellar b.txt c.txt a.txt'],
  [{ by: 'size', asc: false }, 'cellar attic a.txt c.txt b.txt'],
  [{ by: 'modified', asc: true }, 'cellar attic c.txt a.txt b.txt'],
  [{ by: 'modified', asc: false }, 'attic cellar b.txt a.txt c.txt'],
]
for (const [order, names] of cases) {
  test(`a shared folder sorted by ${order.by}, ${order.asc ? 'up' : 'down'}, folders first`, () => {
    const before = [...items]
    assert.equal(
      sortItems(items, order)
        .map(({ name }) => name)
        .join(' '),
      names,
    )
    assert.deepEqual(items, before)
  })
}

test('a press on a column of a shared folder turns its order round; another one begins with A, the largest or the newest', () => {
  assert.deepEqual(pressed({ by: 'name', asc: true }, 'name'), { by: 'name', asc: false })
  assert.deepEqual(pressed({ by: 'name', asc: false }, 'size'), { by: 'size', asc: false })
  assert.deepEqual(pressed({ by: 'size', asc: false }, 'modified'), { by: 'modified', asc: false })
  assert.deepEqual(pressed({ by: 'size', asc: false }, 'name'), { by: 'name', asc: true })
})
