// How content is written to a local disk: in large blocks, and without gaps.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { fullSystem } from '../support/full-system.ts'
import { namesIn } from '../support/in-disk.ts'
import { openBelow } from '../support/open-below.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest } from '../support/tree.ts'
import { untilStill } from '../support/until-still.ts'

const addOnly = { replace: false }
const mebibyte = 1 << 20

/** Bytes of which no two blocks are equal. */
function pattern(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at)
  return bytes
}

async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function systemError(code: string, syscall: string) {
  return Object.assign(new Error(`${code}: simulated failure`), { code, syscall })
}

test('an upload of many chunks is written in blocks of 1 MiB, two at a time', async (t) => {
  const sizes: number[] = []
  let running = 0
  let most = 0
  const system: DiskSystem = {
    ...diskSystem,
    writev: async (fd, chunks, position) => {
      sizes.push(chunks.reduce((sum, { length }) => sum + length, 0))
      most = Math.max(most, ++running)
      const written = await diskSystem.writev(fd, chunks, position)
      running--
      return written
    },
  }
  const { disk, root } = await openDisk(t, { options: () => ({ system }) })
  const bytes = pattern(5 * mebibyte + 1000)
  await disk.write(capability('create', '/f'), pieces(bytes, 65_536), addOnly)
  assert.deepEqual(sizes, [mebibyte, mebibyte, mebibyte, mebibyte, mebibyte, 1000])
  assert.ok(most <= 2, `${most} writes at a time`)
  assert.ok(fs.readFileSync(join(root, 'f')).equals(bytes))
})

test('the rest of a partial write is written again', async (t) => {
  const system: DiskSystem = {
    ...diskSystem,
    writev: (fd, chunks, position) => diskSystem.writev(fd, [(chunks[0] as Uint8Array).subarray(0, 30_000)], position),
  }
  const { disk, root } = await openDisk(t, { options: () => ({ system }) })
  const bytes = pattern(2 * mebibyte + 77)
  await disk.write(capability('create', '/f'), pieces(bytes, 50_000), addOnly)
  assert.ok(fs.readFileSync(join(root, 'f')).equals(bytes))
})

test('a large upload is synced while it is written, and again before it is named', async (t) => {
  const calls: string[] = []
  const note = (call: string) => {
    if (calls.at(-1) !== call) calls.push(call)
  }
  const system: DiskSystem = {
    ...diskSystem,
    writev: async (_, chunks) => {
      note('write')
      return chunks.reduce((sum, { length }) => sum + length, 0)
    },
    syncData: async () => note('syncData'),
    sync: async (fd) => note(fs.fstatSync(fd).isFile() ? 'sync file' : 'sync folder'),
    link: async (from, to) => {
      note('link')
      await diskSystem.link(from, to)
    },
  }
  const { disk } = await openDisk(t, { options: () => ({ system }) })
  const chunk = Buffer.alloc(mebibyte)
  const chunks = Array.from({ length: 130 }, () => chunk)
  await disk.write(capability('create', '/f'), body(...chunks), addOnly)
  assert.deepEqual(calls, ['write', 'syncData', 'write', 'syncData', 'write', 'sync file', 'link', 'sync folder'])
})

for (const call of ['writev', 'syncData'] as const) {
  test(`an upload ends when ${call} fails beside it, and leaves nothing`, async (t) => {
    let read = 0
    const system: DiskSystem = { ...diskSystem, [call]: () => Promise.reject(systemError('ENOSPC', call)) }
    const { disk, root } = await openDisk(t, { options: () => ({ system }) })
    const endless = async function* () {
      const chunk = Buffer.alloc(mebibyte)
      for (; read < 1000; read++) yield chunk
    }
    await assert.rejects(disk.write(capability('create', '/f'), endless(), addOnly), { code: 'full' })
    assert.ok(read < 1000, `${read} MiB were read`)
    assert.deepEqual(await harvest(root), {})
  })
}

