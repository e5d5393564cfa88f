import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { entriesOf } from '../../src-ui/core/entries.ts'
import { initialScrollState, scrollStateOf } from '../../src-ui/core/history.ts'
import { address } from '../../src-ui/core/location.ts'
import { menuGroups } from '../../src-ui/core/menu-entries.ts'
import { close, overlay } from '../../src-ui/core/overlay.ts'
import { user } from '../../src-ui/core/session.ts'
import { openEntryMenu } from '../../src-ui/listing/browse-commands.ts'
import { currentPath, listingState, reset, selected, sortedEntries } from '../../src-ui/listing/listing.ts'
import { selection, selectOnly } from '../../src-ui/listing/selection.ts'
import { file, folder, resourceOf } from './entries.ts'
import { ann } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

beforeEach(() => {
  user.value = ann
  address.value = { pathname: '/files/', search: '' }
  currentPath.value = '/'
  const resource = resourceOf([folder('photos'), file('a.txt'), file('b.txt')])
  listingState.value = { kind: 'folder', path: '/', resource, entries: entriesOf(resource) }
})
afterEach(() => {
  reset()
  close()
  user.value = null
  address.value = { pathname: '/', search: '' }
})

const idsOf = (place: 'context' | 'folder' | 'more') => menuGroups(place).map((group) => group.map(({ id }) => id))
const entryAt = (index: number) => sortedEntries.value.entries[index] ?? assert.fail('no such entry')

test('a right-click selects the item first when it is not in the selection, and leaves a selection that holds it', () => {
  openEntryMenu(entryAt(1), { x: 5, y: 6 })
  assert.deepEqual(
    selected.value.map(({ name }) => name),
    ['a.txt'],
  )
  assert.deepEqual(overlay.value, { kind: 'context', of: 'selection', at: { x: 5, y: 6 } })
  selection.value = { keys: new Set(['/a.txt', '/b.txt']), focus: '/b.txt' }
  openEntryMenu(entryAt(2), { x: 0, y: 0 })
  assert.equal(selected.value.length, 2)
})

test('the menu of the selection opens in a new tab and downloads; every entry that has a key shows it', () => {
  selection.value = selectOnly('/a.txt')
  const entries = menuGroups('context').flat()
  const keys = Object.fromEntries(entries.map((entry) => [entry.id, entry.keys]))
  assert.equal(keys['item.openTab'], 'Ctrl ↵')
  assert.equal(keys.download, 'Ctrl S')
  assert.equal(entries.find(({ id }) => id === 'download')?.refusal, undefined)
})

test('with several items an entry for one of them is there and says why it does not apply', () => {
  selection.value = { keys: new Set(['/a.txt', '/b.txt']), focus: '/b.txt' }
  const openTab = menuGroups('context')
    .flat()
    .find(({ id }) => id === 'item.openTab')
  assert.equal(openTab?.refusal, 'One item at a time')
})

test('what destroys stands last, in a group of its own', () => {
  selection.value = selectOnly('/a.txt')
  const groups = menuGroups('context')
  const dangerous = groups.filter((group) => group.some(({ danger }) => danger))
  assert.deepEqual(dangerous, groups.slice(-1))
  assert.ok(groups.at(-1)?.every(({ danger }) => danger))
})

test('empty space has the menu of the folder: what is made first, then paste, selection, order and view', () => {
  const groups = idsOf('folder')
  assert.equal(groups[0]?.[0], 'newDir')
  const flat = groups.flat()
  const wanted = ['newDir', 'upload.files', 'selection.all', 'sort.name', 'sort.ascending', 'view.mosaic']
  assert.deepEqual(
    flat.filter((id) => wanted.includes(id)),
    wanted,
  )
  assert.ok(!flat.includes('download'))
})

test('in the menu of the header help stands after all else but what destroys', () => {
  assert.deepEqual(idsOf('more').flat().slice(-2), ['help', 'delete'])
})

test('in the menu of the folder an order is called what it is', () => {
  const sort = menuGroups('folder')
    .flat()
    .find(({ id }) => id === 'sort.size')
  assert.equal(sort?.label, 'Sort by size')
  assert.equal(sort?.checked, false)
})

test('who may not create is offered nothing to create', () => {
  user.value = { ...ann, perm: { ...noPermissions } }
  assert.ok(
    !idsOf('folder')
      .flat()
      .some((id) => id === 'newDir' || id.startsWith('upload')),
  )
})

test('one comes up from a folder to that folder: the new history entry begins at it', () => {
  const { entry } = initialScrollState('/photos')
  assert.deepEqual(scrollStateOf(entry), { scroll: 0, focus: '/photos', selected: ['/photos'] })
  assert.notEqual(initialScrollState('/photos').entry, entry)
})

test('Open and Copy address stand first in the menu of an item, and Open shows its key', () => {
  selection.value = selectOnly('/a.txt')
  assert.deepEqual(idsOf('context')[0], ['item.open', 'item.copyAddress', 'item.openTab'])
  const open = menuGroups('context').flat()[0]
  assert.deepEqual([open?.label, open?.keys, open?.refusal], ['Open', '↵', undefined])
})

test('Refresh stands in the menu of the folder and in that of the header', () => {
  for (const place of ['folder', 'more'] as const) assert.ok(idsOf(place).flat().includes('refresh'), place)
})
