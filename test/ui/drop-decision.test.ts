import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideDrop, dragSlice } from '../../src-ui/core/drag.ts'
import { entriesOf } from '../../src-ui/core/entries.ts'
import { file, folder, resourceOf } from './entries.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const dragState = workspace.use(dragSlice)

const { afterEach } = hooksOf(import.meta.filename)

const [photos, drawings, note] = entriesOf(resourceOf([folder('photos'), folder('drawings'), file('note.txt')]))
if (!photos || !drawings || !note) throw new Error('three entries were made')
const all = { rename: true, create: true, download: true }
const none = { rename: false, create: false, download: false }

afterEach(() => {
  dragState.end()
  dragState.desktopTarget.value = undefined
})

test('a drag moves by default, and copies with Ctrl', () => {
  const items = [note]
  assert.deepEqual(decideDrop({ items, to: '/photos', copies: false, perm: all }), {
    kind: 'taken',
    action: 'move',
    to: '/photos',
  })
  assert.deepEqual(decideDrop({ items, to: '/photos', copies: true, perm: all }), {
    kind: 'taken',
    action: 'copy',
    to: '/photos',
  })
})

const refusals: [what: string, asked: Parameters<typeof decideDrop>[0], reason: string][] = [
  ['a folder into itself', { items: [note, photos], to: '/photos', copies: false, perm: all }, 'drag.refused.itself'],
  ['a copy of a folder into itself', { items: [photos], to: '/photos', copies: true, perm: all }, 'drag.refused.itself'],
  ['a folder into its own child', { items: [photos], to: '/photos/2026', copies: false, perm: all }, 'drag.refused.inside'],
  ['what is in that folder already', { items: [note], to: '/', copies: false, perm: all }, 'drag.refused.here'],
  ['moving without the right to rename', { items: [note], to: '/photos', copies: false, perm: none }, 'drag.refused.move'],
  ['copying without the right to create', { items: [note], to: '/photos', copies: true, perm: none }, 'drag.refused.copy'],
  [
    'copying without the right to download',
    { items: [note], to: '/photos', copies: true, perm: { ...all, download: false } },
    'drag.refused.copy',
  ],
]

for (const [what, asked, reason] of refusals) {
  test(`refused, with its reason: ${what}`, () => {
    assert.deepEqual(decideDrop(asked), { kind: 'refused', at: asked.to, reason })
  })
}

test('a folder whose name only begins alike is no child', () => {
  assert.equal(decideDrop({ items: [photos], to: '/photos 2', copies: false, perm: all }).kind, 'taken')
})

test('without a folder under the pointer nothing happens and nothing is refused', () => {
  assert.deepEqual(decideDrop({ items: [note], to: undefined, copies: false, perm: none }), { kind: 'nothing' })
})

test('the folder under the pointer shows what a drop would do', () => {
  const at = { x: 0, y: 0 }
  assert.equal(dragState.markOf('/photos'), undefined)
  dragState.current.value = { items: [note], at, drop: decideDrop({ items: [note], to: '/photos', copies: false, perm: all }) }
  assert.equal(dragState.markOf('/photos'), 'target')
  assert.equal(dragState.markOf('/drawings'), undefined)
  dragState.current.value = {
    items: [photos],
    at,
    drop: decideDrop({ items: [photos], to: '/photos', copies: false, perm: all }),
  }
  assert.equal(dragState.markOf('/photos'), 'refused')
  dragState.end()
  dragState.desktopTarget.value = '/drawings'
  assert.equal(dragState.markOf('/drawings'), 'target')
})
