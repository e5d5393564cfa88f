// Undo of what made a folder with all that is in it: the folder is one item of the trash.
import assert from 'node:assert/strict'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Disk } from '../../src-server/disk/disk.ts'
import { historyCalls } from '../support/history-calls.ts'
import { type AppSetup, deny, startApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { itemsOf, pathsOf, purge, restore } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'

const files = { 'd/x': 'X', 'd/s/y': 'Y', 'd/s/link': { link: 'y' }, 'd/empty/': '', 'e/z': 'Z' }

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, { files, users: { ann: {}, bob: {} }, ...setup })
  const ann = await app.as('ann')
  const tree = () => harvest(app.root)
  const at = (path: string) => join(app.root, path)
  return { app, ann, at, tree, ...historyCalls(app.url, ann) }
}

type Started = Awaited<ReturnType<typeof start>>

test('a copied folder is one item of the trash, comes back as it was, and goes there again', async (t) => {
  const { act, list, undo, redo, tree, ann, at } = await start(t)
  const before = await tree()
  assert.equal((await act().copy('/d', '/c')).status, 200)
  const after = await tree()
  const facts = () => ['c', 'c/x', 'c/s', 'c/s/y', 'c/empty'].map((path) => [statSync(at(path)).ino, statSync(at(path)).mtimeMs])
  const known = facts()
  for (let round = 0; round < 3; round++) {
    const { status, undone } = await undo()
    assert.deepEqual([status, undone.done, undone.left, undone.act.state], [200, 3, [], 'undone'])
    assert.deepEqual(await tree(), before)
    const [item, ...others] = await itemsOf(ann)
    assert.deepEqual([item?.path, item?.isDir, item?.by, others], ['/c', true, 'ann', []])
    assert.deepEqual([(await list())[0]?.mayRedo, (await list())[0]?.why], [true, undefined])
    const redone = await redo()
    assert.deepEqual([redone.status, redone.undone.done, redone.undone.left, redone.undone.act.state], [200, 3, [], 'done'])
    assert.deepEqual([await tree(), facts(), await itemsOf(ann)], [after, known, []])
  }
})

test('of several folders and files each folder is one item, the highest that the act has made', async (t) => {
  const { act, undo, redo, tree, ann } = await start(t)
  const drop = act()
  for (const path of ['/e/1', '/n/m/1', '/n/m/2', '/n/3', '/e/k/4', '/e/k/l/5']) await drop.upload(path, path)
  for (const path of ['/e/empty', '/n/none']) await drop.makeFolder(path)
  const after = await tree()
  assert.deepEqual((await undo()).undone.left, [])
  assert.deepEqual(await pathsOf(ann), ['/e/1', '/e/k', '/n'])
  assert.deepEqual((await redo()).undone.done, 6)
  assert.deepEqual([await tree(), await pathsOf(ann)], [after, []])
})

/** What others do, or the same act, so that the folder does not go whole; what the trash holds then, and how the undo ends. */
const others: Readonly<
  Record<
    string,
    {
      work(started: Started, drop: Started['ann']): unknown
      paths: string[]
      left?: object[]
      rest?: object
    }
  >
