import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorize, Capability } from '../../src-server/access/authorize.ts'
import { childOf, parsePath, partsOf } from '../../src-server/base/paths.ts'
import { walk } from '../../src-server/files/walk.ts'
import { capability, fileContext, principal } from '../support/capabilities.ts'
import { countedDisk, DiskCounts } from '../support/counted-disk.ts'
import { MemoryDisk } from '../support/memory-disk.ts'

test('a walk yields what is visible, with capabilities, and enters no link', async () => {
  const disk = new MemoryDisk({ 'a/b/c.txt': '', 'a/secret/s': '', 'a/link': { link: 'b' }, 'a/z': '' })
  const context = fileContext(disk, { principal: principal('/a/secret') })
  const walked = async (order: 'parents first' | 'children first') => {
    const paths: string[] = []
    for await (const { entry, capability: own } of walk(context, parsePath('/a'), { action: 'read', order, hidden: 'skip' })) {
      assert.equal((await disk.stat(own)).path, entry.path)
      paths.push(entry.path)
    }
    return paths.join(' ')
  }
  assert.equal(await walked('parents first'), '/a/b /a/b/c.txt /a/link /a/z')
  assert.equal(await walked('children first'), '/a/b/c.txt /a/b /a/link /a/z')
  const refusing = walk(context, parsePath('/a'), { action: 'read', order: 'parents first', hidden: 'refuse' })
  const toTheEnd = async () => {
    for await (const { entry } of refusing) assert.ok(!entry.path.includes('secret'))
  }
  await assert.rejects(toTheEnd, { code: 'forbidden' })
  assert.throws(() => authorize(context.principal, 'read', parsePath('/a/secret/s')), { code: 'forbidden' })
})

test('a walk through nested folders takes one step for each entry at any depth', async () => {
  const depth = 1000
  class DeepDisk extends MemoryDisk {
    override async list(at: Capability<'read'>) {
      const { path } = Capability.check(at, 'read')
      const root = await this.stat(capability('read', '/'))
      return [{ ...root, path: childOf(path, 'd'), isDir: partsOf(path).length < depth }]
    }
  }
  const disk = new DeepDisk()
  for (const order of ['parents first', 'children first'] as const) {
    const { steps, calls } = await countNext(walk(fileContext(disk), parsePath('/'), { action: 'read', order, hidden: 'skip' }))
    assert.equal(steps, depth + 1)
    // Each folder is read in parts, by two generators.
    assert.ok(calls < 6 * depth, `${calls} calls of next() for ${depth} folders, ${order}`)
  }
})

test('the folders that a walk may hold open at a time are limited', async () => {
  const counts = new DiskCounts()
  const disk = countedDisk(new MemoryDisk({ [Array.from({ length: 50 }, () => 'd').join('/')]: '' }), counts)
  await Array.fromAsync(walk(fileContext(disk), parsePath('/'), { action: 'read', order: 'parents first', hidden: 'skip' }))
  const called = (name: string) => counts.calls.filter((call) => call === name).length
  assert.deepEqual([called('listInParts'), called('list')], [32, 18])
})

/** Counts the steps of a walk, and the calls of next() of all generators during it. */
async function countNext(walked: AsyncGenerator<unknown>) {
  const generators = Object.getPrototypeOf(Object.getPrototypeOf(walked))
  const { next } = generators
  let [steps, calls] = [0, 0]
  generators.next = function (...asked: unknown[]) {
    calls++
    return next.apply(this, asked)
  }
  try {
    for await (const _step of walked) steps++
  } finally {
    generators.next = next
  }
  return { steps, calls }
}
