// What a start does for links that take files in, while the disk of one of them does not answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Events } from '../../src-server/events/events.ts'
import type { Books } from '../../src-server/requests/books.ts'
import { RequestFollowing } from '../../src-server/requests/follow-requests.ts'
import type { State } from '../../src-server/state/state.ts'
import type { Uploads } from '../../src-server/uploads/uploads.ts'
import { StoppedClock } from '../support/clock.ts'
import { until } from '../support/until.ts'

type Left = Readonly<{ record: object; settle(): Promise<void>; end(): Promise<void> }>

/** Begins to follow links, where a kill has left some uploads. */
function begun(left: readonly Left[], lost: () => AsyncGenerator<never>, report: (error: unknown) => void) {
  const following = new RequestFollowing({
    state: { requests: async () => ({ records: [] }), feed: { listen: () => () => {} } } as unknown as State,
    books: { lost } as unknown as Books,
    ...{ events: new Events(report), clock: new StoppedClock(), root: '/', report },
    ...{ folders: { alone: () => assert.fail() }, sums: { add: () => assert.fail() }, diskFor: () => assert.fail() },
  })
  return following.begin({ all: () => left } as unknown as Uploads, { isSending: () => false })
}

const none = async function* () {}

test('what a kill has left of uploads is ended on each disk by itself', async () => {
  const answer = Promise.withResolvers<void>()
  const ended: string[] = []
  // By the list of the mounts on two disks.
  const left = ['/proc/dead/a', '/proc/dead/b', '/in/a', '/in/b'].map((path) => ({
    record: { path, request: { hash: 'of a deleted link' } },
    settle: async () => void (path === '/proc/dead/a' && (await answer.promise)),
    end: async () => void ended.push(path),
  }))
  await begun(left, none, (error) => assert.fail(String(error)))
  await until(() => ended.length === 2, 'those on the other disk have ended')
  assert.deepEqual(ended, ['/in/a', '/in/b'])
  answer.resolve()
  await until(() => ended.length === 4, 'the others have ended too')
})

test('what a kill has left of uploads is ended also where the logs of the links cannot be read', async () => {
  const [ended, reports]: [string[], unknown[]] = [[], []]
  const record = { path: '/in/a', request: { hash: 'of a deleted link' } }
  const left = { record, settle: async () => {}, end: async () => void ended.push(record.path) }
  const unreadable = new Error('EIO')
  const failing = (): AsyncGenerator<never> => {
    throw unreadable
  }
  await begun([left], failing, (error) => reports.push(error))
  await until(() => ended.length === 1, 'it has ended')
  assert.deepEqual(reports, [unreadable])
})
