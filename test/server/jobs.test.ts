// Work that goes on without the page that has begun it: the calls, and what they do.
import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import type { Event } from '../../src-server/events/events.ts'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import { JobFiles } from '../../src-server/state/job-files.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { openLive } from '../support/live-client.ts'
import { restartApp } from '../support/restart-app.ts'
import { type AppSetup, deny, only, startApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = { 'a.txt': 'A', 'b.txt': 'B', 'd/c.txt': 'C', 't/x': 'X' }

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, { files, ...setup })
  const ann = await app.as('ann')
  return { app, ann, ...jobCalls(ann), below: (path: string) => readdirSync(join(app.root, path)).sort() }
}

test('a short job is answered with its result, and is in no list', async (t) => {
  const { app, list, below, start: begin } = await start(t)
  const { status, job } = await begin({ kind: 'copy', entries: ['/a.txt', '/d'], to: '/t' })
  assert.deepEqual([status, job.state, job.done, job.failed], [200, 'ended', 2, 0])
  assert.deepEqual([below('t'), below('t/d'), await list()], [['a.txt', 'd', 'x'], ['c.txt'], []])
  assert.deepEqual(app.events.toSorted(), ['copy /a.txt /t/a.txt', 'copy /d /t/d'])
})

test('moves and removals are jobs too, and a failed entry does not end them', async (t) => {
  const { below, start: begin } = await start(t)
  const moved = await begin({ kind: 'move', entries: ['/a.txt', '/none', '/d'], to: '/t' })
  assert.deepEqual([moved.job.done, moved.job.failed], [2, 1])
  assert.deepEqual(
    moved.job.failures.map(({ path, code }) => [path, code]),
    [['/none', 'notFound']],
  )
  const removed = await begin({ kind: 'delete', entries: ['/t/d', '/b.txt', '/'] })
  assert.deepEqual([removed.job.done, removed.job.failures.map(({ code }) => code)], [2, ['forbidden']])
  assert.deepEqual(
    [below('.'), below('t')],
    [
      ['.holdall-trash', 't'],
      ['a.txt', 'x'],
    ],
  )
})

test('checksums and sizes are what the calls for one entry say', async (t) => {
  const { start: begin } = await start(t)
  const sums = await begin({ kind: 'checksum', entries: ['/a.txt', '/d'], algorithm: 'md5' })
  assert.deepEqual(sums.job.values, [{ path: '/a.txt', value: '7fc56270e7a70fa81a5935b72eacbe29' }])
  assert.deepEqual(
    sums.job.failures.map(({ path }) => path),
    ['/d'],
  )
  const { job } = await begin({ kind: 'size', entries: ['/d'] })
  assert.deepEqual(job.values, [{ path: '/d', value: { bytes: 1, files: 1, folders: 0, unlisted: 0 } }])
})

test('what a short job has begun is not done again after a restart, also where its answer was lost', async (t) => {
  const { app, ann } = await start(t)
  const asked = { id: 'answer-lost', kind: 'copy', entries: ['/a.txt', '/b.txt'], to: '/t', taken: 'number' }
  const copying = (calls: typeof ann, url: string) => jobCalls(historyCalls(url, calls).act(asked.id)).start(asked)
  assert.equal((await copying(ann, app.url)).status, 200)
  app.clock.advance({ seconds: 1 })
  const next = await restartApp(app)
  const again = await copying(await next.as('ann'), next.url)
  assert.deepEqual([again.status, again.text], [409, '409 Conflict (this was begun before the server was started again)\n'])
  assert.deepEqual(readdirSync(join(app.root, 't')).sort(), ['a.txt', 'b.txt', 'x'])
})

test('a job begins also where the history cannot be read', async (t) => {
  const { ann, app, below } = await start(t)
  t.mock.method(HistoryFiles.prototype, 'heads', () => Promise.reject(new Error('EIO')))
  const asked = { id: 'no-history', kind: 'copy', entries: ['/a.txt'], to: '/t' }
  assert.equal((await jobCalls(historyCalls(app.url, ann).act(asked.id)).start(asked)).status, 200)
  assert.deepEqual(below('t'), ['a.txt', 'x'])
})

