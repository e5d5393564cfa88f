// What an archive that is extracted may take of the disk, of the time and of the places of others, and that it leaves nothing of what
// did not come about.
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { ArchiveNames } from '../../src-server/archives/archive-names.ts'
import { Budget } from '../../src-server/archives/budget.ts'
import { entryParts } from '../../src-server/archives/entry-name.ts'
import type { UnpackedEntry } from '../../src-server/archives/unpacked-entry.ts'
import { zipUnpacker } from '../../src-server/archives/zip-reader.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { folderMoved } from '../../src-server/disk/place-locks.ts'
import { Events } from '../../src-server/events/events.ts'
import { ExtractedEntries, named } from '../../src-server/files/extract-entries.ts'
import { ExtractSpace } from '../../src-server/files/extract-space.ts'
import { type TarPart, tarOf } from '../support/attack-tar.ts'
import { zipOf } from '../support/attack-zip.ts'
import { principal } from '../support/capabilities.ts'
import { fullSystem } from '../support/full-system.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { openDisk } from '../support/open-disk.ts'
import { isLong } from '../support/scale.ts'
import { type AppSetup, deny, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

const key = 'an-archive-with-limits'

async function start(t: TestContext, archive: Uint8Array, setup: AppSetup = {}) {
  const app = await startApp(t, { files: { 't/x': 'X', 'old.zip': archive }, ...setup })
  const calls = await app.as('ann')
  const history = historyCalls(app.url, calls)
  const jobs = jobCalls(history.act(key))
  const extract = (asked: object = {}) => jobs.start({ kind: 'extract', entries: ['/old.zip'], to: '/t', ...asked })
  const refusals = async (asked: object = {}) =>
    (await extract(asked)).job.failures.map(({ code, refusal }) => refusal?.code ?? code)
  return { app, history, extract, refusals, all: () => harvest(app.root) }
}

const megabyte = 'M'.repeat(1e6)

function withFree(t: TestContext, free: number) {
  const usage = { total: 1e12, free, device: 'one' }
  t.mock.method(Disk.prototype, 'usage', async () => ({ ...usage }))
  return usage
}

/** Holds what is written at the paths that are asked for. */
function holdWriting(t: TestContext, isHeld: (path: string) => boolean) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { write } = Disk.prototype
  t.mock.method(Disk.prototype, 'write', async function (this: Disk, ...asked: Parameters<Disk['write']>) {
    if (isHeld(Capability.check(asked[0], 'create').path)) {
      reached.resolve()
      await released.promise
    }
    return write.apply(this, asked)
  })
  t.after(() => released.resolve())
  return { reached: reached.promise, release: () => released.resolve() }
}

test('copies of hard links take no more of the disk than is to be kept free', async (t) => {
  const links = Array.from({ length: 20 }, (_, index): TarPart => ({ name: `${index}`, type: '1', link: 'a' }))
  const { refusals, all } = await start(t, tarOf([{ name: 'a', content: megabyte }, ...links]))
  const usage = withFree(t, 22e6)
  for (const name of ['write', 'copyFile'] as const) {
    const work = Disk.prototype[name] as (...asked: unknown[]) => Promise<unknown>
    t.mock.method(Disk.prototype, name, function (this: Disk, ...asked: unknown[]) {
      usage.free -= megabyte.length
      return work.apply(this, asked)
    })
  }
  const before = Object.keys(await all())
  assert.deepEqual([await refusals(), Object.keys(await all())], [['full'], before])
  usage.free = 23e6
  assert.deepEqual(await refusals(), [])
})

test('an archive leaves to others that are being extracted what they need', async (t) => {
  const archive = zipOf([
    { name: 'a', content: megabyte },
    { name: 'b', content: megabyte },
  ])
  const { app, extract, refusals } = await start(t, archive, { users: { ann: {}, bob: {} } })
  const usage = withFree(t, 4e6)
  const held = holdWriting(t, (path) => path.startsWith('/t/'))
  const begun = extract()
  await held.reached
  app.clock.advance({ seconds: 1 })
  await begun
  const bob = jobCalls(await app.as('bob'))
  const asked = { kind: 'extract', entries: ['/old.zip'], to: '/u' }
  assert.deepEqual(
    (await bob.start(asked)).job.failures.map(({ code }) => code),
    ['full'],
  )
  usage.free = 5e6
  assert.deepEqual((await bob.start(asked)).job.failures, [])
  held.release()
  assert.deepEqual(await refusals({ to: '/v' }), [])
})

