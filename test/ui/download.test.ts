import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveAddress, ticketAddress } from '../../src-ui/api/addresses.ts'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { rememberArchiveFormat } from '../../src-ui/core/preferences.ts'
import { shownName, usualFormat } from '../../src-ui/operations/download.ts'
import { entries, type Folders, pick, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const command = workspace.use(commandTableSlice).get('download')
const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders
beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'd/'], '/d': [] })
})
afterEach(() => folders.close())

for (const [what, paths, expected] of [
  ['a folder', ['/d'], ['d']],
  ['several entries', ['/a.txt', '/d'], ['d', 'a.txt']],
  ['nothing, which is the open folder', [], []],
] as const)
  test(`downloading ${what} asks for the format`, async () => {
    pick(...paths)
    assert.equal(command.ready?.(workspace, target()), true)
    await command.run(workspace, target())
    const { value } = overlays.current
    assert.deepEqual(value.kind === 'download' && [value.items.map(({ name }) => name), value.folder], [expected, '/'])
  })

test('what cannot be opened is not asked for, and alone it cannot be downloaded', async () => {
  const [file, other] = entries('a.txt', 'b.txt')
  assert.ok(file && other)
  const broken = { ...file, unreachable: 'broken' } as const
  assert.equal(command.ready?.(workspace, { items: [broken], folder: '/' }), false)
  const [folder] = entries('d')
  await command.run(workspace, { items: [broken, other, ...(folder ? [folder] : [])], folder: '/' })
  const { value } = overlays.current
  assert.deepEqual(value.kind === 'download' && value.items.map(({ name }) => name), ['b.txt', 'd'])
})

test('zip is the format until another was downloaded; one that is not known any more counts as zip', () => {
  assert.equal(usualFormat(), 'zip')
  rememberArchiveFormat('tarxz')
  assert.equal(usualFormat(), 'tarxz')
  rememberArchiveFormat('tarbr')
  assert.equal(usualFormat(), 'zip')
})

test('the prompt names the only entry, else the folder, else the number', () => {
  const [a, b] = entries('a.txt', 'b.txt')
  assert.ok(a && b)
  assert.equal(shownName({ items: [a], folder: '/' }), 'a.txt')
  assert.equal(shownName({ items: [], folder: '/x/Trip' }), 'Trip')
  assert.equal(shownName({ items: [], folder: '/' }), 'My files')
  assert.equal(shownName({ items: [a, b], folder: '/' }), '2 items')
})

test('names in an address are encoded twice, so that a comma in one does not end it', () => {
  assert.equal(archiveAddress('/a b', [], 'zip'), '/api/raw/a%20b?algo=zip')
  assert.equal(archiveAddress('/', ['a,b', 'c%2F+d'], 'tar'), '/api/raw/?algo=tar&files=a%252Cb,c%25252F%252Bd')
  assert.equal(ticketAddress('a-_b'), '/api/raw/?ticket=a-_b')
})
