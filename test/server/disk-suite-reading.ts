// Tests of every Disk: open files, real paths, and watching.
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { FolderWatch } from '../../src-server/disk/disk.ts'
import { body, capability, principal } from '../support/capabilities.ts'
import { namesIn } from '../support/in-disk.ts'
import { actions, type MakeDisk } from './disk-suite.ts'

const addOnly = { replace: false }
const replacing = { replace: true }

export function reading(makeDisk: MakeDisk) {
  test('an open file is read whole, in part, and more than once', async (t) => {
    const disk = await makeDisk({ f: '0123456789', empty: '', l: { link: 'f' } }, t)
    const file = await disk.open(capability('download', '/l'))
    assert.equal(file.version, file.entry.version)
    for (const [range, wanted] of [
      [{}, '0123456789'],
      [{ start: 3 }, '3456789'],
      [{ end: 3 }, '0123'],
      [{ start: 2, end: 2 }, '2'],
      [{ start: 8, end: 99 }, '89'],
      [{ start: 10 }, ''],
      [{}, '0123456789'],
    ] as const) {
      assert.equal(await text(file.read(range)), wanted, JSON.stringify(range))
    }
    await file.close()
    const empty = await disk.open(capability('download', '/empty'))
    assert.equal(await text(empty.read()), '')
    await empty.close()
  })

  test('small files are read whole, many at a time, and longer ones only described', async (t) => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`d/${index}`, 'x'.repeat(index * 7)]))
    const disk = await makeDisk({ ...files, link: { link: 'd/3' } }, t)
    const read = (path: string, longest = 2000) => disk.readWhole(capability('download', path), { longest })
    await Promise.all(
      Object.entries(files).map(async ([path, content]) => {
        const { entry, content: found } = await read(`/${path}`)
        assert.deepEqual([entry.path, entry.size, found && Buffer.from(found).toString()], [`/${path}`, content.length, content])
      }),
    )
    const linked = await read('/link')
    assert.deepEqual([linked.entry.isSymlink, Buffer.from(linked.content ?? '').toString()], [true, 'x'.repeat(21)])
    const long = await read('/d/100', 699)
    assert.deepEqual([long.entry.size, long.content], [700, undefined])
    await assert.rejects(read('/d'), { code: 'forbidden' })
    await assert.rejects(read('/missing'), { code: 'notFound' })
    const throughLink = capability('download', '/link', principal('/d'))
    await assert.rejects(disk.readWhole(throughLink, { longest: 2000 }), { code: 'forbidden' })
  })

  test('a large file is read in chunks of at most 1 MiB', async (t) => {
    const content = Buffer.alloc(3_000_000, 'abcdefg')
    const disk = await makeDisk({ f: content }, t)
    const file = await disk.open(capability('download', '/f'))
    const chunks: Buffer[] = []
    for await (const chunk of file.read()) chunks.push(chunk)
    assert.ok(Buffer.concat(chunks).equals(content))
    assert.ok(chunks.every(({ length }) => length <= 1 << 20))
    await file.close()
  })

  test('a signal that is aborted ends what is asked and what is read, with its reason', async (t) => {
    const disk = await makeDisk({ 'd/f': Buffer.alloc(3_000_000) }, t)
    const aborted = AbortSignal.abort(new Error('the client went'))
    for (const call of [
      () => disk.stat(capability('read', '/d/f'), aborted),
      () => disk.list(capability('read', '/d'), aborted),
      () => disk.open(capability('download', '/d/f'), aborted),
    ]) {
      await assert.rejects(call(), /the client went/)
    }
    const file = await disk.open(capability('download', '/d/f'))
    const abort = new AbortController()
    const reading = async () => {
      for await (const _ of file.read({ signal: abort.signal })) abort.abort()
    }
    await assert.rejects(reading(), { name: 'AbortError' })
    await file.close()
  })

  test('other content has another version, another name has the same', async (t) => {
    const disk = await makeDisk({ f: 'old', l: { link: 'f' } }, t)
    const { version } = await disk.stat(capability('read', '/f'))
    assert.match(version, /^[\w.-]+$/)
    assert.equal((await disk.stat(capability('read', '/l'))).version, version)
    await disk.move(capability('rename', '/f'), capability('rename', '/g'), addOnly)
    assert.equal((await disk.stat(capability('read', '/g'))).version, version)
    const { version: after } = await disk.write(capability('modify', '/g'), body('new'), replacing)
    assert.notEqual(after, version)
  })
}

