import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { Events } from '../../src-server/events/events.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { LiveFolders } from '../../src-server/live/live-folders.ts'
import { StoppedClock } from '../support/clock.ts'
import { until } from '../support/until.ts'

test('many sockets are looked at by one timer, sixty-four at a time and each in its turn', async (t) => {
  const clock = new StoppedClock()
  const live = new LiveFolders({ clock, events: new Events(() => assert.fail()) })
  const told: string[] = []
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const left = new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
  const next = () => left.then(() => ({ done: true as const, value: undefined }))
  const messages = { [Symbol.asyncIterator]: () => ({ next }) }
  for (let index = 0; index < 130; index++) {
    const send = async (text: string) => void told.push(JSON.parse(text).kind)
    const reader = { userId: 1, messages, send, filesNow: async () => undefined, follow: async () => {}, signal: leaving.signal }
    void live.serve(reader)
  }
  await until(() => told.length === 130, 'all are greeted')
  const alive = () => told.filter((kind) => kind === 'alive').length
  assert.equal(clock.waiting, 1)
  const counts: number[] = []
  for (const milliseconds of [25_000, 500, 500, 500]) {
    clock.advance({ milliseconds })
    counts.push(alive())
  }
  assert.deepEqual(counts, [64, 128, 130, 130])
  assert.equal(clock.waiting, 1)
})

test('a folder that never answers keeps no other of its page from being looked at', async (t) => {
  const clock = new StoppedClock()
  const live = new LiveFolders({ clock, events: new Events(() => assert.fail()) })
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const looks = { '/hangs': 0, '/answers': 0 }
  const watch = (path: keyof typeof looks) => {
    looks[path]++
    return path === '/hangs' ? new Promise(() => {}) : Promise.reject(new Failure('busy'))
  }
  const following = { watch, modifiedAt: async () => undefined }
  async function* messages() {
    yield JSON.stringify({ kind: 'follow', folders: Object.keys(looks) })
    await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve))
  }
  void live.serve({
    ...{ userId: 1, messages: messages(), send: async () => {}, follow: async () => {}, signal: leaving.signal },
    filesNow: async () => ({ following }) as unknown as UserFiles,
  })
  const lookAgain = () => {
    clock.advance({ milliseconds: 500 })
    return looks['/answers'] > 2
  }
  await until(lookAgain, 'the other is looked at again and again')
  assert.equal(looks['/hangs'], 1)
})
