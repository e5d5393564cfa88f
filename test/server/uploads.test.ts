// Uploads that break off and go on later: what counts of them, and when the file gets its name.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import type { UploadStore } from '../../src-server/state/upload-store.ts'
import { PieceBody } from '../../src-server/uploads/piece-body.ts'
import { body, brokenBody, capability } from '../support/capabilities.ts'
import { pieceOf, startOnFolder } from '../support/start-uploads.ts'
import { harvest } from '../support/tree.ts'

test('a file that comes in pieces, also after a restart, appears when its last byte has come', async (t) => {
  const { root, begin, asker, restart } = await startOnFolder(t)
  const first = await begin('/d/a', { length: 11 })
  assert.deepEqual(await harvest(root), { 'd/': '' })
  await first.receive(asker(), pieceOf({ body: 'hello ' }))
  assert.equal(first.record.offset, 6)
  assert.equal(fs.existsSync(join(root, 'd/a')), false)
  const { uploads } = await restart()
  const found = uploads.find(asker(), first.record.id)
  await found.receive(asker(), pieceOf({ offset: 6, body: 'world' }))
  assert.equal(found.isFinished, true)
  assert.deepEqual(await harvest(root), { 'd/a': 'hello world' })
})

test('an empty file, and one that comes whole, are named at once', async (t) => {
  const { root, begin, asker } = await startOnFolder(t)
  const empty = await begin('/empty', { length: 0 })
  await empty.receive(asker(), pieceOf({ body: '' }))
  const whole = await begin('/whole', { length: 3 })
  await whole.receive(asker(), pieceOf({ body: 'abc', bytes: 3 }))
  assert.deepEqual(await harvest(root), { empty: '', whole: 'abc' })
})

test('what came before a connection broke counts, and is not said to be compared', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  const digest = createHash('sha256').update('abcdef').digest()
  const checksum = { algorithm: 'sha256', digest } as const
  await assert.rejects(
    upload.receive(asker(), pieceOf({ body: new PieceBody(brokenBody('abc'), checksum) })),
    /the connection broke/,
  )
  assert.deepEqual([upload.record.offset, upload.record.isCompared], [3, false])
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { a: 'abcdef' })
})

test('a piece that is not as its checksum says is cut off, and one that is counts as compared', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  const piece = (text: string, algorithm: 'sha1' | 'sha256' = 'sha1', of = text) =>
    new PieceBody(body(text), { algorithm, digest: createHash(algorithm).update(of).digest() })
  await upload.receive(asker(), pieceOf({ body: piece('abc', 'sha256') }))
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 3, body: piece('dxf', 'sha1', 'def') })), { code: 'mismatch' })
  assert.equal(upload.record.offset, 3)
  assert.equal(fs.statSync(join(root, fs.readdirSync(root)[0] ?? '')).size, 3)
  await upload.receive(asker(), pieceOf({ offset: 3, body: piece('def') }))
  assert.equal(upload.record.isCompared, true)
  assert.deepEqual(await harvest(root), { a: 'abcdef' })
})

test('bytes at another offset, or more than were announced, are refused and leave what there is', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const upload = await begin('/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  for (const offset of [0, 2, 4, 6]) {
    await assert.rejects(upload.receive(asker(), pieceOf({ offset, body: 'x' })), { code: 'range' })
  }
  const unread = new PieceBody(body('defg'))
  await assert.rejects(upload.receive(asker(), { offset: 3, bytes: 4, body: unread }), { code: 'tooLarge' })
  assert.equal(unread.hasBytes, false)
  // Not announced: seen when they come.
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 3, body: body('def', 'g') })), { code: 'tooLarge' })
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 3, length: 7, body: 'd' })), { code: 'invalid' })
  assert.equal(upload.record.offset, 3)
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { a: 'abcdef' })
  // It has its name: no more bytes, and the same answer to the last request given again.
  await upload.receive(asker(), pieceOf({ offset: 6, body: '' }))
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 6, body: 'x' })), { code: 'tooLarge' })
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 3, body: 'def' })), { code: 'range' })
})

test('the length may come later, once', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const upload = await begin('/a')
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  assert.equal(upload.isFinished, false)
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 3, length: 2, body: '' })), { code: 'invalid' })
  await upload.receive(asker(), pieceOf({ offset: 3, length: 3, body: '' }))
  assert.deepEqual(await harvest(root), { a: 'abc' })
})

test('a name that is taken meanwhile refuses the file, whose bytes stay until there is a name for them', async (t) => {
  const { begin, asker, root, restart } = await startOnFolder(t, { files: { 'd/x': '' } })
  const upload = await begin('/d/a', { length: 3 })
  fs.writeFileSync(join(root, 'd/a'), 'other')
  await assert.rejects(upload.receive(asker(), pieceOf({ body: 'abc' })), { code: 'conflict' })
  await assert.rejects(upload.look(asker()), { code: 'conflict' })
  assert.equal(upload.record.offset, 3)
  assert.equal(upload.record.refused?.template, 'the name is taken')
  const { uploads } = await restart()
  const found = uploads.find(asker(), upload.record.id)
  await assert.rejects(found.rename(asker(), { name: '../a', override: false }), { code: 'invalid' })
  await found.rename(asker(), { name: 'a(1)', override: false })
  assert.deepEqual(await harvest(root), { 'd/x': '', 'd/a': 'other', 'd/a(1)': 'abc' })
  assert.equal(found.record.refused, undefined)
})

