// Links as only a local disk has them: absolute ones, ones that leave the scope, ones that are moved.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { descriptorStrategy } from '../../src-server/disk/path-handle.ts'
import { body, capability, principal } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import { harvest } from '../support/tree.ts'

const addOnly = { replace: false }
const replacing = { replace: true }

describe('links', () => {
  test('an absolute link is resolved against the real path of the scope', async (t) => {
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
      await assert.rejects(disk.open(capability('download', path)), { code: 'forbidden' }, path)
      await assert.rejects(disk.write(capability('modify', path), body('x'), replacing), { code: 'forbidden' }, path)
    }
    assert.equal((await disk.stat(capability('read', '/out'))).unreachable, 'outside')
    assert.deepEqual(await harvest(outside), { f: 'outside' })
  })

  test('nothing is created through a link that leaves the scope or is broken', async (t) => {
    const { disk, root, outside } = await openDisk(t)
    fs.symlinkSync(join(outside, 'new'), join(root, 'dangling'))
    fs.symlinkSync(outside, join(root, 'out'))
    fs.symlinkSync('nowhere/new', join(root, 'inside'))
    for (const path of ['/dangling', '/out/new', '/inside']) {
      await assert.rejects(disk.write(capability('modify', path), body('x'), replacing), /forbidden|conflict|Failure/, path)
      await assert.rejects(disk.write(capability('create', path), body('x'), addOnly), /Failure/, path)
      await assert.rejects(disk.makeFolder(capability('create', path)), /Failure/, path)
    }
    await assert.rejects(disk.remove(capability('delete', '/out/new')), { code: 'forbidden' })
    assert.deepEqual(await harvest(outside), {})
    assert.equal(fs.existsSync(join(root, 'nowhere')), false)
  })

  test('links do not leave a scope inside the root', async (t) => {
    const { disk, root } = await openDisk(t, {
      files: { 'ann/up': { link: '../bob/f' }, 'bob/f': 'bob', 'ann/f': 'ann' },
      options: () => ({ scope: parsePath('/ann') }),
    })
    fs.symlinkSync(join(root, 'bob'), join(root, 'ann/bob'))
    assert.equal(await contentOf(disk, '/f'), 'ann')
    for (const path of ['/up', '/bob/f'])
      await assert.rejects(disk.open(capability('download', path)), { code: 'forbidden' }, path)
  })

  test('a scope may be a link that stays in the root, and no other', async (t) => {
    const { root, outside } = await openDisk(t, { files: { 'real/f': 'x', scope: { link: 'real' }, f: '' }, outside: { f: '' } })
    fs.symlinkSync(outside, join(root, 'out'))
    const open = (scope: string) =>
      openLocalDisk({ root, scope: parsePath(scope), protectedPaths: nothingProtected, linksInto: [] })
    const disk = await open('/scope')
    assert.deepEqual(await namesIn(disk), ['f'])
    disk.close()
    await assert.rejects(open('/out'), { code: 'forbidden' })
    await assert.rejects(open('/nothing'), { code: 'notFound' })
    await assert.rejects(open('/f'), { code: 'notFound' })
  })

  test('the disk keeps its folder when that is renamed', async (t) => {
    const { disk, root } = await openDisk(t, { files: { f: 'x' } })
    fs.symlinkSync(join(root, 'f'), join(root, 'l'))
    fs.renameSync(root, `${root}-moved`)
    assert.equal(await contentOf(disk, '/f'), 'x')
    // The link's target is no longer in the scope.
    await assert.rejects(disk.open(capability('download', '/l')), { code: 'forbidden' })
    fs.renameSync(`${root}-moved`, root)
    assert.equal(await contentOf(disk, '/l'), 'x')
  })

  test('links that form an endless path are refused', async (t) => {
    const climb = 'a/b/../../'.repeat(400)
    const chain = Array.from({ length: 39 }, (_, index) => [`l${index}`, { link: index ? `l${index - 1}/${climb}` : climb }])
    let opened = 0
    const openPath = (address: string | Buffer) => {
      opened++
      return descriptorStrategy.openPath(address)
    }
    const options = () => ({ strategy: { ...descriptorStrategy, openPath } })
    const { disk } = await openDisk(t, { files: { 'a/b/': '', f: 'x', ...Object.fromEntries(chain) }, options })
    assert.equal(await contentOf(disk, '/l1/f'), 'x')
    opened = 0
    await assert.rejects(disk.stat(capability('read', '/l38/f')), { code: 'notFound' })
    assert.ok(opened > 0 && opened < 10_000, String(opened))
  })

  test('forty links in a chain are followed, forty-one are not', async (t) => {
    const chain = Object.fromEntries(
      Array.from({ length: 41 }, (_, index) => [`l${index}`, { link: index ? `l${index - 1}` : 'f' }]),
    )
    const { disk } = await openDisk(t, { files: { f: 'x', ...chain } })
    assert.equal(await contentOf(disk, '/l39'), 'x')
    await assert.rejects(disk.open(capability('download', '/l40')), { code: 'notFound' })
    assert.equal((await disk.stat(capability('read', '/l40'))).unreachable, 'broken')
  })
})

