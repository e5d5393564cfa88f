// An empty trash is told from one in which nothing matches.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { user } from '../../src-ui/core/session.ts'
import { TrashItems } from '../../src-ui/trash/trash-items.ts'
import { answering, type Reply } from './answering.ts'
import { ann, settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const network = answering(import.meta.filename)
const { beforeEach, afterEach } = hooksOf(import.meta.filename)
beforeEach(() => {
  user.value = ann
})
afterEach(() => {
  user.value = null
})

const ofAll = 'GET /api/trash?by=date&order=desc&from=0&limit=1000'
const item = { id: 'a', name: 'a.txt', path: '/a.txt', isDir: false, size: 1, type: 'text', deletedAt: 1, dueAt: 2 }
const listOf = (...items: object[]): Reply => ({
  text: JSON.stringify({ items, total: items.length, bytes: 0, own: { items: 0, bytes: 0 }, days: 30, isOn: true }),
  headers: { 'Content-Type': 'application/json' },
})

test('a filter that nothing matches does not make the trash empty, nor while it is being cleared', async () => {
  network.replies[ofAll] = listOf(item)
  network.replies[`${ofAll}&filter=zzz`] = listOf()
  const items = new TrashItems(workspace)
  await items.load()
  items.filterBy('zzz')
  await settled()
  assert.deepEqual([items.facts.value?.total, items.isEmpty.value], [0, false])
  const answer = Promise.withResolvers<void>()
  network.replies[ofAll] = async () => {
    await answer.promise
    return listOf(item)
  }
  items.filterBy('')
  await settled()
  assert.deepEqual([items.facts.value?.total, items.isEmpty.value], [0, false])
  answer.resolve()
  await settled()
  assert.equal(items.facts.value?.total, 1)
  network.replies[ofAll] = listOf()
  items.filterBy(' ')
  await settled()
  assert.equal(items.isEmpty.value, true)
})
