// The dialog of links that take files in, while files arrive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestLink, SenderList } from '../../src-server/contract/requests.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { timeAgain } from '../../src-ui/shares/request-facts.ts'
import { RequestLinks } from '../../src-ui/shares/request-links.ts'
import { until } from '../support/until.ts'
import { answering, signIn } from './answering.ts'
import { startLive } from './fake-live.ts'
import './workspace.ts'

const network = answering(import.meta.filename)
const hour = 3600
const seconds = () => Math.floor(Date.now() / 1000)

const linkOf = (changes: Partial<RequestLink> = {}): RequestLink => ({
  ...{ hash: 'h', path: '/in', name: 'in', userID: 1, username: 'ann', expire: 0, created: 0, title: 'Photos', text: '' },
  ...{ hasPassword: false, mostBytes: 2, mostFileBytes: 1, mostFiles: 10, filesAnHour: 20, endings: [] },
  ...{ asksName: true, hasFolders: true, tells: false, files: 3, bytes: 3, senders: 3, seen: 3, ...changes },
})

/** Pages of two. */
const pageOf = (ids: string, next?: string): SenderList => ({
  senders: [...ids].map((id) => ({ id, files: 1, bytes: 1, lastAt: 0 })),
  ...(next !== undefined && { next }),
})

const json = (value: unknown) => ({ text: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } })
const countOf = (name: string) => network.calls.filter((call) => call.name === name).length
const shownIn = ({ senders }: RequestLinks) => senders.value.map(({ id }) => id).join('')

/** The dialog of one link, in a workspace whose time stands until `pass`. */
async function start(link: RequestLink, wanted?: string) {
  await signIn(network, 'ann')
  const { workspace, last } = startLive()
  let time = 0
  const timers: { work: () => void; at: number }[] = []
  workspace.now = () => time
  workspace.timeout = (work, delay) => {
    const timer = { work, at: time + delay }
    timers.push(timer)
    return () => timers.splice(timers.indexOf(timer), 1)
  }
  network.replies['GET /api/requests'] = json([link])
  const state = new RequestLinks(workspace, { path: '/in', name: 'in' })
  assert.ok(await state.load(wanted))
  const end = state.follow()
  return {
    state,
    workspace,
    arrive: () => last().tell({ kind: 'requests' }),
    pass(milliseconds: number) {
      time += milliseconds
      for (const timer of timers.splice(0)) timer.at <= time ? timer.work() : timers.push(timer)
    },
    end() {
      end()
      workspace.dispose()
    },
  }
}

test('what arrives within two seconds is read once, and all senders that were shown stay', async () => {
  network.replies['GET /api/requests/h/senders'] = json(pageOf('ab', '2'))
  network.replies['GET /api/requests/h/senders?after=2'] = json(pageOf('bc'))
  const { state, arrive, pass, end } = await start(linkOf())
  await until(() => shownIn(state) === 'ab', 'the first page')
  await state.moreSenders()
  assert.equal(shownIn(state), 'abc')
  network.replies['GET /api/requests/h/senders'] = json(pageOf('db', '2'))
  network.replies['GET /api/requests/h/senders?after=2'] = json(pageOf('ac'))
  arrive()
  await until(() => shownIn(state) === 'dbac', 'all that were shown')
  for (let count = 0; count < 50; count++) arrive()
  pass(1999)
  assert.equal(countOf('GET /api/requests'), 2)
  network.replies['GET /api/requests/h/senders'] = json(pageOf('eb', '2'))
  pass(1)
  await until(() => shownIn(state) === 'ebac', 'those after the pause')
  assert.equal(countOf('GET /api/requests'), 3)
  arrive()
  end()
  pass(2000)
  assert.equal(countOf('GET /api/requests'), 3)
})

test('a link that has ended by time is opened again for as long as before', async () => {
  const link = linkOf({ created: seconds() - 30 * hour, expire: seconds() - 6 * hour })
  const { state, end } = await start(link)
  network.replies['PATCH /api/requests/h'] = json({ ...link, expire: seconds() + 24 * hour })
  assert.ok(await state.setClosed(false))
  const { body } = network.calls.find(({ name }) => name.startsWith('PATCH')) ?? assert.fail()
  assert.deepEqual(JSON.parse(String(body)), { closed: false, expires: String(24 * hour), unit: 'seconds' })
  end()
})

test('one that was closed by hand keeps its end', async () => {
  for (const expire of [0, seconds() + hour]) assert.equal(timeAgain(linkOf({ expire, closedAt: seconds() })), undefined)
  const link = linkOf({ expire: seconds() + hour, closedAt: seconds() })
  const { state, end } = await start(link)
  network.replies['PATCH /api/requests/h'] = json(link)
  assert.ok(await state.setClosed(false))
  const { body } = network.calls.find(({ name }) => name.startsWith('PATCH')) ?? assert.fail()
  assert.deepEqual(JSON.parse(String(body)), { closed: false })
  end()
})

test('where the last link is deleted, the form of a new one is as it was never used', async () => {
  network.replies['DELETE /api/requests/h'] = json({})
  const { state, end } = await start(linkOf())
  state.edit()
  state.change({ title: 'Other photos' })
  state.show(linkOf())
  assert.ok(await state.remove())
  assert.deepEqual([state.mode.value, state.draft.value.title, state.shown.value], ['new', 'in', undefined])
  end()
})

test('the dialog of one link closes when that was the last', async () => {
  network.replies['DELETE /api/requests/h'] = json({})
  const { state, workspace, end } = await start(linkOf(), 'h')
  const overlays = workspace.use(overlaysSlice)
  overlays.open({ kind: 'requestFiles', folder: state.folder, hash: 'h' })
  assert.ok(await state.remove())
  assert.deepEqual([overlays.current.value.kind, state.mode.value], ['none', 'one'])
  end()
})
