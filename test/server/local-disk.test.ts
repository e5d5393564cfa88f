// What only a real disk has: modes, bytes in names, pipes, links that are absolute, handles.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { gripProblem, handleGrip, pathGrip } from '../../src-server/disk/held.ts'
import { LocalDisk } from '../../src-server/disk/local-disk.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { brokenNames, nastyNames } from '../support/nasty-names.ts'
import { nothingOurs, openDisk } from '../support/open-disk.ts'
import { body, ticket, visitor } from '../support/tickets.ts'
import { harvest } from '../support/tree.ts'

const addOnly = { replace: false }
const replacing = { replace: true }
const part = `.holdall-${'0123456789abcdef'.repeat(2)}.part`

describe('modes, owners and times', () => {
  for (const umask of [0o000, 0o022, 0o077, 0o777]) {
    test(`new files are 0640 and folders 0750 under umask ${umask.toString(8)}`, async (t) => {
      const { disk, root } = await openDisk(t)
      const before = process.umask(umask)
      try {
        await disk.makeFolder(ticket('create', '/d'))
        await disk.write(ticket('create', '/d/f'), body('x'), addOnly)
      } finally {
        process.umask(before)
      }
      assert.equal(fs.statSync(join(root, 'd')).mode & 0o7777, 0o750)
      assert.equal(fs.statSync(join(root, 'd/f')).mode & 0o7777, 0o640)
    })
  }

  test('a new folder keeps the bit that hands down the group', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/': '' } })
    fs.chmodSync(join(root, 'd'), 0o2770)
    await disk.makeFolder(ticket('create', '/d/e'))
    assert.equal(fs.statSync(join(root, 'd/e')).mode & 0o7777, 0o2750)
  })

  test('what is being written is nobody else’s to read', async (t) => {
    const { disk, root } = await openDisk(t)
    let mode = 0
    const watched = async function* () {
      yield Buffer.from('half')
      const [name = ''] = fs.readdirSync(root)
      mode = fs.statSync(join(root, name)).mode & 0o7777
      yield Buffer.from('whole')
    }
    await disk.write(ticket('create', '/f'), watched(), addOnly)
    assert.equal(mode, 0o600)
  })

  test('overwriting keeps mode and owner, but not the bits that run a file as its owner', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'old' } })
    if (process.getuid?.() === 0) fs.chownSync(join(root, 'f'), 1234, 2345)
    fs.chmodSync(join(root, 'f'), 0o4771)
    const before = fs.statSync(join(root, 'f'))
    await disk.write(ticket('modify', '/f'), body('new'), replacing)
    const after = fs.statSync(join(root, 'f'))
    assert.deepEqual([after.mode & 0o7777, after.uid, after.gid], [0o771, before.uid, before.gid])
    assert.notEqual(after.ino, before.ino)
  })

  test('where the owner cannot be kept, the content is written all the same', async (t) => {
    const refused: number[][] = []
    const system = {
      ...diskSystem,
      setOwner: async (_: number, uid: number, gid: number) => {
        refused.push([uid, gid])
        throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'fchown' })
      },
    }
    const grip = {
      ...handleGrip,
      hold: async (address: string | Buffer) => {
        const held = await handleGrip.hold(address)
        Object.assign(held.stats, { uid: 1234n, gid: 2345n })
        return held
      },
    }
    const { disk, root } = await openDisk(t, { files: { f: 'old' }, options: () => ({ system, grip }) })
    await disk.write(ticket('modify', '/f'), body('new'), replacing)
    assert.equal(fs.readFileSync(join(root, 'f'), 'utf8'), 'new')
    assert.deepEqual(refused, [
      [1234, 2345],
      [process.getuid?.(), 2345],
    ])
  })

  test('a copy over an existing file keeps that file’s mode and takes the time along', async (t) => {
    const { disk, root } = await openDisk(t, { files: { a: 'A', b: 'B' } })
    fs.chmodSync(join(root, 'a'), 0o755)
    fs.chmodSync(join(root, 'b'), 0o600)
    fs.utimesSync(join(root, 'a'), 1_500_000_000.25, 1_500_000_000.25)
    const like = await disk.stat(ticket('see', '/a'))
    await disk.write(ticket('modify', '/b'), body('A'), { ...replacing, like })
    const copied = fs.statSync(join(root, 'b'), { bigint: true })
    assert.deepEqual([Number(copied.mode) & 0o777, copied.mtimeNs], [0o600, 1_500_000_000_250_000_000n])
  })

  test('a copy of a read-only folder can be filled', async (t) => {
    const { disk } = await openDisk(t)
    const like = { ...(await disk.stat(ticket('see', '/'))), mode: 0o40555 }
    await disk.makeFolder(ticket('create', '/d'), like)
    assert.equal((await disk.stat(ticket('see', '/d'))).mode & 0o7777, 0o755)
  })
})

