// Reading and watching what other programs change on a local disk.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import type { OnGone } from '../../src-server/disk/disk.ts'
import type { LocalDiskOptions } from '../../src-server/disk/local-disk.ts'
import { descriptorStrategy, pathStrategy } from '../../src-server/disk/path-handle.ts'
import { FolderWatches } from '../../src-server/disk/watch.ts'
import { walk } from '../../src-server/files/walk.ts'
import { capability, fileContext } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { until } from '../support/until.ts'

test('a file that shrinks while it is read ends the reading with an error', async (t) => {
  const { disk, root } = await openDisk(t, { files: { f: Buffer.alloc(3_000_000) } })
  const file = await disk.open(capability('download', '/f'))
  const read = async () => {
    for await (const _ of file.read()) fs.truncateSync(join(root, 'f'), 10)
  }
  await assert.rejects(read(), { name: 'FileShrunk', code: 'conflict' })
  await file.close()
})

test('a file that grows while it is read is read to its former end', async (t) => {
  const { disk, root } = await openDisk(t, { files: { f: 'short' } })
  const file = await disk.open(capability('download', '/f'))
  fs.appendFileSync(join(root, 'f'), ' and long')
  assert.equal(Buffer.concat(await file.read().toArray()).toString(), 'short')
  await file.close()
})

test('a long folder is listed in parts, and those that have gone meanwhile are told', async (t) => {
  const { disk, root, names } = await openLong(t)
  const sizes: number[] = []
  const [listed, gone] = [new Set<string>(), new Set<string>()]
  const onGone: OnGone = ({ path }) => gone.add(path)
  for await (const part of disk.listInParts(capability('read', '/d'), undefined, { onGone })) {
    for (const { path } of part) listed.add(path)
    if (sizes.push(part.length) === 1) for (const name of names.slice(0, 8999)) fs.rmSync(join(root, 'd', name))
  }
  assert.deepEqual([sizes.length, sizes[0], listed.has('/d/n8999')], [3, 4000, true])
  assert.deepEqual([...listed, ...gone].sort(), names.map((name) => `/d/${name}`).sort())
  fs.rmSync(join(root, 'd'), { recursive: true })
  await assert.rejects(Array.fromAsync(disk.listInParts(capability('read', '/d'))), { code: 'notFound' })
})

test('the parts of a folder that is replaced by another meanwhile are all of the first one', async (t) => {
  const { disk, root, names } = await openLong(t)
  const listed: string[] = []
  for await (const part of disk.listInParts(capability('read', '/d'))) {
    if (listed.length === 0) fs.renameSync(join(root, 'd'), join(root, 'elsewhere'))
    if (listed.length === 0) fs.mkdirSync(join(root, 'd'))
    listed.push(...part.map(({ path }) => path))
  }
  assert.deepEqual(listed.sort(), names.map((name) => `/d/${name}`).sort())
})

test('a long folder is open between its parts, until the last one is there or no more is asked for', async (t) => {
  const { disk, root } = await openLong(t)
  const isOpen = () => fs.readdirSync('/proc/self/fd').some((fd) => targetOf(fd) === join(root, 'd'))
  const seen: boolean[] = []
  for await (const _part of disk.listInParts(capability('read', '/d'))) seen.push(isOpen())
  assert.deepEqual(seen, [true, true, false])
  for await (const _part of disk.listInParts(capability('read', '/d'))) break
  await until(() => !isOpen(), 'it is closed after the reader has gone')
  const context = fileContext(disk)
  for await (const _step of walk(context, parsePath('/'), { action: 'read', order: 'parents first', hidden: 'skip' })) {
    if (isOpen()) break
  }
  await until(() => !isOpen(), 'it is closed after the walk has ended')
})

test('where a folder is found by its path alone it is listed at once', async (t) => {
  const { disk } = await openLong(t, { strategy: pathStrategy })
  const parts = await Array.fromAsync(disk.listInParts(capability('read', '/d')))
  assert.deepEqual(
    parts.map(({ length }) => length),
    [9000],
  )
})

/** A folder that is listed in three parts. */
async function openLong(t: TestContext, options: Partial<LocalDiskOptions> = {}) {
  const names = Array.from({ length: 9000 }, (_, index) => `n${index}`)
  const files = Object.fromEntries(names.map((name) => [`d/${name}`, '']))
  return { ...(await openDisk(t, { files, options: () => options })), names }
}

