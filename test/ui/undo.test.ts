// What can be undone is done at once and can be taken back: moves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandTableSlice, isReady } from '../../src-ui/core/command.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { conflictsSlice } from '../../src-ui/operations/conflicts.ts'
import { transfer, undo } from '../../src-ui/operations/transfer.ts'
import { undoSlice } from '../../src-ui/operations/undo.ts'
import { chosen, entries, type Folders, said, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const overlays = workspace.use(overlaysSlice)
const commandTable = workspace.use(commandTableSlice)
const listing = workspace.use(listingSlice)
const conflicts = workspace.use(conflictsSlice)
const undoStack = workspace.use(undoSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['a.txt', 'x/'], '/d/x': [] })
})
afterEach(() => {
  undoStack.undoable.value = undefined
  folders.close()
})

const canUndo = () => isReady(workspace, commandTable.get('undo'))

test('a move offers to be undone, in its notice and by Ctrl+Z; what comes back is selected', async () => {
  assert.ok(!canUndo())
  await transfer(workspace, { action: 'move', items: entries('b.txt', 'c.txt'), to: '/d' })
  assert.ok(canUndo())
  assert.equal(notices.list.value[0]?.action?.label, 'Undo')
  notices.list.value[0]?.action?.run()
  await settled()
  assert.deepEqual(folders.asked.slice(2), ['rename /d/b.txt /b.txt', 'rename /d/c.txt /c.txt'])
  assert.deepEqual(
    [shown(), chosen()],
    [
      ['d', 'a.txt', 'b.txt', 'c.txt'],
      ['b.txt', 'c.txt'],
    ],
  )
  assert.match(said().at(-1) ?? '', /2 items moved to .*My files/)
})

test('only the last move is offered to be undone', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await transfer(workspace, { action: 'move', items: entries('c.txt'), to: '/d' })
  assert.deepEqual(
    notices.list.value.filter(({ action }) => action).map(({ text }) => text),
    ['1 item moved to \u2068d\u2069'],
  )
  await undo(workspace)
  assert.equal(notices.list.value.filter(({ action }) => action).length, 1)
  assert.deepEqual(shown(), ['d', 'a.txt', 'c.txt'])
})

test('undone twice it is as it was after the move', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await undo(workspace)
  await undo(workspace)
  assert.deepEqual(folders.asked, ['rename /b.txt /d/b.txt', 'rename /d/b.txt /b.txt', 'rename /b.txt /d/b.txt'])
})

test('from another folder it is undone too, and the listing there stays as it is', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await listing.load('/d/x')
  await undo(workspace)
  assert.deepEqual(folders.asked.at(-1), 'rename /d/b.txt /b.txt')
  assert.deepEqual(shown(), [])
})

test('a name that was taken meanwhile is asked about and not overwritten', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  folders.stand['/']?.push('b.txt')
  await listing.load('/')
  const undone = undo(workspace)
  await settled()
  assert.equal(overlays.current.value.kind, 'nameConflicts')
  conflicts.answer('skip', { forAll: true })
  await undone
  assert.equal(folders.asked.length, 1)
})

test('what replaced something and a copy cannot be undone', async () => {
  const replacing = transfer(workspace, { action: 'move', items: entries('a.txt'), to: '/d' })
  await settled()
  conflicts.answer('replace', { forAll: true })
  await replacing
  assert.ok(!canUndo())
  await transfer(workspace, { action: 'copy', items: entries('b.txt'), to: '/d' })
  assert.ok(!canUndo())
})