test('what is resumed after a failed write has no gap', async (t) => {
  let writes = 0
  const system: DiskSystem = {
    ...diskSystem,
    writev: (fd, chunks, position) => {
      if (++writes === 2) return Promise.reject(systemError('EIO', 'write'))
      return diskSystem.writev(fd, chunks, position)
    },
  }
  const { disk, root } = await openDisk(t, { options: () => ({ system }) })
  const bytes = pattern(4 * mebibyte)
  const resumable = { replace: false, resumable: true }
  const begun = await disk.beginWrite(capability('create', '/f'), resumable)
  await assert.rejects(begun.append(pieces(bytes, mebibyte), { offset: 0 }), { code: 'EIO' })
  assert.equal(begun.size, mebibyte)
  await begun.close()
  const resumed = await disk.resumeWrite(capability('create', '/f'), { ...resumable, name: begun.name })
  await resumed.append(pieces(bytes.subarray(resumed.size), mebibyte), { offset: resumed.size })
  await resumed.commit(capability('create', '/f'), addOnly)
  assert.ok(fs.readFileSync(join(root, 'f')).equals(bytes))
})

test('a write in steps keeps its folder and its disk open until its end', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/': '' } })
  const write = await disk.beginWrite(capability('create', '/d/f'), addOnly)
  disk.close()
  await write.append(body('x'), { offset: 0 })
  await write.commit(capability('create', '/d/f'), addOnly)
  assert.deepEqual(await harvest(root), { 'd/f': 'x' })
  // The root of the disk is closed too.
  assert.deepEqual(openBelow(root), [])
})

test('a write in steps whose folder was moved is not committed to it', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/': '' } })
  const write = await disk.beginWrite(capability('create', '/d/f'), addOnly)
  await disk.move(capability('rename', '/d'), capability('rename', '/e'), addOnly)
  await disk.makeFolder(capability('create', '/d'))
  await assert.rejects(write.commit(capability('create', '/d/f'), addOnly), { code: 'conflict' })
  await write.discard()
  assert.deepEqual(await harvest(root), { 'd/': '', 'e/': '' })
})

test('handles are closed when an upload is aborted', async (t) => {
  const { disk, root } = await openDisk(t)
  const before = openBelow(root)
  const abort = new AbortController()
  const stalled = async function* () {
    yield Buffer.from('half')
    abort.abort(new Error('the client went'))
    await new Promise(() => {})
  }
  await assert.rejects(disk.write(capability('create', '/f'), stalled(), addOnly, abort.signal), /the client went/)
  assert.deepEqual(openBelow(root), before)
})

test('the temporary file of a stalled upload does not keep an empty folder from being deleted', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/': '' } })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const isStalled = Promise.withResolvers<void>()
  const stalled = async function* () {
    yield* [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)]
    isStalled.resolve()
    await new Promise(() => {})
  }
  const upload = disk.write(capability('create', '/d/f'), stalled(), addOnly)
  const outcome = assert.rejects(upload, { code: 'notFound' })
  await isStalled.promise
  await assert.rejects(disk.remove(capability('delete', '/d')), { code: 'conflict' }, 'a byte came a moment ago')
  t.mock.timers.tick(31_000)
  await disk.remove(capability('delete', '/d'))
  await outcome
  assert.deepEqual(await namesIn(disk), [])
  assert.deepEqual(await harvest(root), {})
})

