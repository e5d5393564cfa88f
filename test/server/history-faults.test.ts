// Undo where the state's disk is in trouble, and where people leave amid it.
import assert from 'node:assert/strict'
import { globSync, statSync, truncateSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import { Keeping } from '../../src-server/trash/keeping.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { fullSystem } from '../support/full-system.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { startApp } from '../support/start-app.ts'
import { deleted, restore } from '../support/trash-calls.ts'
import { harvest, temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

/** A server whose history is on a disk that can get full, and hang. */
async function start(t: TestContext) {
  const trouble = { is: undefined as 'full' | 'hanging' | undefined }
  const { promise: better, resolve: end } = Promise.withResolvers<void>()
  t.after(() => end())
  const system: DiskSystem = {
    ...diskSystem,
    open: async (...asked) => {
      if (trouble.is === 'hanging') await better
      if (trouble.is === 'full') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'open' })
      return diskSystem.open(...asked)
    },
    write: async (...asked) => {
      if (trouble.is === 'hanging') await better
      if (trouble.is === 'full') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
      return diskSystem.write(...asked)
    },
  }
  const store = new HistoryFiles({ stateFile: join(await temporaryFolder(t), 'state.json'), system })
  const files = { 'a.txt': 'old' }
  const app = await startApp(t, { files, users: { ann: {}, bob: {} }, services: { history: { store } } })
  return { app, trouble, bob: await app.as('bob'), ...historyCalls(app.url, await app.as('ann')) }
}

test('a change that could not be kept stands, and its act cannot be undone in part', async (t) => {
  const { app, trouble, act, list, undo } = await start(t)
  const all = act()
  await all.upload('/n1', 'x')
  trouble.is = 'full'
  assert.equal((await all.upload('/a.txt', 'new', 'override=true')).status, 200)
  trouble.is = undefined
  for (const name of ['/n3', '/n4']) {
    const [shown] = await list()
    assert.deepEqual([shown?.mayUndo, shown?.why], [false, 'lost'])
    assert.equal((await undo()).status, 409)
    assert.equal((await all.upload(name, 'x')).status, 200)
  }
  assert.deepEqual(await harvest(app.root), { 'a.txt': 'new', n1: 'x', n3: 'x', n4: 'x' })
})

test('an act of which the first change could not be kept cannot be undone in part', async (t) => {
  const { app, trouble, act, list, undo } = await start(t)
  const all = act()
  trouble.is = 'full'
  await all.upload('/n1', 'x')
  trouble.is = undefined
  await all.upload('/n2', 'x')
  assert.deepEqual([(await list()).map(({ mayUndo }) => mayUndo), (await undo()).status], [[false], 409])
  assert.deepEqual(await harvest(app.root), { 'a.txt': 'old', n1: 'x', n2: 'x' })
  // Another act is not concerned.
  await act().upload('/n3', 'x')
  assert.equal((await undo()).status, 200)
})

test('an undo on a full disk says so and has not begun: the next one compares', async (t) => {
  const { app, trouble, act, bob, list, undo } = await start(t)
  const all = act()
  for (const name of ['1', '2']) await all.upload(`/${name}`, name)
  trouble.is = 'full'
  assert.equal((await undo()).status, 507)
  trouble.is = undefined
  assert.equal((await list())[0]?.begun, undefined)
  await bob.upload('/1', 'of bob', 'override=true')
  assert.equal((await undo()).status, 409)
  assert.deepEqual(await harvest(app.root), { 1: 'of bob', 2: '2', 'a.txt': 'old' })
})

test('an undo on a full disk frees nothing of the trash, which it may need itself', async (t) => {
  const { app, act, undo } = await start(t)
  await act().upload('/a.txt', 'new', 'override=true')
  await act().upload('/1', '1')
  const freed: string[] = []
  t.mock.method(Keeping.prototype, 'makeRoom', async (path: string) => {
    freed.push(path)
    return 'none' as const
  })
  const cause = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'open' })
  const full = t.mock.method(Disk.prototype, 'toTrash', async () => {
    throw new Failure('full', 'the disk is full', { cause })
  })
  assert.equal((await undo()).status, 507)
  assert.deepEqual(freed, [])
  assert.equal((await (await app.as('ann')).remove('/1')).status, 507)
  assert.deepEqual(freed, ['/1'])
  full.mock.restore()
  assert.equal((await undo()).status, 200)
})

