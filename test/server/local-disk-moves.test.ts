// Moves on a local disk while other changes run: of the same names, and in folders that are moved.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { body, capability, principal } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

const addOnly = { replace: false }
const replacing = { replace: true }

const renamed = (disk: Disk, from: string, to: string) => disk.move(capability('rename', from), capability('rename', to), addOnly)
const folderMoved = { code: 'conflict', message: 'the folder was moved meanwhile' }

/** Lets other work go on as far as it can. */
async function manyTurns() {
  for (let turn = 0; turn < 100; turn++) await setImmediate()
}

test('two hard links: what is uploaded over one while it is moved onto the other is not lost', async (t) => {
  const isNaming = Promise.withResolvers<void>()
  const mayName = Promise.withResolvers<void>()
  let isFirst = true
  const system: DiskSystem = {
    ...diskSystem,
    rename: async (from, to) => {
      if (isFirst) {
        isFirst = false
        isNaming.resolve()
        await mayName.promise
      }
      await diskSystem.rename(from, to)
    },
  }
  const { disk, root } = await openDisk(t, { files: { a: 'old' }, options: () => ({ system }) })
  fs.linkSync(join(root, 'a'), join(root, 'b'))
  const upload = disk.write(capability('modify', '/a'), body('new'), replacing)
  await isNaming.promise
  const move = disk.move(capability('rename', '/a'), capability('rename', '/b'), replacing)
  // Enough for the move to read both names, if it did so before it has locked them.
  await manyTurns()
  mayName.resolve()
  await upload
  await move
  assert.deepEqual(await harvest(root), { b: 'new' })
})

test('a file whose second name is the same one, as with a bind mount of the file, keeps its only name', async (t) => {
  const strategy: HandleStrategy = {
    ...descriptorStrategy,
    openPath: (address) => descriptorStrategy.openPath(String(address).replace(/bound$/, 'f')),
  }
  const { disk, root } = await openDisk(t, { files: { f: 'F', bound: '' }, options: () => ({ strategy }) })
  for (const how of [addOnly, replacing, { replace: false, finishes: true }]) {
    await assert.rejects(disk.move(capability('rename', '/f'), capability('rename', '/bound'), how), { code: 'conflict' })
    assert.deepEqual(await harvest(root), { bound: '', f: 'F' })
  }
})

for (const finishes of [false, true]) {
  test(`a file with two names loses none by a move without replacing${finishes ? ', when it has a third' : ''}`, async (t) => {
    const { disk, root } = await openDisk(t, { files: { a: 'A' } })
    for (const name of finishes ? ['b', 'c'] : ['b']) fs.linkSync(join(root, 'a'), join(root, name))
    const before = await harvest(root)
    const move = disk.move(capability('rename', '/a'), capability('rename', '/b'), { replace: false, finishes })
    await assert.rejects(move, { code: 'conflict' })
    assert.deepEqual(await harvest(root), before)
  })
}

test('a move that another program ends between its two names keeps the new one', async (t) => {
  let root = ''
  const link: DiskSystem['link'] = async (from, to) => {
    await diskSystem.link(from, to)
    fs.unlinkSync(join(root, 'a'))
  }
  const opened = await openDisk(t, { files: { a: 'A' }, options: () => ({ system: { ...diskSystem, link } }) })
  root = opened.root
  await renamed(opened.disk, '/a', '/b')
  assert.deepEqual(await harvest(root), { b: 'A' })
})

/** As of a file system that numbers each path by itself. */
const numberedByPath: HandleStrategy = {
  ...descriptorStrategy,
  openPath: async (address) => {
    const handle = await descriptorStrategy.openPath(address)
    return handle.kind === 'file' ? { ...handle, identity: `1:${basename(String(address))}` } : handle
  },
}
const link: DiskSystem['link'] = async () => assert.fail('a second name')
/** With numbers that say nothing of two names, no file is to have two. */
const unnumbered = (calls: Partial<DiskSystem> = {}) => {
  return () => ({ inodesLast: () => false, strategy: numberedByPath, system: { ...diskSystem, link, ...calls } })
}

