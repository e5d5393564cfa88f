// What the specification says of a route change and of the overlay (section 4).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandFor } from '../../src-ui/core/keyboard.ts'
import { address } from '../../src-ui/core/location.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { followNavigation } from '../../src-ui/core/page.ts'
import { user } from '../../src-ui/core/session.ts'
import { createWorkspace } from '../../src-ui/create-workspace.ts'
import { target, workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)

test('A route change closes prompts, whichever is open', () => {
  const draw = globalThis.requestAnimationFrame
  globalThis.requestAnimationFrame = () => 0
  const workspace = createWorkspace(user)
  const overlays = workspace.use(overlaysSlice)
  followNavigation(workspace, {} as Document)
  for (const kind of ['newDir', 'help', 'palette', 'sidebar'] as const) {
    overlays.open({ kind })
    address.value = { pathname: `/files/${kind}/`, search: '' }
    assert.equal(overlays.current.value.kind, 'none', kind)
  }
  overlays.open({ kind: 'help' })
  address.value = { ...address.value, search: '?only=the-query' }
  assert.equal(overlays.current.value.kind, 'help')
  overlays.close()
  workspace.dispose()
  globalThis.requestAnimationFrame = draw
})

test('Esc closes the overlay, before it means anything else', () => {
  assert.equal(commandFor(workspace, 'Escape', ['overlay'])?.id, 'overlay.close')
  overlays.open({ kind: 'help' })
  commandFor(workspace, 'Escape', ['overlay'])?.run(workspace, target())
  assert.equal(overlays.current.value.kind, 'none')
})