for (const [what, damage] of [
  ['missing', unlinkSync],
  ['cut', (log: string) => truncateSync(log, statSync(log).size >> 1)],
] as const) {
  test(`an act of whose later changes the log is ${what} is not undone in part`, async (t) => {
    const folder = await temporaryFolder(t)
    const store = new HistoryFiles({ stateFile: join(folder, 'state.json') })
    const files = Object.fromEntries(Array.from({ length: 24 }, (_, number) => [`d/${number}/`, '']))
    const app = await startApp(t, { files, services: { history: { store } } })
    const { act, list, undo } = historyCalls(app.url, await app.as('ann'))
    const all = act()
    await all.copy('/d', '/n')
    const [log = ''] = globSync('state.json.history/*-*.log', { cwd: folder })
    damage(join(folder, log))
    const before = await harvest(app.root)
    for (const rest of [false, true]) {
      assert.equal((await undo(undefined, { rest })).status, 409)
      assert.deepEqual(
        (await list()).map(({ state, mayUndo, why }) => [state, mayUndo, why]),
        [['done', false, 'lost']],
      )
    }
    assert.deepEqual(await harvest(app.root), before)
    // Other acts are not concerned, nor is what follows in the same one: it is another act from then on.
    for (const another of [act(), all]) {
      await another.makeFolder('/m')
      assert.equal((await undo()).status, 200)
    }
  })
}

async function startOnFullDisk(t: TestContext) {
  const { system, space } = fullSystem()
  const app = await startApp(t, { files: { a: 'a', b: 'b', 'd/c': 'c' }, services: { system } })
  return { app, space, ann: await app.as('ann'), ...historyCalls(app.url, await app.as('ann')) }
}

for (const [what, change] of Object.entries({
  upload: (ann: PrincipalCalls) => ann.upload('/n', 'n'),
  replace: (ann: PrincipalCalls) => ann.upload('/a', 'new', 'override=true'),
  delete: (ann: PrincipalCalls) => ann.remove('/d'),
  move: (ann: PrincipalCalls) => ann.move('/a', '/d/a'),
})) {
  test(`the undo of a ${what} on a full disk is refused, loses nothing, and is possible once there is space`, async (t) => {
    const { app, space, act, list, undo, redo } = await startOnFullDisk(t)
    const before = await harvest(app.root)
    await change(act())
    const after = await harvest(app.root)
    space.isFull = true
    for (const how of [{}, { rest: true }]) assert.equal((await undo(undefined, how)).status, 507)
    assert.deepEqual(await harvest(app.root), after)
    const [shown] = await list()
    assert.deepEqual([shown?.state, shown?.mayUndo, shown?.begun], ['done', true, undefined])
    space.isFull = false
    const { status, undone } = await undo()
    assert.deepEqual([status, undone.done, undone.left], [200, 1, []])
    assert.deepEqual(await harvest(app.root), before)
    space.isFull = true
    assert.equal((await redo()).status, 507)
    space.isFull = false
    assert.equal((await redo()).status, 200)
    assert.deepEqual(await harvest(app.root), after)
  })
}

test('an undo for which the space ends says what was left for that reason, and goes on with it later', async (t) => {
  const { app, space, act, list, undo } = await startOnFullDisk(t)
  const all = act()
  for (const name of ['a', 'b']) await all.move(`/${name}`, `/d/${name}`)
  Object.assign(space, { isFull: true, left: 1 })
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.done, undone.left], [200, 1, [{ path: '/d/a', how: 'full' }]])
  assert.deepEqual(await harvest(app.root), { b: 'b', 'd/a': 'a', 'd/c': 'c' })
  assert.deepEqual([(await list())[0]?.state, (await list())[0]?.mayUndo], ['partly', true])
  space.isFull = false
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await harvest(app.root), { a: 'a', b: 'b', 'd/c': 'c' })
})

test('an undo by a job on a full disk fails with that reason, and is done when it is tried again', async (t) => {
  const { app, space, act, list, ann } = await startOnFullDisk(t)
  await act().remove('/d')
  space.isFull = true
  const jobs = jobCalls(ann)
  const { job } = await jobs.start({ kind: 'undo', act: (await list())[0]?.id })
  const { failures } = await jobs.reaches(job.id, 'ended')
  assert.deepEqual(
    failures.map(({ code, message }) => [code, message]),
    [['full', 'no space is left']],
  )
  space.isFull = false
  await jobs.change(job.id, { action: 'retry' })
  assert.equal((await jobs.reaches(job.id, 'ended')).done, 1)
  assert.deepEqual(await harvest(app.root), { a: 'a', b: 'b', 'd/c': 'c' })
})

