// One entry that the system cannot read does not affect the others.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Operation } from '../../src-server/base/operation.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import type { SystemPath } from '../../src-server/disk/system.ts'
import { Events } from '../../src-server/events/events.ts'
import { UserFiles } from '../../src-server/files/user-files.ts'
import { Previews } from '../../src-server/previews/previews.ts'
import { capability, principal } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'

const isSick = (address: SystemPath) => String(address).endsWith('/sick')

/** A disk whose calls for the name `sick` fail with `code`. */
function sickStrategy(code: string): HandleStrategy {
  const fail = () => Promise.reject(Object.assign(new Error(`${code}: lstat`), { code, syscall: 'lstat' }))
  return {
    ...descriptorStrategy,
    openPath: (address) => (isSick(address) ? fail() : descriptorStrategy.openPath(address)),
    lstat: (address) => (isSick(address) ? fail() : descriptorStrategy.lstat(address)),
  }
}

/** A disk on which the modification time of `sick` is beyond the range of Date. */
const undated: HandleStrategy = {
  ...descriptorStrategy,
  openPath: async (address) => {
    const handle = await descriptorStrategy.openPath(address)
    if (isSick(address)) Object.assign(handle.stats, { mtimeNs: 10n ** 30n })
    return handle
  },
  lstat: async (address) => {
    const stats = await descriptorStrategy.lstat(address)
    return isSick(address) && stats ? Object.assign(stats, { mtimeNs: 10n ** 30n }) : stats
  },
}

async function start(t: TestContext, strategy: HandleStrategy) {
  const files = { 'd/sick': 's', 'd/well': 'w', 'd/e/f': 'f' }
  const { disk, root } = await openDisk(t, { files, options: () => ({ strategy }) })
  const sorting = { by: 'name', asc: true } as const
  const parts = {
    principal: principal(),
    disk,
    operation: new Operation(),
    events: new Events(() => {}),
    source: { address: '', way: 'page' } as const,
    previews: new Previews(),
    sorting,
    locale: 'en',
  }
  return { disk, root, files: new UserFiles(parts) }
}

for (const [what, strategy] of [
  ['a mount whose server has gone', sickStrategy('ENOTCONN')],
  ['a broken disk', sickStrategy('EIO')],
  ['a time beyond dates', undated],
] as const) {
  test(`${what} is listed as unreachable, and its folder is listed, copied and deleted`, async (t) => {
    const { disk, root, files } = await start(t, strategy)
    const listed = await files.open(parsePath('/d'))
    assert.deepEqual(
      listed.items?.map(({ name, unreachable }) => [name, unreachable]),
      [
        ['e', undefined],
        ['sick', 'unanswered'],
        ['well', undefined],
      ],
    )
    assert.equal((await disk.stat(capability('read', '/d/sick'))).unreachable, 'unanswered')
    await files.copy(parsePath('/d'), parsePath('/copy'), { override: false, rename: false })
    assert.deepEqual(readdirSync(join(root, 'copy')).sort(), ['e', 'well'])
    await files.remove(parsePath('/d'))
    assert.deepEqual(readdirSync(root), ['copy'])
  })
}
