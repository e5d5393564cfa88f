// When Undo is asked for: too early, twice, or while something goes on.
import assert from 'node:assert/strict'
import { mock, type TestContext, test } from 'node:test'
import { actState } from '../../src-ui/acts/act-words.ts'
import { actsSlice } from '../../src-ui/acts/acts.ts'
import { actsLater } from '../../src-ui/acts/feature-later.ts'
import { flipAct, flipLast } from '../../src-ui/acts/flip-act.ts'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { activeScopes, commandFor, listenToKeys } from '../../src-ui/core/keyboard.ts'
import { address } from '../../src-ui/core/location.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { type Overlay, overlaysSlice } from '../../src-ui/core/overlay.ts'
import { newAct, type Ongoing, ongoingSlice } from '../../src-ui/core/own-acts.ts'
import { run } from '../../src-ui/core/run.ts'
import { user } from '../../src-ui/core/session.ts'
import { createWorkspace } from '../../src-ui/create-workspace.ts'
import { jobsSlice } from '../../src-ui/jobs/jobs.ts'
import { leftText } from '../../src-ui/jobs/left-words.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { selectOnly } from '../../src-ui/listing/selection.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { rename } from '../../src-ui/operations/rename.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { followUploads } from '../../src-ui/uploads/ongoing-uploads.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { chosen, entries, type Folders, said, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { press } from './key-press.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const acts = workspace.use(actsSlice)
const listing = workspace.use(listingSlice)
const ongoing = workspace.use(ongoingSlice)
const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  acts.list.value = []
  acts.failure.value = undefined
  for (let id = 1; id < 9; id++) acts.pass({ id: `h${id}` }, false)
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': [] })
  folders.trash = {}
})
afterEach(() => {
  ongoing.clear()
  folders.close()
})

const plain = (text = '') => text.replace(/[\u2068\u2069]/g, '')
const offered = () => notices.list.value.map(({ text, action }) => plain([text, action?.label].filter(Boolean).join(' → ')))
/** What was told last, and whether as neither a success nor a failure. */
const lastKind = () => notices.list.value.slice(-1).flatMap(({ text, isNeutral }) => [plain(text), isNeutral])
const renameTo = (name: string, to: string) => Promise.all(entries(name).map((entry) => rename(workspace, entry, to)))
const undo = () => flipLast(workspace, 'undo')

async function pressNotice(label: string) {
  const notice = notices.list.value.find(({ action }) => plain(action?.label) === label)
  assert.ok(notice?.action, `${label} is not among ${offered()}`)
  notice.action.run()
  await settled()
}

/** A copy by a job, of which one file is there already. */
async function copyGoesOn(): Promise<{ key: string; stopped: () => number }> {
  await transfer(workspace, { action: 'copy', items: entries('b.txt', 'c.txt'), to: '/d' })
  await settled()
  const key = acts.list.value[0]?.key ?? ''
  let stopped = 0
  const stop = async () => {
    stopped += 1
    ongoing.clear()
  }
  ongoing.add(() => [{ key, title: 'Copying 2 items to “d”', startedAt: 1, stop }])
  return { key, stopped: () => stopped }
}

test('what is selected while an undo or a move goes on stays selected', async () => {
  /** Selects an entry before the page has listed the folder again. */
  const select = (name: string) => {
    const refresh = mock.method(listing, 'refresh', async () => {
      refresh.mock.restore()
      listing.selection.value = selectOnly(`/${name}`)
      await listing.refresh()
    })
  }
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  select('c.txt')
  await undo()
  assert.deepEqual([shown().includes('b.txt'), chosen()], [true, ['c.txt']])
  select('a.txt')
  await transfer(workspace, { action: 'copy', items: entries('b.txt', 'c.txt'), to: '/' })
  assert.deepEqual([shown().includes('b(1).txt'), chosen()], [true, ['a.txt']])
})

