// The orders of what is in the trash follow each change, also one that comes while they are made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import type { TrashedItem } from '../../src-server/disk/disk.ts'
import { SortedItems, type TrashOrder } from '../../src-server/trash/sorted-items.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const itemOf = (id: string, at: number): TrashedItem => ({
  ...{ id, top: '/host', owner: 'i-1', name: id, path: parsePath(`/${id}`), isDir: false, size: 1, at, why: 'delete' },
  ...{ by: { id: 1, name: 'ann' }, above: [], identity: '' },
})

const order = (name: string, direction: 1 | -1): TrashOrder<number> => ({
  name,
  keyOf: ({ at }) => at,
  compare: (one, other) =>
    direction * (one.key - other.key) || (one.item.id < other.item.id ? -1 : one.item.id > other.item.id ? 1 : 0),
})

test('an order is that of all items after any changes', async () => {
  const random = new SeededRandom(7)
  const items = new Map<string, TrashedItem>()
  const sorted = new SortedItems(() => items.values())
  const orders = [order('up', 1), order('down', -1)]
  const change = (step: number) => {
    const old = [...items.values()][random.below(items.size + 1)]
    if (old && random.below(3) === 0) {
      items.delete(old.id)
      sorted.drop(old)
    }
    const item = itemOf(`i${step}`, random.below(20))
    items.set(item.id, item)
    sorted.add(item)
  }
  for (let step = 0; step < 1500; step++) change(step)
  for (let round = 0; round < 20; round++) {
    const asked = orders.map((one) => sorted.in(one))
    // While they are made.
    for (let step = 0; step < 20; step++) change(2000 + round * 20 + step)
    await Promise.all(asked)
    for (const one of orders) {
      const all = [...items.values()].map((item) => ({ item, key: one.keyOf(item) })).sort(one.compare)
      assert.deepEqual(
        (await sorted.in(one)).map(({ item }) => item.id),
        all.map(({ item }) => item.id),
      )
    }
  }
})

test('only the orders that were asked for last are kept', async () => {
  const made: number[] = []
  const sorted = new SortedItems(() => {
    made.push(1)
    return [itemOf('a', 1)]
  })
  for (let number = 0; number < 10; number++) await sorted.in(order(`order ${number}`, 1))
  assert.equal(made.length, 10)
  await sorted.in(order('order 9', 1))
  assert.equal(made.length, 10)
  await sorted.in(order('order 0', 1))
  assert.equal(made.length, 11)
})

test('an order that nobody asks for is given up after many changes, and made anew when it is asked for', async () => {
  const items = new Map<string, TrashedItem>()
  let made = 0
  const sorted = new SortedItems(() => {
    made++
    return items.values()
  })
  const add = (count: number) => {
    for (let step = 0; step < count; step++) {
      const item = itemOf(`i${items.size}`, step % 20)
      items.set(item.id, item)
      sorted.add(item)
    }
  }
  const asked = async () => (await sorted.in(order('up', 1))).length
  for (let round = 0; round < 10; round++) {
    add(100)
    assert.deepEqual([await asked(), made], [items.size, 1])
  }
  add(1000)
  assert.deepEqual([await asked(), made], [items.size, 2])
})
