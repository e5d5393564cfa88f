// Where unfinished uploads are, how many there may be, and when they end.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Path } from '../../src-server/base/paths.ts'
import { principalOf } from '../../src-server/files/principal-of.ts'
import type { UploadRecord, UploadStore } from '../../src-server/state/upload-store.ts'
import { keyOfPerson } from '../../src-server/uploads/person-asker.ts'
import { day } from '../../src-server/uploads/upload.ts'
import { Uploads } from '../../src-server/uploads/uploads.ts'
import { StoppedClock } from '../support/clock.ts'
import { changeUser, goodPassword } from '../support/start-state.ts'
import { pieceOf, startOnFolder, usualMost, waitingBody } from '../support/start-uploads.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'
import { usedMemory } from '../support/used-memory.ts'
import { userFilesOn } from '../support/user-files.ts'

const named = (tree: Record<string, unknown>) => Object.keys(tree).filter((name) => !name.startsWith('.holdall-'))

test('an upload whose bytes are missing is gone until they are back', async (t) => {
  const { begin, asker, root, uploads } = await startOnFolder(t)
  const upload = await begin('/d/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  fs.renameSync(join(root, 'd'), join(root, 'away'))
  for (const ask of [() => upload.look(asker()), () => upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))])
    await assert.rejects(ask(), { code: 'gone' })
  assert.equal(Object.keys(await harvest(join(root, 'away'))).length, 1)
  assert.equal(uploads.of(asker())[0]?.isGone, true)
  fs.renameSync(join(root, 'away'), join(root, 'd'))
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { 'd/a': 'abcdef' })
})

test('a start ends what was left in the trash some at a time, also while a disk does not answer', async () => {
  const record = (name: string, more: Partial<UploadRecord> = {}): UploadRecord => ({
    ...{ id: name, userId: 1, path: `/${name}`, offset: 3, startedAt: 0, changedAt: 0, isCompared: true, ended: true },
    ...more,
  })
  const records = new Map(Array.from({ length: 30 }, (_, index) => [`f${index}`, record(`f${index}`)]))
  // The last that is read is the first to be ended.
  records.set('silent', record('silent', { movingTo: '/away/silent' }))
  let [running, most] = [0, 0]
  const clock = new StoppedClock(0)
  const uploads = new Uploads({
    store: {
      open: async () => [...records.values()],
      set: async (one) => void records.set(one.id, one),
      remove: async (id) => void records.delete(id),
    },
    discard: async () => {
      most = Math.max(most, ++running)
      await setImmediate()
      running -= 1
      return true
    },
    isThere: () => new Promise(() => {}),
    ...{ keyOf: keyOfPerson, holderOf: keyOfPerson, most: usualMost },
    ...{ clock, report: assert.fail, life: () => day, lifeWithoutBytes: day },
  })
  await uploads.open()
  await until(() => records.size === 1, 'the others have ended')
  assert.deepEqual([...records.keys()], ['silent'])
  assert.ok(most > 1 && most <= 8, `${most} at a time`)
  await uploads.close()
})

test('an upload goes with the folder that it is in', async (t) => {
  const { begin, asker, root, uploads } = await startOnFolder(t)
  const upload = await begin('/d/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  const end = await uploads.folderMoves.begin('/d' as Path, '/e' as Path)
  fs.renameSync(join(root, 'd'), join(root, 'e'))
  await end(true)
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { 'e/a': 'abcdef' })
})

for (const isDone of [true, false]) {
  const title = isDone ? 'was moved just before' : 'was about to be moved at'
  test(`an upload is found after a kill, of which the folder ${title} it`, async (t) => {
    const { begin, asker, root, uploads, restart } = await startOnFolder(t)
    const upload = await begin('/d/s/a', { length: 6 })
    await upload.receive(asker(), pieceOf({ body: 'abc' }))
    await uploads.folderMoves.begin('/d' as Path, '/e' as Path)
    if (isDone) fs.renameSync(join(root, 'd'), join(root, 'e'))
    // A copy on its way to another disk.
    else fs.cpSync(join(root, 'd'), join(root, 'e'), { recursive: true })
    const next = (await restart()).uploads
    const found = next.find(asker(), upload.record.id)
    await until(() => found.record.movingTo === undefined, 'it is known where it is')
    await found.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
    assert.equal(fs.readFileSync(join(root, isDone ? 'e/s/a' : 'd/s/a'), 'utf8'), 'abcdef')
  })
}

