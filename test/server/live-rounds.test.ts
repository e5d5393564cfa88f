import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { FolderChanges } from '../../src-server/disk/folder-changes.ts'
import { Events } from '../../src-server/events/events.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { LiveFolders } from '../../src-server/live/live-folders.ts'
import { StoppedClock } from '../support/clock.ts'
import { until } from '../support/until.ts'

/** Opens sockets, each of which follows a folder; `kinds` has what was sent over all of them. */
async function serveMany(t: TestContext, count: number) {
  const clock = new StoppedClock()
  const live = new LiveFolders({ clock, events: new Events(() => assert.fail()) })
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const kinds: string[] = []
  const looks: number[] = []
  const left = new Promise((resolve) => leaving.signal.addEventListener('abort', resolve))
  async function* messages() {
    yield JSON.stringify({ kind: 'follow', folders: ['/'] })
    await left
  }
  for (let index = 0; index < count; index++) {
    const send = async (text: string) => void kinds.push(JSON.parse(text).kind)
    const filesNow = () => void looks.push(index)
    void live.serve({
      userId: 1,
      messages: messages(),
      send,
      follow: async () => filesNow,
      followJobs: () => () => {},
      signal: leaving.signal,
    })
  }
  await until(() => looks.length === count, 'all folders are followed')
  return {
    clock,
    alive: () => kinds.filter((kind) => kind === 'alive').length,
    /** Which sockets were looked at since it was asked last. */
    newLooks: async () => {
      await new Promise(setImmediate)
      return looks.splice(0)
    },
  }
}

test('many sockets are looked at by one timer, sixty-four at a time and each in its turn', async (t) => {
  const { clock, newLooks } = await serveMany(t, 130)
  await newLooks()
  assert.equal(clock.waiting, 1)
  const rounds: number[][] = []
  for (let round = 0; round < 3; round++) {
    clock.advance({ milliseconds: 500 })
    rounds.push(await newLooks())
  }
  assert.deepEqual(
    rounds.map(({ length }) => length),
    [64, 64, 64],
  )
  assert.equal(new Set(rounds.flat()).size, 130)
  assert.equal(clock.waiting, 1)
})

test('each of many sockets hears every 25 seconds that the connection is there, however seldom it is looked at', async (t) => {
  const { clock, alive } = await serveMany(t, 200)
  clock.advance({ milliseconds: 24_500 })
  assert.equal(alive(), 0)
  clock.advance({ milliseconds: 500 })
  assert.equal(alive(), 200)
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
    ...{ userId: 1, messages: messages(), send: async () => {}, signal: leaving.signal },
    follow: async () => () => ({ following }) as unknown as UserFiles,
    followJobs: () => () => {},
  })
  const lookAgain = () => {
    clock.advance({ milliseconds: 500 })
    return looks['/answers'] > 2
  }
  await until(lookAgain, 'the other is looked at again and again')
  assert.equal(looks['/hangs'], 1)
})

test('of a page that reads nothing one message about its folders waits, and what changes is told when it reads again', async (t) => {
  const clock = new StoppedClock()
  const live = new LiveFolders({ clock, events: new Events(() => assert.fail()) })
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const folders = new Map(['/a', '/b', '/c', '/d'].map((path) => [path, new FolderChanges()]))
  const watch = async (path: string) => {
    const changes = folders.get(path)
    return { folder: Symbol.for(path), isComplete: true, next: () => changes?.next(), close: () => {} }
  }
  const changedItems = async (_path: string, names: readonly string[]) => ({
    items: names.map((name) => ({ item: { name }, state: name })),
    removed: [],
  })
  const following = {
    ...{ watch, changedItems, modifiedAt: async () => undefined, hasRightsOf: () => true },
    servedPath: (path: string) => path,
  }
  async function* messages() {
    yield JSON.stringify({ kind: 'follow', folders: [...folders.keys()] })
    await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve))
  }
  const told: string[] = []
  const reading = Promise.withResolvers<void>()
  const send = async (text: string) => {
    const { kind, folder } = JSON.parse(text)
    told.push(`${kind} ${folder}`)
    if (kind === 'changed') await reading.promise
  }
  void live.serve({
    ...{ userId: 1, messages: messages(), send, signal: leaving.signal },
    follow: async () => () => ({ following }) as unknown as UserFiles,
    followJobs: () => () => {},
  })
  const changed = () => told.filter((text) => text.startsWith('changed'))
  await until(() => told.filter((text) => text.startsWith('following')).length === 4, 'all are followed')
  const [first, ...others] = [...folders.values()]
  first?.add('x')
  const areToldOf = (count: number) => () => {
    clock.advance({ milliseconds: 50 })
    return changed().length === count
  }
  await until(areToldOf(1), 'the first is told')
  for (const folder of others) folder.add('x')
  for (let turn = 0; turn < 100; turn++) {
    clock.advance({ milliseconds: 50 })
    await new Promise(setImmediate)
  }
  assert.deepEqual(changed(), ['changed /a'])
  reading.resolve()
  await until(areToldOf(4), 'the others are told')
})
