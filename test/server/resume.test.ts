// Copies and moves that broke off go on where they were.
import assert from 'node:assert/strict'
import { linkSync, mkdirSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { nextTickAfter } from '../../src-server/base/clock-ticks.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { resumeCopyStep, resumeMoveStep } from '../../src-server/files/resume.ts'
import { copyStep, moveStep } from '../../src-server/files/steps.ts'
import type { Change } from '../../src-server/state/history-store.ts'
import { withdrawn } from '../../src-server/users/access-revocation.ts'
import { body, capability, fileContext } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest, type Tree } from '../support/tree.ts'

const [tree, copy] = [parsePath('/tree'), parsePath('/copy')]
const [plain, replacing] = [{ override: false }, { override: true }]

function setup() {
  const disk = new MemoryDisk({ 'tree/a': 'A', 'tree/d/b': 'B', 'tree/d/c': 'C', f: 'F' })
  return { disk, context: fileContext(disk) }
}

/** A copy of the tree of which one file and one folder are missing. */
async function broken() {
  const { disk, context } = setup()
  await (await copyStep(context, tree, copy, { override: false, rename: false })).run()
  for (const path of ['/copy/d/b', '/copy/d/c', '/copy/d']) await disk.remove(capability('delete', path))
  return { disk, context }
}

const write = (disk: MemoryDisk, path: string, text: string) =>
  disk.write(capability('create', path), body(text), { replace: true })

test('a copy that broke off gets what it lacks, and what is whole stays the same file', async () => {
  const { disk, context } = await broken()
  const { version } = await disk.stat(capability('read', '/copy/a'))
  await (await resumeCopyStep(context, tree, copy, plain)).run()
  assert.deepEqual(
    [await namesIn(disk, '/copy'), await namesIn(disk, '/copy/d')],
    [
      ['a', 'd'],
      ['b', 'c'],
    ],
  )
  assert.equal((await disk.stat(capability('read', '/copy/a'))).version, version)
  assert.equal(await contentOf(disk, '/copy/d/b'), 'B')
})

test('a copy that had not begun is made', async () => {
  const { disk, context } = setup()
  await (await resumeCopyStep(context, parsePath('/f'), parsePath('/new/f'), plain)).run()
  assert.equal(await contentOf(disk, '/new/f'), 'F')
})

test('what others have put there is left alone, unless it was to be replaced', async () => {
  const { disk, context } = await broken()
  await write(disk, '/copy/a', 'of another')
  await assert.rejects(async () => (await resumeCopyStep(context, tree, copy, plain)).run(), { code: 'conflict' })
  assert.equal(await contentOf(disk, '/copy/a'), 'of another')
  await (await resumeCopyStep(context, tree, copy, replacing)).run()
  assert.deepEqual([await contentOf(disk, '/copy/a'), await contentOf(disk, '/copy/d/c')], ['A', 'C'])
})

test('a move that was done is done', async () => {
  const { disk, context } = await broken()
  for (const path of ['/tree/d/b', '/tree/d/c', '/tree/d', '/tree/a', '/tree']) await disk.remove(capability('delete', path))
  await (await resumeMoveStep(context, tree, copy, plain)).run()
  assert.deepEqual(await namesIn(disk), ['copy', 'f'])
  await assert.rejects(resumeMoveStep(context, tree, parsePath('/none'), plain), { code: 'notFound' })
})

test('a move that stands at both ends is completed, and the source goes', async () => {
  const { disk, context } = await broken()
  await (await resumeMoveStep(context, tree, copy, plain)).run()
  assert.deepEqual(
    [await namesIn(disk), await namesIn(disk, '/copy/d')],
    [
      ['copy', 'f'],
      ['b', 'c'],
    ],
  )
})

test('a move that had only begun to remove its source goes on', async () => {
  const { disk, context } = setup()
  await (await copyStep(context, tree, copy, { override: false, rename: false })).run()
  await disk.remove(capability('delete', '/tree/a'))
  await (await resumeMoveStep(context, tree, copy, plain)).run()
  assert.deepEqual(
    [await namesIn(disk), await namesIn(disk, '/copy')],
    [
      ['copy', 'f'],
      ['a', 'd'],
    ],
  )
})