export function identities(makeDisk: MakeDisk) {
  const identityOf = (path: string) => capability('read', path)

  test(
    'an object keeps its identity when it is renamed, and a new one of its name has another',
    actions(makeDisk, 'identify'),
    async (t) => {
      const disk = await makeDisk({ 'd/f': 'old', g: '', l: { link: 'g' } }, t)
      const old = await disk.identify(identityOf('/d/f'))
      assert.notEqual(old, '')
      const file = await disk.open(capability('download', '/d/f'))
      assert.equal(file.identity, old)
      await file.close()
      await disk.move(capability('rename', '/d/f'), capability('create', '/f'), addOnly)
      assert.equal(await disk.identify(identityOf('/f')), old)
      await disk.write(capability('create', '/d/f'), body('new'), addOnly)
      assert.notEqual(await disk.identify(identityOf('/d/f')), old)
      await disk.write(capability('modify', '/f'), body('saved'), replacing)
      assert.notEqual(await disk.identify(identityOf('/f')), old)
      assert.notEqual(await disk.identify(identityOf('/l')), await disk.identify(identityOf('/g')))
      await assert.rejects(disk.identify(identityOf('/missing')), { code: 'notFound' })
    },
  )
}

export function realPaths(makeDisk: MakeDisk) {
  const tree = { 'a/b/f': 'x', 'a/b2/': '', l: { link: 'a' }, 'a/up': { link: '..' } }

  test('one path is inside another or not, whatever links lead there', actions(makeDisk, 'isWithin'), async (t) => {
    const disk = await makeDisk(tree, t)
    const isWithin = (at: string, folder: string) => disk.isWithin(capability('read', at), capability('read', folder))
    for (const [at, folder] of [
      ['/a', '/a'],
      ['/a/b/f', '/a'],
      ['/a/b', '/l'],
      ['/l/b/f', '/a/b'],
      ['/a/b/new/newer', '/l/b'],
      ['/l/up/l/b', '/a'],
      ['/l', '/'],
    ] as const) {
      assert.equal(await isWithin(at, folder), true, `${at} in ${folder}`)
    }
    for (const [at, folder] of [
      ['/a', '/a/b'],
      ['/a/b2', '/a/b'],
      ['/l/up', '/a'],
      ['/new', '/a'],
    ] as const) {
      assert.equal(await isWithin(at, folder), false, `${at} in ${folder}`)
    }
    await assert.rejects(isWithin('/a', '/nothing'), { code: 'notFound' })
  })

  test('reports the free space, and the path of a file on the host', actions(makeDisk, 'usage', 'hostPath'), async (t) => {
    const disk = await makeDisk(tree, t)
    const { total, free, device } = await disk.usage(capability('read', '/a/b/f'))
    assert.equal(device, (await disk.inode(capability('read', '/a/b')))?.device)
    assert.ok(total > 0 && free >= 0 && free <= total)
    assert.match(await disk.hostPath(capability('read', '/l/b/f')), /\/a\/b\/f$/)
    await assert.rejects(disk.usage(capability('read', '/nothing')), { code: 'notFound' })
    await assert.rejects(disk.hostPath(capability('read', '/nothing')), { code: 'notFound' })
  })

  test('an entry that is reached through a link has its real path', async (t) => {
    const disk = await makeDisk(tree, t)
    assert.equal((await disk.stat(capability('read', '/a/b/f'))).truePath, undefined)
    assert.equal((await disk.stat(capability('read', '/l'))).truePath, undefined)
    assert.equal((await disk.stat(capability('read', '/l/up'))).truePath, '/a/up')
    const listed = await disk.list(capability('read', '/l/up/l/b'))
    assert.deepEqual(
      listed.map(({ path, truePath }) => [path, truePath]),
      [['/l/up/l/b/f', '/a/b/f']],
    )
    for (const entry of await disk.list(capability('read', '/l'))) {
      assert.deepEqual(await disk.stat(capability('read', entry.path)), entry)
    }
  })

  test('rules are applied to the real path', async (t) => {
    const disk = await makeDisk(tree, t)
    const who = principal('/a/b/f')
    for (const path of ['/l/b/f', '/l/up/a/b/f', '/a/up/l/b/f']) {
      await assert.rejects(disk.stat(capability('read', path, who)), { code: 'forbidden' }, path)
      await assert.rejects(disk.remove(capability('delete', path, who)), { code: 'forbidden' }, path)
    }
    assert.deepEqual(await namesIn(disk, '/l/b', who), ['f'], 'rules are the caller’s to apply')
  })
}