test('the same request twice is one job, also at the same time and after its end', async (t) => {
  const { app, below, start: begin } = await start(t)
  const asked = { id: 'paste-0001', kind: 'copy', entries: ['/a.txt'], to: '/', taken: 'number' }
  const answers = await Promise.all([begin(asked), begin(asked)])
  assert.deepEqual((await begin(asked)).job, answers[0]?.job)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(below('.'), ['a(1).txt', 'a.txt', 'b.txt', 'd', 't'])
  assert.equal((await begin({ ...asked, entries: ['/b.txt'] })).status, 409)
  app.clock.advance({ minutes: 11 })
  assert.equal((await begin({ ...asked, entries: ['/b.txt'] })).status, 200, 'it is forgotten')
})

test('another person’s same id is another job, which nobody else sees', async (t) => {
  const { app, start: begin } = await start(t, { users: { ann: {}, bob: {} } })
  const bob = jobCalls(await app.as('bob'))
  const asked = { id: 'same-id-1', kind: 'size', entries: ['/d'] }
  await begin(asked)
  assert.equal(await bob.change('same-id-1', { action: 'cancel' }), 404)
  assert.equal((await bob.start({ ...asked, entries: ['/t'] })).status, 200)
})

test('more than fifty entries are kept before anything changes', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`many/${index}`, `${index}`]))
  const { app, below, list, reaches, start: begin } = await start(t, { files: { ...many, 't/x': '' } })
  const { status, job } = await begin({ kind: 'copy', entries: Object.keys(many).map((name) => `/${name}`), to: '/t' })
  assert.equal(status, 202)
  assert.equal((await reaches(job.id, 'ended')).done, 60)
  assert.deepEqual([below('t').length - 1, (await list()).map(({ id }) => id)], [60, [job.id]])
  assert.ok(existsSync(join(app.folder, 'state.json.jobs', `${app.parts.state.instance}-1-${job.id}.json`)))
})

test('two devices are kept before anything changes', async (t) => {
  const { reaches, start: begin } = await start(t, {
    services: { jobDevices: (paths) => [...new Set(paths.map((path) => path.split('/')[1] ?? ''))] },
  })
  const { status, job } = await begin({ kind: 'copy', entries: ['/d/c.txt'], to: '/t' })
  assert.equal(status, 202)
  assert.equal((await reaches(job.id, 'ended')).done, 1)
})

test('a taken name is asked about, while the other entries go on; the answer counts once', async (t) => {
  const { app, below, change, details, reaches, start: begin } = await start(t)
  await writeFile(join(app.root, 't/a.txt'), 'old')
  const { status, job } = await begin({ kind: 'copy', entries: ['/a.txt', '/b.txt'], to: '/t' })
  assert.deepEqual([status, job.state, job.done], [202, 'asking', 1])
  const [asked] = job.questions
  assert.deepEqual([asked?.path, asked?.to], ['/a.txt', '/t/a.txt'])
  const answer = { action: 'answer', question: asked?.question, taken: 'number' }
  assert.equal(await change(job.id, { ...answer, question: '1.5' }), 409)
  assert.equal(await change(job.id, answer), 200)
  assert.equal(await change(job.id, { ...answer, taken: 'replace' }), 409)
  const ended = await reaches(job.id, 'ended')
  assert.deepEqual([ended.done, ended.renamed], [2, [{ path: '/a.txt', to: '/t/a(1).txt' }]])
  assert.deepEqual(below('t'), ['a(1).txt', 'a.txt', 'b.txt', 'x'])
  assert.equal(readFileSync(join(app.root, 't/a.txt'), 'utf8'), 'old')
  assert.deepEqual((await details(job.id)).questions, [])
})

test('an answer for all is one for those that are still to come', async (t) => {
  const { app, change, reaches, start: begin } = await start(t)
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(app.root, 't', name), 'old')
  const { job } = await begin({ kind: 'move', entries: ['/a.txt', '/b.txt'], to: '/t' })
  const [asked] = job.questions
  assert.equal(await change(job.id, { action: 'answer', question: asked?.question, taken: 'replace', all: true }), 200)
  assert.equal((await reaches(job.id, 'ended')).done, 2)
  assert.equal(readFileSync(join(app.root, 't/b.txt'), 'utf8'), 'B')
})

