import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { pageConfig } from '../../src-ui/api/page-config.ts'
import type { KeyPress } from '../../src-ui/core/chord.ts'
import { type Command, CommandTable, commandTableSlice, fullLabelOf } from '../../src-ui/core/command.ts'
import { entryViewSlice } from '../../src-ui/core/entry-view.ts'
import { activeScopes, belongsToField, commandFor, listenToKeys } from '../../src-ui/core/keyboard.ts'
import { address } from '../../src-ui/core/location.ts'
import { groupsOf } from '../../src-ui/core/menu-entries.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { user } from '../../src-ui/core/session.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { fallbackWords } from '../../src-ui/i18n/locale.ts'
import { t } from '../../src-ui/i18n/t.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { pickerCommands } from '../../src-ui/operations/picker-commands.ts'
import { resourceOf } from './entries.ts'
import { ann } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
// With those that come with the overlays.
const commandTable = new CommandTable(workspace, [...workspace.use(commandTableSlice).commands, ...pickerCommands])

const { afterEach } = hooksOf(import.meta.filename)

afterEach(() => {
  user.value = null
  address.value = { pathname: '/', search: '' }
  overlays.close()
  Object.assign(pageConfig, { AuthMethod: 'json', Signup: false })
})

test('every command has a unique id', () => {
  const ids = commandTable.commands.map((command) => command.id)
  assert.deepEqual(ids, [...new Set(ids)])
})

test('no key is bound twice in one scope', () => {
  const bound = commandTable.commands.flatMap(({ scope, keys = [] }) => keys.map((key) => `${scope} ${key}`))
  assert.deepEqual(bound, [...new Set(bound)])
})

test('every key binding is written as key presses are', () => {
  for (const key of commandTable.commands.flatMap(({ keys = [] }) => keys))
    assert.match(key, /^(Mod\+)?(Alt\+)?(Shift\+)?([A-Z0-9?/+=<>-]|[A-Z]\w+)$/)
})

test('every label and every reason is in en.json', () => {
  const keys = commandTable.commands.flatMap(({ label, fullLabel = label, reason }) => [
    label,
    fullLabel,
    ...(reason ? [reason(workspace, target())] : []),
  ])
  for (const key of keys) assert.equal(typeof at(key), 'string', key)
})

test('every command of a menu has a label', () => {
  for (const place of ['header', 'more', 'new', 'sort', 'view', 'context', 'folder', 'viewer', 'sidebar'] as const) {
    const labels = commandTable.commands
      .filter((command) => command.places?.includes(place))
      .map((command) => t(place === 'folder' ? fullLabelOf(command) : command.label))
    assert.deepEqual(labels, [...new Set(labels)], place)
  }
})

test('destructive commands are last in a menu, in their own group', () => {
  const table = [command('delete', { group: 'x', danger: true }), command('a', { group: 'x' }), command('b', {})]
  assert.deepEqual(
    groupsOf(table).map((group) => ids(group)),
    [['a'], ['b'], ['delete']],
  )
})

test('a command that is not permitted is offered nowhere', () => {
  user.value = { ...ann, perm: { ...noPermissions } }
  assert.deepEqual(ids(commandTable.offered('new')), [])
  user.value = ann
  assert.deepEqual(ids(commandTable.offered('new')), ['newDir', 'newFile', 'upload.files', 'upload.folder'])
})

test('copying is not offered without the right to download, which it needs', () => {
  address.value = { pathname: '/files/', search: '' }
  const listing = workspace.use(listingSlice)
  listing.state.value = { kind: 'folder', path: '/', resource: resourceOf([]), entries: [] }
  const offered = () => ids(commandTable.offered('context')).filter((id) => ['clipboard.copy', 'copy', 'move'].includes(id))
  user.value = ann
  assert.deepEqual(offered(), ['clipboard.copy', 'copy', 'move'])
  user.value = { ...ann, perm: { ...ann.perm, download: false } }
  assert.deepEqual(offered(), ['move'])
  listing.reset()
})

test('signed-in users are offered to log out, others to sign in', () => {
  assert.deepEqual(ids(commandTable.offered('sidebar')), ['session.login'])
  user.value = { ...ann, perm: { ...noPermissions } }
  assert.deepEqual(ids(commandTable.offered('sidebar')), ['go.settings', 'session.logout'])
})

test('Logout with the json method only', () => {
  user.value = { ...ann, perm: { ...noPermissions } }
  for (const AuthMethod of ['noauth', 'proxy'] as const) {
    Object.assign(pageConfig, { AuthMethod })
    assert.deepEqual(ids(commandTable.offered('sidebar')), ['go.settings'], AuthMethod)
  }
})

test('Signup when signed out, if people may make accounts', () => {
  Object.assign(pageConfig, { Signup: true })
  assert.deepEqual(ids(commandTable.offered('sidebar')), ['session.login', 'session.signUp'])
  user.value = ann
  assert.ok(!ids(commandTable.offered('sidebar')).includes('session.signUp'))
})

test('an unknown command is an error that names it', () => {
  assert.throws(() => commandTable.get('no.such'), /no\.such/)
})