test('a move into a folder that only holds its place is one rename', async () => {
  const { disk, context } = setup()
  await disk.makeFolder(capability('create', '/copy'))
  await (await resumeMoveStep(context, tree, copy, plain)).run()
  assert.deepEqual(
    [await namesIn(disk), await namesIn(disk, '/copy')],
    [
      ['copy', 'f'],
      ['a', 'd'],
    ],
  )
})

test('a move whose target others have changed keeps its source', async () => {
  const { disk, context } = await broken()
  await write(disk, '/copy/a', 'of another')
  await assert.rejects(async () => (await resumeMoveStep(context, tree, copy, plain)).run(), { code: 'conflict' })
  assert.deepEqual([await contentOf(disk, '/tree/a'), await contentOf(disk, '/copy/a')], ['A', 'of another'])
})

for (const override of [false, true]) {
  const how = override ? ', where a file there was to be replaced' : ''
  test(`a move of a file that broke off between its two names is ended by the next one, and noted as one${how}`, async (t) => {
    for (const step of [resumeMoveStep, moveStep]) {
      const { disk, root } = await openDisk(t, { files: { f: 'F' } })
      linkSync(join(root, 'f'), join(root, 'g'))
      const notes: Change[] = []
      const context = fileContext(disk, { note: (change) => notes.push(change) })
      await (await step(context, parsePath('/f'), parsePath('/g'), { override, rename: false })).run()
      assert.deepEqual(await harvest(root), { g: 'F' })
      assert.deepEqual(
        notes.map(({ what, at, ...rest }) => [what, at, 'isAcross' in rest]),
        [['move', '/g', false]],
      )
    }
  })
}

test('a file with the content of another is another: the name is taken', async (t) => {
  const { disk, root } = await openDisk(t, { files: { f: 'F', g: 'F' } })
  const moving = moveStep(fileContext(disk), parsePath('/f'), parsePath('/g'), { override: false, rename: false })
  await assert.rejects(moving, { code: 'conflict' })
  assert.deepEqual(await harvest(root), { f: 'F', g: 'F' })
})

const hour = 3600_000
/** Of two trees of which the files have the same sizes and times. */
const alike: Tree = { 'tree/a': 'new-a', 'tree/d/b': 'new-b', 'copy/a': 'old-a', 'copy/d/b': 'old-b' }

async function openAlike(t: TestContext, files: Tree = alike) {
  const { disk, root } = await openDisk(t, { files })
  const paths = Object.keys(files).map((path) => join(root, path))
  for (const path of paths) utimesSync(path, 1e9, 1e9)
  return { context: fileContext(disk), root, inodes: () => paths.map((path) => statSync(path).ino) }
}

const copied: Tree = { 'tree/a': 'new-a', 'tree/d/b': 'new-b', 'copy/a': 'new-a', 'copy/d/b': 'new-b' }
for (const [what, at] of [
  ['was there before it was begun', Date.now() + hour],
  ['is there, when an earlier version of the program began it', undefined],
] as const) {
  test(`a copy that replaces does not take for its own what ${what} with the same size and time`, async (t) => {
    const { context, root } = await openAlike(t)
    await (await resumeCopyStep(context, tree, copy, { override: true, at })).run()
    assert.deepEqual(await harvest(root), copied)
  })
}

test('a copy that replaces takes for its own what was made since it was begun', async (t) => {
  const { context, inodes } = await openAlike(t, copied)
  const before = inodes()
  await (await resumeCopyStep(context, tree, copy, { override: true, at: Date.now() - hour })).run()
  assert.deepEqual(inodes(), before)
})

