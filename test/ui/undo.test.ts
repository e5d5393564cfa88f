// Moves and renames are done at once and can be undone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandTableSlice, isReady } from '../../src-ui/core/command.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { clipboardSlice } from '../../src-ui/operations/clipboard.ts'
import { conflictsSlice } from '../../src-ui/operations/conflicts.ts'
import { laterCommands } from '../../src-ui/operations/later-commands.ts'
import { transfer as lazyTransfer } from '../../src-ui/operations/lazy-operations.ts'
import { makeFile, makeFolder } from '../../src-ui/operations/make.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { rename } from '../../src-ui/operations/rename.ts'
import { redo, undo } from '../../src-ui/operations/take-back.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { undoSlice } from '../../src-ui/operations/undo.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { chosen, entries, type Folders, said, settled, shown, startFolders, withoutOperations } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const overlays = workspace.use(overlaysSlice)
const listing = workspace.use(listingSlice)
const conflicts = workspace.use(conflictsSlice)
const undoStack = workspace.use(undoSlice)
const commandTable = workspace.use(commandTableSlice)
const { commands } = commandTable

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  commandTable.commands = [...commands, ...laterCommands]
  // All files of interface tests share one workspace.
  undoStack.clear()
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['a.txt', 'x/'], '/d/x': [] })
})
afterEach(() => {
  commandTable.commands = commands
  folders.close()
})

const canUndo = () => isReady(workspace, commandTable.get('undo'))

test('a move can be undone from its notice and by Ctrl+Z, which selects the entries again', async () => {
  assert.ok(!canUndo())
  await transfer(workspace, { action: 'move', items: entries('b.txt', 'c.txt'), to: '/d' })
  assert.ok(canUndo())
  assert.equal(notices.list.value[0]?.action?.label, 'Undo move of 2 items')
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

test('a move can be undone before its folder is listed again', async () => {
  const listed = Promise.withResolvers<void>()
  await renameTo('a.txt', 'z.txt')
  folders.asked.length = 0
  const moved = transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  folders.heldListings = listed.promise
  await settled()
  const undone = undo(workspace)
  await settled()
  listed.resolve()
  await Promise.all([moved, undone])
  assert.deepEqual(folders.asked, ['rename /b.txt /d/b.txt', 'rename /d/b.txt /b.txt'])
  assert.deepEqual(shown().toSorted(), ['b.txt', 'c.txt', 'd', 'z.txt'])
})

test('only the notice of the last move offers to undo it', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await transfer(workspace, { action: 'move', items: entries('c.txt'), to: '/d' })
  assert.deepEqual(
    notices.list.value.filter(({ action }) => action).map(({ text }) => text),
    ['1 item moved to “\u2068d\u2069”'],
  )
  await undo(workspace)
  assert.equal(notices.list.value.filter(({ action }) => action).length, 1)
  assert.deepEqual(shown(), ['d', 'a.txt', 'c.txt'])
})

/** What the command is called now. */
const called = (id: 'undo' | 'redo') =>
  commandTable
    .get(id)
    .currentLabel?.(workspace)
    ?.replace(/[\u2068\u2069]/g, '')
const renameTo = (name: string, to: string) => Promise.all(entries(name).map((entry) => rename(workspace, entry, to)))

test('a second Ctrl+Z undoes the change before, Ctrl+Shift+Z redoes it', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await renameTo('a.txt', 'z.txt')
  await undo(workspace)
  await undo(workspace)
  assert.ok(!canUndo())
  assert.deepEqual(folders.asked.slice(2), ['rename /z.txt /a.txt', 'rename /d/b.txt /b.txt'])
  await redo(workspace)
  await redo(workspace)
  assert.deepEqual(folders.asked.slice(4), ['rename /b.txt /d/b.txt', 'rename /a.txt /z.txt'])
  assert.ok(!isReady(workspace, commandTable.get('redo')))
  await undo(workspace)
  assert.deepEqual(shown().toSorted(), ['a.txt', 'c.txt', 'd'])
})

test('undo says what it undoes: Undo rename of a.txt', async () => {
  await renameTo('a.txt', 'z.txt')
  assert.equal(called('undo'), 'Undo rename of “a.txt”')
  await undo(workspace)
  assert.deepEqual([called('undo'), called('redo')], [undefined, 'Redo rename of “a.txt”'])
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  assert.deepEqual([called('undo'), called('redo')], ['Undo move of “b.txt”', undefined])
})