test('an upload whose folder was moved to a disk that is away at the next start is found at the one after that', async (t) => {
  const { begin, asker, root, uploads, restart } = await startOnFolder(t)
  const upload = await begin('/d/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  await uploads.folderMoves.begin('/d' as Path, '/e' as Path)
  fs.renameSync(join(root, 'd'), join(root, 'away'))
  const away = (await restart()).uploads
  await until(() => !away.folderMoves.isMoving('/d/a'), 'it was looked for')
  await assert.rejects(away.find(asker(), upload.record.id).receive(asker(), pieceOf({ offset: 3, body: 'def' })), {
    code: 'gone',
  })
  fs.renameSync(join(root, 'away'), join(root, 'e'))
  const found = (await restart()).uploads.find(asker(), upload.record.id)
  await until(() => found.record.movingTo === undefined, 'it is known where it is')
  await found.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { 'e/a': 'abcdef' })
})

test('an upload is found when the folder to which its own was moved is moved on before anybody is told of that', async (t) => {
  const { begin, asker, root, uploads } = await startOnFolder(t, { files: { 'd/': '', 'f/': '' } })
  const upload = await begin('/d/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  const [first, second] = [
    await uploads.folderMoves.begin('/d' as Path, '/f/d' as Path),
    await uploads.folderMoves.begin('/f' as Path, '/g' as Path),
  ]
  fs.renameSync(join(root, 'd'), join(root, 'f/d'))
  fs.renameSync(join(root, 'f'), join(root, 'g'))
  await second(true)
  await first(true)
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { 'g/d/a': 'abcdef' })
})

test('a folder that is moved while a command runs takes the file with it', async (t) => {
  const { begin, asker, root, uploads, events } = await startOnFolder(t)
  const upload = await begin('/d/a', { length: 3 })
  let isMoved = false
  events.before(async () => {
    if (isMoved) return
    isMoved = true
    const end = await uploads.folderMoves.begin('/d' as Path, '/e' as Path)
    fs.renameSync(join(root, 'd'), join(root, 'e'))
    await end(true)
  })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  assert.deepEqual(await harvest(root), { 'e/a': 'abc' })
})

test('who removes an upload leaves nothing of it, and never the file', async (t) => {
  const { begin, asker, root, uploads, restart } = await startOnFolder(t)
  const [upload, done] = [await begin('/a', { length: 6 }), await begin('/b', { length: 1 })]
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  await done.receive(asker(), pieceOf({ body: 'b' }))
  await upload.remove()
  await assert.rejects(done.remove(), { code: 'notFound' })
  await assert.rejects(upload.look(asker()), { code: 'notFound' })
  assert.deepEqual(await harvest(root), { b: 'b' })
  assert.deepEqual(
    uploads.of(asker()).map(({ record }) => record.path),
    ['/b'],
  )
  assert.equal((await restart()).uploads.of(asker()).length, 1)
})

/** A store whose next removal does this before. */
function removing() {
  const before = { next: async () => {} }
  const store = (inner: UploadStore): UploadStore => ({
    open: () => inner.open(),
    set: (record) => inner.set(record),
    remove: (id) => before.next().then(() => inner.remove(id)),
  })
  return { before, store }
}

test('an upload that is removed while its folder is moved is not there again after a restart', async (t) => {
  const { before, store } = removing()
  const { begin, uploads, restart, asker } = await startOnFolder(t, { store })
  const upload = await begin('/d/a', { length: 6 })
  const moving: Promise<void>[] = []
  before.next = async () => {
    moving.push(uploads.folderMoves.begin('/d' as Path, '/e' as Path).then((end) => end(true)))
  }
  await upload.remove()
  await Promise.all(moving)
  assert.equal(moving.length, 1)
  assert.equal((await restart()).uploads.of(asker()).length, 0)
})

test('an upload whose record cannot be removed is removed later', async (t) => {
  const { before, store } = removing()
  const { begin, clock, uploads, asker, reports } = await startOnFolder(t, { store })
  await begin('/a', { length: 6 })
  before.next = async () => {
    before.next = async () => {}
    throw new Error('EIO')
  }
  clock.advance({ days: 1 })
  clock.advance({ hours: 1 })
  await until(() => reports.length > 0, 'it is reported')
  assert.equal(uploads.of(asker()).length, 1)
  clock.advance({ minutes: 2 })
  clock.advance({ hours: 1 })
  await until(() => uploads.of(asker()).length === 0, 'it is removed')
})

