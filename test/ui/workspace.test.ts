import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'
import { persistScrollStates } from '../../src-ui/core/history.ts'
import { listenToKeys } from '../../src-ui/core/keyboard.ts'
import { leaveGuardsSlice } from '../../src-ui/core/leave-guards.ts'
import { address, go } from '../../src-ui/core/location.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { followNavigation, followTitle } from '../../src-ui/core/page.ts'
import { locked } from '../../src-ui/core/session.ts'
import { tasksSlice } from '../../src-ui/core/tasks.ts'
import { slice, Workspace } from '../../src-ui/core/workspace.ts'
import { createWorkspace, followUser } from '../../src-ui/create-workspace.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { selectOnly } from '../../src-ui/listing/selection.ts'
import { clipboardSlice } from '../../src-ui/operations/clipboard.ts'
import { pickerSlice } from '../../src-ui/operations/picker.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { file, resourceOf } from './entries.ts'
import { ann, settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

const ben: TokenUser = { ...ann, id: 2, username: 'ben' }
const realFetch = globalThis.fetch
/** Requests that have neither been answered nor aborted. */
const open = new Set<string>()
let answers: Record<string, unknown> = {}

beforeEach(() => {
  open.clear()
  answers = {}
  globalThis.fetch = ((url: string, init: RequestInit) => {
    const name = `${init.method} ${url}`
    open.add(name)
    if (name in answers) {
      open.delete(name)
      return Promise.resolve(Response.json(answers[name]))
    }
    return new Promise((_resolve, reject) => {
      const abort = () => {
        open.delete(name)
        reject(new DOMException('aborted', 'AbortError'))
      }
      if (init.signal?.aborted) abort()
      init.signal?.addEventListener('abort', abort)
    })
  }) as typeof fetch
})
afterEach(() => {
  globalThis.fetch = realFetch
  locked.value = false
})

/** A user signal that reports whether it has subscribers. */
function followedUser(user: TokenUser) {
  let isFollowed = false
  const watched = signal<TokenUser | null>(user, {
    watched() {
      isFollowed = true
    },
    unwatched() {
      isFollowed = false
    },
  })
  return { user: watched, isFollowed: () => isFollowed }
}

/** Records the timers that are neither cleared nor expired. */
function countTimers() {
  const running = new Set<unknown>()
  const { setTimeout, clearTimeout } = globalThis
  globalThis.setTimeout = ((work: () => void, delay?: number) => {
    const timer = setTimeout(() => {
      running.delete(timer)
      work()
    }, delay)
    running.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = ((timer: NodeJS.Timeout) => {
    running.delete(timer)
    clearTimeout(timer)
  }) as typeof clearTimeout
  return { running, restore: () => Object.assign(globalThis, { setTimeout, clearTimeout }) }
}

const listenersOf = (page: EventTarget) =>
  ['keydown', 'keyup', 'pagehide', 'beforeunload'].flatMap((name) => getEventListeners(page, name)).length

test('two workspaces share no state', async () => {
  const [mine, theirs] = [createWorkspace(signal(ann)), createWorkspace(signal(ben))]
  answers['GET /api/resources/?content=false'] = { ...resourceOf([file('a.txt'), file('b.txt')]) }
  answers['GET /api/resources/trip?content=false'] = { ...resourceOf([file('c.txt', { path: '/trip/c.txt' })]) }
  await Promise.all([mine.use(listingSlice).load('/'), theirs.use(listingSlice).load('/trip')])
  mine.use(listingSlice).selection.value = selectOnly('/a.txt')
  mine.use(clipboardSlice).take('x', mine.use(listingSlice).selected.value)
  mine.use(overlaysSlice).open({ kind: 'help' })
  const names = (workspace: Workspace) => workspace.use(listingSlice).sortedEntries.value.entries.map(({ name }) => name)
  assert.deepEqual([names(mine), names(theirs)], [['a.txt', 'b.txt'], ['c.txt']])
  assert.equal(theirs.use(listingSlice).selected.value.length, 0)
  assert.equal(theirs.use(clipboardSlice).content.value, undefined)
  assert.equal(theirs.use(overlaysSlice).current.value.kind, 'none')
  assert.equal(theirs.use(noticesSlice).list.value.length, 0)
  mine.dispose()
  await theirs.use(listingSlice).refresh()
  assert.deepEqual(names(theirs), ['c.txt'])
  theirs.dispose()
})

test('a workspace that is disposed leaves no listener, timer, request or effect behind', async (context) => {
  const timers = countTimers()
  context.after(timers.restore)
  const { user, isFollowed } = followedUser(ann)
  const page = new EventTarget() as EventTarget & Window
  const document = { title: '' } as Document
  const workspace = createWorkspace(user)
  workspace.effect(() => void workspace.user.value)
  listenToKeys(workspace, page)
  persistScrollStates(workspace, page)
  followTitle(workspace, document)
  followNavigation(workspace, document)
  workspace.use(leaveGuardsSlice).follow(workspace, page)
  void workspace.use(listingSlice).load('/slow')
  void workspace.use(pickerSlice).open('/also-slow')
  void workspace.use(tasksSlice).track(() => new Promise(() => {}), 'work')
  workspace.timeout(() => {}, 600_000)
  const uploads = workspace.use(uploadsSlice)
  answers['GET /api/resources/there'] = resourceOf([])
  await uploads.uploadDropped('/there', [[{ path: 'a folder' }]])
  void uploads.uploadDropped('/other', [[{ path: 'b' }]])
  await settled()
  assert.ok(open.size >= 3, [...open].join())
  assert.ok(timers.running.size > 0)
  assert.ok(listenersOf(page) >= 4)
  assert.equal(isFollowed(), true)

  workspace.dispose()
  await settled()
  assert.deepEqual([...open], [])
  assert.equal(timers.running.size, 0)
  assert.equal(listenersOf(page), 0)
  assert.equal(isFollowed(), false)
  const { title } = document
  address.value = { pathname: '/404', search: '' }
  locked.value = true
  assert.equal(document.title, title)
  assert.equal(workspace.use(overlaysSlice).current.value.kind, 'none')
  assert.equal(uploads.hasOpenUploads(), false)
})

test('slices are made once, disposed in reverse order, and refused in a cycle', () => {
  const order: string[] = []
  const first = slice('first', (workspace) => {
    workspace.onDispose(() => order.push('first'))
    return {}
  })
  const second = slice('second', (workspace) => {
    workspace.use(first)
    workspace.onDispose(() => order.push('second'))
    return {}
  })
  const workspace = new Workspace(signal(null))
  assert.equal(workspace.use(second), workspace.use(second))
  workspace.dispose()
  assert.deepEqual(order, ['second', 'first'])
  const loop: ReturnType<typeof slice> = slice('loop', (workspace) => ({ other: workspace.use(back) }))
  const back: ReturnType<typeof slice> = slice('back', (workspace) => ({ other: workspace.use(loop) }))
  assert.throws(() => new Workspace(signal(null)).use(loop), /loop → back → loop/)
})

test('the next user sees nothing of the previous one: no notice, no name of an upload, no folder', async () => {
  const user = signal<TokenUser | null>(ann)
  const current = followUser(user)
  const before = current.value
  const notices = before.use(noticesSlice)
  notices.fail('secret.txt was not uploaded')
  answers = { 'GET /api/resources/': resourceOf([]), 'POST /api/resources/made/': {} }
  void before.use(uploadsSlice).uploadDropped('/', [[{ path: 'made' }, { path: 'secret' }]])
  await settled()
  assert.deepEqual([...open], ['POST /api/resources/secret/'])
  user.value = null
  const guest = current.value
  assert.notEqual(guest, before)
  assert.deepEqual(guest.use(noticesSlice).list.value, [])
  user.value = ben
  await settled()
  // Cancelled work at the end is not reported.
  assert.equal(notices.list.value.length, 1)
  assert.deepEqual(current.value.use(noticesSlice).list.value, [])
  assert.equal(current.value.use(uploadsSlice).state.value.jobs.length, 0)
  assert.equal(before.user.value, null)
  user.value = { ...ben, locale: 'de' }
  assert.equal(current.value.user.value?.locale, 'de')
  current.value.dispose()
})

test('a question of the system waits until the user’s dialog is closed, and returns after another', () => {
  const overlays = new Workspace(signal(ann)).use(overlaysSlice)
  const shown = () => overlays.current.value.kind
  let closed = 0
  overlays.open({ kind: 'newDir' })
  const prompt = overlays.ask({ kind: 'uploadConflicts' }, () => {
    closed += 1
  })
  overlays.ask({ kind: 'cancelUploads' })
  assert.equal(shown(), 'newDir')
  overlays.close()
  assert.equal(shown(), 'uploadConflicts')
  overlays.open({ kind: 'help' })
  overlays.close()
  assert.deepEqual([shown(), closed], ['uploadConflicts', 0])
  prompt.withdraw()
  assert.deepEqual([shown(), closed], ['cancelUploads', 0])
  overlays.close()
  assert.equal(shown(), 'none')
})

test('the browser warns about leaving the page only while something would be lost', () => {
  const workspace = new Workspace(signal(ann))
  const guards = workspace.use(leaveGuardsSlice)
  const page = new EventTarget() as EventTarget & Window
  const isActive = signal(false)
  guards.follow(workspace, page)
  const remove = guards.add({ isActive, mustStay: () => true })
  assert.equal(listenersOf(page), 0)
  isActive.value = true
  const leaving = new Event('beforeunload', { cancelable: true })
  page.dispatchEvent(leaving)
  assert.equal(leaving.defaultPrevented, true)
  remove()
  assert.equal(listenersOf(page), 0)
  workspace.dispose()
})

test('a screen with unsaved changes is left only when the user agrees', () => {
  const workspace = new Workspace(signal(ann))
  const went: string[] = []
  const { history } = globalThis
  Object.assign(globalThis, { history: { pushState: (_state: unknown, _title: string, path: string) => went.push(path) } })
  let leave = () => {}
  const onLeaveScreen = (agreed: () => void) => {
    leave = agreed
  }
  workspace.use(leaveGuardsSlice).add({ isActive: signal(true), mustStay: () => true, onLeaveScreen })
  go('/files/')
  assert.deepEqual(went, [])
  leave()
  assert.deepEqual(went, ['/files/'])
  workspace.dispose()
  go('/files/a/')
  assert.deepEqual(went, ['/files/', '/files/a/'])
  Object.assign(globalThis, { history })
})
