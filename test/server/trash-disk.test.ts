// The trash of a disk: what goes in comes back, and where there is none nothing is changed.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { rootPath } from '../../src-server/base/paths.ts'
import type { TrashedItem } from '../../src-server/disk/disk.ts'
import { trashName } from '../../src-server/disk/reserved-names.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { namesIn } from '../support/in-disk.ts'
import { whileMounted, withoutMounts } from '../support/mounts.ts'
import { openDisk } from '../support/open-disk.ts'
import { back, how, itemsIn, openWith, owner, purge, put } from '../support/trash-disk.ts'
import { harvestAll as harvest, type Tree } from '../support/tree.ts'

const addOnly = { replace: false }
const infoOf = (root: string, name: string) => fs.readFileSync(join(root, trashName, owner, 'info', `${name}.trashinfo`), 'utf8')
const fail = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

describe('an entry', () => {
  for (const [what, files, path] of [
    ['a file', { 'd/f.txt': 'text', 'd/g': 'g' }, '/d/f.txt'],
    ['a folder with all below', { 'd/e/f': 'f', 'd/e/empty/': '', 'd/e/l': { link: '../g' }, 'd/g': 'g' }, '/d/e'],
    ['a link, without its target', { 'd/l': { link: 'g' }, 'd/g': 'g' }, '/d/l'],
    ['a broken link', { 'd/l': { link: 'nowhere' } }, '/d/l'],
  ] as [string, Tree, string][]) {
    test(`${what} goes in and comes back as it was`, async (t) => {
      const { disk, root } = await openDisk(t, { files })
      const before = fs.lstatSync(join(root, path), { bigint: true })
      const item = await put(disk, path)
      assert.equal(fs.existsSync(join(root, path)), false)
      assert.deepEqual(await namesIn(disk), ['d'])
      assert.deepEqual(await itemsIn(disk, root), [item])
      await back(disk, item)
      const after = fs.lstatSync(join(root, path), { bigint: true })
      assert.deepEqual([after.ino, after.mode, after.mtimeNs], [before.ino, before.mode, before.mtimeNs])
      // The folders of an empty trash go.
      assert.deepEqual(await harvest(root), files)
    })
  }

  test('is described in the format of freedesktop.org, with what is ours in keys of its own', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/año %20.txt': 'text' } })
    const item = await put(disk, '/d/año %20.txt')
    const [first, path, date, ...ours] = infoOf(root, 'año %20.txt').split('\n')
    assert.deepEqual([first, path], ['[Trash Info]', `Path=${fs.realpathSync(root)}/d/a%C3%B1o%20%2520.txt`])
    assert.match(date ?? '', /^DeletionDate=2026-11-2\dT\d\d:\d\d:00$/)
    assert.ok(ours.slice(0, -1).every((line) => line.startsWith('X-Holdall-')))
    assert.deepEqual(
      { ...item, id: '', above: [], identity: '', modified: 0 },
      {
        id: '',
        modified: 0,
        top: fs.realpathSync(root),
        owner,
        name: 'año %20.txt',
        path: '/d/año %20.txt',
        isDir: false,
        size: 4,
        at: how().at,
        why: 'delete',
        by: { id: 1, name: 'ann' },
        above: [],
        identity: '',
      },
    )
  })

  test('keeps its extension and finds a name, however long it is and however often there is one of its name', async (t) => {
    const long = `${'ä'.repeat(125)}.jpeg`
    const { disk, root } = await openDisk(t, { files: { [long]: '0', f: '0' } })
    const items = [await put(disk, `/${long}`), await put(disk, '/f')]
    for (const path of [`/${long}`, '/f']) {
      for (let round = 1; round <= 3; round++) {
        await disk.write(capability('create', path), body(`${round}`), addOnly)
        items.push(await put(disk, path))
      }
    }
    assert.equal(new Set(items.map(({ name }) => name)).size, 8)
    for (const { name } of items) assert.ok(Buffer.byteLength(name) <= 200, name)
    assert.ok(items.filter(({ path }) => path !== '/f').every(({ name }) => name.endsWith('.jpeg')))
    for (const item of items) await back(disk, item, `/back ${item.id}`)
    const texts = Object.values(await harvest(root)).sort()
    assert.deepEqual(texts, ['0', '0', '1', '1', '2', '2', '3', '3'])
  })

  test('goes to the served root, also from a scope below, in a folder for the server alone', async (t) => {
    const { root } = await openDisk(t, { files: { 'home/ann/f': 'x' } })
    const disk = await openWith(t, root, diskSystem, '/home/ann')
    const noted: string[] = []
    const item = await put(disk, '/f', { notePlace: async ({ top }) => void noted.push(top) })
    assert.deepEqual([item.top, item.path, noted], [fs.realpathSync(root), '/home/ann/f', [fs.realpathSync(root)]])
    for (const name of ['', owner, `${owner}/files`, `${owner}/info`]) {
      assert.equal(fs.statSync(join(root, trashName, name)).mode & 0o777, 0o700)
    }
  })

  test('of any size takes as many calls as an empty folder', async (t) => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`many/${index % 20}/${index}`, '']))
    const { root } = await openDisk(t, { files: { ...many, 'none/': '' } })
    const counts = []
    for (const path of ['/many', '/none']) {
      const faulty = new FaultyDisk(root)
      const disk = await openWith(t, root, faulty.system)
      await back(disk, await put(disk, path))
      counts.push(faulty.calls.length)
      faulty.close()
    }
    assert.equal(counts[0], counts[1])
  })

  test('is not put back over another, which stays, and is put back once', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'old', 'd/x': 'old' } })
    const [file, folder] = [await put(disk, '/f'), await put(disk, '/d')]
    await disk.write(capability('create', '/f'), body('new'), addOnly)
    await disk.makeFolder(capability('create', '/d'))
    for (const item of [file, folder]) await assert.rejects(back(disk, item), { code: 'conflict' })
    const outcomes = await Promise.allSettled([back(disk, file, '/one'), back(disk, file, '/two')])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await back(disk, folder, '/e')
    for (const item of [file, folder]) await assert.rejects(back(disk, item, '/again'), { code: 'notFound' })
    const { one, two, ...rest } = await harvest(root)
    assert.deepEqual([one ?? two, rest], ['old', { 'd/': '', 'e/x': 'old', f: 'new' }])
  })
})

