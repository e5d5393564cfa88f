// The destination of a move or copy is chosen with the arrow keys.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryViewSlice } from '../../src-ui/core/entry-view.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { endGoneTransfer } from '../../src-ui/operations/end-gone-transfer.ts'
import { pickerSlice } from '../../src-ui/operations/picker.ts'
import { chooseFolder, goIn, goOut, refusalOfFolder } from '../../src-ui/operations/picker-commands.ts'
import { entries, type Folders, said, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const picker = workspace.use(pickerSlice)
const listing = workspace.use(listingSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'd/', 'e/', 'f/'], '/d': ['x/'], '/d/x': [] })
  await picker.open('/')
})
afterEach(() => {
  picker.close()
  folders.close()
})

const ask = (kind: 'move' | 'copy', ...names: string[]) => overlays.open({ kind, items: entries(...names), from: '/' })

test('only folders are offered, and at first the current folder', () => {
  assert.deepEqual(
    picker.state.value.folders?.map(({ name }) => name),
    ['d', 'e', 'f'],
  )
  assert.equal(picker.destination.value, '/')
})

test('the arrows mark one folder after another, stop at the last, and above the first is the current folder', () => {
  picker.markNext(1)
  assert.equal(picker.destination.value, '/d')
  for (let step = 0; step < 5; step++) picker.markNext(1)
  assert.equal(picker.destination.value, '/f')
  picker.markEnd('first')
  assert.equal(picker.marked.value?.name, 'd')
  picker.markNext(-1)
  assert.equal(picker.destination.value, '/')
  picker.markNext(-1)
  assert.equal(picker.destination.value, '/')
  picker.markEnd('last')
  assert.equal(picker.destination.value, '/f')
})

test('the marked folder is opened; going up marks the folder that was left', async () => {
  picker.markNext(1)
  goIn(workspace)
  await settled()
  assert.deepEqual([picker.state.value.path, picker.destination.value], ['/d', '/d'])
  goOut(workspace)
  await settled()
  assert.deepEqual([picker.state.value.path, picker.destination.value], ['/', '/d'])
  goOut(workspace)
  assert.equal(picker.state.value.path, '/')
})

test('a move into the same folder is refused, a copy is not', () => {
  ask('move', 'a.txt')
  assert.equal(refusalOfFolder(workspace), 'transfer.here')
  picker.markNext(1)
  assert.equal(refusalOfFolder(workspace), undefined)
  ask('copy', 'a.txt')
  picker.markNext(-1)
  assert.equal(refusalOfFolder(workspace), undefined)
})

test('a folder is not moved into itself, and cannot be opened', async () => {
  ask('move', 'd')
  picker.markNext(1)
  assert.equal(refusalOfFolder(workspace), 'transfer.itself')
  goIn(workspace)
  await settled()
  assert.equal(picker.state.value.path, '/')
})

test('choosing closes the prompt and moves; a refused choice does neither', async () => {
  ask('move', 'a.txt')
  await chooseFolder(workspace)
  assert.equal(overlays.current.value.kind, 'move')
  picker.markNext(1)
  await chooseFolder(workspace)
  assert.equal(overlays.current.value.kind, 'none')
  assert.deepEqual(folders.asked, ['rename /a.txt /d/a.txt'])
})

test('what somebody else has renamed meanwhile is not moved, and the rest is', async () => {
  ask('move', 'a.txt', 'd', 'e')
  Object.assign(folders.stand, { '/': ['a.txt', 'd/', 'e renamed/', 'f/'], '/f': [] })
  await listing.refresh()
  picker.markEnd('last')
  await chooseFolder(workspace)
  assert.deepEqual(folders.asked, ['rename /d /f/d', 'rename /a.txt /f/a.txt'])
})

test('the dialog of a move or copy ends when somebody else has renamed all that it is about', async (context) => {
  const own = new Workspace(workspace.user)
  own.provide(entryViewSlice, listing)
  own.provide(overlaysSlice, overlays)
  own.provide(noticesSlice, workspace.use(noticesSlice))
  context.after(() => own.dispose())
  endGoneTransfer(own)
  for (const [kind, what] of Object.entries({ move: 'moved', copy: 'copied' })) {
    folders.stand['/'] = ['a.txt', 'd/', 'e/']
    await listing.refresh()
    ask(kind as 'move' | 'copy', 'a.txt', 'd')
    folders.stand['/'] = ['a kept.txt', 'd/', 'e/']
    await listing.refresh()
    assert.equal(overlays.current.value.kind, kind)
    folders.stand['/'] = ['a kept.txt', 'd kept/', 'e/']
    await listing.refresh()
    assert.equal(overlays.current.value.kind, 'none')
    assert.match(said().at(-1) ?? '', new RegExp(`^error: 2 items were not ${what}: .*d.*no longer there`))
  }
  assert.deepEqual(folders.asked, [])
})

test('a folder that cannot be read says why, and is no destination', async () => {
  await picker.open('/gone')
  assert.match(picker.state.value.problem ?? '', /no longer there/)
  ask('move', 'a.txt')
  await chooseFolder(workspace)
  assert.deepEqual([overlays.current.value.kind, folders.asked], ['move', []])
})

test('of two loads the later one counts', async () => {
  const first = picker.open('/d')
  const second = picker.open('/d/x')
  await Promise.all([first, second])
  assert.deepEqual([picker.state.value.path, picker.state.value.folders], ['/d/x', []])
})