test('a link that was there before a copy that replaces was begun is replaced', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'tree/l': { link: 'new' }, 'copy/l': { link: 'old' } } })
  const how = { override: true, at: Date.now() + hour }
  await (await resumeCopyStep(fileContext(disk), tree, copy, how)).run()
  assert.deepEqual(await harvest(root), { 'tree/l': { link: 'new' }, 'copy/l': { link: 'new' } })
})

/** Makes the files of the copy anew. @returns a moment before that, and after all else */
async function makeCopies(root: string, text: string): Promise<number> {
  await nextTickAfter(Date.now())
  await nextTickAfter(Date.now())
  const at = Date.now()
  await nextTickAfter(at)
  for (const name of ['a', 'd/b']) {
    const path = join(root, 'copy', name)
    writeFileSync(`${path}.new`, `${text}-${name.at(-1)}`)
    utimesSync(`${path}.new`, 1e9, 1e9)
    renameSync(`${path}.new`, path)
  }
  return at
}

test('what of a move that goes on may have changed since it was begun is copied again', async (t) => {
  const { context, root } = await openAlike(t)
  await (await resumeMoveStep(context, tree, copy, { override: false, at: Date.now() - hour })).run()
  assert.deepEqual(await harvest(root), { 'copy/a': 'new-a', 'copy/d/b': 'new-b' })
})

test('what of a move that goes on was copied since it was begun is not copied again', async (t) => {
  for (const isChanged of [false, true]) {
    const { context, root } = await openAlike(t)
    const at = (await makeCopies(root, 'new')) - (isChanged ? hour : 0)
    const inode = statSync(join(root, 'copy', 'a')).ino
    await (await resumeMoveStep(context, tree, copy, { override: false, at })).run()
    assert.deepEqual(await harvest(root), { 'copy/a': 'new-a', 'copy/d/b': 'new-b' })
    assert.equal(statSync(join(root, 'copy', 'a')).ino, inode)
  }
})

test('a move that goes on does not take for its own what others have put there since it was begun', async (t) => {
  const { context, root } = await openAlike(t)
  const at = await makeCopies(root, 'own')
  const before = await harvest(root)
  const step = await resumeMoveStep(context, tree, copy, { override: false, at })
  await assert.rejects(step.run(), { code: 'conflict' })
  assert.deepEqual(await harvest(root), before)
})

test('a move that goes on takes for its own the link that leads where its own does, and no other', async (t) => {
  for (const link of ['here', 'there']) {
    const { disk, root } = await openDisk(t, { files: { 'tree/l': { link: 'here' }, 'copy/l': { link } } })
    const moving = (await resumeMoveStep(fileContext(disk), tree, copy, { override: false, at: 0 })).run()
    if (link === 'here') await moving
    else await assert.rejects(moving, { code: 'conflict' })
    const stays = link === 'here' ? {} : { 'tree/l': { link: 'here' } }
    assert.deepEqual(await harvest(root), { ...stays, 'copy/l': { link } })
  }
})

for (const [what, resume] of [
  ['a move', resumeMoveStep],
  ['a copy', resumeCopyStep],
] as const) {
  test(`${what} that goes on does not take for its own what was there before, whatever its size and its time`, async (t) => {
    const { context, root } = await openAlike(t)
    const before = await harvest(root)
    const step = await resume(context, tree, copy, { override: false, at: Date.now() + hour })
    await assert.rejects(step.run(), { code: 'conflict', message: /something changed since it was copied/ })
    assert.deepEqual(await harvest(root), before)
  })
}

/** `change`: what happens before it goes on. `at`: when it was begun. `isAtRest`: its copies were made while it rested. */
type FailedHow = Readonly<{
  change?(root: string): unknown
  at?(root: string): number
  isAtRest?: boolean
  /** Why it is stopped, in place of a full disk. */
  stop?: 'cancel' | 'pause' | Error
}>

