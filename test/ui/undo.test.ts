// What a person does is done at once and can be undone, from whatever page, as the server keeps it.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { actState } from '../../src-ui/acts/act-words.ts'
import { actsSlice } from '../../src-ui/acts/acts.ts'
import { actsLater } from '../../src-ui/acts/feature-later.ts'
import { flipAct, flipLast } from '../../src-ui/acts/flip-act.ts'
import { commandTableSlice, isReady } from '../../src-ui/core/command.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { presenceSlice } from '../../src-ui/core/presence.ts'
import { run } from '../../src-ui/core/run.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { clipboardSlice } from '../../src-ui/operations/clipboard.ts'
import { conflictsSlice } from '../../src-ui/operations/conflicts.ts'
import { transfer as lazyTransfer } from '../../src-ui/operations/lazy-operations.ts'
import { makeFile, makeFolder } from '../../src-ui/operations/make.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { rename } from '../../src-ui/operations/rename.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { chosen, entries, type Folders, said, settled, shown, startFolders, withoutOperations } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const listing = workspace.use(listingSlice)
const conflicts = workspace.use(conflictsSlice)
const commandTable = workspace.use(commandTableSlice)
const { commands } = commandTable
// All files of interface tests share one workspace.
const acts = workspace.use(actsSlice)
actsLater.follow(workspace)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  commandTable.commands = [...commands, ...actsLater.commands]
  acts.list.value = []
  for (let id = 1; id < 9; id++) acts.pass({ id: `h${id}` }, false)
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['a.txt', 'x/'], '/d/x': [] })
  folders.trash = {}
})
afterEach(() => {
  commandTable.commands = commands
  folders.close()
})

const undo = () => run(workspace, commandTable.get('undo'))
const redo = () => run(workspace, commandTable.get('redo'))
const plain = (text = '') => text.replace(/[\u2068\u2069]/g, '')
const saidLast = () => plain(said().at(-1))
/** The notices with their buttons. */
const offered = () => notices.list.value.map(({ text, action }) => plain([text, action?.label].filter(Boolean).join(' → ')))
/** What the command is called now. */
const called = (id: 'undo' | 'redo') => plain(commandTable.get(id).currentLabel?.(workspace))
const renameTo = (name: string, to: string) => Promise.all(entries(name).map((entry) => rename(workspace, entry, to)))
const move = (to: string, ...names: string[]) => transfer(workspace, { action: 'move', items: entries(...names), to })

let presses = 0
mock.method(workspace, 'now', () => performance.now() + presses * 1000)

async function press(label: string) {
  await settled()
  const notice = notices.list.value.find(({ action }) => plain(action?.label) === label)
  assert.ok(notice?.action, `${label} is not among ${offered()}`)
  // A second click of a double click does nothing.
  presses += 1
  notice.action.run()
  await settled()
}

test('a move can be undone from its notice and by Ctrl+Z, which selects the entries again', async () => {
  await move('/d', 'b.txt', 'c.txt')
  await press('Undo move of 2 items')
  assert.deepEqual(
    [shown().toSorted(), chosen().toSorted()],
    [
      ['a.txt', 'b.txt', 'c.txt', 'd'],
      ['b.txt', 'c.txt'],
    ],
  )
  assert.deepEqual(offered(), ['Undone: move of 2 items → Redo move of 2 items'])
  await redo()
  assert.deepEqual([shown(), offered()], [['d', 'a.txt'], ['Redone: move of 2 items → Undo move of 2 items']])
  await undo()
  assert.deepEqual(chosen().toSorted(), ['b.txt', 'c.txt'])
})

test('a move can be undone before its folder is listed again', async () => {
  const listed = Promise.withResolvers<void>()
  await renameTo('a.txt', 'z.txt')
  const moved = move('/d', 'b.txt')
  folders.heldListings = listed.promise
  await settled()
  const undone = undo()
  await settled()
  listed.resolve()
  await Promise.all([moved, undone])
  assert.deepEqual(shown().toSorted(), ['b.txt', 'c.txt', 'd', 'z.txt'])
})

