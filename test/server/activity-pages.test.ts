// What the page about the activity asks: filters, pages of entries, and the export.
import assert from 'node:assert/strict'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { type ActivityEntry, lineOf } from '../../src-server/activity/activity-line.ts'
import { readActivity } from '../../src-server/activity/activity-log.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

type Line = ActivityEntry & { at: string }

const entry: ActivityEntry = {
  time: '2026-11-21T12:00:00.000Z',
  who: 'ann',
  what: 'upload',
  path: '/a',
  from: '127.0.0.1',
  way: 'page',
  result: 'done',
}

/** A server whose log holds these entries, the oldest first, and an administrator. */
async function start(t: TestContext, entries: readonly Partial<ActivityEntry>[], { turned = [] as typeof entries } = {}) {
  const users = { root: { perm: allPermissions } }
  const app = await startApp(t, { users, options: ({ folder }) => ({ auditLog: join(folder, 'activity.log') }) })
  const file = join(app.folder, 'activity.log')
  const write = (name: string, some: typeof entries) =>
    writeFileSync(name, some.map((one) => lineOf({ ...entry, ...one })).join(''), { mode: 0o600 })
  write(file, entries)
  write(`${file}.1`, turned)
  const root = await app.as('root')
  const ask = (query: string) => root.ask('GET', `/api/activity?${query}`)
  const lines = async (query: string) => {
    const answer = await ask(query)
    assert.equal(answer.status, 200, query)
    const read = (await answer.text()).split('\n').filter(Boolean)
    // Besides the sign-in of the administrator, if that is written already.
    return read.map((line) => JSON.parse(line) as Line).filter(({ who }) => who !== 'root')
  }
  return { app, file, root, ask, lines }
}

const paths = (lines: readonly ActivityEntry[]) => lines.map(({ path }) => path)
const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => ({ path: `/${from + index}` }))

test('pages follow each other without a gap, also within a millisecond and across files', async (t) => {
  const { lines } = await start(t, numbered(7, 12), { turned: numbered(0, 7) })
  const read: (string | undefined)[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Line[] = await lines(`limit=5&who=ann&after=${after}`)
    read.push(...paths(page))
    after = page.at(-1)?.at
  }
  assert.deepEqual(read, paths(numbered(0, 12).toReversed() as ActivityEntry[]))
})

test('a page goes on where the one before ended, although lines came and the files were turned over', async (t) => {
  const { file, lines } = await start(t, numbered(2, 6), { turned: numbered(0, 2) })
  const [first, second] = await lines('limit=2&who=ann&after=')
  assert.deepEqual([first?.path, second?.path], ['/5', '/4'])
  renameSync(`${file}.1`, `${file}.2`)
  renameSync(file, `${file}.1`)
  writeFileSync(file, lineOf({ ...entry, path: '/new' }))
  assert.deepEqual(paths(await lines(`who=ann&after=${second?.at}`)), ['/3', '/2', '/1', '/0'])
})

test('after an entry that was deleted meanwhile comes nothing, also when another file has its number', async (t) => {
  const { file, lines } = await start(t, numbered(0, 4))
  const [newest] = await lines('limit=1&who=ann&after=')
  // The same inode with another line at the place.
  writeFileSync(file, lineOf({ ...entry, time: '2027-01-01T00:00:00.000Z' }).repeat(4))
  assert.deepEqual(await lines(`who=ann&after=${newest?.at}`), [])
  rmSync(file)
  assert.deepEqual(await lines(`who=ann&after=${newest?.at}`), [])
})

test('a file that is turned over while it is read is read once', async (t) => {
  const { file } = await start(t, numbered(2, 4), { turned: numbered(0, 2) })
  const read: ActivityEntry[] = []
  for await (const some of readActivity(file, { signal: new AbortController().signal })) {
    read.push(...some.map((one) => one.entry))
    if (read.length > 2) continue
    renameSync(`${file}.1`, `${file}.2`)
    renameSync(file, `${file}.1`)
  }
  assert.deepEqual(paths(read.filter(({ who }) => who === 'ann')), ['/3', '/2', '/1', '/0'])
})