test('the same request again takes the place of the upload that has no byte yet, and of no other', async (t) => {
  const { begin, asker, uploads } = await startOnFolder(t)
  const metadata = 'filename YQ=='
  const first = await begin('/a', { length: 6, metadata })
  // What the two send need not be the same: who has the first does not add to the second.
  const again = await begin('/a', { length: 6, metadata })
  await assert.rejects(first.receive(asker(), pieceOf({ body: 'abc' })), { code: 'notFound' })
  await again.receive(asker(), pieceOf({ body: 'xyz' }))
  const other = await begin('/a', { length: 7, metadata })
  const third = await begin('/a', { length: 6, metadata })
  assert.deepEqual(new Set(uploads.of(asker())), new Set([again, other, third]))
  const empty = await begin('/b', { length: 0 })
  assert.equal(await begin('/b', { length: 0 }), empty)
})

test('fifty uploads of one person may be unfinished; those that finished or are out of the scope do not count', async (t) => {
  const setup = await startOnFolder(t, { files: { 'home/x': '' } })
  const { begin, asker, uploads } = setup
  await Promise.all(Array.from({ length: 50 }, (_, count) => begin(`/${count}`, { length: 1 })))
  const more = await Promise.allSettled([begin('/more', { length: 1 }), begin('/more2', { length: 1 })])
  for (const one of more) assert.equal((one as PromiseRejectedResult).reason.code, 'tooMany')
  await uploads.at(asker(), '/1' as Path).receive(asker(), pieceOf({ body: 'x' }))
  await begin('/more', { length: 1 })
  await changeUser(setup, setup.present().id, (user) => {
    user.scope = '/home'
  })
  assert.equal(uploads.of(asker()).length, 0)
  await begin('/another', { length: 1 })
})

test('nobody finds the upload of another person', async (t) => {
  const setup = await startOnFolder(t)
  const upload = await setup.begin('/a', { length: 6 })
  const bob = await setup.accounts.create({ username: 'bob', password: 'a long and easy password' })
  const asBob = setup.asker({ me: { user: bob, settings: setup.state.data.settings } })
  assert.throws(() => setup.uploads.find(asBob, upload.record.id), { code: 'notFound' })
  assert.throws(() => setup.uploads.at(asBob, '/a' as Path), { code: 'notFound' })
})

test('an upload ends a week after its last byte, and one without any after a day; a clock that is wrong removes nothing', async (t) => {
  const { begin, asker, clock, root, uploads } = await startOnFolder(t)
  const [upload, empty] = [await begin('/a', { length: 6 }), await begin('/b', { length: 6 })]
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  const now = clock.now()
  clock.set(now + 365 * 86_400_000)
  clock.advance({ minutes: 2 })
  await assert.rejects(upload.look(asker()), { code: 'gone' })
  assert.equal(uploads.of(asker()).length, 2)
  clock.set(now)
  clock.advance({ hours: 2 })
  await upload.look(asker())
  clock.advance({ hours: 22 })
  clock.advance({ hours: 2 })
  await until(() => empty.isRemoved, 'what has no byte is removed')
  assert.equal(upload.isGone, false)
  clock.advance({ days: 6 })
  clock.advance({ hours: 1 })
  await until(() => uploads.of(asker()).length === 0, 'it is removed')
  assert.deepEqual(await harvest(root), {})
})

test('who asks about an upload whose time is over does not put off its end', async (t) => {
  const { begin, asker, clock, root, uploads } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  clock.advance({ days: 7 })
  clock.advance({ minutes: 40 })
  await assert.rejects(upload.look(asker()), { code: 'gone' })
  clock.advance({ minutes: 40 })
  await until(() => uploads.of(asker()).length === 0, 'it is removed')
  assert.deepEqual(await harvest(root), {})
})

test('of uploads whose bytes are missing no more than fifty are kept', async (t) => {
  const { begin, asker, clock, root, uploads } = await startOnFolder(t)
  for (let count = 0; count < 52; count++) {
    const upload = await begin(`/d/${count}`, { length: 6 })
    await upload.receive(asker(), pieceOf({ body: 'abc' }))
    fs.rmSync(join(root, 'd'), { recursive: true })
    await assert.rejects(upload.look(asker()), { code: 'gone' })
    clock.advance({ seconds: 1 })
  }
  await until(() => uploads.of(asker()).length === 50, 'the oldest are forgotten')
  assert.equal(uploads.of(asker()).at(-1)?.record.path, '/d/2')
})