test('what is done with a taken name may be said entry by entry, and what was left out is named', async (t) => {
  const { app, below, start: begin } = await start(t)
  for (const name of ['a.txt', 'b.txt', 'd']) await writeFile(join(app.root, 't', name), 'old')
  const choices = { '/a.txt': 'number', '/b.txt': 'replace' }
  const asked = { id: 'with-choices', kind: 'copy', entries: ['/a.txt', '/b.txt', '/d'], to: '/t', taken: 'skip', choices }
  const { job } = await begin(asked)
  assert.deepEqual([job.done, job.skipped, job.leftOut, job.renamed.length], [2, 1, ['/d'], 1])
  assert.deepEqual([job.first, job.to, job.asked], ['/a.txt', '/t', 0])
  assert.deepEqual(below('t'), ['a(1).txt', 'a.txt', 'b.txt', 'd', 'x'])
  assert.equal(readFileSync(join(app.root, 't/b.txt'), 'utf8'), 'B')
  assert.equal((await begin({ ...asked, choices: {} })).status, 409)
})

test('a question that nobody answers for seven days leaves the entry out', async (t) => {
  const { app, start: begin } = await start(t)
  await writeFile(join(app.root, 't/a.txt'), 'old')
  const { job } = await begin({ kind: 'copy', entries: ['/a.txt'], to: '/t' })
  app.clock.advance({ days: 6, hours: 23 })
  const ann = jobCalls(await app.as('ann'))
  assert.equal((await ann.details(job.id)).state, 'asking')
  app.clock.advance({ hours: 2 })
  assert.equal((await jobCalls(await app.as('ann')).reaches(job.id, 'ended')).skipped, 1)
})

test('what is forbidden is refused entry by entry, with the rights of the moment', async (t) => {
  const { app, reaches, change, start: begin } = await start(t)
  await writeFile(join(app.root, 't/a.txt'), 'old')
  const { job } = await begin({ kind: 'copy', entries: ['/a.txt', '/b.txt'], to: '/t' })
  assert.equal(job.state, 'asking')
  await changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
    user.rules = [deny('/a.txt')]
  })
  assert.equal(await change(job.id, { action: 'answer', question: job.questions[0]?.question, taken: 'replace' }), 200)
  const ended = await reaches(job.id, 'ended')
  assert.deepEqual([ended.done, ended.failures.map(({ code }) => code)], [1, ['forbidden']])
  // The rule is lifted, and what has failed is done again.
  await changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
    user.rules = []
  })
  assert.equal(await change(job.id, { action: 'retry' }), 200)
  assert.equal((await reaches(job.id, 'ended')).done, 2)
  assert.equal(readFileSync(join(app.root, 't/a.txt'), 'utf8'), 'A')
})

test('without the permission nothing is done and each entry says so', async (t) => {
  const { below, start: begin } = await start(t, { users: { ann: { perm: only('download') } } })
  for (const kind of ['copy', 'move', 'delete']) {
    const { status, job } = await begin({ kind, entries: ['/a.txt'], ...(kind !== 'delete' && { to: '/t' }) })
    assert.deepEqual([status, job.failures.map(({ code }) => code)], [200, ['forbidden']])
  }
  assert.deepEqual(below('.'), ['a.txt', 'b.txt', 'd', 't'])
})

test('a person with a scope names paths of their own', async (t) => {
  const { app, below, start: begin } = await start(t, { users: { ann: { scope: '/d' } }, files: { ...files, 'd/e/f': 'F' } })
  const { job } = await begin({ kind: 'copy', entries: ['/c.txt', '/none'], to: '/e' })
  assert.deepEqual([job.done, job.failures.map(({ path }) => path), below('d/e')], [1, ['/none'], ['c.txt', 'f']])
  assert.deepEqual([job.first, job.to], ['/c.txt', '/e'])
  assert.deepEqual(app.events, ['copy /d/c.txt /d/e/c.txt'])
})