test('a disk that hangs keeps no change from its answer', async (t) => {
  const { app, trouble, act } = await start(t)
  const all = act()
  await all.upload('/1', 'x')
  trouble.is = 'hanging'
  assert.equal((await all.upload('/2', 'x')).status, 200)
  assert.deepEqual(await harvest(app.root), { 1: 'x', 2: 'x', 'a.txt': 'old' })
})

test('a restore over a folder that fails is no act, as the folder has its place again', async (t) => {
  const { app, act, list } = await start(t)
  const id = await deleted(await app.as('ann'), '/a.txt')
  await act().makeFolder('/a.txt')
  const before = (await list()).length
  const { fromTrash } = Disk.prototype
  let calls = 0
  t.mock.method(Disk.prototype, 'fromTrash', async function (this: Disk, ...asked: Parameters<Disk['fromTrash']>) {
    if (++calls === 1) throw new Failure('full')
    return fromTrash.apply(this, asked)
  })
  await restore(act(), [id], 'replace')
  assert.deepEqual([calls, await harvest(app.root), (await list()).length], [2, { 'a.txt/': '' }, before])
})

test('who leaves amid the undo of a replaced file leaves one content in its place', async (t) => {
  const { app, act, list } = await start(t)
  const ann = await app.as('ann')
  await act().upload('/a.txt', 'new', 'override=true')
  const leaving = new AbortController()
  let request: AbortSignal | undefined
  app.parts.events.before(({ kind }, signal) => {
    if (kind === 'restore') request = signal
  })
  const { fromTrash } = Disk.prototype
  let isBack = false
  t.mock.method(Disk.prototype, 'fromTrash', async function (this: Disk, ...asked: Parameters<Disk['fromTrash']>) {
    leaving.abort()
    await until(() => request?.aborted === true, 'the server knows that nobody waits')
    await fromTrash.apply(this, asked)
    isBack = true
  })
  const [shown] = await list()
  const asking = ann.ask('POST', `/api/history/${shown?.id}/undo`, { body: '{}', signal: leaving.signal })
  await assert.rejects(asking, { name: 'AbortError' })
  await until(() => isBack, 'it ends')
  assert.deepEqual(await harvest(app.root), { 'a.txt': 'old' })
})

test('the undo of a replaced file that fails leaves the present content in its place, and so it does while it goes on', async (t) => {
  const { app, act, undo, list } = await start(t)
  await act().upload('/a.txt', 'new', 'override=true')
  const { fromTrash } = Disk.prototype
  const seen: unknown[] = []
  const broken = t.mock.method(Disk.prototype, 'fromTrash', async () => {
    seen.push(await harvest(app.root))
    throw new Failure('full')
  })
  assert.equal((await undo()).status, 507)
  assert.deepEqual([seen[0], await harvest(app.root)], [{ 'a.txt': 'new' }, { 'a.txt': 'new' }])
  broken.mock.restore()
  t.mock.method(Disk.prototype, 'fromTrash', async function (this: Disk, ...asked: Parameters<Disk['fromTrash']>) {
    seen.push(await harvest(app.root))
    return fromTrash.apply(this, asked)
  })
  assert.equal((await undo()).status, 200)
  assert.deepEqual([seen.at(-1), await harvest(app.root)], [{ 'a.txt': 'new' }, { 'a.txt': 'old' }])
  assert.equal((await list())[0]?.mayRedo, true)
})

test('an undo that has made a folder again, and then comes to something that cannot be undone, does not say that nothing was changed', async (t) => {
  const app = await startApp(t, { files: { 'd/a': 'A', 'd/b': 'B', 'e/c': 'C' }, users: { ann: {} } })
  const { act, undo } = historyCalls(app.url, await app.as('ann'))
  const before = await harvest(app.root)
  await act().move('/d', '/e', 'override=true')
  const refused = t.mock.method(Disk.prototype, 'move', async () => {
    throw new Failure('forbidden')
  })
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.done, undone.left.map(({ how }) => how)], [200, 0, ['forbidden', 'failed']])
  assert.deepEqual(await harvest(app.root), { 'd/': '', 'e/a': 'A', 'e/b': 'B', 'e/c': 'C' })
  refused.mock.restore()
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await harvest(app.root), before)
})
