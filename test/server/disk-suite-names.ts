// Tests of every Disk: folders, removing, moving and unusual names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, capability } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { nastyNames } from '../support/nasty-names.ts'
import type { MakeDisk } from './disk-suite.ts'

const addOnly = { replace: false }
const replacing = { replace: true }

export function folders(makeDisk: MakeDisk) {
  test('makes one folder', async (t) => {
    const disk = await makeDisk({}, t)
    await disk.makeFolder(capability('create', '/a'))
    const made = await disk.stat(capability('read', '/a'))
    assert.deepEqual([made.isDir, made.mode & 0o777], [true, 0o750])
    assert.deepEqual(await namesIn(disk, '/a'), [])
  })

  test('a taken name is a conflict, a missing parent notFound', async (t) => {
    const disk = await makeDisk({ a: '', 'd/': '', l: { link: 'd' } }, t)
    for (const path of ['/a', '/d', '/l', '/']) {
      await assert.rejects(disk.makeFolder(capability('create', path)), { code: 'conflict' }, path)
    }
    for (const path of ['/x/y', '/a/y'])
      await assert.rejects(disk.makeFolder(capability('create', path)), { code: 'notFound' }, path)
  })

  test('a copied folder keeps its mode', async (t) => {
    const disk = await makeDisk({}, t)
    const like = { ...(await disk.stat(capability('read', '/'))), mode: 0o40705 }
    await disk.makeFolder(capability('create', '/a'), like)
    assert.equal((await disk.stat(capability('read', '/a'))).mode & 0o777, 0o705)
  })
}

export function removing(makeDisk: MakeDisk) {
  test('removes a file, an empty folder and a link but not its target', async (t) => {
    const disk = await makeDisk({ a: '', 'd/': '', 'e/f': '', l: { link: 'e' } }, t)
    for (const path of ['/a', '/d', '/l']) await disk.remove(capability('delete', path))
    assert.deepEqual(await namesIn(disk, '/'), ['e'])
    assert.deepEqual(await namesIn(disk, '/e'), ['f'])
  })

  test('does not remove a non-empty folder, the root or a missing name', async (t) => {
    const disk = await makeDisk({ 'd/f': '' }, t)
    await assert.rejects(disk.remove(capability('delete', '/d')), { code: 'conflict' })
    await assert.rejects(disk.remove(capability('delete', '/')), { code: 'forbidden' })
    await assert.rejects(disk.remove(capability('delete', '/x')), { code: 'notFound' })
    assert.deepEqual(await namesIn(disk, '/d'), ['f'])
  })
}

