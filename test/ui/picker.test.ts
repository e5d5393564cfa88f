// The destination of a move or copy is chosen with the arrow keys.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { pickerSlice } from '../../src-ui/operations/picker.ts'
import { chooseFolder, goIn, goOut, refusalOfFolder } from '../../src-ui/operations/picker-commands.ts'
import { entries, type Folders, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const picker = workspace.use(pickerSlice)

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
