// What stands in for the calls that a disk does not have, where the suite of every disk does not show it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { DiskDriver } from '../../src-server/disk/driver.ts'
import { watchByListing } from '../../src-server/disk/generic-calls.ts'
import { body, capability } from '../support/capabilities.ts'
import { MemoryDriver } from '../support/memory-disk.ts'

const files = { 'd/a': 'old', 'd/gone': '', 'd/e/': '', f: '' }
const see = (path: string) => capability('read', path)

/** A disk that is found to have only the calls that every disk has. */
const core = (driver: DiskDriver): Disk =>
  new Disk(new Proxy(driver, { get: (target, name) => bound(target, isCore(name) ? target : DiskDriver.prototype, name) }))

const isCore = (name: string | symbol) =>
  ['stat', 'list', 'open', 'beginWrite', 'makeFolder', 'remove', 'move'].includes(String(name))

function bound(target: DiskDriver, from: object, name: string | symbol) {
  const value: unknown = Reflect.get(from, name)
  return typeof value === 'function' ? value.bind(target) : value
}

test('a watch that compares listings says what is new, different and gone, and ends with its folder', async () => {
  const driver = new MemoryDriver(files)
  const disk = new Disk(driver)
  const at = { path: parsePath('/d'), action: 'read', isBlocked: () => false } as const
  const watch = await watchByListing(driver, at, new AbortController().signal, 1)
  assert.equal(watch.isComplete, false)
  await disk.write(capability('modify', '/d/a'), body('new'), { replace: true })
  await disk.write(capability('create', '/d/b'), body('b'), { replace: false })
  await disk.remove(capability('delete', '/d/gone'))
  const changed = new Set<string>()
  while (changed.size < 3) for (const name of (await watch.next())?.names ?? []) changed.add(name)
  assert.deepEqual([...changed].sort(), ['a', 'b', 'gone'])
  for (const path of ['/d/a', '/d/b', '/d/e', '/d']) await disk.remove(capability('delete', path))
  for (let more = await watch.next(); more; more = await watch.next());
  await assert.rejects(watchByListing(driver, { ...at, path: parsePath('/f') }, new AbortController().signal), {
    code: 'invalid',
  })
})

test('without links and mounts the paths tell what is inside what', async () => {
  const disk = core(new MemoryDriver(files))
  assert.equal(await disk.isWithin(see('/d/e'), see('/d')), true)
  assert.equal(await disk.isWithin(see('/d/e/new/newer'), see('/d/e')), true)
  assert.equal(await disk.isWithin(see('/d'), see('/d/e')), false)
  await assert.rejects(disk.isWithin(see('/d'), see('/nothing')), { code: 'notFound' })
})

test('what a disk cannot tell is said to be unknown, and what it cannot do is refused', async () => {
  const disk = core(new MemoryDriver(files))
  assert.equal(await disk.identify(see('/f')), '')
  assert.deepEqual(await disk.usage(see('/f')), { total: 0, free: 0 })
  await assert.rejects(disk.identify(see('/nothing')), { code: 'notFound' })
  await assert.rejects(disk.hostPath(see('/f')), { code: 'forbidden' })
  const write = disk.resumeWrite(capability('create', '/new'), { name: 'any', replace: false })
  await assert.rejects(write, { code: 'notFound' })
  await assert.rejects(disk.copyLink(capability('download', '/f'), capability('create', '/l')), { code: 'invalid' })
})
