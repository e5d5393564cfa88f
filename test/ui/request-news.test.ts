// The notices about files that have arrived by links of one's own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { login } from '../../src-ui/core/session.ts'
import { followArrivals, unseenSlice } from '../../src-ui/shares/request-news.ts'
import { until } from '../support/until.ts'
import { answering, tokenOf } from './answering.ts'
import { startLive } from './fake-live.ts'
import './workspace.ts'

const network = answering(import.meta.filename)

const linkOf = (files: number, seen = 0): RequestLink => ({
  ...{ hash: 'h', path: '/in', name: 'in', userID: 1, username: 'ann', expire: 0, created: 0, title: 'Photos', text: '' },
  ...{ hasPassword: false, mostBytes: 2, mostFileBytes: 1, mostFiles: 100, filesAnHour: 100, endings: [] },
  ...{ asksName: true, hasFolders: true, tells: true, files, bytes: files, senders: 1, seen },
})
const json = (value: unknown) => ({ text: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } })

test('the first notice counts what has arrived two seconds after the first file, and the mark does not wait', async () => {
  const perm = { ...noPermissions, share: true, create: true }
  network.replies['POST /api/login'] = { text: tokenOf('ann', 1, 1, perm) }
  await login('ann', 'secret')
  const { workspace, last } = startLive()
  let time = 0
  const timers: { work: () => void; at: number }[] = []
  workspace.now = () => time
  workspace.timeout = (work, delay) => {
    const timer = { work, at: time + delay }
    timers.push(timer)
    return () => timers.splice(timers.indexOf(timer), 1)
  }
  const pass = (milliseconds: number) => {
    time += milliseconds
    for (const timer of timers.splice(0)) timer.at <= time ? timer.work() : timers.push(timer)
  }
  const notices = workspace.use(noticesSlice)
  const { count } = workspace.use(unseenSlice)
  const arrived = (files: number, seen?: number) => {
    network.replies['GET /api/requests'] = json([linkOf(files, seen)])
  }
  const told = () => notices.list.value.map(({ text }) => text.replace(/[\u2068\u2069]/g, ''))
  network.replies['GET /api/requests/h/senders'] = json({ senders: [{ id: 's', name: 'Rosa', files: 30, bytes: 30, lastAt: 0 }] })
  arrived(1)
  followArrivals(workspace)
  await until(() => count.value === 1, 'what is there is read')
  arrived(2)
  last().tell({ kind: 'requests' })
  await until(() => count.value === 2, 'the mark counts the first file')
  arrived(31)
  last().tell({ kind: 'requests' })
  pass(1999)
  assert.deepEqual(told(), [])
  pass(1)
  await until(() => told().length > 0, 'a notice')
  assert.deepEqual([told(), count.value], [['Rosa sent 30 files.'], 31])
  // What was seen elsewhere before it is told is not told.
  arrived(40)
  last().tell({ kind: 'requests' })
  pass(5000)
  await until(() => count.value === 40, 'the mark counts more files')
  arrived(40, 40)
  pass(2000)
  await until(() => count.value === 0, 'all were seen')
  assert.equal(network.calls.filter(({ name }) => name.endsWith('/senders')).length, 1)
  workspace.dispose()
})
