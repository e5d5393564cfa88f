// What every Disk promises, whatever it is made of.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import type { Disk } from '../../src-server/disk/disk.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { body, brokenBody, ticket, visitor } from '../support/tickets.ts'
import type { Tree } from '../support/tree.ts'

export type MakeDisk = (tree: Tree, test: TestContext) => Promise<Disk>

const addOnly = { replace: false }
const replacing = { replace: true }

export function diskSuite(name: string, makeDisk: MakeDisk): void {
  describe(name, () => {
    seeing(makeDisk)
    writing(makeDisk)
    folders(makeDisk)
    links(makeDisk)
    removing(makeDisk)
    moving(makeDisk)
    nasty(makeDisk)
  })
}

function seeing(makeDisk: MakeDisk) {
  test('tells files from folders', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': 'four' }, t)
    const file = await disk.stat(ticket('see', '/a/b.txt'))
    assert.deepEqual([file.name, file.path, file.isDir, file.isSymlink, file.size], ['b.txt', '/a/b.txt', false, false, 4])
    const folder = await disk.stat(ticket('see', '/a'))
    assert.deepEqual([folder.name, folder.path, folder.isDir], ['a', '/a', true])
    const root = await disk.stat(ticket('see', '/'))
    assert.deepEqual([root.name, root.path, root.isDir], ['', '/', true])
    assert.equal(new Set([file.identity, folder.identity, root.identity]).size, 3)
    assert.equal(file.unreachable, undefined)
  })

  test('lists what is in a folder and not what is in its folders', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': '', 'a/c/d.txt': '', 'a/e/': '', f: '' }, t)
    assert.deepEqual(await namesIn(disk, '/a'), ['b.txt', 'c', 'e'])
    assert.deepEqual(await namesIn(disk, '/'), ['a', 'f'])
    assert.deepEqual(await namesIn(disk, '/a/e'), [])
    const paths = (await disk.list(ticket('see', '/a'))).map((entry) => entry.path)
    assert.deepEqual(paths.sort(), ['/a/b.txt', '/a/c', '/a/e'])
  })

  test('a listed entry is what stat says of it', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': 'x', 'a/c/': '', 'a/l': { link: 'b.txt' } }, t)
    for (const entry of await disk.list(ticket('see', '/a'))) {
      assert.deepEqual(await disk.stat(ticket('see', entry.path)), entry)
    }
  })

  test('what is missing is notFound', async (t) => {
    const disk = await makeDisk({ 'a.txt': 'x' }, t)
    for (const path of ['/b', '/b/c', '/a.txt/b']) {
      await assert.rejects(disk.stat(ticket('see', path)), { code: 'notFound' }, path)
      await assert.rejects(disk.list(ticket('see', path)), { code: 'notFound' }, path)
      await assert.rejects(disk.open(ticket('download', path)), { code: 'notFound' }, path)
    }
  })

  test('a file is no folder and a folder no file', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': 'x' }, t)
    await assert.rejects(disk.list(ticket('see', '/a/b.txt')), { code: 'invalid' })
    await assert.rejects(disk.open(ticket('download', '/a')), { code: 'forbidden' })
    await assert.rejects(disk.open(ticket('download', '/')), { code: 'forbidden' })
  })

  test('an open file stays the same when its name goes to another', async (t) => {
    const disk = await makeDisk({ 'a.txt': 'old' }, t)
    const file = await disk.open(ticket('download', '/a.txt'))
    await disk.write(ticket('modify', '/a.txt'), body('new'), replacing)
    assert.equal(readFileSync(`/proc/self/fd/${file.fd}`, 'utf8'), 'old')
    await file.close()
    assert.equal(await contentOf(disk, '/a.txt'), 'new')
  })
}

