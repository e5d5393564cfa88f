// An old page after an update of the server: it reloads when nothing would be lost, and else says so.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { LazyPart } from '../../src-ui/core/lazy-part.ts'
import { leaveGuardsSlice } from '../../src-ui/core/leave-guards.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { checkVersion, isOutdated, waitingScreens } from '../../src-ui/core/outdated.ts'
import { followVersion } from '../../src-ui/core/renew-page.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { answering } from './answering.ts'
import { ann } from './folder-of.ts'

const network = answering(import.meta.filename)

function start(context: TestContext) {
  const workspace = new Workspace(signal(ann))
  let reloads = 0
  followVersion(workspace, { reload: () => void reloads++ })
  context.after(() => {
    workspace.dispose()
    isOutdated.value = false
  })
  return { workspace, reloads: () => reloads }
}

test('a page whose own script is gone from the server reloads when nothing would be lost', async (context) => {
  const { reloads } = start(context)
  network.replies['HEAD /static/main-1.js'] = { status: 200 }
  await checkVersion('/static/main-1.js')
  assert.deepEqual([isOutdated.value, reloads()], [false, 0])
  network.replies['HEAD /static/main-1.js'] = { status: 503 }
  await checkVersion('/static/main-1.js')
  assert.equal(isOutdated.value, false)
  network.replies['HEAD /static/main-1.js'] = { status: 404 }
  await checkVersion('/static/main-1.js')
  assert.deepEqual([isOutdated.value, reloads()], [true, 1])
})

test('an old page with unsaved work says that there is a new version, and reloads when it is asked to', async (context) => {
  const { workspace, reloads } = start(context)
  workspace.use(leaveGuardsSlice).add({ isActive: signal(true), mustStay: () => true })
  network.replies['HEAD /static/main-1.js'] = { status: 404 }
  await checkVersion('/static/main-1.js')
  assert.equal(reloads(), 0)
  const [notice] = workspace.use(noticesSlice).list.value
  assert.equal(notice?.text, 'A new version')
  notice?.action?.run()
  assert.equal(reloads(), 1)
})

test('a new version is said by the screen whose part is missing alone, and by the notice when that screen is left', async (context) => {
  const { workspace } = start(context)
  workspace.use(leaveGuardsSlice).add({ isActive: signal(true), mustStay: () => true })
  const said = () => workspace.use(noticesSlice).list.value.map(({ text }) => text)
  network.replies['HEAD /static/main-1.js'] = { status: 404 }
  waitingScreens.value = 1
  await checkVersion('/static/main-1.js')
  assert.deepEqual(said(), [])
  waitingScreens.value = 0
  assert.deepEqual(said(), ['A new version'])
  waitingScreens.value = 1
  assert.deepEqual(said(), [])
  waitingScreens.value = 0
})

test('a new version that a person has closed is not said again', async (context) => {
  const { workspace } = start(context)
  workspace.use(leaveGuardsSlice).add({ isActive: signal(true), mustStay: () => true })
  const notices = workspace.use(noticesSlice)
  network.replies['HEAD /static/main-1.js'] = { status: 404 }
  await checkVersion('/static/main-1.js')
  const visitScreen = () => {
    waitingScreens.value = 1
    waitingScreens.value = 0
  }
  visitScreen()
  const [notice] = notices.list.value
  assert.equal(notice?.text, 'A new version')
  notices.dismiss(notice.id)
  for (let visit = 0; visit < 2; visit++) {
    visitScreen()
    assert.deepEqual(notices.list.value, [])
  }
})

test('a part that is missing makes the page ask for its own script', async (context) => {
  const asked: string[] = []
  const before = globalThis.document
  globalThis.document = { querySelector: () => ({ src: '/static/main-1.js' }) } as never
  context.after(() => {
    globalThis.document = before
    isOutdated.value = false
  })
  network.replies['HEAD /static/main-1.js'] = () => {
    asked.push('main')
    return { status: 404 }
  }
  const part = new LazyPart(() => Promise.reject(new Error('404')))
  await assert.rejects(part.load())
  assert.deepEqual([asked, isOutdated.value], [['main'], true])
})
