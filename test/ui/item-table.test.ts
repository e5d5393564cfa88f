// The permission that each command for entries needs, and when it is ready.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPermissions, noPermissions } from '../../src-server/access/permissions.ts'
import { commandTableSlice, isReady } from '../../src-ui/core/command.ts'
import { commandFor } from '../../src-ui/core/keyboard.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { presenceSlice } from '../../src-ui/core/presence.ts'
import { user } from '../../src-ui/core/session.ts'
import { clipboardSlice } from '../../src-ui/operations/clipboard.ts'
import { ann, type Folders, pick, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const commandTable = workspace.use(commandTableSlice)
const clipboard = workspace.use(clipboardSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['a.txt', 'x/'], '/d/x': [] })
})
afterEach(() => folders.close())

const needs = {
  'clipboard.copy': 'create',
  'clipboard.cut': 'rename',
  'clipboard.paste': 'create',
  rename: 'rename',
  copy: 'create',
  move: 'rename',
  delete: 'delete',
  newFile: 'create',
  newDir: 'create',
  'upload.files': 'create',
  'upload.folder': 'create',
} as const
/** A copy reads what it copies. */
const reads = ['clipboard.copy', 'clipboard.paste', 'copy']

for (const [id, permission] of Object.entries(needs)) {
  test(`${id} needs the right to ${permission}, and is not offered without`, () => {
    const places = commandTable.get(id).places ?? []
    const isOffered = () => places.some((place) => commandTable.offered(place).some((command) => command.id === id))
    user.value = { ...ann, perm: { ...noPermissions, download: reads.includes(id), [permission]: true } }
    assert.equal(isOffered(), true)
    user.value = { ...ann, perm: { ...allPermissions, [permission]: false } }
    assert.equal(isOffered(), false)
  })
}

test('rename needs exactly one item; delete, move, copy, cut need at least one; each says so', () => {
  const ready = (id: string) => isReady(workspace, commandTable.get(id))
  const several = ['delete', 'move', 'copy', 'clipboard.cut', 'clipboard.copy']
  for (const id of ['rename', ...several]) assert.equal(ready(id), false, id)
  assert.equal(commandTable.get('rename').reason?.(workspace, target()), 'command.reason.someItem')
  pick('/a.txt')
  for (const id of ['rename', ...several]) assert.equal(ready(id), true, id)
  pick('/a.txt', '/b.txt')
  assert.equal(ready('rename'), false)
  assert.equal(commandTable.get('rename').reason?.(workspace, target()), 'command.reason.oneItem')
  for (const id of several) assert.equal(ready(id), true, id)
})

test('share needs the rights to share and to download, and exactly one item that can be opened', () => {
  const isOffered = () => commandTable.offered('selection').some(({ id }) => id === 'share')
  const share = commandTable.get('share')
  user.value = { ...ann, perm: { ...noPermissions, share: true, download: true } }
  assert.equal(isOffered(), true)
  for (const missing of ['share', 'download'] as const) {
    user.value = { ...ann, perm: { ...allPermissions, [missing]: false } }
    assert.equal(isOffered(), false, missing)
  }
  user.value = ann
  assert.equal(isReady(workspace, share), false)
  assert.equal(share.reason?.(workspace, target()), 'command.reason.someItem')
  pick('/a.txt')
  assert.equal(isReady(workspace, share), true)
  const [entry] = target().items
  const broken = { folder: '/', items: entry ? [{ ...entry, unreachable: 'broken' as const }] : [] }
  assert.equal(isReady(workspace, share, broken), false)
  assert.equal(share.reason?.(workspace, broken), 'command.reason.unreachable')
  pick('/a.txt', '/b.txt')
  assert.equal(isReady(workspace, share), false)
  assert.equal(share.reason?.(workspace, target()), 'command.reason.oneItem')
})

test('paste handles its key only with a filled clipboard; otherwise the browser does', () => {
  assert.equal(commandFor(workspace, 'Mod+V', ['listing']), undefined)
  pick('/a.txt')
  clipboard.take('c', target().items)
  assert.equal(commandFor(workspace, 'Mod+V', ['listing'])?.id, 'clipboard.paste')
})

test('after a return to the page the browser has the key for pasting, because files may have been copied elsewhere', () => {
  pick('/a.txt')
  clipboard.take('c', target().items)
  workspace.use(presenceSlice).returns.value += 1
  assert.equal(commandFor(workspace, 'Mod+V', ['listing']), undefined)
  clipboard.take('c', target().items)
  assert.equal(commandFor(workspace, 'Mod+V', ['listing'])?.id, 'clipboard.paste')
})

test('without a selection the information is about the folder, with one about it', () => {
  commandTable.get('info').run(workspace, target())
  assert.deepEqual(overlays.current.value, { kind: 'info', items: [] })
  overlays.close()
  pick('/a.txt')
  commandTable.get('info').run(workspace, target())
  assert.equal(overlays.current.value.kind === 'info' && overlays.current.value.items.length, 1)
})

test('delete, move and copy open with what is selected', () => {
  pick('/a.txt', '/d')
  for (const id of ['delete', 'move', 'copy'] as const) {
    commandTable.get(id).run(workspace, target())
    const { value } = overlays.current
    assert.deepEqual(value.kind === id && value.items.map(({ name }) => name), ['d', 'a.txt'])
    overlays.close()
  }
})