test('a rename has a notice that undoes it, which says so', async () => {
  await renameTo('a.txt', 'z.txt')
  const offered = () =>
    notices.list.value.map(({ text, action }) => [text, action?.label].join(' → ').replace(/[\u2068\u2069]/g, ''))
  assert.deepEqual(offered(), ['Renamed to “z.txt” → Undo rename of “a.txt”'])
  await undo(workspace)
  assert.deepEqual(offered(), ['Undone: the name is “a.txt” again → Redo rename of “a.txt”'])
  await redo(workspace)
  assert.deepEqual(offered(), ['Renamed to “z.txt” → Undo rename of “a.txt”'])
})

test('a failed undo is reported, and the change before can still be undone', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await transfer(workspace, { action: 'copy', items: entries('c.txt'), to: '/d' })
  await remove(workspace, entries('c.txt'), () => {})
  for (const reason of [/Deleting cannot be undone/, /does not remove copies/]) {
    await undo(workspace)
    assert.match(said().at(-1) ?? '', /^error: This cannot be undone: /)
    assert.match(said().at(-1) ?? '', reason)
  }
  await undo(workspace)
  assert.deepEqual(folders.asked.at(-1), 'rename /d/b.txt /b.txt')
})

const additions: [what: string, add: () => Promise<unknown>][] = [
  ['a new folder', () => makeFolder(workspace, 'new')],
  ['a new file', () => makeFile(workspace, 'new.txt')],
  ['an upload', () => workspace.use(uploadsSlice).uploadDropped('/', [[{ path: 'sent' }]])],
]
for (const [what, add] of additions) {
  test(`after ${what} undo does not undo the change before it, but says so`, async () => {
    await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
    await add()
    await settled()
    assert.equal(notices.list.value.filter(({ action }) => action).length, 0)
    await undo(workspace)
    assert.match(said().at(-1) ?? '', /^error: This cannot be undone: Undo does not remove new folders/)
    assert.deepEqual(folders.asked.length, 2)
    await undo(workspace)
    assert.equal(folders.asked.at(-1), 'rename /d/b.txt /b.txt')
  })
}

test('an undo that fails can be tried again, for what is left of it', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt', 'c.txt'), to: '/d' })
  folders.refusals = { 'rename /d/c.txt /c.txt': 503 }
  await undo(workspace)
  assert.equal(called('undo'), 'Undo move of “c.txt”')
  folders.refusals = {}
  await undo(workspace)
  assert.deepEqual(shown(), ['d', 'a.txt', 'b.txt', 'c.txt'])
  await renameTo('a.txt', 'z.txt')
  folders.refusals = { 'rename /z.txt /a.txt': 503 }
  await undo(workspace)
  assert.equal(said().at(-1), 'error: “\u2068z.txt\u2069” was not renamed: The server is busy. Try again in a moment.')
  folders.refusals = { 'rename /z.txt /a.txt': 409 }
  await undo(workspace)
  assert.equal(said().at(-1), 'error: “\u2068z.txt\u2069” was not renamed: Another item there has this name.')
  assert.equal(called('undo'), 'Undo rename of “a.txt”')
})

test('the rest of an undo that was cancelled can still be undone', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt', 'c.txt'), to: '/d' })
  folders.cancelledAfter = 1
  await undo(workspace)
  assert.deepEqual([called('undo'), called('redo')], ['Undo move of “c.txt”', 'Redo move of “b.txt”'])
  await undo(workspace)
  assert.deepEqual(shown(), ['d', 'a.txt', 'b.txt', 'c.txt'])
})

test('a failed paste keeps what was cut', async () => {
  const clipboard = workspace.use(clipboardSlice)
  clipboard.take('x', entries('b.txt', 'c.txt'))
  await listing.load('/d')
  folders.refusals = { 'rename /c.txt /d/c.txt': 403 }
  await clipboard.paste('/d')
  assert.deepEqual([...clipboard.cutKeys.value], ['/c.txt'])
})