test('what is no request for a job is refused with the field and what would be right', async (t) => {
  const { start: begin } = await start(t)
  const right = { kind: 'copy', entries: ['/a.txt'], to: '/t' }
  const manyChoices = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`/${index}`, 'skip']))
  const wrong: [object, RegExp][] = [
    [{ ...right, id: 'x' }, /id has 8 to 64/],
    [{ ...right, kind: 'burn' }, /kind is one of copy, move, delete, checksum, size/],
    [{ ...right, entries: [] }, /entries must not be empty/],
    [{ ...right, entries: [7] }, /entries must hold only strings/],
    [{ ...right, entries: ['/../x'] }, /400/],
    [{ ...right, entries: Array.from({ length: 10_001 }, () => '/a') }, /entries has more than 10000/],
    [{ kind: 'move', entries: ['/a.txt'] }, /to is the path of a folder/],
    [{ ...right, taken: 'perhaps' }, /taken is one of ask, number, replace, skip/],
    [{ ...right, choices: { '/a.txt': 7 } }, /taken is one of ask, number, replace, skip/],
    [{ ...right, choices: manyChoices }, /choices has more than 10000 entries/],
    [{ kind: 'checksum', entries: ['/a.txt'], algorithm: 'crc' }, /a checksum is one of/],
  ]
  for (const [asked, sentence] of wrong) {
    const { status, text } = await begin(asked as never)
    assert.equal(status, 400, text)
    assert.match(text, sentence)
  }
  assert.equal((await begin({ kind: 'copy', to: '/t', entries: [`/${'x'.repeat(5 << 20)}`] })).status, 413)
})

test('a job that is over can be forgotten, and cannot be paused', async (t) => {
  const { app, change, remove, list, start: begin } = await start(t)
  await writeFile(join(app.root, 't/a.txt'), 'old')
  const { job } = await begin({ kind: 'copy', entries: ['/a.txt'], to: '/t' })
  assert.equal(await change(job.id, { action: 'pause' }), 409)
  assert.equal(await remove(job.id), 200)
  assert.deepEqual(
    (await list()).map(({ state }) => state),
    ['cancelled'],
  )
  assert.equal(await remove(job.id), 200)
  assert.deepEqual(await list(), [])
  assert.equal(await remove(job.id), 404)
  assert.deepEqual(readdirSync(join(app.folder, 'state.json.jobs')), [])
})

test('all pages of a person are told of a job, those of others are not', async (t) => {
  const { app, ann, change, remove, start: begin } = await start(t, { users: { ann: {}, bob: {} } })
  await writeFile(join(app.root, 't/a.txt'), 'old')
  const bob = await openLive(app, (await app.as('bob')).token)
  const pages = [await openLive(app, ann.token), await openLive(app, (await app.as('ann')).token)]
  for (const page of [...pages, bob]) await page.next('hello')
  const { job } = await begin({ kind: 'copy', entries: ['/a.txt', '/b.txt'], to: '/t' })
  app.clock.advance({ milliseconds: 250 })
  for (const page of pages) {
    const { jobs } = await page.next('jobs')
    assert.deepEqual(
      jobs.map(({ id, state, done, asked }) => [id, state, done, asked]),
      [[job.id, 'asking', 1, 1]],
    )
  }
  await change(job.id, { action: 'cancel' })
  await remove(job.id)
  app.clock.advance({ milliseconds: 250 })
  for (const page of pages) assert.deepEqual((await page.next('jobs')).gone, [job.id])
  // The answer to what is asked now comes after all that was sent before.
  bob.send({ kind: 'ask' })
  await bob.next('alive')
  assert.deepEqual(
    bob.messages.map(({ kind }) => kind),
    ['hello', 'alive'],
  )
  for (const page of [...pages, bob]) page.close()
})

test('what a job does is told as done by a job, from the address that has begun it', async (t) => {
  const { app, start: begin } = await start(t)
  const told: Event[] = []
  app.parts.events.done((event) => void told.push(event))
  await begin({ kind: 'delete', entries: ['/a.txt', '/d'] })
  assert.deepEqual(
    told.map(({ kind, way, address, by }) => [kind, way, address, by.name]),
    [
      ['delete', 'job', '127.0.0.1', 'ann'],
      ['delete', 'job', '127.0.0.1', 'ann'],
    ],
  )
})

/** The files that are kept of the jobs of one person. */
const keptOf = (folder: string, userId: number) =>
  existsSync(join(folder, 'state.json.jobs'))
    ? readdirSync(join(folder, 'state.json.jobs')).filter((name) => name.split('-')[1] === String(userId))
    : []