test('only the notice of the last act offers to undo it', async () => {
  await move('/d', 'b.txt')
  await move('/d', 'c.txt')
  await settled()
  assert.deepEqual(offered(), ['1 item moved to “d” → Undo move of “c.txt”'])
  await undo()
  assert.deepEqual(offered(), ['Undone: move of “c.txt” → Redo move of “c.txt”'])
  assert.deepEqual(shown(), ['d', 'a.txt', 'c.txt'])
})

test('a second Ctrl+Z undoes the change before, Ctrl+Shift+Z redoes it', async () => {
  await move('/d', 'b.txt')
  await renameTo('a.txt', 'z.txt')
  await undo()
  await undo()
  assert.deepEqual(shown().toSorted(), ['a.txt', 'b.txt', 'c.txt', 'd'])
  await undo()
  assert.equal(saidLast(), 'success: Nothing to undo')
  await redo()
  assert.deepEqual(shown().toSorted(), ['a.txt', 'c.txt', 'd'])
  await redo()
  assert.deepEqual(shown().toSorted(), ['c.txt', 'd', 'z.txt'])
  await redo()
  assert.equal(saidLast(), 'success: Nothing to redo')
  await undo()
  assert.deepEqual(shown().toSorted(), ['a.txt', 'c.txt', 'd'])
})

test('keys that are pressed faster than the server answers undo one act each', async () => {
  await move('/d', 'b.txt')
  await renameTo('a.txt', 'z.txt')
  await Promise.all([undo(), undo()])
  assert.deepEqual(shown().toSorted(), ['a.txt', 'b.txt', 'c.txt', 'd'])
})

test('undo says what it undoes: Undo rename of z.txt', async () => {
  await renameTo('a.txt', 'z.txt')
  await settled()
  assert.equal(called('undo'), 'Undo rename of “z.txt”')
  await undo()
  assert.deepEqual([called('undo'), called('redo')], ['', 'Redo rename of “z.txt”'])
  await move('/d', 'b.txt')
  await settled()
  assert.deepEqual([called('undo'), called('redo')], ['Undo move of “b.txt”', ''])
})

test('a rename has a notice that undoes it, which says so', async () => {
  await renameTo('a.txt', 'z.txt')
  await settled()
  assert.deepEqual(offered(), ['Renamed to “z.txt” → Undo rename of “z.txt”'])
  await undo()
  assert.deepEqual(offered(), ['Undone: rename of “z.txt” → Redo rename of “z.txt”'])
  await redo()
  assert.deepEqual(offered(), ['Redone: rename of “z.txt” → Undo rename of “z.txt”'])
})

test('what another page has done since is undone first, and what it has undone is not undone again', async () => {
  await renameTo('a.txt', 'z.txt')
  await settled()
  const elsewhere = { method: 'DELETE', headers: { 'Holdall-Act': 'another-page' } }
  await fetch('/api/resources/b.txt?trash=true', elsewhere)
  assert.equal(called('undo'), 'Undo rename of “z.txt”')
  await undo()
  assert.deepEqual([shown().toSorted(), saidLast()], [['b.txt', 'c.txt', 'd', 'z.txt'], 'success: Undone: delete of “b.txt”'])
  await fetch('/api/history/h1/undo', { method: 'POST', body: '{}' })
  await undo()
  assert.deepEqual([saidLast(), shown().toSorted()], ['success: Nothing to undo', ['b.txt', 'c.txt', 'd', 'z.txt']])
})

test('the command is ready although this page has done nothing, and tells when nothing can be undone', async () => {
  assert.ok(isReady(workspace, commandTable.get('undo')))
  await undo()
  assert.deepEqual(said(), ['success: Nothing to undo'])
})

test('on return the page learns what was done elsewhere', async () => {
  await fetch('/api/resources/b.txt?trash=true', { method: 'DELETE', headers: { 'Holdall-Act': 'another-page' } })
  workspace.use(presenceSlice).returns.value += 1
  await settled()
  assert.equal(called('undo'), 'Undo delete of “b.txt”')
})

test('what cannot be undone says why, and the change before can still be undone', async () => {
  await move('/d', 'b.txt')
  await remove(workspace, entries('c.txt'), () => {}, { isForGood: true })
  await undo()
  assert.equal(
    saidLast(),
    'error: This cannot be undone: delete of “c.txt”: It was deleted or replaced for good. The next Undo is about: move of “b.txt”.',
  )
  await undo()
  assert.equal(saidLast(), 'error: Not undone: move of “b.txt”: b.txt: Another item there has this name.')
})