test('an upload that waits for room never counts as stalled, and waits for its next byte from then on', async (t) => {
  const { system, space } = fullSystem()
  const { disk, root } = await openDisk(t, { files: { 'd/': '' }, options: () => ({ system }) })
  const [isRoom, isTold, isStalled] = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const makeRoom = async () => {
    await isRoom?.promise
    return 'freed' as const
  }
  // Two are being written while a third is taken.
  const stalled = async function* () {
    yield* [Buffer.alloc(mebibyte), Buffer.alloc(mebibyte)]
    isTold?.resolve()
    yield Buffer.alloc(mebibyte)
    isStalled?.resolve()
    await new Promise(() => {})
  }
  space.isFull = true
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const upload = disk.write(capability('create', '/d/f'), stalled(), { ...addOnly, makeRoom })
  const outcome = assert.rejects(upload, { code: 'notFound' })
  const remove = () => disk.remove(capability('delete', '/d'))
  await isTold?.promise
  // The third is taken.
  await new Promise((resolve) => setImmediate(resolve))
  t.mock.timers.tick(31_000)
  await assert.rejects(remove(), { code: 'conflict' })
  space.isFull = false
  isRoom?.resolve()
  await isStalled?.promise
  await assert.rejects(remove(), { code: 'conflict' })
  t.mock.timers.tick(31_000)
  await remove()
  await outcome
  assert.deepEqual(await harvest(root), {})
})

test('more is appended to small content after that could not be written before it', async (t) => {
  const { system, space } = fullSystem()
  const { disk, root } = await openDisk(t, { options: () => ({ system }) })
  const write = await disk.beginWrite(capability('create', '/f'), addOnly)
  await write.append(body('small, '), { offset: 0 })
  space.isFull = true
  await assert.rejects(write.append(body('large'), { offset: 7 }), { code: 'full' })
  space.isFull = false
  await write.append(body('large'), { offset: 7 })
  await write.commit(capability('create', '/f'), addOnly)
  assert.deepEqual(await harvest(root), { f: 'small, large' })
})

test('an upload that is being synced never counts as stalled', async (t: TestContext) => {
  let duringSync = async () => {}
  const system: DiskSystem = {
    ...diskSystem,
    sync: async (fd) => {
      if (fs.fstatSync(fd).isFile()) await duringSync()
      await diskSystem.sync(fd)
    },
  }
  const { disk, root } = await openDisk(t, { files: { 'd/': '' }, options: () => ({ system }) })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  duringSync = async () => {
    t.mock.timers.tick(600_000)
    await assert.rejects(disk.remove(capability('delete', '/d')), { code: 'conflict' })
  }
  await disk.write(capability('create', '/d/f'), body('x'), addOnly)
  assert.deepEqual(await harvest(root), { 'd/f': 'x' })
})

test('a file that is removed while it is opened again is not resumed', async (t) => {
  const discarded = Promise.withResolvers<void>()
  const isOpened = Promise.withResolvers<void>()
  const system: DiskSystem = {
    ...diskSystem,
    open: async (path, flags, mode) => {
      const fd = await diskSystem.open(path, flags, mode)
      if (!String(path).endsWith('.part') || flags & fs.constants.O_CREAT) return fd
      isOpened.resolve()
      await discarded.promise
      return fd
    },
  }
  const { disk } = await openDisk(t, { options: () => ({ system }) })
  const write = await disk.beginWrite(capability('create', '/a'), { ...addOnly, resumable: true })
  const resuming = disk.resumeWrite(capability('create', '/a'), { ...addOnly, name: write.name })
  const outcome = assert.rejects(resuming, { code: 'notFound' })
  await isOpened.promise
  await write.discard()
  discarded.resolve()
  await outcome
})

test('a file that was written within a tick of the system has its version only when the tick is over', async (t) => {
  const { disk, root } = await openDisk(t)
  // In whole seconds, which a file keeps exactly.
  const written = 1_700_000_000_000
  let now = written
  t.mock.method(Date, 'now', () => now)
  for (const [index, ask] of [
    () => disk.stat(capability('read', '/f')),
    async () => {
      const file = await disk.open(capability('download', '/f'))
      await file.close()
      return file
    },
  ].entries()) {
    // As a system does that stamps files by ticks: the second content has the time of the first.
    const write = (content: string) => {
      fs.writeFileSync(join(root, 'f'), content)
      fs.utimesSync(join(root, 'f'), written / 1000, written / 1000)
    }
    write(`first ${index}`)
    now = written + 19
    let isAnswered = false
    const asked = ask().finally(() => {
      isAnswered = true
    })
    await untilStill()
    assert.equal(isAnswered, false)
    write(`other ${index}`)
    now = written + 20
    const { version } = await asked
    assert.equal((await disk.stat(capability('read', '/f'))).version, version)
  }
})

