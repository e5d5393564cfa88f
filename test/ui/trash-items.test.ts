// The page of the trash reads as many entries as it shows, and puts them back or deletes them for good.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import type { TrashItem } from '../../src-server/contract/trash.ts'
import { knownTrashSlice } from '../../src-ui/core/known-trash.ts'
import { menuGroups } from '../../src-ui/core/menu-entries.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { user } from '../../src-ui/core/session.ts'
import { jobsSlice } from '../../src-ui/jobs/jobs.ts'
import { selectOnly } from '../../src-ui/listing/selection.ts'
import { loadWhenBack } from '../../src-ui/trash/load-when-back.ts'
import { trashCommands, trashViewSlice } from '../../src-ui/trash/trash-commands.ts'
import { TrashItems } from '../../src-ui/trash/trash-items.ts'
import { moveTo } from '../../src-ui/trash/use-trash-keys.ts'
import { startLive } from './fake-live.ts'
import { ann, said, settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const { beforeEach, afterEach } = hooksOf(import.meta.filename)
const notices = workspace.use(noticesSlice)
const known = workspace.use(knownTrashSlice)
const reach = globalThis.fetch

/** What lies in the trash of the server. */
let stand: TrashItem[] = []
let asked: string[] = []
let refused: Record<string, string> = {}
/** The ids of files whose names are taken. */
let taken: string[] = []
/** What is in the folders. */
let present: object[] = []

const itemOf = (id: string, given: Partial<TrashItem> = {}): TrashItem => ({
  ...{ id, name: `${id}.txt`, path: `/${id}.txt`, isDir: false, size: 1, type: 'text', deletedAt: 1, dueAt: 2 },
  ...{ by: 'ann', why: 'delete', mayPurge: true },
  ...given,
})

const listed = (items: TrashItem[]) => {
  const own = items.filter(({ mayPurge }) => mayPurge).length
  return { total: items.length, bytes: items.length, own: { items: own, bytes: own }, days: 30, isOn: true }
}

/** The answer of a job that has ended at once. */
function endedJob(given: { id: string; kind: string; entries?: string[]; all?: boolean }) {
  const { id, kind } = given
  const mine = stand.filter(({ mayPurge, isOthers }) => mayPurge && !isOthers).map((item) => item.id)
  const entries = given.all ? mine : (given.entries ?? [])
  const failures = entries
    .filter((one) => refused[one])
    .map((path) => ({ path, code: 'conflict', message: '', refusal: { code: refused[path], params: {} } }))
  const done = entries.filter((one) => !refused[one])
  const renamed = kind === 'restore' ? done.map((path) => ({ path, to: stand.find((item) => item.id === path)?.path ?? '' })) : []
  stand = stand.filter((item) => !done.includes(item.id))
  return {
    ...{ id, kind, state: 'ended', first: entries[0], entries: entries.length, done: done.length, failed: failures.length },
    ...{ skipped: 0, asked: 0, startedAt: 0, changedAt: 0, questions: [], failures, leftOut: [], renamed, values: [] },
  }
}

beforeEach(() => {
  user.value = ann
  stand = []
  asked = []
  refused = {}
  taken = []
  present = []
  globalThis.fetch = (async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const url = new URL(address, 'http://holdall.test')
    if (url.pathname === '/api/history') return Response.json({ acts: [] })
    const given = body ? JSON.parse(String(body)) : undefined
    if (url.pathname.startsWith('/api/resources')) return Response.json({ items: present })
    asked.push(`${method} ${url.pathname}${decodeURIComponent(url.search)}${body ? ` ${JSON.stringify(given)}` : ''}`)
    if (method === 'GET') {
      const { from, limit, filter = '' } = Object.fromEntries(url.searchParams)
      const found = stand.filter(({ name }) => name.includes(filter))
      return Response.json({ items: found.slice(Number(from), Number(from) + Number(limit)), ...listed(found) })
    }
    if (url.pathname === '/api/jobs') return Response.json(endedJob(given))
    const wanted = stand.filter(({ id, mayPurge }) => (given.all ? mayPurge : given.items.includes(id)))
    const done = wanted.filter(({ id }) => !refused[id] && !taken.includes(id))
    const failures = wanted.flatMap(({ id }) => (refused[id] ? [{ id, code: refused[id], message: refused[id] }] : []))
    stand = stand.filter((item) => !done.includes(item))
    const places = (found: TrashItem[]) => found.map(({ id, path }) => ({ id, path }))
    const left = places(wanted.filter(({ id }) => taken.includes(id)))
    return Response.json({ purged: done.length, restored: places(done), taken: left, failures })
  }) as typeof fetch
})
afterEach(() => {
  globalThis.fetch = reach
  notices.list.value = []
  known.facts.value = undefined
  user.value = null
})

