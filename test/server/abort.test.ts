// After an abort: the calls that an operation still makes to the disk, and the handles that it keeps open.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Operation } from '../../src-server/base/operation.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { type FileContext, walk } from '../../src-server/files/walk.ts'
import { capability, fileContext } from '../support/capabilities.ts'
import { countedDisk, DiskCounts } from '../support/counted-disk.ts'
import { namesIn } from '../support/in-disk.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { openBelow } from '../support/open-below.ts'
import { openDisk } from '../support/open-disk.ts'
import type { Tree } from '../support/tree.ts'
import { until } from '../support/until.ts'
import { userFilesOn } from '../support/user-files.ts'

const reason = new Error('nobody waits for it')
const at = parsePath

const many = Array.from({ length: 40 }, (_, index) => [`tree/${index % 8}/${index}.txt`, 'x'] as const)
const files: Tree = { ...Object.fromEntries(many), 'large.bin': Buffer.alloc(20 << 20, 'x') }

const disks: Record<string, (t: TestContext) => Promise<Disk>> = {
  'the memory disk': async () => new MemoryDisk(files),
  'the local disk': async (t) => (await openDisk(t, { files })).disk,
}

const how = { override: false, rename: false }

type Works = Readonly<{
  /** The call at whose nth occurrence the work is aborted. */
  abortAt: readonly [call: string, count: number]
  work(files: UserFiles, context: FileContext): Promise<unknown>
}>

const works: Record<string, Works> = {
  'a listing': { abortAt: ['list', 1], work: (user) => user.open(at('/tree/1')) },
  'a checksum': { abortAt: ['chunk', 2], work: (user) => user.open(at('/large.bin'), { checksum: 'sha256' }) },
  'a count of what a folder holds': { abortAt: ['listInParts', 2], work: (user) => user.size(at('/tree'), () => {}) },
  'a copy of a tree': { abortAt: ['copyFile', 9], work: (user) => user.copy(at('/tree'), at('/copy'), how) },
  'a copy of one large file': { abortAt: ['copyFile', 1], work: (user) => user.copy(at('/large.bin'), at('/copy.bin'), how) },
  'a deletion': { abortAt: ['remove', 9], work: (user) => user.remove(at('/tree')) },
  'a search': { abortAt: ['find', 1], work: async (user) => Array.fromAsync(await user.search(at('/'), 'type:file')) },
  'a walk': { abortAt: ['listInParts', 3], work: (_user, context) => walkAll(context) },
}

async function walkAll(context: FileContext) {
  let steps = 0
  for await (const _step of walk(context, at('/'), { action: 'read', order: 'parents first', hidden: 'skip' })) steps++
  return steps
}

/** How many files and folders of the local disk are open. */
const openOnDisk = () => openBelow(tmpdir()).length

for (const [where, start] of Object.entries(disks)) {
  describe(`an operation that is aborted on ${where} closes every handle and stops`, () => {
    for (const [what, { abortAt, work }] of Object.entries(works)) {
      test(what, async (t) => {
        const disk = await start(t)
        const before = openOnDisk()
        const operation = new Operation()
        let [callsAtAbort, filesAtAbort] = [0, 0]
        const counts = new DiskCounts((name, { calls, openFiles }) => {
          const [call, count] = abortAt
          if (name !== call || operation.signal.aborted || calls.filter((one) => one === call).length < count) return
          callsAtAbort = calls.length
          filesAtAbort = openFiles
          operation.abort(reason)
        })
        const counted = countedDisk(disk, counts)
        const context = fileContext(counted, { signal: operation.signal })
        await assert.rejects(work(userFilesOn(counted, { operation }), context), reason)
        await setImmediate()
        assert.ok(callsAtAbort > 0)
        const after = counts.calls.slice(callsAtAbort)
        const chunks = after.filter((call) => call === 'chunk')
        // Each file that was being read may still deliver one chunk.
        assert.ok(chunks.length <= filesAtAbort, `${chunks.length} chunks of ${filesAtAbort} files`)
        assert.deepEqual(
          after.filter((call) => call !== 'chunk'),
          [],
        )
        assert.equal(counts.openFiles, 0)
        await until(() => openOnDisk() <= before, 'handles stay open')
        // No part of the copy has a name.
        assert.ok(!(await namesIn(disk)).includes('copy.bin'))
      })
    }
  })
}

test('an aborted listing makes no more calls for its entries', async (t) => {
  const names = Array.from({ length: 3000 }, (_, index) => `${index}`)
  const operation = new Operation()
  let asked = 0
  const strategy: HandleStrategy = {
    ...descriptorStrategy,
    lstat: async (address) => {
      if (++asked === 100) operation.abort(reason)
      return descriptorStrategy.lstat(address)
    },
  }
  const { disk } = await openDisk(t, {
    files: Object.fromEntries(names.map((name) => [name, ''])),
    options: () => ({ strategy }),
  })
  await assert.rejects(disk.list(capability('read', '/'), operation.signal), reason)
  // The calls of the same batch still run.
  assert.ok(asked < 600, `${asked} entries were asked about`)
})
