// The server's own files are protected, wherever the root is and on every path to them.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { rootPath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { type ProtectedLocations, ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { besideState, namesBesideState } from '../../src-server/state/beside-state.ts'
import { body, capability } from '../support/capabilities.ts'
import { namesIn } from '../support/in-disk.ts'
import { harvest, plant, type Tree, temporaryFolder } from '../support/tree.ts'

const addOnly = { replace: false }
const replacing = { replace: true }

/** The state and the files beside it that belong to it, in a folder with other files. */
const stateFamily = ['holdall.json', 'holdall.json.lock', 'holdall.json.lock-journal', 'holdall.json.pid'].concat([
  'holdall.json.tmp-1234',
  'holdall.json.backup-2026',
  'holdall.json.admin-password',
])

const files: Tree = {
  ...Object.fromEntries(stateFamily.map((name) => [`app/data/${name}`, `secret ${name}`])),
  'app/data/holdall.json.cache/ab/thumb': 'secret thumb',
  ...Object.fromEntries(namesBesideState.map((name) => [`app/data/holdall.json.${name}/a.json`, 'secret'])),
  'app/data/holiday.json': 'mine',
  'app/tls/key.pem': 'secret key',
  'app/tls/notes': 'mine',
  'app/cache/ab/thumb': 'secret thumb',
  'app/holdall': 'secret program',
  'mine/f': 'mine',
}

function locationsIn(root: string): ProtectedLocations {
  return {
    stateFile: join(root, 'app/data/holdall.json'),
    files: [join(root, 'app/holdall'), join(root, 'app/tls/key.pem'), join(root, 'app/run.sock')],
    folders: [join(root, 'app/cache')],
  }
}

const protectedPaths = [
  ...stateFamily.map((name) => `/app/data/${name}`),
  '/app/data/holdall.json.cache',
  '/app/data/holdall.json.cache/ab/thumb',
  ...namesBesideState.flatMap((name) => [besideState('/app/data/holdall.json', name), `/app/data/holdall.json.${name}/a.json`]),
  '/app/data/holdall.json.not-there-yet',
  '/app/data/HOLDALL.JSON.lock',
  '/app/tls/key.pem',
  '/app/cache',
  '/app/cache/ab',
  '/app/cache/ab/thumb',
  '/app/cache/new',
  '/app/holdall',
  '/app/run.sock',
]