test('a file is moved without a second name where numbers do not last', async (t) => {
  const { disk, root } = await openDisk(t, { files: { a: 'A', c: 'C', 'd/x': 'X' }, options: unnumbered() })
  await renamed(disk, '/a', '/b')
  await renamed(disk, '/b', '/d/b')
  await assert.rejects(renamed(disk, '/c', '/d/b'), { code: 'conflict', message: 'the name is taken' })
  assert.deepEqual(await harvest(root), { c: 'C', 'd/b': 'A', 'd/x': 'X' })
})

test('a move that fails where numbers do not last leaves the old name alone', async (t) => {
  const rename: DiskSystem['rename'] = async () => {
    throw Object.assign(new Error('EIO'), { code: 'EIO' })
  }
  const options = () => ({ ...unnumbered({ rename })(), strategy: descriptorStrategy })
  const { disk, root } = await openDisk(t, { files: { a: 'A' }, options })
  await assert.rejects(renamed(disk, '/a', '/b'), { code: 'EIO' })
  assert.deepEqual(await harvest(root), { a: 'A' })
})

test('what another program puts at the new name meanwhile stays where numbers do not last', async (t) => {
  let root = ''
  const open: DiskSystem['open'] = async (path, ...how) => {
    const fd = await diskSystem.open(path, ...how)
    if (basename(String(path)) === 'b') fs.renameSync(join(root, 'c'), join(root, 'b'))
    return fd
  }
  const opened = await openDisk(t, { files: { a: 'A', c: 'C' }, options: unnumbered({ open }) })
  root = opened.root
  await assert.rejects(renamed(opened.disk, '/a', '/b'), { code: 'conflict', message: 'the name is taken' })
  assert.deepEqual(await harvest(root), { a: 'A', b: 'C' })
})

test('a file keeps its old name, and is not said to be moved, when another program replaces the new one meanwhile', async (t) => {
  let root = ''
  const link: DiskSystem['link'] = async (from, to) => {
    await diskSystem.link(from, to)
    fs.renameSync(join(root, 'c'), join(root, 'b'))
  }
  const opened = await openDisk(t, { files: { a: 'A', c: 'C' }, options: () => ({ system: { ...diskSystem, link } }) })
  root = opened.root
  await assert.rejects(renamed(opened.disk, '/a', '/b'), { code: 'conflict' })
  assert.deepEqual(await harvest(root), { a: 'A', b: 'C' })
})

test('a folder under two names, as with a bind mount, is unchanged when it is moved onto itself', async (t) => {
  const strategy: HandleStrategy = {
    ...descriptorStrategy,
    openPath: (address) => descriptorStrategy.openPath(String(address).replace(/bound$/, 'd')),
  }
  const { disk, root } = await openDisk(t, { files: { 'd/sub/': '', 'bound/sub/': '' }, options: () => ({ strategy }) })
  await disk.move(capability('rename', '/d'), capability('rename', '/bound'), replacing)
  assert.deepEqual(await harvest(root), { 'd/sub/': '', 'bound/sub/': '' })
})

test('an upload gets no name in a folder that was moved meanwhile, nor in one below it', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/b/': '' } })
  for (const path of ['/d/f', '/d/b/f']) {
    const watched = async function* () {
      yield Buffer.from('half')
      await renamed(disk, '/d', '/e')
    }
    await assert.rejects(disk.write(capability('create', path), watched(), addOnly), folderMoved, path)
    await renamed(disk, '/e', '/d')
    assert.deepEqual(await harvest(root), { 'd/b/': '' })
  }
})

