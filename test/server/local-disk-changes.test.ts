// Folders, moves and handles on a local disk.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { descriptorStrategy, handleProblem, pathStrategy } from '../../src-server/disk/path-handle.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { newTemporaryName } from '../../src-server/disk/temporary-names.ts'
import { body, capability } from '../support/capabilities.ts'
import { contentOf } from '../support/in-disk.ts'
import { openBelow } from '../support/open-below.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest } from '../support/tree.ts'

const addOnly = { replace: false }
const replacing = { replace: true }
const part = `.holdall-${'0123456789abcdef'.repeat(2)}.part`

/** As much as is written before a body has ended: what is smaller is on the disk only when it is whole. */
const first = Buffer.alloc(1 << 20, 'x')

describe('folders', () => {
  test('ten thousand entries are listed', async (t) => {
    const { disk, root } = await openDisk(t)
    for (let index = 0; index < 10_000; index++) fs.writeFileSync(join(root, `file ${index}`), '')
    assert.equal((await disk.list(capability('read', '/'))).length, 10_000)
  })

  test('a folder with nothing but the temporary file of a failed upload is shown as empty', async (t) => {
    const { disk, root } = await openDisk(t, { files: { [`d/${part}`]: 'half', [`e/${part}`]: 'half', 'e/f': 'x' } })
    // Before that another server may still be writing it.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3 * 60_000 })
    await disk.remove(capability('delete', '/d'))
    await assert.rejects(disk.remove(capability('delete', '/e')), { code: 'conflict' })
    assert.deepEqual(await harvest(root), { [`e/${part}`]: 'half', 'e/f': 'x' })
  })

  test('a folder into which somebody is uploading is not empty', async (t) => {
    const { disk } = await openDisk(t, { files: { 'd/': '' } })
    const watched = async function* () {
      yield* [first, first]
      await assert.rejects(disk.remove(capability('delete', '/d')), { code: 'conflict' })
      yield Buffer.from('rest')
    }
    await disk.write(capability('create', '/d/f'), watched(), addOnly)
    assert.equal((await disk.stat(capability('read', '/d/f'))).size, 2 * first.length + 4)
  })
})

