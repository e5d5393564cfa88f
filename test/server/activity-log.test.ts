// The activity log: which lines it has, how it is turned over, and that nothing that happens to it stops a request.
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { csvLine } from '../../src-server/activity/activity-csv.ts'
import { type ActivityEntry, lineOf } from '../../src-server/activity/activity-line.ts'
import { ActivityLog, readActivity } from '../../src-server/activity/activity-log.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import type { Settings } from '../../src-server/contract/settings.ts'
import { password, startApp, type TestApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const entry: ActivityEntry = {
  time: '2026-11-21T12:00:00.000Z',
  who: 'ann',
  what: 'upload',
  path: '/a',
  from: '127.0.0.1',
  way: 'page',
  result: 'done',
}

function folderOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-activity-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const linesIn = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ActivityEntry)
    : []

/** A server with an activity log inside the served folder, where it is protected. */
const start = (t: TestContext, files = {}) =>
  startApp(t, { files, options: ({ root }) => ({ auditLog: join(root, 'activity.log') }) })

/** What was written about people, without the sign-ins of the tests. */
const written = ({ root }: TestApp) =>
  linesIn(join(root, 'activity.log')).filter(({ what, result }) => what !== 'signIn' || result === 'failed')

test('each change is one line: who, what, path, from where, result', async (t) => {
  const app = await start(t)
  const ann = await app.as('ann')
  await ann.upload('/a', '1')
  await ann.move('/a', '/b')
  await ann.ask('POST', '/api/logout')
  await until(() => written(app).length === 3, 'three lines are written')
  const told = written(app).map(({ who, what, path, to, from, way, result }) => [who, what, path, to, from, way, result])
  assert.deepEqual(told, [
    ['ann', 'upload', '/a', undefined, '127.0.0.1', 'page', 'done'],
    ['ann', 'rename', '/a', '/b', '127.0.0.1', 'page', 'done'],
    ['ann', 'signOut', undefined, undefined, '127.0.0.1', 'page', 'done'],
  ])
  assert.equal(statSync(join(app.root, 'activity.log')).mode & 0o777, 0o600)
})

test('what goes into the trash, comes back and is removed from there says so, with its id', async (t) => {
  const app = await start(t)
  const by = { id: 1, name: 'ann' }
  const [path, to] = [parsePath('/a'), parsePath('/b')]
  const trash = '0'.repeat(32)
  for (const act of [
    { kind: 'delete', path, trash },
    { kind: 'restore', path, to: path, trash },
    { kind: 'restore', path, to, trash },
    { kind: 'purge', path, trash },
    { kind: 'delete', path, trash: undefined },
  ] as const)
    await app.parts.events.around({ ...act, isDir: false, by, address: '', way: 'job' }, async () => {})
  await until(() => written(app).length === 5, 'five lines are written')
  assert.deepEqual(
    written(app).map(({ what, path, to, trash }) => [what, path, to, trash]),
    [
      ['delete', '/a', undefined, trash],
      ['restore', '/a', undefined, trash],
      ['restore', '/a', '/b', trash],
      ['purge', '/a', undefined, trash],
      ['delete', '/a', undefined, undefined],
    ],
  )
  assert.match(csvLine(written(app)[3] as ActivityEntry), new RegExp(`,purge,/a,.*,${trash},\r\n$`))
})

test('an act of administration says whom it changed', async (t) => {
  const users = { root: { perm: allPermissions }, ben: {} }
  const app = await startApp(t, { users, options: ({ root }) => ({ auditLog: join(root, 'activity.log') }) })
  const root = await app.as('root')
  const id = userIn(app.parts.state, 'ben')?.id
  const body = JSON.stringify({ what: 'user', which: ['lockPassword'], data: { id, lockPassword: true } })
  assert.equal((await root.ask('PUT', `/api/users/${id}`, { body })).status, 200)
  assert.equal((await root.ask('DELETE', `/api/users/${id}`)).status, 200)
  assert.equal((await root.ask('PUT', '/api/settings', { body: '{"signup":true}' })).status, 200)
  await until(() => written(app).length === 3, 'three lines are written')
  assert.deepEqual(
    written(app).map(({ who, what, act, user, fields }) => [who, what, act, user, fields]),
    [
      ['root', 'user', 'change', 'ben', ['lockPassword']],
      ['root', 'user', 'delete', 'ben', undefined],
      ['root', 'serverSettings', undefined, undefined, ['signup']],
    ],
  )
})

