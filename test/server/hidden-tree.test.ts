// A hidden folder that is filled and gets its name at the end, whole.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import type { HiddenTree } from '../../src-server/disk/disk.ts'
import { removeStaleTemporaries } from '../../src-server/disk/remove-stale-temporaries.ts'
import { beginInstallation, beginUse, endUse, newTreeName } from '../../src-server/disk/temporary-names.ts'
import { TemporaryJournal } from '../../src-server/state/temporary-journal.ts'
import { body, capability } from '../support/capabilities.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { namesIn } from '../support/in-disk.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import { harvestAll, plant, type Tree, temporaryFolder } from '../support/tree.ts'

const at = (path: string) => capability('create', path)
const noted: string[] = []
const onGiving = async (identity: string) => void noted.push(identity)

async function open(t: TestContext, tree: Tree = { 't/x': 'X' }) {
  const { disk, root } = await openDisk(t, { files: tree })
  const hidden = await disk.openTree(at('/t/new'))
  t.after(() => hidden.end())
  return { disk, root, hidden, below: () => harvestAll(root) }
}

/** By the paths that it will have. */
async function fill({ disk }: HiddenTree) {
  await disk.batch(async (inner) => {
    await inner.makeFolder(at('/t/new/d'))
    await inner.write(at('/t/new/d/1'), body('one'), { replace: false })
    await inner.write(at('/t/new/a'), body('A'), { replace: false })
    await inner.makeLink(at('/t/new/l'), 'd/1')
  })
}

const filled = { 't/new/a': 'A', 't/new/d/1': 'one', 't/new/l': { link: 'd/1' }, 't/x': 'X' }

test('what is written into it is at its name at once, and in no listing before', async (t) => {
  const { disk, hidden, below } = await open(t)
  await fill(hidden)
  assert.deepEqual(await namesIn(disk, '/t'), ['x'])
  await hidden.give(undefined, at('/t/new'), onGiving)
  await hidden.end()
  assert.deepEqual(await below(), filled)
  assert.equal(await disk.identify(capability('read', '/t/new')), noted.at(-1))
})

for (const [name, left] of [
  ['d', { 't/d/1': 'one', 't/x': 'X' }],
  ['a', { 't/a': 'A', 't/x': 'X' }],
] as const) {
  test(`one entry of it gets a name, and the rest goes: ${name}`, async (t) => {
    const { hidden, below, disk } = await open(t)
    await fill(hidden)
    assert.equal((await hidden.around.stat(capability('read', `/t/${name}`))).path, `/t/${name}`)
    await hidden.give(name, at(`/t/${name}`), onGiving)
    await hidden.end()
    assert.deepEqual(await below(), left)
    assert.equal(await disk.identify(capability('read', `/t/${name}`)), noted.at(-1))
  })
}

test('without a name nothing of it is left, however deep it is', async (t) => {
  const { hidden, below } = await open(t)
  await fill(hidden)
  await hidden.end()
  assert.deepEqual(await below(), { 't/x': 'X' })
})

test('a taken name is refused, and it may get another one', async (t) => {
  const { hidden, below } = await open(t, { 't/new/there': 'before', 't/x': 'X' })
  await fill(hidden)
  await assert.rejects(hidden.give(undefined, at('/t/new'), onGiving), new Failure('conflict', 'the name is taken'))
  await hidden.give(undefined, at('/t/new(1)'), onGiving)
  await hidden.end()
  assert.deepEqual(Object.keys(await below()), ['t/new/there', 't/new(1)/a', 't/new(1)/d/1', 't/new(1)/l', 't/x'])
})

test('when its folder was moved it gets no name, neither there nor at the old path, and goes', async (t) => {
  const { hidden, below, root } = await open(t)
  await fill(hidden)
  fs.renameSync(join(root, 't'), join(root, 'u'))
  fs.mkdirSync(join(root, 't'))
  await assert.rejects(hidden.give(undefined, at('/t/new'), onGiving), new Failure('conflict', 'the folder was moved meanwhile'))
  await hidden.end()
  assert.deepEqual(await below(), { 't/': '', 'u/x': 'X' })
})

test('its folder is not deleted while it is filled', async (t) => {
  const { disk, hidden } = await open(t)
  await assert.rejects(disk.assertRemovable(capability('delete', '/t')), { code: 'busy' })
  await hidden.end()
  await disk.assertRemovable(capability('delete', '/t'))
})

