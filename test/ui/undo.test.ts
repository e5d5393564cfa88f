// What can be undone is done at once and can be taken back: moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandById } from '../../src-ui/commands.ts'
import { isReady } from '../../src-ui/core/command.ts'
import { notices } from '../../src-ui/core/notices.ts'
import { overlay } from '../../src-ui/core/overlay.ts'
import { user } from '../../src-ui/core/session.ts'
import { load } from '../../src-ui/listing/listing.ts'
import { answerNameConflicts } from '../../src-ui/operations/conflicts.ts'
import { transfer, undo } from '../../src-ui/operations/transfer.ts'
import { undoable } from '../../src-ui/operations/undo.ts'
import { ann, chosen, entries, type Folders, said, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['a.txt', 'x/'], '/d/x': [] })
})
afterEach(() => {
  undoable.value = undefined
  folders.close()
})

const canUndo = () => isReady(commandById('undo'))

test('a move offers to be undone, in its notice and by Ctrl+Z; what comes back is selected', async () => {
  assert.ok(!canUndo())
  await transfer({ action: 'move', items: entries('b.txt', 'c.txt'), to: '/d' })
  assert.ok(canUndo())
  assert.equal(notices.value[0]?.action?.label, 'Undo')
  notices.value[0]?.action?.run()
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
  await transfer({ action: 'move', items: entries('b.txt'), to: '/d' })
  await transfer({ action: 'move', items: entries('c.txt'), to: '/d' })
  assert.deepEqual(
    notices.value.filter(({ action }) => action).map(({ text }) => text),
    ['1 item moved to \u2068d\u2069'],
  )
  await undo()
  assert.equal(notices.value.filter(({ action }) => action).length, 1)
  assert.deepEqual(shown(), ['d', 'a.txt', 'c.txt'])
})

test('undone twice it is as it was after the move', async () => {
  await transfer({ action: 'move', items: entries('b.txt'), to: '/d' })
  await undo()
  await undo()
  assert.deepEqual(folders.asked, ['rename /b.txt /d/b.txt', 'rename /d/b.txt /b.txt', 'rename /b.txt /d/b.txt'])
})

test('from another folder it is undone too, and the listing there stays as it is', async () => {
  await transfer({ action: 'move', items: entries('b.txt'), to: '/d' })
  await load('/d/x')
  await undo()
  assert.deepEqual(folders.asked.at(-1), 'rename /d/b.txt /b.txt')
  assert.deepEqual(shown(), [])
})

test('a name that was taken meanwhile is asked about and not overwritten', async () => {
  await transfer({ action: 'move', items: entries('b.txt'), to: '/d' })
  folders.stand['/']?.push('b.txt')
  await load('/')
  const undone = undo()
  await settled()
  assert.equal(overlay.value.kind, 'replace-rename')
  answerNameConflicts('skip', { forAll: true })
  await undone
  assert.equal(folders.asked.length, 1)
})

test('what replaced something, a copy, and what another person did cannot be undone', async () => {
  const replacing = transfer({ action: 'move', items: entries('a.txt'), to: '/d' })
  await settled()
  answerNameConflicts('replace', { forAll: true })
  await replacing
  assert.ok(!canUndo())
  await transfer({ action: 'copy', items: entries('b.txt'), to: '/d' })
  assert.ok(!canUndo())
  await transfer({ action: 'move', items: entries('c.txt'), to: '/d' })
  user.value = { ...ann, id: 2 }
  assert.equal(undoable.value, undefined)
})