describe('no trash, and nothing is changed', () => {
  async function refused(t: TestContext, prepare: (root: string) => void, reason: RegExp) {
    const { disk, root } = await openDisk(t, { files: { 'd/f': 'x', 'other/': '' } })
    prepare(root)
    const before = await harvest(root)
    await assert.rejects(put(disk, '/d'), { name: 'NoTrash', code: 'conflict', message: reason })
    assert.deepEqual(await harvest(root), before)
  }

  test('where a link stands in its place', (t) =>
    refused(t, (root) => fs.symlinkSync('other', join(root, trashName)), /is no folder of the server/))

  test('where a file stands in its place', (t) =>
    refused(t, (root) => fs.writeFileSync(join(root, trashName), ''), /is no folder of the server/))

  test('where others can enter it', (t) =>
    refused(t, (root) => fs.mkdirSync(join(root, trashName), { mode: 0o755 }), /must belong to the server alone/))

  for (const code of ['EACCES', 'EROFS']) {
    test(`where the server may make no folder (${code})`, async (t) => {
      const system = { ...diskSystem, mkdir: () => Promise.reject(fail(code, 'mkdir')) }
      const { disk, root } = await openDisk(t, { files: { f: 'x' }, options: () => ({ system }) })
      await assert.rejects(put(disk, '/f'), { name: 'NoTrash', message: /may not make a folder/ })
      assert.deepEqual(await harvest(root), { f: 'x' })
    })
  }

  test('where the file system renames the entry to no folder; where it does lower down, it is there', async (t) => {
    let lowest = ''
    const system: DiskSystem = {
      ...diskSystem,
      rename: async (from, to) => {
        // As a project quota of a folder, or a layer of a file system.
        if (String(to).includes('/files/') || fs.readlinkSync(String(to).split('/').slice(0, 5).join('/')).includes(trashName)) {
          const top = fs.readlinkSync(String(to).split('/').slice(0, 5).join('/')).split(`/${trashName}`)[0] ?? ''
          if (!top.endsWith(lowest)) throw fail('EXDEV', 'rename')
        }
        await diskSystem.rename(from, to)
      },
    }
    const { disk, root } = await openDisk(t, { files: { 'a/b/c/f': 'x', 'a/b/g': 'y' }, options: () => ({ system }) })
    lowest = '/nowhere'
    await assert.rejects(put(disk, '/a/b/c/f'), { name: 'NoTrash', message: /does not rename/ })
    assert.deepEqual(await harvest(root), { 'a/b/c/f': 'x', 'a/b/g': 'y' })
    lowest = '/a/b'
    const item = await put(disk, '/a/b/c/f')
    assert.equal(item.top, join(fs.realpathSync(root), 'a/b'))
    assert.deepEqual(await namesIn(disk, '/a/b'), ['c', 'g'])
    await back(disk, item)
    assert.deepEqual(await harvest(root), { 'a/b/c/f': 'x', 'a/b/g': 'y' })
  })

  test('for a folder into which somebody is writing; a stalled upload is ended', async (t) => {
    let isFull = true
    const rename = async (...asked: Parameters<DiskSystem['rename']>) => {
      if (isFull) throw fail('ENOSPC', 'rename')
      await diskSystem.rename(...asked)
    }
    const { disk } = await openDisk(t, { files: { 'd/e/': '' }, options: () => ({ system: { ...diskSystem, rename } }) })
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const isWaiting = Promise.withResolvers<void>()
    const stalled = async function* () {
      yield Buffer.from('half')
      await assert.rejects(put(disk, '/d'), { code: 'busy', message: 'something is being uploaded into the folder' })
      isWaiting.resolve()
      await new Promise(() => {})
    }
    const upload = disk.write(capability('create', '/d/e/f'), stalled(), addOnly)
    await isWaiting.promise
    t.mock.timers.tick(31_000)
    // What is refused stays, and the upload goes on.
    const refuse = async () => Promise.reject(new Failure('forbidden'))
    await assert.rejects(put(disk, '/d', { check: refuse }), { code: 'forbidden' })
    await assert.rejects(put(disk, '/d'), { code: 'full' })
    let hasEnded = false
    const ended = assert.rejects(upload, { code: 'notFound' }).then(() => {
      hasEnded = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(hasEnded, false)
    isFull = false
    const [item] = await Promise.all([put(disk, '/d'), ended])
    await back(disk, item)
    assert.deepEqual(await namesIn(disk, '/d/e'), [])
  })
})

describe('mounts', { skip: withoutMounts }, () => {
  test('a folder with a mount below is refused, and what is mounted stays whole', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/a b\\/': '', 'm/g': 'kept' } })
    await whileMounted(join(root, 'd/a b\\'), ['--bind', join(root, 'm')], async () => {
      await assert.rejects(put(disk, '/d'), { code: 'conflict', message: 'a file system is mounted in it' })
      assert.deepEqual(await harvest(root), { 'd/a b\\/g': 'kept', 'm/g': 'kept' })
    })
  })

  test('an entry of a mounted file system goes into a trash on that, and the highest folder of it', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/m/': '', 'd/f': 'f' } })
    await whileMounted(join(root, 'd/m'), ['-t', 'tmpfs', 'none'], async () => {
      fs.mkdirSync(join(root, 'd/m/x/y'), { recursive: true })
      fs.writeFileSync(join(root, 'd/m/x/y/g'), 'g')
      const [inner, outer] = [await put(disk, '/d/m/x/y/g'), await put(disk, '/d/f')]
      assert.deepEqual([inner.top, outer.top], [join(fs.realpathSync(root), 'd/m'), fs.realpathSync(root)])
      await back(disk, inner)
      await back(disk, outer)
      assert.deepEqual(await harvest(root), { 'd/f': 'f', 'd/m/x/y/g': 'g' })
    })
  })

  test('for good never goes across a mount that came later, and nothing else of the entry goes', async (t) => {
    const files = { 'd/f': 'f', 'd/e/m/': '', 'd/e/f': 'f', 'm/g': 'kept' }
    const { disk, root } = await openDisk(t, { files })
    const place = { top: fs.realpathSync(root), topPath: rootPath, owner, topIdentity: '' }
    const item = await put(disk, '/d')
    await whileMounted(join(root, trashName, owner, 'files/d/e/m'), ['--bind', join(root, 'm')], async () => {
      for (let tries = 0; tries < 2; tries++) {
        await assert.rejects(purge(disk, item), { code: 'conflict', message: 'a file system is mounted in it' })
        await disk.tidyTrash(capability('delete', '/'), place, 'purges')
      }
      fs.renameSync(join(root, trashName, owner, 'info/d.trashinfo'), join(root, trashName, owner, 'info/d.purging'))
      await assert.rejects(disk.tidyTrash(capability('delete', '/'), place, 'purges'), { code: 'conflict' })
      fs.renameSync(join(root, trashName, owner, 'info/d.purging'), join(root, trashName, owner, 'info/d.trashinfo'))
    })
    await back(disk, item)
    assert.deepEqual(await harvest(root), files)
  })
})