test('the disk is asked again now and then, and the archive is compared', async () => {
  const usage = { total: 10e9, free: 2e9 }
  let asked = 0
  const disk = { usage: async () => usage } as unknown as Disk
  const context = { principal: principal(), disk, signal: new AbortController().signal }
  const space = new ExtractSpace({ context, folder: parsePath('/'), spare: 5, onAsked: async () => void asked++ }, 1.5e9)
  const piece = 2 ** 24
  await space.during(async () => {
    for (let count = 0; count < 15; count++) await space.take(piece)
    assert.deepEqual([asked, space.left.bytes], [0, 1.5e9 - 15 * piece])
    usage.free = 1.2e9
    await assert.rejects(space.take(piece), { code: 'full' })
    usage.free = 1.4e9
    await space.take(16 * piece)
    assert.equal(asked, 2)
    await space.add(1e6)
    await assert.rejects(space.add(2e9), { code: 'full' })
  })
  const tooMuch = new ExtractSpace({ context, folder: parsePath('/'), spare: 5 }, 1.35e9)
  await assert.rejects(
    tooMuch.during(async () => assert.fail()),
    { code: 'full' },
  )
})

test('others leave room to an archive while it is extracted', async (t) => {
  const { disk } = await openDisk(t, { files: { 'old.zip': zipOf([{ name: 'a', content: megabyte }]) } })
  const seen: number[] = []
  const reserve = (_path: string, _writer: number, left: { bytes: number }) => {
    seen.push(left.bytes)
    return () => void seen.push(left.bytes)
  }
  const trash = { trash: { saves: { stop: () => {} } }, settings: { isOn: false }, reserve } as never
  await userFilesOn(disk, { trash }).extract(parsePath('/old.zip'), parsePath('/t'), { onGiving: async () => {} })
  assert.deepEqual(seen, [1e6, 0])
})

test('an archive that is made of entries empties nobody’s trash, as it is not known how long it will be', async (t) => {
  const { system, space } = fullSystem()
  const { disk, root } = await openDisk(t, { files: { a: megabyte }, options: () => ({ system }) })
  let asked = 0
  const makeRoom = async () => {
    asked++
    return 'none'
  }
  const parts = { trash: { saves: { stop: () => {}, begin: () => undefined } }, settings: { isOn: false } }
  const trash = { ...parts, makeRoom, reserve: () => () => {} } as never
  space.isFull = true
  const made = userFilesOn(disk, { trash }).compress(parsePath('/a.tar'), {
    ...{ sources: [parsePath('/a')], format: 'tar', onSealed: async () => {} },
  })
  await assert.rejects(made, { code: 'full' })
  assert.deepEqual([asked, Object.keys(await harvest(root))], [0, ['a']])
})

test('one person has one place among those who extract, and who is asked before has none', async (t) => {
  const archive = zipOf([{ name: 'a', content: 'A' }])
  const files = { 'a.zip': archive, 'b.zip': archive, 'c.zip': archive }
  const { app, extract } = await start(t, archive, { files, users: { ann: {}, bob: {} } })
  const held = holdWriting(t, (path) => path.startsWith('/t/'))
  const begun = extract({ id: key, entries: ['/a.zip', '/b.zip'] })
  await held.reached
  app.clock.advance({ seconds: 1 })
  await begun
  const { job } = await jobCalls(await app.as('bob')).start({ kind: 'extract', entries: ['/c.zip'], to: '/u' })
  assert.deepEqual([job.state, job.failures], ['ended', []])
  held.release()
})

test('who is asked before an archive is extracted keeps nobody from it', async (t) => {
  const archive = zipOf([{ name: 'a', content: 'A' }])
  const { disk } = await openDisk(t, { files: { 'a.zip': archive, 'b.zip': archive, 'c.zip': archive } })
  const events = new Events((error) => assert.fail(String(error)))
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let waiting = 0
  events.before(async (event) => {
    if (!('path' in event) || event.path === '/c.zip') return
    if (++waiting === 2) reached.resolve()
    await released.promise
  })
  const extract = (name: string) =>
    userFilesOn(disk, { events, operation: new Operation() }).extract(parsePath(name), parsePath('/t'), {
      onGiving: async () => {},
    })
  const held = [extract('/a.zip'), extract('/b.zip')]
  await reached.promise
  await extract('/c.zip')
  released.resolve()
  await Promise.all(held)
})