/** What a file descriptor leads to; undefined when it was closed meanwhile. */
function targetOf(descriptor: string): string | undefined {
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

test('a folder that was listed in a batch is not resolved again for the files in it', async (t) => {
  const opened: string[] = []
  const openPath = (address: string | Buffer) => {
    opened.push(String(address).replace(/.*\//, ''))
    return descriptorStrategy.openPath(address)
  }
  const files = { '2024/07/a': 'in a', '2024/07/b': 'in b' }
  const { disk, root } = await openDisk(t, { files, options: () => ({ strategy: { ...descriptorStrategy, openPath } }) })
  const whole = { longest: 10 }
  await disk.batch(async (batch) => {
    await batch.list(capability('read', '/2024/07'))
    opened.length = 0
    // At the same time, so that none of them waits until another has opened the folder.
    const read = ['/2024/07/a', '/2024/07/b'].map((path) => batch.readWhole(capability('download', path), whole))
    const contents = (await Promise.all(read)).map(({ content }) => Buffer.from(content ?? '').toString())
    assert.deepEqual(contents, ['in a', 'in b'])
    assert.deepEqual(
      opened.filter((name) => /\d/.test(name)),
      [],
    )
    // What has its place now is another folder.
    fs.renameSync(join(root, '2024/07'), join(root, '2024/08'))
    fs.mkdirSync(join(root, '2024/07'))
    assert.deepEqual(await batch.list(capability('read', '/2024/07')), [])
  })
})

test('a link in a listing, an entry and an open file is resolved once', async (t) => {
  let opened = 0
  const openPath = (address: string | Buffer) => {
    if (String(address).endsWith('/d')) opened++
    return descriptorStrategy.openPath(address)
  }
  const files = { 'd/f': 'x', 'd/l': { link: 'f' } }
  const { disk } = await openDisk(t, { files, options: () => ({ strategy: { ...descriptorStrategy, openPath } }) })
  // The first call finds out that the folder above is case-sensitive.
  await disk.stat(capability('read', '/d'))
  for (const call of [
    () => disk.stat(capability('read', '/d/l')),
    () => disk.list(capability('read', '/d')),
    async () => (await disk.open(capability('download', '/d/l'))).close(),
  ]) {
    opened = 0
    await call()
    assert.equal(opened, 1, String(call))
  }
})

test('a folder without notifications from the system is polled', async (t) => {
  // As on a network file system, whose changes by others are not reported.
  const watches = new FolderWatches({ every: 1, follow: () => undefined })
  const { disk, root } = await openDisk(t, { files: { 'd/': '' }, options: () => ({ watches }) })
  const watch = await disk.watch(capability('read', '/d'), new AbortController().signal)
  assert.equal(watch.isComplete, false)
  const changed = watch.next()
  // The first poll only learns the time of the folder, and may come before or after this.
  let time = 0
  const touching = setInterval(() => fs.utimesSync(join(root, 'd'), ++time, time), 5)
  assert.deepEqual(await changed, { names: [], hasOthers: true })
  clearInterval(touching)
  fs.rmdirSync(join(root, 'd'))
  while (await watch.next());
  assert.equal(watches.size, 0)
})

test('a change that the system did not report is found by the next polls, once', async (t) => {
  let reports = 0
  const watches = new FolderWatches({ every: 1, follow: () => () => {} })
  const { disk, root } = await openDisk(t, { files: { 'd/': '' }, options: () => ({ watches }) })
  const abort = new AbortController()
  const watch = await disk.watch(capability('read', '/d'), abort.signal)
  const future = Date.now() / 1000 + 3600
  fs.utimesSync(join(root, 'd'), future, future)
  assert.deepEqual(await watch.next(), { names: [], hasOthers: true })
  const again = watch.next().then((changed) => changed && reports++)
  fs.utimesSync(join(root, 'd'), future + 1, future + 1)
  await again
  assert.equal(reports, 1)
  watch.close()
})

test('more folders than the limit are not watched, and a closed watch makes room', async (t) => {
  const watches = new FolderWatches({ most: 2 })
  const { disk } = await openDisk(t, { files: { 'a/': '', 'b/': '', 'c/': '' }, options: () => ({ watches }) })
  const watch = (path: string) => disk.watch(capability('read', path), new AbortController().signal)
  const [a, b, sameAsB] = [await watch('/a'), await watch('/b'), await watch('/b')]
  await assert.rejects(watch('/c'), { code: 'busy' })
  b.close()
  await assert.rejects(watch('/c'), { code: 'busy' })
  sameAsB.close()
  const c = await watch('/c')
  assert.equal(watches.size, 2)
  for (const open of [a, c]) open.close()
  assert.equal(watches.size, 0)
})

test('two who begin to watch one folder at the same time share one watch', async (t) => {
  const followed: string[] = []
  const follow = ({ address }: { address: string }) => {
    followed.push(address)
    return () => void followed.pop()
  }
  const watches = new FolderWatches({ follow })
  const { disk } = await openDisk(t, { files: { 'a/': '' }, options: () => ({ watches }) })
  const both = await Promise.all([0, 1].map(() => disk.watch(capability('read', '/a'), new AbortController().signal)))
  assert.equal(followed.length, 1)
  for (const watch of both) watch.close()
  assert.equal(followed.length, 0)
})

test('folders are listed also when the process may not return to its working folder', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/a.txt': 'a' } })
  const working = process.cwd()
  const chdir = process.chdir.bind(process)
  t.after(() => chdir(working))
  const denied = () => Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'chdir' })
  let entered = 0
  t.mock.method(process, 'chdir', (folder: string) => {
    const isInside = fs.realpathSync(folder).startsWith(root)
    if (isInside) entered++
    else if (folder !== '/') throw denied()
    chdir(folder)
  })
  // The first answers come through the thread pool: the next ones may be asked for from inside the folder.
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(
      (await disk.list(capability('read', '/d'))).map(({ name }) => name),
      ['a.txt'],
    )
    assert.equal(process.cwd().startsWith(root), false)
  }
  assert.ok(entered > 0)
})
