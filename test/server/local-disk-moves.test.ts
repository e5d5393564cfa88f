// Moves on a local disk while other changes of the same names run.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest } from '../support/tree.ts'

const replacing = { replace: true }

test('two hard links: what is uploaded over one while it is moved onto the other is not lost', async (t) => {
  const isNaming = Promise.withResolvers<void>()
  const mayName = Promise.withResolvers<void>()
  let isFirst = true
  const system: DiskSystem = {
    ...diskSystem,
    rename: async (from, to) => {
      if (isFirst) {
        isFirst = false
        isNaming.resolve()
        await mayName.promise
      }
      await diskSystem.rename(from, to)
    },
  }
  const { disk, root } = await openDisk(t, { files: { a: 'old' }, options: () => ({ system }) })
  fs.linkSync(join(root, 'a'), join(root, 'b'))
  const upload = disk.write(capability('modify', '/a'), body('new'), replacing)
  await isNaming.promise
  const move = disk.move(capability('rename', '/a'), capability('rename', '/b'), replacing)
  // Enough for the move to read both names, if it did so before it has locked them.
  for (let turn = 0; turn < 100; turn++) await setImmediate()
  mayName.resolve()
  await upload
  await move
  assert.deepEqual(await harvest(root), { b: 'new' })
})

test('a folder under two names, as with a bind mount, is unchanged when it is moved onto itself', async (t) => {
  const strategy: HandleStrategy = {
    ...descriptorStrategy,
    openPath: (address) => descriptorStrategy.openPath(String(address).replace(/bound$/, 'd')),
  }
  const { disk, root } = await openDisk(t, { files: { 'd/sub/': '', 'bound/sub/': '' }, options: () => ({ strategy }) })
  await disk.move(capability('rename', '/d'), capability('rename', '/bound'), replacing)
  assert.deepEqual(await harvest(root), { 'd/sub/': '', 'bound/sub/': '' })
})