describe('names', () => {
  test('a name that is not UTF-8 is shown, marked, and cannot be opened', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'whole\ufffd': 'real' } })
    for (const name of brokenNames) fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'secret')
    fs.symlinkSync('whole\ufffd', Buffer.concat([Buffer.from(`${root}/l`), Buffer.from([0xff])]))
    const entries = await disk.list(ticket('see', '/'))
    assert.equal(entries.length, brokenNames.length + 2)
    for (const entry of entries) {
      assert.ok(entry.name.includes('\ufffd'))
      assert.equal(entry.unreachable, entry.name === 'whole\ufffd' ? undefined : 'name')
      if (entry.unreachable) await assert.rejects(disk.open(ticket('download', entry.path)), { code: 'notFound' })
    }
    assert.equal(await contentOf(disk, '/whole\ufffd'), 'real')
  })

  test('a name that is too long is invalid, also with what we add to it', async (t) => {
    const { disk } = await openDisk(t)
    await disk.write(ticket('create', `/${'n'.repeat(255)}`), body('x'), addOnly)
    assert.throws(() => ticket('create', `/${'n'.repeat(256)}`), { code: 'invalid' })
  })

  test('a path as long as paths may be is walked, although no single call of the system takes it', async (t) => {
    const { disk } = await openDisk(t)
    const parts = Array.from({ length: 16 }, () => 'd'.repeat(250))
    for (let depth = 1; depth <= parts.length; depth++) {
      await disk.makeFolder(ticket('create', parts.slice(0, depth).join('/')))
    }
    const path = `${parts.join('/')}/${'f'.repeat(70)}`
    await disk.write(ticket('create', path), body('deep'), addOnly)
    assert.equal(await contentOf(disk, path), 'deep')
    await disk.remove(ticket('delete', path))
    for (let depth = parts.length; depth > 0; depth--) await disk.remove(ticket('delete', parts.slice(0, depth).join('/')))
  })

  test('our own temporary names are hidden and nobody’s to use', async (t) => {
    const { disk, root } = await openDisk(t, { files: { [part]: 'half', [`${part.toUpperCase()}/x`]: 'x', f: 'x' } })
    assert.deepEqual(await namesIn(disk), ['f'])
    for (const path of [part, `${part}/x`, part.toUpperCase(), `${part.toUpperCase()}/x`]) {
      await assert.rejects(disk.stat(ticket('see', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.open(ticket('download', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.write(ticket('create', path), body('x'), replacing), { code: 'forbidden' }, path)
      await assert.rejects(disk.remove(ticket('delete', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.makeFolder(ticket('create', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.move(ticket('rename', '/f'), ticket('rename', path), replacing), { code: 'forbidden' }, path)
      await assert.rejects(disk.move(ticket('rename', path), ticket('rename', '/g'), addOnly), { code: 'forbidden' }, path)
    }
    assert.equal(fs.readFileSync(join(root, part), 'utf8'), 'half')
  })

  test('names that only look like ours are anybody’s', async (t) => {
    const { disk } = await openDisk(t)
    const names = ['.holdall-.part', `${part}x`, `x${part}`, part.replace('0', 'g'), '.holdall-00.part']
    for (const name of names) await disk.write(ticket('create', name), body('x'), addOnly)
    assert.deepEqual(await namesIn(disk), names.sort())
  })

  test('an upload in progress is not seen', async (t) => {
    const { disk } = await openDisk(t)
    let seen: string[] = ['nothing yet']
    const watched = async function* () {
      yield Buffer.from('half')
      seen = await namesIn(disk)
    }
    await disk.write(ticket('create', '/f'), watched(), addOnly)
    assert.deepEqual(seen, [])
  })
})

describe('what is neither file nor folder', () => {
  test('a FIFO, a socket and a device are listed and never touched', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/': '', l: { link: 'd/fifo' }, f: 'x' } })
    execFileSync('mkfifo', [join(root, 'd/fifo')])
    const server = createServer().listen(join(root, 'd/socket'))
    t.after(() => server.close())
    if (process.getuid?.() === 0) execFileSync('mknod', [join(root, 'd/null'), 'c', '1', '3'])
    const entries = await disk.list(ticket('see', '/d'))
    assert.ok(entries.length >= 2)
    for (const entry of [...entries, await disk.stat(ticket('see', '/l'))]) {
      assert.deepEqual([entry.unreachable, entry.isDir], ['special', false], entry.name)
      await assert.rejects(disk.open(ticket('download', entry.path)), { code: 'forbidden' })
      await assert.rejects(disk.list(ticket('see', entry.path)), { code: 'invalid' })
      await assert.rejects(disk.write(ticket('modify', entry.path), body('x'), replacing), { code: 'forbidden' })
      await assert.rejects(disk.write(ticket('create', entry.path), body('x'), addOnly), { code: 'conflict' })
      if (entry.isSymlink) continue
      await assert.rejects(disk.move(ticket('rename', '/f'), ticket('rename', entry.path), replacing), { code: 'forbidden' })
    }
    await disk.move(ticket('rename', '/d/fifo'), ticket('rename', '/fifo'), addOnly)
    assert.ok(fs.lstatSync(join(root, 'fifo')).isFIFO())
    await disk.remove(ticket('delete', '/fifo'))
    assert.equal(fs.existsSync(join(root, 'fifo')), false)
  })
})

describe('links', () => {
  test('an absolute link is judged by where the scope really lies', async (t) => {
    const { disk, root, outside } = await openDisk(t, { files: { 'd/f': 'inside' }, outside: { f: 'outside' } })
    fs.symlinkSync(join(root, 'd'), join(root, 'in'))
    fs.symlinkSync(`${root}/./d/../d//f`, join(root, 'file'))
    fs.symlinkSync(root, join(root, 'self'))
    fs.symlinkSync(outside, join(root, 'out'))
    fs.symlinkSync(`${root}/../outside/f`, join(root, 'over'))
    fs.symlinkSync(`${root}-else/f`, join(root, 'prefix'))
    fs.symlinkSync(`../${root.split('/').at(-1)}/d/f`, join(root, 'out-and-in'))
    assert.equal(await contentOf(disk, '/in/f'), 'inside')
    assert.equal(await contentOf(disk, '/file'), 'inside')
    assert.equal(await contentOf(disk, '/self/self/in/f'), 'inside')
    assert.equal(await contentOf(disk, '/out-and-in'), 'inside')
    for (const path of ['/out/f', '/over', '/prefix', '/self/out/f']) {
      await assert.rejects(disk.open(ticket('download', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.write(ticket('modify', path), body('x'), replacing), { code: 'forbidden' }, path)
    }
    assert.equal((await disk.stat(ticket('see', '/out'))).unreachable, 'outside')
    assert.deepEqual(await harvest(outside), { f: 'outside' })
  })

  test('nothing is made where a link leads out, nor where it leads to nothing', async (t) => {
    const { disk, root, outside } = await openDisk(t)
    fs.symlinkSync(join(outside, 'new'), join(root, 'dangling'))
    fs.symlinkSync(outside, join(root, 'out'))
    fs.symlinkSync('nowhere/new', join(root, 'inside'))
    for (const path of ['/dangling', '/out/new', '/inside']) {
      await assert.rejects(disk.write(ticket('modify', path), body('x'), replacing), /forbidden|conflict|Failure/, path)
      await assert.rejects(disk.write(ticket('create', path), body('x'), addOnly), /Failure/, path)
      await assert.rejects(disk.makeFolder(ticket('create', path)), /Failure/, path)
    }
    await assert.rejects(disk.remove(ticket('delete', '/out/new')), { code: 'forbidden' })
    assert.deepEqual(await harvest(outside), {})
    assert.equal(fs.existsSync(join(root, 'nowhere')), false)
  })

  test('a scope is a wall inside the root', async (t) => {
    const { disk, root } = await openDisk(t, {
      files: { 'ann/up': { link: '../bob/f' }, 'bob/f': 'bob', 'ann/f': 'ann' },
      options: () => ({ scope: parsePath('/ann') }),
    })
    fs.symlinkSync(join(root, 'bob'), join(root, 'ann/bob'))
    assert.equal(await contentOf(disk, '/f'), 'ann')
    for (const path of ['/up', '/bob/f']) await assert.rejects(disk.open(ticket('download', path)), { code: 'forbidden' }, path)
  })

  test('a scope may be a link that stays in the root, and no other', async (t) => {
    const { root, outside } = await openDisk(t, { files: { 'real/f': 'x', scope: { link: 'real' }, f: '' }, outside: { f: '' } })
    fs.symlinkSync(outside, join(root, 'out'))
    const open = (scope: string) => LocalDisk.open({ root, scope: parsePath(scope), ours: nothingOurs, linksInto: [] })
    const disk = await open('/scope')
    assert.deepEqual(await namesIn(disk), ['f'])
    disk.close()
    await assert.rejects(open('/out'), { code: 'forbidden' })
    await assert.rejects(open('/nothing'), { code: 'notFound' })
    await assert.rejects(open('/f'), { code: 'notFound' })
  })

  test('the disk stays with its folder when that gets another name', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'x' } })
    fs.symlinkSync(join(root, 'f'), join(root, 'l'))
    fs.renameSync(root, `${root}-moved`)
    assert.equal(await contentOf(disk, '/f'), 'x')
    // The link names a place that is no longer in the scope.
    await assert.rejects(disk.open(ticket('download', '/l')), { code: 'forbidden' })
    fs.renameSync(`${root}-moved`, root)
    assert.equal(await contentOf(disk, '/l'), 'x')
  })

  test('links that climb about for ever are given up', async (t) => {
    const { disk } = await openDisk(t, {
      files: { 'a/b/': '', far: { link: 'a/b/../'.repeat(500) }, 'a/far': { link: '../far/far' } },
    })
    await assert.rejects(disk.stat(ticket('see', '/a/far/x')), { code: 'notFound' })
  })

  test('of forty links one after the other the last is reached, of forty-one not', async (t) => {
    const chain = Object.fromEntries(
      Array.from({ length: 41 }, (_, index) => [`l${index}`, { link: index ? `l${index - 1}` : 'f' }]),
    )
    const { disk } = await openDisk(t, { files: { f: 'x', ...chain } })
    assert.equal(await contentOf(disk, '/l39'), 'x')
    await assert.rejects(disk.open(ticket('download', '/l40')), { code: 'notFound' })
    assert.equal((await disk.stat(ticket('see', '/l40'))).unreachable, 'broken')
  })
})

describe('links into folders that the administrator named', () => {
  const setup = (linksInto: (places: { root: string; outside: string }) => string[], files = {}) => ({
    files,
    outside: { 'shared/f': 'shared', 'shared/d/g': 'deep', 'other/f': 'other', 'shared/up': { link: '../other/f' } },
    options: (places: { root: string; outside: string }) => ({ linksInto: linksInto(places) }),
  })

  test('are followed, for reading and writing, and nowhere else', async (t) => {
    const { disk, root, outside } = await openDisk(
      t,
      setup((places) => [join(places.outside, 'shared')]),
    )
    fs.symlinkSync(join(outside, 'shared'), join(root, 'whole'))
    fs.symlinkSync(join(outside, 'shared/d'), join(root, 'below'))
    fs.symlinkSync('../outside/shared/f', join(root, 'relative'))
    fs.symlinkSync(outside, join(root, 'above'))
    fs.symlinkSync(join(outside, 'other'), join(root, 'beside'))
    fs.symlinkSync(join(outside, 'shared/d/g'), join(outside, 'shared/again'))
    assert.equal(await contentOf(disk, '/whole/f'), 'shared')
    assert.equal(await contentOf(disk, '/below/g'), 'deep')
    assert.equal(await contentOf(disk, '/relative'), 'shared')
    assert.equal(await contentOf(disk, '/whole/again'), 'deep')
    await disk.write(ticket('create', '/below/new'), body('new'), addOnly)
    await disk.write(ticket('modify', '/relative'), body('changed'), replacing)
    await disk.makeFolder(ticket('create', '/whole/made'))
    assert.equal(fs.readFileSync(join(outside, 'shared/d/new'), 'utf8'), 'new')
    assert.equal(fs.readFileSync(join(outside, 'shared/f'), 'utf8'), 'changed')
    for (const path of ['/above/shared/f', '/beside/f', '/whole/up']) {
      await assert.rejects(disk.open(ticket('download', path)), { code: 'forbidden' }, path)
    }
    await assert.rejects(disk.remove(ticket('delete', '/above/shared')), { code: 'forbidden' })
    await disk.remove(ticket('delete', '/whole'))
    assert.equal(fs.existsSync(join(outside, 'shared')), true)
  })

  test('may be named through a link themselves', async (t) => {
    const { disk, root, outside } = await openDisk(
      t,
      setup((places) => [join(places.outside, 'alias')]),
    )
    fs.symlinkSync('shared', join(outside, 'alias'))
    fs.symlinkSync(join(outside, 'alias/f'), join(root, 'named'))
    fs.symlinkSync(join(outside, 'shared/f'), join(root, 'real'))
    assert.equal(await contentOf(disk, '/named'), 'shared')
    assert.equal(await contentOf(disk, '/real'), 'shared')
  })

  test('that are gone are as any other place outside', async (t) => {
    const { disk, root, outside } = await openDisk(
      t,
      setup((places) => [join(places.outside, 'gone')]),
    )
    fs.symlinkSync(join(outside, 'gone/f'), join(root, 'l'))
    await assert.rejects(disk.open(ticket('download', '/l')), { code: 'forbidden' })
  })

  test('do not lead round the rules when the scope lies below them', async (t) => {
    const files = { 'secret/f': 'hidden', 'open/f': 'open' }
    const { disk, root } = await openDisk(
      t,
      setup(({ root }) => [join(root, '..')], files),
    )
    fs.symlinkSync(join(root, '..'), join(root, 'up'))
    const who = visitor('/secret')
    assert.equal(await contentOf(disk, '/up/root/open/f', who), 'open')
    assert.equal(await contentOf(disk, '/up/outside/other/f', who), 'other')
    await assert.rejects(disk.open(ticket('download', '/up/root/secret/f', who)), { code: 'forbidden' })
    await assert.rejects(disk.stat(ticket('see', '/up/root/secret/nothing', who)), { code: 'forbidden' })
  })
})

describe('folders', () => {
  test('ten thousand entries are listed', async (t) => {
    const { disk, root } = await openDisk(t)
    for (let index = 0; index < 10_000; index++) fs.writeFileSync(join(root, `file ${index}`), '')
    assert.equal((await disk.list(ticket('see', '/'))).length, 10_000)
  })

  test('a folder that holds nothing but the rest of a broken upload is empty to its visitors', async (t) => {
    const { disk, root } = await openDisk(t, { files: { [`d/${part}`]: 'half', [`e/${part}`]: 'half', 'e/f': 'x' } })
    await disk.remove(ticket('delete', '/d'))
    await assert.rejects(disk.remove(ticket('delete', '/e')), { code: 'conflict' })
    assert.deepEqual(await harvest(root), { [`e/${part}`]: 'half', 'e/f': 'x' })
  })

  test('a folder into which somebody is uploading is not empty', async (t) => {
    const { disk } = await openDisk(t, { files: { 'd/': '' } })
    const watched = async function* () {
      yield Buffer.from('half')
      await assert.rejects(disk.remove(ticket('delete', '/d')), { code: 'conflict' })
      yield Buffer.from('whole')
    }
    await disk.write(ticket('create', '/d/f'), watched(), addOnly)
    assert.equal(await contentOf(disk, '/d/f'), 'halfwhole')
  })

  test('an upload goes on in its folder when that gets another name', async (t) => {
    const { disk } = await openDisk(t, { files: { 'd/': '' } })
    const watched = async function* () {
      yield Buffer.from('half')
      await disk.move(ticket('rename', '/d'), ticket('rename', '/e'), addOnly)
    }
    await disk.write(ticket('create', '/d/f'), watched(), addOnly)
    assert.equal(await contentOf(disk, '/e/f'), 'half')
  })
})

describe('moving', () => {
  test('between two names of one file', async (t) => {
    const { disk, root } = await openDisk(t, { files: { a: 'x' } })
    fs.linkSync(join(root, 'a'), join(root, 'b'))
    await assert.rejects(disk.move(ticket('rename', '/a'), ticket('rename', '/b'), addOnly), { code: 'conflict' })
    await disk.move(ticket('rename', '/a'), ticket('rename', '/b'), replacing)
    assert.deepEqual(await harvest(root), { b: 'x' })
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
      await assert.rejects(disk.move(ticket('rename', '/d'), ticket('rename', '/e'), addOnly), expected)
      assert.deepEqual(await harvest(root), { 'd/f': 'x' })
    })
  }

  test('a file that cannot leave its name loses the new one again', async (t) => {
    const system = {
      ...diskSystem,
      unlink: async (path: string | Buffer) => {
        if (String(path).endsWith('/a')) throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'unlink' })
        await diskSystem.unlink(path)
      },
    }
    const { disk, root } = await openDisk(t, { files: { a: 'x' }, options: () => ({ system }) })
    await assert.rejects(disk.move(ticket('rename', '/a'), ticket('rename', '/b'), addOnly), { code: 'forbidden' })
    assert.deepEqual(await harvest(root), { a: 'x' })
  })

  test('to another file system says so and changes nothing', async (t) => {
    const { disk, root } = await openDisk(t, {
      files: { f: 'x', 'd/g': 'y' },
      options: () => ({ linksInto: ['/tmp', '/dev/shm'] }),
    })
    const elsewhere = ['/tmp', '/dev/shm'].find(
      (place) => fs.existsSync(place) && fs.statSync(place).dev !== fs.statSync(root).dev,
    )
    if (elsewhere === undefined) return t.skip('there is but one file system')
    const shared = fs.mkdtempSync(join(elsewhere, 'holdall-test-'))
    t.after(() => fs.rmSync(shared, { recursive: true }))
    fs.symlinkSync(shared, join(root, 'l'))
    for (const name of ['f', 'd']) {
      for (const how of [addOnly, replacing]) {
        await assert.rejects(disk.move(ticket('rename', `/${name}`), ticket('rename', `/l/${name}`), how), {
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
    const before = openHandles()
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
        () => disk.stat(ticket('see', path)),
        () => disk.list(ticket('see', path)),
        async () => (await disk.open(ticket('download', path))).close(),
        () => disk.write(ticket('create', path), body('x'), addOnly),
        () => disk.makeFolder(ticket('create', path)),
        () => disk.copyLink(ticket('download', path), ticket('create', '/d')),
        () => disk.move(ticket('rename', path), ticket('rename', '/d/f/x'), addOnly),
        () => disk.move(ticket('rename', '/d'), ticket('rename', path), replacing),
        () => disk.remove(ticket('delete', path)),
      ]
      await Promise.allSettled(calls.map((call) => call()))
    }
    assert.equal(openHandles(), before)
  })

  test('a disk that is closed takes no more work and lets what runs come to its end', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/': '' } })
    const before = openHandles()
    const watched = async function* () {
      yield Buffer.from('half')
      disk.close()
      // The next handles must not get the number of the root's.
      for (let index = 0; index < 5; index++) t.after(closing(fs.openSync('/', 'r')))
      yield Buffer.from('whole')
    }
    await disk.write(ticket('create', '/d/f'), watched(), addOnly)
    assert.equal(fs.readFileSync(join(root, 'd/f'), 'utf8'), 'halfwhole')
    assert.equal(openHandles(), before + 5 - 1)
    await assert.rejects(disk.stat(ticket('see', '/d')), { code: 'internal' })
  })

  test('a file that was opened outlives its disk and is closed once', async (t) => {
    const { disk } = await openDisk(t, { files: { f: 'x' } })
    const file = await disk.open(ticket('download', '/f'))
    disk.close()
    assert.equal(fs.readFileSync(`/proc/self/fd/${file.fd}`, 'utf8'), 'x')
    await Promise.all([file.close(), file.close()])
  })

  test('a machine without /proc/self/fd is told in one sentence', () => {
    assert.equal(gripProblem(), undefined)
    assert.equal(gripProblem(pathGrip, '/nowhere'), undefined)
    for (const handles of ['/nowhere', '/etc', '/']) {
      assert.match(gripProblem(handleGrip, handles) ?? '', /^Holdall needs \/proc\/self\/fd .*\.$/)
    }
  })

  test('elsewhere than on Linux, what was swapped between look and open is not opened', async (t) => {
    const { root } = await openDisk(t, { files: { f: 'mine', g: 'other' } })
    const held = await pathGrip.hold(join(root, 'f'))
    fs.renameSync(join(root, 'g'), join(root, 'f'))
    const before = openHandles()
    await assert.rejects(pathGrip.open(diskSystem, held, fs.constants.O_RDONLY), { code: 'ESTALE' })
    assert.equal(openHandles(), before)
  })
})

test('every nasty name that is written is found by the system under the same bytes', async (t) => {
  const { disk, root } = await openDisk(t)
  for (const name of nastyNames) await disk.write(ticket('create', `/${name}`), body('x'), addOnly)
  assert.deepEqual(fs.readdirSync(root).sort(), [...nastyNames].sort())
})

function openHandles() {
  return fs.readdirSync('/proc/self/fd').length
}

function closing(fd: number) {
  return () => fs.closeSync(fd)
}

async function namesIn(disk: Disk, path = '/') {
  return (await disk.list(ticket('see', path))).map((entry) => entry.name).sort()
}

async function contentOf(disk: Disk, path: string, who = visitor()) {
  const file = await disk.open(ticket('download', path, who))
  try {
    return fs.readFileSync(`/proc/self/fd/${file.fd}`, 'utf8')
  } finally {
    await file.close()
  }
}