test('folders that were missing are made with what is extracted: a refusal and an undo leave none', async (t) => {
  const { app, extract, refusals, history, all } = await start(t, zipOf([{ name: 'a', content: 'A', crc: 1 }]))
  const before = await all()
  assert.deepEqual([await refusals({ to: '/new/deep' }), await all()], [['archiveDamagedAt'], before])
  for (const parts of [[{ name: 'a', content: 'A' }], [{ name: 'd/a', content: 'A' }, { name: 'd/b' }]]) {
    await writeFile(join(app.root, 'old.zip'), zipOf(parts))
    const found = await all()
    const { job } = await extract({ id: key, to: '/new/deep' })
    assert.deepEqual([job.failures, (await all())[`new/deep/${parts[0]?.name}`]], [[], 'A'])
    const [act] = await history.list()
    await history.undo(act?.id ?? '')
    assert.deepEqual(await all(), found)
    await history.redo(act?.id ?? '')
    assert.equal((await all())[`new/deep/${parts[0]?.name}`], 'A')
    await history.undo(act?.id ?? '')
    await jobCalls(await app.as('ann')).remove(key)
  }
})

test('a folder that was missing and is made by somebody else meanwhile is not replaced', async (t) => {
  const { app, extract, all } = await start(t, zipOf([{ name: 'a', content: 'A' }]))
  const { openTree } = Disk.prototype
  t.mock.method(Disk.prototype, 'openTree', async function (this: Disk, ...asked: Parameters<Disk['openTree']>) {
    const tree = await openTree.apply(this, asked)
    await mkdir(join(app.root, 'new'), { recursive: true })
    await writeFile(join(app.root, 'new/other'), 'other')
    return tree
  })
  const { job } = await extract({ to: '/new/deep' })
  const found = Object.entries(await all()).filter(([path]) => path.startsWith('new'))
  assert.deepEqual(
    [job.failures, job.renamed, Object.fromEntries(found)],
    [[], [{ path: '/old.zip', to: '/new/deep/a' }], { 'new/deep/a': 'A', 'new/other': 'other' }],
  )
})

test('a name that is taken while the archive is written gets the next number', async (t) => {
  const { app, extract } = await start(t, zipOf([{ name: 'x/a', content: 'A' }]))
  const held = holdWriting(t, () => true)
  const begun = extract({ id: key })
  await held.reached
  app.clock.advance({ seconds: 1 })
  await begun
  await mkdir(join(app.root, 't/x(1)'))
  held.release()
  const job = await jobCalls(await app.as('ann')).reaches(key, 'ended')
  assert.deepEqual(job.renamed, [{ path: '/old.zip', to: '/t/x(2)' }])
})

test('several archives go into one folder that was missing', async (t) => {
  const { app, extract, all } = await start(t, zipOf([{ name: 'a', content: 'A' }]))
  await writeFile(join(app.root, 'new.zip'), zipOf([{ name: 'b', content: 'B' }]))
  const { job } = await extract({ entries: ['/old.zip', '/new.zip'], to: '/u/v' })
  const found = await all()
  assert.deepEqual([job.failures, found['u/v/a'], found['u/v/b']], [[], 'A', 'B'])
})

test('a file in the way of the folder is refused before anything is written', async (t) => {
  const { refusals, all } = await start(t, zipOf([{ name: 'a', content: 'A' }]))
  const before = await all()
  assert.deepEqual([await refusals({ to: '/t/x/y' }), await all()], [['fileInTheWay'], before])
})

test('an entry may lie 256 levels deep, and what lies deeper is refused', async (t) => {
  const { refusals, all } = await start(t, zipOf([{ name: `${'d/'.repeat(256)}a`, content: 'A' }]))
  const before = await all()
  assert.deepEqual([await refusals(), await all()], [['archiveTooDeep'], before])
  assert.equal(entryParts(`${'d/'.repeat(255)}a`).length, 256)
})

