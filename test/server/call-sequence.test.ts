// Sequences of calls: the same outcome on a thread as through the thread pool.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Call, type Outcome, opened } from '../../src-server/disk/call-sequence.ts'
import { runOneByOne } from '../../src-server/disk/run-calls.ts'
import { SequenceThreads } from '../../src-server/disk/sequence-threads.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { openBelow } from '../support/open-below.ts'
import { openDisk } from '../support/open-disk.ts'
import { temporaryFolder } from '../support/tree.ts'

const create = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL

type Run = (calls: readonly Call[]) => Promise<Outcome>

/** Waits until a thread is ready, which takes no calls before. */
async function onThread(): Promise<Run> {
  const threads = new SequenceThreads()
  const isReady = async () => threads.run([], true) ?? new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))
  while (!(await isReady()));
  return (calls) => threads.run(calls, true) as Promise<Outcome>
}

const runners: Record<string, () => Promise<Run>> = {
  'on a thread': onThread,
  'through the thread pool': async () => (calls) => runOneByOne(diskSystem, calls),
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

for (const [where, start] of Object.entries(runners)) {
  describe(`a sequence of calls ${where}`, () => {
    test('writes a file, returns its stats, and names it', async (t) => {
      const [run, folder] = [await start(), await temporaryFolder(t)]
      const { stats, failed } = await run([
        { call: 'open', args: [join(folder, 'hidden'), create, 0o600] },
        { call: 'write', args: [opened, bytes('content')] },
        { call: 'setMode', args: [opened, 0o640] },
        { call: 'setTimes', args: [opened, 1_600_000_000, 1_500_000_000.25] },
        { call: 'sync', args: [opened] },
        { call: 'stat', args: [opened] },
        { call: 'close', args: [opened] },
        { call: 'link', args: [join(folder, 'hidden'), join(folder, 'name')] },
        { call: 'unlink', args: [join(folder, 'hidden')] },
      ])
      assert.equal(failed, undefined)
      assert.deepEqual(fs.readdirSync(folder), ['name'])
      assert.equal(fs.readFileSync(join(folder, 'name'), 'utf8'), 'content')
      const now = fs.statSync(join(folder, 'name'), { bigint: true })
      assert.deepEqual(
        [stats?.ino, stats?.size, stats?.mode, stats?.mtimeNs],
        [now.ino, 7n, now.mode, 1_500_000_000_250_000_000n],
      )
      assert.equal(Number(now.mode) & 0o777, 0o640)
    })

    test('ends at the first call that fails, returns its index, and closes the file that it opened', async (t) => {
      const [run, folder] = [await start(), await temporaryFolder(t)]
      fs.writeFileSync(join(folder, 'taken'), 'old')
      const { failed, stats } = await run([
        { call: 'open', args: [join(folder, 'hidden'), create, 0o600] },
        { call: 'stat', args: [opened] },
        { call: 'link', args: [join(folder, 'hidden'), join(folder, 'taken')] },
        { call: 'unlink', args: [join(folder, 'hidden')] },
      ])
      assert.deepEqual([failed?.index, stats?.size], [2, 0n])
      assert.deepEqual({ ...failed?.error, code: 'EEXIST', syscall: 'link' }, { ...failed?.error })
      assert.deepEqual(fs.readdirSync(folder).sort(), ['hidden', 'taken'])
      assert.deepEqual(openBelow(folder), [])
    })

    test('continues after ignored errors, and succeeds after errors that end it', async (t) => {
      const [run, folder] = [await start(), await temporaryFolder(t)]
      const outcome = await run([
        { call: 'unlink', args: [join(folder, 'nothing')], ignored: ['ENOENT'] },
        { call: 'unlink', args: [join(folder, 'nothing')], ignored: 'all' },
        { call: 'open', args: [join(folder, 'made'), create, 0o600] },
        { call: 'unlink', args: [join(folder, 'nothing')], ending: ['ENOENT'] },
        { call: 'unlink', args: [join(folder, 'made')] },
      ])
      assert.deepEqual(outcome, {})
      assert.deepEqual(fs.readdirSync(folder), ['made'])
      assert.deepEqual(openBelow(folder), [])
    })

    test('copies the given number of bytes, and fails when there are fewer', async (t) => {
      const [run, folder] = [await start(), await temporaryFolder(t)]
      const source = join(folder, 'source')
      fs.writeFileSync(source, 'content')
      const copy = (name: string, size: number): Call[] => [
        { call: 'open', args: [join(folder, name), create, 0o600] },
        { call: 'copy', args: [opened, source, size] },
        { call: 'close', args: [opened] },
      ]
      assert.deepEqual(await run(copy('part', 3)), {})
      assert.equal(fs.readFileSync(join(folder, 'part'), 'utf8'), 'con')
      const { failed } = await run(copy('more', 8))
      assert.equal((failed?.error as NodeJS.ErrnoException | undefined)?.code, 'ESHRUNK')
    })
  })
}

test('many small uploads at once are complete, and each name is given to one of them', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/': '' } })
  const names = Array.from({ length: 400 }, (_, index) => `f${index % 200}`)
  const before = openBelow(root)
  const outcomes = await Promise.allSettled(
    names.map((name) => disk.write(capability('create', `/d/${name}`), body(`of ${name}`), { replace: false })),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 200)
  assert.deepEqual(fs.readdirSync(join(root, 'd')).sort(), [...new Set(names)].sort())
  for (const name of names) assert.equal(fs.readFileSync(join(root, 'd', name), 'utf8'), `of ${name}`)
  assert.deepEqual(openBelow(root), before)
})
