// No failure, kill or loss of power leaves an entry in no place or in two, whether it goes into a trash, comes back, or goes for good.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../../src-server/base/failure.ts'
import type { Disk, TrashedItem } from '../../src-server/disk/disk.ts'
import { trashName } from '../../src-server/disk/reserved-names.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { capability } from '../support/capabilities.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { back, how, itemsIn, openWith, owner, purge, put, replace, tidy } from '../support/trash-disk.ts'
import { harvestAll as harvest, type Tree } from '../support/tree.ts'

/** What is whole at its place or in the trash, and what the listing of the trash says. */
async function found(disk: Disk, root: string) {
  const tree = await harvest(root)
  const names = Object.keys(tree).filter((name) => !name.startsWith(trashName))
  return { places: Object.fromEntries(names.map((name) => [name, tree[name]])), items: await itemsIn(disk, root) }
}

/** Whether work on a disk that stops before a call was said to be done. */
const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

const acts: Record<
  string,
  { files: Tree; prepare(disk: Disk): Promise<unknown>; act(disk: Disk, item: TrashedItem | undefined): Promise<unknown> }
> = {
  'a file is deleted': { files: { 'd/f': 'x' }, prepare: async () => {}, act: (disk) => put(disk, '/d/f') },
  'a folder is deleted': { files: { 'd/f': 'x', 'd/g/h': 'y' }, prepare: async () => {}, act: (disk) => put(disk, '/d') },
  'a file is put back': {
    files: { 'd/f': 'x' },
    prepare: (disk) => put(disk, '/d/f'),
    act: (disk, item) => back(disk, item as TrashedItem),
  },
  'a link is deleted': { files: { 'd/f': { link: 'x' } }, prepare: async () => {}, act: (disk) => put(disk, '/d/f') },
  'a link is put back': {
    files: { 'd/f': { link: 'x' } },
    prepare: (disk) => put(disk, '/d/f'),
    act: (disk, item) => back(disk, item as TrashedItem),
  },
  'a folder is put back': {
    files: { 'd/f': 'x', 'd/g/h': 'y' },
    prepare: (disk) => put(disk, '/d'),
    act: (disk, item) => back(disk, item as TrashedItem),
  },
}

for (const [what, { files, prepare, act }] of Object.entries(acts)) {
  test(`${what}: a kill before any call leaves it whole in one place, once it is tidied`, async (t) => {
    for (let step = 0; ; step++) {
      const { disk, root } = await openDisk(t, { files })
      await prepare(disk)
      const [item] = await itemsIn(disk, root)
      const faulty = new FaultyDisk(root)
      faulty.crashAt(step)
      const crashing = await openWith(t, root, faulty.system)
      const isDone = await succeeds(act(crashing, item))
      faulty.close()
      await tidy(t, root)
      const { places, items } = await found(disk, root)
      const isBack = JSON.stringify(places) === JSON.stringify(files)
      assert.equal(items.length, isBack ? 0 : 1, `${step}: ${faulty.calls.join(', ')}`)
      if (!isBack) await back(disk, items[0] as TrashedItem)
      assert.deepEqual(await harvest(root), files, `${step}: ${faulty.calls.join(', ')}`)
      if (isDone) break
    }
  })

  test(`${what}: with no space at any step nothing is lost, and it is done or refused as full`, async (t) => {
    for (let step = 0; ; step++) {
      const { disk, root } = await openDisk(t, { files })
      await prepare(disk)
      const [item] = await itemsIn(disk, root)
      const faulty = new FaultyDisk(root)
      faulty.failAt(step, 'ENOSPC')
      const outcome = await act(await openWith(t, root, faulty.system), item).catch((error: { code: string }) => error.code)
      if (typeof outcome === 'string') assert.equal(outcome, 'full', faulty.calls[step])
      faulty.close()
      await tidy(t, root)
      const { places, items } = await found(disk, root)
      if (JSON.stringify(places) !== JSON.stringify(files)) await back(disk, items[0] as TrashedItem)
      assert.deepEqual(await harvest(root), files, faulty.calls[step])
      if (faulty.calls.length <= step) break
    }
  })
}

for (const survives of ['nothing', 'names'] as const) {
  for (const [what, { files, prepare, act }] of Object.entries(acts)) {
    test(`${what}: a loss of power before any call leaves every file (${survives} survives without a sync)`, async (t) => {
      for (let step = 0; ; step++) {
        const { disk, root } = await openDisk(t, { files })
        await prepare(disk)
        const [item] = await itemsIn(disk, root)
        const faulty = new FaultyDisk(root)
        faulty.crashAt(step)
        const isDone = await succeeds(act(await openWith(t, root, faulty.system), item))
        const left = join(root, '../left')
        faulty.afterPowerCut(left, survives)
        faulty.close()
        const texts = Object.entries(await harvest(left)).filter(([name]) => !name.includes('/info/'))
        for (const text of Object.values(files)) {
          assert.ok(
            texts.some(([, one]) => isDeepStrictEqual(one, text)),
            `${step}: ${faulty.calls.join(', ')}\n${JSON.stringify(texts)}`,
          )
        }
        if (isDone) break
      }
    })
  }
}