function writing(makeDisk: MakeDisk) {
  test('writes a new file', async (t) => {
    const disk = await makeDisk({ 'a/': '' }, t)
    const entry = await disk.write(ticket('create', '/a/b.txt'), body('one ', 'two'), addOnly)
    assert.deepEqual(entry, await disk.stat(ticket('see', '/a/b.txt')))
    assert.deepEqual([entry.name, entry.size, entry.mode & 0o7777], ['b.txt', 7, 0o640])
    assert.equal(await contentOf(disk, '/a/b.txt'), 'one two')
  })

  test('writes an empty file, and one of many chunks', async (t) => {
    const disk = await makeDisk({}, t)
    await disk.write(ticket('create', '/empty'), body(), addOnly)
    assert.equal(await contentOf(disk, '/empty'), '')
    const chunks = Array.from({ length: 100 }, (_, index) => `${index},`)
    await disk.write(ticket('create', '/many'), body(...chunks), addOnly)
    assert.equal(await contentOf(disk, '/many'), chunks.join(''))
  })

  test('a taken name is a conflict and what stands there stays', async (t) => {
    const disk = await makeDisk({ a: 'old', 'd/x': '', l: { link: 'a' }, gone: { link: 'nowhere' } }, t)
    for (const path of ['/a', '/d', '/l', '/gone', '/']) {
      await assert.rejects(disk.write(ticket('create', path), body('new'), addOnly), { code: 'conflict' }, path)
    }
    assert.equal(await contentOf(disk, '/a'), 'old')
    assert.deepEqual(await namesIn(disk, '/'), ['a', 'd', 'gone', 'l'])
  })

  test('the answer to a taken name comes before the body is read', async (t) => {
    const disk = await makeDisk({ a: 'old' }, t)
    let isRead = false
    const watched = async function* () {
      isRead = true
      yield Buffer.from('new')
    }
    await assert.rejects(disk.write(ticket('create', '/a'), watched(), addOnly), { code: 'conflict' })
    assert.equal(isRead, false)
  })

  test('replaces a file, keeping its mode', async (t) => {
    const disk = await makeDisk({ a: 'old' }, t)
    const { mode } = await disk.stat(ticket('see', '/a'))
    await disk.write(ticket('modify', '/a'), body('newer'), replacing)
    assert.equal(await contentOf(disk, '/a'), 'newer')
    assert.equal((await disk.stat(ticket('see', '/a'))).mode, mode)
  })

  test('replaces no folder and no link to nothing', async (t) => {
    const disk = await makeDisk({ 'd/x': '', gone: { link: 'nowhere' } }, t)
    for (const path of ['/d', '/gone', '/']) {
      await assert.rejects(disk.write(ticket('modify', path), body('new'), replacing), { code: 'conflict' }, path)
    }
    assert.deepEqual(await namesIn(disk, '/'), ['d', 'gone'])
  })

  test('a missing folder is notFound', async (t) => {
    const disk = await makeDisk({ a: '' }, t)
    for (const path of ['/b/c', '/a/c']) {
      await assert.rejects(disk.write(ticket('create', path), body('x'), addOnly), { code: 'notFound' }, path)
    }
  })

  test('a body that breaks leaves nothing, and the old file as it was', async (t) => {
    const disk = await makeDisk({ old: 'old' }, t)
    await assert.rejects(disk.write(ticket('create', '/new'), brokenBody('half'), addOnly), /the connection broke/)
    await assert.rejects(disk.write(ticket('modify', '/old'), brokenBody('half'), replacing), /the connection broke/)
    assert.deepEqual(await namesIn(disk, '/'), ['old'])
    assert.equal(await contentOf(disk, '/old'), 'old')
  })

  test('of two uploads to one name one wins, whole', async (t) => {
    const disk = await makeDisk({}, t)
    const uploads = ['first', 'second', 'third'].map((text) => disk.write(ticket('create', '/a'), body(text), addOnly))
    const outcomes = await Promise.allSettled(uploads)
    const wins = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    assert.equal(wins.length, 1)
    assert.match(await contentOf(disk, '/a'), /^(first|second|third)$/)
    assert.deepEqual(await namesIn(disk, '/'), ['a'])
  })

  test('a copy keeps mode and time', async (t) => {
    const disk = await makeDisk({}, t)
    const like = { ...(await disk.stat(ticket('see', '/'))), mode: 0o100604, modified: 1_600_000_000_000_000_000n }
    const copy = await disk.write(ticket('create', '/copy'), body('x'), { ...addOnly, like })
    assert.deepEqual([copy.mode & 0o777, copy.modified], [0o604, like.modified])
  })
}