test('a folder that is there is asked for once, however many others are as deep', async () => {
  const [chains, depth, rounds] = [6, 200, 40]
  const made = new Set<string>()
  let asked = 0
  const on = (capability: unknown, action: 'read' | 'create') =>
    Capability.check(capability as Capability<'read' | 'create'>, action).path
  const disk = {
    batch: (work: (inner: unknown) => Promise<void>) => work(disk),
    stat: async (at: unknown) => {
      asked++
      if (!made.has(on(at, 'read'))) throw new Failure('notFound')
      return { isDir: true }
    },
    makeFolder: async (at: unknown) => void made.add(on(at, 'create')),
    write: async () => {},
  }
  const entries = Array.from({ length: rounds * chains }, (_, index): UnpackedEntry => {
    const parts = [...Array<string>(depth).fill(`${index % chains}`), `file ${index}`]
    return { parts, name: `${index}`, kind: 'file', size: 0, modified: 0n, content: () => nothing() }
  })
  const into = { disk: disk as unknown as Disk, base: parsePath('/old') }
  const context = { principal: principal(), disk: into.disk, signal: new AbortController().signal }
  const space = new ExtractSpace({ context, folder: into.base, spare: 5 }, 0)
  const budget = new Budget({ gigabytes: 1, ratio: 1000, entries: 10_000, spare: 5 }, 1)
  const writing = new ExtractedEntries({ context, ...into }, { budget, space, checked: { entries: entries.length } })
  await writing.write({ entries: () => each(entries) }, new ArchiveNames())
  assert.equal(made.size, chains * depth)
  assert.ok(asked <= chains * depth + 2 * chains, `${asked} times`)
})

test('too many links are refused as that, and too long ones as memory', async () => {
  const disk = { batch: (work: (inner: unknown) => Promise<void>) => work(disk) }
  const context = { principal: principal(), disk: disk as unknown as Disk, signal: new AbortController().signal }
  const into = { context, disk: context.disk, base: parsePath('/old') }
  const links = (count: number, linkText: string) =>
    Array.from({ length: count }, (_, index): UnpackedEntry => {
      return { parts: [`${index}`], name: `${index}`, kind: 'link', size: 0, modified: 0n, linkText }
    })
  const write = (entries: readonly UnpackedEntry[]) => {
    const space = new ExtractSpace({ context, folder: into.base, spare: 5 }, 0)
    const budget = new Budget({ gigabytes: 1, ratio: 1000, entries: 1_000_000, spare: 5 }, 1)
    const writing = new ExtractedEntries(into, { budget, space, checked: { entries: entries.length } })
    return writing.write({ entries: () => each(entries) }, new ArchiveNames())
  }
  // They take seconds.
  if (isLong) await assert.rejects(write(links(100_001, 'a')), { template: 'the archive has more than {{number}} links' })
  await assert.rejects(write(links(5000, 'a'.repeat(4000))), { template: 'the archive needs more memory than it may have' })
})

async function* nothing() {}

async function* each<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all
}

test('a folder that is named after what is in it has the mode that the archive says', async (t) => {
  const private_ = { name: 'd/', mode: 0o40700 }
  const { app, refusals } = await start(t, zipOf([{ name: 'd/a', content: 'A' }, private_, { name: 'b' }]))
  assert.deepEqual(await refusals(), [])
  assert.equal(statSync(join(app.root, 't/old/d')).mode & 0o7777, 0o700)
})

test('a name that rules hide is refused as that, and what the system refuses is not the name', async (t) => {
  const { refusals } = await start(t, zipOf([{ name: 'a' }, { name: 'b' }]), { rules: [deny('/t/old')] })
  assert.deepEqual(await refusals(), ['archiveNotYours'])
  const denied = new Failure('forbidden', '', { cause: Object.assign(new Error('EACCES'), { code: 'EACCES' }) })
  await assert.rejects(named('a', Promise.reject(denied)), denied)
  const moved = folderMoved()
  await assert.rejects(named('a', Promise.reject(moved)), moved)
})

test('an archive that has got more entries since it was looked through takes no memory for them', async () => {
  const bytes = zipOf([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  const file = { size: bytes.length, read: async (buffer: Buffer, at: number) => void bytes.copy(buffer, 0, at) }
  const read = zipUnpacker(file).entries({ isWhole: true, names: new ArchiveNames(), mostEntries: 2 })
  await assert.rejects(read[Symbol.asyncIterator]().next(), { template: 'the archive has more than {{number}} entries' })
})
