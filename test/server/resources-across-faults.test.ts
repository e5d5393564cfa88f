// A merge into a folder of another file system, with a fault or the end of the server at each of its steps.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { removeStaleTemporaries } from '../../src-server/disk/remove-stale-temporaries.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { isTemporaryName } from '../../src-server/disk/temporary-names.ts'
import { TemporaryJournal } from '../../src-server/state/temporary-journal.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import { harvest, type Tree, temporaryFolder } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

type Found = Awaited<ReturnType<typeof harvest>>

const source: Tree = { 's/a': 'new a', 's/d/b': 'new b', 's/d/e/c': 'c', 's/l': { link: 'new' }, 's/over': { link: 'new' } }
const target: Tree = { 't/s/a': 'old a', 't/s/d/b': 'old b', 't/s/l': { link: 'old' }, 't/s/over': 'old file', 't/s/mine': 'x' }
const before = { ...source, ...target }
const after: Tree = {
  't/s/a': 'new a',
  't/s/d/b': 'new b',
  't/s/d/e/c': 'c',
  't/s/l': { link: 'new' },
  't/s/mine': 'x',
  't/s/over': { link: 'new' },
}

/** As between two file systems: no rename or link from one of the two folders to the other. */
function twoFileSystems(system: DiskSystem, withLinks: boolean): DiskSystem {
  const refuse = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })
  return {
    ...system,
    rename: async (from, to) => {
      if (dirname(String(from)) !== dirname(String(to))) throw refuse('EXDEV', 'rename')
      await system.rename(from, to)
    },
    link: async (from, to) => {
      if (!withLinks) throw refuse('EPERM', 'link')
      if (dirname(String(from)) !== dirname(String(to))) throw refuse('EXDEV', 'link')
      await system.link(from, to)
    },
  }
}

/** Runs one merge with the given fault. */
async function merge(t: TestContext, withLinks: boolean, fault: (faulty: FaultyDisk) => void) {
  const journalFile = join(await temporaryFolder(t), 'journal')
  let faulty: FaultyDisk | undefined
  const { disk, root } = await openDisk(t, {
    files: before,
    options: (folders) => {
      faulty = new FaultyDisk(folders.root)
      fault(faulty)
      return { system: twoFileSystems(faulty.system, withLinks), journal: new TemporaryJournal(journalFile) }
    },
  })
  const move = userFilesOn(disk).move(parsePath('/s'), parsePath('/t/s'), { override: true, rename: false })
  const isDone = await move.then(
    () => true,
    () => false,
  )
  disk.close()
  return { root, isDone, faulty: faulty as FaultyDisk, journalFile }
}

for (const [which, withLinks] of [
  ['', true],
  [', without hard links', false],
] as const) {
  test(`a failed merge across devices restores what it replaced, and removes its own files${which}`, async (t) => {
    for (let step = 0; ; step++) {
      const { root, isDone, faulty } = await merge(t, withLinks, (it) => it.failAt(step, 'EIO'))
      const found = await harvest(root)
      const call = `${faulty.calls[step]}, call ${step}`
      // When everything is copied, the source may be removed in part.
      if (isComplete(found)) assertHolds(found, after, call)
      else assert.deepEqual(found, before, call)
      if (isDone) assert.deepEqual(shown(found), after, call)
      faulty.close()
      if (faulty.calls.length > step) continue
      assert.deepEqual(found, after, 'without a fault')
      break
    }
  })

  test(`a server that ends during a merge across devices loses no file, whatever a power cut removes${which}`, async (t) => {
    for (let step = 0; ; step++) {
      const { faulty, isDone, ...folders } = await merge(t, withLinks, (it) => it.crashAt(step))
      for (const survives of ['nothing', 'names'] as const) {
        const left = join(await temporaryFolder(t), 'left')
        faulty.afterPowerCut(left, survives)
        const remaining = await afterNextStart(t, { ...folders, left })
        const call = `${faulty.calls[step]}, call ${step}, ${survives} survives`
        for (const [path, old] of Object.entries(target)) {
          const values = [old, after[path]].map((value) => JSON.stringify(value))
          assert.ok(
            values.includes(JSON.stringify(remaining[path])),
            `${path} is ${JSON.stringify(remaining[path])} after ${call}`,
          )
        }
        if (!isComplete(remaining)) assertHolds(remaining, source, call)
      }
      faulty.close()
      if (isDone) break
    }
  })
}

test('a folder that gets another path while it is copied to another device is left there, and its copies go', async (t) => {
  let rest = Number.POSITIVE_INFINITY
  let root = ''
  const elsewhere = () => {
    if (--rest === 0) renameSync(join(root, 's'), join(root, 's2'))
  }
  const system: DiskSystem = {
    ...diskSystem,
    write: async (...asked) => {
      elsewhere()
      return diskSystem.write(...asked)
    },
    sync: async (...asked) => {
      await diskSystem.sync(...asked)
      elsewhere()
    },
  }
  const files: Tree = { 's/a': 'a', 's/d/b': 'b', 't/': '' }
  const opened = await openDisk(t, { files, options: () => ({ system: twoFileSystems(system, true) }) })
  root = opened.root
  let step = 1
  for (; ; step++) {
    rest = step
    const move = userFilesOn(opened.disk).move(parsePath('/s'), parsePath('/t/s'), { override: false, rename: false })
    const isDone = await move.then(
      () => true,
      () => false,
    )
    const found = await harvest(root)
    // Once it is being removed it goes on to its end.
    if (isDone || 't/s/a' in found) {
      assert.deepEqual(found, { 't/s/a': 'a', 't/s/d/b': 'b' })
      break
    }
    assert.deepEqual(found, { 's2/a': 'a', 's2/d/b': 'b', 't/': '' }, `step ${step}`)
    renameSync(join(root, 's2'), join(root, 's'))
  }
  assert.equal(step, 6)
})

/** Whether all that was moved is at the target. */
function isComplete(found: Found) {
  return Object.entries(after).every(([path, what]) => JSON.stringify(found[path]) === JSON.stringify(what))
}

function assertHolds(found: Found, tree: Tree, message: string) {
  for (const [path, what] of Object.entries(tree)) assert.deepEqual(found[path], what, `${path}, ${message}`)
}

function shown(found: Found) {
  return Object.fromEntries(Object.entries(found).filter(([path]) => !isTemporaryName(path.split('/').at(-1) ?? '')))
}

/** The tree after a start three days later, which removes stale temporary files. */
async function afterNextStart(t: TestContext, folders: { left: string; root: string; journalFile: string }): Promise<Found> {
  const { left, root, journalFile } = folders
  const journal = new TemporaryJournal(join(await temporaryFolder(t), 'journal'))
  for (const folder of new TemporaryJournal(journalFile).folders()) await journal.note(folder.replace(root, left))
  const later = Date.now() + 3 * 24 * 60 * 60 * 1000
  await removeStaleTemporaries({ journal, protectedPaths: nothingProtected, now: later })
  const found = await harvest(left)
  assert.deepEqual(found, shown(found), 'a hidden file is left')
  return found
}