const names = (items: TrashItems) => items.rows.value.map(({ id }) => id)

async function loaded(...wanted: TrashItem[]): Promise<TrashItems> {
  stand = wanted
  const items = new TrashItems(workspace)
  await items.load()
  return items
}

test('a long trash is read page by page, and all of it before all of it is selected', async () => {
  const items = await loaded(...Array.from({ length: 2300 }, (_, index) => itemOf(`i${index}`)))
  assert.deepEqual([items.rows.value.length, items.facts.value?.total], [1000, 2300])
  await Promise.all([items.readTo(1001), items.readTo(1500)])
  assert.equal(items.rows.value.length, 2000)
  await items.selectAll()
  assert.equal(items.selected.value.length, 2300)
  assert.equal(asked.length, 3)
})

/** Presses a key of the rows. @returns the id of the row that has the focus, and of those that are selected */
async function press(items: TrashItems, key: string, prefix?: string) {
  const revealed: string[] = []
  const parts = { items, rowsInView: 10, reveal: (id: string) => void revealed.push(id) }
  await moveTo(parts, { prefix, key, isLast: () => true })
  assert.deepEqual(revealed, [items.selection.value.focus])
  return items.selected.value.map(({ id }) => id)
}

test('the keys lead beyond the rows that were read: these are read first', async () => {
  const items = await loaded(...Array.from({ length: 2300 }, (_, index) => itemOf(`i${index}`)))
  items.selection.value = selectOnly('i999')
  assert.deepEqual(await press(items, 'ArrowDown'), ['i1000'])
  items.selection.value = selectOnly('i1995')
  assert.deepEqual(await press(items, 'PageDown'), ['i2005'])
  items.selection.value = selectOnly('i2')
  assert.deepEqual(await press(items, 'End', 'Mod+'), ['i2'])
  assert.equal(items.selection.value.focus, 'i2299')
  const other = await loaded(...stand)
  assert.deepEqual(await press(other, 'End'), ['i2299'])
  items.selection.value = selectOnly('i998')
  assert.equal((await press(items, 'End', 'Shift+')).length, 1302)
  assert.deepEqual(await press(items, 'Home'), ['i0'])
})

test('of keys that are pressed while rows are read the last one counts, and none moves when they cannot be read', async () => {
  const items = await loaded(...Array.from({ length: 1001 }, (_, index) => itemOf(`i${index}`)))
  items.selection.value = selectOnly('i3')
  const parts = { items, rowsInView: 10, reveal: () => {} }
  await moveTo(parts, { prefix: undefined, key: 'End', isLast: () => false })
  assert.deepEqual([items.rows.value.length, items.selection.value.focus], [1001, 'i3'])
  const lost = await loaded(...stand)
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  lost.selection.value = selectOnly('i999')
  assert.deepEqual(await press(lost, 'ArrowDown'), ['i999'])
})

test('an entry that moved between two pages is shown once', async () => {
  const items = await loaded(...Array.from({ length: 1001 }, (_, index) => itemOf(`i${index}`)))
  stand = [itemOf('new'), ...stand]
  await items.readTo(1001)
  assert.equal(new Set(names(items)).size, names(items).length)
})

test('sorting and the filter are asked of the server; a second press on a column turns the order', async () => {
  const items = await loaded(itemOf('a'), itemOf('b'))
  items.sortBy('name')
  items.sortBy('name')
  items.filterBy(' b ')
  await settled()
  assert.deepEqual(
    asked.map((one) => one.replace('GET /api/trash?', '').replace('&from=0&limit=1000', '')),
    ['by=date&order=desc', 'by=name&order=asc', 'by=name&order=desc', 'by=name&order=desc&filter=b'],
  )
  assert.deepEqual(names(items), ['b'])
  assert.equal(known.facts.value?.total, 2, 'what matches is not all there is')
})

test('what is restored leaves the page, what is selected besides stays, and a failure is named with its reason', async () => {
  const items = await loaded(itemOf('a'), itemOf('b'), itemOf('c'))
  items.selection.value = selectOnly('c')
  refused = { b: 'folderDeleted' }
  await items.restore(items.rows.value.slice(0, 2))
  assert.deepEqual([names(items), items.selected.value.map(({ id }) => id)], [['b', 'c'], ['c']])
  assert.match(said()[0] ?? '', /^error: 1 item was not restored: .*b\.txt.*The folder was deleted in the meantime\.$/)
  assert.equal(said()[1], 'success: 1 item restored')
})

test('what somebody else has restored at the same time is said to be gone', async () => {
  const items = await loaded(itemOf('a'))
  refused = { a: 'notFound' }
  await items.restore(items.rows.value)
  assert.match(said()[0] ?? '', /^error: 1 item was not restored: .*a\.txt.*It is no longer there\.$/)
})