test('an unchanged file keeps its version when the timer for the end of the tick is early by the clock', async (t) => {
  const { disk, root } = await openDisk(t)
  fs.writeFileSync(join(root, 'f'), 'content')
  const written = Date.now() - 18
  fs.utimesSync(join(root, 'f'), written / 1000, written / 1000)
  const end = performance.now() + 30
  t.mock.method(Date, 'now', () => written + (performance.now() < end ? 18 : 100))
  const { version } = await disk.stat(capability('read', '/f'))
  assert.notEqual(version, '')
  assert.equal((await disk.stat(capability('read', '/f'))).version, version)
})

test('what a write gives a file as its time is not the time of a tick, which another program could repeat', async (t) => {
  const times: number[] = []
  const setTimes: DiskSystem['setTimes'] = (fd, accessed, modified) => {
    times.push(modified)
    return diskSystem.setTimes(fd, accessed, modified)
  }
  const { disk } = await openDisk(t, { options: () => ({ system: { ...diskSystem, setTimes } }) })
  const before = Date.now()
  const made = await disk.write(capability('create', '/f'), body('one'), addOnly)
  const saved = await disk.write(capability('modify', '/f'), body('two'), { replace: true })
  assert.equal(new Set(times).size, 2)
  for (const time of times) assert.ok(time * 1000 >= before - 1 && time * 1000 <= Date.now() + 1)
  for (const [index, { modified }] of [made, saved].entries())
    assert.ok(Math.abs(Number(modified) / 1e9 - (times[index] ?? 0)) < 1e-5)
  assert.equal((await disk.stat(capability('read', '/f'))).version, saved.version)
})

test('a copy of a copy has the time of the first file, to the microsecond', async (t) => {
  const { disk, root } = await openDisk(t)
  const microsecondsOf = (name: string) => fs.statSync(join(root, name), { bigint: true }).mtimeNs / 1000n
  const copy = async (from: string, to: string) => {
    const like = await disk.stat(capability('read', from))
    await disk.copyFile(capability('download', from), capability('create', to), { replace: true, like })
  }
  for (let microsecond = 0; microsecond < 20; microsecond++) {
    fs.writeFileSync(join(root, 'a'), 'content')
    fs.utimesSync(join(root, 'a'), 1, 1_795_707_577 + microsecond / 1e6)
    await copy('/a', '/b')
    await copy('/b', '/c')
    assert.deepEqual([microsecondsOf('b'), microsecondsOf('c')], [microsecondsOf('a'), microsecondsOf('a')])
  }
})

test('a write whose signal is aborted while the content gets its name has it, and closes its file once', async (t) => {
  const abort = new AbortController()
  const closed: number[] = []
  const system: DiskSystem = {
    ...diskSystem,
    sync: async (fd) => {
      abort.abort(new Error('the client went'))
      await diskSystem.sync(fd)
    },
    close: async (fd) => {
      closed.push(fd)
      await diskSystem.close(fd)
    },
  }
  const { disk, root } = await openDisk(t, { options: () => ({ system }) })
  const write = await disk.beginWrite(capability('create', '/f'), addOnly, abort.signal)
  await write.append(pieces(pattern(2 * mebibyte), mebibyte), { offset: 0 })
  await write.commit(capability('create', '/f'), addOnly)
  assert.deepEqual(Object.keys(await harvest(root)), ['f'])
  // The file, and the folder, which was synced.
  assert.equal(closed.length, 2)
})