> = {
  'another program has added a file': {
    work: ({ at }) => writeFileSync(at('n/other'), 'of another'),
    paths: ['/n/1', '/n/s'],
    rest: { 'n/other': 'of another' },
  },
  'another program has added a file below': {
    work: ({ at }) => writeFileSync(at('n/s/other'), 'of another'),
    paths: ['/n/1', '/n/s/2'],
    rest: { 'n/s/other': 'of another' },
  },
  'a file has other content': {
    work: ({ at }) => writeFileSync(at('n/1'), 'changed by another'),
    paths: ['/n/s'],
    left: [{ path: '/n/1', how: 'changed' }],
    rest: { 'n/1': 'changed by another' },
  },
  'a file is missing': {
    work: ({ at }) => rmSync(at('n/s/2')),
    paths: ['/n/1'],
    left: [{ path: '/n/s/2', how: 'missing' }],
  },
  'a file has another name': {
    work: ({ at }) => renameSync(at('n/1'), at('n/3')),
    paths: ['/n/s'],
    left: [{ path: '/n/1', how: 'missing' }],
    rest: { 'n/3': '1' },
  },
  'another folder has its path': {
    work: async ({ at, ann }) => {
      renameSync(at('n'), at('away'))
      await ann.upload('/n/4', '4')
    },
    paths: [],
    left: [
      { path: '/n/s/2', how: 'missing' },
      { path: '/n/1', how: 'missing' },
    ],
    rest: { 'away/1': '1', 'away/s/2': '2', 'n/4': '4' },
  },
  'the act has moved something out of it': {
    work: (_, drop) => drop.move('/n/1', '/e/1'),
    paths: ['/n/1', '/n/s'],
  },
  'the act has replaced something in it': {
    work: (_, drop) => drop.upload('/n/1', 'again', 'override=true'),
    paths: ['/n/1', '/n/1', '/n/s'],
  },
  'the act has deleted something in it': {
    work: (_, drop) => drop.remove('/n/1'),
    paths: ['/n/1', '/n/s'],
  },
  'the act has renamed it': {
    work: (_, drop) => drop.move('/n', '/m'),
    paths: ['/n/1', '/n/s/2'],
  },
  'it was moved into a folder that the act has made': {
    work: async (_, drop) => {
      await drop.makeFolder('/k')
      await drop.move('/n', '/k/n')
    },
    paths: ['/n/1', '/n/s/2'],
  },
}

test('a folder that was made in one that the same act has moved goes whole, before that goes back', async (t) => {
  const { act, undo, redo, tree, ann } = await start(t)
  const before = await tree()
  const all = act()
  await all.move('/e', '/k')
  await all.copy('/d', '/k/c')
  const after = await tree()
  assert.deepEqual([(await undo()).undone.left, await tree(), await pathsOf(ann)], [[], before, ['/k/c']])
  assert.deepEqual([(await redo()).undone.left, await tree()], [[], after])
})

for (const [what, { work, paths, left = [], rest = {} }] of Object.entries(others)) {
  test(`a folder does not go into the trash whole when ${what}`, async (t) => {
    const started = await start(t)
    const { act, undo, redo, tree, ann } = started
    const before = await tree()
    const drop = act()
    await drop.upload('/n/1', '1')
    await drop.upload('/n/s/2', '2')
    await work(started, drop)
    const after = await tree()
    const first = await undo()
    assert.deepEqual([first.status, first.undone.left], [left.length > 0 ? 409 : 200, left])
    if (left.length > 0) {
      assert.deepEqual([await tree(), await pathsOf(ann)], [after, []])
      assert.deepEqual((await undo(undefined, { rest: true })).undone.left, left)
    }
    assert.deepEqual([await tree(), await pathsOf(ann)], [{ ...before, ...rest }, paths])
    if (left.length > 0) return
    assert.deepEqual((await redo()).undone.left, [])
    assert.deepEqual(await tree(), after)
  })
}

test('of a folder in which others have put something, the folders in it that hold what the act has made go whole', async (t) => {
  const { act, undo, redo, tree, ann, at } = await start(t)
  const before = await tree()
  const drop = act()
  for (const path of ['a/1', 'a/b/2', 'c/3', 'c/d/4', 'c/d/e/5']) await drop.upload(`/n/${path}`, path)
  const after = await tree()
  writeFileSync(at('n/c/other'), 'of another')
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.done, undone.left, undone.act.state], [200, 5, [], 'undone'])
  assert.deepEqual(await tree(), { ...before, 'n/c/other': 'of another' })
  assert.deepEqual(await pathsOf(ann), ['/n/a', '/n/c/3', '/n/c/d'])
  const again = await redo()
  assert.deepEqual([again.undone.done, again.undone.left, await pathsOf(ann)], [5, [], []])
  assert.deepEqual(await tree(), { ...after, 'n/c/other': 'of another' })
})

