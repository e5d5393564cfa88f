// The page of the trash remembers how its entries are sorted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setItem } from '../../src-ui/core/storage.ts'
import { TrashItems } from '../../src-ui/trash/trash-items.ts'
import { settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const { beforeEach, afterEach } = hooksOf(import.meta.filename)
const reach = globalThis.fetch
const empty = { items: [], total: 0, bytes: 0, own: { items: 0, bytes: 0 }, days: 30, isOn: true }
beforeEach(() => {
  globalThis.fetch = (async () => Response.json(empty)) as typeof fetch
})
afterEach(() => {
  globalThis.fetch = reach
  setItem('trash-sorting', undefined)
})

test('the sorting is kept over a reload, and a broken one counts as none', async () => {
  const items = new TrashItems(workspace)
  items.sortBy('name')
  await settled()
  assert.deepEqual(new TrashItems(workspace).sorting.value, { by: 'name', isAscending: true })
  items.sortBy('name')
  await settled()
  assert.deepEqual(new TrashItems(workspace).sorting.value, { by: 'name', isAscending: false })
  for (const broken of ['colour up', '', undefined]) {
    setItem('trash-sorting', broken)
    assert.deepEqual(new TrashItems(workspace).sorting.value, { by: 'date', isAscending: false })
  }
})
