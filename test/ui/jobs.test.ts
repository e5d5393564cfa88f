// Jobs of the server in the page: what is shown of them and when, and what is repeated on a bad network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src-server/contract/jobs.ts'
import { address } from '../../src-ui/core/location.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { ongoingSlice, reportedSlice } from '../../src-ui/core/own-acts.ts'
import { followTitle, pageSlice } from '../../src-ui/core/page.ts'
import { presenceSlice } from '../../src-ui/core/presence.ts'
import { user } from '../../src-ui/core/session.ts'
import { jobsLater } from '../../src-ui/jobs/feature-later.ts'
import { followEnds } from '../../src-ui/jobs/follow-ends.ts'
import { firstName, titleOf, unchangedText } from '../../src-ui/jobs/job-words.ts'
import { Jobs, jobDelay, pollPause } from '../../src-ui/jobs/jobs.ts'
import { answering, type Reply } from './answering.ts'
import { startLive } from './fake-live.ts'
import { ann, settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const network = answering(import.meta.filename)
const { afterEach } = hooksOf(import.meta.filename)
let end: () => void = () => {}
afterEach(() => {
  end()
  user.value = null
})

function job(given: Partial<Job> = {}): Job {
  const counts = { entries: 2, done: 0, failed: 0, skipped: 0, asked: 0 }
  const about = { id: 'one', kind: 'copy', state: 'running', first: '/a', to: '/d', startedAt: 1, changedAt: 1 } as const
  return { ...about, ...counts, ...given }
}

const json = (value: unknown): Reply => ({ text: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } })
const detailsOf = (one: Job) => json({ ...one, questions: [], failures: [], leftOut: [], renamed: [], values: [] })

async function start(listed: readonly Job[] = []) {
  user.value = ann
  network.replies['GET /api/jobs'] = json({ jobs: listed })
  const { workspace, last } = startLive()
  const jobs = new Jobs(workspace)
  jobs.follow()
  end = () => workspace.dispose()
  last().tell({ kind: 'hello', user: ann.id })
  await settled()
  const tell = (...told: Job[]) => last().tell({ kind: 'jobs', jobs: told, gone: [] })
  const said = () => workspace.use(noticesSlice).list.value.map(({ text }) => text.replace(/[\u2068\u2069]/g, ''))
  return { jobs, tell, last, said, workspace }
}

test('a job is shown after 700 ms, unless it has ended by then', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { jobs, tell } = await start()
  tell(job(), job({ id: 'short' }))
  assert.equal(jobs.isShown.value, false)
  tell(job({ id: 'short', state: 'ended', done: 2 }))
  context.mock.timers.tick(jobDelay)
  assert.equal(jobs.isShown.value, true)
  tell(job({ state: 'ended', done: 2 }))
  assert.equal(jobs.underWay.value.length, 0)
})

test('one that asks is shown at once, also when the panel was hidden', async () => {
  const { jobs, tell } = await start()
  network.replies['GET /api/jobs/one'] = detailsOf(job({ asked: 1 }))
  tell(job({ state: 'paused' }))
  jobs.hide()
  assert.deepEqual([jobs.isShown.value, jobs.mayShow.value], [false, true])
  jobs.show()
  tell(job({ id: 'two', asked: 1 }))
  assert.equal(jobs.isShown.value, true)
})

test('an answer that comes after the end was told does not bring a job back', async () => {
  const { jobs, tell } = await start()
  tell(job({ state: 'paused' }))
  const ended = job({ state: 'ended', done: 2, changedAt: 2 })
  for (const changedAt of [1, 2]) {
    network.replies['PATCH /api/jobs/one'] = () => {
      tell(ended)
      return json(job({ changedAt }))
    }
    await jobs.act('one', { action: 'resume' })
    assert.deepEqual(jobs.list.value, [ended])
  }
  network.replies['PATCH /api/jobs/one'] = json(job({ changedAt: 3 }))
  await jobs.act('one', { action: 'retry' })
  assert.equal(jobs.list.value[0]?.state, 'running')
})

test('a job whose end is told before its beginning was answered is over', async () => {
  const { jobs, tell } = await start()
  let id = ''
  network.replies['POST /api/jobs'] = () => {
    id = String(JSON.parse(String(network.calls.at(-1)?.body)).id)
    const ended = job({ id, state: 'ended', done: 2, changedAt: 2 })
    network.replies[`GET /api/jobs/${id}`] = detailsOf(ended)
    tell(ended)
    return detailsOf(job({ id }))
  }
  const done = await jobs.run({ kind: 'copy', entries: ['/a', '/b'], to: '/d' })
  assert.equal(done?.state, 'ended')
})