const jobsAsked = () =>
  asked
    .filter((one) => one.startsWith('POST /api/jobs'))
    .map((one) => JSON.parse(one.slice('POST /api/jobs '.length)))
    .map(({ kind, entries, all }) => [kind, all ? 'all' : entries.length])

test('deleting for good is a call for one file, and a job for more and for all that the person may delete', async () => {
  const others = [itemOf('others', { mayPurge: false }), itemOf('installation', { isOthers: true })]
  const items = await loaded(itemOf('a'), itemOf('b'), itemOf('c'), itemOf('d', { isDir: true }), ...others)
  await items.purge(items.rows.value.slice(0, 1))
  assert.deepEqual([asked.filter((one) => one.startsWith('DELETE')), jobsAsked()], [['DELETE /api/trash {"items":["a"]}'], []])
  await items.purge(items.rows.value.filter(({ id }) => id === 'd'))
  assert.deepEqual(jobsAsked(), [['purge', 1]])
  await items.purge('all')
  assert.deepEqual(jobsAsked(), [
    ['purge', 1],
    ['purge', 'all'],
  ])
  assert.deepEqual(names(items), ['others', 'installation'])
})

test('the menu of the trash offers what can be done with the selected entries, and says why not', async () => {
  const [file, others] = [itemOf('a'), itemOf('c', { mayPurge: false })]
  const items = await loaded(file, itemOf('b', { isDir: true }), others)
  workspace.use(trashViewSlice).items.value = items
  const offered = (...ids: string[]) => {
    items.selection.value = { keys: new Set(ids), focus: ids[0] }
    const groups = menuGroups(workspace, 'trash')
    return groups.map((group) => group.map(({ label, refusal }) => (refusal === undefined ? label : `${label}: ${refusal}`)))
  }
  const [oneItem, folder] = ['Select one item only', 'A folder in the trash cannot be opened. Restore it to see what it holds.']
  assert.deepEqual(offered('a'), [['Open', 'Download'], ['Restore'], ['Delete for good']])
  assert.deepEqual(offered('b')[0], [`Open: ${folder}`, `Download: ${folder}`])
  assert.deepEqual(offered('a', 'b')[0], [`Open: ${oneItem}`, `Download: ${oneItem}`])
  assert.match(offered('c').at(-1)?.[0] ?? '', /^Delete for good: ./)
  assert.deepEqual(offered(), [])
  items.selection.value = selectOnly('a')
  await trashCommands.find(({ id }) => id === 'trash.restore')?.run(workspace, { items: [], folder: '/' })
  assert.deepEqual(names(items), ['b', 'c'])
  workspace.use(trashViewSlice).items.value = undefined
})

/** Jobs that go on until `list` has them as ended. `begin` is awaited before one is begun. */
function lastingJobs(begin: (id: string) => Promise<void>) {
  const jobs = new Map<string, ReturnType<typeof endedJob>>()
  const serve = globalThis.fetch
  globalThis.fetch = (async (address: string, init: RequestInit = {}) => {
    const { pathname } = new URL(address, 'http://holdall.test')
    if (!pathname.startsWith('/api/jobs')) return serve(address, init)
    if (init.method === 'POST') {
      const job = endedJob(JSON.parse(String(init.body)))
      await begin(job.first ?? '')
      jobs.set(job.id, job)
      return Response.json({ ...job, state: 'running' })
    }
    return Response.json(pathname === '/api/jobs' ? { jobs: [...jobs.values()] } : jobs.get(pathname.split('/')[3] ?? ''))
  }) as typeof fetch
}

test('the end of a deletion that went on neither frees the page for another one nor is told again', async () => {
  const items = await loaded(itemOf('one', { isDir: true }), itemOf('two', { isDir: true }))
  const begun = Promise.withResolvers<void>()
  lastingJobs(async (id) => (id === 'two' ? begun.promise : undefined))
  const [one, two] = items.rows.value
  assert.ok(one && two)
  const told: string[] = []
  const first = items.purge([one], () => void told.push('first'))
  await settled()
  assert.deepEqual([told, items.isBusy.value], [['first'], false])
  const second = items.purge([two], () => void told.push('second'))
  await workspace.use(jobsSlice).refresh()
  await first
  assert.deepEqual([told, items.isBusy.value], [['first'], true])
  begun.resolve()
  await settled()
  await workspace.use(jobsSlice).refresh()
  await second
  assert.deepEqual([told, items.isBusy.value], [['first', 'second'], false])
})

