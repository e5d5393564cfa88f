// What is kept of unfinished uploads beside the state.
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { UploadFiles } from '../../src-server/state/upload-files.ts'
import type { UploadRecord } from '../../src-server/state/upload-store.ts'
import { temporaryFolder } from '../support/start-state.ts'

const [first, second] = ['1'.repeat(32), '2'.repeat(32)] as const
const record = (id: string, more: Partial<UploadRecord> = {}): UploadRecord => ({
  ...{ id, userId: 1, path: '/a/b', length: 5, startedAt: 1, changedAt: 2, offset: 3, isCompared: false },
  ...more,
})

function start(t: TestContext) {
  const folder = temporaryFolder(t)
  const reported: string[] = []
  const open = (system?: DiskSystem) =>
    new UploadFiles({ stateFile: join(folder, 'state.json'), report: (path) => reported.push(path), ...(system && { system }) })
  return { open, reported, below: join(folder, 'state.json.uploads') }
}

test('records survive, with all that is known of them, until they are removed', async (t) => {
  const { open, reported } = start(t)
  const store = open()
  assert.deepEqual(await store.open(), [])
  const refused = { code: 'conflict', template: 'the name is taken', about: { name: 'b' } }
  const whole = record(first, {
    ...{ override: true, condition: { match: ['1a'], noneMatch: 'any' }, metadata: 'name YQ==', actKey: 'act' },
    ...{ sealed: '1b', refused, finishedAt: 9 },
  })
  await store.set(record(first))
  await store.set(whole)
  await store.set(record(second))
  assert.deepEqual(await open().open(), [whole, record(second)])
  await store.remove(first)
  await store.remove(first)
  assert.deepEqual(await open().open(), [record(second)])
  assert.deepEqual(reported, [])
})

test('what cannot be read is reported and left out, and so is a copy under another name', async (t) => {
  const { open, reported, below } = start(t)
  await open().set(record(first))
  copyFileSync(join(below, `${first}.json`), join(below, `${second}.json`))
  writeFileSync(join(below, 'half.json'), '{"id":"')
  writeFileSync(join(below, 'wrong.json'), JSON.stringify(record(second, { offset: -1 })))
  assert.deepEqual(await open().open(), [record(first)])
  assert.deepEqual(reported.sort(), [join(below, 'half.json'), join(below, 'wrong.json')])
  assert.equal(readdirSync(below).length, 4)
})

/** Tells the calls that make something durable. */
function told(more: Partial<DiskSystem> = {}) {
  const calls: string[] = []
  const all = { ...diskSystem, ...more }
  const telling = (name: 'sync' | 'syncData' | 'rename') => {
    return (...given: unknown[]) => {
      calls.push(name)
      return (all[name] as (...given: unknown[]) => Promise<void>)(...given)
    }
  }
  const system = { ...all, sync: telling('sync'), syncData: telling('syncData'), rename: telling('rename') }
  return { system, calls: () => calls.splice(0) }
}

test('the offset after a piece is one sync of bytes in place, and all of it is written when the upload is over', async (t) => {
  const { open, below } = start(t)
  const { system, calls } = told()
  const store = open(system)
  const file = join(below, `${first}.json`)
  const long = record(first, { length: 1000, path: `/${'ä'.repeat(3000)}` })
  await store.set(long)
  await store.set({ ...long, offset: 4 })
  calls()
  const { size, ino } = statSync(file)
  for (let offset = 5; offset < 500; offset++) await store.set({ ...long, offset, changedAt: offset, isCompared: true })
  const lines = calls()
  assert.ok(lines.filter((call) => call === 'rename').length < 15, String(lines))
  assert.deepEqual(await open().open(), [{ ...long, offset: 499, changedAt: 499, isCompared: true }])
  await store.set({ ...long, offset: 500 })
  assert.deepEqual([calls(), statSync(file).size], [['syncData'], size])
  assert.notEqual(statSync(file).ino, ino)
  assert.deepEqual(await open().open(), [{ ...long, offset: 500 }])
  const moved = { ...long, offset: 500, movingTo: '/c' }
  await store.set(moved)
  assert.deepEqual(calls(), ['sync', 'rename', 'sync'])
  assert.deepEqual(await open().open(), [moved])
  await store.set({ ...moved, offset: 1000 })
  await store.set({ ...moved, offset: 1000, finishedAt: 9 })
  assert.equal(readFileSync(file, 'utf8').includes('\n'), false)
  assert.deepEqual(await open().open(), [{ ...moved, offset: 1000, finishedAt: 9 }])
})

test('of an offset that a power failure has torn the one before it counts', async (t) => {
  const { open, below, reported } = start(t)
  const store = open()
  for (const offset of [3, 30, 31, 32]) await store.set(record(first, { length: 1000, offset }))
  const file = join(below, `${first}.json`)
  const whole = readFileSync(file)
  const [at, end] = [whole.lastIndexOf('{'), whole.lastIndexOf('}') + 1]
  for (const torn of [Buffer.alloc(4), Buffer.from('\xff\xff'), Buffer.from('{"of')]) {
    const part = Buffer.concat([torn, Buffer.alloc(end - at - torn.length)])
    writeFileSync(file, Buffer.concat([whole.subarray(0, at), part, whole.subarray(end)]))
    assert.deepEqual(await open().open(), [record(first, { length: 1000, offset: 31 })])
  }
  assert.deepEqual(reported, [])
})

test('after an offset that could not be synced the whole record is written, and by whoever has not written it', async (t) => {
  const { open } = start(t)
  let fails = false
  const failing = Object.assign(new Error('EIO'), { code: 'EIO' })
  const { system, calls } = told({ syncData: (fd) => (fails ? Promise.reject(failing) : diskSystem.syncData(fd)) })
  const store = open(system)
  const at = (offset: number) => record(first, { length: 1000, offset })
  for (const offset of [3, 30, 31]) await store.set(at(offset))
  calls()
  fails = true
  await store.set(at(32))
  assert.deepEqual(calls(), ['syncData', 'sync', 'rename', 'sync'])
  assert.deepEqual(await open().open(), [at(32)])
  fails = false
  const next = open(system)
  await next.open()
  await next.set(at(33))
  // The first of them syncs the folder of the state.
  assert.deepEqual(calls(), ['sync', 'sync', 'rename', 'sync'])
  assert.deepEqual(await open().open(), [at(33)])
})
