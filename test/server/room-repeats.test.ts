// What is done again after room was made on a full disk, and what must not be.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { how, itemsIn, openWith } from '../support/trash-disk.ts'
import { harvest } from '../support/tree.ts'

const large = 'n'.repeat(2.5 * 2 ** 20)

const fail = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

/** Whether a descriptor is of a file of new content, and not of a folder or of the information of the trash. */
function isContent(fd: number) {
  const stats = fs.fstatSync(fd)
  return stats.isFile() && !fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('.trashinfo')
}

/** The system reports once that content could not be written: the next sync succeeds. */
function losingContent(code: string, more: Partial<DiskSystem> = {}) {
  const syncs = { count: 0 }
  const sync = async (fd: number) => {
    if (isContent(fd) && syncs.count++ === 0) throw fail(code, 'fsync')
    return diskSystem.sync(fd)
  }
  const system: DiskSystem = { ...diskSystem, ...more, sync }
  return { system, syncs }
}

/** The first information of the trash finds no space. */
function withoutSpaceForInfo(): DiskSystem['open'] {
  let isFull = true
  return async (path, ...rest) => {
    if (!isFull || !String(path).endsWith('.trashinfo')) return diskSystem.open(path, ...rest)
    isFull = false
    throw fail('ENOSPC', 'open')
  }
}

const keepReplaced = { ...how(), onKept: () => {} }
const makeRoom = async () => 'freed' as const

for (const code of ['ENOSPC', 'EIO']) {
  for (const isKept of [true, false]) {
    const where = isKept ? ' while the trash was full too' : ''
    test(`content that a sync has lost (${code}) gets no name${where}, although the next sync would succeed`, async (t) => {
      const { root, disk: other } = await openDisk(t, { files: { f: 'old' } })
      const { system, syncs } = losingContent(code, isKept ? { open: withoutSpaceForInfo() } : {})
      const disk = await openWith(t, root, system)
      const how = { replace: true, makeRoom, ...(isKept && { keepReplaced }) }
      const written = disk.write(capability('modify', '/f'), body(large.slice(1), 'n'), how)
      await assert.rejects(written, code === 'EIO' ? { code, syscall: 'fsync' } : { code: 'full' })
      assert.deepEqual([await harvest(root), await itemsIn(other, root), syncs.count], [{ f: 'old' }, [], 1])
    })
  }
}

test('small content that a sync has lost is written again', async (t) => {
  const { root, disk: other } = await openDisk(t, { files: { f: 'old' } })
  const { system, syncs } = losingContent('ENOSPC')
  const disk = await openWith(t, root, system)
  await disk.write(capability('modify', '/f'), body('new'), { replace: true, makeRoom, keepReplaced })
  assert.equal(fs.readFileSync(join(root, 'f'), 'utf8'), 'new')
  assert.deepEqual([(await itemsIn(other, root)).length, syncs.count], [1, 2])
})
