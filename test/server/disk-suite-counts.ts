// Tests of every Disk: counting the entries of folders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CountHow, Disk } from '../../src-server/disk/disk.ts'
import { capability, principal } from '../support/capabilities.ts'
import type { MakeDisk } from './disk-suite.ts'

type Asking = { at?: string; denied?: string[] } & Partial<CountHow>

async function counted(disk: Disk, names: string[], { at = '/', denied = [], ...how }: Asking = {}) {
  const counts: Record<string, string> = {}
  const onCounted: CountHow['onCounted'] = (name, { items, hasMore }) => {
    counts[name] = `${items}${hasMore ? '+' : ''}`
  }
  const signal = new AbortController().signal
  await disk.countItems(capability('read', at, principal(...denied)), { names, most: 3, onCounted, signal, ...how })
  return counts
}

export function counting(makeDisk: MakeDisk) {
  test('the entries of folders are counted, up to a number', async (t) => {
    const files = {
      'a/1': '',
      'a/b/2': '',
      'empty/': '',
      'c/1': '',
      'c/2': '',
      'c/3': '',
      'd/1': '',
      'd/2': '',
      'd/3': '',
      'd/4/': '',
    }
    const disk = await makeDisk(files, t)
    assert.deepEqual(await counted(disk, ['a', 'empty', 'c', 'd']), { a: '2', empty: '0', c: '3', d: '3+' })
    assert.deepEqual(await counted(disk, ['b'], { at: '/a' }), { b: '1' })
    assert.deepEqual(await counted(disk, []), {})
  })

  test('files, links and what does not exist are not counted', async (t) => {
    const disk = await makeDisk({ f: '', l: { link: 'd' }, 'd/f': '' }, t)
    assert.deepEqual(await counted(disk, ['f', 'l', 'none', 'd']), { d: '1' })
    await assert.rejects(counted(disk, ['d'], { at: '/none' }), { code: 'notFound' })
    await assert.rejects(counted(disk, ['d'], { at: '/f' }), { code: 'invalid' })
  })

  test('what rules block is neither counted nor counted in, by its path and by its true path', async (t) => {
    const files = { 'a/secret/s': '', 'a/open/s': '', 'a/open/t': '', l: { link: 'a' }, to: { link: 'a/secret' } }
    const disk = await makeDisk(files, t)
    assert.deepEqual(await counted(disk, ['a'], { denied: ['/a/secret'] }), { a: '1' })
    assert.deepEqual(await counted(disk, ['open', 'secret'], { at: '/a', denied: ['/a/secret', '/a/open/t'] }), { open: '1' })
    assert.deepEqual(await counted(disk, ['open', 'secret'], { at: '/l', denied: ['/a/secret', '/a/open/t'] }), { open: '1' })
    assert.deepEqual(await counted(disk, ['open'], { at: '/l', denied: ['/l/open/t'] }), { open: '1' })
    await assert.rejects(counted(disk, ['s'], { at: '/to', denied: ['/a/secret'] }), { code: 'forbidden' })
  })

  test('an aborted count ends with the reason of the signal', async (t) => {
    const disk = await makeDisk({ 'd/f': '' }, t)
    const signal = AbortSignal.abort(new Error('nobody waits for it'))
    await assert.rejects(counted(disk, ['d'], { signal }), /nobody waits for it/)
  })
}
