// What the specification says of a route change and of the overlay (section 4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandFor } from '../../src-ui/core/keyboard.ts'
import { address } from '../../src-ui/core/location.ts'
import { close, open, overlay } from '../../src-ui/core/overlay.ts'
import { followNavigation } from '../../src-ui/core/page.ts'

test('A route change closes prompts, whichever is open', () => {
  const draw = globalThis.requestAnimationFrame
  globalThis.requestAnimationFrame = () => 0
  followNavigation({} as Document)
  for (const kind of ['newDir', 'help', 'palette', 'sidebar'] as const) {
    open({ kind })
    address.value = { pathname: `/files/${kind}/`, search: '' }
    assert.equal(overlay.value.kind, 'none', kind)
  }
  open({ kind: 'help' })
  address.value = { ...address.value, search: '?only=the-query' }
  assert.equal(overlay.value.kind, 'help')
  close()
  globalThis.requestAnimationFrame = draw
})

test('Esc closes the overlay, before it means anything else', () => {
  assert.equal(commandFor('Escape', ['overlay'])?.id, 'overlay.close')
  open({ kind: 'help' })
  commandFor('Escape', ['overlay'])?.run()
  assert.equal(overlay.value.kind, 'none')
})