function folders(makeDisk: MakeDisk) {
  test('makes one folder', async (t) => {
    const disk = await makeDisk({}, t)
    await disk.makeFolder(ticket('create', '/a'))
    const made = await disk.stat(ticket('see', '/a'))
    assert.deepEqual([made.isDir, made.mode & 0o777], [true, 0o750])
    assert.deepEqual(await namesIn(disk, '/a'), [])
  })

  test('a taken name is a conflict, a missing parent notFound', async (t) => {
    const disk = await makeDisk({ a: '', 'd/': '', l: { link: 'd' } }, t)
    for (const path of ['/a', '/d', '/l', '/']) {
      await assert.rejects(disk.makeFolder(ticket('create', path)), { code: 'conflict' }, path)
    }
    for (const path of ['/x/y', '/a/y']) await assert.rejects(disk.makeFolder(ticket('create', path)), { code: 'notFound' }, path)
  })

  test('a copied folder keeps its mode', async (t) => {
    const disk = await makeDisk({}, t)
    const like = { ...(await disk.stat(ticket('see', '/'))), mode: 0o40705 }
    await disk.makeFolder(ticket('create', '/a'), like)
    assert.equal((await disk.stat(ticket('see', '/a'))).mode & 0o777, 0o705)
  })
}

function links(makeDisk: MakeDisk) {
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

  test('a link inside the scope is what it leads to', async (t) => {
    const disk = await makeDisk(tree, t)
    const target = await disk.stat(ticket('see', '/d/f'))
    const link = await disk.stat(ticket('see', '/file'))
    assert.deepEqual(link, { ...target, name: 'file', path: '/file', isSymlink: true })
    assert.equal(await contentOf(disk, '/file'), 'text')
    assert.equal(await contentOf(disk, '/chain'), 'text')
    assert.equal(await contentOf(disk, '/folder/g'), 'deep')
    assert.equal(await contentOf(disk, '/here/here/d/e/up'), 'text')
    assert.deepEqual(await namesIn(disk, '/folder'), ['g', 'up'])
    assert.equal((await disk.stat(ticket('see', '/here'))).isDir, true)
  })

  test('a link that leads nowhere or out is shown and marked', async (t) => {
    const disk = await makeDisk(tree, t)
    const marks = Object.fromEntries((await disk.list(ticket('see', '/'))).map((entry) => [entry.name, entry.unreachable]))
    assert.deepEqual(
      Object.entries(marks).filter(([, mark]) => mark),
      Object.entries(marks).filter(([name]) => !['d', 'file', 'folder', 'chain', 'here'].includes(name)),
    )
    for (const name of ['broken', 'loop', 'pool', 'through']) assert.equal(marks[name], 'broken', name)
    for (const name of ['climbs', 'absolute', 'around']) assert.equal(marks[name], 'outside', name)
  })

  test('a link that leads nowhere or out cannot be opened, entered or written to', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const [names, code] of [
      [['broken', 'loop', 'through'], 'notFound'],
      [['climbs', 'absolute', 'around'], 'forbidden'],
    ] as const) {
      for (const name of names) {
        await assert.rejects(disk.open(ticket('download', `/${name}`)), { code }, name)
        await assert.rejects(disk.list(ticket('see', `/${name}`)), { code }, name)
        await assert.rejects(disk.stat(ticket('see', `/${name}/x`)), { code }, name)
        await assert.rejects(disk.write(ticket('create', `/${name}/x`), body('x'), addOnly), { code }, name)
        await assert.rejects(disk.makeFolder(ticket('create', `/${name}/x`)), { code }, name)
      }
    }
    await assert.rejects(disk.write(ticket('modify', '/climbs'), body('x'), replacing), { code: 'forbidden' })
  })

  test('writing to a link changes what it leads to', async (t) => {
    const disk = await makeDisk(tree, t)
    const entry = await disk.write(ticket('modify', '/chain'), body('written'), replacing)
    assert.deepEqual([entry.name, entry.isSymlink, entry.size], ['chain', true, 7])
    assert.equal(await contentOf(disk, '/d/f'), 'written')
    assert.equal((await disk.stat(ticket('see', '/chain'))).isSymlink, true)
    await assert.rejects(disk.write(ticket('modify', '/folder'), body('x'), replacing), { code: 'conflict' })
  })

  test('a link to what the rules block leads nowhere', async (t) => {
    const disk = await makeDisk(
      { 'secret/f': 'hidden', 'secret/open/g': 'x', l: { link: 'secret' }, 'p/m': { link: '../secret/f' } },
      t,
    )
    const who = visitor('/secret')
    const marks = (await disk.list(ticket('see', '/', who))).map((entry) => [entry.name, entry.unreachable])
    assert.ok(marks.some(([name, mark]) => name === 'l' && mark === 'outside'))
    for (const path of ['/l/f', '/p/m']) {
      await assert.rejects(disk.open(ticket('download', path, who)), { code: 'forbidden' }, path)
      await assert.rejects(disk.write(ticket('modify', path, who), body('x'), replacing), { code: 'forbidden' }, path)
      assert.equal(await contentOf(disk, path), 'hidden')
    }
    await assert.rejects(disk.list(ticket('see', '/l', who)), { code: 'forbidden' })
    await assert.rejects(disk.stat(ticket('see', '/l/nothing', who)), { code: 'forbidden' })
  })

  test('a link is copied as it is', async (t) => {
    const disk = await makeDisk(tree, t)
    await disk.copyLink(ticket('download', '/file'), ticket('create', '/copy'))
    assert.equal(await contentOf(disk, '/copy'), 'text')
    assert.equal((await disk.stat(ticket('see', '/copy'))).isSymlink, true)
    await assert.rejects(disk.copyLink(ticket('download', '/file'), ticket('create', '/d')), { code: 'conflict' })
    await assert.rejects(disk.copyLink(ticket('download', '/d/f'), ticket('create', '/x')), { code: 'invalid' })
    await assert.rejects(disk.copyLink(ticket('download', '/nothing'), ticket('create', '/x')), { code: 'notFound' })
  })

  test('a link that leaves can be moved and removed, not copied', async (t) => {
    const disk = await makeDisk(tree, t)
    await assert.rejects(disk.copyLink(ticket('download', '/climbs'), ticket('create', '/x')), { code: 'forbidden' })
    await disk.copyLink(ticket('rename', '/climbs'), ticket('rename', '/d/climbs'))
    await disk.move(ticket('rename', '/absolute'), ticket('rename', '/moved'), addOnly)
    assert.equal((await disk.stat(ticket('see', '/moved'))).unreachable, 'outside')
    await disk.remove(ticket('delete', '/climbs'))
    await disk.remove(ticket('delete', '/broken'))
    assert.equal((await namesIn(disk, '/')).includes('climbs'), false)
  })
}