test('a trash of more entries than one job may name is emptied by one job, and nothing more of it is read', async () => {
  const items = await loaded(...Array.from({ length: 10_001 }, (_, index) => itemOf(`i${index}`)))
  asked = []
  refused = { i1: 'folderDeleted', i9999: 'folderDeleted' }
  await items.purge('all')
  assert.deepEqual(jobsAsked(), [['purge', 'all']])
  assert.deepEqual(
    asked.map((one) => one.split('?')[0]?.split(' {')[0]),
    ['POST /api/jobs', 'GET /api/trash'],
  )
  assert.deepEqual(names(items), ['i1', 'i9999'])
  const [done, failed] = said()
  assert.equal(done, 'success: 9,999 items deleted')
  // The page has not read the name of the other one.
  assert.match(
    failed ?? '',
    /^error: 2 items were not deleted: .*i1\.txt.*: The folder was deleted in the meantime\. .*Trash.*: /,
  )
})

test('a trash that cannot be emptied says why, and all stays', async () => {
  const items = await loaded(itemOf('a'), itemOf('b'))
  const serve = globalThis.fetch
  globalThis.fetch = (async (address: string, init: RequestInit = {}) =>
    address.includes('/api/jobs')
      ? new Response('503 Service Unavailable\n', { status: 503 })
      : serve(address, init)) as typeof fetch
  await items.purge('all')
  assert.match(said()[0] ?? '', /^error: 2 items were not deleted: The server is busy/)
  assert.deepEqual([names(items), items.isBusy.value], [['a', 'b'], false])
})

test('more entries than one job takes are given to several', async () => {
  const items = await loaded(...Array.from({ length: 10_001 }, (_, index) => itemOf(`i${index}`)))
  await items.readTo(10_001)
  await items.purge(items.rows.value)
  assert.deepEqual(jobsAsked(), [
    ['purge', 10_000],
    ['purge', 1],
  ])
  assert.deepEqual([names(items), said()], [[], ['success: 10,001 items deleted']])
  // What fails of them is named by the page that knows the names.
  assert.equal(workspace.use(jobsSlice).trashNames.get('i7'), 'i7.txt')
})

test('the trash is offered to whoever may download and create, while it is on or holds something', () => {
  const facts = { isOn: true, days: 30, total: 0 }
  assert.equal(known.isShown(), false, 'nothing is known yet')
  known.facts.value = facts
  assert.equal(known.isShown(), true)
  known.facts.value = { ...facts, isOn: false }
  assert.equal(known.isShown(), false)
  known.facts.value = { ...facts, isOn: false, total: 1 }
  assert.equal(known.isShown(), true)
  user.value = { ...ann, perm: { ...noPermissions, download: true } }
  assert.equal(known.isShown(), false)
})

test('a trash that could not be read is read when the connection is back, and said once to be missing', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  stand = [itemOf('a')]
  const { workspace: own, last } = startLive()
  last().tell({ kind: 'hello', user: ann.id })
  const items = new TrashItems(own)
  const stop = loadWhenBack(own, items)
  const reconnect = async () => {
    last().lose()
    context.mock.timers.tick(5000)
    last().tell({ kind: 'hello', user: ann.id })
    await settled()
  }
  try {
    const answered = globalThis.fetch
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    await items.load()
    const { value: failure } = items.failure
    assert.ok(failure)
    context.mock.timers.tick(15_000)
    await settled()
    assert.equal(items.failure.value, failure)
    globalThis.fetch = answered
    await reconnect()
    assert.deepEqual([items.failure.value, names(items)], [undefined, ['a']])
    stand = [itemOf('b')]
    await reconnect()
    assert.deepEqual(names(items), ['b'])
  } finally {
    stop()
    own.dispose()
  }
})

test('where no connection tells that the server is back it is asked from time to time', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  stand = [itemOf('a')]
  const items = new TrashItems(workspace)
  const answered = globalThis.fetch
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const stop = loadWhenBack(workspace, items)
  await items.load()
  globalThis.fetch = answered
  context.mock.timers.tick(15_000)
  await settled()
  assert.deepEqual(names(items), ['a'])
  stop()
})

for (const [what, others] of [
  ['one file', []],
  ['several', [itemOf('other')]],
] as const) {
  test(`the question about a name that is taken has the date of the file in the trash, of ${what}`, async () => {
    const there = { name: 'a.txt', isDir: false, size: 2, modified: '2026-01-02T00:00:00Z' }
    present = [there]
    const a = itemOf('a', { modified: Date.UTC(2026, 0, 1) })
    const items = await loaded(a, ...others)
    taken = ['a']
    const restoring = items.restore(items.rows.value)
    await settled()
    const { value: shown } = workspace.use(overlaysSlice).current
    const [conflict] = shown.kind === 'nameConflicts' ? shown.conflicts : []
    assert.deepEqual([conflict?.item.modified, conflict?.existing], ['2026-01-01T00:00:00.000Z', there])
    workspace.use(overlaysSlice).close()
    await restoring
  })
}