test('while a copy goes on Undo is about it, and not about the act before: it is stopped and undone when the person says so', async () => {
  await renameTo('a.txt', 'z.txt')
  const copy = await copyGoesOn()
  await undo()
  assert.deepEqual([copy.stopped(), folders.stand['/d'], shown().includes('z.txt')], [0, ['b.txt', 'c.txt'], true])
  assert.equal(offered().at(-1), 'Still running: Copying 2 items to “d” → Stop and undo')
  await pressNotice('Stop and undo')
  assert.deepEqual([copy.stopped(), folders.stand['/d']], [1, []])
  assert.equal(offered().at(-1), 'Undone: copy of 2 items → Redo copy of 2 items')
  await undo()
  assert.ok(shown().includes('a.txt'))
})

test('Undo about a paused job says that it is paused; neither this nor that nothing can be undone is told as a success', async () => {
  await undo()
  assert.deepEqual(lastKind(), ['Nothing to undo', true])
  ongoing.add(() => [{ key: 'a-copy', title: 'Copying', resting: 'Paused', stop: async () => {} }])
  await undo()
  assert.deepEqual(lastKind(), ['Paused · Copying', true])
})

test('the button of an act that goes on does not undo its first part', async () => {
  const copy = await copyGoesOn()
  const [act] = acts.list.value
  assert.ok(act)
  await flipAct(workspace, act, { direction: 'undo' })
  assert.deepEqual([copy.stopped(), folders.stand['/d']], [0, ['b.txt', 'c.txt']])
})

test('what a job of another page still does is not undone, and can be stopped as soon as this page knows the job', async (context) => {
  await transfer(workspace, { action: 'copy', items: entries('b.txt'), to: '/d' })
  await settled()
  const before = acts.list.value[0]
  assert.ok(before)
  folders.history.running.add(before.key)
  // Another test has pressed the button of an act with this id.
  context.mock.method(workspace, 'now', () => performance.now() + 100_000)
  // Told before the job went on again.
  folders.refusals = { [`undo ${before.id}`]: 409 }
  await flipAct(workspace, before, { direction: 'undo' })
  const refused = 'Not undone: copy of “b.txt”: It is still running. Stop it first.'
  assert.equal(plain(said().at(-1)), `error: ${refused}`)
  const [act] = acts.list.value
  assert.match(plain(actState(act ?? before)), / · It is still running\. Stop it first\.$/)
  await undo()
  assert.deepEqual([plain(said().at(-1)), folders.stand['/d']], [`error: ${refused}`, ['b.txt']])
  folders.refusals = {}
  const stop = async () => {
    ongoing.clear()
    folders.history.running.clear()
  }
  context.mock.method(workspace.use(jobsSlice), 'refresh', async () => {
    ongoing.add(() => [{ key: before.key, title: 'Copying', startedAt: 1, stop }])
  })
  await undo()
  assert.equal(offered().at(-1), 'Still running: Copying → Stop and undo')
  await pressNotice('Stop and undo')
  assert.deepEqual([folders.stand['/d'], offered().at(-1)], [[], 'Undone: copy of “b.txt” → Redo copy of “b.txt”'])
})

test('what was done after the copy had begun is undone first', async () => {
  const key = newAct()
  await renameTo('a.txt', 'z.txt')
  const own: Ongoing = { key, title: 'Copying', stop: async () => {} }
  ongoing.add(() => [own])
  await undo()
  assert.ok(shown().includes('a.txt'))
  await undo()
  assert.equal(offered().at(-1), 'Still running: Copying → Stop and undo')
})

test('what another page has begun counts by the clock of the server', async () => {
  await renameTo('a.txt', 'z.txt')
  ongoing.add(() => [{ key: 'elsewhere', title: 'Moving', startedAt: 0, stop: undefined }])
  await undo()
  assert.ok(shown().includes('a.txt'))
  ongoing.clear()
  await renameTo('a.txt', 'z.txt')
  ongoing.add(() => [{ key: 'elsewhere', title: 'Undo', startedAt: 100, stop: undefined }])
  await undo()
  assert.ok(shown().includes('z.txt'))
  assert.equal(offered().at(-1), 'Still running: Undo')
})

test('stopped before anything was done, there is nothing to undo', async () => {
  ongoing.add(() => [{ key: 'none', title: 'Copying', startedAt: 1, stop: async () => {} }])
  await undo()
  await pressNotice('Stop and undo')
  assert.equal(said().at(-1), 'success: Nothing to undo')
})