export function moving(makeDisk: MakeDisk) {
  const tree = { a: 'A', b: 'B', 'd/x': 'X', 'd/sub/z': 'Z', 'e/y': 'Y', 'empty/': '', l: { link: 'a' } }

  test('moves files, folders and links', async (t) => {
    const disk = await makeDisk(tree, t)
    await disk.move(capability('rename', '/a'), capability('rename', '/e/a'), addOnly)
    await disk.move(capability('rename', '/d'), capability('rename', '/e/d'), addOnly)
    await disk.move(capability('rename', '/l'), capability('rename', '/m'), addOnly)
    assert.deepEqual(await namesIn(disk, '/'), ['b', 'e', 'empty', 'm'])
    assert.equal(await contentOf(disk, '/e/a'), 'A')
    assert.equal(await contentOf(disk, '/e/d/sub/z'), 'Z')
    assert.equal((await disk.stat(capability('read', '/m'))).unreachable, 'broken')
  })

  test('a taken name is a conflict', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const [from, to] of [
      ['/a', '/b'],
      ['/a', '/d'],
      ['/a', '/l'],
      ['/d', '/e'],
      ['/d', '/empty'],
      ['/d', '/a'],
      ['/l', '/a'],
    ] as const) {
      await assert.rejects(
        disk.move(capability('rename', from), capability('rename', to), addOnly),
        { code: 'conflict' },
        `${from} ${to}`,
      )
    }
    assert.deepEqual(await namesIn(disk, '/'), ['a', 'b', 'd', 'e', 'empty', 'l'])
  })

  test('replaces a file by a file and an empty folder by a folder, nothing else', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const [from, to] of [
      ['/a', '/d'],
      ['/a', '/empty'],
      ['/d', '/a'],
      ['/d', '/e'],
      ['/d', '/l'],
    ] as const) {
      await assert.rejects(
        disk.move(capability('rename', from), capability('rename', to), replacing),
        { code: 'conflict' },
        `${from} ${to}`,
      )
    }
    await disk.move(capability('rename', '/a'), capability('rename', '/b'), replacing)
    assert.equal(await contentOf(disk, '/b'), 'A')
    await disk.move(capability('rename', '/d'), capability('rename', '/empty'), replacing)
    assert.deepEqual(await namesIn(disk, '/empty'), ['sub', 'x'])
    await disk.move(capability('rename', '/b'), capability('rename', '/l'), replacing)
    const replaced = await disk.stat(capability('read', '/l'))
    assert.deepEqual([replaced.isSymlink, replaced.size], [false, 1])
  })

  test('onto itself is nothing', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const how of [addOnly, replacing]) {
      for (const path of ['/a', '/d', '/l']) await disk.move(capability('rename', path), capability('rename', path), how)
    }
    assert.deepEqual(await namesIn(disk, '/'), ['a', 'b', 'd', 'e', 'empty', 'l'])
  })

  test('case alone can change', async (t) => {
    const disk = await makeDisk(tree, t)
    await disk.move(capability('rename', '/a'), capability('rename', '/A'), addOnly)
    await disk.move(capability('rename', '/d'), capability('rename', '/D'), addOnly)
    assert.deepEqual(await namesIn(disk, '/'), ['A', 'D', 'b', 'e', 'empty', 'l'])
  })

  test('not into itself, nor from or to a missing folder, nor the root', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const [from, to, code] of [
      ['/d', '/d/sub/d', 'invalid'],
      ['/d', '/d/d', 'invalid'],
      ['/x', '/y', 'notFound'],
      ['/a', '/x/y', 'notFound'],
      ['/a', '/b/y', 'notFound'],
      ['/', '/e/r', 'forbidden'],
    ] as const) {
      await assert.rejects(disk.move(capability('rename', from), capability('rename', to), addOnly), { code }, `${from} ${to}`)
    }
    assert.deepEqual(await namesIn(disk, '/d'), ['sub', 'x'])
    assert.deepEqual(await namesIn(disk, '/d/sub'), ['z'])
  })
}

export function nasty(makeDisk: MakeDisk) {
  test('every valid name is kept as it is', async (t) => {
    const disk = await makeDisk({ 'from/': '', 'to/': '' }, t)
    for (const name of nastyNames) await disk.write(capability('create', `/from/${name}`), body(name), addOnly)
    assert.deepEqual(await namesIn(disk, '/from'), [...nastyNames].sort())
    for (const name of nastyNames) {
      await disk.move(capability('rename', `/from/${name}`), capability('rename', `/to/${name}`), addOnly)
      assert.equal(await contentOf(disk, `/to/${name}`), name)
      await disk.write(capability('modify', `/to/${name}`), body('2'), replacing)
    }
    for (const entry of await disk.list(capability('read', '/to'))) {
      assert.equal(entry.unreachable, undefined, entry.name)
      await disk.remove(capability('delete', entry.path))
    }
    assert.deepEqual([...(await namesIn(disk, '/from')), ...(await namesIn(disk, '/to'))], [])
  })

  test('every nasty name can be a folder', async (t) => {
    const disk = await makeDisk({}, t)
    for (const name of nastyNames) {
      await disk.makeFolder(capability('create', `/${name}`))
      await disk.write(capability('create', `/${name}/in`), body(name), addOnly)
    }
    assert.deepEqual(await namesIn(disk, '/'), [...nastyNames].sort())
    for (const name of nastyNames) assert.equal(await contentOf(disk, `/${name}/in`), name)
  })
}