test('what was being removed for good goes on after a kill, and is never listed', async (t) => {
  for (let step = 0; ; step++) {
    const { disk, root } = await openDisk(t, { files: { 'd/f': 'x', 'd/g/h': 'y', kept: 'z' } })
    const item = await put(disk, '/d')
    const faulty = new FaultyDisk(root)
    faulty.crashAt(step)
    const isDone = await succeeds(purge(await openWith(t, root, faulty.system), item))
    faulty.close()
    const [listed] = await itemsIn(disk, root)
    if (listed) {
      await back(disk, listed)
      assert.deepEqual(await harvest(root), { 'd/f': 'x', 'd/g/h': 'y', kept: 'z' })
    } else {
      await tidy(t, root)
      assert.deepEqual(await harvest(root), { kept: 'z' }, `${step}: ${faulty.calls.join(', ')}`)
    }
    if (isDone) break
  }
})

const withoutLinks = (system: DiskSystem): DiskSystem => ({
  ...system,
  link: () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'link' })),
})

for (const [where, via] of [
  ['', (system: DiskSystem) => system],
  [', where no file has two names', withoutLinks],
] as const) {
  test(`a file is replaced: a kill before any call leaves the old content and the new one once each, or the old one alone${where}`, async (t) => {
    for (let step = 0; ; step++) {
      const { disk, root } = await openDisk(t, { files: { 'd/f.txt': 'old' } })
      const faulty = new FaultyDisk(root)
      faulty.crashAt(step)
      const isDone = await succeeds(replace(await openWith(t, root, via(faulty.system)), '/d/f.txt', 'new'))
      faulty.close()
      await tidy(t, root)
      const items = await itemsIn(disk, root)
      const text = fs.readFileSync(join(root, 'd/f.txt'), 'utf8')
      const said = `${step}: ${faulty.calls.join(', ')}`
      assert.equal(items.length, text === 'new' ? 1 : 0, said)
      if (isDone) assert.equal(text, 'new')
      for (const item of items) {
        assert.deepEqual([item.why, item.path, item.size], ['replace', '/d/f.txt', 3])
        await back(disk, item, '/d/old.txt')
        assert.equal(fs.readFileSync(join(root, 'd/old.txt'), 'utf8'), 'old', said)
      }
      if (isDone) break
    }
  })

  test(`a file is replaced: a failure at any call leaves either the old content, or the new with the old in the trash${where}`, async (t) => {
    for (const code of ['ENOSPC', 'EIO']) {
      for (let step = 0; ; step++) {
        const { disk, root } = await openDisk(t, { files: { 'd/f.txt': 'old' } })
        const faulty = new FaultyDisk(root)
        faulty.failAt(step, code)
        await replace(await openWith(t, root, via(faulty.system)), '/d/f.txt', 'new').catch((error: unknown) => error)
        faulty.close()
        const text = fs.readFileSync(join(root, 'd/f.txt'), 'utf8')
        const items = await itemsIn(disk, root)
        assert.equal(items.length, text === 'new' ? 1 : 0, `${code} at ${faulty.calls[step]}`)
        if (faulty.calls.length <= step) break
      }
    }
  })

  test(`a file is replaced: a loss of power before any call leaves the old content somewhere${where}`, async (t) => {
    for (const survives of ['nothing', 'names'] as const) {
      for (let step = 0; ; step++) {
        const { root } = await openDisk(t, { files: { 'd/f.txt': 'old' } })
        const faulty = new FaultyDisk(root)
        faulty.crashAt(step)
        const isDone = await succeeds(replace(await openWith(t, root, via(faulty.system)), '/d/f.txt', 'new'))
        const left = join(root, '../left')
        faulty.afterPowerCut(left, survives)
        faulty.close()
        const tree = await harvest(left)
        assert.ok(Object.values(tree).includes('old'), `${survives}, ${step}: ${faulty.calls.join(', ')}`)
        if (isDone) assert.equal(tree['d/f.txt'], 'new')
        if (isDone) break
      }
    }
  })
}

/** Two files of one name: the older one is in the trash, and takes the place of the newer one. */
async function restoring(t: TestContext) {
  const { disk, root } = await openDisk(t, { files: { 'd/f.txt': 'older' } })
  const item = await put(disk, '/d/f.txt')
  fs.writeFileSync(join(root, 'd/f.txt'), 'newer')
  const faulty = new FaultyDisk(root)
  const restore = async (via: (system: DiskSystem) => DiskSystem) => {
    const to = capability('create', '/d/f.txt')
    await (await openWith(t, root, via(faulty.system))).fromTrash(item, to, undefined, { ...how(), isRequired: true })
  }
  return { disk, root, faulty, restore }
}

