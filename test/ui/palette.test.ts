import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../../src-ui/core/command.ts'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { entriesOf } from '../../src-ui/core/entries.ts'
import { normalizePath } from '../../src-ui/core/paths.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { selectOnly } from '../../src-ui/listing/selection.ts'
import { bestFirst, paletteGroups } from '../../src-ui/palette/find-commands.ts'
import { helpGroups } from '../../src-ui/palette/help-rows.ts'
import { file, folder, resourceOf } from './entries.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const commandTable = workspace.use(commandTableSlice)
const listing = workspace.use(listingSlice)

const { afterEach } = hooksOf(import.meta.filename)

afterEach(() => listing.reset())

const command = (id: string, over: Partial<Command> = {}): Command => ({
  id,
  label: 'command.download',
  scope: 'everywhere',
  run() {},
  ...over,
})
const labels = (typed: string, ...all: string[]) => bestFirst(all, typed, (label) => label)
const lineIds = (table: Command[], typed = '') =>
  paletteGroups(workspace, typed, ['listing', 'everywhere'], table).map(({ lines }) => lines.map(({ id }) => id))

function showFolder() {
  listing.currentPath.value = '/'
  const resource = resourceOf([folder('Mill House'), folder('Invoices'), file('a.txt')])
  listing.state.value = { kind: 'folder', path: '/', resource, entries: entriesOf(resource) }
}

test('what was typed filters by words, in any order and case, with or without accents', () => {
  assert.deepEqual(labels('', 'Rename', 'Delete'), ['Rename', 'Delete'])
  assert.deepEqual(labels('TI sw', 'Switch to tiles', 'Switch to list'), ['Switch to tiles'])
  assert.deepEqual(labels('resume', 'Résumé'), ['Résumé'])
  assert.deepEqual(labels('xyz', 'Rename'), [])
})

test('what begins with the words comes first', () => {
  assert.deepEqual(labels('sort', 'Unsorted', 'Sort by name'), ['Sort by name', 'Unsorted'])
})

test('the palette holds what is permitted here, without plain movement commands', () => {
  const table = [
    command('a'),
    command('forbidden', { allowed: () => false }),
    command('step', { keyOnly: true }),
    command('elsewhere', { scope: 'columnHeaders' }),
  ]
  assert.deepEqual(lineIds(table), [['a']])
})

test('a command that does not apply now is shown with its reason', () => {
  const table = [command('a', { ready: () => false, reason: () => 'command.reason.oneItem' })]
  const [group] = paletteGroups(workspace, '', ['everywhere'], table)
  assert.equal(group?.lines[0]?.refusal, 'Select one item only')
})

test('commands for the selection come first, then navigation, then the rest', () => {
  showFolder()
  const table = [command('here'), command('go.home'), command('item', { places: ['context'] })]
  assert.deepEqual(lineIds(table), [['go.home'], ['here', 'item']])
  listing.selection.value = selectOnly('/a.txt')
  const groups = paletteGroups(workspace, '', ['everywhere'], table)
  assert.deepEqual(
    groups.map(({ lines }) => lines.map(({ id }) => id)),
    [['item'], ['go.home'], ['here']],
  )
  assert.match(groups[0]?.title ?? '', /a\.txt/)
})

test('commands of this screen come before general ones, and commands that are not ready at the end', () => {
  const table = [
    command('all'),
    command('refused', { scope: 'listing', ready: () => false }),
    command('here', { scope: 'listing' }),
  ]
  assert.deepEqual(lineIds(table), [['here', 'all', 'refused']])
})

test('every row of the palette has an icon', () => {
  const without = commandTable.commands.filter(
    ({ keyOnly, icon, scope }) => !keyOnly && !icon && ['everywhere', 'listing'].includes(scope),
  )
  assert.deepEqual(
    without.map(({ id }) => id),
    [],
  )
})

test('folders in the shown folder can be opened by name', () => {
  showFolder()
  const [group] = paletteGroups(workspace, 'mill', ['everywhere'], [command('a')])
  assert.deepEqual(
    group?.lines.map(({ label }) => label),
    ['Mill House'],
  )
  assert.deepEqual(lineIds([command('a')]), [['a']])
})

test('folders that are found anywhere come last, without those of the shown folder, with the folder that they are in', () => {
  showFolder()
  const elsewhere = entriesOf(resourceOf([folder('Mill House'), { ...folder('Old mill'), path: '/Archive/2025/Old mill' }]))
  const groups = paletteGroups(workspace, 'mill', ['everywhere'], [command('a', { label: 'command.goUp' })], elsewhere)
  assert.deepEqual(
    groups.map(({ lines }) => lines.map(({ label, place }) => [label, place?.replace(/[\u2068\u2069]/g, '')])),
    [[['Mill House', undefined]], [['Old mill', 'My files / Archive / 2025']]],
  )
})

test('help shows every key of the command table once, in its group', () => {
  const groups = helpGroups(workspace)
  for (const { lines } of groups) {
    const seen = lines.map(({ label }) => label)
    assert.deepEqual(seen, [...new Set(seen)])
  }
  const shown = groups.flatMap(({ lines }) => lines)
  for (const id of ['help', 'palette', 'path.edit', 'go.up', 'selection.all', 'download']) {
    const keys = commandTable.commands.find((candidate) => candidate.id === id)?.keys ?? []
    assert.ok(
      shown.some(({ chords }) => keys.some((key) => chords.includes(key))),
      id,
    )
  }
})

test('help shows two keys side by side, and of keys with modifiers the first', () => {
  const table = [command('a', { keys: ['F1', '?'] }), command('b', { label: 'command.goUp', keys: ['Alt+ArrowUp', 'Backspace'] })]
  assert.deepEqual(
    helpGroups(workspace, table)[0]?.lines.map(({ chords }) => chords),
    [['F1', '?'], ['Alt+ArrowUp']],
  )
})

test('a path is taken as it is typed, with or without its slashes', () => {
  assert.equal(normalizePath('a//b/'), '/a/b')
  assert.equal(normalizePath('/'), '/')
  assert.equal(normalizePath(''), '/')
  assert.equal(normalizePath('/100% #1/'), '/100% #1')
})