describe('a protected path', () => {
  test('is not listed', async (t) => {
    const { disk } = await openAround(t)
    assert.deepEqual(await namesIn(disk, '/app/data'), ['holiday.json'])
    assert.deepEqual(await namesIn(disk, '/app/tls'), ['notes'])
    assert.deepEqual(await namesIn(disk, '/app'), ['data', 'tls'])
  })

  for (const path of protectedPaths) {
    test(`${path} is forbidden to every call, whether it exists or not`, async (t) => {
      const { disk, root } = await openAround(t)
      const before = await harvest(root)
      for (const call of allCalls(disk, path)) await assert.rejects(call(), { code: 'forbidden' }, String(call))
      assert.deepEqual(await harvest(root), before)
    })
  }

  for (const path of ['/app', '/app/data', '/app/tls']) {
    test(`${path} cannot be removed or moved, because it contains a protected path`, async (t) => {
      const { disk, root } = await openAround(t)
      const before = await harvest(root)
      await assert.rejects(disk.remove(capability('delete', path)), { code: 'forbidden' })
      await assert.rejects(disk.move(capability('rename', path), capability('rename', '/moved'), addOnly), { code: 'forbidden' })
      fs.mkdirSync(join(root, 'empty'))
      await assert.rejects(disk.move(capability('rename', '/empty'), capability('rename', path), replacing), {
        code: 'forbidden',
      })
      fs.rmdirSync(join(root, 'empty'))
      assert.deepEqual(await harvest(root), before)
    })
  }

  test('does not restrict the files beside it', async (t) => {
    const { disk } = await openAround(t)
    await disk.write(capability('create', '/app/data/new.json'), body('x'), addOnly)
    await disk.move(capability('rename', '/app/tls/notes'), capability('rename', '/app/data/notes'), addOnly)
    await disk.remove(capability('delete', '/app/data/holiday.json'))
    await disk.write(capability('create', '/mine/holdall.json'), body('x'), addOnly)
    assert.deepEqual(await namesIn(disk, '/app/data'), ['new.json', 'notes'])
    assert.deepEqual(await namesIn(disk, '/mine'), ['f', 'holdall.json'])
  })

  test('is not reached by links, whole or in part', async (t) => {
    const { disk, root } = await openAround(t)
    await plant(root, {
      'mine/state': { link: '../app/data/holdall.json' },
      'mine/data': { link: '../app/data' },
      'mine/cache': { link: '../app/cache' },
      'mine/key': { link: join(root, 'app/tls/key.pem') },
    })
    for (const path of ['/mine/state', '/mine/data/holdall.json', '/mine/cache/ab/thumb', '/mine/key']) {
      await assert.rejects(disk.open(capability('download', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.write(capability('modify', path), body('x'), replacing), { code: 'forbidden' }, path)
    }
    assert.deepEqual(await namesIn(disk, '/mine/data'), ['holiday.json'])
    const marks = (await disk.list(capability('read', '/mine'))).map(({ name, unreachable }) => [name, unreachable])
    assert.deepEqual(Object.fromEntries(marks), {
      f: undefined,
      state: 'outside',
      data: undefined,
      cache: 'outside',
      key: 'outside',
    })
  })

  test('is not reached by a second name of the same file', async (t) => {
    const { disk, root } = await openAround(t)
    fs.linkSync(join(root, 'app/tls/key.pem'), join(root, 'mine/key'))
    assert.deepEqual(await namesIn(disk, '/mine'), ['f'])
    for (const call of allCalls(disk, '/mine/key')) await assert.rejects(call(), { code: 'forbidden' })
  })

  test('a hard link to the state’s present inode inside the root is refused, also right after a save', async (t) => {
    const { disk, root } = await openAround(t)
    const state = join(root, 'app/data/holdall.json')
    for (const name of ['first', 'second', 'third']) {
      fs.writeFileSync(`${state}.tmp-1`, `secret ${name}`)
      fs.renameSync(`${state}.tmp-1`, state)
      fs.linkSync(state, join(root, 'mine', name))
      assert.deepEqual(await namesIn(disk, '/mine'), ['f'])
      for (const call of allCalls(disk, `/mine/${name}`)) await assert.rejects(call(), { code: 'forbidden' }, String(call))
    }
  })

  test('a hard link to a backup of the state is refused', async (t) => {
    const { disk, root } = await openAround(t)
    fs.linkSync(join(root, 'app/data/holdall.json.backup-2026'), join(root, 'mine/backup'))
    assert.deepEqual(await namesIn(disk, '/mine'), ['f'])
    for (const call of allCalls(disk, '/mine/backup')) await assert.rejects(call(), { code: 'forbidden' }, String(call))
  })

  test('is recognised by its folder, under any name and any path', async (t) => {
    const { disk, root } = await openAround(t)
    fs.renameSync(join(root, 'app/data'), join(root, 'mine/elsewhere'))
    assert.deepEqual(await namesIn(disk, '/mine/elsewhere'), ['holiday.json'])
    await assert.rejects(disk.open(capability('download', '/mine/elsewhere/holdall.json')), { code: 'forbidden' })
  })

  test('an upload that reuses the inode of a replaced state file is not protected', async (t) => {
    const { disk, root } = await openAround(t)
    const state = join(root, 'app/data/holdall.json')
    await disk.list(capability('read', '/mine'))
    for (let round = 0; round < 20; round++) {
      fs.writeFileSync(`${state}.tmp-1`, 'secret')
      fs.renameSync(`${state}.tmp-1`, state)
      const { name } = await disk.write(capability('create', `/mine/upload${round}`), body('x'), addOnly)
      await (await disk.open(capability('download', `/mine/${name}`))).close()
      assert.ok((await namesIn(disk, '/mine')).includes(name))
    }
  })

  test('a renewed certificate is protected at once, under its name', async (t) => {
    const { disk, root } = await openAround(t)
    await disk.list(capability('read', '/app/tls'))
    fs.writeFileSync(join(root, 'app/tls/new'), 'secret renewed')
    fs.renameSync(join(root, 'app/tls/new'), join(root, 'app/tls/key.pem'))
    assert.deepEqual(await namesIn(disk, '/app/tls'), ['notes'])
    await assert.rejects(disk.open(capability('download', '/app/tls/key.pem')), { code: 'forbidden' })
  })
})

describe('protected paths that are links', () => {
  test('are protected under their own name and that of their target', async (t) => {
    const { root } = await makeRoot(t)
    await plant(root, {
      'conf/state.json': { link: '../app/data/holdall.json' },
      'conf/key.pem': { link: '../app/tls/key.pem' },
      way: { link: 'app' },
    })
    const disk = await openDisk(t, root, {
      stateFile: join(root, 'conf/state.json'),
      files: [join(root, 'conf/key.pem')],
      folders: [join(root, 'way/cache')],
    })
    assert.deepEqual(await namesIn(disk, '/conf'), [])
    assert.deepEqual(await namesIn(disk, '/app/data'), ['holiday.json'])
    assert.deepEqual(await namesIn(disk, '/app/tls'), ['notes'])
    assert.deepEqual(await namesIn(disk, '/way'), ['data', 'holdall', 'tls'])
    // Whoever could move it could replace it by a folder with another state.
    await assert.rejects(disk.remove(capability('delete', '/way')), { code: 'forbidden' })
    await assert.rejects(disk.move(capability('rename', '/way'), capability('rename', '/x'), addOnly), { code: 'forbidden' })
    await assert.rejects(disk.move(capability('rename', '/mine/f'), capability('rename', '/way'), replacing), {
      code: 'forbidden',
    })
  })
})

describe('folders', () => {
  test('a root inside a protected folder is served, as that of the project', async (t) => {
    const { root } = await makeRoot(t)
    const disk = await openDisk(t, join(root, 'mine'), { stateFile: join(root, 'holdall.json'), files: [], folders: [root] })
    assert.deepEqual(await namesIn(disk, '/'), ['f'])
    await disk.write(capability('create', '/g'), body('x'), addOnly)
  })

  test('a protected folder itself is not', async (t) => {
    const { root } = await makeRoot(t)
    await assert.rejects(openDisk(t, join(root, 'app/cache'), locationsIn(root)), { code: 'forbidden' })
  })

  test('the memory and handles of the process are protected when the root is the whole machine', async (t) => {
    const { root } = await makeRoot(t)
    const disk = await openDisk(t, '/', locationsIn(root))
    for (const path of ['/proc/self/mem', '/proc/self/environ', `/proc/${process.pid}/fd/0`, '/proc']) {
      await assert.rejects(disk.open(capability('download', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.list(capability('read', path)), { code: 'forbidden' }, path)
    }
    assert.equal((await namesIn(disk, '/')).includes('proc'), false)
    assert.deepEqual(await namesIn(disk, join(root, 'app/data')), ['holiday.json'])
    await assert.rejects(disk.remove(capability('delete', dirname(root))), { code: 'forbidden' })
  })

  test('links into an allowed folder do not lead to protected files there', async (t) => {
    const { root } = await makeRoot(t)
    fs.symlinkSync(join(root, 'app'), join(root, 'mine/app'))
    const protectedPaths = ProtectedPaths.of(locationsIn(root))
    const disk = await openLocalDisk({
      root: join(root, 'mine'),
      scope: rootPath,
      protectedPaths,
      linksInto: [join(root, 'app')],
    })
    t.after(() => disk.close())
    assert.deepEqual(await namesIn(disk, '/app'), ['data', 'tls'])
    for (const path of ['/app/data/holdall.json', '/app/cache/ab/thumb', '/app/holdall']) {
      await assert.rejects(disk.open(capability('download', path)), { code: 'forbidden' }, path)
    }
    await assert.rejects(disk.remove(capability('delete', '/app/data')), { code: 'forbidden' })
  })

  test('links into a protected folder are refused, even when it is allowed', async (t) => {
    const { root } = await makeRoot(t)
    const cache = join(root, 'app/cache')
    fs.symlinkSync(cache, join(root, 'mine/cache'))
    const protectedPaths = ProtectedPaths.of(locationsIn(root))
    const disk = await openLocalDisk({ root: join(root, 'mine'), scope: rootPath, protectedPaths, linksInto: [cache] })
    t.after(() => disk.close())
    await assert.rejects(disk.list(capability('read', '/cache')), { code: 'forbidden' })
    await assert.rejects(disk.open(capability('download', '/cache/ab/thumb')), { code: 'forbidden' })
  })
})

async function makeRoot(t: TestContext) {
  const root = join(await temporaryFolder(t), 'root')
  fs.mkdirSync(root)
  await plant(root, files)
  return { root }
}

async function openDisk(t: TestContext, root: string, locations: ProtectedLocations) {
  const disk = await openLocalDisk({ root, scope: rootPath, protectedPaths: ProtectedPaths.of(locations), linksInto: [] })
  t.after(() => disk.close())
  return disk
}

async function openAround(t: TestContext) {
  const { root } = await makeRoot(t)
  return { root, disk: await openDisk(t, root, locationsIn(root)) }
}

function allCalls(disk: Disk, path: string): (() => Promise<unknown>)[] {
  return [
    () => disk.stat(capability('read', path)),
    () => disk.list(capability('read', path)),
    () => disk.open(capability('download', path)),
    () => disk.write(capability('create', path), body('x'), addOnly),
    () => disk.write(capability('modify', path), body('x'), replacing),
    () => disk.makeFolder(capability('create', path)),
    () => disk.copyLink(capability('rename', path), capability('create', '/mine/x')),
    () => disk.remove(capability('delete', path)),
    () => disk.move(capability('rename', path), capability('rename', '/mine/x'), addOnly),
    () => disk.move(capability('rename', '/mine/f'), capability('rename', path), addOnly),
    () => disk.move(capability('rename', '/mine/f'), capability('rename', path), replacing),
  ]
}