test('what another program moves while the content is synced is found before the name is given, and no name is replaced', async (t) => {
  let work = () => {}
  const close: DiskSystem['close'] = async (fd) => {
    await diskSystem.close(fd)
    work()
  }
  const system = { ...diskSystem, close }
  const { disk, root } = await openDisk(t, { files: { 'd/old': 'old' }, options: () => ({ system }) })
  work = () => fs.existsSync(join(root, 'd')) && fs.renameSync(join(root, 'd'), join(root, 'e'))
  const upload = (how: { replace: boolean; ifVersion?: string }) => disk.write(capability('modify', '/d/old'), body('new'), how)
  const { version } = await disk.stat(capability('read', '/d/old'))
  for (const how of [replacing, { ...replacing, ifVersion: version }]) {
    await assert.rejects(upload(how), folderMoved)
    assert.deepEqual(await harvest(root), { 'e/old': 'old' })
    fs.renameSync(join(root, 'e'), join(root, 'd'))
  }
})

test('a folder whose path the system does not name is found by a second resolution', async (t) => {
  const strategy: HandleStrategy = {
    ...descriptorStrategy,
    hostPathOf: async (handle) => `${await descriptorStrategy.hostPathOf(handle)} (deleted)`,
  }
  const { disk, root } = await openDisk(t, { files: { 'd/a': 'x' }, options: () => ({ strategy }) })
  await disk.makeFolder(capability('create', '/d/e'))
  await disk.write(capability('create', '/d/f'), body('y'), addOnly)
  await renamed(disk, '/d/a', '/d/e/a')
  assert.deepEqual(await harvest(root), { 'd/e/a': 'x', 'd/f': 'y' })
})

test('a folder waits for the names that are being given below it, and what comes after it is refused or finds it there', async (t) => {
  const isNaming = Promise.withResolvers<void>()
  const mayName = Promise.withResolvers<void>()
  const system: DiskSystem = {
    ...diskSystem,
    link: async (from, to) => {
      isNaming.resolve()
      await mayName.promise
      await diskSystem.link(from, to)
    },
  }
  const { disk, root } = await openDisk(t, { files: { 'd/b/': '', 'x/': '' }, options: () => ({ system }) })
  const upload = disk.write(capability('create', '/d/b/f'), body('one'), addOnly)
  await isNaming.promise
  const order: string[] = []
  const moved = renamed(disk, '/d', '/e').then(() => order.push('moved'))
  await manyTurns()
  const later = disk.makeFolder(capability('create', '/d/c')).catch((error: Failure) => order.push(error.message))
  const elsewhere = disk.makeFolder(capability('create', '/x/y')).then(() => order.push('elsewhere'))
  await elsewhere
  mayName.resolve()
  await Promise.all([upload, moved, later])
  assert.equal(order.shift(), 'elsewhere')
  assert.deepEqual(order.sort(), ['moved', 'the folder was moved meanwhile'])
  assert.deepEqual(await harvest(root), { 'e/b/f': 'one', 'x/y/': '' })
})

test('two folders that are moved into each other do not wait for ever, and one stays', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'a/f': 'a', 'b/g': 'b' } })
  for (let round = 0; round < 200; round++) {
    const outcomes = await Promise.allSettled([renamed(disk, '/a', '/b/a'), renamed(disk, '/b', '/a/b')])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], `round ${round}`)
    const [[inner, outer] = ['', '']] = [
      ['/b/a', '/a'],
      ['/a/b', '/b'],
    ].filter(([path]) => fs.existsSync(`${root}${path}`)) as [string, string][]
    await renamed(disk, inner, outer)
  }
  assert.deepEqual(await harvest(root), { 'a/f': 'a', 'b/g': 'b' })
})

test('what was in a folder is not removed from where that folder was moved to', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/e/f': 'x', 'd/e/g': 'y' } })
  await disk.batch(async (batch) => {
    await batch.list(capability('read', '/d/e'))
    await batch.remove(capability('delete', '/d/e/f'))
    fs.renameSync(join(root, 'd/e'), join(root, 'kept'))
    await assert.rejects(batch.remove(capability('delete', '/d/e/g')), folderMoved)
  })
  assert.deepEqual(await harvest(root), { 'd/': '', 'kept/g': 'y' })
})