const additions: [what: string, add: () => Promise<unknown>, label: string][] = [
  ['a new folder', () => makeFolder(workspace, 'new'), 'new folder “new”'],
  ['a new file', () => makeFile(workspace, 'new.txt'), 'adding “new.txt”'],
  ['an upload', () => workspace.use(uploadsSlice).uploadDropped('/', [[{ path: 'sent' }, { path: 'more' }]]), 'adding 2 items'],
  ['a copy', () => transfer(workspace, { action: 'copy', items: entries('c.txt'), to: '/d' }), 'copy of “c.txt”'],
]
for (const [what, add, label] of additions) {
  test(`${what} can be undone, and not the change before it`, async () => {
    await move('/d', 'b.txt')
    const before = structuredClone(folders.stand)
    await add()
    await settled()
    assert.equal(called('undo'), `Undo ${label}`)
    await undo()
    assert.deepEqual(folders.stand, before)
    assert.equal(saidLast(), `success: Undone: ${label}`)
  })
}

test('the notice of an upload offers to undo the whole drop', async () => {
  await workspace.use(uploadsSlice).uploadDropped('/', [[{ path: 'one' }, { path: 'two' }]])
  await settled()
  assert.deepEqual(offered(), ['2 folders created → Undo adding 2 items'])
})

test('an undo that fails can be tried again', async () => {
  await renameTo('a.txt', 'z.txt')
  folders.refusals = { 'undo h1': 503 }
  await undo()
  assert.equal(saidLast(), 'error: Not undone: rename of “z.txt”: The server is busy. Try again in a moment.')
  assert.equal(called('undo'), 'Undo rename of “z.txt”')
  folders.refusals = {}
  await undo()
  assert.deepEqual(shown(), ['d', 'a.txt', 'b.txt', 'c.txt'])
})

test('an undo whose answer is lost is not sent again for the act before', async () => {
  await move('/d', 'b.txt')
  await renameTo('a.txt', 'z.txt')
  folders.lost = ['undo h2']
  await undo()
  assert.deepEqual([saidLast(), shown().toSorted()], ['success: Undone: rename of “z.txt”', ['a.txt', 'c.txt', 'd']])
})

test('what is not as it was left is listed, nothing is changed, and the rest is offered', async () => {
  await move('/d', 'b.txt', 'c.txt')
  folders.history.left = [{ path: '/d/c.txt', how: 'changed' }]
  await undo()
  assert.deepEqual(
    [shown(), saidLast()],
    [['d', 'a.txt'], 'error: Not undone: move of 2 items: c.txt: Its content has changed since.'],
  )
  folders.history.left = [{ path: '/d/c.txt', how: 'changed' }]
  await press('Undo the rest')
  assert.equal(saidLast(), 'success: Undone: move of 1 item: c.txt: Its content has changed since.')
  assert.equal(called('undo'), '')
})

test('where nothing of an act can be undone, no rest is offered', async () => {
  await renameTo('a.txt', 'z.txt')
  folders.history.left = [{ path: '/z.txt', how: 'replaced' }]
  await undo()
  assert.deepEqual(offered().slice(-1), ['Not undone: rename of “z.txt”'])
  assert.match(saidLast(), /z\.txt: Another item is in its place\.$/)
})

test('any listed act can be undone singly', async () => {
  await renameTo('a.txt', 'z.txt')
  await settled()
  const [act] = acts.list.value
  assert.ok(act)
  assert.match(plain(actState(act)), /My files/)
  await flipAct(workspace, act, { direction: 'undo' })
  assert.match(plain(actState(acts.list.value[0] ?? act)), /My files · Undone$/)
})

test('an act that another page has undone meanwhile tells that it was', async () => {
  await renameTo('a.txt', 'z.txt')
  await settled()
  await fetch('/api/history/h1/undo', { method: 'POST', body: '{}' })
  await flipLast(workspace, 'redo')
  assert.equal(saidLast(), 'success: Redone: rename of “z.txt”')
})

