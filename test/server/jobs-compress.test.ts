// Archives that a job makes of entries, in a folder of the same person.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { readZip } from '../support/read-zip.ts'
import { restartApp } from '../support/restart-app.ts'
import { startActs } from '../support/start-acts.ts'
import { type AppSetup, deny, only, startApp } from '../support/start-app.ts'
import { Gate, killed } from '../support/start-jobs.ts'
import { harvest } from '../support/tree.ts'

const files = { 'd/1': 'one', 'd/e/2': 'two', 'a.txt': 'A', 't/x': 'X' }
const key = 'an-archive-made'

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, { files, ...setup })
  const ann = await app.as('ann')
  const history = historyCalls(app.url, ann)
  const jobs = jobCalls(history.act(key))
  const compress = (asked: object = {}) =>
    jobs.start({ id: key, kind: 'compress', entries: ['/d', '/a.txt'], to: '/t', name: 'all.zip', ...asked })
  const below = (path: string) => readdirSync(join(app.root, path)).sort()
  const packed = (path: string) =>
    readZip([readFileSync(join(app.root, path))]).entries.map(({ name, content }) => [name, String(content())])
  return { app, ann, history, jobs, compress, below, packed }
}

test('a job makes an archive of entries beside them, which is undone as one change', async (t) => {
  const { app, compress, history, packed, below } = await start(t)
  const { status, job } = await compress()
  assert.deepEqual([status, job.state, job.done, job.first, job.to, job.renamed], [200, 'ended', 1, '/t/all.zip', '/t', []])
  assert.deepEqual(packed('t/all.zip'), [
    ['a.txt', 'A'],
    ['d/', ''],
    ['d/1', 'one'],
    ['d/e/', ''],
    ['d/e/2', 'two'],
  ])
  assert.deepEqual(app.events, ['compress /d /t/all.zip'])
  const [act] = await history.list()
  assert.deepEqual([act?.kind, act?.names, act?.count], ['upload', ['all.zip'], 1])
  await history.undo(act?.id ?? '')
  assert.deepEqual(below('t'), ['x'])
  await history.redo(act?.id ?? '')
  assert.deepEqual(below('t'), ['all.zip', 'x'])
})

test('a taken name gets a number, also when the archive is one of the entries', async (t) => {
  const { compress, below, packed } = await start(t, { files: { ...files, 't/all.zip': 'old' } })
  const { job } = await compress({ entries: ['/t'] })
  assert.deepEqual(job.renamed, [{ path: '/t/all.zip', to: '/t/all(1).zip' }])
  assert.deepEqual(
    [below('t'), packed('t/all(1).zip')],
    [
      ['all(1).zip', 'all.zip', 'x'],
      [
        ['all.zip', 'old'],
        ['x', 'X'],
      ],
    ],
  )
})

for (const [format, ending] of [
  ['tar', '.tar'],
  ['targz', '.tar.gz'],
  ['tarxz', '.tar.xz'],
  ['tarsz', '.tar.sz'],
] as const) {
  test(`an archive of the format ${format} is made under its ending`, async (t) => {
    const { compress, below } = await start(t)
    const { job } = await compress({ format, name: `all${ending}` })
    assert.deepEqual([job.done, below('t')], [1, [`all${ending}`, 'x']])
  })
}

test('what cannot be asked for is refused by its field, and makes nothing', async (t) => {
  const { compress, below } = await start(t)
  const wrong: readonly (readonly [string, object])[] = [
    ['to', { to: undefined }],
    ['name', { name: 'all.tar' }],
    ['name', { name: undefined }],
    ['name', { name: 'x/all.zip' }],
    ['name', { name: '../all.zip' }],
    ['NUL', { name: 'a\0.zip' }],
    ['format', { format: 'rar' }],
    ['taken', { taken: 'replace' }],
    ['taken', { choices: { '/d': 'skip' } }],
    ['entries', { entries: [] }],
  ]
  for (const [field, asked] of wrong) {
    const { status, text } = await compress(asked)
    assert.deepEqual([status, text.includes(field)], [400, true], `${JSON.stringify(asked)} ${text}`)
  }
  assert.deepEqual(below('t'), ['x'])
})

test('what the rules hide is not in the archive, and what the person may not do is refused', async (t) => {
  const { compress, packed } = await start(t, { rules: [deny('/d/e'), deny('/t/hidden.zip')] })
  const { job } = await compress()
  assert.deepEqual([job.done, packed('t/all.zip').map(([name]) => name)], [1, ['a.txt', 'd/', 'd/1']])
  const hidden = await compress({ id: 'a-hidden-name', name: 'hidden.zip' })
  assert.deepEqual(
    hidden.job.failures.map(({ code }) => code),
    ['forbidden'],
  )
})

for (const lacking of ['download', 'create'] as const) {
  test(`without the permission ${lacking} no archive is made`, async (t) => {
    const names = (['download', 'create', 'modify'] as const).filter((name) => name !== lacking)
    const { compress, below } = await start(t, { users: { ann: { perm: only(...names) } } })
    const { job } = await compress()
    assert.deepEqual([job.failures.map(({ code }) => code), below('t')], [['forbidden'], ['x']])
  })
}

