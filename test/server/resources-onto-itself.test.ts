// Moving onto an existing entry: a folder onto itself by another path, and a file onto a new folder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import type { Path } from '../../src-server/base/paths.ts'
import { moveTree } from '../../src-server/files/move.ts'
import { capability, fileContext } from '../support/capabilities.ts'
import { contentOf } from '../support/in-disk.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

for (const [what, files] of [
  ['an empty folder', { 'd/': '' }],
  ['a folder with empty subfolders', { 'd/a/b/': '', 'd/c/': '', 'd/f': 'x' }],
] as const) {
  test(`${what} that is moved onto itself through a link with override is unchanged`, async (t) => {
    const app = await startApp(t, { files: { ...files, way: { link: '.' } } })
    const ann = await app.as('ann')
    const before = await harvest(app.root)
    assert.equal((await ann.move('/d', '/way/d', 'override=true')).status, 200)
    assert.deepEqual(await harvest(app.root), before)
    assert.equal((await ann.move('/way/d', '/d', 'override=true')).status, 200)
    assert.deepEqual(await harvest(app.root), before)
  })
}

/** `/bound` is the folder `/d` under another path, as with a bind mount: the paths do not show it. */
class BoundDisk extends MemoryDisk {
  override isWithin: MemoryDisk['isWithin'] = async (at, folder) => {
    const isOne = [at, folder].every((capability) => ['/d', '/bound'].includes(Capability.check(capability, 'read').path))
    return isOne || super.isWithin(at, folder)
  }
}

test('a folder that is moved onto itself through a bind mount with override is unchanged', async () => {
  const disk = new BoundDisk({ 'd/a/': '', 'bound/a/': '' })
  const files = userFilesOn(disk)
  await files.move('/d' as Path, '/bound' as Path, { override: true, rename: false })
  assert.deepEqual(
    (await disk.list(capability('read', '/d'))).map(({ name }) => name),
    ['a'],
  )
})

test('a file that is moved to a path where a folder was created meanwhile stays where it is', async () => {
  const disk = new MemoryDisk({ 'f.txt': 'mine', 'to/': '' })
  const context = fileContext(disk)
  const source = await disk.stat(capability('read', '/f.txt'))
  await assert.rejects(moveTree(context, { source, action: 'rename', to: '/to' as Path, override: true }), { code: 'conflict' })
  assert.equal(await contentOf(disk, '/f.txt'), 'mine')
})

for (const way of ['move', 'copy'] as const) {
  test(`a folder is no ${way} over the folder that it is in, where another one in it would go into it meanwhile`, async (t) => {
    const files = { 'a/x': '1', 'a/a/x': '2', 'a/a/a/x': '3', 'a/a/a/a/x': '4', 'b/c/d/x': '5', 'b/c/b/x': '6', 'b/x': '7' }
    const app = await startApp(t, { files })
    const ann = await app.as('ann')
    const refused = await ann[way]('/a/a', '/a', 'override=true')
    assert.deepEqual([refused.status, refused.headers.get('X-Refusal')], [400, 'code=folderIntoItself'])
    assert.deepEqual(await harvest(app.root), files)
    assert.equal((await ann[way]('/b/c', '/b', 'override=true')).status, 200)
    const { 'b/d/x': d, 'b/b/x': b, 'b/x': x } = await harvest(app.root)
    assert.deepEqual([d, b, x], ['5', '6', '7'])
  })
}

for (const way of ['move', 'copy'] as const) {
  for (const hasTrash of [true, false]) {
    const where = hasTrash ? '' : ' without a trash'
    test(`a folder is no ${way} where a link at the target leads back into it, or around it${where}`, async (t) => {
      const files = {
        'a/b/z': 'inner',
        'a/z': 'outer',
        'a/c/y': 'y',
        't/b': { link: '../a' },
        'u/b': { link: '../a/c' },
        'v/b': { link: '..' },
      }
      const app = await startApp(t, { files, options: { trash: hasTrash } })
      const ann = await app.as('ann')
      for (const to of ['/t', '/u', '/v']) {
        const refused = await ann[way]('/a', to, 'override=true')
        assert.deepEqual([refused.status, refused.headers.get('X-Refusal')], [400, 'code=folderIntoItself'], to)
        assert.deepEqual(await harvest(app.root), files, to)
      }
    })
  }
}
