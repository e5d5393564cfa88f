import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import german from '../../locales/de.json' with { type: 'json' }
import { chordOf, type KeyPress } from '../../src-ui/core/chord.ts'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { keysOf, showChord } from '../../src-ui/core/key-names.ts'
import { belongsToField } from '../../src-ui/core/keyboard.ts'
import { locale } from '../../src-ui/i18n/locale.ts'
import { press } from './key-press.ts'
import { workspace } from './workspace.ts'

const commandTable = workspace.use(commandTableSlice)

const chords: [pressed: KeyPress, mac: boolean, chord: string][] = [
  [press('s', { ctrlKey: true }), false, 'Mod+S'],
  [press('S', { ctrlKey: true, shiftKey: true }), false, 'Mod+Shift+S'],
  [press('s', { metaKey: true }), true, 'Mod+S'],
  [press('s', { ctrlKey: true }), true, 'Ctrl+S'],
  [press('?', { shiftKey: true }), false, '?'],
  [press('/'), false, '/'],
  [press(' ', { ctrlKey: true }), false, 'Mod+Space'],
  [press('F2'), false, 'F2'],
  [press('ArrowUp', { altKey: true }), false, 'Alt+ArrowUp'],
  [press('ArrowDown', { shiftKey: true }), false, 'Shift+ArrowDown'],
  // On a Russian keyboard the key C produces с: the position of the key counts.
  [press('с', { ctrlKey: true, code: 'KeyC' }), false, 'Mod+C'],
  [press('ш'), false, 'Ш'],
  // The layout's letter where the browser tells it: on a German keyboard Z is where others have Y.
  [press('Ω', { altKey: true, code: 'KeyY', keyCode: 90 }), true, 'Alt+Z'],
  [press('Ω', { altKey: true, metaKey: true, code: 'KeyY', keyCode: 90 }), true, 'Mod+Alt+Z'],
  [press('Dead', { altKey: true, code: 'KeyN', keyCode: 78 }), true, 'Alt+N'],
  [press('п', { altKey: true, code: 'KeyG' }), false, 'Alt+G'],
  [press('л', { code: 'KeyK', keyCode: 75 }), false, 'K'],
  [press('Б', { shiftKey: true, code: 'Comma' }), false, '<'],
  [press('Ю', { shiftKey: true, code: 'Period' }), false, '>'],
  [press('٣', { code: 'Digit3' }), false, '3'],
  [press('؟', { shiftKey: true, code: 'Slash' }), false, '?'],
  [press('ö', { code: 'Semicolon', keyCode: 192 }), false, 'Ö'],
  // AltGr types characters, which Windows reports as Ctrl and Alt.
  [press('ż', { ctrlKey: true, altKey: true, code: 'KeyZ', keyCode: 90 }), false, 'Mod+Alt+Ż'],
  [press('@', { altKey: true, code: 'KeyL', keyCode: 76 }), true, 'Alt+L'],
  [press('Backspace', { metaKey: true }), true, 'Mod+Backspace'],
]

for (const [pressed, mac, chord] of chords) {
  test(`${JSON.stringify(pressed.key)} with its modifiers is ${chord}${mac ? ' on a Mac' : ''}`, () => {
    assert.equal(chordOf(pressed, mac), chord)
  })
}

test('in a text field of a Mac, Option types characters', () => {
  const typed = press('ż', { altKey: true, code: 'KeyZ', keyCode: 90 })
  assert.equal(chordOf(typed, true), 'Alt+Z')
  assert.equal(belongsToField(chordOf(typed, true, true)), true)
  assert.equal(belongsToField('Mod+Alt+Z'), false)
})

/** Keys that a keyboard may lack: a Mac, and a compact one. With Fn they have those that move: Home, End, PageUp, PageDown. */
const rareKeys = /(^|\+)(F\d+|Delete|ContextMenu|Insert)$/
/** In a text field of a Mac these type a character, and Cmd+Space is its own. */
const takenOnMac = /^Alt\+[A-Z]$|^Mod\+Space$/

test('whatever a key does can be done by a key that every keyboard has, and by one of a Mac', () => {
  const ways = new Map<string, string[]>()
  for (const { scope, label, keys = [] } of commandTable.commands) {
    const name = `${scope} ${label}`
    if (keys.length > 0) ways.set(name, [...(ways.get(name) ?? []), ...keys])
  }
  for (const [name, keys] of ways) {
    assert.ok(
      keys.some((key) => !rareKeys.test(key)),
      `${name}: ${keys}`,
    )
    assert.ok(
      keys.some((key) => !rareKeys.test(key) && !takenOnMac.test(key)),
      `${name} on a Mac: ${keys}`,
    )
  }
})

test('letters without modifiers are left to the names of the list: no command of the list is bound to one', () => {
  const bound = commandTable.commands.filter(({ scope }) => ['listing', 'everywhere', 'columnHeaders'].includes(scope))
  for (const { id, keys = [] } of bound) for (const key of keys) assert.doesNotMatch(key, /^[A-Z0-9<>]$/, id)
})

test('the keys of a command are shown as the system presses them', () => {
  const shown = (id: string, mac: boolean) => showChord(keysOf(commandTable.get(id), mac)[0] ?? '', mac)
  assert.deepEqual(
    ['delete', 'rename', 'help', 'editor.wrap', 'menu.context', 'grid.toggle'].map((id) => shown(id, true)),
    ['⌘ ⌫', '⇧ ↵', '?', '⌘ ⌥ Z', '⌘ ⇧ ↵', '⇧ Space'],
  )
  assert.deepEqual(
    ['delete', 'rename', 'help', 'editor.wrap', 'menu.context', 'grid.toggle'].map((id) => shown(id, false)),
    ['Del', 'F2', 'F1', 'Alt Z', 'Shift F10', 'Ctrl Space'],
  )
  assert.deepEqual(keysOf(commandTable.get('editor.wrap'), false), ['Alt+Z'])
})

test('keys are named as keyboards of the language name them', (context) => {
  const before = locale.value
  context.after(() => {
    locale.value = before
  })
  locale.value = { code: 'de', dir: 'ltr', words: german }
  assert.equal(showChord('Mod+Shift+Z', false), 'Strg Umschalt Z')
  assert.equal(showChord('Delete', false), 'Entf')
  assert.equal(showChord('PageUp', false), 'Bild↑')
  assert.equal(showChord('Mod+S', true), '⌘ S')
})

test('a name of a key is one word, so that it is one cap', async () => {
  const folder = new URL('../../locales/', import.meta.url)
  for (const file of await readdir(folder)) {
    const { key } = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as { key: Record<string, string> }
    for (const name of Object.values(key)) assert.doesNotMatch(name, / /, file)
  }
})

test('a menu shows key names in the style of the platform', () => {
  assert.equal(showChord('Mod+S', false), 'Ctrl S')
  assert.equal(showChord('Mod+Shift+S', true), '⌘ ⇧ S')
  assert.equal(showChord('Alt+ArrowUp', false), 'Alt ↑')
  assert.equal(showChord('Delete', false), 'Del')
  assert.equal(showChord('+', false), '+')
  assert.equal(showChord('Mod++', false), 'Ctrl +')
})