test('what could not be removed of it does not keep its folder, as one that another server fills does', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 't/x': 'X' } })
  beginInstallation('another')
  const others = newTreeName()
  beginInstallation('one')
  const own = newTreeName()
  await plant(root, { [`t/${own}/d/1`]: 'one' })
  await disk.assertRemovable(capability('delete', '/t'))
  fs.rmSync(join(root, 't/x'))
  await disk.list(capability('read', '/t'), undefined, { forRemoval: true })
  await disk.remove(capability('delete', '/t'))
  assert.deepEqual(await harvestAll(root), {})
  await plant(root, { [`t/${others}/d/1`]: 'one' })
  await assert.rejects(disk.list(capability('read', '/t'), undefined, { forRemoval: true }), { code: 'busy' })
  await assert.rejects(disk.remove(capability('delete', '/t')), { code: 'conflict' })
  assert.deepEqual(Object.keys(await harvestAll(root)), [`t/${others}/d/1`])
})

test('names of the server are refused in it, and what lies outside is not reached', async (t) => {
  const { hidden } = await open(t)
  for (const name of ['.holdall-trash', newTreeName(), `.HOLDALL-${'a'.repeat(32)}.part`]) {
    await assert.rejects(hidden.disk.makeFolder(at(`/t/new/${name}`)), { code: 'forbidden' }, name)
  }
  await assert.rejects(async () => hidden.disk.makeFolder(at('/t/other')), TypeError)
  await hidden.disk.makeLink(at('/t/new/out'), '../x')
  await assert.rejects(hidden.disk.write(at('/t/new/out'), body('!'), { replace: true }), Failure)
})

test('in a folder that is missing there is none', async (t) => {
  const { disk } = await open(t)
  await assert.rejects(disk.openTree(at('/none/new')), { code: 'notFound' })
})

test('whichever call of the system fails, it is whole under its name or nothing is left', async (t) => {
  for (let call = 0; ; call++) {
    let faulty: FaultyDisk | undefined
    const { disk, root } = await openDisk(t, {
      files: { 't/x': 'X' },
      options: (folders) => {
        faulty = new FaultyDisk(folders.root)
        return { system: faulty.system }
      },
    })
    faulty?.failAt(call, 'EIO')
    let hidden: HiddenTree | undefined
    try {
      hidden = await disk.openTree(at('/t/new'))
      await fill(hidden)
      await hidden.give(undefined, at('/t/new'), onGiving)
    } catch {
      // What is left is compared below.
    }
    const calls = faulty?.calls.length ?? 0
    await hidden?.end()
    faulty?.close()
    // Where the removal of a hidden name fails, the file has both.
    const found = Object.fromEntries(Object.entries(await harvestAll(root)).filter(([path]) => !path.endsWith('.part')))
    if (call >= calls) {
      assert.ok(call > 20, `${call} calls`)
      return assert.deepEqual(found, filled)
    }
    if ('t/new/a' in found) assert.deepEqual(found, filled, `call ${call}`)
    else assert.deepEqual(found, { 't/x': 'X' }, `call ${call}`)
  }
})

test('what is left of it goes as soon as nobody fills it, and those of other servers after a week', async (t) => {
  const folder = await temporaryFolder(t)
  const [root, file] = [join(folder, 'root'), join(folder, 'journal')]
  beginInstallation('one', Date.now() - 60_000)
  const own = newTreeName()
  beginInstallation('another')
  const others = newTreeName()
  await plant(folder, { [`root/${own}/d/1`]: 'one', [`root/${others}/2`]: 'two', 'root/x': 'X' })
  const before = new TemporaryJournal(file)
  await before.note(root)
  const search = (now: number) =>
    removeStaleTemporaries({ journal: new TemporaryJournal(file), protectedPaths: nothingProtected, now })
  beginInstallation('one', Date.now() - 60_000)
  const write = { folderPath: root, waitingSince: () => undefined, interrupt: () => {} }
  beginUse(own, write)
  assert.equal(await search(Date.now()), 0, 'it is in use')
  endUse(own, write)
  assert.equal(await search(Date.now()), 1)
  assert.deepEqual(Object.keys(await harvestAll(root)), [`${others}/2`, 'x'])
  assert.equal(await search(Date.now() + 8 * 24 * 3600 * 1000), 1)
  assert.deepEqual(await harvestAll(root), { x: 'X' })
})
