// System calls for changing a whole tree: linear in its size, and one sync for each folder.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { fstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Path, parsePath, rootPath } from '../../src-server/base/paths.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { contentOf } from '../support/in-disk.ts'
import { openBelow } from '../support/open-below.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import { harvest, plant, type Tree, temporaryFolder } from '../support/tree.ts'
import { untilStill } from '../support/until-still.ts'
import { userFilesOn } from '../support/user-files.ts'

const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4
const plain = { override: false, rename: false }

/**
 * Counts system calls by kind, and the largest number of files (not folders) that were removed or synced at a time. Each such call is
 * held until only held calls are left: then as many run as the limits let begin, however quickly the machine answers a call.
 */
class Counts {
  opened = 0
  folderSyncs = 0
  most = 0
  #running = 0

  readonly strategy: HandleStrategy = {
    ...descriptorStrategy,
    openPath: (address) => {
      this.opened++
      return descriptorStrategy.openPath(address)
    },
  }

  readonly system: DiskSystem = {
    ...diskSystem,
    sync: async (fd) => {
      if (!fstatSync(fd).isDirectory()) return this.#held(() => diskSystem.sync(fd))
      this.folderSyncs++
      await diskSystem.sync(fd)
    },
    unlink: (path) => this.#held(() => diskSystem.unlink(path)),
  }

  async #held(call: () => Promise<void>) {
    this.most = Math.max(this.most, ++this.#running)
    await untilStill()
    await call().finally(() => this.#running--)
  }
}

async function counted(t: TestContext, files: Tree, work: (files: UserFiles) => Promise<unknown>) {
  const counts = new Counts()
  const options = () => ({ strategy: counts.strategy, system: counts.system })
  const { disk, root } = await openDisk(t, { files, options })
  await work(userFilesOn(disk))
  return { counts, root }
}

const nested = (depth: number) => `/${Array.from({ length: depth }, () => 'd').join('/')}` as Path
const nestedTree = (depth: number): Tree => ({ [`${nested(depth).slice(1)}/`]: '' })

for (const [what, before, work] of [
  ['making nested folders', () => ({}), (files: UserFiles, depth: number) => files.makeFolder(nested(depth))],
  ['deleting nested folders', nestedTree, (files: UserFiles) => files.remove('/d' as Path)],
  ['copying nested folders', nestedTree, (files: UserFiles) => files.copy('/d' as Path, '/e' as Path, plain)],
] as const) {
  test(`${what} costs no more for each folder when there are more of them`, async (t) => {
    const opened = async (depth: number) => (await counted(t, before(depth), (files) => work(files, depth))).counts.opened
    const [few, many] = [await opened(100), await opened(400)]
    assert.ok(many < few * 5, `${few} handles for 100 folders, ${many} for 400`)
  })
}

const hundred: Tree = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`src/f${index}`, `${index}`]))

test('deleting many files runs eight at a time and syncs their folder once', async (t) => {
  const { counts, root } = await counted(t, hundred, (files) => files.remove('/src' as Path))
  assert.deepEqual(await harvest(root), {})
  // The limit of concurrent changes of one device: half of the pool's threads.
  assert.equal(counts.most, Math.min(8, threads / 2))
  // The folder itself is removed; its parent is synced.
  assert.ok(counts.folderSyncs <= 2, `${counts.folderSyncs} syncs of folders`)
})

test('a copied link that cannot be made leaves the file that it was to replace', async (t) => {
  const symlink: DiskSystem['symlink'] = async () => {
    throw Object.assign(new Error('EIO: simulated failure'), { code: 'EIO', syscall: 'symlink' })
  }
  const files = { 'from/l': { link: 'a' }, 'from/a': 'a', 'to/l': 'old' }
  const { disk } = await openDisk(t, { files, options: () => ({ system: { ...diskSystem, symlink } }) })
  const copy = userFilesOn(disk).copy(parsePath('/from'), parsePath('/to'), { override: true, rename: false })
  await assert.rejects(copy, { code: 'EIO' })
  assert.equal(await contentOf(disk, '/to/l'), 'old')
})

test('copying many files runs eight at a time and syncs their folder once', async (t) => {
  const { counts, root } = await counted(t, hundred, (files) => files.copy('/src' as Path, '/dst' as Path, plain))
  assert.equal(Object.keys(await harvest(join(root, 'dst'))).length, 100)
  assert.equal(counts.most, Math.min(8, threads / 2))
  assert.ok(counts.folderSyncs <= 2, `${counts.folderSyncs} syncs of folders`)
})

for (const [what, before, work, after] of [
  ['made', {}, (files: UserFiles) => files.makeFolder('/a/b/c' as Path), { 'a/b/c/': '' }],
  [
    'copied',
    { 's/a': 'A', 's/d/b': 'B' },
    (files: UserFiles) => files.copy('/s' as Path, '/t/u' as Path, plain),
    { 's/a': 'A', 's/d/b': 'B', 't/u/a': 'A', 't/u/d/b': 'B' },
  ],
  ['deleted', { 's/a': 'A', 's/d/b': 'B', keep: 'k' }, (files: UserFiles) => files.remove('/s' as Path), { keep: 'k' }],
] as const) {
  test(`a tree that is reported as ${what} survives a power cut`, async (t) => {
    const folder = await temporaryFolder(t)
    const [root, left] = [join(folder, 'root'), join(folder, 'left')]
    mkdirSync(root)
    await plant(root, before)
    const faulty = new FaultyDisk(root)
    t.after(() => faulty.close())
    const disk = await openLocalDisk({
      root,
      scope: rootPath,
      protectedPaths: nothingProtected,
      linksInto: [],
      system: faulty.system,
    })
    await work(userFilesOn(disk))
    disk.close()
    faulty.afterPowerCut(left, 'nothing')
    assert.deepEqual(await harvest(left), after)
  })
}

test('a folder that cannot be synced at the end is an error, and no handle stays open', async (t) => {
  const { disk, root } = await openDisk(t, {
    files: hundred,
    options: () => ({
      system: {
        ...diskSystem,
        sync: async (fd: number) => {
          if (fstatSync(fd).isDirectory()) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fsync' })
        },
      },
    }),
  })
  const before = openBelow(root)
  await assert.rejects(userFilesOn(disk).copy('/src' as Path, '/a/b/c' as Path, plain), { code: 'EIO' })
  assert.deepEqual(openBelow(root), before)
})
