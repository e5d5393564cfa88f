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

test('what a kill has left of uploads is ended on each disk by itself', async () => {
  const answer = Promise.withResolvers<void>()
  const ended: string[] = []
  // By the list of the mounts on two disks.
  const left = ['/proc/dead/a', '/proc/dead/b', '/in/a', '/in/b'].map((path) => ({
    record: { path, request: { hash: 'of a deleted link' } },
    settle: async () => void (path === '/proc/dead/a' && (await answer.promise)),
    end: async () => void ended.push(path),
  }))
  const report = (error: unknown) => assert.fail(String(error))
  const following = new RequestFollowing({
    state: { requests: async () => ({ records: [] }), feed: { listen: () => () => {} } } as unknown as State,
    books: { lost: async function* () {} } as unknown as Books,
    ...{ events: new Events(report), clock: new StoppedClock(), root: '/', report },
    ...{ folders: { alone: () => assert.fail() }, sums: { add: () => assert.fail() }, diskFor: () => assert.fail() },
  })
  await following.begin({ all: () => left } as unknown as Uploads, { isSending: () => false })
  await until(() => ended.length === 2, 'those on the other disk have ended')
  assert.deepEqual(ended, ['/in/a', '/in/b'])
  answer.resolve()
  await until(() => ended.length === 4, 'the others have ended too')
})