test('an act names only the fields whose values differ, also when a form sends all of its fields', async (t) => {
  const users = { root: { perm: allPermissions }, ben: {} }
  const app = await startApp(t, { users, options: ({ root }) => ({ auditLog: join(root, 'activity.log') }) })
  const root = await app.as('root')
  const settings = (await (await root.ask('GET', '/api/settings')).json()) as Settings
  const { signup, rules, defaults } = settings
  const branding = { ...settings.branding, name: 'Mill House' }
  const put = (change: object) => root.ask('PUT', '/api/settings', { body: JSON.stringify(change) })
  assert.equal((await put({ signup, rules, defaults, branding })).status, 200)
  const id = userIn(app.parts.state, 'ben')?.id ?? 0
  const { scope, locale, perm } = userIn(app.parts.state, id) ?? {}
  const data = { id, scope, locale, perm: { ...perm, share: !perm?.share }, commands: [], rules: [], password: '' }
  const body = JSON.stringify({ what: 'user', which: ['scope', 'locale', 'perm', 'commands', 'rules', 'password'], data })
  assert.equal((await root.ask('PUT', `/api/users/${id}`, { body })).status, 200)
  await until(() => written(app).length === 2, 'two lines are written')
  assert.deepEqual(
    written(app).map(({ what, fields }) => [what, fields]),
    [
      ['serverSettings', ['branding']],
      ['user', ['perm']],
    ],
  )
})

test('failed sign-ins are joined for a minute, and unknown names are not written', async (t) => {
  const app = await start(t)
  const fail = (username: string) =>
    app.principal().ask('POST', '/api/login', { body: JSON.stringify({ username, password: `not ${password}` }) })
  for (const name of ['ann', 'ann', 'my secret password', 'another']) assert.equal((await fail(name)).status, 403)
  assert.deepEqual(written(app), [])
  app.clock.advance({ minutes: 1 })
  await until(() => written(app).length === 2, 'two lines are written')
  const told = written(app).map(({ who, what, result, count }) => [who, what, result, count])
  assert.deepEqual(told, [
    ['ann', 'signIn', 'failed', 2],
    ['', 'signIn', 'failed', 2],
  ])
  assert.ok(!readFileSync(join(app.root, 'activity.log'), 'utf8').includes('secret'))
})

test('nobody sees or changes the log through the server, nor the files that were turned over', async (t) => {
  const app = await start(t, { 'activity.log.1': 'old' })
  const ann = await app.as('ann')
  await until(() => existsSync(join(app.root, 'activity.log')), 'the log is there')
  assert.deepEqual(await ann.list('/'), [])
  for (const name of ['/activity.log', '/activity.log.1', '/activity.log.9']) {
    assert.equal((await ann.raw(name)).ok, false, name)
    assert.equal((await ann.upload(name, 'x', 'override=true')).ok, false, name)
    assert.equal((await ann.remove(name)).ok, false, name)
  }
})

test('a log that cannot be written stops nothing, is said once, and goes on afterwards', async (t) => {
  const folder = folderOf(t)
  const file = join(folder, 'log')
  mkdirSync(file)
  const said: string[] = []
  const log = new ActivityLog({ file, report: (sentence) => said.push(sentence) })
  for (let i = 0; i < 3; i++) {
    log.add(entry)
    await log.flush()
  }
  assert.deepEqual(said, ['the activity log cannot be written: lines are lost'])
  rmSync(file, { recursive: true })
  log.add(entry)
  await log.close()
  assert.deepEqual(said.slice(1), ['the activity log is written again; 3 lines are missing'])
  assert.deepEqual(linesIn(file), [entry])
})

test('a full disk stops no request', async (t) => {
  const app = await startApp(t, { options: { auditLog: '/dev/full' } })
  assert.equal((await (await app.as('ann')).upload('/a', '1')).status, 200)
})