test('nothing is kept of the jobs of a person who is deleted, once what runs has ended', async (t) => {
  const { app, ann, start: begin, reaches } = await start(t, { users: { ann: {}, bob: {} } })
  await writeFile(join(app.root, 't/a.txt'), 'old')
  const bob = jobCalls(await app.as('bob'))
  const many = Array.from({ length: 60 }, (_, index) => `/none${index}`)
  for (const calls of [{ start: begin, reaches }, bob]) {
    const { job } = await calls.start({ kind: 'delete', entries: many })
    await calls.reaches(job.id, 'ended')
  }
  const { job: asking } = await begin({ kind: 'copy', entries: ['/a.txt'], to: '/t' })
  await reaches(asking.id, 'asking')
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.after(() => held.resolve())
  const { copyFile } = Disk.prototype
  t.mock.method(Disk.prototype, 'copyFile', async function (this: Disk, ...asked: Parameters<Disk['copyFile']>) {
    reached.resolve()
    await held.promise
    return copyFile.apply(this, asked)
  })
  const running = begin({ kind: 'copy', entries: [...many, '/b.txt'], to: '/t' })
  await Promise.all([running, reached.promise])
  const [id, other] = ['ann', 'bob'].map((name) => userIn(app.parts.state, name)?.id ?? 0) as [number, number]
  const ofBob = keptOf(app.folder, other)
  assert.ok(ofBob.length > 0 && keptOf(app.folder, id).length >= 3)
  const { status } = await ann.ask('GET', '/api/jobs')
  await app.parts.accounts.remove(id)
  // What runs has a file until it has ended.
  await until(() => new Set(keptOf(app.folder, id).map((name) => name.replace(/\.\w+$/, ''))).size === 1, 'the others are gone')
  held.resolve()
  await until(() => keptOf(app.folder, id).length === 0, 'nothing is kept')
  assert.deepEqual([status, keptOf(app.folder, other)], [200, ofBob])
})

test('the jobs of a person who was deleted just before the server ended go with the next start', async (t) => {
  const { app, start: begin, reaches } = await start(t, { users: { ann: {}, bob: {} } })
  const many = Array.from({ length: 60 }, (_, index) => `/none${index}`)
  const { job } = await begin({ kind: 'delete', entries: many })
  await reaches(job.id, 'ended')
  const { id } = userIn(app.parts.state, 'ann') as { id: number }
  const names = keptOf(app.folder, id)
  const folder = await temporaryFolder(t)
  const kept = ['state.json.jobs', 'state.json.job-heads']
  for (const name of kept) cpSync(join(app.folder, name), join(folder, name), { recursive: true })
  await app.parts.accounts.remove(id)
  await until(() => keptOf(app.folder, id).length === 0, 'nothing is kept')
  await app.parts.state.change('other', () => {})
  cpSync(join(app.folder, 'state.json'), join(folder, 'state.json'))
  assert.equal(keptOf(folder, id).length, names.length)
  await startApp(t, { users: {}, options: { database: join(folder, 'state.json') } })
  await until(() => keptOf(folder, id).length === 0, 'nothing is kept')
})

test('without space for its record a job is refused before it changes anything, but what makes space is done', async (t) => {
  const names = Array.from({ length: 60 }, (_, index) => `f${index}`)
  const {
    app,
    start: begin,
    below,
    list,
  } = await start(t, { files: Object.fromEntries(names.map((name) => [`d/${name}`, name])) })
  const cause = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
  t.mock.method(JobFiles.prototype, 'add', async () => {
    throw new Failure('full', 'no space is left where the server keeps its own files', { cause })
  })
  const entries = names.map((name) => `/d/${name}`)
  for (const asked of [{ kind: 'copy', to: '/' }, { kind: 'move', to: '/' }, { kind: 'delete' }]) {
    const { status, text } = await begin({ ...asked, entries })
    assert.deepEqual([status, /server keeps its own files/.test(text)], [507, true], text)
  }
  assert.deepEqual([below('.'), below('d')], [['d'], names.toSorted()])
  const { status, job } = await begin({ kind: 'delete', trash: false, entries })
  assert.deepEqual([status, job.state, job.done, below('d'), await list()], [200, 'ended', 60, [], []])
  assert.deepEqual(app.events.length, 60)
})

test('what makes space goes on where its progress cannot be kept', async (t) => {
  const names = Array.from({ length: 60 }, (_, index) => `f${index}`)
  const { start: begin, below, reaches } = await start(t, { files: Object.fromEntries(names.map((name) => [`d/${name}`, name])) })
  t.mock.method(JobFiles.prototype, 'append', async () => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
  })
  const { job } = await begin({ kind: 'delete', trash: false, entries: names.map((name) => `/d/${name}`) })
  assert.equal((await reaches(job.id, 'ended', 'interrupted')).state, 'ended')
  assert.deepEqual(below('d'), [])
})
