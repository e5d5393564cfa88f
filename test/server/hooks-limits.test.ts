// Commands of events are limited in time and number, and no process of theirs stays.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { HookQueue, type HookReport, Hooks } from '../../src-server/shell/hooks.ts'
import { StoppedClock } from '../support/clock.ts'
import { hookFolder, startWithHooks } from '../support/hook-folder.ts'
import { isRunning } from '../support/is-running.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

/** A command that begins another in its group, and then both wait; it records the ids of both. */
function waiting(t: TestContext, end = 'sleep 1000') {
  const place = hookFolder(t)
  const line = `sh -c 'sleep 1000 & echo "$! $$" > ${place.folder}/made; mv ${place.folder}/made ${place.folder}/pids; ${end}'`
  const pids = async () => {
    await until(() => place.read('pids') !== undefined, 'the command has begun')
    return (place.read('pids') ?? '').trim().split(' ').map(Number)
  }
  return { line, pids }
}

const gone = (pids: readonly number[]) => until(() => !pids.some(isRunning), 'no process of the command is left')

test('a command that takes longer than 30 seconds refuses the change, and its whole group is killed', async (t) => {
  const { line, pids } = waiting(t)
  const app = await startWithHooks(t, () => ({ commands: { before_upload: [line] } }))
  const answer = (await app.as('ann')).upload('/a', '1')
  const both = await pids()
  app.clock.advance({ seconds: 29 })
  assert.ok(both.every(isRunning))
  app.clock.advance({ seconds: 1 })
  assert.equal(await (await answer).text(), '403 Forbidden (a command of the server took too long)\n')
  await gone(both)
})

test('what a command leaves in its group ends with it', async (t) => {
  const { line, pids } = waiting(t, 'true')
  const app = await startWithHooks(t, () => ({ commands: { before_upload: [line] } }))
  assert.equal((await (await app.as('ann')).upload('/a', '1')).status, 200)
  await gone(await pids())
})

test('a command ends when the client has left, and the change is not made', async (t) => {
  const { line, pids } = waiting(t)
  const app = await startWithHooks(t, () => ({ commands: { before_delete: [line] } }), { files: { a: '1' } })
  const leaving = new AbortController()
  const asked = (await app.as('ann')).ask('DELETE', '/api/resources/a', { signal: leaving.signal })
  const both = await pids()
  leaving.abort()
  await assert.rejects(asked)
  await gone(both)
  await until(() => app.events.includes('failed delete /a'), 'the change is refused')
})

test('the end of the server ends commands in the background', async (t) => {
  const { line, pids } = waiting(t)
  const app = await startWithHooks(t, () => ({ commands: { after_upload: [`${line} &`] } }))
  assert.equal((await (await app.as('ann')).upload('/a', '1')).status, 200)
  const both = await pids()
  await app.close()
  await gone(both)
})