test('the newest upload at a path is the last one, also after the clock was set back', async (t) => {
  const { begin, asker, clock, uploads } = await startOnFolder(t)
  const first = await begin('/a', { length: 3 })
  await first.receive(asker(), pieceOf({ body: 'old' }))
  clock.set(clock.now() - 600_000)
  const second = await begin('/a', { length: 3, override: true })
  assert.equal(uploads.at(asker(), '/a' as Path), second)
  await second.receive(asker(), pieceOf({ body: 'new' }))
  assert.equal(uploads.at(asker(), '/a' as Path), second)
})

test('who asks by the path about an upload that was removed is not told of one before it', async (t) => {
  const { begin, asker, uploads } = await startOnFolder(t)
  const first = await begin('/a', { length: 3 })
  await first.receive(asker(), pieceOf({ body: 'old' }))
  const second = await begin('/a', { length: 3, override: true })
  assert.equal(uploads.at(asker(), '/a' as Path), second)
  await second.remove()
  await until(() => uploads.of(asker()).length === 0, 'it is forgotten')
  assert.throws(() => uploads.at(asker(), '/a' as Path), { code: 'notFound' })
})

test('an upload that is in use does not end', async (t) => {
  const { begin, asker, clock, root, uploads } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  const slow = waitingBody('abc')
  const receiving = upload.receive(asker(), { offset: 0, body: slow.body })
  await slow.came
  clock.advance({ days: 8 })
  clock.advance({ hours: 2 })
  assert.equal(uploads.of(asker()).length, 1)
  slow.go()
  await receiving
  assert.equal(upload.record.offset, 3)
  assert.equal(Object.keys(await harvest(root)).length, 1)
})

test('a finished upload is known for a day', async (t) => {
  const { begin, asker, clock, uploads, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 1 })
  await upload.receive(asker(), pieceOf({ body: 'a' }))
  clock.advance({ hours: 23 })
  await upload.look(asker())
  clock.advance({ hours: 1 })
  clock.advance({ hours: 1 })
  await until(() => uploads.of(asker()).length === 0, 'it is forgotten')
  assert.deepEqual(await harvest(root), { a: 'a' })
})

test('who is deleted leaves no upload', async (t) => {
  const { begin, asker, uploads, root, me } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  const slow = waitingBody('abc')
  const receiving = upload.receive(asker(), { offset: 0, body: slow.body })
  await slow.came
  await Promise.all([assert.rejects(receiving, { code: 'gone' }), uploads.removePerson(me.id)])
  assert.deepEqual([uploads.persons(), await harvest(root)], [[], {}])
})

test('a right that is withdrawn while a command runs ends the commit', async (t) => {
  const setup = await startOnFolder(t)
  const { begin, asker, events, root, me } = setup
  const upload = await begin('/a', { length: 3 })
  events.before(() =>
    changeUser(setup, me.id, (user) => {
      user.perm = { ...user.perm, create: false }
    }),
  )
  await assert.rejects(upload.receive(asker(), pieceOf({ body: 'abc' })), { code: 'forbidden' })
  assert.deepEqual(named(await harvest(root)), [])
  assert.equal(upload.record.offset, 3)
})

test('the end of the server keeps what has come', async (t) => {
  const { begin, asker, uploads, restart } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  const slow = waitingBody('abc')
  const receiving = upload.receive(asker(), { offset: 0, body: slow.body })
  await slow.came
  await Promise.all([assert.rejects(receiving, { code: 'busy' }), uploads.close()])
  assert.equal((await restart()).uploads.of(asker())[0]?.record.offset, 3)
})

test('200 unfinished uploads take less than 20 MB', async (t) => {
  const { uploads, asker, accounts, disk, state } = await startOnFolder(t)
  const { settings } = state.data
  const before = usedMemory().all
  for (let person = 0; person < 4; person++) {
    const user = await accounts.create({ username: `u${person}`, password: goodPassword })
    const files = userFilesOn(disk, { principal: principalOf(user, settings.rules) })
    for (let count = 0; count < 50; count++) {
      const path = `/${person}-${count}` as Path
      const upload = await uploads.begin(asker({ me: { user, settings } }), files, {
        path,
        length: 6,
        override: false,
        condition: {},
      })
      await upload.receive(asker({ me: { user, settings } }), pieceOf({ body: 'abc' }))
    }
  }
  const taken = usedMemory().all - before
  t.diagnostic(`${(taken / 1e6).toFixed(1)} MB`)
  assert.ok(taken < 20e6, `${taken} bytes`)
})
