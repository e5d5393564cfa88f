// How much of a disk the items of a trash give back, as it is found out on a real disk.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ItemRoom } from '../../src-server/trash/item-room.ts'
import type { Trash } from '../../src-server/trash/trash.ts'
import { capability } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { put } from '../support/trash-disk.ts'
import type { Tree } from '../support/tree.ts'

const large = 'x'.repeat(2 ** 20)

async function roomOn(t: TestContext, files: Tree, most?: number) {
  const { disk, root } = await openDisk(t, { files })
  const walk: Trash['walk'] = (item, onPart) => disk.walkTrashed(capability('read', item.path), item, onPart)
  return { disk, root, room: new ItemRoom({ walk }, most) }
}

test('holes give nothing back, and a name only when it is the last one, also of those in other items', async (t) => {
  const { disk, root, room } = await roomOn(t, { whole: large, holes: 'x', kept: large, first: large, 'd/e/inner': large })
  fs.truncateSync(join(root, 'holes'), 8 * 2 ** 20)
  fs.linkSync(join(root, 'kept'), join(root, 'second name'))
  fs.linkSync(join(root, 'first'), join(root, 'd/last'))
  const freed: Record<string, number> = {}
  for (const path of ['/whole', '/holes', '/kept', '/first', '/d']) {
    const item = await put(disk, path)
    // Blocks of names and folders are left out.
    freed[path] = Math.floor((await room.of(item)) / 2 ** 20)
    assert.equal(Math.floor((await room.of(item)) / 2 ** 20), freed[path])
  }
  assert.deepEqual(freed, { '/whole': 1, '/holes': 0, '/kept': 0, '/first': 0, '/d': 2 })
})

test('what is too much to be looked at counts with its recorded size, at the least with what was found', async (t) => {
  const { disk, room } = await roomOn(t, { 'd/a': large, 'd/b': large, 'd/c': large, f: 'f', g: 'g' }, 3)
  const [d, f] = [await put(disk, '/d'), await put(disk, '/f')]
  assert.equal(Math.floor((await room.of(d)) / 2 ** 20), 2)
  assert.equal(await room.of(f), 1)
  const gone = new ItemRoom({ walk: async () => Promise.reject(new Error('gone')) })
  assert.equal(await gone.of(f), 0)
})