test('a purge goes on beside what can be undone: Undo is not about it', async () => {
  const { tell, workspace } = await start()
  jobsLater.follow(workspace)
  tell(job({ id: 'purge', kind: 'purge' }), job())
  await settled()
  const going = [...workspace.use(ongoingSlice)].flatMap((ongoing) => ongoing())
  assert.deepEqual(
    going.map(({ key }) => key),
    ['one'],
  )
})

test('what another page has begun ends with a notice, and what is forgotten there is forgotten here', async () => {
  const { jobs, tell, last, said } = await start([job({ state: 'paused' })])
  assert.equal(jobs.isShown.value, true)
  tell(job({ state: 'ended', done: 2 }))
  assert.deepEqual(said(), ['2 items copied to “d”'])
  last().tell({ kind: 'jobs', jobs: [], gone: ['one'] })
  assert.deepEqual([jobs.list.value, jobs.isShown.value], [[], false])
})

test('jobs that were over when the page was opened are not shown with a new one, unless they have failed', async () => {
  const past = (id: string, given: Partial<Job> = {}) => job({ id, state: 'ended', done: 2, ...given })
  network.replies['GET /api/jobs/failed'] = detailsOf(past('failed', { failed: 1 }))
  const { jobs, tell, last } = await start([
    past('past'),
    past('cancelled', { state: 'cancelled' }),
    past('failed', { failed: 1 }),
  ])
  const shown = () => jobs.shown.value.map(({ id, state }) => `${id} ${state}`)
  tell(job({ id: 'new' }))
  assert.deepEqual(shown(), ['failed ended', 'new running'])
  tell(job({ id: 'past' }))
  tell(past('past'), past('new'))
  assert.deepEqual(shown(), ['past ended', 'failed ended', 'new ended'])
  network.replies['GET /api/jobs'] = json({ jobs: [past('cancelled'), past('new'), past('missed')] })
  last().tell({ kind: 'hello', user: ann.id })
  await jobs.refresh()
  assert.deepEqual(shown(), ['new ended', 'missed ended'])
})

test('after a lost connection the list is asked for again', async () => {
  const { jobs, last } = await start([job({ state: 'paused' })])
  network.replies['GET /api/jobs'] = json({ jobs: [job({ id: 'two', state: 'interrupted' })] })
  last().tell({ kind: 'hello', user: ann.id })
  await settled()
  assert.deepEqual(
    jobs.list.value.map(({ id }) => id),
    ['two'],
  )
})

test('a request whose answer is lost is repeated under the same id, and its end is waited for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { jobs, tell } = await start()
  let id = ''
  let calls = 0
  network.replies['POST /api/jobs'] = () => {
    const sent = JSON.parse(String(network.calls.at(-1)?.body)).id
    assert.ok(id === '' || id === sent)
    id = sent
    calls += 1
    if (calls === 1) throw new TypeError('Failed to fetch')
    network.replies[`GET /api/jobs/${id}`] = detailsOf(job({ id, state: 'ended', done: 2 }))
    return detailsOf(job({ id }))
  }
  const ended = jobs.run({ kind: 'copy', entries: ['/a', '/b'], to: '/d' })
  await settled()
  context.mock.timers.tick(500)
  await settled()
  tell(job({ id, state: 'ended', done: 2 }))
  assert.deepEqual([(await ended)?.done, calls], [2, 2])
})

test('a job that is cancelled before the server has it is not asked for again, and is cancelled when the server has it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { jobs, tell } = await start()
  network.replies['POST /api/jobs'] = lost
  const stopping = new AbortController()
  const asked = { kind: 'delete', entries: ['/a', '/b'] } as const
  const refused = assert.rejects(jobs.run(asked, { stopping: stopping.signal }), { status: 0 })
  await settled()
  stopping.abort()
  await settled()
  network.replies['POST /api/jobs'] = () => assert.fail('it is asked for again')
  context.mock.timers.tick(500)
  await refused
  const late = new AbortController()
  let id = ''
  let cancels = 0
  // The server has it, and its answer is lost; the first cancel came before it.
  const unanswered = new AbortController()
  network.replies['POST /api/jobs'] = async () => {
    id = JSON.parse(String(network.calls.at(-1)?.body)).id
    network.replies[`PATCH /api/jobs/${id}`] = () => {
      cancels += 1
      return cancels === 1 ? { status: 404 } : json(job({ id, state: 'cancelling' }))
    }
    unanswered.abort()
    await settled()
    throw new TypeError('Failed to fetch')
  }
  const unheard = assert.rejects(jobs.run(asked, { stopping: unanswered.signal }), { status: 0 })
  await settled()
  await settled()
  context.mock.timers.tick(500)
  await unheard
  await settled()
  assert.equal(cancels, 2)
  cancels = 0
  network.replies['POST /api/jobs'] = async () => {
    id = JSON.parse(String(network.calls.at(-1)?.body)).id
    late.abort()
    await settled()
    network.replies[`PATCH /api/jobs/${id}`] = () => {
      cancels += 1
      return json(job({ id, state: 'cancelling' }))
    }
    network.replies[`GET /api/jobs/${id}`] = detailsOf(job({ id, state: 'cancelled' }))
    return detailsOf(job({ id }))
  }
  const ended = jobs.run(asked, { stopping: late.signal })
  await settled()
  await settled()
  tell(job({ id, state: 'cancelled' }))
  assert.deepEqual([(await ended)?.state, cancels], ['cancelled', 1])
})

