// Tests of every Disk: writes in steps, versions, and aborted writes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Disk } from '../../src-server/disk/disk.ts'
import { uploadName } from '../../src-server/disk/temporary-names.ts'
import { body, brokenBody, capability } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { actions, type MakeDisk } from './disk-suite.ts'

const addOnly = { replace: false }
const replacing = { replace: true }
const resumable = { replace: false, resumable: true }

/** A body that yields one chunk and then neither ends nor yields another. */
async function* stalledBody(chunk: string, isStalled: () => void = () => {}): AsyncGenerator<Uint8Array> {
  yield Buffer.from(chunk)
  isStalled()
  await new Promise(() => {})
}

export function pendingWrites(makeDisk: MakeDisk) {
  test('a write in steps appears when it is committed, and not before', async (t) => {
    const disk = await makeDisk({}, t)
    const write = await disk.beginWrite(capability('create', '/a'), addOnly)
    await write.append(body('one '), { offset: 0 })
    await write.append(body('two ', 'three'), { offset: 4 })
    assert.equal(write.size, 13)
    assert.deepEqual(await namesIn(disk), [])
    const entry = await write.commit(capability('create', '/a'), addOnly)
    assert.deepEqual(entry, await disk.stat(capability('read', '/a')))
    assert.equal(await contentOf(disk, '/a'), 'one two three')
    await assert.rejects(write.append(body('more'), { offset: 13 }), TypeError)
  })

  test('what is appended at another offset than the size is refused', async (t) => {
    const disk = await makeDisk({}, t)
    const write = await disk.beginWrite(capability('create', '/a'), addOnly)
    await write.append(body('four'), { offset: 0 })
    for (const offset of [0, 3, 5]) await assert.rejects(write.append(body('x'), { offset }), { code: 'range' })
    assert.equal(write.size, 4)
    await write.discard()
    assert.deepEqual(await namesIn(disk), [])
  })

  test('a write goes on where a broken body ended, also after it was closed', actions(makeDisk, 'resumeWrite'), async (t) => {
    const disk = await makeDisk({}, t)
    const begun = await disk.beginWrite(capability('create', '/a'), resumable)
    await assert.rejects(begun.append(brokenBody('half'), { offset: 0 }), /the connection broke/)
    assert.equal(begun.size, 4)
    await assert.rejects(disk.resumeWrite(capability('create', '/a'), { ...resumable, name: begun.name }), { code: 'busy' })
    await begun.close()
    const resumed = await disk.resumeWrite(capability('create', '/a'), { ...resumable, name: begun.name })
    assert.equal(resumed.size, 4)
    await resumed.append(body('whole'), { offset: 4 })
    await resumed.commit(capability('create', '/a'), addOnly)
    assert.equal(await contentOf(disk, '/a'), 'halfwhole')
  })

  test('a removed write, and a file of another name, cannot be resumed', async (t) => {
    const disk = await makeDisk({ b: 'x' }, t)
    const begun = await disk.beginWrite(capability('create', '/a'), addOnly)
    await begun.discard()
    for (const name of [begun.name, 'b', '../b', '']) {
      await assert.rejects(disk.resumeWrite(capability('create', '/a'), { ...resumable, name }), { code: 'notFound' }, name)
    }
  })

  test('a commit needs a capability for the same path', async (t) => {
    const disk = await makeDisk({}, t)
    const write = await disk.beginWrite(capability('create', '/a'), addOnly)
    await assert.rejects(write.commit(capability('create', '/b'), addOnly), TypeError)
    await assert.rejects(write.commit({} as never, addOnly), TypeError)
    await write.commit(capability('create', '/a'), addOnly)
    assert.deepEqual(await namesIn(disk), ['a'])
  })

  test(
    'a name that is taken meanwhile is a conflict, and the write can be resumed',
    actions(makeDisk, 'resumeWrite'),
    async (t) => {
      const disk = await makeDisk({}, t)
      const write = await disk.beginWrite(capability('create', '/a'), resumable)
      await write.append(body('new'), { offset: 0 })
      await disk.write(capability('create', '/a'), body('old'), addOnly)
      await assert.rejects(write.commit(capability('create', '/a'), addOnly), { code: 'conflict' })
      assert.equal(await contentOf(disk, '/a'), 'old')
      const again = await disk.resumeWrite(capability('modify', '/a'), { ...replacing, name: write.name })
      await again.commit(capability('modify', '/a'), replacing)
      assert.equal(await contentOf(disk, '/a'), 'new')
    },
  )

  test(
    'a write of an unfinished upload has the wanted name, is cut, and goes on there',
    actions(makeDisk, 'resumeWrite'),
    async (t) => {
      const disk = await makeDisk({}, t)
      const [at, how] = [capability('create', '/a'), { ...resumable, forLater: true, name: uploadName('0'.repeat(32)) }]
      const begun = await disk.beginWrite(at, how)
      await begun.append(body('whole, not'), { offset: 0 })
      await begun.truncate(5)
      await begun.truncate(9)
      await begun.sync()
      assert.deepEqual([begun.size, begun.isNamed], [5, false])
      await begun.close()
      assert.deepEqual(await namesIn(disk), [])
      const again = await disk.resumeWrite(at, how)
      await again.append(body(' thing'), { offset: 5 })
      await again.commit(at, addOnly)
      assert.equal(await contentOf(disk, '/a'), 'whole thing')
    },
  )

  test('what has the name counts at the commit alone where a write is for later', actions(makeDisk, 'resumeWrite'), async (t) => {
    const disk = await makeDisk({ a: 'old' }, t)
    await assert.rejects(disk.beginWrite(capability('create', '/a'), resumable), { code: 'conflict' })
    const write = await disk.beginWrite(capability('create', '/a'), { ...resumable, forLater: true })
    await write.append(body('new'), { offset: 0 })
    await assert.rejects(write.commit(capability('create', '/a'), addOnly), { code: 'conflict' })
    const again = await disk.resumeWrite(capability('create', '/a'), { ...resumable, forLater: true, name: write.name })
    await again.commit(capability('create', '/a'), replacing)
    assert.equal(await contentOf(disk, '/a'), 'new')
  })

  test('a write in steps that is aborted ends at once; what is resumable stays', actions(makeDisk, 'resumeWrite'), async (t) => {
    const disk = await makeDisk({}, t)
    for (const how of [addOnly, resumable]) {
      const abort = new AbortController()
      const write = await disk.beginWrite(capability('create', '/a'), how, abort.signal)
      const appending = write.append(
        stalledBody('half', () => abort.abort(new Error('the client went'))),
        { offset: 0 },
      )
      await assert.rejects(appending, /the client went/)
      const resumed = until(() => disk.resumeWrite(capability('create', '/a'), { ...resumable, name: write.name }))
      if (how === addOnly) await assert.rejects(resumed, { code: 'notFound' })
      else await (await resumed).discard()
    }
  })
}

