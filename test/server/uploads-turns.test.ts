// Several requests for one upload: which of them has it.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { pieceOf, startOnFolder, waitingBody } from '../support/start-uploads.ts'
import { harvest } from '../support/tree.ts'

test('a newer question ends what is received, and what has come counts', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  const older = waitingBody('abc')
  const receiving = upload.receive(asker(), { offset: 0, body: older.body })
  await older.came
  assert.equal(upload.isReceiving, true)
  await Promise.all([assert.rejects(receiving, { code: 'changed', message: /taken/ }), upload.look(asker())])
  assert.deepEqual([upload.record.offset, upload.isReceiving], [3, false])
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { a: 'abcdef' })
})

test('a second request with bytes ends the first only while that has none', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  const [silent, brings] = [waitingBody(), waitingBody('abc')]
  const first = upload.receive(asker(), { offset: 0, body: silent.body })
  await silent.came
  const second = upload.receive(asker(), { offset: 0, body: brings.body })
  await assert.rejects(first, { code: 'changed' })
  await brings.came
  // A late copy of it.
  await assert.rejects(upload.receive(asker(), pieceOf({ body: 'abc' })), { code: 'range' })
  brings.go()
  await second
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { a: 'abcdef' })
})

test('of eight equal requests one wins', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 3 })
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => upload.receive(asker(), pieceOf({ body: 'abc' }))))
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await harvest(root), { a: 'abc' })
})

test('a disk that does not answer is waited for no longer than five seconds', async (t) => {
  const [hold, syncing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const syncData = (fd: number) => {
    syncing.resolve()
    return hold.promise.then(() => diskSystem.syncData(fd))
  }
  const system: DiskSystem = { ...diskSystem, syncData }
  const { begin, asker, clock } = await startOnFolder(t, { system })
  const upload = await begin('/a', { length: 6 })
  const receiving = upload.receive(asker(), pieceOf({ body: 'abc' }))
  await syncing.promise
  const looking = upload.look(asker())
  clock.advance({ seconds: 5 })
  await assert.rejects(looking, { code: 'locked' })
  hold.resolve()
  await receiving
  assert.equal(upload.record.offset, 3)
})

test('a file gets its name though its client has left, and those who ask do not wait for a slow command', async (t) => {
  const { begin, asker, events, clock, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 3 })
  const command = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  let runs = 0
  events.before(async () => {
    runs++
    began.resolve()
    await command.promise
  })
  const leaving = new AbortController()
  const receiving = upload.receive(asker({ signal: leaving.signal }), pieceOf({ body: 'abc' }))
  await began.promise
  leaving.abort(new Error('left'))
  await assert.rejects(receiving, /left/)
  const looking = upload.look(asker())
  clock.advance({ seconds: 5 })
  await assert.rejects(looking, { code: 'locked' })
  command.resolve()
  await upload.look(asker())
  assert.deepEqual([runs, await harvest(root)], [1, { a: 'abc' }])
})

test('bytes are arriving for a moment after each piece, and no more when a client has left', async (t) => {
  const { begin, asker, clock } = await startOnFolder(t)
  const upload = await begin('/a', { length: 9 })
  assert.equal(upload.isArriving, false)
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  assert.deepEqual([upload.isReceiving, upload.isArriving], [false, true])
  clock.advance({ seconds: 5 })
  assert.equal(upload.isArriving, false)
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  const { came, body } = waitingBody('g')
  const leaving = upload.receive(asker(), { offset: 6, body })
  await came
  clock.advance({ seconds: 5 })
  assert.equal(upload.isArriving, true)
  body.interrupt(new Error('left'))
  await assert.rejects(leaving)
  assert.equal(upload.isArriving, false)
})
