// Reading and watching what other programs change on a local disk.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DiskContext } from '../../src-server/disk/disk-context.ts'
import { descriptorStrategy } from '../../src-server/disk/path-handle.ts'
import { watchFolder } from '../../src-server/disk/watch.ts'
import { capability } from '../support/capabilities.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'

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

test('a link in a listing, an entry and an open file is resolved once', async (t) => {
  let opened = 0
  const openPath = (address: string | Buffer) => {
    if (String(address).endsWith('/d')) opened++
    return descriptorStrategy.openPath(address)
  }
  const files = { 'd/f': 'x', 'd/l': { link: 'f' } }
  const { disk } = await openDisk(t, { files, options: () => ({ strategy: { ...descriptorStrategy, openPath } }) })
  // The first call finds out that the folder above is case-sensitive.
  await disk.stat(capability('see', '/d'))
  for (const call of [
    () => disk.stat(capability('see', '/d/l')),
    () => disk.list(capability('see', '/d')),
    async () => (await disk.open(capability('download', '/d/l'))).close(),
  ]) {
    opened = 0
    await call()
    assert.equal(opened, 1, String(call))
  }
})

test('a folder without notifications from the system is polled', async (t) => {
  const { root } = await openDisk(t, { files: { 'd/': '' } })
  const folder = await descriptorStrategy.openPath(join(root, 'd'))
  const context = { strategy: descriptorStrategy, protectedPaths: nothingProtected } as DiskContext
  // As on a network file system, whose changes by others are not reported.
  const changes = watchFolder({ folder, context, isLocal: false }, new AbortController().signal, 1)
  assert.deepEqual((await changes.next()).value, {})
  fs.utimesSync(join(root, 'd'), 1, 1)
  let told = await changes.next()
  while (told.value?.name !== undefined) told = await changes.next()
  assert.deepEqual(told, { done: false, value: {} })
  fs.rmdirSync(join(root, 'd'))
  while (!told.done) told = await changes.next()
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
      (await disk.list(capability('see', '/d'))).map(({ name }) => name),
      ['a.txt'],
    )
    assert.equal(process.cwd().startsWith(root), false)
  }
  assert.ok(entered > 0)
})
