// Tests of every Disk: links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, capability, principal } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { actions, type MakeDisk } from './disk-suite.ts'

const addOnly = { replace: false }
const replacing = { replace: true }

export function links(makeDisk: MakeDisk) {
  const tree = {
    'd/f': 'text',
    'd/e/g': 'deep',
    'd/e/up': { link: '../f' },
    file: { link: 'd/f' },
    folder: { link: './d//e/' },
    chain: { link: 'folder/up' },
    here: { link: '.' },
    broken: { link: 'd/nothing' },
    loop: { link: 'pool' },
    pool: { link: 'loop' },
    through: { link: 'd/f/x' },
    climbs: { link: '../../etc/passwd' },
    absolute: { link: '/etc/passwd' },
    around: { link: 'd/../../elsewhere' },
  }

  test('a link inside the scope is treated as its target', async (t) => {
    const disk = await makeDisk(tree, t)
    const target = await disk.stat(capability('read', '/d/f'))
    const link = await disk.stat(capability('read', '/file'))
    assert.deepEqual(link, { ...target, name: 'file', path: '/file', isSymlink: true })
    assert.equal(await contentOf(disk, '/file'), 'text')
    assert.equal(await contentOf(disk, '/chain'), 'text')
    assert.equal(await contentOf(disk, '/folder/g'), 'deep')
    assert.equal(await contentOf(disk, '/here/here/d/e/up'), 'text')
    assert.deepEqual(await namesIn(disk, '/folder'), ['g', 'up'])
    assert.equal((await disk.stat(capability('read', '/here'))).isDir, true)
  })

  test('a broken link or one that leaves the scope is shown and marked', async (t) => {
    const disk = await makeDisk(tree, t)
    const marks = Object.fromEntries((await disk.list(capability('read', '/'))).map((entry) => [entry.name, entry.unreachable]))
    assert.deepEqual(
      Object.entries(marks).filter(([, mark]) => mark),
      Object.entries(marks).filter(([name]) => !['d', 'file', 'folder', 'chain', 'here'].includes(name)),
    )
    for (const name of ['broken', 'loop', 'pool', 'through']) assert.equal(marks[name], 'broken', name)
    for (const name of ['climbs', 'absolute', 'around']) assert.equal(marks[name], 'outside', name)
  })

  test('a broken link or one that leaves the scope cannot be opened, entered or written to', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const [names, code] of [
      [['broken', 'loop', 'through'], 'notFound'],
      [['climbs', 'absolute', 'around'], 'forbidden'],
    ] as const) {
      for (const name of names) {
        await assert.rejects(disk.open(capability('download', `/${name}`)), { code }, name)
        await assert.rejects(disk.list(capability('read', `/${name}`)), { code }, name)
        await assert.rejects(disk.stat(capability('read', `/${name}/x`)), { code }, name)
        await assert.rejects(disk.write(capability('create', `/${name}/x`), body('x'), addOnly), { code }, name)
        await assert.rejects(disk.makeFolder(capability('create', `/${name}/x`)), { code }, name)
      }
    }
    await assert.rejects(disk.write(capability('modify', '/climbs'), body('x'), replacing), { code: 'forbidden' })
  })

  test('writing to a link changes its target', async (t) => {
    const disk = await makeDisk(tree, t)
    const entry = await disk.write(capability('modify', '/chain'), body('written'), replacing)
    assert.deepEqual([entry.name, entry.isSymlink, entry.size], ['chain', true, 7])
    assert.equal(await contentOf(disk, '/d/f'), 'written')
    assert.equal((await disk.stat(capability('read', '/chain'))).isSymlink, true)
    await assert.rejects(disk.write(capability('modify', '/folder'), body('x'), replacing), { code: 'conflict' })
  })

  test('a link to what the rules block is refused', async (t) => {
    const disk = await makeDisk(
      { 'secret/f': 'hidden', 'secret/open/g': 'x', l: { link: 'secret' }, 'p/m': { link: '../secret/f' } },
      t,
    )
    const who = principal('/secret')
    const marks = (await disk.list(capability('read', '/', who))).map((entry) => [entry.name, entry.unreachable])
    assert.ok(marks.some(([name, mark]) => name === 'l' && mark === 'outside'))
    for (const path of ['/l/f', '/p/m']) {
      await assert.rejects(disk.open(capability('download', path, who)), { code: 'forbidden' }, path)
      await assert.rejects(disk.write(capability('modify', path, who), body('x'), replacing), { code: 'forbidden' }, path)
      assert.equal(await contentOf(disk, path), 'hidden')
    }
    await assert.rejects(disk.list(capability('read', '/l', who)), { code: 'forbidden' })
    await assert.rejects(disk.stat(capability('read', '/l/nothing', who)), { code: 'forbidden' })
  })

  test('a link is copied as it is', actions(makeDisk, 'copyLink'), async (t) => {
    const disk = await makeDisk(tree, t)
    await disk.copyLink(capability('download', '/file'), capability('create', '/copy'))
    assert.equal(await contentOf(disk, '/copy'), 'text')
    assert.equal((await disk.stat(capability('read', '/copy'))).isSymlink, true)
    await assert.rejects(disk.copyLink(capability('download', '/file'), capability('create', '/d')), { code: 'conflict' })
    await assert.rejects(disk.copyLink(capability('download', '/d/f'), capability('create', '/x')), { code: 'invalid' })
    await assert.rejects(disk.copyLink(capability('download', '/nothing'), capability('create', '/x')), { code: 'notFound' })
  })

  test('a link that leaves can be moved and removed, not copied', actions(makeDisk, 'copyLink'), async (t) => {
    const disk = await makeDisk(tree, t)
    await assert.rejects(disk.copyLink(capability('download', '/climbs'), capability('create', '/x')), { code: 'forbidden' })
    await disk.copyLink(capability('rename', '/climbs'), capability('rename', '/d/climbs'))
    await disk.move(capability('rename', '/absolute'), capability('rename', '/moved'), addOnly)
    assert.equal((await disk.stat(capability('read', '/moved'))).unreachable, 'outside')
    await disk.remove(capability('delete', '/climbs'))
    await disk.remove(capability('delete', '/broken'))
    assert.equal((await namesIn(disk, '/')).includes('climbs'), false)
  })
}
