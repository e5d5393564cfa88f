// The folder that things are moved or copied to is chosen by the arrow keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, overlay } from '../../src-ui/core/overlay.ts'
import { destination, leavePicker, lookInto, markEnd, marked, markNext, picker } from '../../src-ui/operations/picker.ts'
import { chooseFolder, goIn, goOut, refusalOfFolder } from '../../src-ui/operations/picker-commands.ts'
import { entries, type Folders, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'd/', 'e/', 'f/'], '/d': ['x/'], '/d/x': [] })
  await lookInto('/')
})
afterEach(() => {
  leavePicker()
  folders.close()
})

const ask = (kind: 'move' | 'copy', ...names: string[]) => open({ kind, items: entries(...names), from: '/' })

test('only folders are to choose from, and at first where one is', () => {
  assert.deepEqual(
    picker.value.folders?.map(({ name }) => name),
    ['d', 'e', 'f'],
  )
  assert.equal(destination.value, '/')
})

test('the arrows mark one after another, stop at the last, and above the first is where one is', () => {
  markNext(1)
  assert.equal(destination.value, '/d')
  for (let step = 0; step < 5; step++) markNext(1)
  assert.equal(destination.value, '/f')
  markEnd('first')
  assert.equal(marked.value?.name, 'd')
  markNext(-1)
  assert.equal(destination.value, '/')
  markNext(-1)
  assert.equal(destination.value, '/')
  markEnd('last')
  assert.equal(destination.value, '/f')
})

test('one goes into the marked folder, and out with the one it came from marked', async () => {
  markNext(1)
  goIn()
  await settled()
  assert.deepEqual([picker.value.path, destination.value], ['/d', '/d'])
  goOut()
  await settled()
  assert.deepEqual([picker.value.path, destination.value], ['/', '/d'])
  goOut()
  assert.equal(picker.value.path, '/')
})

test('move is refused where the things stand, copy is not', () => {
  ask('move', 'a.txt')
  assert.equal(refusalOfFolder(), 'transfer.here')
  markNext(1)
  assert.equal(refusalOfFolder(), undefined)
  ask('copy', 'a.txt')
  markNext(-1)
  assert.equal(refusalOfFolder(), undefined)
})

test('a folder is not moved into itself, nor gone into', async () => {
  ask('move', 'd')
  markNext(1)
  assert.equal(refusalOfFolder(), 'transfer.itself')
  goIn()
  await settled()
  assert.equal(picker.value.path, '/')
})

test('choosing closes the prompt and moves; a refused choice does neither', async () => {
  ask('move', 'a.txt')
  await chooseFolder()
  assert.equal(overlay.value.kind, 'move')
  markNext(1)
  await chooseFolder()
  assert.equal(overlay.value.kind, 'none')
  assert.deepEqual(folders.asked, ['rename /a.txt /d/a.txt'])
})

test('a folder that cannot be read says why, and is no destination', async () => {
  await lookInto('/gone')
  assert.match(picker.value.problem ?? '', /no longer there/)
  ask('move', 'a.txt')
  await chooseFolder()
  assert.deepEqual([overlay.value.kind, folders.asked], ['move', []])
})

test('of two looks the later one counts', async () => {
  const first = lookInto('/d')
  const second = lookInto('/d/x')
  await Promise.all([first, second])
  assert.deepEqual([picker.value.path, picker.value.folders], ['/d/x', []])
})
