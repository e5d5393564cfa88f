// Tests of every Disk: old files that are kept while they are replaced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, capability } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { actions, type MakeDisk } from './disk-suite.ts'

const replacing = { replace: true }
const follows = { follows: true }

export function keepingOld(makeDisk: MakeDisk) {
  test('a kept file stays under its name, is not listed twice, and can be put back', async (t) => {
    const disk = await makeDisk({ 'd/a': 'old' }, t)
    const at = capability('rename', '/d/a')
    const before = await disk.stat(capability('read', '/d/a'))
    const old = await disk.keepRollback(at, follows)
    assert.deepEqual([old.entry, await disk.stat(capability('read', '/d/a'))], [before, before])
    assert.deepEqual(await namesIn(disk, '/d'), ['a'])
    await disk.write(at, body('new'), replacing)
    await disk.rollBack(at, old)
    assert.equal(await contentOf(disk, '/d/a'), 'old')
    const { mode, size } = await disk.stat(capability('read', '/d/a'))
    assert.deepEqual([mode, size], [before.mode, before.size])
    assert.deepEqual(await namesIn(disk, '/d'), ['a'])
    await assert.rejects(disk.rollBack(at, old), { code: 'notFound' })
  })

  test('a kept file can be put back when nothing has replaced it, and when its name was removed', async (t) => {
    const disk = await makeDisk({ a: 'old', b: 'old' }, t)
    for (const path of ['/a', '/b']) {
      const old = await disk.keepRollback(capability('rename', path), follows)
      if (path === '/b') await disk.remove(capability('delete', path))
      await disk.rollBack(capability('rename', path), old)
      assert.equal(await contentOf(disk, path), 'old')
    }
  })

  test('a dropped file cannot be put back, and its folder can be removed', async (t) => {
    const disk = await makeDisk({ 'd/a': 'old' }, t)
    const at = capability('rename', '/d/a')
    const old = await disk.keepRollback(at, follows)
    await disk.write(at, body('new'), replacing)
    await disk.dropRollback(at, old)
    await disk.dropRollback(at, old)
    await assert.rejects(disk.rollBack(at, old), { code: 'notFound' })
    assert.equal(await contentOf(disk, '/d/a'), 'new')
    await disk.remove(capability('delete', '/d/a'))
    await disk.remove(capability('delete', '/d'))
  })

  test('of a link the link itself is kept, or its target', actions(makeDisk, 'copyLink', 'keepRollback'), async (t) => {
    const disk = await makeDisk({ f: 'old', l: { link: 'f' }, other: { link: 'nowhere' }, 'd/': '' }, t)
    const at = capability('rename', '/l')
    const link = await disk.keepRollback(at, { follows: false })
    await disk.copyLink(capability('rename', '/other'), at, undefined, replacing)
    assert.equal((await disk.stat(capability('read', '/l'))).unreachable, 'broken')
    await disk.rollBack(at, link)
    assert.equal(await contentOf(disk, '/l'), 'old')
    const file = await disk.keepRollback(at, follows)
    await disk.write(at, body('new'), replacing)
    assert.equal(await contentOf(disk, '/f'), 'new')
    await disk.rollBack(at, file)
    assert.equal(await contentOf(disk, '/f'), 'old')
    assert.equal((await disk.stat(capability('read', '/l'))).isSymlink, true)
    await assert.rejects(disk.keepRollback(capability('rename', '/d'), follows), { code: 'conflict' })
    await assert.rejects(disk.keepRollback(capability('rename', '/other'), follows), { code: 'conflict' })
    await assert.rejects(disk.keepRollback(capability('rename', '/nothing'), follows), { code: 'notFound' })
  })

  test('a link replaces a file in one step if requested, and never a folder', actions(makeDisk, 'copyLink'), async (t) => {
    const disk = await makeDisk({ f: 'old', l: { link: 'd' }, 'd/': '' }, t)
    const from = capability('rename', '/l')
    await assert.rejects(disk.copyLink(from, capability('rename', '/f')), { code: 'conflict' })
    await disk.copyLink(from, capability('rename', '/f'), undefined, replacing)
    const { isSymlink, isDir } = await disk.stat(capability('read', '/f'))
    assert.deepEqual([isSymlink, isDir], [true, true])
    await assert.rejects(disk.copyLink(from, capability('rename', '/d'), undefined, replacing), { code: 'conflict' })
    assert.deepEqual(await namesIn(disk), ['d', 'f', 'l'])
  })
}