test('what has the name is replaced when the person says so, then or later', async (t) => {
  const { begin, asker, root } = await startOnFolder(t, { files: { a: 'old', b: 'old' } })
  await assert.rejects(begin('/a', { length: 3 }), { code: 'conflict' })
  const upload = await begin('/a', { length: 3, override: true })
  await upload.receive(asker(), pieceOf({ body: 'new' }))
  const later = await begin('/c', { length: 3 })
  fs.writeFileSync(join(root, 'c'), 'old')
  await assert.rejects(later.receive(asker(), pieceOf({ body: 'new' })), { code: 'conflict' })
  await later.rename(asker(), { override: true })
  assert.deepEqual(await harvest(root), { a: 'new', b: 'old', c: 'new' })
})

test('a condition that no longer holds when the last byte has come refuses the file', async (t) => {
  const { begin, asker, root, disk } = await startOnFolder(t, { files: { a: 'old' } })
  const { version } = await disk.stat(capability('read', '/a'))
  const upload = await begin('/a', { length: 3, override: true, condition: { match: [version] } })
  fs.writeFileSync(join(root, 'a'), 'changed')
  await assert.rejects(upload.receive(asker(), pieceOf({ body: 'new' })), { code: 'changed' })
  assert.equal(fs.readFileSync(join(root, 'a'), 'utf8'), 'changed')
  assert.equal(upload.record.refused?.code, 'changed')
})

test('a command of an event is asked at the beginning and at the end, and not again within ten seconds of a refusal', async (t) => {
  const { begin, asker, events, clock, root } = await startOnFolder(t)
  const asked: string[] = []
  let refuses = false
  events.before((event) => {
    if ('path' in event) asked.push(`${event.kind} ${event.path}`)
    if (refuses) throw new Failure('forbidden', 'no', { isWritten: true })
  })
  const upload = await begin('/a', { length: 3 })
  refuses = true
  await assert.rejects(begin('/b', { length: 3 }), { code: 'forbidden' })
  await assert.rejects(upload.receive(asker(), pieceOf({ body: 'abc' })), { code: 'forbidden' })
  await assert.rejects(upload.look(asker()), { code: 'forbidden' })
  assert.deepEqual(asked, ['upload /a', 'upload /b', 'upload /a'])
  clock.advance({ seconds: 11 })
  refuses = false
  await upload.look(asker())
  assert.deepEqual(await harvest(root), { a: 'abc' })
})

test('what cannot be noted is not acknowledged', async (t) => {
  let isFull = false
  const full = () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
  const store = (inner: UploadStore): UploadStore => ({
    open: () => inner.open(),
    set: (record) => (isFull ? full() : inner.set(record)),
    remove: (id) => inner.remove(id),
  })
  const { begin, asker, root, events, reports } = await startOnFolder(t, { store })
  const upload = await begin('/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  isFull = true
  // Nothing would be gained by removing something where the files are.
  events.failed((_event, error) => assert.fail(String(error)))
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 3, body: 'xyz' })), { code: 'full' })
  await upload.look(asker())
  assert.deepEqual([upload.record.offset, reports], [3, []])
  isFull = false
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { a: 'abcdef' })
})

test('a sync that fails once acknowledges nothing, also when the next one says nothing of it', async (t) => {
  let failures = 0
  const eio = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' }))
  const system: DiskSystem = { ...diskSystem, syncData: (fd) => (failures-- > 0 ? eio() : diskSystem.syncData(fd)) }
  const { begin, asker, root } = await startOnFolder(t, { system })
  const upload = await begin('/a', { length: 6 })
  await upload.receive(asker(), pieceOf({ body: 'abc' }))
  failures = 1
  await assert.rejects(upload.receive(asker(), pieceOf({ offset: 3, body: 'xyz' })), /EIO/)
  await upload.look(asker())
  assert.equal(upload.record.offset, 3)
  assert.equal(fs.statSync(join(root, fs.readdirSync(root)[0] ?? '')).size, 3)
  await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
  assert.deepEqual(await harvest(root), { a: 'abcdef' })
})

test('a large piece without a checksum is noted while it comes', async (t) => {
  const { begin, asker, root } = await startOnFolder(t)
  const mebibyte = 1 << 20
  const upload = await begin('/a', { length: 200 * mebibyte })
  let noted = 0
  async function* bytes() {
    for (let count = 0; count < 150; count++) {
      yield Buffer.alloc(mebibyte, 1)
      // Seen while it comes, and not at its end only.
      noted = upload.record.offset
      await new Promise(setImmediate)
    }
    throw new Error('the connection broke')
  }
  await assert.rejects(upload.receive(asker(), pieceOf({ body: bytes() })), /broke/)
  assert.ok(noted >= 60 * mebibyte, `${noted / mebibyte} MiB`)
  assert.equal(upload.record.offset, 150 * mebibyte)
  await upload.remove()
  assert.deepEqual(await harvest(root), {})
})

test('an upload whose right was lost while it was noted is not kept', async (t) => {
  const { begin, asker, uploads, restart } = await startOnFolder(t)
  const onKept = () => {
    throw new Failure('gone')
  }
  await assert.rejects(begin('/a', { length: 6, onKept }), { code: 'gone' })
  assert.equal(uploads.of(asker()).length, 0)
  assert.equal((await restart()).uploads.of(asker()).length, 0)
})