test('it is turned over by size, and ten files are kept', async (t) => {
  const file = join(folderOf(t), 'log')
  const log = new ActivityLog({ file, report: assert.fail, largest: lineOf(entry).length * 2 })
  for (let i = 0; i < 25; i++) {
    log.add({ ...entry, path: `/${i % 10}` })
    await log.flush()
  }
  await log.close()
  const names = readdirSync(join(file, '..')).sort()
  assert.deepEqual(names, ['log', ...Array.from({ length: 9 }, (_, index) => `log.${index + 1}`)])
  assert.deepEqual([linesIn(file).length, linesIn(`${file}.1`).length, linesIn(`${file}.9`)[0]?.path], [1, 2, '/6'])
})

test('a line that broke off does not take the next one with it', async (t) => {
  const file = join(folderOf(t), 'log')
  writeFileSync(file, '{"time":"2026')
  chmodSync(file, 0o600)
  const log = new ActivityLog({ file, report: assert.fail })
  log.add(entry)
  await log.close()
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? ''), entry)
})

test('texts are cut at 4 KiB, and control and direction characters are escaped', () => {
  const line = lineOf({ ...entry, path: `/a\n\u001b[31m\u202e\u2028\u{e0001}`, who: 'ä'.repeat(5000) })
  assert.match(line, /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\n$/u)
  const { path, who } = JSON.parse(line) as ActivityEntry
  assert.deepEqual([path, who], ['/a\n\u001b[31m\u202e\u2028\u{e0001}', 'ä'.repeat(2048)])
})

test('administrators read it, the newest first, with filters, also as CSV without formulas', async (t) => {
  const users = { ann: {}, root: { perm: allPermissions } }
  const app = await startApp(t, { users, options: ({ folder }) => ({ auditLog: join(folder, 'activity.log') }) })
  const ann = await app.as('ann')
  for (let i = 0; i < 5; i++) await ann.upload(`/${'n'.repeat(200)}${i}`, '1')
  await ann.upload('/=1,"2', '1')
  const root = await app.as('root')
  const ask = async (query: string) => (await root.ask('GET', `/api/activity?${query}`)).text()
  await until(async () => (await ask('what=upload')).split('\n').length === 7, 'all lines are written')
  const entries = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ActivityEntry)
  const newest = entries(await ask('what=upload&limit=2')).map(({ path }) => path)
  assert.deepEqual(newest, ['/=1,"2', `/${'n'.repeat(200)}4`])
  assert.equal(entries(await ask('path=nnn&who=ann&result=done')).length, 5)
  for (const none of ['who=bob', 'what=upload&result=failed', 'since=9999', 'until=2000']) assert.equal(await ask(none), '')
  assert.match(
    await ask('format=csv&path=1,'),
    /^time,who,.*\r\n[^\r]*,ann,upload,"\/=1,""2",,,127\.0\.0\.1,page,done,,,,,,,\r\n$/,
  )
})

test('no cell of the table begins as a formula does', () => {
  for (const text of ['=1', '+1', '-1', '@a', '\t=1'])
    assert.match(csvLine({ ...entry, who: text }), new RegExp(`^[^,]*,"'\\${text[0]}`), text)
})

test('long logs are read whole, in pieces', async (t) => {
  const file = join(folderOf(t), 'log')
  const many = Array.from({ length: 700 }, (_, index) => ({ ...entry, path: `/${'é'.repeat(index)}${index}` }))
  writeFileSync(file, many.slice(400).map(lineOf).join(''))
  writeFileSync(`${file}.1`, many.slice(0, 400).map(lineOf).join(''))
  const read: ActivityEntry[] = []
  for await (const some of readActivity(file, { signal: new AbortController().signal }))
    read.push(...some.map((one) => one.entry))
  assert.deepEqual(read, many.toReversed())
})

test('long lines that are no entries take little memory and lose nothing', async (t) => {
  const file = join(folderOf(t), 'log')
  writeFileSync(file, `${lineOf(entry)}${'x'.repeat(3 * 2 ** 20)}\n${lineOf({ ...entry, path: '/b' })}`)
  const read: ActivityEntry[] = []
  for await (const some of readActivity(file, { signal: new AbortController().signal }))
    read.push(...some.map((one) => one.entry))
  assert.deepEqual(read, [{ ...entry, path: '/b' }, entry])
})

test('without --audit-log there is none to read', async (t) => {
  const app = await startApp(t, { users: { root: { perm: allPermissions } } })
  assert.equal((await (await app.as('root')).ask('GET', '/api/activity')).status, 404)
})
