// The content of an unfinished upload on a local disk: what is durable of it, and what a commit leaves that was broken off.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { beginInstallation, uploadName } from '../../src-server/disk/temporary-names.ts'
import { body, capability } from '../support/capabilities.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest, temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const mebibyte = 1 << 20
const at = capability('create', '/a')
const addOnly = { replace: false }

/** A disk with an upload that has begun. */
async function start(
  t: TestContext,
  options: { system?: DiskSystem; makeSystem?(root: string): DiskSystem; files?: Record<string, string> } = {},
) {
  beginInstallation('0123abcd')
  t.after(() => beginInstallation(''))
  const how = { replace: false, resumable: true, forLater: true, name: uploadName('a'.repeat(32)) }
  const opened = await openDisk(t, {
    files: options.files ?? {},
    options: ({ root }) => ({ system: options.makeSystem?.(root) ?? options.system ?? diskSystem }),
  })
  return { ...opened, how, write: await opened.disk.beginWrite(at, how), resume: () => opened.disk.resumeWrite(at, how) }
}

test('once it is synced, the content and its hidden name survive a power cut', async (t) => {
  let faulty: FaultyDisk | undefined
  const makeSystem = (root: string) => {
    faulty = new FaultyDisk(root)
    t.after(() => faulty?.close())
    return faulty.system
  }
  const { write, how } = await start(t, { makeSystem })
  await write.append(body('acknowledged'), { offset: 0 })
  await write.sync()
  await write.append(body(' and not'), { offset: 12 })
  const folder = await temporaryFolder(t)
  faulty?.afterPowerCut(folder, 'nothing')
  assert.deepEqual(await harvest(folder), { [how.name]: 'acknowledged' })
  await write.close()
})

test('what is told to be durable was written before the sync began', async (t) => {
  const synced: number[] = []
  let size = 0
  const system: DiskSystem = {
    ...diskSystem,
    syncData: (fd) => {
      size = fs.fstatSync(fd).size
      return diskSystem.syncData(fd)
    },
  }
  const { write } = await start(t, { system })
  async function* bytes() {
    for (let piece = 0; piece < 200; piece++) yield Buffer.alloc(mebibyte, piece)
  }
  const onSynced = (told: number) => {
    assert.ok(told <= size, `${told} of ${size} bytes`)
    synced.push(told / mebibyte)
  }
  await write.append(bytes(), { offset: 0, onSynced })
  assert.ok(synced.length >= 2 && synced.every((told) => told >= 15), String(synced))
  await write.discard()
})

test('what is told to be durable has a hidden name that is, which is synced once', async (t) => {
  let folderSyncs = 0
  const system: DiskSystem = {
    ...diskSystem,
    sync: async (fd) => {
      await diskSystem.sync(fd)
      folderSyncs++
    },
  }
  const { write, disk, how } = await start(t, { system })
  async function* bytes() {
    for (let piece = 0; piece < 80; piece++) yield Buffer.alloc(mebibyte, piece)
  }
  const told: number[] = []
  await write.append(bytes(), { offset: 0, onSynced: () => told.push(folderSyncs) })
  await write.sync()
  assert.ok(told.length > 0 && told.every((syncs) => syncs === 1), String(told))
  assert.equal(folderSyncs, 1)
  const { size } = write
  await write.close()
  const again = await disk.resumeWrite(at, { ...how, isNameDurable: true })
  await again.append(body('more'), { offset: size })
  await again.sync()
  assert.equal(folderSyncs, 1)
  await again.discard()
})

test('what comes slowly is synced every half minute', async (t) => {
  const { write } = await start(t)
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  const synced: number[] = []
  async function* bytes() {
    for (let piece = 0; piece < 6; piece++) {
      yield Buffer.alloc(mebibyte)
      now += 11_000
      await until(() => synced.length === Math.floor(piece / 3), 'it is synced when the next piece was written')
    }
  }
  await write.append(bytes(), { offset: 0, onSynced: (size) => synced.push(size / mebibyte) })
  assert.deepEqual(synced, [3])
  await write.discard()
})

test('a sync that failed makes what is appended fail, and tells nothing', async (t) => {
  const system: DiskSystem = { ...diskSystem, syncData: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) }
  const { write } = await start(t, { system })
  async function* bytes() {
    for (let piece = 0; piece < 130; piece++) yield Buffer.alloc(mebibyte)
  }
  const onSynced = () => assert.fail('it is not durable')
  await assert.rejects(write.append(bytes(), { offset: 0, onSynced }), /EIO/)
  await assert.rejects(write.sync(), /EIO/)
  await write.discard()
})

test('content that has another name too is not written to, and loses its hidden name only', async (t) => {
  const { write, resume, root, how } = await start(t)
  await write.append(body('whole'), { offset: 0 })
  await write.close()
  fs.linkSync(join(root, how.name), join(root, 'a'))
  const again = await resume()
  assert.equal(again.isNamed, true)
  await assert.rejects(again.append(body('x'), { offset: 5 }), { code: 'conflict' })
  await assert.rejects(again.truncate(0), { code: 'conflict' })
  await again.discard()
  assert.deepEqual(await harvest(root), { a: 'whole' })
})

test('the version that the file will have is told once its content is durable, and before it has its name', async (t) => {
  const { write, root, disk } = await start(t)
  await write.append(body('whole'), { offset: 0 })
  let sealed = ''
  const onSealed = async (version: string) => {
    assert.equal(fs.existsSync(join(root, 'a')), false)
    sealed = version
  }
  const { version } = await write.commit(at, { ...addOnly, onSealed })
  assert.equal(version, sealed)
  assert.equal((await disk.stat(capability('read', '/a'))).version, sealed)
})

test('what cannot be sealed gets no name, and can be gone on with', async (t) => {
  for (const files of [{}, { a: 'old' }]) {
    const { write, root, resume, how } = await start(t, { files })
    await write.append(body('whole'), { offset: 0 })
    const onSealed = () => Promise.reject(new Failure('full'))
    await assert.rejects(write.commit(at, { replace: 'a' in files, onSealed }), { code: 'full' })
    assert.deepEqual(await harvest(root), { ...files, [how.name]: 'whole' })
    await (await resume()).commit(at, { replace: 'a' in files })
    assert.deepEqual(await harvest(root), { a: 'whole' })
  }
})

test('a commit over a read-only file that was refused leaves content that can be gone on with', async (t) => {
  const { write, root, resume, how } = await start(t, { files: { a: 'old' } })
  await write.append(body('whole'), { offset: 0 })
  fs.chmodSync(join(root, 'a'), 0o444)
  await assert.rejects(write.commit(at, { replace: true, ifVersion: '0' }), { code: 'changed' })
  assert.equal(fs.statSync(join(root, how.name)).mode & 0o777, 0o444)
  const again = await resume()
  await again.append(body('!'), { offset: 5 })
  await again.commit(at, { replace: true })
  assert.deepEqual(await harvest(root), { a: 'whole!' })
})

test('an interruption that comes before anything is appended counts', async (t) => {
  const { write, disk } = await start(t)
  t.after(() => write.close())
  await assert.rejects(disk.resumeWrite(at, { replace: false, resumable: true, name: write.name }), { code: 'busy' })
  const { interruptWrite } = await import('../../src-server/disk/temporary-names.ts')
  interruptWrite(write.name, new Error('the folder was deleted'))
  await assert.rejects(write.append(body('x'), { offset: 0 }), /the folder was deleted/)
})
