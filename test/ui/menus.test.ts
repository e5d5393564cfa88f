import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { actsSlice } from '../../src-ui/acts/acts.ts'
import { actsLater } from '../../src-ui/acts/feature-later.ts'
import { commandTableSlice, isReady } from '../../src-ui/core/command.ts'
import { entriesOf } from '../../src-ui/core/entries.ts'
import { scrollStatesSlice } from '../../src-ui/core/history.ts'
import { address } from '../../src-ui/core/location.ts'
import { menuGroups } from '../../src-ui/core/menu-entries.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { ongoingSlice } from '../../src-ui/core/own-acts.ts'
import { user } from '../../src-ui/core/session.ts'
import { openEntryMenu } from '../../src-ui/listing/browse-commands.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { selectOnly } from '../../src-ui/listing/selection.ts'
import { paletteGroups } from '../../src-ui/palette/find-commands.ts'
import { file, folder, resourceOf } from './entries.ts'
import { ann } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const scrollStates = workspace.use(scrollStatesSlice)
const listing = workspace.use(listingSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

beforeEach(() => {
  user.value = ann
  address.value = { pathname: '/files/', search: '' }
  listing.currentPath.value = '/'
  const resource = resourceOf([folder('photos'), file('a.txt'), file('b.txt')])
  listing.state.value = { kind: 'folder', path: '/', resource, entries: entriesOf(resource) }
})
afterEach(() => {
  listing.reset()
  overlays.close()
  user.value = null
  address.value = { pathname: '/', search: '' }
})

const idsOf = (place: 'context' | 'folder' | 'more') => menuGroups(workspace, place).map((group) => group.map(({ id }) => id))
const entryAt = (index: number) => listing.sortedEntries.value.entries[index] ?? assert.fail('no such entry')

test('a right-click selects the item first when it is not in the selection, and leaves a selection that holds it', () => {
  openEntryMenu(workspace, entryAt(1), { x: 5, y: 6 })
  assert.deepEqual(
    listing.selected.value.map(({ name }) => name),
    ['a.txt'],
  )
  assert.deepEqual(overlays.current.value, { kind: 'context', of: 'selection', target: target(), at: { x: 5, y: 6 } })
  listing.selection.value = { keys: new Set(['/a.txt', '/b.txt']), focus: '/b.txt' }
  openEntryMenu(workspace, entryAt(2), { x: 0, y: 0 })
  assert.equal(listing.selected.value.length, 2)
})

test('the menu of the selection opens in a new tab and downloads; every entry that has a key shows it', () => {
  listing.selection.value = selectOnly('/a.txt')
  const entries = menuGroups(workspace, 'context').flat()
  const keys = Object.fromEntries(entries.map((entry) => [entry.id, entry.keys]))
  assert.equal(keys['item.openTab'], 'Ctrl ↵')
  assert.equal(keys.download, 'Ctrl S')
  assert.equal(entries.find(({ id }) => id === 'download')?.refusal, undefined)
})

test('with several items selected, a menu entry for one item is shown with the reason why it does not apply', () => {
  listing.selection.value = { keys: new Set(['/a.txt', '/b.txt']), focus: '/b.txt' }
  const openTab = menuGroups(workspace, 'context')
    .flat()
    .find(({ id }) => id === 'item.openTab')
  assert.equal(openTab?.refusal, 'Select one item only')
})

test('destructive commands are last, in their own group', () => {
  listing.selection.value = selectOnly('/a.txt')
  const groups = menuGroups(workspace, 'context')
  const dangerous = groups.filter((group) => group.some(({ danger }) => danger))
  assert.deepEqual(dangerous, groups.slice(-1))
  assert.ok(groups.at(-1)?.every(({ danger }) => danger))
})

test('empty space has the menu of the folder: creating, then paste, selection, order and view', () => {
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

test('in the menu of the header help is last but for the destructive commands', () => {
  listing.selection.value = selectOnly('/a.txt')
  assert.deepEqual(idsOf('more').flat().slice(-2), ['help', 'delete'])
})

test('with nothing selected the menu of the header has nothing that needs a selection, and fits 800 px', () => {
  const groups = menuGroups(workspace, 'more')
  const ids = groups.flat().map(({ id }) => id)
  for (const id of ['rename', 'copy', 'move', 'delete', 'share']) assert.ok(!ids.includes(id), id)
  assert.ok(ids.includes('info'))
  // The heights of styles/tokens.css and ui/menus.css: 32 px an entry, 9 px a line between groups, and the header above it.
  const height = ids.length * 32 + (groups.length - 1) * 9 + 12
  assert.ok(height <= 800 - 56, `${height} px`)
  listing.selection.value = selectOnly('/a.txt')
  assert.ok(idsOf('more').flat().includes('rename'))
})

test('with something selected its key is beside the download of the selection, which the menu of the header has too', () => {
  const keysOf = () => {
    const entries = menuGroups(workspace, 'more').flat()
    const found = [...entries, ...menuGroups(workspace, 'folder').flat()].filter(({ id }) => id.startsWith('download'))
    const inPalette = paletteGroups(workspace, '', ['listing']).flatMap(({ lines }) => lines)
    const ofFolder = inPalette.find(({ id }) => id === 'download.folder') ?? assert.fail('not in the palette')
    return [...found.map(({ label, keys }) => [label, keys]), [ofFolder.label, ofFolder.chord]]
  }
  const label = 'Download this folder'
  assert.deepEqual(keysOf(), [
    [label, 'Ctrl S'],
    [label, 'Ctrl S'],
    [label, 'Mod+S'],
  ])
  listing.selection.value = selectOnly('/a.txt')
  assert.deepEqual(keysOf(), [
    ['Download', 'Ctrl S'],
    [label, undefined],
    [label, undefined],
    [label, undefined],
  ])
})

test('in the menu of the folder an order has its full label', () => {
  const sort = menuGroups(workspace, 'folder')
    .flat()
    .find(({ id }) => id === 'sort.size')
  assert.equal(sort?.label, 'Sort by size')
  assert.equal(sort?.checked, false)
})

test('without the permission to create nothing to create is offered', () => {
  user.value = { ...ann, perm: { ...noPermissions } }
  assert.ok(
    !idsOf('folder')
      .flat()
      .some((id) => id === 'newDir' || id.startsWith('upload')),
  )
})

test('after going up, the history entry focuses the folder that was left', () => {
  const { entry } = scrollStates.initial('/photos')
  assert.deepEqual(scrollStates.get(entry), { scroll: 0, focus: '/photos', selected: ['/photos'] })
  assert.notEqual(scrollStates.initial('/photos').entry, entry)
})

test('Open and Copy address are first in the menu of an item, and Open shows its key', () => {
  listing.selection.value = selectOnly('/a.txt')
  assert.deepEqual(idsOf('context')[0], ['item.open', 'item.copyAddress', 'item.openTab'])
  const open = menuGroups(workspace, 'context').flat()[0]
  assert.deepEqual([open?.label, open?.keys, open?.refusal], ['Open', '↵', undefined])
})

test('Refresh is in the menu of the folder and in that of the header', () => {
  for (const place of ['folder', 'more'] as const) assert.ok(idsOf(place).flat().includes('refresh'), place)
})

const plain = (text = '') => text.replace(/[\u2068\u2069]/g, '')
/** A command in the menu of the header and in the palette: its label, and why it is disabled. */
function offersOf(id: string) {
  const inMenu = menuGroups(workspace, 'more')
    .flat()
    .find((entry) => entry.id === id)
  const inPalette = paletteGroups(workspace, '', ['everywhere'])
    .flatMap(({ lines }) => lines)
    .find((line) => line.id === id)
  return [inMenu, inPalette].map((one) => [plain(one?.label), one?.refusal])
}

test('the menu and the palette name what Undo and Redo are about, and refuse them when the server knows of nothing', (context) => {
  const table = workspace.use(commandTableSlice)
  const { commands } = table
  const acts = workspace.use(actsSlice)
  const ongoing = workspace.use(ongoingSlice)
  context.after(() => {
    table.commands = commands
    acts.list.value = []
    ongoing.clear()
  })
  table.commands = [...commands, ...actsLater.commands]
  acts.isKnown.value = false
  acts.list.value = []
  assert.deepEqual(offersOf('undo'), [
    ['Undo', undefined],
    ['Undo', undefined],
  ])
  acts.isKnown.value = true
  assert.deepEqual(offersOf('undo'), [
    ['Undo', 'Nothing to undo'],
    ['Undo', 'Nothing to undo'],
  ])
  assert.deepEqual(offersOf('redo')[0], ['Redo', 'Nothing to redo'])
  assert.equal(isReady(workspace, table.get('undo')), true, 'the key asks the server')
  ongoing.add(() => [{ key: 'a-copy', title: 'Copying', stop: undefined }])
  assert.deepEqual(offersOf('undo')[0], ['Undo', undefined])
  const act = { id: 'an-act', key: 'a-key', at: 1, count: 1, names: ['f5.txt'], folder: '/' }
  acts.list.value = [{ ...act, kind: 'delete', state: 'done', mayUndo: true, mayRedo: false }]
  assert.deepEqual(offersOf('undo'), [
    ['Undo delete of “f5.txt”', undefined],
    ['Undo delete of “f5.txt”', undefined],
  ])
})