test('while files are uploaded Undo is about the newest drop, of which the rest is not sent', async () => {
  const later = createWorkspace(user)
  try {
    followUploads(later)
    const uploads = later.use(uploadsSlice)
    uploads.isPaused.value = true
    const dropped = uploads.uploadDropped('/d', [[{ path: 'one' }, { path: 'two' }]])
    await settled()
    const [tell] = later.use(ongoingSlice)
    const [one] = tell?.() ?? []
    assert.match(plain(one?.title), /^Uploading /)
    assert.deepEqual(uploads.openActs(), [one?.key])
    await one?.stop?.()
    uploads.isPaused.value = false
    await dropped
    await settled()
    assert.deepEqual([uploads.openActs(), folders.stand['/d']], [[], []])
  } finally {
    later.dispose()
  }
})

test('Undo waits for the answer to a change that was sent', async () => {
  await renameTo('b.txt', 'y.txt')
  const answered = Promise.withResolvers<void>()
  folders.held = answered.promise
  const renamed = renameTo('a.txt', 'z.txt')
  await settled()
  const undone = undo()
  await settled()
  assert.deepEqual(
    folders.asked.filter((one) => one.startsWith('undo')),
    [],
  )
  delete folders.held
  answered.resolve()
  await Promise.all([renamed, undone])
  await settled()
  assert.deepEqual(shown().toSorted(), ['a.txt', 'c.txt', 'd', 'y.txt'])
})

test('Undo says that the last change is not finished when its answer does not come', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const answered = Promise.withResolvers<void>()
  folders.held = answered.promise
  const renamed = renameTo('a.txt', 'z.txt')
  await settled()
  const undone = undo()
  await settled()
  context.mock.timers.tick(3000)
  await undone
  assert.equal(said().at(-1), 'success: The last change is not finished yet')
  delete folders.held
  answered.resolve()
  await renamed
})

test('a double click on Undo undoes once, and what comes in its place can be pressed later', async (context) => {
  let now = performance.now() + 10_000
  context.mock.method(workspace, 'now', () => now)
  await renameTo('a.txt', 'z.txt')
  await settled()
  await pressNotice('Undo rename of “z.txt”')
  now += 200
  await pressNotice('Redo rename of “z.txt”')
  assert.ok(shown().includes('a.txt'))
  now += 1000
  const [act] = acts.list.value
  assert.ok(act)
  await flipAct(workspace, act, { direction: 'redo' })
  assert.ok(shown().includes('z.txt'))
})

test('two clicks while the server is at it are one undo', async (context) => {
  let now = performance.now() + 50_000
  context.mock.method(workspace, 'now', () => now)
  await renameTo('a.txt', 'z.txt')
  await settled()
  const [act] = acts.list.value
  assert.ok(act)
  const first = flipAct(workspace, act, { direction: 'undo' })
  now += 5000
  await Promise.all([first, flipAct(workspace, act, { direction: 'undo' })])
  assert.deepEqual([shown().includes('a.txt'), said().filter((one) => one.startsWith('error'))], [true, []])
})

test('where an older act cannot be undone, the page says which one the next Undo is about', async (context) => {
  await transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' })
  await renameTo('a.txt', 'z.txt')
  await settled()
  const older = acts.list.value[1]
  assert.ok(older)
  context.mock.method(workspace, 'now', () => performance.now() + 200_000)
  folders.history.left = [{ path: '/d/b.txt', how: 'changed' }]
  await flipAct(workspace, older, { direction: 'undo' })
  assert.match(plain(said().at(-1)), /Its content has changed since\. The next Undo is about: rename of “z\.txt”\.$/)
  await undo()
  assert.equal(plain(said().at(-1)), 'success: Undone: rename of “z.txt”')
})

test('an act outside the files of the person is not said to be in them', async () => {
  await renameTo('a.txt', 'z.txt')
  await settled()
  const [act] = acts.list.value
  assert.ok(act)
  assert.match(plain(actState({ ...act, folder: '' })), /Outside your files/)
  assert.match(plain(actState({ ...act, folder: '/' })), /My files/)
  assert.match(plain(leftText({ left: [{ path: '', how: 'outside' }] })), /^Outside your files: /)
})