describe('for good', () => {
  test('everything below goes, whatever its names and however deep, and what links lead to stays', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/e/f': 'x', 'd/l': { link: '../kept' }, 'kept/g': 'kept' } })
    fs.writeFileSync(Buffer.from(`${root}/d/e/bad\xff`, 'latin1'), '')
    fs.mkdirSync(Buffer.from(`${root}/d/e/worse\xff`, 'latin1'))
    fs.linkSync(join(root, 'kept/g'), join(root, 'd/second'))
    let deep = join(root, 'd')
    for (let depth = 0; depth < 200; depth++) {
      deep = join(deep, 'x')
      fs.mkdirSync(deep)
      fs.writeFileSync(join(deep, 'f'), '')
    }
    const before = fs.readdirSync('/proc/self/fd').length
    await purge(disk, await put(disk, '/d'))
    assert.deepEqual(await harvest(root), { 'kept/g': 'kept' })
    assert.equal(fs.readdirSync('/proc/self/fd').length, before)
  })

  test('others of the trash stay, and it is gone once', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'f', g: 'g' } })
    const [one, other] = [await put(disk, '/f'), await put(disk, '/g')]
    await purge(disk, one)
    await assert.rejects(purge(disk, one), { code: 'notFound' })
    assert.deepEqual(await itemsIn(disk, root), [other])
    assert.deepEqual(await itemsIn(disk, root), await itemsIn(disk, root))
  })
})