function removing(makeDisk: MakeDisk) {
  test('removes a file, an empty folder and a link but not its target', async (t) => {
    const disk = await makeDisk({ a: '', 'd/': '', 'e/f': '', l: { link: 'e' } }, t)
    for (const path of ['/a', '/d', '/l']) await disk.remove(ticket('delete', path))
    assert.deepEqual(await namesIn(disk, '/'), ['e'])
    assert.deepEqual(await namesIn(disk, '/e'), ['f'])
  })

  test('does not remove a full folder, the root or what is not there', async (t) => {
    const disk = await makeDisk({ 'd/f': '' }, t)
    await assert.rejects(disk.remove(ticket('delete', '/d')), { code: 'conflict' })
    await assert.rejects(disk.remove(ticket('delete', '/')), { code: 'forbidden' })
    await assert.rejects(disk.remove(ticket('delete', '/x')), { code: 'notFound' })
    assert.deepEqual(await namesIn(disk, '/d'), ['f'])
  })
}

function moving(makeDisk: MakeDisk) {
  const tree = { a: 'A', b: 'B', 'd/x': 'X', 'd/sub/z': 'Z', 'e/y': 'Y', 'empty/': '', l: { link: 'a' } }

  test('moves files, folders and links', async (t) => {
    const disk = await makeDisk(tree, t)
    await disk.move(ticket('rename', '/a'), ticket('rename', '/e/a'), addOnly)
    await disk.move(ticket('rename', '/d'), ticket('rename', '/e/d'), addOnly)
    await disk.move(ticket('rename', '/l'), ticket('rename', '/m'), addOnly)
    assert.deepEqual(await namesIn(disk, '/'), ['b', 'e', 'empty', 'm'])
    assert.equal(await contentOf(disk, '/e/a'), 'A')
    assert.equal(await contentOf(disk, '/e/d/sub/z'), 'Z')
    assert.equal((await disk.stat(ticket('see', '/m'))).unreachable, 'broken')
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
        disk.move(ticket('rename', from), ticket('rename', to), addOnly),
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
        disk.move(ticket('rename', from), ticket('rename', to), replacing),
        { code: 'conflict' },
        `${from} ${to}`,
      )
    }
    await disk.move(ticket('rename', '/a'), ticket('rename', '/b'), replacing)
    assert.equal(await contentOf(disk, '/b'), 'A')
    await disk.move(ticket('rename', '/d'), ticket('rename', '/empty'), replacing)
    assert.deepEqual(await namesIn(disk, '/empty'), ['sub', 'x'])
    await disk.move(ticket('rename', '/b'), ticket('rename', '/l'), replacing)
    const replaced = await disk.stat(ticket('see', '/l'))
    assert.deepEqual([replaced.isSymlink, replaced.size], [false, 1])
  })

  test('onto itself is nothing', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const how of [addOnly, replacing]) {
      for (const path of ['/a', '/d', '/l']) await disk.move(ticket('rename', path), ticket('rename', path), how)
    }
    assert.deepEqual(await namesIn(disk, '/'), ['a', 'b', 'd', 'e', 'empty', 'l'])
  })

  test('case alone can change', async (t) => {
    const disk = await makeDisk(tree, t)
    await disk.move(ticket('rename', '/a'), ticket('rename', '/A'), addOnly)
    await disk.move(ticket('rename', '/d'), ticket('rename', '/D'), addOnly)
    assert.deepEqual(await namesIn(disk, '/'), ['A', 'D', 'b', 'e', 'empty', 'l'])
  })

  test('not into itself, nor from or to nowhere, nor the root', async (t) => {
    const disk = await makeDisk(tree, t)
    for (const [from, to, code] of [
      ['/d', '/d/sub/d', 'invalid'],
      ['/d', '/d/d', 'invalid'],
      ['/x', '/y', 'notFound'],
      ['/a', '/x/y', 'notFound'],
      ['/a', '/b/y', 'notFound'],
      ['/', '/e/r', 'forbidden'],
    ] as const) {
      await assert.rejects(disk.move(ticket('rename', from), ticket('rename', to), addOnly), { code }, `${from} ${to}`)
    }
    assert.deepEqual(await namesIn(disk, '/d'), ['sub', 'x'])
    assert.deepEqual(await namesIn(disk, '/d/sub'), ['z'])
  })
}