test('what cannot be loaded loses nothing: a cut, a drop, an undo and a redo are told and can be done again', async (context) => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await renameTo('a.txt', 'z.txt')
  await settled()
  const clipboard = workspace.use(clipboardSlice)
  clipboard.take('x', entries('c.txt'))
  notices.list.value = []
  const asked = [...folders.asked]
  withoutOperations(context)
  const told = 'error: This part of the page could not be loaded: Check the connection, or load the page again.'
  const stays = async (work: () => Promise<unknown>) => {
    await work()
    assert.deepEqual(said(), [told])
    notices.list.value = []
    assert.deepEqual([called('undo'), [...clipboard.cutKeys.value]], ['Undo rename of “a.txt”', ['/c.txt']])
  }
  await stays(() => undo(workspace))
  await stays(() => clipboard.paste('/d'))
  await stays(async () =>
    assert.deepEqual(await lazyTransfer(workspace, { action: 'move', items: entries('c.txt'), to: '/d' }), entries('c.txt')),
  )
  undoStack.record({ kind: 'move', items: entries('c.txt'), to: '/d' }, 'undo')
  await stays(() => redo(workspace))
  assert.equal(called('redo'), 'Redo move of “c.txt”')
  assert.deepEqual(folders.asked, asked)
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

test('a move that replaced something says that it cannot be undone', async () => {
  const replacing = transfer(workspace, { action: 'move', items: entries('a.txt'), to: '/d' })
  await settled()
  conflicts.answer('replace', { forAll: true })
  await replacing
  const before = folders.asked.length
  await undo(workspace)
  assert.match(said().at(-1) ?? '', /cannot be undone: A move that replaced something/)
  assert.equal(folders.asked.length, before)
})

test('a delete goes to the trash, and can be undone from its notice and done again', async () => {
  folders.trash = {}
  await remove(workspace, entries('b.txt', 'd'), () => {})
  assert.deepEqual(shown(), ['a.txt', 'c.txt'])
  const offered = () => notices.list.value.map(({ text, action }) => [text, action?.label].join(' → '))
  assert.deepEqual(offered(), ['2 items moved to the trash → Undo delete of 2 items'])
  notices.list.value[0]?.action?.run()
  await settled()
  assert.deepEqual(
    [shown().toSorted(), chosen()],
    [
      ['a.txt', 'b.txt', 'c.txt', 'd'],
      ['d', 'b.txt'],
    ],
  )
  assert.deepEqual(offered(), ['2 items restored → Redo delete of 2 items'])
  await redo(workspace)
  assert.deepEqual(shown(), ['a.txt', 'c.txt'])
  assert.equal(called('undo'), 'Undo delete of 2 items')
  await undo(workspace)
  assert.deepEqual(shown().toSorted(), ['a.txt', 'b.txt', 'c.txt', 'd'])
  assert.equal(called('redo'), 'Redo delete of 2 items')
})

test('the undo of a delete asks about a name that was taken meanwhile, and what is not put back can be undone later', async () => {
  folders.trash = {}
  await remove(workspace, entries('a.txt', 'b.txt'), () => {})
  folders.stand['/']?.push('a.txt', 'b.txt')
  await listing.load('/')
  const undone = undo(workspace)
  await settled()
  assert.equal(overlays.current.value.kind, 'nameConflicts')
  conflicts.answer('keepBoth', { forAll: false })
  conflicts.answer('skip', { forAll: false })
  await undone
  assert.deepEqual(shown().toSorted(), ['a(1).txt', 'a.txt', 'b.txt', 'c.txt', 'd'])
  assert.deepEqual([called('undo'), called('redo')], ['Undo delete of “b.txt”', 'Redo delete of “a(1).txt”'])
})

test('an undo of a delete says why something cannot be put back', async () => {
  folders.trash = {}
  await remove(workspace, entries('a.txt'), () => {})
  folders.trash = {}
  await undo(workspace)
  assert.match(said().at(-1) ?? '', /^error: 1 item was not restored: .*a\.txt.*it is not in the trash/)
  assert.equal(called('undo'), 'Undo delete of “a.txt”')
})

test('what is deleted for good cannot be undone', async () => {
  folders.trash = {}
  await remove(workspace, entries('a.txt'), () => {}, { isForGood: true })
  assert.deepEqual(folders.trash, {})
  await undo(workspace)
  assert.match(said().at(-1) ?? '', /cannot be undone/)
})

test('where there is no trash nothing is deleted, and the prompt stays to ask again', async () => {
  folders.trash = {}
  folders.stand['/none'] = ['x.txt', 'y.txt']
  await listing.load('/none')
  let closed = 0
  const { left, untrashable } = await remove(workspace, entries('x.txt', 'y.txt'), () => {
    closed += 1
  })
  assert.deepEqual([left.length, untrashable.map(({ name }) => name), closed], [2, ['x.txt', 'y.txt'], 0])
  assert.deepEqual([shown(), said()], [['x.txt', 'y.txt'], []])
  await remove(workspace, untrashable, () => {}, { isForGood: true })
  assert.deepEqual(shown(), [])
})