test('two trashes that are emptied and filled at once lose nothing', async (t) => {
  const { disk, root } = await openDisk(t, { files: Object.fromEntries(['a', 'b', 'c'].map((name) => [name, name])) })
  const roundOf = async (name: string) => {
    for (let round = 0; round < 40; round++) await back(disk, await put(disk, `/${name}`))
  }
  await Promise.all(['a', 'b', 'c'].map(roundOf))
  assert.deepEqual(await harvest(root), { a: 'a', b: 'b', c: 'c' })
})

describe('what is replaced', () => {
  const kept: TrashedItem[] = []
  const keepReplaced = { ...how(), onKept: (item: TrashedItem) => void kept.push(item) }

  test('by a write, a move or a link comes back beside what replaced it, with its own mode and time', async (t) => {
    const files = { f: 'old f', g: 'old g', h: 'old h', l: { link: 'nowhere' }, new: 'new', link: { link: 'f' } }
    const { disk, root } = await openDisk(t, { files })
    const before = fs.statSync(join(root, 'f'), { bigint: true })
    kept.length = 0
    await disk.write(capability('modify', '/f'), body('new f'), { replace: true, keepReplaced })
    await disk.move(capability('rename', '/new'), capability('rename', '/g'), { replace: true, keepReplaced })
    for (const path of ['/h', '/l']) {
      const from = capability('download', '/link')
      await disk.copyLink(from, capability('create', path), undefined, { replace: true, keepReplaced })
    }
    assert.deepEqual(
      kept.map(({ path, why, size }) => [path, why, size]),
      [
        ['/f', 'replace', 5],
        ['/g', 'replace', 5],
        ['/h', 'replace', 5],
        ['/l', 'replace', 7],
      ],
    )
    assert.deepEqual(sorted(await itemsIn(disk, root)), sorted(kept))
    for (const item of kept) await back(disk, item, `${item.path} old`)
    const after = fs.statSync(join(root, 'f old'), { bigint: true })
    assert.deepEqual([after.ino, after.mtimeNs, after.mode], [before.ino, before.mtimeNs, before.mode])
    const link = { link: 'f' }
    const back2 = { 'f old': 'old f', 'g old': 'old g', 'h old': 'old h', 'l old': { link: 'nowhere' } }
    assert.deepEqual(await harvest(root), { f: 'new f', g: 'new', h: link, l: link, link, ...back2 })
  })

  test('is replaced all the same where there is no trash, and nothing is left there', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'old', other: 'x' } })
    fs.symlinkSync('other', join(root, trashName))
    kept.length = 0
    await disk.write(capability('modify', '/f'), body('new'), { replace: true, keepReplaced })
    assert.deepEqual([kept, await harvest(root)], [[], { [trashName]: { link: 'other' }, f: 'new', other: 'x' }])
  })

  test('is kept by a save that names the version it replaces, also where no file has two names', async (t) => {
    const { root } = await openDisk(t, { files: { f: 'old' } })
    const link = () => Promise.reject(fail('EPERM', 'link'))
    const disk = await openWith(t, root, { ...diskSystem, link })
    kept.length = 0
    const { version } = await disk.stat(capability('read', '/f'))
    await disk.write(capability('modify', '/f'), body('new'), { replace: true, ifVersion: version, keepReplaced })
    assert.equal(fs.readFileSync(join(root, 'f'), 'utf8'), 'new')
    const how = { replace: true, ifVersion: version, keepReplaced }
    await assert.rejects(disk.write(capability('modify', '/f'), body('newer'), how), { code: 'changed' })
    assert.deepEqual([kept.map(({ path }) => path), fs.readFileSync(join(root, 'f'), 'utf8')], [['/f'], 'new'])
  })

  test('is not kept when the new content is refused, or nothing had the name', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'old' } })
    kept.length = 0
    const how = { replace: true, ifVersion: 'another', keepReplaced }
    await assert.rejects(disk.write(capability('modify', '/f'), body('new'), how), { code: 'changed' })
    await disk.write(capability('create', '/g'), body('new'), { replace: true, keepReplaced })
    assert.deepEqual([kept, await harvest(root)], [[], { f: 'old', g: 'new' }])
  })
})