describe('moving', () => {
  test('between two names of one file', async (t) => {
    const { disk, root } = await openDisk(t, { files: { a: 'x' } })
    fs.linkSync(join(root, 'a'), join(root, 'b'))
    await assert.rejects(disk.move(capability('rename', '/a'), capability('rename', '/b'), addOnly), { code: 'conflict' })
    await disk.move(capability('rename', '/a'), capability('rename', '/b'), replacing)
    assert.deepEqual(await harvest(root), { b: 'x' })
  })

  test('ends a move that broke off between two names, but of no file with a third one, and of no other file', async (t) => {
    const { disk, root } = await openDisk(t, { files: { a: 'x', other: 'x' } })
    const finish = (to: string) =>
      disk.move(capability('rename', '/a'), capability('rename', to), { replace: false, finishes: true })
    for (const name of ['b', 'c']) fs.linkSync(join(root, 'a'), join(root, name))
    await assert.rejects(finish('/b'), { code: 'conflict' })
    await assert.rejects(finish('/other'), { code: 'conflict' })
    assert.deepEqual(await harvest(root), { a: 'x', b: 'x', c: 'x', other: 'x' })
    fs.unlinkSync(join(root, 'c'))
    // What a kill has left of the write before.
    const hidden = join(root, newTemporaryName())
    fs.linkSync(join(root, 'a'), hidden)
    await finish('/b')
    fs.unlinkSync(hidden)
    assert.deepEqual(await harvest(root), { b: 'x', other: 'x' })
  })

  for (const [code, expected] of [
    ['EXDEV', { name: 'Error', message: /different file systems/ }],
    ['EINVAL', { code: 'invalid' }],
    ['EACCES', { code: 'forbidden' }],
    ['EBUSY', { code: 'conflict' }],
  ] as const) {
    test(`a folder that cannot be moved (${code}) leaves no folder behind, and takes none with it`, async (t) => {
      const system = {
        ...diskSystem,
        rename: async () => {
          throw Object.assign(new Error(code), { code, syscall: 'rename' })
        },
      }
      const { disk, root } = await openDisk(t, { files: { 'd/f': 'x' }, options: () => ({ system }) })
      await assert.rejects(disk.move(capability('rename', '/d'), capability('rename', '/e'), addOnly), expected)
      assert.deepEqual(await harvest(root), { 'd/f': 'x' })
    })
  }

  test('a file that takes the name during the rename stays, on a file system without hard links', async (t) => {
    const refuse = (code: string) => Object.assign(new Error(code), { code, syscall: 'link' })
    const system = {
      ...diskSystem,
      link: () => Promise.reject(refuse('EPERM')),
      rename: async (_: string | Buffer, to: string | Buffer) => {
        fs.writeFileSync(`${root}/x`, 'somebody else')
        fs.renameSync(`${root}/x`, to)
        throw refuse('EIO')
      },
    }
    const { disk, root } = await openDisk(t, { files: { a: 'x' }, options: () => ({ system }) })
    await assert.rejects(disk.move(capability('rename', '/a'), capability('rename', '/b'), addOnly), { code: 'EIO' })
    assert.deepEqual(await harvest(root), { a: 'x', b: 'somebody else' })
  })

  test('a file that cannot be removed under its old name loses the new one again', async (t) => {
    const system = {
      ...diskSystem,
      unlink: async (path: string | Buffer) => {
        if (String(path).endsWith('/a')) throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'unlink' })
        await diskSystem.unlink(path)
      },
    }
    const { disk, root } = await openDisk(t, { files: { a: 'x' }, options: () => ({ system }) })
    await assert.rejects(disk.move(capability('rename', '/a'), capability('rename', '/b'), addOnly), { code: 'forbidden' })
    assert.deepEqual(await harvest(root), { a: 'x' })
  })

  test('does not move what was uploaded to the old name meanwhile', async (t) => {
    const calls: string[] = []
    const isRead = Promise.withResolvers<void>()
    const content = async function* () {
      yield Buffer.from('new')
      isRead.resolve()
    }
    let upload: Promise<unknown> | undefined
    const system = {
      ...diskSystem,
      link: async (from: string | Buffer, to: string | Buffer) => {
        await diskSystem.link(from, to)
        calls.push('link')
        upload = disk.write(capability('modify', '/a'), content(), replacing)
        await isRead.promise
        for (let turn = 0; turn < 100; turn++) await setImmediate()
      },
      rename: async (from: string | Buffer, to: string | Buffer) => {
        calls.push('rename')
        await diskSystem.rename(from, to)
      },
      unlink: async (path: string | Buffer) => {
        calls.push('unlink')
        await diskSystem.unlink(path)
      },
    }
    const { disk, root } = await openDisk(t, { files: { a: 'old' }, options: () => ({ system }) })
    await disk.move(capability('rename', '/a'), capability('rename', '/b'), addOnly)
    await upload
    assert.deepEqual(calls, ['link', 'unlink', 'rename'])
    assert.deepEqual(await harvest(root), { a: 'new', b: 'old' })
  })

  test('leaves alone what another program put under the old name meanwhile, and what it has moved', async (t) => {
    const system = {
      ...diskSystem,
      link: async (from: string | Buffer, to: string | Buffer) => {
        await diskSystem.link(from, to)
        fs.writeFileSync(`${root}/x`, 'new')
        fs.renameSync(`${root}/x`, `${root}/a`)
      },
    }
    const { disk, root } = await openDisk(t, { files: { a: 'old' }, options: () => ({ system }) })
    await disk.move(capability('rename', '/a'), capability('rename', '/b'), addOnly)
    assert.deepEqual(await harvest(root), { a: 'new', b: 'old' })
  })

  test('many at once in both directions lose nothing and cause no deadlock', async (t) => {
    const { disk, root } = await openDisk(t, { files: { a: 'A', b: 'B', 'd/': '' } })
    const names = ['/a', '/b', '/d/a', '/d/b']
    const moves = names.flatMap((from) =>
      names.map((to) => disk.move(capability('rename', from), capability('rename', to), addOnly)),
    )
    await Promise.allSettled(moves)
    assert.deepEqual(
      Object.values(await harvest(root))
        .filter(Boolean)
        .sort(),
      ['A', 'B'],
    )
  })

  test('to another file system fails as such and changes nothing', async (t) => {
    const { disk, root } = await openDisk(t, {
      files: { f: 'x', 'd/g': 'y' },
      options: () => ({ linksInto: ['/tmp', '/dev/shm'] }),
    })
    const elsewhere = ['/tmp', '/dev/shm'].find((path) => fs.existsSync(path) && fs.statSync(path).dev !== fs.statSync(root).dev)
    if (elsewhere === undefined) return t.skip('there is but one file system')
    const shared = fs.mkdtempSync(join(elsewhere, 'holdall-test-'))
    t.after(() => fs.rmSync(shared, { recursive: true }))
    fs.symlinkSync(shared, join(root, 'l'))
    for (const name of ['f', 'd']) {
      for (const how of [addOnly, replacing]) {
        await assert.rejects(disk.move(capability('rename', `/${name}`), capability('rename', `/l/${name}`), how), {
          message: /different file systems/,
        })
      }
    }
    assert.deepEqual(await harvest(shared), {})
    assert.deepEqual(Object.keys(await harvest(root)), ['d/g', 'f', 'l'])
  })
})

