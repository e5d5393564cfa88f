// Move, copy and paste with all the cases of the specification's section 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { clipboardSlice } from '../../src-ui/operations/clipboard.ts'
import { conflictsSlice } from '../../src-ui/operations/conflicts.ts'
import { runJob } from '../../src-ui/operations/run-job.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { chosen, entries, type Folders, pick, said, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const commandTable = workspace.use(commandTableSlice)
const listing = workspace.use(listingSlice)
const clipboard = workspace.use(clipboardSlice)
const conflicts = workspace.use(conflictsSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['a.txt', 'x/'], '/d/x': [] })
})
afterEach(() => folders.close())

test('paste after copy copies, selects, and can be repeated', async () => {
  pick('/b.txt', '/c.txt')
  clipboard.take('c', target().items)
  await listing.load('/d')
  await clipboard.paste(target().folder)
  assert.deepEqual(folders.asked, ['copy /b.txt /d/b.txt', 'copy /c.txt /d/c.txt'])
  assert.deepEqual(chosen(), ['b.txt', 'c.txt'])
  assert.deepEqual(said(), ['success: 2 items copied, ready to paste', 'success: 2 items copied to “\u2068d\u2069”'])
  assert.equal(clipboard.content.value?.key, 'c')
})

test('paste after cut moves, and empties the clipboard', async () => {
  pick('/b.txt')
  clipboard.take('x', target().items)
  assert.deepEqual([...clipboard.cutKeys.value], ['/b.txt'])
  await listing.load('/d')
  await clipboard.paste(target().folder)
  assert.deepEqual(folders.asked, ['rename /b.txt /d/b.txt'])
  assert.equal(clipboard.content.value, undefined)
  assert.equal(clipboard.cutKeys.value.size, 0)
  assert.equal(commandTable.get('clipboard.paste').ready?.(workspace, target()), false)
})

test('a move whose answer is lost is done when the file is there and nowhere else, also when it is tried again', async () => {
  folders.lost = ['rename /b.txt /d/b.txt', 'rename /c.txt /d/c.txt']
  assert.deepEqual(await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' }), [])
  assert.deepEqual(said(), ['success: 1 item moved to “\u2068d\u2069”'])
  const items = entries('a.txt', 'c.txt').slice(1)
  const reach = globalThis.fetch
  let isAway = false
  globalThis.fetch = (async (address: string, init: RequestInit) => {
    if (isAway) throw new TypeError('away')
    isAway = init.method === 'PATCH'
    return reach(address, init)
  }) as typeof fetch
  assert.deepEqual(await transfer(workspace, { action: 'move', items, to: '/d' }), items)
  globalThis.fetch = reach
  assert.deepEqual(await transfer(workspace, { action: 'move', items, to: '/d' }), [])
  assert.equal(overlays.current.value.kind, 'none')
  assert.deepEqual(folders.stand['/d'], ['a.txt', 'x/', 'b.txt', 'c.txt'])
  assert.equal(said().at(-1), 'success: 1 item moved to “\u2068d\u2069”')
})

test('paste into the same folder copies under a new name, which is selected', async () => {
  pick('/b.txt')
  clipboard.take('c', target().items)
  await clipboard.paste(target().folder)
  assert.deepEqual(folders.asked, ['copy /b.txt /b.txt rename'])
  assert.deepEqual(chosen(), ['b(1).txt'])
})

test('paste after cut into the same folder changes nothing and empties the clipboard', async () => {
  pick('/b.txt')
  clipboard.take('x', target().items)
  await clipboard.paste(target().folder)
  assert.deepEqual([folders.asked, clipboard.content.value, said()], [[], undefined, ['success: 1 item cut, ready to paste']])
})

for (const [choice, expected] of [
  ['replace', ['copy /a.txt /d/a.txt override']],
  ['keepBoth', ['copy /a.txt /d/a.txt rename']],
  ['skip', []],
] as const) {
  test(`paste where the name is taken asks first: ${choice}`, async () => {
    pick('/a.txt')
    clipboard.take('c', target().items)
    await listing.load('/d')
    const pasted = clipboard.paste(target().folder)
    await settled()
    assert.deepEqual(folders.asked, [])
    assert.equal(overlays.current.value.kind, 'nameConflicts')
    conflicts.answer(choice, { forAll: false })
    await pasted
    assert.equal(overlays.current.value.kind, 'none')
    assert.deepEqual(folders.asked, expected)
  })
}

test('each conflict has an answer of its own, or one for all that remain; what has none is not asked about', async () => {
  folders.stand['/d'] = ['a.txt', 'b.txt', 'x/']
  folders.stand['/e'] = ['a.txt', 'b.txt', 'c.txt']
  await listing.load('/e')
  const moved = transfer(workspace, { action: 'move', items: listing.sortedEntries.value.entries, to: '/d' })
  await settled()
  assert.equal(overlays.current.value.kind === 'nameConflicts' && overlays.current.value.conflicts.length, 2)
  conflicts.answer('replace', { forAll: false })
  await settled()
  assert.equal(overlays.current.value.kind === 'nameConflicts' && overlays.current.value.conflicts[0]?.item.name, 'b.txt')
  conflicts.answer('keepBoth', { forAll: true })
  await moved
  assert.deepEqual(folders.asked, [
    'rename /e/a.txt /d/a.txt override',
    'rename /e/b.txt /d/b.txt rename',
    'rename /e/c.txt /d/c.txt',
  ])
})

test('Esc in a conflict prompt stops the whole of what was asked, also what has no conflict and what was answered', async () => {
  folders.stand['/d'] = ['a.txt', 'b.txt', 'x/']
  const copied = transfer(workspace, { action: 'copy', items: entries('a.txt', 'b.txt', 'c.txt'), to: '/d' })
  await settled()
  conflicts.answer('replace', { forAll: false })
  void commandTable.get('overlay.close').run(workspace, target())
  await copied
  assert.deepEqual([folders.asked, overlays.current.value.kind], [[], 'none'])
})

test('what was cut stays cut when its paste is stopped by Esc', async () => {
  pick('/a.txt', '/b.txt')
  clipboard.take('x', target().items)
  await listing.load('/d')
  const pasted = clipboard.paste(target().folder)
  await settled()
  overlays.close()
  await pasted
  assert.deepEqual([folders.asked, [...clipboard.cutKeys.value].toSorted()], [[], ['/a.txt', '/b.txt']])
})

test('a taken name that is not visible is reported, not asked about', async () => {
  folders.refusals = { 'copy /b.txt /d/b.txt': 409 }
  const copied = transfer(workspace, { action: 'copy', items: entries('b.txt'), to: '/d' })
  await copied
  assert.match(said().join(), /not copied: .*Another item there has this name/)
})

test('a name that was taken only after the folder was read is asked about too', async () => {
  const again = transfer(workspace, { action: 'copy', items: entries('c.txt'), to: '/d' })
  folders.refusals = { 'copy /c.txt /d/c.txt': 409 }
  await Promise.resolve()
  folders.stand['/d'] = ['a.txt', 'c.txt', 'x/']
  await settled()
  assert.equal(overlays.current.value.kind, 'nameConflicts')
  conflicts.answer('keepBoth', { forAll: false })
  await again
  assert.equal(folders.asked.at(-1), 'copy /c.txt /d/c.txt rename')
})

test('after a move nothing is selected, and the focus is on the neighbour', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  assert.deepEqual([shown(), chosen()], [['d', 'a.txt', 'c.txt'], []])
  assert.equal(listing.selection.value.focus, '/c.txt')
})