/** Retries while the aborted write is still being closed. */
async function until<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== 'busy') throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

export function versions(makeDisk: MakeDisk) {
  test('a version changes with the content, and with nothing else', async (t) => {
    const disk = await makeDisk({ a: 'old' }, t)
    const old = await versionOf(disk, '/a')
    assert.match(old, /^[!#-~]+$/)
    await disk.move(capability('rename', '/a'), capability('rename', '/b'), addOnly)
    assert.equal(await versionOf(disk, '/b'), old)
    const { version } = await disk.write(capability('modify', '/b'), body('new'), replacing)
    assert.notEqual(version, old)
    assert.equal(await versionOf(disk, '/b'), version)
  })

  test('a file is replaced only in the version that was asked for', async (t) => {
    const disk = await makeDisk({ a: 'old' }, t)
    const ifVersion = await versionOf(disk, '/a')
    await disk.write(capability('modify', '/a'), body('newer'), { replace: true, ifVersion })
    await assert.rejects(disk.write(capability('modify', '/a'), body('lost'), { replace: true, ifVersion }), { code: 'changed' })
    await assert.rejects(disk.write(capability('create', '/b'), body('lost'), { replace: true, ifVersion }), { code: 'changed' })
    assert.equal(await contentOf(disk, '/a'), 'newer')
    assert.deepEqual(await namesIn(disk), ['a'])
  })

  test('of two writes that replace the same version one fails because it has changed', async (t) => {
    const disk = await makeDisk({ a: 'old' }, t)
    const ifVersion = await versionOf(disk, '/a')
    const writes = ['first', 'second'].map((text) =>
      disk.write(capability('modify', '/a'), body(text), { replace: true, ifVersion }),
    )
    const outcomes = await Promise.allSettled(writes)
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    assert.equal(refused?.reason.code, 'changed')
  })
}

export function aborting(makeDisk: MakeDisk) {
  test('an upload that is aborted while it waits for bytes ends at once, and leaves nothing', async (t) => {
    const disk = await makeDisk({ 'd/': '' }, t)
    const abort = new AbortController()
    const stalled = stalledBody('half', () => abort.abort(new Error('the client went')))
    await assert.rejects(disk.write(capability('create', '/d/a'), stalled, addOnly, abort.signal), /the client went/)
    assert.deepEqual(await namesIn(disk, '/d'), [])
    await disk.remove(capability('delete', '/d'))
  })

  test('a change whose signal is aborted is not begun', async (t) => {
    const disk = await makeDisk({ a: 'x', l: { link: 'a' } }, t)
    const signal = AbortSignal.abort(new Error('the client went'))
    const changes = [
      () => disk.write(capability('create', '/b'), body('x'), addOnly, signal),
      () => disk.beginWrite(capability('create', '/b'), addOnly, signal),
      () => disk.makeFolder(capability('create', '/b'), undefined, signal),
      () => disk.copyLink(capability('download', '/l'), capability('create', '/b'), signal),
      () => disk.remove(capability('delete', '/a'), signal),
      () => disk.move(capability('rename', '/a'), capability('rename', '/b'), addOnly, signal),
    ]
    for (const change of changes) await assert.rejects(async () => change(), /the client went/)
    assert.deepEqual(await namesIn(disk), ['a', 'l'])
  })
}

async function versionOf(disk: Disk, path: string) {
  return (await disk.stat(capability('read', path))).version
}