test('one that was cancelled says how far it came, in a notice too, which offers to undo it', async () => {
  const { jobs, tell, workspace } = await start([job({ state: 'paused' })])
  const progress = { files: 50, ofFiles: 200, bytes: 0, seconds: 20, name: 'x' }
  tell(job({ entries: 1, state: 'cancelling', progress: { ...progress, bytes: 2e9 } }))
  // Without what was dropped with the files that were not copied whole.
  tell(job({ entries: 1, state: 'cancelled', skipped: 1, progress }))
  assert.equal(jobs.list.value[0]?.progress?.files, 50)
  const [notice] = workspace.use(noticesSlice).list.value
  assert.match(`${notice?.text}: ${notice?.detail}`, /^Copying .*: Cancelled · 50 of 200 items$/)
  assert.deepEqual(workspace.use(reportedSlice).value, { act: 'one', notice: notice?.id })
})

test('the notice of a job of which a part has failed offers to undo what is done, not that of a purge', async () => {
  for (const kind of ['copy', 'purge'] as const) {
    const { tell, workspace } = await start([job({ kind, state: 'paused' })])
    const failed = job({ kind, state: 'ended', done: 1, failed: 1 })
    network.replies['GET /api/jobs/one'] = detailsOf(failed)
    tell(failed)
    const [notice] = workspace.use(noticesSlice).list.value
    assert.equal(notice?.kind, 'error')
    const offer = { act: 'one', notice: notice.id, isFailure: true }
    assert.deepEqual(workspace.use(reportedSlice).value, kind === 'copy' ? offer : undefined)
    workspace.dispose()
  }
})

test('what was told of a failure goes when the job is tried again, also from another page', async () => {
  const { tell, said } = await start([job({ state: 'paused' })])
  const failed = job({ state: 'ended', done: 1, failed: 1 })
  network.replies['GET /api/jobs/one'] = detailsOf(failed)
  tell(failed)
  assert.deepEqual(said(), ['1 item was not copied'])
  tell(job({ done: 1, changedAt: 2 }))
  assert.deepEqual(said(), [])
  tell(job({ state: 'ended', done: 2, changedAt: 3 }))
  assert.deepEqual(said(), ['2 items copied to “d”'])
})

