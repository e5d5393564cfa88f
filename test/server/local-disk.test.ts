// Properties that only a local disk has: modes, bytes in names, pipes.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { descriptorStrategy } from '../../src-server/disk/path-handle.ts'
import { trashName } from '../../src-server/disk/reserved-names.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { brokenNames, nastyNames } from '../support/nasty-names.ts'
import { openDisk } from '../support/open-disk.ts'
import { until } from '../support/until.ts'

const addOnly = { replace: false }
const replacing = { replace: true }
const part = `.holdall-${'0123456789abcdef'.repeat(2)}.part`

describe('modes, owners and times', () => {
  for (const umask of [0o000, 0o022, 0o077, 0o777]) {
    test(`new files are 0640 and folders 0750 under umask ${umask.toString(8)}`, async (t) => {
      const { disk, root } = await openDisk(t)
      const before = process.umask(umask)
      try {
        await disk.makeFolder(capability('create', '/d'))
        await disk.write(capability('create', '/d/f'), body('x'), addOnly)
      } finally {
        process.umask(before)
      }
      assert.equal(fs.statSync(join(root, 'd')).mode & 0o7777, 0o750)
      assert.equal(fs.statSync(join(root, 'd/f')).mode & 0o7777, 0o640)
    })
  }

  test('a new folder keeps the setgid bit', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/': '' } })
    fs.chmodSync(join(root, 'd'), 0o2770)
    await disk.makeFolder(capability('create', '/d/e'))
    assert.equal(fs.statSync(join(root, 'd/e')).mode & 0o7777, 0o2750)
  })

  test('a file that is being written is not readable for others', async (t) => {
    const { disk, root } = await openDisk(t)
    let mode = 0
    const watched = async function* () {
      // More than is kept back until the body has ended.
      yield* [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)]
      await until(() => fs.readdirSync(root).length > 0, 'the file is created')
      const [name = ''] = fs.readdirSync(root)
      mode = fs.statSync(join(root, name)).mode & 0o7777
      yield Buffer.from('whole')
    }
    await disk.write(capability('create', '/f'), watched(), addOnly)
    assert.equal(mode, 0o600)
  })

  test('overwriting keeps mode and owner, but not the setuid and setgid bits', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'old' } })
    if (process.getuid?.() === 0) fs.chownSync(join(root, 'f'), 1234, 2345)
    fs.chmodSync(join(root, 'f'), 0o4771)
    const before = fs.statSync(join(root, 'f'))
    await disk.write(capability('modify', '/f'), body('new'), replacing)
    const after = fs.statSync(join(root, 'f'))
    assert.deepEqual([after.mode & 0o7777, after.uid, after.gid], [0o771, before.uid, before.gid])
    assert.notEqual(after.ino, before.ino)
  })

  test('where the owner cannot be kept, the content is written nevertheless', async (t) => {
    const refused: number[][] = []
    const system = {
      ...diskSystem,
      setOwner: async (_: number, uid: number, gid: number) => {
        refused.push([uid, gid])
        throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'fchown' })
      },
    }
    const strategy = {
      ...descriptorStrategy,
      openPath: async (address: string | Buffer) => {
        const held = await descriptorStrategy.openPath(address)
        Object.assign(held.stats, { uid: 1234n, gid: 2345n })
        return held
      },
    }
    const { disk, root } = await openDisk(t, { files: { f: 'old' }, options: () => ({ system, strategy }) })
    await disk.write(capability('modify', '/f'), body('new'), replacing)
    assert.equal(fs.readFileSync(join(root, 'f'), 'utf8'), 'new')
    assert.deepEqual(refused, [
      [-1, 2345],
      [1234, 2345],
    ])
  })

  test('a copy over an existing file keeps that file’s mode and copies the time', async (t) => {
    const { disk, root } = await openDisk(t, { files: { a: 'A', b: 'B' } })
    fs.chmodSync(join(root, 'a'), 0o755)
    fs.chmodSync(join(root, 'b'), 0o600)
    fs.utimesSync(join(root, 'a'), 1_500_000_000.25, 1_500_000_000.25)
    const like = await disk.stat(capability('read', '/a'))
    await disk.write(capability('modify', '/b'), body('A'), { ...replacing, like })
    const copied = fs.statSync(join(root, 'b'), { bigint: true })
    assert.deepEqual([Number(copied.mode) & 0o777, copied.mtimeNs], [0o600, 1_500_000_000_250_000_000n])
  })

  test('entries can be added to the copy of a read-only folder', async (t) => {
    const { disk } = await openDisk(t)
    const like = { ...(await disk.stat(capability('read', '/'))), mode: 0o40555 }
    await disk.makeFolder(capability('create', '/d'), like)
    assert.equal((await disk.stat(capability('read', '/d'))).mode & 0o7777, 0o755)
  })
})

