// Merging folders: the files that a merge would replace are listed in the prompt before anything is sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { conflictsSlice, type NameConflict } from '../../src-ui/operations/conflicts.ts'
import { foldersLookedInto, namedReplaced } from '../../src-ui/operations/replaced-inside.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { entries, type Folders, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const conflicts = workspace.use(conflictsSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({
    '/': ['trip/', 'bag/', 'd/'],
    '/trip': ['a.jpg', 'new.jpg', 'day 1/', 'day 2/', 'mixed'],
    '/trip/day 1': ['b.jpg', 'c.jpg'],
    '/trip/day 2': ['e.jpg'],
    '/bag': ['f.txt'],
    '/d': ['trip/', 'bag/'],
    '/d/trip': ['a.jpg', 'old.jpg', 'day 1/', 'mixed/'],
    '/d/trip/day 1': ['b.jpg'],
    '/d/trip/mixed': [],
    '/d/bag': [],
  })
})
afterEach(() => folders.close())

/** Copies into `/d` and closes the prompt. @returns the conflicts that the prompt showed */
async function asked(...names: string[]): Promise<readonly NameConflict[]> {
  const copied = transfer(workspace, { action: 'copy', items: entries(...names), to: '/d' })
  await settled()
  const { value } = overlays.current
  const shown = value.kind === 'nameConflicts' ? value.conflicts : []
  conflicts.answer('skip', { forAll: true })
  await copied
  return shown
}

test('pasting a folder that would be merged lists the files that would be replaced, before any is', async () => {
  const [conflict] = await asked('trip')
  assert.deepEqual(conflict?.replaced, { names: ['trip/a.jpg', 'trip/day 1/b.jpg'], count: 2, isComplete: true })
  assert.deepEqual(folders.asked, [])
})

test('each folder says what would be replaced in it; one that replaces nothing says so', async () => {
  const found = await asked('trip', 'bag')
  assert.deepEqual(
    found.map(({ item, replaced }) => [item.name, replaced?.count, replaced?.isComplete]),
    [
      ['trip', 2, true],
      ['bag', 0, true],
    ],
  )
})

test('of many files the first are named, with their number', async () => {
  const names = Array.from({ length: 30 }, (_, number) => `${String(number).padStart(2, '0')}.jpg`)
  folders.stand['/bag'] = names
  folders.stand['/d/bag'] = names
  const [conflict] = await asked('bag')
  assert.equal(conflict?.replaced?.count, 30)
  assert.deepEqual(
    conflict?.replaced?.names,
    names.slice(0, namedReplaced).map((name) => `bag/${name}`),
  )
})

test('deep folders are read up to a limit, and unreadable folders are not ignored: the prompt tells both', async () => {
  const deep = Array.from({ length: foldersLookedInto + 1 }, () => 'x')
  for (const top of ['/bag', '/d/bag'])
    for (const depth of deep.keys()) folders.stand[[top, ...deep.slice(0, depth)].join('/')] = ['same.txt', 'x/']
  const [bounded] = await asked('bag')
  assert.deepEqual([bounded?.replaced?.count, bounded?.replaced?.isComplete], [foldersLookedInto, false])
  delete folders.stand['/bag']
  const [unread] = await asked('bag')
  assert.deepEqual(unread?.replaced, { names: [], count: 0, isComplete: false })
})