test('what was not undone is told in whole sentences, also of those that are not listed', () => {
  const left = ['a', 'b', 'c', 'd'].map((name) => ({ path: `/${name}`, how: 'missing' as const }))
  const gone = 'It is no longer there.'
  assert.equal(plain(leftText({ left, more: 3 })), `a: ${gone} b: ${gone} c: ${gone} 4 more.`)
})

test('a history that was not told is no empty one, and can be asked for again', async () => {
  const reach = globalThis.fetch
  await renameTo('a.txt', 'z.txt')
  await settled()
  globalThis.fetch = async () => new Response('503 Service Unavailable\n', { status: 503 })
  await acts.refreshQuietly()
  globalThis.fetch = reach
  assert.deepEqual([acts.failure.value !== undefined, acts.list.value.length], [true, 1])
  await acts.refreshQuietly()
  assert.equal(acts.failure.value, undefined)
})

/** A page whose commands for Ctrl+Z have not come, where a.txt is renamed and Ctrl+Z is pressed. */
async function pressEarly(context: TestContext) {
  Object.assign(globalThis, { HTMLElement: class {} })
  const early = createWorkspace(user)
  context.after(() => {
    early.dispose()
    Reflect.deleteProperty(globalThis, 'HTMLElement')
  })
  await early.use(listingSlice).load('/')
  const page = new EventTarget()
  listenToKeys(early, page as unknown as Window)
  await renameTo('a.txt', 'z.txt')
  await settled()
  let prevented = 0
  const event = Object.assign(new Event('keydown'), press('z', { ctrlKey: true }), {
    preventDefault: () => {
      prevented += 1
    },
  })
  page.dispatchEvent(event)
  assert.deepEqual([prevented, early.use(commandTableSlice).early.map(({ chord }) => chord)], [1, ['Mod+Z']])
  return early
}

test('Ctrl+Z that was pressed before its command came is done when it comes', async (context) => {
  const early = await pressEarly(context)
  actsLater.follow(early)
  await settled()
  assert.deepEqual(early.use(commandTableSlice).early, [])
  assert.ok(folders.stand['/']?.includes('a.txt'))
})

test('Ctrl+Z is not done when its command comes long after it', async (context) => {
  const early = await pressEarly(context)
  const pressed = early.now()
  context.mock.method(early, 'now', () => pressed + 6000)
  actsLater.follow(early)
  await settled()
  assert.ok(folders.stand['/']?.includes('z.txt'))
})

test('Ctrl+Z is not done when a dialog is open by the time its command comes', async (context) => {
  const early = await pressEarly(context)
  early.use(overlaysSlice).current.value = { kind: 'help' } as Overlay
  actsLater.follow(early)
  await settled()
  assert.ok(folders.stand['/']?.includes('z.txt'))
})

test('on the page of the trash Undo is offered and its keys count, and no folder is read behind it', async () => {
  await remove(workspace, entries('a.txt'), () => {})
  await settled()
  workspace.use(listingSlice).reset()
  address.value = { pathname: '/trash', search: '' }
  const listings: string[] = []
  const { fetch } = globalThis
  globalThis.fetch = ((asked: string, init: RequestInit = {}) => {
    if (asked.startsWith('/api/resources')) listings.push(asked)
    return fetch(asked, init)
  }) as typeof fetch
  const meantBy = (chord: string) => commandFor(workspace, chord, activeScopes(workspace), actsLater.commands)
  const command = meantBy('Mod+Z')
  assert.ok(command)
  await run(workspace, command)
  await settled()
  assert.equal(plain(said().at(-1)), 'success: Undone: delete of “a.txt”')
  assert.deepEqual([folders.stand['/']?.includes('a.txt'), listings], [true, []])
  assert.equal(meantBy('Mod+Shift+Z')?.id, 'redo')
  address.value = { pathname: '/settings/profile', search: '' }
  assert.equal(meantBy('Mod+Z'), undefined)
})

test('what the page may not see the end of is undone by a job: that of more than fifty items', async () => {
  const names = Array.from({ length: 51 }, (_, index) => `${index}.txt`)
  folders.close()
  folders = await startFolders({ '/': [...names, 'd/'], '/d': [] })
  await transfer(workspace, { action: 'move', items: entries(...names), to: '/d' })
  await undo()
  await settled()
  assert.deepEqual([folders.undoneByJobs, shown().length], [['h1'], 52])
})