test('a tree is checked while nothing at either end changes, and what the check refuses is not moved', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/e/f': 'x', 'out/': '' } })
  const order: string[] = []
  const isChecking = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const check = async () => {
    isChecking.resolve()
    await mayEnd.promise
    order.push('checked')
    throw new Failure('forbidden')
  }
  const move = disk.move(capability('rename', '/d/e'), capability('rename', '/out/e'), { replace: false, check })
  await isChecking.promise
  const uploads = ['/d/e/new', '/out/new'].map((path) =>
    disk.write(capability('create', path), body('y'), addOnly).then(() => order.push(path)),
  )
  await manyTurns()
  await uploads[1]
  mayEnd.resolve()
  await assert.rejects(move, { code: 'forbidden' })
  await Promise.all(uploads)
  assert.deepEqual(order.slice(0, 2), ['/out/new', 'checked'])
  assert.deepEqual(await harvest(root), { 'd/e/f': 'x', 'd/e/new': 'y', 'out/new': 'y' })
})

for (const ending of ['its client leaves', 'it has waited for five seconds']) {
  test(`a folder with a disk below that hangs: its move ends when ${ending}, and keeps nobody from what is beside that`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const isNaming = Promise.withResolvers<void>()
    const mayName = Promise.withResolvers<void>()
    const link: DiskSystem['link'] = async (from, to) => {
      if (String(to).endsWith('/hangs')) {
        isNaming.resolve()
        await mayName.promise
      }
      await diskSystem.link(from, to)
    }
    const { disk, root } = await openDisk(t, {
      files: { 'd/slow/': '', 'd/well/': '' },
      options: () => ({ system: { ...diskSystem, link } }),
    })
    const hanging = disk.write(capability('create', '/d/slow/hangs'), body('x'), addOnly)
    await isNaming.promise
    const leaving = new AbortController()
    const move = disk.move(capability('rename', '/d'), capability('rename', '/e'), addOnly, leaving.signal)
    const refused = assert.rejects(move, ending === 'its client leaves' ? /the client left/ : { code: 'busy' })
    await manyTurns()
    const behind = disk.makeFolder(capability('create', '/d/well/new'))
    await manyTurns()
    if (ending === 'its client leaves') leaving.abort(new Error('the client left'))
    else t.mock.timers.tick(5000)
    await refused
    await behind
    mayName.resolve()
    await hanging
    assert.deepEqual(await harvest(root), { 'd/slow/hangs': 'x', 'd/well/new/': '' })
  })
}

test('a folder that is swapped for a link before its move is checked by where it leads', async (t) => {
  let swap = () => {}
  const mkdir: DiskSystem['mkdir'] = async (path, mode) => {
    await diskSystem.mkdir(path, mode)
    swap()
  }
  const files = { 'd/x/f': 'own', 'zone/x/secret/s': 'top secret', 'zone/x/g': 'g', lnk: { link: 'zone' }, 'out/': '' }
  const { disk, root } = await openDisk(t, { files, options: () => ({ system: { ...diskSystem, mkdir } }) })
  swap = () => {
    swap = () => {}
    fs.renameSync(join(root, 'd'), join(root, 'plain'))
    fs.renameSync(join(root, 'lnk'), join(root, 'd'))
  }
  const user = userFilesOn(disk, { principal: principal('/zone/x/secret') })
  const move = user.move(parsePath('/d/x'), parsePath('/out/new/got'), { override: false, rename: false })
  await assert.rejects(move, { code: 'forbidden' })
  assert.equal(fs.readFileSync(join(root, 'zone/x/secret/s'), 'utf8'), 'top secret')
})