test('what another program adds after the comparison keeps a folder from going whole', async (t) => {
  const { act, undo, tree, ann, at } = await start(t)
  const before = await tree()
  await act().copy('/d', '/c')
  const { toTrash } = Disk.prototype
  let calls = 0
  t.mock.method(Disk.prototype, 'toTrash', function (this: Disk, ...asked: Parameters<Disk['toTrash']>) {
    if (++calls === 1) writeFileSync(at('c/s/other'), 'of another')
    return toTrash.apply(this, asked)
  })
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.done, undone.left], [200, 3, []])
  assert.deepEqual(await tree(), { ...before, 'c/s/other': 'of another' })
  assert.deepEqual(await pathsOf(ann), ['/c/s/link', '/c/s/y', '/c/x'])
})

test('a folder with something that is hidden from the person stays, and so does all that is in it', async (t) => {
  const { app, act, undo, tree, ann } = await start(t)
  await act().copy('/d', '/c')
  const after = await tree()
  const set = (rules: ReturnType<typeof deny>[]) =>
    changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
      user.rules = rules
    })
  await set([deny('/c/s')])
  const { status, undone } = await undo()
  assert.deepEqual(
    [status, undone.left.map(({ path, how }) => [path, how]).sort()],
    [
      409,
      [
        ['/c/s/link', 'forbidden'],
        ['/c/s/y', 'forbidden'],
      ],
    ],
  )
  assert.deepEqual([await tree(), await pathsOf(ann)], [after, []])
  await set([])
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await pathsOf(ann), ['/c'])
})

test('a folder that was removed from the trash, or put back by hand, cannot be made again, and says so', async (t) => {
  const { act, undo, redo, list, tree, ann } = await start(t)
  await act().copy('/d', '/c')
  const after = await tree()
  await undo()
  await restore(ann, [(await itemsOf(ann))[0]?.id ?? ''])
  assert.deepEqual(await tree(), after)
  const shown = async () => {
    const [act] = await list()
    return [act?.state, act?.mayRedo, act?.why]
  }
  assert.deepEqual(await shown(), ['undone', false, 'restored'])
  assert.deepEqual((await redo()).undone.left, [{ path: '/c', how: 'restored' }])
  assert.deepEqual((await redo(undefined, { rest: true })).undone.left, [{ path: '/c', how: 'restored' }])
  await act().copy('/e', '/f')
  await undo()
  await purge(ann, { all: true })
  assert.deepEqual(await shown(), ['undone', false, 'purged'])
})

test('a folder whose name is taken by now is not made again, but the rest is', async (t) => {
  const { act, undo, redo, tree, ann, at } = await start(t)
  const drop = act()
  for (const path of ['/n/1', '/n/2', '/e/3']) await drop.upload(path, path)
  await undo()
  writeFileSync(at('n'), 'of another')
  const before = await tree()
  const left = [{ path: '/n', how: 'taken' }]
  const refused = await redo()
  assert.deepEqual([refused.status, refused.undone.done, refused.undone.left], [409, 0, left])
  assert.deepEqual(await tree(), before)
  const rest = await redo(undefined, { rest: true })
  assert.deepEqual([rest.undone.done, rest.undone.left, rest.undone.act.state], [1, left, 'partly'])
  assert.deepEqual([await tree(), await pathsOf(ann)], [{ ...before, 'e/3': '/e/3' }, ['/n']])
  rmSync(at('n'))
  assert.deepEqual([(await redo()).undone.done, (await tree())['n/1']], [2, '/n/1'])
})

test('without a trash nothing of a folder is undone, and every file says so', async (t) => {
  const { app, act, undo, tree } = await start(t)
  await act().copy('/d', '/c')
  const after = await tree()
  await app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, trash: { ...draft.settings.trash, isOn: false } }
  })
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.left.map(({ how }) => how)], [409, ['noTrash', 'noTrash', 'noTrash']])
  assert.deepEqual(await tree(), after)
})