test('jobs that end or ask while nobody looks are counted in the title and on the icon, until somebody looks', async () => {
  network.replies['GET /api/jobs/two'] = detailsOf(job({ id: 'two', asked: 1 }))
  const { jobs, tell, workspace } = await start()
  const badges: number[] = []
  const badge = {
    setAppBadge: async (count = 0) => void badges.push(count),
    clearAppBadge: async () => void badges.push(0),
  }
  const { isVisible } = workspace.use(presenceSlice)
  const page = { title: '' }
  address.value = { pathname: '/files/', search: '' }
  followTitle(workspace, page as Document)
  followEnds(workspace, jobs, badge)
  const ended = { state: 'ended', done: 2, changedAt: 5000 } as const
  isVisible.value = true
  tell(job({ id: 'seen' }))
  tell(job({ id: 'seen', ...ended }))
  assert.equal(workspace.use(pageSlice).news.value, 0)
  isVisible.value = false
  tell(job(), job({ id: 'two' }), job({ id: 'short' }))
  tell(job(ended), job({ id: 'two', asked: 1 }), job({ id: 'short', state: 'ended', done: 2 }))
  assert.equal(workspace.use(pageSlice).news.value, 2)
  assert.match(page.title, /^\(2\) · /)
  tell(job({ id: 'two' }))
  assert.match(page.title, /^\(1\) · /)
  isVisible.value = true
  assert.doesNotMatch(page.title, /^\(/)
  assert.deepEqual(badges, [0, 2, 1, 0])
})

test('an undo of another page that has changed nothing says so, and why', async () => {
  const left = [{ path: '/d/a', how: 'changed' }]
  const undo = { kind: 'undo', entries: 1, done: 1, unchanged: 1, state: 'ended' } as const
  const details = { ...job(undo), questions: [], failures: [], leftOut: [], renamed: [] }
  network.replies['GET /api/jobs/one'] = json({ ...details, values: [{ path: '/', value: { done: 0, left } }] })
  const { jobs, tell, said } = await start()
  tell(job({ kind: 'undo', entries: 1, asked: 0, state: 'paused' }))
  tell(job(undo))
  await settled()
  assert.deepEqual(said(), ['Nothing was undone'])
  assert.equal(unchangedText(jobs.details.value.get('one')).replace(/[\u2068\u2069]/g, ''), 'a: Its content has changed since.')
})

const unreached = 'The server could not be reached. Check the connection and try again.'
const plain = (text = '') => text.replace(/[\u2068\u2069]/g, '')
const lost = () => Promise.reject(new TypeError('Failed to fetch'))

test('what is asked of a job while the server is not reached says so, and the job stays as it is', async () => {
  const { jobs, tell, workspace } = await start()
  for (const asked of ['PATCH /api/jobs/one', 'GET /api/jobs']) network.replies[asked] = lost
  tell(job())
  const acts = [
    [{ action: 'pause' }, 'Pause failed'],
    [{ answer: { question: '1', taken: 'skip', all: false } }, 'Skip failed'],
  ] as const
  for (const [act, text] of acts) {
    await jobs.act('one', act)
    const said = workspace.use(noticesSlice).list.value.at(-1)
    assert.deepEqual([said?.text, plain(said?.detail)], [text, `Copying 2 items to “d”: ${unreached}`])
    assert.equal(jobs.list.value[0]?.state, 'running')
  }
  await settled()
  assert.equal(jobs.isOutOfReach.value, true)
  tell(job({ done: 1 }))
  assert.equal(jobs.isOutOfReach.value, false)
  const { length } = workspace.use(noticesSlice).list.value
  network.replies['PATCH /api/jobs/one'] = { status: 409 }
  await jobs.act('one', { action: 'pause' })
  assert.equal(workspace.use(noticesSlice).list.value.length, length)
  const refused = { title: 'Conflict', refusal: { code: 'beingUndone', params: {} } }
  network.replies['PATCH /api/jobs/one'] = {
    ...{ status: 409, text: JSON.stringify(refused) },
    headers: { 'Content-Type': 'application/problem+json' },
  }
  await jobs.act('one', { action: 'retry' })
  const told = workspace.use(noticesSlice).list.value.at(-1)
  assert.match(told?.detail ?? '', /This is being undone or redone. Try again afterwards\./)
})

test('a job is stopped although the first request is lost, and its end is waited for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { jobs, tell, said, workspace } = await start()
  for (const asked of ['PATCH /api/jobs/one', 'GET /api/jobs']) network.replies[asked] = lost
  tell(job())
  let isStopped = false
  const stopped = jobs.stop('one').then(() => {
    isStopped = true
  })
  await settled()
  assert.equal(said().length, 1)
  network.replies['PATCH /api/jobs/one'] = json(job({ state: 'cancelling' }))
  context.mock.timers.tick(pollPause)
  await settled()
  assert.deepEqual([jobs.list.value[0]?.state, isStopped], ['cancelling', false])
  tell(job({ state: 'cancelled' }))
  await stopped
  assert.deepEqual(
    workspace.use(noticesSlice).list.value.map(({ kind, detail, isNeutral }) => [kind, plain(detail), isNeutral]),
    [
      ['error', `Copying 2 items to “d”: ${unreached}`, undefined],
      ['success', 'Cancelled · 0 of 2 items', true],
    ],
  )
})

test('a job that undoes says of which act, in its title, its buttons and its notice', async () => {
  const undo = { kind: 'undo', first: '/', entries: 1, act: 'h1' } as const
  const { jobs, tell, said } = await start([job({ ...undo, state: 'paused' })])
  assert.deepEqual([plain(firstName(job(undo))), plain(titleOf(job(undo)))], ['Undo', 'Undo'])
  jobs.actPhrase.value = (id) => (id === 'h1' ? 'copy of 3 items' : undefined)
  const phrase = jobs.phraseOf(job(undo))
  assert.equal(firstName(job(undo), phrase), 'copy of 3 items')
  const cases: [Partial<Job>, string][] = [
    [{}, 'Undo copy of 3 items'],
    [{ redo: true }, 'Redo copy of 3 items'],
    [{ state: 'ended', done: 1 }, 'Undone: copy of 3 items'],
    [{ state: 'ended', done: 1, unchanged: 1 }, 'Not undone: copy of 3 items'],
    [{ state: 'ended', failed: 1 }, 'Not undone: copy of 3 items'],
  ]
  for (const [given, title] of cases) assert.equal(titleOf(job({ ...undo, ...given }), phrase), title)
  tell(job({ ...undo, state: 'ended', done: 1 }))
  assert.deepEqual(said(), ['Undone: copy of 3 items'])
})