const sorted = (items: readonly TrashedItem[]) => items.toSorted((a, b) => (a.path < b.path ? -1 : 1))

test('what cannot be removed for good is there still, is tried again, and keeps nothing else from being tidied', async (t) => {
  let isRefused = true
  const system: DiskSystem = {
    ...diskSystem,
    rmdir: async (path) => {
      if (isRefused && String(path).endsWith('/ro')) throw fail('EACCES', 'rmdir')
      return diskSystem.rmdir(path)
    },
  }
  const { root } = await openDisk(t, { files: { 'd/ro/': '', e: 'e' } })
  const disk = await openWith(t, root, system)
  const place = { top: fs.realpathSync(root), topPath: rootPath, owner, topIdentity: '' }
  const [folder, file] = [await put(disk, '/d'), await put(disk, '/e')]
  await assert.rejects(purge(disk, folder), { code: 'forbidden' })
  fs.unlinkSync(join(root, trashName, owner, 'files', file.name))
  await disk.tidyTrash(capability('delete', '/'), place, 'changes')
  await assert.rejects(disk.tidyTrash(capability('delete', '/'), place, 'purges'), { code: 'forbidden' })
  assert.deepEqual(fs.readdirSync(join(root, trashName, owner, 'info')), ['d.purging'])
  const found = await disk.trashed(capability('read', '/'), place)
  assert.deepEqual([[...(found?.names ?? [])], found?.items], [['d'], []])
  isRefused = false
  await purge(disk, folder)
  assert.deepEqual(await harvest(root), {})
})