describe('names', () => {
  test('a name that is not UTF-8 is shown, marked, and cannot be opened', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'whole\ufffd': 'real' } })
    for (const name of brokenNames) fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'secret')
    fs.symlinkSync('whole\ufffd', Buffer.concat([Buffer.from(`${root}/l`), Buffer.from([0xff])]))
    const entries = await disk.list(capability('read', '/'))
    assert.equal(entries.length, brokenNames.length + 2)
    for (const entry of entries) {
      assert.ok(entry.name.includes('\ufffd'))
      assert.equal(entry.unreachable, entry.name === 'whole\ufffd' ? undefined : 'name')
      if (entry.unreachable) await assert.rejects(disk.open(capability('download', entry.path)), { code: 'notFound' })
    }
    assert.equal(await contentOf(disk, '/whole\ufffd'), 'real')
  })

  test('a name that is too long is invalid, also with an added number', async (t) => {
    const { disk } = await openDisk(t)
    await disk.write(capability('create', `/${'n'.repeat(255)}`), body('x'), addOnly)
    assert.throws(() => capability('create', `/${'n'.repeat(256)}`), { code: 'invalid' })
  })

  test('a path of the maximal length is resolved, although no single call of the system accepts it', async (t) => {
    const { disk } = await openDisk(t)
    const parts = Array.from({ length: 16 }, () => 'd'.repeat(250))
    for (let depth = 1; depth <= parts.length; depth++) {
      await disk.makeFolder(capability('create', parts.slice(0, depth).join('/')))
    }
    const path = `${parts.join('/')}/${'f'.repeat(70)}`
    await disk.write(capability('create', path), body('deep'), addOnly)
    assert.equal(await contentOf(disk, path), 'deep')
    await disk.remove(capability('delete', path))
    for (let depth = parts.length; depth > 0; depth--) await disk.remove(capability('delete', parts.slice(0, depth).join('/')))
  })

  test('reserved names are hidden and refused, in every folder and every spelling that some file system treats as equal', async (t) => {
    const folders = [part.toUpperCase(), part.replace('part', 'extract'), trashName, '.holdall-tra\u017fh']
    const reserved = Object.fromEntries(folders.map((name) => [`${name}/x`, 'x']))
    const files = { [part]: 'half', '.holdall-volume': 'id', ...reserved, f: 'x' }
    const below = Object.fromEntries(Object.entries(files).map(([name, text]) => [`d/${name}`, text]))
    const { disk, root } = await openDisk(t, { files: { ...files, ...below } })
    assert.deepEqual(await namesIn(disk), ['d', 'f'])
    assert.deepEqual(await namesIn(disk, '/d'), ['f'])
    const found = (
      await Array.fromAsync(disk.find(capability('read', '/'), { isWanted: () => true, signal: new AbortController().signal }))
    ).flat()
    assert.deepEqual(found.map(({ path }) => path).sort(), ['/d', '/d/f', '/f'])
    const paths = [part, `${part}/x`, '.holdall-volume', ...folders, ...folders.map((name) => `${name}/x`)]
    for (const path of [...paths, ...paths.map((name) => `d/${name}`)]) {
      await assert.rejects(disk.stat(capability('read', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.open(capability('download', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.write(capability('create', path), body('x'), replacing), { code: 'forbidden' }, path)
      await assert.rejects(disk.remove(capability('delete', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.makeFolder(capability('create', path)), { code: 'forbidden' }, path)
      await assert.rejects(
        disk.move(capability('rename', '/f'), capability('rename', path), replacing),
        { code: 'forbidden' },
        path,
      )
      await assert.rejects(
        disk.move(capability('rename', path), capability('rename', '/g'), addOnly),
        { code: 'forbidden' },
        path,
      )
    }
    assert.equal(fs.readFileSync(join(root, part), 'utf8'), 'half')
    await disk.move(capability('rename', '/d'), capability('rename', '/e'), addOnly)
    assert.equal(fs.readFileSync(join(root, 'e', part), 'utf8'), 'half')
  })

  test('names that only resemble those of the server are ordinary names', async (t) => {
    const { disk } = await openDisk(t)
    const names = [
      '.holdall-.part',
      `${part}x`,
      `x${part}`,
      part.replace('0', 'g'),
      '.holdall-00.part',
      '.holdall-trash2',
      'x.holdall-volume',
    ]
    for (const name of names) await disk.write(capability('create', name), body('x'), addOnly)
    assert.deepEqual(await namesIn(disk), names.sort())
  })

  test('an upload in progress is not seen', async (t) => {
    const { disk } = await openDisk(t)
    let seen: string[] = ['nothing yet']
    const watched = async function* () {
      yield Buffer.from('half')
      seen = await namesIn(disk)
    }
    await disk.write(capability('create', '/f'), watched(), addOnly)
    assert.deepEqual(seen, [])
  })
})

describe('what is neither file nor folder', () => {
  test('a FIFO, a socket and a device are listed and never opened', async (t) => {
    const { disk, root } = await openDisk(t, { files: { 'd/': '', l: { link: 'd/fifo' }, f: 'x' } })
    execFileSync('mkfifo', [join(root, 'd/fifo')])
    const server = createServer().listen(join(root, 'd/socket'))
    t.after(() => server.close())
    if (process.getuid?.() === 0) execFileSync('mknod', [join(root, 'd/null'), 'c', '1', '3'])
    const entries = await disk.list(capability('read', '/d'))
    assert.ok(entries.length >= 2)
    for (const entry of [...entries, await disk.stat(capability('read', '/l'))]) {
      assert.deepEqual([entry.unreachable, entry.isDir], ['special', false], entry.name)
      await assert.rejects(disk.open(capability('download', entry.path)), { code: 'forbidden' })
      await assert.rejects(disk.list(capability('read', entry.path)), { code: 'invalid' })
      await assert.rejects(disk.write(capability('modify', entry.path), body('x'), replacing), { code: 'forbidden' })
      await assert.rejects(disk.write(capability('create', entry.path), body('x'), addOnly), { code: 'conflict' })
      if (entry.isSymlink) continue
      await assert.rejects(disk.move(capability('rename', '/f'), capability('rename', entry.path), replacing), {
        code: 'forbidden',
      })
    }
    await disk.move(capability('rename', '/d/fifo'), capability('rename', '/fifo'), addOnly)
    assert.ok(fs.lstatSync(join(root, 'fifo')).isFIFO())
    await disk.remove(capability('delete', '/fifo'))
    assert.equal(fs.existsSync(join(root, 'fifo')), false)
  })
})

test('every unusual name is stored under the same bytes', async (t) => {
  const { disk, root } = await openDisk(t)
  for (const name of nastyNames) await disk.write(capability('create', `/${name}`), body('x'), addOnly)
  assert.deepEqual(fs.readdirSync(root).sort(), [...nastyNames].sort())
})
