// Tests of every Disk: files and their content.
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { body, brokenBody, capability } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import type { MakeDisk } from './disk-suite.ts'

const addOnly = { replace: false }
const replacing = { replace: true }

export function seeing(makeDisk: MakeDisk) {
  test('tells files from folders', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': 'four' }, t)
    const file = await disk.stat(capability('read', '/a/b.txt'))
    assert.deepEqual([file.name, file.path, file.isDir, file.isSymlink, file.size], ['b.txt', '/a/b.txt', false, false, 4])
    const folder = await disk.stat(capability('read', '/a'))
    assert.deepEqual([folder.name, folder.path, folder.isDir], ['a', '/a', true])
    const root = await disk.stat(capability('read', '/'))
    assert.deepEqual([root.name, root.path, root.isDir], ['', '/', true])
    assert.equal(file.unreachable, undefined)
  })

  test('lists what is in a folder and not what is in its folders', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': '', 'a/c/d.txt': '', 'a/e/': '', f: '' }, t)
    assert.deepEqual(await namesIn(disk, '/a'), ['b.txt', 'c', 'e'])
    assert.deepEqual(await namesIn(disk, '/'), ['a', 'f'])
    assert.deepEqual(await namesIn(disk, '/a/e'), [])
    const paths = (await disk.list(capability('read', '/a'))).map((entry) => entry.path)
    assert.deepEqual(paths.sort(), ['/a/b.txt', '/a/c', '/a/e'])
  })

  test('a listed entry is what stat says of it', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': 'x', 'a/c/': '', 'a/l': { link: 'b.txt' } }, t)
    for (const entry of await disk.list(capability('read', '/a'))) {
      assert.deepEqual(await disk.stat(capability('read', entry.path)), entry)
    }
  })

  test('a missing name is notFound', async (t) => {
    const disk = await makeDisk({ 'a.txt': 'x' }, t)
    for (const path of ['/b', '/b/c', '/a.txt/b']) {
      await assert.rejects(disk.stat(capability('read', path)), { code: 'notFound' }, path)
      await assert.rejects(disk.list(capability('read', path)), { code: 'notFound' }, path)
      await assert.rejects(disk.open(capability('download', path)), { code: 'notFound' }, path)
    }
  })

  test('a file is no folder and a folder no file', async (t) => {
    const disk = await makeDisk({ 'a/b.txt': 'x' }, t)
    await assert.rejects(disk.list(capability('read', '/a/b.txt')), { code: 'invalid' })
    await assert.rejects(disk.open(capability('download', '/a')), { code: 'forbidden' })
    await assert.rejects(disk.open(capability('download', '/')), { code: 'forbidden' })
  })

  test('an open file stays the same when its name is given to another', async (t) => {
    const disk = await makeDisk({ 'a.txt': 'old' }, t)
    const file = await disk.open(capability('download', '/a.txt'))
    await disk.write(capability('modify', '/a.txt'), body('new'), replacing)
    assert.equal(await text(file.read()), 'old')
    await file.close()
    assert.equal(await contentOf(disk, '/a.txt'), 'new')
  })
}

export function writing(makeDisk: MakeDisk) {
  test('writes a new file', async (t) => {
    const disk = await makeDisk({ 'a/': '' }, t)
    const entry = await disk.write(capability('create', '/a/b.txt'), body('one ', 'two'), addOnly)
    assert.deepEqual(entry, await disk.stat(capability('read', '/a/b.txt')))
    assert.deepEqual([entry.name, entry.size, entry.mode & 0o7777], ['b.txt', 7, 0o640])
    assert.equal(await contentOf(disk, '/a/b.txt'), 'one two')
  })

  test('writes an empty file, and one of many chunks', async (t) => {
    const disk = await makeDisk({}, t)
    await disk.write(capability('create', '/empty'), body(), addOnly)
    assert.equal(await contentOf(disk, '/empty'), '')
    const chunks = Array.from({ length: 100 }, (_, index) => `${index},`)
    await disk.write(capability('create', '/many'), body(...chunks), addOnly)
    assert.equal(await contentOf(disk, '/many'), chunks.join(''))
  })

  test('a taken name is a conflict and the existing file stays', async (t) => {
    const disk = await makeDisk({ a: 'old', 'd/x': '', l: { link: 'a' }, gone: { link: 'nowhere' } }, t)
    for (const path of ['/a', '/d', '/l', '/gone', '/']) {
      await assert.rejects(disk.write(capability('create', path), body('new'), addOnly), { code: 'conflict' }, path)
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
    await assert.rejects(disk.write(capability('create', '/a'), watched(), addOnly), { code: 'conflict' })
    assert.equal(isRead, false)
  })

  test('replaces a file, keeping its mode', async (t) => {
    const disk = await makeDisk({ a: 'old' }, t)
    const { mode } = await disk.stat(capability('read', '/a'))
    await disk.write(capability('modify', '/a'), body('newer'), replacing)
    assert.equal(await contentOf(disk, '/a'), 'newer')
    assert.equal((await disk.stat(capability('read', '/a'))).mode, mode)
  })

  test('replaces no folder and no broken link', async (t) => {
    const disk = await makeDisk({ 'd/x': '', gone: { link: 'nowhere' } }, t)
    for (const path of ['/d', '/gone', '/']) {
      await assert.rejects(disk.write(capability('modify', path), body('new'), replacing), { code: 'conflict' }, path)
    }
    assert.deepEqual(await namesIn(disk, '/'), ['d', 'gone'])
  })

  test('a missing folder is notFound', async (t) => {
    const disk = await makeDisk({ a: '' }, t)
    for (const path of ['/b/c', '/a/c']) {
      await assert.rejects(disk.write(capability('create', path), body('x'), addOnly), { code: 'notFound' }, path)
    }
  })

  test('a failing body leaves no new file, and the old one as it was', async (t) => {
    const disk = await makeDisk({ old: 'old' }, t)
    await assert.rejects(disk.write(capability('create', '/new'), brokenBody('half'), addOnly), /the connection broke/)
    await assert.rejects(disk.write(capability('modify', '/old'), brokenBody('half'), replacing), /the connection broke/)
    assert.deepEqual(await namesIn(disk, '/'), ['old'])
    assert.equal(await contentOf(disk, '/old'), 'old')
  })

  test('of two uploads to one name one wins, complete', async (t) => {
    const disk = await makeDisk({}, t)
    const uploads = ['first', 'second', 'third'].map((text) => disk.write(capability('create', '/a'), body(text), addOnly))
    const outcomes = await Promise.allSettled(uploads)
    const wins = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    assert.equal(wins.length, 1)
    assert.match(await contentOf(disk, '/a'), /^(first|second|third)$/)
    assert.deepEqual(await namesIn(disk, '/'), ['a'])
  })

  test('a copy keeps mode and time', async (t) => {
    const disk = await makeDisk({}, t)
    const like = { ...(await disk.stat(capability('read', '/'))), mode: 0o100604, modified: 1_600_000_000_000_000_000n }
    const copy = await disk.write(capability('create', '/copy'), body('x'), { ...addOnly, like })
    assert.deepEqual([copy.mode & 0o777, copy.modified], [0o604, like.modified])
  })
}