/** A move that a kill has cut off, and that finds a full disk when it goes on. @returns what is there then */
async function failedMove(t: TestContext, files: Tree, { change, at: begunAt, isAtRest = false, stop }: FailedHow) {
  const opened = await openAlike(t, files)
  const { root } = opened
  const stopping = new AbortController()
  const context = { ...opened.context, signal: stopping.signal }
  const before = await makeCopies(root, 'new')
  const rests = isAtRest ? [{ rested: before, until: Date.now() + hour }] : []
  change?.(root)
  const at = begunAt?.(root) ?? before
  t.mock.method(Disk.prototype, 'copyFile', () => {
    if (stop) stopping.abort(stop)
    return Promise.reject(stop ?? new Failure('full'))
  })
  const step = await resumeMoveStep(context, tree, copy, { override: false, at, rests })
  await assert.rejects(step.run(), (error) => stop !== undefined || error instanceof Failure)
  return harvest(root)
}

const uncopied: Tree = { 'tree/a': 'new-a', 'tree/d/b': 'new-b', 'tree/z': 'new-z' }

/** What the run that broke off has copied. */
const halfCopied: FailedHow = {
  change(root) {
    rmSync(join(root, 'copy'), { recursive: true })
    mkdirSync(join(root, 'copy/d'), { recursive: true })
    for (const name of ['a', 'd/b']) {
      writeFileSync(join(root, 'copy', name), `new-${name.at(-1)}`)
      utimesSync(join(root, 'copy', name), 1e9, 1e9)
    }
  },
  // What is made has the time of the last tick of the clock.
  at: (root) => Math.floor(statSync(join(root, 'copy')).birthtimeMs) + 10,
}

test('a move that goes on and fails, or is cancelled, takes back what it copied before it broke off', async (t) => {
  const files = { ...alike, ...uncopied }
  assert.deepEqual(await failedMove(t, files, halfCopied), uncopied)
  t.mock.restoreAll()
  assert.deepEqual(await failedMove(t, files, { ...halfCopied, stop: 'cancel' }), uncopied)
})

for (const [what, stop] of [
  ['is paused', 'pause'],
  ['loses a right', withdrawn],
] as const) {
  test(`a move that goes on and ${what} keeps what it copied, to go on again`, async (t) => {
    const left = await failedMove(t, { ...alike, ...uncopied }, { ...halfCopied, stop })
    assert.deepEqual(left, { ...uncopied, 'copy/a': 'new-a', 'copy/d/b': 'new-b' })
  })
}

test('a move that goes on and fails leaves what others have put there or changed', async (t) => {
  const files = { ...alike, ...uncopied, 'copy/mine': 'mine' }
  const change = (root: string) => writeFileSync(join(root, 'copy/d/b'), 'other', { flag: 'r+' })
  const left = await failedMove(t, files, { change })
  assert.deepEqual(left, { ...uncopied, 'copy/mine': 'mine', 'copy/d/b': 'other' })
})

test('a move that goes on and fails keeps its copies when its source was being removed', async (t) => {
  const own = { 'copy/a': 'new-a', 'copy/d/b': 'new-b' }
  const change = (root: string) => unlinkSync(join(root, 'tree/a'))
  const left = await failedMove(t, { ...alike, ...uncopied }, { change })
  assert.deepEqual(left, { 'tree/d/b': 'new-b', 'tree/z': 'new-z', ...own })
})

test('a move that goes on and fails leaves what others have made there while it rested, whatever its size and its time', async (t) => {
  const left = await failedMove(t, { ...alike, ...uncopied }, { isAtRest: true })
  assert.deepEqual(left, { ...uncopied, 'copy/a': 'new-a', 'copy/d/b': 'new-b' })
})

test('a move that goes on and fails takes back nothing that has another content, whatever its times', async (t) => {
  const at = (root: string) => {
    writeFileSync(join(root, 'copy/a'), 'oth-a')
    utimesSync(join(root, 'copy/a'), 1e9, 1e9)
    return Math.floor(statSync(join(root, 'copy/a')).birthtimeMs)
  }
  const left = await failedMove(t, { ...alike, ...uncopied }, { at })
  assert.deepEqual(left, { ...uncopied, 'copy/a': 'oth-a', 'copy/d/': '' })
})