test('a folder is moved or copied neither into itself nor below itself', async () => {
  for (const to of ['/d', '/d/x']) await transfer(workspace, { action: 'copy', items: entries('d'), to })
  assert.deepEqual(folders.asked, [])
  assert.match(said().join(), /cannot be put inside itself/)
})

test('what could not be moved is reported with its cause, and the rest is moved', async () => {
  folders.refusals = { 'rename /b.txt /d/b.txt': 403 }
  await transfer(workspace, { action: 'move', items: entries('b.txt', 'c.txt'), to: '/d' })
  assert.deepEqual(shown(), ['d', 'a.txt', 'b.txt'])
  assert.match(said().join('\n'), /^success: 1 item moved to .*d.*\nerror: 1 item was not moved: .*b\.txt.*have permission/)
})

test('a cancelled move leaves the remaining entries where they are', async () => {
  folders.cancelledAfter = 1
  await transfer(workspace, { action: 'move', items: entries('b.txt', 'c.txt'), to: '/d/x' })
  assert.deepEqual(folders.asked, ['rename /b.txt /d/x/b.txt'])
  assert.match(said().join(), /1 item moved to .*x.*: 1 item was not moved/)
})

test('a copy of a folder that was cancelled halfway says so', async () => {
  folders.cancelledAfter = 0
  await transfer(workspace, { action: 'copy', items: entries('b.txt', 'c.txt'), to: '/d/x' })
  assert.match(said().join(), /^success: Copying 2 items to .*x.*: Cancelled$/)
})

test('what was cut and not yet pasted when the paste was cancelled stays cut', async () => {
  pick('/b.txt', '/c.txt')
  clipboard.take('x', target().items)
  folders.cancelledAfter = 1
  await clipboard.paste('/d/x')
  assert.deepEqual(folders.asked, ['rename /b.txt /d/x/b.txt'])
  assert.deepEqual([...clipboard.cutKeys.value], ['/c.txt'])
})

test('a folder that cannot be read is no destination of a move', async () => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/gone' })
  assert.deepEqual(folders.asked, [])
  assert.match(said().join(), /1 item was not moved: It is no longer there/)
})

test('more items than one job takes are given to several', async () => {
  const [item] = entries('b.txt')
  assert.ok(item)
  const items = Array.from({ length: 10_001 }, (_, index) => ({ ...item, path: `/${index}`, name: `${index}` }))
  const { failed, stopped } = await runJob(workspace, { kind: 'copy', items, to: '/d', label: 'copying' })
  assert.deepEqual([folders.asked.length, failed.length, stopped.length], [10_001, 10_001, 0])
  folders.cancelledAfter = 1
  const cancelled = await runJob(workspace, { kind: 'copy', items, to: '/d', label: 'copying' })
  assert.deepEqual([cancelled.failed.length, cancelled.stopped.length], [1, 10_000])
})

test('of a folder of which the rest is moved the notice names what has failed in it', async (t) => {
  const reach = globalThis.fetch
  t.mock.method(globalThis, 'fetch', async (address: string, init: RequestInit = {}) => {
    if (!(address.startsWith('/api/jobs') && init.method === 'POST')) return reach(address, init)
    const { id, kind, to } = JSON.parse(String(init.body))
    const counts = { entries: 1, done: 0, failed: 1, skipped: 0, asked: 0 }
    const failures = ['/d/x/2', '/d/x/3'].map((path) => ({ path, of: '/d', code: 'full', message: '' }))
    const lists = { failures, questions: [], leftOut: [], renamed: [], values: [] }
    return Response.json({ id, kind, state: 'ended', first: '/d', to, startedAt: 1, changedAt: 1, ...counts, ...lists })
  })
  const items = entries('d')
  const { failed } = await runJob(workspace, { kind: 'move', items, to: '/t', label: '' })
  assert.deepEqual(
    failed.map(({ item, name }) => [item, name]),
    [[items[0], 'd/x/2']],
  )
})