describe('handles', () => {
  test('none is left open, whatever happens', async (t) => {
    const { disk, root } = await openDisk(t, {
      files: { 'd/f': 'x', l: { link: 'd/f' }, out: { link: '/etc' }, loop: { link: 'loop' } },
    })
    execFileSync('mkfifo', [join(root, 'fifo')])
    const opened = () => ['/etc', root].flatMap(openBelow)
    const before = opened()
    const paths = [
      '/',
      '/d',
      '/d/f',
      '/l',
      '/out',
      '/out/passwd',
      '/loop',
      '/fifo',
      '/nothing',
      '/nothing/x',
      '/d/f/x',
      `/${part}`,
    ]
    for (const path of paths) {
      const calls = [
        () => disk.stat(capability('read', path)),
        () => disk.list(capability('read', path)),
        async () => (await disk.open(capability('download', path))).close(),
        () => disk.write(capability('create', path), body('x'), addOnly),
        () => disk.makeFolder(capability('create', path)),
        () => disk.copyLink(capability('download', path), capability('create', '/d')),
        () => disk.move(capability('rename', path), capability('rename', '/d/f/x'), addOnly),
        () => disk.move(capability('rename', '/d'), capability('rename', path), replacing),
        () => disk.remove(capability('delete', path)),
      ]
      await Promise.allSettled(calls.map((call) => call()))
    }
    assert.deepEqual(opened(), before)
  })

  test('a closed disk accepts no more work, and running work ends in its folder', async (t) => {
    let close = () => {}
    const strategy = {
      ...descriptorStrategy,
      openPath: (address: string | Buffer) => {
        close()
        return descriptorStrategy.openPath(address)
      },
    }
    const files = { 'd/f': 'inside' }
    const { disk, root, outside } = await openDisk(t, { files, outside: { 'd/f': 'outside' }, options: () => ({ strategy }) })
    close = () => {
      close = () => {}
      disk.close()
      // One of these would get the number of the root's handle, if that were closed now: the path would then start here.
      for (let index = 0; index < 5; index++) t.after(closing(fs.openSync(outside, 'r')))
    }
    assert.equal(await contentOf(disk, '/d/f'), 'inside')
    assert.deepEqual(openBelow(root), [])
    await assert.rejects(disk.stat(capability('read', '/d')), { code: 'internal' })
  })

  test('a file that was opened outlives its disk and is closed once', async (t) => {
    const { disk } = await openDisk(t, { files: { f: 'x' } })
    const file = await disk.open(capability('download', '/f'))
    disk.close()
    assert.equal(await text(file.read()), 'x')
    await Promise.all([file.close(), file.close()])
  })

  test('a machine without /proc/self/fd gives one message', () => {
    assert.equal(handleProblem(), undefined)
    assert.equal(handleProblem(pathStrategy, '/nowhere'), undefined)
    for (const handles of ['/nowhere', '/etc', '/']) {
      assert.match(handleProblem(descriptorStrategy, handles) ?? '', /^Holdall needs \/proc\/self\/fd .*\.$/)
    }
  })

  test('on other systems than Linux, a file that was replaced between check and open is not opened', async (t) => {
    const { root } = await openDisk(t, { files: { f: 'mine', g: 'other' } })
    const held = await pathStrategy.openPath(join(root, 'f'))
    fs.renameSync(join(root, 'g'), join(root, 'f'))
    const before = openBelow(root)
    await assert.rejects(pathStrategy.openContent(diskSystem, held, fs.constants.O_RDONLY), { code: 'ESTALE' })
    assert.deepEqual(openBelow(root), before)
  })
})

function closing(fd: number) {
  return () => fs.closeSync(fd)
}