test('an entry that is gone fails the job, and nothing is made', async (t) => {
  const { compress, below, app } = await start(t)
  const { job } = await compress({ entries: ['/a.txt', '/gone'] })
  assert.deepEqual([job.failures.map(({ path, code }) => [path, code]), below('t')], [[['/t/all.zip', 'notFound']], ['x']])
  assert.deepEqual(app.events, [])
})

/** Holds the reading of files until it is told. */
function holdReading(t: TestContext) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { readWhole } = Disk.prototype
  t.mock.method(Disk.prototype, 'readWhole', async function (this: Disk, ...asked: Parameters<Disk['readWhole']>) {
    reached.resolve()
    await released.promise
    return readWhole.apply(this, asked)
  })
  t.after(() => released.resolve())
  return { reached: reached.promise, release: () => released.resolve() }
}

test('a pause drops what was written, and to resume makes the archive whole', async (t) => {
  const { compress, jobs, below, packed, app } = await start(t)
  const held = holdReading(t)
  const begun = compress()
  await held.reached
  app.clock.advance({ seconds: 1 })
  await begun
  await jobs.change(key, { action: 'pause' })
  held.release()
  await jobs.reaches(key, 'paused')
  assert.deepEqual(below('t'), ['x'])
  await jobs.change(key, { action: 'resume' })
  const job = await jobs.reaches(key, 'ended')
  assert.deepEqual([job.done, below('t'), packed('t/all.zip').length], [1, ['all.zip', 'x'], 5])
})

test('a job that is cancelled leaves nothing', async (t) => {
  const { compress, jobs, below, app } = await start(t)
  const held = holdReading(t)
  const begun = compress()
  await held.reached
  app.clock.advance({ seconds: 1 })
  await begun
  await jobs.change(key, { action: 'cancel' })
  held.release()
  await jobs.reaches(key, 'cancelled')
  assert.deepEqual(below('t'), ['x'])
})

test('what a kill has left of an archive goes at the next start', async (t) => {
  const made = new Set<string>()
  const system: DiskSystem = {
    ...diskSystem,
    open(path, ...how) {
      const [name] = /\.holdall-[^/]*$/.exec(String(path)) ?? []
      if (name) made.add(name)
      return diskSystem.open(path, ...how)
    },
  }
  const { app, compress, below } = await start(t, { services: { system } })
  await compress()
  await compress({ id: 'another-archive', to: '/new' })
  assert.deepEqual([below('t'), below('new')], [['all.zip', 'x'], ['all.zip']])
  const names = [...made]
  assert.equal(names.length, 2)
  const left = () => [...below('t'), ...below('new')].filter((name) => name.startsWith('.'))
  const plant = () => names.forEach((name, index) => void writeFileSync(join(app.root, index === 0 ? 't' : 'new', name), 'half'))
  const again = await restartApp(app, { between: plant })
  assert.equal(left().length, 2)
  assert.deepEqual(await (await again.as('ann')).list('/t'), ['all.zip', 'x'])
  const { signal } = new AbortController()
  assert.equal(await again.parts.removeStaleTemporaries(signal), 2)
  assert.deepEqual(left(), [])
})

test('how far an archive is, is told by the bytes of what goes into it', async (t) => {
  const { compress, jobs, app } = await start(t)
  const held = holdReading(t)
  const begun = compress()
  await held.reached
  app.clock.advance({ seconds: 1 })
  await begun
  let job = await jobs.details(key)
  while (job.progress?.ofBytes === undefined) job = await jobs.details(key)
  assert.deepEqual([job.progress.ofBytes, job.progress.ofFiles], [7, 5])
  held.release()
  await jobs.reaches(key, 'ended')
})

test('a kill at any step of the job leaves the archive once, or nothing until it goes on', async (t) => {
  for (const when of ['before', 'after'] as const) {
    for (let step = 0; ; step++) {
      const app = await startActs(t, { files })
      const sources = ['/d/1', '/a.txt'].map(parsePath)
      const asked = { to: parsePath('/t'), taken: 'number', sources, format: 'zip' } as const
      const request = app.request('compress', ['/t/all.zip'], asked)
      const gate = new Gate()
      const held = gate.holdAt(step, when)
      const jobs = await app.open(gate)
      const begun = app.begin(jobs, request)
      const reached = await Promise.race([held.then(() => 'held'), begun.then((job) => job.rested).then(() => 'ended')])
      if (reached === 'ended') {
        assert.ok(step > 3, `${step} steps`)
        break
      }
      gate.kill()
      await gate.still()
      const job = await app.goOn(request)
      assert.deepEqual([job.head.failed, app.reports.filter((error) => error !== killed)], [0, []], `${when} step ${step}`)
      const left = Object.keys(await harvest(app.root))
      assert.deepEqual(left, ['a.txt', 'd/1', 'd/e/2', 't/all.zip', 't/x'], `${when} step ${step}`)
      const { isChanged } = await app.turn('undo')
      assert.deepEqual([isChanged, await harvest(app.root)], [true, files], `${when} step ${step}`)
    }
  }
})
