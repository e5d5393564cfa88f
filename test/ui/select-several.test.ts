// Multiple-selection mode: the header's *Select several*, its banner, and what ends it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandById, offered } from '../../src-ui/commands/all.ts'
import { isAllowed } from '../../src-ui/commands/command.ts'
import { move, toggleFocused } from '../../src-ui/state/grid.ts'
import { clearSelected, visit } from '../../src-ui/state/listing.ts'
import { selectsSeveral } from '../../src-ui/state/selection.ts'
import { chosen, type Folders, pick, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['x.txt'] })
})
afterEach(() => folders.close())

const start = () => void commandById('selection.several').run()

test('Select several is offered by the header, once, and not where there is nothing to select', async () => {
  const isOffered = () => offered('more').some(({ id }) => id === 'selection.several')
  assert.ok(isOffered())
  start()
  assert.ok(!isOffered())
  clearSelected()
  folders.stand['/d'] = []
  await visit('/d')
  assert.ok(!isOffered())
})

test('while several are selected the arrows only move, and Space adds', () => {
  start()
  move('first', 'select')
  toggleFocused()
  move('down', 'select')
  move('down', 'select')
  toggleFocused()
  assert.deepEqual(chosen(), ['d', 'b.txt'])
})

test('Esc or the banner’s button ends it, with nothing selected', () => {
  start()
  pick('/a.txt')
  assert.ok(isAllowed(commandById('selection.clear')))
  void commandById('selection.clear').run()
  assert.deepEqual([chosen(), selectsSeveral.value], [[], false])
  start()
  assert.ok(isAllowed(commandById('selection.clear')), 'also before anything is selected')
})

test('a route change turns it off', async () => {
  start()
  pick('/a.txt')
  await visit('/d')
  await settled()
  assert.deepEqual([chosen(), selectsSeveral.value], [[], false])
})