function nasty(makeDisk: MakeDisk) {
  test('every name that is one is kept as it is', async (t) => {
    const disk = await makeDisk({ 'from/': '', 'to/': '' }, t)
    for (const name of nastyNames) await disk.write(ticket('create', `/from/${name}`), body(name), addOnly)
    assert.deepEqual(await namesIn(disk, '/from'), [...nastyNames].sort())
    for (const name of nastyNames) {
      await disk.move(ticket('rename', `/from/${name}`), ticket('rename', `/to/${name}`), addOnly)
      assert.equal(await contentOf(disk, `/to/${name}`), name)
      await disk.write(ticket('modify', `/to/${name}`), body('2'), replacing)
    }
    for (const entry of await disk.list(ticket('see', '/to'))) {
      assert.equal(entry.unreachable, undefined, entry.name)
      await disk.remove(ticket('delete', entry.path))
    }
    assert.deepEqual([...(await namesIn(disk, '/from')), ...(await namesIn(disk, '/to'))], [])
  })

  test('every nasty name can be a folder', async (t) => {
    const disk = await makeDisk({}, t)
    for (const name of nastyNames) {
      await disk.makeFolder(ticket('create', `/${name}`))
      await disk.write(ticket('create', `/${name}/in`), body(name), addOnly)
    }
    assert.deepEqual(await namesIn(disk, '/'), [...nastyNames].sort())
    for (const name of nastyNames) assert.equal(await contentOf(disk, `/${name}/in`), name)
  })
}

async function namesIn(disk: Disk, path: string) {
  return (await disk.list(ticket('see', path))).map((entry) => entry.name).sort()
}

async function contentOf(disk: Disk, path: string) {
  const file = await disk.open(ticket('download', path))
  try {
    return readFileSync(`/proc/self/fd/${file.fd}`, 'utf8')
  } finally {
    await file.close()
  }
}
