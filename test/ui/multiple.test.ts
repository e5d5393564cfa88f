// The multiple mode of the specification: a click adds, until the selection is cleared or the route changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandById, offered } from '../../src-ui/commands.ts'
import { menuGroups } from '../../src-ui/core/menu-entries.ts'
import { clearSelected, load, selected } from '../../src-ui/listing/listing.ts'
import { isMultiple } from '../../src-ui/listing/selection.ts'
import { type Folders, pick, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders
beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'd/'], '/d': [], '/e': ['x.txt'] })
})
afterEach(() => folders.close())

const offers = (place: 'more' | 'folder', id: string) => offered(place).some((command) => command.id === id)

test('Select several turns on the multiple mode, and is offered only while it is off', () => {
  assert.equal(isMultiple.value, false)
  assert.ok(offers('more', 'selection.multiple') && offers('folder', 'selection.multiple'))
  commandById('selection.multiple').run()
  assert.equal(isMultiple.value, true)
  assert.equal(offers('more', 'selection.multiple'), false)
})

test('clearing the selection ends the multiple mode, also while nothing is selected', () => {
  const clear = commandById('selection.clear')
  assert.equal(clear.allowed?.(), false)
  commandById('selection.multiple').run()
  assert.equal(clear.allowed?.(), true)
  pick('/a.txt')
  clearSelected()
  assert.deepEqual([isMultiple.value, selected.value.length], [false, 0])
})

test('A route change clears the selection and turns off multiple selection', async () => {
  pick('/a.txt')
  commandById('selection.multiple').run()
  await load('/e')
  assert.deepEqual([isMultiple.value, selected.value.length], [false, 0])
})

test('an empty folder has nothing to select several of', async () => {
  await load('/d')
  assert.equal(offers('more', 'selection.multiple'), false)
})

test('the header’s menu selects first, then shows, pastes and changes; help stands near the end, what destroys last', () => {
  pick('/a.txt')
  const ids = menuGroups('more').map(([first]) => first?.id)
  assert.deepEqual(ids, [
    'selection.all',
    'view.mosaic',
    'refresh',
    'path.edit',
    'upload.files',
    'clipboard.paste',
    'rename',
    'download',
    'info',
    'help',
    'delete',
  ])
})