export function watching(makeDisk: MakeDisk) {
  test('a watched folder says what is new, different and gone in it, until the signal', actions(makeDisk, 'watch'), async (t) => {
    const disk = await makeDisk({ 'd/old': 'x', 'e/': '', l: { link: 'd' } }, t)
    const abort = new AbortController()
    const watch = await disk.watch(capability('read', '/l'), abort.signal)
    await disk.write(capability('create', '/e/elsewhere'), body('x'), addOnly)
    await disk.makeFolder(capability('create', '/d/new'))
    await nextName(watch, 'new')
    await disk.remove(capability('delete', '/d/old'))
    await nextName(watch, 'old')
    const last = watch.next()
    abort.abort()
    assert.equal(await last, undefined)
  })

  test(
    'watches of one folder by different paths know that it is one, and each is told',
    actions(makeDisk, 'watch'),
    async (t) => {
      const disk = await makeDisk({ 'd/': '', 'e/': '', l: { link: 'd' } }, t)
      const { signal } = new AbortController()
      const [one, other, third] = await Promise.all(
        ['/d', '/l', '/e'].map((path) => disk.watch(capability('read', path), signal)),
      )
      assert.ok(one && other && third)
      t.after(() => third.close())
      assert.equal(one.folder, other.folder)
      assert.notEqual(one.folder, third.folder)
      await disk.makeFolder(capability('create', '/d/new'))
      await nextName(one, 'new')
      await nextName(other, 'new')
      one.close()
      assert.equal(await one.next(), undefined)
      await disk.makeFolder(capability('create', '/d/newer'))
      await nextName(other, 'newer')
      other.close()
    },
  )

  test('a watch ends with its folder', actions(makeDisk, 'watch'), async (t) => {
    const disk = await makeDisk({ 'd/': '' }, t)
    const watch = await disk.watch(capability('read', '/d'), new AbortController().signal)
    await disk.remove(capability('delete', '/d'))
    for (let changed = await watch.next(); changed; changed = await watch.next()) assert.deepEqual(changed.names, [])
    watch.close()
  })

  test('only a folder is watched', async (t) => {
    const disk = await makeDisk({ f: '' }, t)
    const watch = (path: string) => disk.watch(capability('read', path), new AbortController().signal)
    await assert.rejects(watch('/f'), { code: 'invalid' })
    await assert.rejects(watch('/nothing'), { code: 'notFound' })
  })
}

/** Waits until a name is reported, which may happen more than once. @throws when another name is reported, or the watch ends */
async function nextName(watch: FolderWatch, name: string) {
  for (let changed = await watch.next(); changed; changed = await watch.next()) {
    if (changed.names.includes(name)) return
    assert.ok(!changed.names.includes('elsewhere'))
  }
  assert.fail(`the watch ended before ${name}`)
}