test('four run at once and 16 in the background, 100 wait, half of them of one person, and the next is refused', async () => {
  const queue = new HookQueue()
  const { signal } = new AbortController()
  const ends: (() => void)[] = []
  const begin = (userId: number, isBackground = false) =>
    queue.admit({ userId, isBackground, signal })(() => new Promise<void>((resolve) => void ends.push(resolve)))
  const all = Array.from({ length: 54 }, () => begin(1))
  assert.equal(ends.length, 4)
  assert.throws(() => begin(1), { code: 'busy', retryAfter: 5 })
  for (let i = 0; i < 50; i++) all.push(begin(2))
  assert.throws(() => begin(3), { code: 'busy' })
  for (let i = 0; i < 16; i++) all.push(begin(3, true))
  assert.equal(ends.length, 20)
  assert.throws(() => begin(3, true), { code: 'busy' })
  for (let i = 0; i < ends.length; i++) {
    ends[i]?.()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  assert.equal(ends.length, 120)
})

test('of strangers one runs at a time and 50 wait, and people do not wait for them', async () => {
  const queue = new HookQueue()
  const { signal } = new AbortController()
  const ends: (() => void)[] = []
  const begin = (isOfStranger: boolean, isBackground = false) =>
    queue.admit({ userId: isOfStranger ? undefined : 1, isOfStranger, isBackground, signal })(
      () => new Promise<void>((resolve) => void ends.push(resolve)),
    )
  const all = Array.from({ length: 51 }, () => begin(true))
  assert.equal(ends.length, 1)
  assert.throws(() => begin(true), { code: 'busy' })
  for (let i = 0; i < 3; i++) all.push(begin(false))
  assert.equal(ends.length, 4)
  for (let i = 0; i < 50; i++) all.push(begin(false))
  all.push(begin(true, true), begin(false, true))
  assert.equal(ends.length, 6)
  for (let i = 0; i < ends.length; i++) {
    ends[i]?.()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  assert.equal(ends.length, 106)
})

/** Hooks with one command after each upload, of which each run is held until `go`. */
function startHeld(t: TestContext, end = '') {
  const place = hookFolder(t)
  const clock = new StoppedClock()
  const reports: HookReport[] = []
  const line = `until test -e ${place.folder}/go; do sleep 0.01; done; test "$FILE"${end}`
  const limits = { milliseconds: 1e8, bytes: 1e5 }
  const settings = () => ({ shell: ['sh', '-c'], limits, commands: { after_upload: [line], before_upload: ['true'] } })
  const hooks = new Hooks({ settings, clock, report: (report) => reports.push(report) })
  t.after(() => hooks.close())
  const variables = { FILE: '/f', SCOPE: '/', TRIGGER: 'after_upload', USERNAME: 'ann', DESTINATION: '/' }
  const send = (index: number) =>
    hooks.run({ variables: { ...variables, FILE: `/${index}` }, userId: undefined, isOfStranger: true })
  return { hooks, clock, reports, variables, line, send, go: () => place.write('go', '') }
}

for (const end of ['', ' &'])
  test(`each file of a stranger meets its command after the upload, however many wait and how long: ${end}`, async (t) => {
    const { hooks, clock, reports, variables, send, go } = startHeld(t, end)
    await Promise.all(Array.from({ length: 60 }, (_, index) => send(index)))
    // Those before an upload do not wait for them.
    await hooks.run({ variables: { ...variables, TRIGGER: 'before_upload' }, userId: undefined, isOfStranger: true })
    await hooks.run({ variables: { ...variables, TRIGGER: 'before_upload' }, userId: 1 })
    assert.deepEqual(
      reports.splice(0).map(({ code }) => code),
      [0, 0],
    )
    clock.advance({ hours: 1 })
    go()
    await until(() => reports.length === 60, 'all have run')
    assert.ok(reports.every(({ code }) => code === 0))
    assert.equal(new Set(reports.map(({ path }) => path)).size, 60)
  })

test('commands of strangers that have not run when the server ends are in the log', async (t) => {
  const { hooks, reports, send, line } = startHeld(t)
  for (let index = 0; index < 3; index++) await send(index)
  await hooks.close()
  assert.deepEqual(
    reports.map(({ path, outcome, line }) => [path, outcome, line]).sort(),
    ['/0', '/1', '/2'].map((path) => [path, 'aborted', line]),
  )
})

test('one that waits and is given up leaves its place', async () => {
  const queue = new HookQueue()
  const waiting = new AbortController()
  const never = () => new Promise<void>(() => {})
  for (let i = 0; i < 4; i++) void queue.admit({ userId: 1, isBackground: false, signal: waiting.signal })(never)
  const ofTwo = () => queue.admit({ userId: 2, isBackground: false, signal: waiting.signal })(never)
  const given = Array.from({ length: 50 }, ofTwo)
  assert.throws(ofTwo, { code: 'busy' })
  waiting.abort(new Error('left'))
  await Promise.all(given.map((one) => assert.rejects(one, /left/)))
  const { signal } = new AbortController()
  queue.admit({ userId: 2, isBackground: false, signal })(never)
})

test('the limits of the settings count from the next command on', async (t) => {
  const { line, pids } = waiting(t)
  const users = { ann: {}, root: { perm: allPermissions } }
  const app = await startApp(t, { users, options: { enableExec: true } })
  const root = await app.as('root')
  const put = async (settings: object) =>
    assert.equal((await root.ask('PUT', '/api/settings', { body: JSON.stringify(settings) })).status, 200)
  await put({ commands: { before_upload: [line] }, hookLimits: { seconds: 2 } })
  const ann = await app.as('ann')
  const answer = ann.upload('/a', '1')
  const both = await pids()
  app.clock.advance({ seconds: 1 })
  assert.ok(both.every(isRunning))
  app.clock.advance({ seconds: 1 })
  assert.equal(await (await answer).text(), '403 Forbidden (a command of the server took too long)\n')
  await gone(both)

  const write = (bytes: number) => `${process.execPath} -e "process.stdout.write('x'.repeat(${bytes}))"`
  await put({ commands: { before_upload: [write(70_000)] }, hookLimits: { kilobytes: 128, seconds: 600 } })
  assert.equal((await ann.upload('/b', '1')).status, 200)
  await put({ hookLimits: { kilobytes: 1 } })
  assert.equal(await (await ann.upload('/c', '1')).text(), '403 Forbidden (a command of the server wrote too much)\n')
  await put({ commands: { before_upload: [write(1024)] } })
  assert.equal((await ann.upload('/c', '1')).status, 200)
})

test('a command that is refused because too many wait leaves no timer', async (t) => {
  const clock = new StoppedClock()
  const settings = () => ({ shell: [], commands: { before_save: ['sleep 1000'] } })
  const hooks = new Hooks({ settings, clock, report: () => {} })
  t.after(() => hooks.close())
  const variables = { FILE: '/f', SCOPE: '/', TRIGGER: 'before_save', USERNAME: 'ann', DESTINATION: '/' }
  const run = () => hooks.run({ variables, userId: 1 })
  for (let index = 0; index < 54; index++) run().catch(() => {})
  await new Promise((resolve) => setImmediate(resolve))
  const before = clock.waiting
  await assert.rejects(run(), { code: 'busy' })
  assert.equal(clock.waiting, before)
})
