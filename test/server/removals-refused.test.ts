// What is removed for good, or moved to another file system, is so whole or not at all: known before anything is copied or removed.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import { capability } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvestAll, type Tree } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

const temporary = `.holdall-${'ab'.repeat(16)}.part`
const tree: Tree = { 's/a': 'a', 's/d/b': 'b', 's/d/c': 'c', 't/x': 'x' }
const busy = { code: 'busy', message: 'something is being uploaded into the folder' }

async function start(t: TestContext, files: Tree) {
  const { disk, root } = await openDisk(t, { files })
  t.mock.method(disk, 'move', async () => {
    throw new CrossDevice()
  })
  const own = userFilesOn(disk)
  const ways = {
    'a move to another file system': () => own.move(parsePath('/s'), parsePath('/t/s'), { override: false, rename: false }),
    'a deletion for good': () => own.remove(parsePath('/s'), { to: 'nowhere' }),
  }
  return { disk, root, ways: Object.entries(ways) }
}

for (const [what, planted, refusal] of [
  ['a file that another server is writing', { [`s/d/${temporary}`]: 'half' }, busy],
  ['a trash', { 's/d/.holdall-trash/x': 'x' }, { code: 'conflict' }],
  ['the marker of a volume', { 's/d/.holdall-volume': '' }, { code: 'conflict' }],
] as const) {
  test(`of a tree with ${what} below nothing is removed, and nothing is copied`, async (t) => {
    const { root, ways } = await start(t, { ...tree, ...planted })
    const before = await harvestAll(root)
    for (const [way, run] of ways) {
      await assert.rejects(run, refusal, way)
      assert.deepEqual(await harvestAll(root), before, way)
    }
  })
}

test('nor of one into which somebody is uploading, until the upload has ended', async (t) => {
  const { disk, root, ways } = await start(t, tree)
  const body = async function* () {
    yield Buffer.from('new')
    const before = await harvestAll(root)
    for (const [way, run] of ways) {
      await assert.rejects(run, busy, way)
      assert.deepEqual(await harvestAll(root), before, way)
    }
  }
  await disk.write(capability('create', '/s/d/new'), body(), { replace: false })
  await ways[1]?.[1]()
  assert.deepEqual(await harvestAll(root), { 't/x': 'x' })
})

/** Puts a file that is being written into a folder just before that is listed for the given time. */
function uploadAt(t: TestContext, time: number, put: () => Promise<void>) {
  const { listInParts } = Disk.prototype
  let listed = 0
  t.mock.method(Disk.prototype, 'listInParts', async function* (this: Disk, ...asked: Parameters<Disk['listInParts']>) {
    if (Capability.check(asked[0], 'read').path === '/s/d' && ++listed === time) await put()
    yield* listInParts.apply(this, asked)
  })
}

const later = [
  'an upload that begins while a tree is copied to another file system stops the move, and no copy is left',
  'an upload that begins while a tree is deleted for good goes on, with all that is in its folder',
]
for (const [index, what] of later.entries()) {
  test(what, async (t) => {
    const { root, ways } = await start(t, tree)
    uploadAt(t, 2, () => writeFile(join(root, 's/d', temporary), 'half'))
    const [way = '', run = () => undefined] = ways[index] ?? []
    await assert.rejects(async () => run(), busy, way)
    const found = await harvestAll(root)
    const others = index === 0 ? {} : { 's/a': 'a' }
    assert.deepEqual({ ...found, ...others }, { ...tree, [`s/d/${temporary}`]: 'half' })
  })
}
