// What was done of an act of which a part has failed, or is not as it was left, can be undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf } from '../../src-ui/acts/act-words.ts'
import { actsSlice } from '../../src-ui/acts/acts.ts'
import { actsLater } from '../../src-ui/acts/feature-later.ts'
import { flipLast } from '../../src-ui/acts/flip-act.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { reportedSlice } from '../../src-ui/core/own-acts.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { entries, type Folders, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const acts = workspace.use(actsSlice)
actsLater.follow(workspace)
const { afterEach, beforeEach } = hooksOf(import.meta.filename)
let folders: Folders
beforeEach(async () => {
  acts.list.value = []
  for (let id = 1; id < 9; id++) acts.pass({ id: `h${id}` }, false)
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': [] })
  folders.trash = {}
})
afterEach(() => folders.close())

const plain = (text = '') => text.replace(/[\u2068\u2069]/g, '')
const offered = () => notices.list.value.map(({ text, action }) => plain([text, action?.label].filter(Boolean).join(' → ')))
const move = (...names: string[]) => transfer(workspace, { action: 'move', items: entries(...names), to: '/d' })

test('the notice of what has failed stays, and offers to undo what was done', async () => {
  folders.refusals = { 'rename /c.txt /d/c.txt': 403 }
  await move('a.txt', 'b.txt', 'c.txt')
  await settled()
  assert.deepEqual(offered(), ['2 items moved to “d”', '1 item was not moved → Undo move of 2 items'])
  notices.list.value.at(-1)?.action?.run()
  await settled()
  assert.deepEqual(shown().toSorted(), ['a.txt', 'b.txt', 'c.txt', 'd'])
})

test('a failure of which nothing was done offers nothing, and leaves the offer of the act before', async () => {
  await move('a.txt')
  folders.refusals = { 'rename /c.txt /d/c.txt': 403 }
  await move('c.txt')
  await settled()
  assert.deepEqual(offered(), ['1 item moved to “d” → Undo move of “a.txt”', '1 item was not moved'])
})

test('a failure is told until it is closed, also when what it offers to undo is not the last act any more', async () => {
  folders.refusals = { 'DELETE /c.txt': 403 }
  await remove(workspace, entries('b.txt', 'c.txt'), () => {})
  await settled()
  assert.deepEqual(offered(), ['1 item moved to the trash', '1 item was not deleted → Undo delete of “b.txt”'])
  await move('a.txt')
  await settled()
  const now = ['1 item was not deleted', '1 item moved to “d” → Undo move of “a.txt”']
  assert.deepEqual(offered().slice(1), now)
})

test('a job that another page began, and of which a part has failed, can be undone from its notice', async () => {
  await move('a.txt', 'b.txt')
  await settled()
  notices.list.value = []
  const notice = notices.fail('1 item was not moved')
  workspace.use(reportedSlice).value = { act: acts.list.value[0]?.key, notice, isFailure: true }
  await settled()
  assert.deepEqual(offered(), ['1 item was not moved → Undo move of 2 items'])
})

test('what was told of a failure goes when the same is tried again, and that of something else stays', async () => {
  folders.refusals = { 'rename /a.txt /d/a.txt': 403, 'rename /c.txt /d/c.txt': 503, 'DELETE /b.txt': 403 }
  await move('c.txt')
  await move('a.txt')
  await remove(workspace, entries('b.txt'), () => {})
  assert.deepEqual(
    notices.list.value.map(({ kind }) => kind),
    ['error', 'error', 'error'],
  )
  folders.refusals = { 'rename /a.txt /d/a.txt': 403 }
  await move('c.txt')
  await settled()
  const left = ['1 item was not moved', '1 item was not deleted', '1 item moved to “d” → Undo move of “c.txt”']
  assert.deepEqual(offered(), left)
  await remove(workspace, entries('b.txt'), () => {})
  await settled()
  assert.deepEqual(offered(), ['1 item was not moved', '1 item moved to the trash → Undo delete of “b.txt”'])
})

test('an undo that succeeds takes away what was told of its failure', async () => {
  await move('a.txt')
  folders.refusals = { 'undo h1': 503 }
  await flipLast(workspace, 'undo')
  assert.deepEqual(offered(), ['Not undone: move of “a.txt”'])
  folders.refusals = {}
  await flipLast(workspace, 'undo')
  assert.deepEqual(offered(), ['Undone: move of “a.txt” → Redo move of “a.txt”'])
})

test('what the undo of the rest has undone is counted without what it has left', async () => {
  await move('a.txt', 'b.txt', 'c.txt')
  const left = [{ path: '/d/c.txt', how: 'changed' as const }]
  folders.history.left = left
  await flipLast(workspace, 'undo')
  folders.history.left = left
  notices.list.value.at(-1)?.action?.run()
  await settled()
  const last = notices.list.value.at(-1)
  assert.equal(plain(last?.text), 'Undone: move of 2 items')
  assert.equal(plain(last?.detail), 'c.txt: Its content has changed since.')
})

test('a folder of which several files are left counts as one entry', () => {
  const left = ['/d/x/1', '/d/x/2', '/e'].map((path) => ({ path, how: 'changed' as const }))
  assert.equal(countOf({ count: 15, folder: '/d' }, { done: 40, left }), 13)
  assert.equal(countOf({ count: 15, folder: '/' }, { done: 40, left, more: 2 }), 11)
  assert.equal(countOf({ count: 15, folder: '/d' }, { done: 9, left }), 9)
  assert.equal(countOf({ count: 1, folder: '/d' }, { done: 40, left }), 1)
  // The answer was lost, and it is undone.
  assert.equal(countOf({ count: 15, folder: '/d' }, { done: 0, left: [] }), 15)
})
