// Tests of every Disk: finding names in a tree.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Disk, FindHow } from '../../src-server/disk/disk.ts'
import { capability, principal } from '../support/capabilities.ts'
import type { MakeDisk } from './disk-suite.ts'

type Asking = { at?: string; denied?: string[] } & Partial<FindHow>

/** The paths that are found, sorted; all by default. */
async function pathsFound(disk: Disk, { at = '/', denied = [], ...how }: Asking = {}): Promise<string[]> {
  const all = { isWanted: () => true, signal: new AbortController().signal, ...how }
  const paths: string[] = []
  for await (const batch of disk.find(capability('read', at, principal(...denied)), all))
    paths.push(...batch.map(({ path }) => path))
  return paths.sort()
}

export function finding(makeDisk: MakeDisk) {
  test('what is wanted is found at any depth, as its folder lists it', async (t) => {
    const disk = await makeDisk({ 'a/b/c/deep.txt': 'deep', 'a/b.txt': 'b', 'a/empty/': '', 'z.txt': '' }, t)
    assert.deepEqual(await pathsFound(disk), ['/a', '/a/b', '/a/b.txt', '/a/b/c', '/a/b/c/deep.txt', '/a/empty', '/z.txt'])
    const kinds: string[] = []
    const isWanted = (name: string, kind: string) => kinds.push(`${name} ${kind}`) > 0 && name === 'deep.txt'
    const [[deep] = []] = await Array.fromAsync(
      disk.find(capability('read', '/a'), { isWanted, signal: new AbortController().signal }),
    )
    assert.deepEqual(deep, (await disk.list(capability('read', '/a/b/c')))[0])
    assert.deepEqual(kinds.sort(), ['b folder', 'b.txt file', 'c folder', 'deep.txt file', 'empty folder'])
  })

  test('many folders in many folders are all found', async (t) => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`)
    const files = names.flatMap((one) => names.map((other) => [`${one}/${other}/f`, ''] as const))
    const disk = await makeDisk(Object.fromEntries(files), t)
    assert.equal((await pathsFound(disk)).length, 12 + 144 + 144)
    assert.equal((await pathsFound(disk, { isWanted: (name) => name === 'f' })).length, 144)
  })

  test('what rules block is neither found nor entered, by its path and by its true path', async (t) => {
    const disk = await makeDisk({ 'a/secret/s': '', 'a/open/s': '', l: { link: 'a' }, to: { link: 'a/secret' } }, t)
    const denied = ['/a/secret']
    assert.deepEqual(await pathsFound(disk, { denied }), ['/a', '/a/open', '/a/open/s', '/l'])
    assert.deepEqual(await pathsFound(disk, { at: '/l', denied }), ['/l/open', '/l/open/s'])
    assert.deepEqual(await pathsFound(disk, { at: '/l', denied: ['/l/open'] }), ['/l/secret', '/l/secret/s'])
    await assert.rejects(pathsFound(disk, { at: '/to', denied }), { code: 'forbidden' })
  })

  test('links are found and not entered, so that a circle ends', async (t) => {
    const disk = await makeDisk({ 'd/up': { link: '..' }, 'd/f': '', 'd/self': { link: 'self' }, 'd/file': { link: 'f' } }, t)
    assert.deepEqual(await pathsFound(disk), ['/d', '/d/f', '/d/file', '/d/self', '/d/up'])
    const signal = new AbortController().signal
    const entries = (await Array.fromAsync(disk.find(capability('read', '/d'), { isWanted: () => true, signal }))).flat()
    const shape = entries.map(({ name, isDir, isSymlink, unreachable = '' }) => [name, isDir, isSymlink, unreachable].join(' '))
    assert.deepEqual(shape.sort(), ['f false false ', 'file false true ', 'self false true broken', 'up true true '])
  })

  test('links that leave the scope are not found', async (t) => {
    const disk = await makeDisk({ 'd/out': { link: '../../outside' }, 'd/f': '' }, t)
    assert.deepEqual(await pathsFound(disk, { at: '/d' }), ['/d/f'])
  })

  test('a missing folder and a file fail, and so does an aborted signal', async (t) => {
    const disk = await makeDisk({ 'd/f': '', 'd/g': '' }, t)
    await assert.rejects(pathsFound(disk, { at: '/none' }), { code: 'notFound' })
    await assert.rejects(pathsFound(disk, { at: '/d/f' }), { code: 'invalid' })
    const abort = new AbortController()
    const isWanted = () => {
      abort.abort(new Error('the client went'))
      return true
    }
    await assert.rejects(pathsFound(disk, { isWanted, signal: abort.signal }), /the client went/)
  })
}
