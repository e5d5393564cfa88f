import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { removeStaleTemporaries } from '../../src-server/disk/remove-stale-temporaries.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import { harvest, plant, temporaryFolder } from '../support/tree.ts'

const day = 24 * 60 * 60 * 1000
const part = (digit: string) => `.holdall-${digit.repeat(32)}.part`

async function planted(t: TestContext, tree: Parameters<typeof plant>[1]) {
  const root = join(await temporaryFolder(t), 'root')
  fs.mkdirSync(root)
  await plant(root, tree)
  return root
}

test('parts of more than a day go, in all folders; younger ones and other names stay', async (t) => {
  const root = await planted(t, { [part('a')]: '', [`d/e/${part('b')}`]: '', [`d/${part('c')}`]: 'young', 'd/x.part': '', f: '' })
  fs.utimesSync(join(root, 'd', part('c')), new Date(), new Date(Date.now() + day / 2))
  const removed = await removeStaleTemporaries({
    folders: [root],
    protectedPaths: nothingProtected,
    now: Date.now() + day + 1000,
  })
  assert.equal(removed, 2)
  assert.deepEqual(await harvest(root), { [`d/${part('c')}`]: 'young', 'd/e/': '', 'd/x.part': '', f: '' })
  assert.equal(await removeStaleTemporaries({ folders: [root], protectedPaths: nothingProtected, now: Date.now() }), 0)
})

test('links are not followed, and a link or folder of that name is no part', async (t) => {
  const root = await planted(t, { 'd/': '', [`${part('a')}/f`]: 'x', [part('b')]: { link: 'd' } })
  const outside = await planted(t, { [part('c')]: '' })
  fs.symlinkSync(outside, join(root, 'out'))
  assert.equal(await removeStaleTemporaries({ folders: [root], protectedPaths: nothingProtected, now: Date.now() + 2 * day }), 0)
  assert.deepEqual(await harvest(outside), { [part('c')]: '' })
})

test('an upload of this process is left alone, however long it takes', async (t) => {
  const { disk, root } = await openDisk(t)
  const slow = async function* () {
    yield Buffer.from('half')
    assert.equal(
      await removeStaleTemporaries({ folders: [root], protectedPaths: nothingProtected, now: Date.now() + 9 * day }),
      0,
    )
    yield Buffer.from('whole')
  }
  await disk.write(capability('create', '/f'), slow(), { replace: false })
  await assert.rejects(disk.write(capability('create', '/f'), body('x'), { replace: false }), { code: 'conflict' })
  assert.deepEqual(await harvest(root), { f: 'halfwhole' })
})

test('our own folders are not entered, and a folder that is gone is no error', async (t) => {
  const root = await planted(t, { [`cache/${part('a')}`]: '' })
  const protectedPaths = ProtectedPaths.of({ stateFile: join(root, 'holdall.json'), files: [], folders: [join(root, 'cache')] })
  assert.equal(
    await removeStaleTemporaries({ folders: [root, join(root, 'gone')], protectedPaths, now: Date.now() + 2 * day }),
    0,
  )
})

test('it stops when it is told to', async (t) => {
  const root = await planted(t, { [`d/${part('a')}`]: '' })
  const sweep = { folders: [root], protectedPaths: nothingProtected, now: Date.now() + 2 * day }
  assert.equal(await removeStaleTemporaries({ ...sweep, signal: AbortSignal.abort() }), 0)
  assert.equal(await removeStaleTemporaries(sweep), 1)
})

test('a part that cannot be removed is passed over', async (t) => {
  const root = await planted(t, { [part('a')]: '', [part('b')]: '' })
  const system = {
    ...diskSystem,
    unlink: async (path: string | Buffer) => {
      if (String(path).endsWith(part('a'))) throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'unlink' })
      await diskSystem.unlink(path)
    },
  }
  assert.equal(
    await removeStaleTemporaries({ folders: [root], protectedPaths: nothingProtected, now: Date.now() + 2 * day, system }),
    1,
  )
  assert.deepEqual(await harvest(root), { [part('a')]: '' })
})
