// Back and Forward ask before a screen with unsaved changes is left, as links do.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { leaveGuardsSlice } from '../../src-ui/core/leave-guards.ts'
import { address, followHistory, go } from '../../src-ui/core/location.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { ann, settled } from './folder-of.ts'

/** Simulates a browser's history, which moves in a separate task and notifies the page afterwards. */
class FakeHistory {
  readonly #page: EventTarget
  #entries: { path: string; state: unknown }[] = [{ path: '/files/', state: null }]
  #index = 0

  constructor(page: EventTarget) {
    this.#page = page
  }

  get path() {
    return this.#entries[this.#index]?.path ?? ''
  }

  get state() {
    return this.#entries[this.#index]?.state
  }

  pushState(state: unknown, _title: string, path: string) {
    this.#index += 1
    this.#entries = [...this.#entries.slice(0, this.#index), { path, state }]
    this.#page.dispatchEvent(new Event('pushState'))
  }

  replaceState(state: unknown, _title: string, path = this.path) {
    this.#entries[this.#index] = { path, state }
    this.#page.dispatchEvent(new Event('replaceState'))
  }

  go(delta: number) {
    setImmediate(() => {
      this.#index += delta
      this.#page.dispatchEvent(new Event('popstate'))
    })
  }
}

function start(context: TestContext) {
  const page = new EventTarget()
  const history = new FakeHistory(page)
  const { history: before, location, addEventListener } = globalThis
  const fakeLocation = {
    get pathname() {
      return history.path
    },
    search: '',
  }
  Object.assign(globalThis, { history, location: fakeLocation, addEventListener: page.addEventListener.bind(page) })
  const workspace = new Workspace(signal(ann))
  context.after(() => {
    workspace.dispose()
    Object.assign(globalThis, { history: before, location, addEventListener })
    address.value = { pathname: '/', search: '' }
  })
  followHistory()
  for (const path of ['/files/a/', '/files/b/', '/files/c/']) go(path)
  const travel = async (delta: number) => {
    history.go(delta)
    await settled()
  }
  const where = () => [history.path, address.value.pathname]
  return { workspace, travel, where }
}

test('Back and Forward are followed', async (context) => {
  const { travel, where } = start(context)
  await travel(-2)
  assert.deepEqual(where(), ['/files/a/', '/files/a/'])
  await travel(1)
  assert.deepEqual(where(), ['/files/b/', '/files/b/'])
})

test('a screen with unsaved changes stays on Back, and is left when the user agrees', async (context) => {
  const { workspace, travel, where } = start(context)
  let leave = () => {}
  let asked = 0
  const onLeaveScreen = (agreed: () => void) => {
    asked += 1
    leave = agreed
  }
  let mustStay = true
  workspace.use(leaveGuardsSlice).add({ isActive: signal(true), mustStay: () => mustStay, onLeaveScreen })
  for (const delta of [-2, -1]) {
    await travel(delta)
    assert.deepEqual(where(), ['/files/c/', '/files/c/'])
  }
  assert.equal(asked, 2)
  leave()
  await settled()
  assert.deepEqual(where(), ['/files/b/', '/files/b/'])
  assert.equal(asked, 2)
  await travel(1)
  assert.deepEqual([where(), asked], [['/files/b/', '/files/b/'], 3])
  mustStay = false
  await travel(1)
  assert.deepEqual(where(), ['/files/c/', '/files/c/'])
})

test('an entry of the history that the page did not create is opened as usual', async (context) => {
  const { workspace, travel, where } = start(context)
  history.pushState(null, '', '/files/foreign/')
  workspace.use(leaveGuardsSlice).add({ isActive: signal(true), mustStay: () => true, onLeaveScreen: () => {} })
  await travel(-1)
  assert.deepEqual(where(), ['/files/c/', '/files/c/'])
})