describe('links into folders that the administrator allows', () => {
  const setup = (linksInto: (folders: { root: string; outside: string }) => string[], files = {}) => ({
    files,
    outside: { 'shared/f': 'shared', 'shared/d/g': 'deep', 'other/f': 'other', 'shared/up': { link: '../other/f' } },
    options: (folders: { root: string; outside: string }) => ({ linksInto: linksInto(folders) }),
  })

  test('are followed, for reading and writing, and no others', async (t) => {
    const { disk, root, outside } = await openDisk(
      t,
      setup((folders) => [join(folders.outside, 'shared')]),
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
    await disk.write(capability('create', '/below/new'), body('new'), addOnly)
    await disk.write(capability('modify', '/relative'), body('changed'), replacing)
    await disk.makeFolder(capability('create', '/whole/made'))
    assert.equal(fs.readFileSync(join(outside, 'shared/d/new'), 'utf8'), 'new')
    assert.equal(fs.readFileSync(join(outside, 'shared/f'), 'utf8'), 'changed')
    for (const path of ['/above/shared/f', '/beside/f', '/whole/up']) {
      await assert.rejects(disk.open(capability('download', path)), { code: 'forbidden' }, path)
    }
    await assert.rejects(disk.remove(capability('delete', '/above/shared')), { code: 'forbidden' })
    await disk.remove(capability('delete', '/whole'))
    assert.equal(fs.existsSync(join(outside, 'shared')), true)
  })

  test('may be named through a link themselves', async (t) => {
    const { disk, root, outside } = await openDisk(
      t,
      setup((folders) => [join(folders.outside, 'alias')]),
    )
    fs.symlinkSync('shared', join(outside, 'alias'))
    fs.symlinkSync(join(outside, 'alias/f'), join(root, 'named'))
    fs.symlinkSync(join(outside, 'shared/f'), join(root, 'real'))
    assert.equal(await contentOf(disk, '/named'), 'shared')
    assert.equal(await contentOf(disk, '/real'), 'shared')
  })

  test('that are missing are treated as any other path outside', async (t) => {
    const { disk, root, outside } = await openDisk(
      t,
      setup((folders) => [join(folders.outside, 'gone')]),
    )
    fs.symlinkSync(join(outside, 'gone/f'), join(root, 'l'))
    await assert.rejects(disk.open(capability('download', '/l')), { code: 'forbidden' })
  })

  test('do not bypass the rules when the scope is below them', async (t) => {
    const files = { 'secret/f': 'hidden', 'open/f': 'open' }
    const { disk, root } = await openDisk(
      t,
      setup(({ root }) => [join(root, '..')], files),
    )
    fs.symlinkSync(join(root, '..'), join(root, 'up'))
    const who = principal('/secret')
    assert.equal(await contentOf(disk, '/up/root/open/f', who), 'open')
    assert.equal(await contentOf(disk, '/up/outside/other/f', who), 'other')
    await assert.rejects(disk.open(capability('download', '/up/root/secret/f', who)), { code: 'forbidden' })
    await assert.rejects(disk.stat(capability('read', '/up/root/secret/nothing', who)), { code: 'forbidden' })
  })
})

describe('the base of a disk', () => {
  const files = { 'scope/d/e/f': 'inside', 'scope/file': '', other: '' }
  const at = parsePath

  test('is its root, which nothing leaves', async (t) => {
    const { root } = await openDisk(t, { files })
    fs.symlinkSync('../../file', join(root, 'scope/d/e/up'))
    const disk = await openLocalDisk({ ...opening(root), base: at('/d/e') })
    t.after(async () => disk.close())
    assert.deepEqual(await namesIn(disk, '/'), ['f', 'up'])
    assert.equal(await contentOf(disk, '/f'), 'inside')
    await assert.rejects(disk.open(capability('download', '/up')), { code: 'forbidden' })
  })

  test('is a folder that no link leads to', async (t) => {
    const { root } = await openDisk(t, { files })
    fs.symlinkSync('d', join(root, 'scope/link'))
    for (const base of ['/link', '/link/e', '/file', '/missing', '/d/missing'])
      await assert.rejects(openLocalDisk({ ...opening(root), base: at(base) }), { code: 'notFound' }, base)
  })

  test('keeps its identity under another name, and another disk of the root sees the same', async (t) => {
    const { root, disk } = await openDisk(t, { files })
    const identity = await disk.identify(capability('read', '/scope/d/e'))
    fs.renameSync(join(root, 'scope/d'), join(root, 'scope/moved'))
    const below = await openLocalDisk({ ...opening(root), base: at('/moved/e') })
    t.after(async () => below.close())
    assert.equal(await below.identify(capability('read', '/')), identity)
  })

  const opening = (root: string) => ({ root, scope: at('/scope'), protectedPaths: nothingProtected, linksInto: [] })
})