for (const [where, via, hasLinks] of [
  ['', (system: DiskSystem) => system, true],
  [', where no file has two names', withoutLinks, false],
] as const) {
  test(`a file is put back in place of another: a kill or a failure leaves each once, and the name has one of them${where}`, async (t) => {
    for (const fault of ['kill', 'ENOSPC', 'EIO']) {
      for (let step = 0; ; step++) {
        const { disk, root, faulty, restore } = await restoring(t)
        if (fault === 'kill') faulty.crashAt(step)
        else faulty.failAt(step, fault)
        const isDone = await succeeds(restore(via))
        faulty.close()
        const said = `${fault} at ${step}: ${faulty.calls.join(', ')}`
        if (hasLinks) assert.ok(fs.existsSync(join(root, 'd/f.txt')), said)
        await tidy(t, root)
        const text = fs.readFileSync(join(root, 'd/f.txt'), 'utf8')
        const [item, ...more] = await itemsIn(disk, root)
        assert.deepEqual(more, [], said)
        await back(disk, item as TrashedItem, '/d/other')
        assert.deepEqual([text, fs.readFileSync(join(root, 'd/other'), 'utf8')].sort(), ['newer', 'older'], said)
        if (isDone && fault === 'kill') assert.equal(text, 'older')
        if (isDone && (fault === 'kill' || faulty.calls.length <= step)) break
      }
    }
  })

  test(`a file is put back in place of another: a loss of power before any call leaves both contents${where}`, async (t) => {
    for (const survives of ['nothing', 'names'] as const) {
      for (let step = 0; ; step++) {
        const { root, faulty, restore } = await restoring(t)
        faulty.crashAt(step)
        const isDone = await succeeds(restore(via))
        const left = join(root, '../left')
        faulty.afterPowerCut(left, survives)
        faulty.close()
        const texts = Object.values(await harvest(left))
        for (const text of ['newer', 'older']) assert.ok(texts.includes(text), `${survives}, ${step}: ${faulty.calls.join(', ')}`)
        if (isDone) break
      }
    }
  })
}

test('a file is put back in place of another only when that is as it should be, at the moment when it is replaced', async (t) => {
  const { disk, root } = await openDisk(t, { files: { f: 'older' } })
  const item = await put(disk, '/f')
  fs.writeFileSync(join(root, 'f'), 'newer')
  const check = async () => Promise.reject(new Failure('changed'))
  const restoring = disk.fromTrash(item, capability('create', '/f'), undefined, { ...how(), isRequired: true, check })
  await assert.rejects(restoring, { code: 'changed' })
  assert.equal(fs.readFileSync(join(root, 'f'), 'utf8'), 'newer')
  assert.deepEqual(await itemsIn(disk, root), [item])
})

test('what is deleted under a name that is being removed for good gets another, and stays', async (t) => {
  const { disk, root } = await openDisk(t, { files: { f: 'first', g: 'x' } })
  await put(disk, '/f')
  await put(disk, '/g')
  const info = join(root, trashName, owner, 'info')
  // As a purge that has removed the content and is killed before it has forgotten it.
  fs.renameSync(join(info, 'f.trashinfo'), join(info, 'f.purging'))
  fs.rmSync(join(info, '../files/f'))
  fs.writeFileSync(join(root, 'f'), 'second')
  const item = await put(disk, '/f')
  assert.notEqual(item.name, 'f')
  await tidy(t, root)
  await back(disk, item)
  assert.equal(fs.readFileSync(join(root, 'f'), 'utf8'), 'second')
  assert.deepEqual(
    (await itemsIn(disk, root)).map(({ path }) => path),
    ['/g'],
  )
})

for (const [what, plant] of [
  ['a file', (path: string) => fs.writeFileSync(path, 'of another')],
  ['a folder', (path: string) => fs.mkdirSync(join(path, 'of another'), { recursive: true })],
] as const) {
  test(`a folder of which another program gives the name to ${what} while it comes back finds the name taken`, async (t) => {
    const { disk: first, root } = await openDisk(t, { files: { 'd/f': 'x' } })
    const item = await put(first, '/d')
    const rename: DiskSystem['rename'] = async (from, to) => {
      plant(join(root, 'd'))
      await diskSystem.rename(from, to)
    }
    const disk = await openWith(t, root, { ...diskSystem, rename })
    await assert.rejects(back(disk, item), { code: 'conflict', message: 'the name is taken' })
    assert.deepEqual((await itemsIn(disk, root)).length, 1)
  })
}