test('a failed paste keeps what was cut', async () => {
  const clipboard = workspace.use(clipboardSlice)
  clipboard.take('x', entries('b.txt', 'c.txt'))
  await listing.load('/d')
  folders.refusals = { 'rename /c.txt /d/c.txt': 403 }
  await clipboard.paste('/d')
  assert.deepEqual([...clipboard.cutKeys.value], ['/c.txt'])
})

test('what cannot be loaded loses nothing: a cut and a drop are told and can be done again', async (context) => {
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
    assert.deepEqual([...clipboard.cutKeys.value], ['/c.txt'])
  }
  await stays(() => clipboard.paste('/d'))
  await stays(async () =>
    assert.deepEqual(await lazyTransfer(workspace, { action: 'move', items: entries('c.txt'), to: '/d' }), entries('c.txt')),
  )
  assert.deepEqual(folders.asked, asked)
})

test('without the server, Undo says so and changes nothing', async (context) => {
  await renameTo('a.txt', 'z.txt')
  await settled()
  context.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await undo()
  assert.match(saidLast(), /^error: Undo failed: The server could not be reached\./)
})

test('from another folder it is undone too, and the listing there stays as it is', async () => {
  await move('/d', 'b.txt')
  await listing.load('/d/x')
  await undo()
  assert.deepEqual(folders.stand['/'], ['a.txt', 'b.txt', 'c.txt', 'd/'])
  assert.deepEqual(shown(), [])
})

test('a move that replaced something can be undone', async () => {
  const before = structuredClone(folders.stand)
  const replacing = move('/d', 'a.txt')
  await settled()
  conflicts.answer('replace', { forAll: true })
  await replacing
  await undo()
  assert.deepEqual(folders.stand, before)
})

test('a delete goes to the trash, and can be undone from its notice and done again', async () => {
  await remove(workspace, entries('b.txt', 'd'), () => {})
  await settled()
  assert.deepEqual(shown(), ['a.txt', 'c.txt'])
  assert.deepEqual(offered(), ['2 items moved to the trash → Undo delete of 2 items'])
  await press('Undo delete of 2 items')
  assert.deepEqual(
    [shown().toSorted(), chosen()],
    [
      ['a.txt', 'b.txt', 'c.txt', 'd'],
      ['d', 'b.txt'],
    ],
  )
  assert.deepEqual(offered(), ['Undone: delete of 2 items → Redo delete of 2 items'])
  await redo()
  assert.deepEqual(shown(), ['a.txt', 'c.txt'])
  assert.equal(called('undo'), 'Undo delete of 2 items')
  await undo()
  assert.deepEqual(shown().toSorted(), ['a.txt', 'b.txt', 'c.txt', 'd'])
  assert.equal(called('redo'), 'Redo delete of 2 items')
})

test('the undo of a delete overwrites nothing that has a name by now', async () => {
  await remove(workspace, entries('a.txt', 'b.txt'), () => {})
  folders.stand['/']?.push('a.txt')
  await undo()
  assert.match(saidLast(), /^error: Not undone: delete of 2 items: a\.txt: Another item there has this name\./)
  assert.deepEqual(folders.stand['/'], ['c.txt', 'd/', 'a.txt'])
})

for (const [where, folder, why] of [
  ['there is no trash', '/none', 'noTrash'],
  ['the disk is too full for the trash', '/full', 'trashFull'],
  ['the trash is too small', '/large', 'trashTooSmall'],
]) {
  for (const names of [['x.txt'], ['x.txt', 'y.txt']]) {
    test(`where ${where} none of ${names.length} is deleted, and the prompt stays to ask again`, async () => {
      folders.stand[folder as string] = [...names]
      await listing.load(folder as string)
      let closed = 0
      const then = () => {
        closed += 1
      }
      const { left, untrashable, whyUntrashable } = await remove(workspace, entries(...names), then)
      assert.deepEqual([left.length, untrashable.map(({ name }) => name), closed], [names.length, names, 0])
      assert.deepEqual([shown(), said(), whyUntrashable], [names, [], why])
      // The server has tried again what it made room for.
      assert.deepEqual(
        folders.asked,
        names.map((name) => `DELETE ${folder}/${name}`),
      )
      await remove(workspace, untrashable, () => {}, { isForGood: true })
      assert.deepEqual(shown(), [])
    })
  }
}