test('an open overlay hides the scopes below it', () => {
  user.value = ann
  address.value = { pathname: '/files/', search: '' }
  assert.deepEqual(activeScopes(workspace), ['listing', 'everywhere'])
  overlays.open({ kind: 'newDir' })
  assert.deepEqual(activeScopes(workspace), ['overlay'])
  overlays.close()
  address.value = { pathname: '/404', search: '' }
  assert.deepEqual(activeScopes(workspace), ['everywhere'])
})

const command = (id: string, over: Partial<Command>): Command => ({
  id,
  label: 'action.close',
  scope: 'everywhere',
  run() {},
  ...over,
})

test('a key runs the command of the innermost scope', () => {
  const table = [command('outer', { keys: ['F2'] }), command('inner', { keys: ['F2'], scope: 'listing' })]
  assert.equal(commandFor(workspace, 'F2', ['listing', 'everywhere'], table)?.id, 'inner')
  assert.equal(commandFor(workspace, 'F2', ['everywhere'], table)?.id, 'outer')
  assert.equal(commandFor(workspace, 'F3', ['everywhere'], table), undefined)
})

test('a key never runs a forbidden command, and prefers a ready command', () => {
  const table = [
    command('forbidden', { keys: ['F2'], allowed: () => false }),
    command('waiting', { keys: ['F2'], ready: () => false }),
    command('ready', { keys: ['F2'] }),
  ]
  assert.equal(commandFor(workspace, 'F2', ['everywhere'], table)?.id, 'ready')
  assert.equal(commandFor(workspace, 'F2', ['everywhere'], table.slice(0, 2))?.id, 'waiting')
  assert.equal(commandFor(workspace, 'F2', ['everywhere'], table.slice(0, 1)), undefined)
})

/** Presses a key of a page as often as a held key does. @returns how often the browser was left to handle it */
function hold(page: EventTarget, press: Partial<KeyPress>, times: number): number {
  let left = 0
  for (let count = 0; count < times; count++) {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { ...press, repeat: count > 0 })
    if (page.dispatchEvent(event)) left += 1
  }
  return left
}

test('a held key runs its command once, except for what moves on while it is held', (context) => {
  const { HTMLElement: before } = globalThis
  context.after(() => Object.assign(globalThis, { HTMLElement: before }))
  Object.assign(globalThis, { HTMLElement: class {} })
  const ran: string[] = []
  const counting = (id: string, over: Partial<Command>) => command(id, { ...over, run: () => void ran.push(id) })
  const page = new EventTarget() as EventTarget & Window
  const own = new Workspace(signal(ann))
  context.after(() => own.dispose())
  own.provide(entryViewSlice, workspace.use(entryViewSlice))
  own.provide(
    commandTableSlice,
    new CommandTable(own, [
      counting('paste', { keys: ['Mod+V'] }),
      counting('down', { keys: ['ArrowDown'], repeats: true }),
      counting('file', { keys: ['F7'], takesKey: () => false }),
    ]),
  )
  listenToKeys(own, page)
  assert.equal(hold(page, { key: 'v', ctrlKey: true }, 4), 0)
  assert.equal(hold(page, { key: 'ArrowDown' }, 3), 0)
  // The browser handles the first press, and not hundreds: a paste of files must not repeat either.
  assert.equal(hold(page, { key: 'F7' }, 4), 1)
  assert.deepEqual(ran, ['paste', 'down', 'down', 'down'])
})

test('arrows, paging, zoom and seeking go on while their key is held, and nothing else does', () => {
  const repeating = commandTable.commands.filter(({ repeats }) => repeats).flatMap(({ keys = [] }) => keys)
  for (const key of repeating) assert.match(key, /(^|\+)(Arrow\w+|Home|End|Page\w+|Backspace|[+=<>0-]|J|L)$/, key)
  for (const key of ['ArrowDown', 'Shift+ArrowUp', 'PageDown', '+', '-', 'J']) assert.ok(repeating.includes(key), key)
})

test('entries of one group are adjacent in a menu, at the position of the first', () => {
  const table = [command('a', { group: 'x' }), command('b', { group: 'x' }), command('c', {}), command('d', { group: 'x' })]
  assert.deepEqual(
    groupsOf(table).map((group) => ids(group)),
    [['a', 'b', 'd'], ['c']],
  )
})

test('a text field keeps the keys for typing and editing', () => {
  const kept = ['A', 'Enter', 'Delete', 'ArrowUp', 'Shift+ArrowUp', 'Alt+ArrowUp', '/', '?', 'Mod+A', 'Mod+V', 'Mod+ArrowLeft']
  for (const chord of kept) assert.equal(belongsToField(chord), true, chord)
  for (const chord of ['Escape', 'F1', 'Mod+S', 'Mod+K', 'Alt+G']) assert.equal(belongsToField(chord), false, chord)
})

const ids = (some: readonly Command[]): string[] => some.map(({ id }) => id)

function at(key: string): unknown {
  let here: unknown = fallbackWords
  for (const part of key.split('.')) here = (here as Record<string, unknown> | undefined)?.[part]
  return here
}
