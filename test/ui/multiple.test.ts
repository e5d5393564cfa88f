// The multiple mode of the specification: a click adds, until the selection is cleared or the route changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { menuGroups } from '../../src-ui/core/menu-entries.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { type Folders, pick, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const commandTable = workspace.use(commandTableSlice)
const listing = workspace.use(listingSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders
beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'd/'], '/d': [], '/e': ['x.txt'] })
})
afterEach(() => folders.close())

const offers = (place: 'more' | 'folder', id: string) => commandTable.offered(place).some((command) => command.id === id)

test('Select several turns on the multiple mode, and is offered only while it is off', () => {
  assert.equal(listing.isMultiple.value, false)
  assert.ok(offers('more', 'selection.multiple') && offers('folder', 'selection.multiple'))
  commandTable.get('selection.multiple').run(workspace, target())
  assert.equal(listing.isMultiple.value, true)
  assert.equal(offers('more', 'selection.multiple'), false)
})

test('clearing the selection ends the multiple mode, also while nothing is selected', () => {
  const clear = commandTable.get('selection.clear')
  assert.equal(clear.allowed?.(workspace), false)
  commandTable.get('selection.multiple').run(workspace, target())
  assert.equal(clear.allowed?.(workspace), true)
  pick('/a.txt')
  listing.clearSelected()
  assert.deepEqual([listing.isMultiple.value, listing.selected.value.length], [false, 0])
})

test('A route change clears the selection and turns off multiple selection', async () => {
  pick('/a.txt')
  commandTable.get('selection.multiple').run(workspace, target())
  await listing.load('/e')
  assert.deepEqual([listing.isMultiple.value, listing.selected.value.length], [false, 0])
})

test('an empty folder does not offer Select several', async () => {
  await listing.load('/d')
  assert.equal(offers('more', 'selection.multiple'), false)
})

test('the header’s menu has selecting, viewing, paste and changes in this order, then help, and destructive commands last', () => {
  pick('/a.txt')
  const ids = menuGroups(workspace, 'more').map(([first]) => first?.id)
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
