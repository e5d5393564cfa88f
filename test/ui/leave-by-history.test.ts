// Back and Forward ask before a screen with unsaved changes is left, as links do.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { leaveGuardsSlice } from '../../src-ui/core/leave-guards.ts'
import { address, followHistory, go, goBack } from '../../src-ui/core/location.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { followOverlays } from '../../src-ui/core/page.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { ann, settled } from './folder-of.ts'

/** Simulates a browser's history, which moves in a separate task and notifies the page afterwards. */
class FakeHistory {
  readonly #page: EventTarget
  #entries: { path: string; state: unknown }[]
  #index

  get length() {
    return this.#entries.length
  }

  /** @param behind entries of other sites, before the page was opened */
  constructor(page: EventTarget, behind = 0) {
    this.#page = page
    this.#entries = [...Array.from({ length: behind }, () => ({ path: 'another site', state: null }))]
    this.#index = behind
    this.#entries.push({ path: '/files/', state: null })
  }

  get path() {
    return this.#entries[this.#index]?.path ?? ''
  }

  get state() {
    return this.#entries[this.#index]?.state
  }

  pushState(state: unknown, _title: string, path = this.path) {
    this.#index += 1
    this.#entries = [...this.#entries.slice(0, this.#index), { path, state }]
    this.#page.dispatchEvent(new Event('pushState'))
  }

  replaceState(state: unknown, _title: string, path = this.path) {
    this.#entries[this.#index] = { path, state }
    this.#page.dispatchEvent(new Event('replaceState'))
  }

  back() {
    this.go(-1)
  }

  go(delta: number) {
    setImmediate(() => {
      const to = this.#index + delta
      if (to < 0 || to >= this.#entries.length) return
      this.#index = to
      this.#page.dispatchEvent(new Event('popstate'))
    })
  }
}

function start(context: TestContext, { opened = ['/files/a/', '/files/b/', '/files/c/'], behind = 0 } = {}) {
  const page = new EventTarget()
  const history = new FakeHistory(page, behind)
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
  followOverlays(workspace)
  for (const path of opened) go(path)
  const travel = async (delta: number) => {
    history.go(delta)
    await settled()
  }
  const where = () => [history.path, address.value.pathname]
  return { workspace, history, travel, where }
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

/** The page's addresses are counted, because a change of the address loads a folder. */
function countAddresses(): () => number {
  let count = -1
  const stop = address.subscribe(() => {
    count += 1
  })
  return () => {
    stop()
    return count
  }
}

test('Back closes what is open and leaves the address alone; the next Back goes back, and Forward still goes on', async (context) => {
  const { workspace, travel, where } = start(context)
  const overlays = workspace.use(overlaysSlice)
  await travel(-1)
  const addresses = countAddresses()
  overlays.open({ kind: 'help' })
  await travel(-1)
  assert.deepEqual([where(), overlays.current.value.kind], [['/files/b/', '/files/b/'], 'none'])
  assert.equal(addresses(), 0)
  await travel(1)
  assert.deepEqual(where(), ['/files/c/', '/files/c/'])
  await travel(-1)
  await travel(-1)
  assert.deepEqual(where(), ['/files/a/', '/files/a/'])
})

test('a fast second Back goes back after the first has closed what is open', async (context) => {
  const { workspace, history, travel, where } = start(context)
  workspace.use(overlaysSlice).open({ kind: 'help' })
  history.go(-1)
  await travel(-1)
  assert.deepEqual([where(), workspace.use(overlaysSlice).current.value.kind], [['/files/b/', '/files/b/'], 'none'])
})

test('several steps at once go where the person has chosen', async (context) => {
  const { workspace, travel, where } = start(context)
  workspace.use(overlaysSlice).open({ kind: 'help' })
  await travel(-2)
  assert.deepEqual(where(), ['/files/a/', '/files/a/'])
})

test('at the first address of a visit Back closes what is open too, and then leaves the page', async (context) => {
  const { workspace, history, travel, where } = start(context, { opened: [], behind: 1 })
  const overlays = workspace.use(overlaysSlice)
  for (const kind of ['help', 'palette'] as const) {
    overlays.open({ kind })
    await travel(-1)
    assert.deepEqual([where(), overlays.current.value.kind, history.length], [['/files/', '/files/'], 'none', 3], kind)
  }
  await travel(-1)
  assert.equal(history.path, 'another site')
})

test('with nothing behind the first address Back stays there', async (context) => {
  const { workspace, travel, where } = start(context, { opened: [] })
  workspace.use(overlaysSlice).open({ kind: 'help' })
  await travel(-1)
  await travel(-1)
  assert.deepEqual(where(), ['/files/', '/files/'])
  go('/files/a/')
  await travel(-1)
  assert.deepEqual(where(), ['/files/', '/files/'])
})

test('at the first address what is opened and closed leaves Forward as it is', async (context) => {
  const { workspace, travel, where } = start(context, { opened: ['/files/a/'] })
  await travel(-1)
  workspace.use(overlaysSlice).open({ kind: 'more' })
  workspace.use(overlaysSlice).close()
  await travel(1)
  assert.deepEqual(where(), ['/files/a/', '/files/a/'])
  go('/files/b/')
  await travel(-2)
  assert.deepEqual(where(), ['/files/', '/files/'])
})

test('Back closes a dialog before a guard is asked, and what the page itself goes back is not used up', async (context) => {
  const { workspace, travel, where } = start(context)
  const overlays = workspace.use(overlaysSlice)
  let asked = 0
  const onLeaveScreen = () => {
    asked += 1
  }
  const remove = workspace.use(leaveGuardsSlice).add({ isActive: signal(true), mustStay: () => true, onLeaveScreen })
  overlays.open({ kind: 'help' })
  await travel(-1)
  assert.deepEqual([where(), asked], [['/files/c/', '/files/c/'], 0])
  remove()
  overlays.ask({ kind: 'uploadConflicts' })
  goBack()
  await settled()
  assert.deepEqual(where(), ['/files/b/', '/files/b/'])
})

test('a question of the system outlasts Back and another address, and nothing that waits for it is dropped', async (context) => {
  const { workspace, travel, where } = start(context)
  const overlays = workspace.use(overlaysSlice)
  let closed = 0
  overlays.ask({ kind: 'uploadConflicts' }, () => {
    closed += 1
  })
  await travel(-1)
  assert.deepEqual(where(), ['/files/c/', '/files/c/'])
  overlays.leave()
  assert.deepEqual([overlays.current.value.kind, closed], ['uploadConflicts', 0])
  overlays.close()
  assert.deepEqual([overlays.current.value.kind, closed], ['none', 1])
})