test('several kinds, visitors, failures and periods are asked for', async (t) => {
  const { lines } = await start(t, [
    { what: 'upload', path: '/a', time: '2026-11-20T10:00:00.000Z' },
    { what: 'download', path: '/b', way: 'share', time: '2026-11-21T10:00:00.000Z' },
    { what: 'delete', path: '/c', result: 'failed', reason: 'forbidden', time: '2026-11-22T10:00:00.000Z' },
    { what: 'rename', path: '/d', to: '/x/c', time: '2026-11-23T10:00:00.000Z' },
    { what: 'upload', path: '/e', way: 'request', sender: 'Rosa', time: '2026-11-24T10:00:00.000Z' },
  ])
  for (const [query, expected] of [
    ['what=upload,delete', ['/e', '/c', '/a']],
    ['what=rename', ['/d']],
    ['way=share', ['/b']],
    ['way=share,request', ['/e', '/b']],
    ['way=page&who=ann', ['/d', '/c', '/a']],
    ['result=failed', ['/c']],
    ['path=/c&who=ann', ['/d', '/c']],
    ['since=2026-11-21T10:00:00.000Z&until=2026-11-22T10:00:00.000Z&who=ann', ['/b']],
    ['since=2026-11-22&who=ann', ['/e', '/d', '/c']],
  ] as const)
    assert.deepEqual(paths(await lines(query)), expected, query)
})

test('a value that means nothing is refused with its name', async (t) => {
  const { ask } = await start(t, [])
  for (const query of [
    'what=upload,nothing',
    'what=',
    'way=door',
    'way=share,door',
    'result=maybe',
    'since=yesterday',
    'until=2026-1-1',
    'limit=0',
    'limit=-1',
    'limit=many',
    'after=../../etc',
    'format=xml',
  ]) {
    const answer = await ask(query)
    assert.equal(answer.status, 400, query)
    assert.match(await answer.text(), new RegExp(`/${query.split('=')[0]}\\b`), query)
  }
})

test('only JSON lines that are asked for have places', async (t) => {
  const { ask } = await start(t, [entry])
  assert.doesNotMatch(await (await ask('who=ann')).text(), /"at"/)
  assert.doesNotMatch(await (await ask('who=ann&format=csv&after=')).text(), /[0-9]+-[0-9]+-[0-9]{13}/)
})

test('the browser exports it with the cookie, and asks before without reading the log', async (t) => {
  const { app, root } = await start(t, numbered(0, 3))
  const cookie = `auth=${root.token}`
  const address = `${app.url}/api/activity?format=csv&who=ann`
  const table = await fetch(address, { headers: { cookie } })
  assert.equal(table.headers.get('content-disposition'), 'attachment; filename="activity.csv"')
  assert.equal((await table.text()).split('\r\n').length, 5)
  const head = await fetch(address, { method: 'HEAD', headers: { cookie } })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.equal((await fetch(address)).status, 401)
})

test('two of a person read at a time, two wait, and what is read ends when the client has gone', async (t) => {
  const long = Array.from({ length: 40_000 }, () => ({ path: `/${'x'.repeat(1000)}` }))
  const { root, ask } = await start(t, long)
  const begin = async () => {
    const controller = new AbortController()
    const answer = await root.ask('GET', '/api/activity', { signal: controller.signal })
    await answer.body?.getReader().read()
    return controller
  }
  const readers = [await begin(), await begin()]
  let refused = 0
  const others = Array.from({ length: 4 }, async () => {
    const { status } = await ask('limit=1')
    if (status === 503) refused++
    return status
  })
  await until(() => refused === 2, 'two are refused')
  for (const reader of readers) reader.abort()
  assert.deepEqual((await Promise.all(others)).sort(), [200, 200, 503, 503])
})
