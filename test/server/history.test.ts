// What a person did, and taking it back: the calls, and what they do.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { TrashList } from '../../src-server/contract/trash.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { type AppSetup, deny, only, startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = { 'a.txt': 'A', 'b.txt': 'B', 'd/x': 'X', 'd/s/y': 'Y', 'e/z': 'Z' }

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, { files, users: { ann: {}, bob: {} }, ...setup })
  const ann = await app.as('ann')
  const tree = async () => {
    const found = await harvest(app.root)
    return Object.fromEntries(Object.entries(found).filter(([path]) => !path.startsWith('.holdall-trash')))
  }
  const id = () => userIn(app.parts.state, 'ann')?.id ?? 0
  return { app, ann, tree, id, ...historyCalls(app.url, ann) }
}

const at = (root: string, path: string) => join(root, path)

test('files that are dropped together are one act, which is undone and done again as one', async (t) => {
  const { act, list, undo, redo, tree } = await start(t)
  const before = await tree()
  const drop = act('drop-of-four')
  for (const name of ['1', '2', '3', '4']) assert.equal((await drop.upload(`/n/${name}`, name)).status, 200)
  const after = await tree()
  const [done, ...rest] = await list()
  assert.deepEqual([done?.kind, done?.count, done?.names, done?.folder, rest.length], ['upload', 4, ['1', '2', '3'], '/n', 0])
  assert.deepEqual([done?.key, done?.state, done?.mayUndo, done?.mayRedo], ['drop-of-four', 'done', true, false])
  const undone = await undo()
  assert.deepEqual([undone.status, undone.undone.done, undone.undone.left], [200, 4, []])
  assert.deepEqual([undone.undone.act.state, undone.undone.act.mayRedo], ['undone', true])
  assert.deepEqual(await tree(), before)
  assert.equal((await redo()).status, 200)
  assert.deepEqual(await tree(), after)
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await tree(), before)
})

type Calls = Awaited<ReturnType<typeof start>>['ann']
const acts: readonly (readonly [name: string, kind: string, work: (act: Calls) => Promise<Response>])[] = [
  ['a new folder', 'newFolder', (act) => act.makeFolder('/n/m')],
  ['a file that is replaced', 'upload', (act) => act.upload('/a.txt', 'other', 'override=true')],
  ['a save', 'save', (act) => act.save('/a.txt', 'other')],
  ['a copied folder', 'copy', (act) => act.copy('/d', '/n/c')],
  ['a copy over files', 'copy', (act) => act.copy('/d', '/e', 'override=true')],
  ['a renamed file', 'rename', (act) => act.move('/a.txt', '/c.txt')],
  ['a renamed folder', 'rename', (act) => act.move('/d', '/f')],
  ['a folder that is moved', 'move', (act) => act.move('/d', '/n/d')],
  ['a move over a file', 'move', (act) => act.move('/a.txt', '/d/x', 'override=true')],
  ['folders that are merged', 'rename', (act) => act.move('/d', '/e', 'override=true')],
  ['a deleted file', 'delete', (act) => act.remove('/a.txt')],
  ['a deleted folder', 'delete', (act) => act.remove('/d')],
]

for (const [name, kind, work] of acts) {
  test(`${name} is undone and done again, with the same contents and times`, async (t) => {
    const { app, act, list, undo, redo, tree } = await start(t)
    for (const path of Object.keys(files)) utimesSync(at(app.root, path), 1_000_000, 1_700_000_000)
    const times = () => Object.keys(files).map((path) => existsSync(at(app.root, path)) && statSync(at(app.root, path)).mtimeMs)
    const [before, timesBefore] = [await tree(), times()]
    assert.equal((await work(act())).status, 200)
    const after = await tree()
    assert.notDeepEqual(after, before)
    const [done] = await list()
    assert.deepEqual([done?.kind, done?.count, done?.mayUndo], [kind, 1, true])
    for (let round = 0; round < 2; round++) {
      const undone = await undo()
      assert.deepEqual([undone.status, undone.undone.left], [200, []])
      assert.deepEqual([await tree(), times()], [before, timesBefore])
      const redone = await redo()
      assert.deepEqual([redone.status, redone.undone.left], [200, []])
      assert.deepEqual(await tree(), after)
    }
  })
}

test('an act in several steps on one path is undone to its beginning', async (t) => {
  const { act, undo, redo, tree } = await start(t)
  const before = await tree()
  const steps = act()
  await steps.upload('/n', '1')
  await steps.upload('/n', '2', 'override=true')
  await steps.move('/n', '/m')
  await steps.makeFolder('/n')
  await steps.move('/m', '/n/m')
  const after = await tree()
  assert.deepEqual((await undo()).undone.left, [])
  assert.deepEqual(await tree(), before)
  assert.deepEqual((await redo()).undone.left, [])
  assert.deepEqual(await tree(), after)
})

test('what is not as it was left is listed, and nothing is changed; the rest can be undone', async (t) => {
  const { app, act, undo, list, tree } = await start(t)
  const drop = act()
  for (const name of ['1', '2', '3', '4']) await drop.upload(`/n/${name}`, name)
  writeFileSync(at(app.root, 'n/2'), 'changed by another')
  rmSync(at(app.root, 'n/3'))
  const before = await tree()
  const refused = await undo()
  assert.equal(refused.status, 409)
  const left = [
    { path: '/n/3', how: 'missing' },
    { path: '/n/2', how: 'changed' },
  ]
  assert.deepEqual([refused.undone.done, refused.undone.left, refused.undone.act.state], [0, left, 'done'])
  assert.deepEqual(await tree(), before)
  const undone = await undo(undefined, { rest: true })
  assert.deepEqual([undone.status, undone.undone.done, undone.undone.left], [200, 2, left])
  assert.deepEqual(await tree(), { ...files, 'n/2': 'changed by another' })
  const [done] = await list()
  assert.deepEqual([done?.state, done?.mayUndo, done?.mayRedo], ['partly', true, true])
})

test("other people's later work stays", async (t) => {
  const { app, act, undo, list, tree } = await start(t)
  const bob = await app.as('bob')
  await act().makeFolder('/n')
  await act().upload('/n/1', '1')
  await act().move('/a.txt', '/n/a')
  await bob.upload('/n/of bob', 'B')
  await bob.upload('/a.txt', 'of bob')
  await bob.save('/n/1', 'of bob')
  const before = await tree()
  const [moved, uploaded, made] = (await list()).map(({ id }) => id)
  const hows = []
  for (const id of [moved, uploaded, made]) {
    const { status, undone } = await undo(id)
    hows.push([status, undone.left.map(({ how }) => how)])
  }
  assert.deepEqual(hows, [
    [409, ['taken']],
    [409, ['changed']],
    [409, ['notEmpty']],
  ])
  assert.deepEqual(await tree(), before)
})

test('a folder that was deleted or moved takes along what came into it later', async (t) => {
  const { app, act, undo, tree } = await start(t)
  await act().move('/d', '/f')
  writeFileSync(at(app.root, 'f/later'), 'L')
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await tree(), { ...files, 'd/later': 'L' })
})

test('an act ends ten minutes after its last change, when it is undone, and when its person signs out everywhere', async (t) => {
  const { app, act, undo, list, id } = await start(t)
  const counts = async () => (await list()).map(({ count }) => count)
  const drop = act('one-drop')
  await drop.upload('/1', '1')
  app.clock.advance({ milliseconds: 590_000 })
  await drop.upload('/2', '2')
  app.clock.advance({ milliseconds: 590_000 })
  await drop.upload('/3', '3')
  assert.deepEqual(await counts(), [3])
  app.clock.advance({ milliseconds: 601_000 })
  await drop.upload('/4', '4')
  assert.deepEqual(await counts(), [1, 3])
  await undo()
  await drop.upload('/5', '5')
  assert.deepEqual(await counts(), [1, 1, 3])
  await changeUser(app.parts, id(), (user) => {
    user.password = 'another long and easy password'
  })
  const again = historyCalls(app.url, await app.as('ann'))
  await again.act('one-drop').upload('/6', '6')
  assert.deepEqual(
    (await again.list()).map(({ count }) => count),
    [1, 1, 1, 3],
  )
})

test('the same act of two people is two, and nobody sees or undoes those of others', async (t) => {
  const { app, act, list } = await start(t)
  const bob = historyCalls(app.url, await app.as('bob'))
  await act('the-same-key').upload('/1', '1')
  await bob.act('the-same-key').upload('/2', '2')
  assert.deepEqual([(await list()).map(({ names }) => names), (await bob.list()).map(({ names }) => names)], [[['1']], [['2']]])
  const [mine] = await list()
  assert.deepEqual([(await bob.undo(mine?.id)).status, (await bob.undo('none')).status], [404, 404])
})

test('nothing is kept of requests without an act, and an act with another name is refused', async (t) => {
  const { ann, act, list } = await start(t)
  await ann.upload('/1', '1')
  assert.deepEqual(await list(), [])
  const answers = await Promise.all(
    ['short', 'x'.repeat(65), 'with space', 'ä'.repeat(8)].map((key) =>
      act(encodeURIComponent(key).slice(0, 70)).upload('/2', '2'),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 400],
  )
  assert.match((await answers[0]?.text()) ?? '', /Holdall-Act has 8 to 64 letters, digits, hyphens and underscores/)
})

test('a new act ends the offer to do again, and any act can be undone singly', async (t) => {
  const { act, undo, redo, list, tree } = await start(t)
  await act().move('/a.txt', '/1')
  await act().move('/b.txt', '/2')
  const [second, first] = await list()
  assert.equal((await undo(first?.id)).status, 200)
  assert.deepEqual(await tree(), { ...without('b.txt'), 'a.txt': 'A', '2': 'B' })
  assert.equal((await undo(second?.id)).status, 200)
  assert.deepEqual(
    (await list()).map(({ mayUndo, mayRedo }) => [mayUndo, mayRedo]),
    [
      [false, true],
      [false, true],
    ],
  )
  assert.equal((await redo(first?.id)).status, 200)
  await act().upload('/n', 'N')
  assert.deepEqual(
    (await list()).map(({ mayRedo, why }) => [mayRedo, why]),
    [
      [false, undefined],
      [false, 'newer'],
      [false, undefined],
    ],
  )
  assert.equal((await redo(second?.id)).status, 409)
  assert.equal((await undo(second?.id)).status, 409)
})

const without = (...names: (keyof typeof files)[]) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !names.includes(path as keyof typeof files)))

test('rights are asked at the time of the undo', async (t) => {
  const { app, act, undo, list, id, tree } = await start(t)
  await act().move('/a.txt', '/d/a')
  await act().remove('/b.txt')
  const before = await tree()
  const set = (edit: Parameters<typeof changeUser>[2]) => changeUser(app.parts, id(), edit)
  const hows = async () => {
    const found = []
    for (const { id } of await list()) found.push((await undo(id)).undone.left.map(({ how }) => how))
    return found
  }
  const offers = async () => (await list()).map(({ why, mayUndo }) => [why, mayUndo])
  await set((user) => {
    user.perm = only('modify')
  })
  assert.deepEqual(await hows(), [['forbidden'], ['forbidden']])
  assert.deepEqual(await offers(), [
    ['forbidden', false],
    ['forbidden', false],
  ])
  await set((user) => {
    user.perm = usual
    user.rules = [deny('/a.txt'), deny('/b.txt')]
  })
  assert.deepEqual(await hows(), [['forbidden'], ['forbidden']])
  await set((user) => {
    user.rules = []
    user.scope = '/d'
  })
  const seen = await list()
  assert.deepEqual(
    seen.map(({ why, mayUndo, folder }) => [why, mayUndo, folder]),
    [
      ['outside', false, ''],
      ['outside', false, '/'],
    ],
  )
  assert.deepEqual((await undo(seen[1]?.id)).undone.left, [{ path: '/a', how: 'outside' }])
  assert.deepEqual(await tree(), before)
})

test('an act whose entries were removed from the trash says so, and so does one that was for good', async (t) => {
  const { ann, act, undo, list } = await start(t)
  await act().remove('/a.txt')
  await act().ask('DELETE', '/api/resources/b.txt?trash=false')
  await ann.ask('DELETE', '/api/trash', { body: JSON.stringify({ all: true }) })
  const seen = await list()
  assert.deepEqual(
    seen.map(({ why, mayUndo }) => [why, mayUndo]),
    [
      ['forGood', false],
      ['purged', false],
    ],
  )
  assert.deepEqual((await undo(seen[1]?.id)).undone.left, [{ path: '/a.txt', how: 'purged' }])
})

test('an act with many changes is undone by a job alone, and one with too many not at all', async (t) => {
  const { act, undo, list, tree } = await start(t, { services: { history: { limits: { atOnce: 3, deeds: 6 } } } })
  const drop = act()
  for (const name of ['1', '2', '3', '4']) await drop.upload(`/${name}`, name)
  const [many] = await list()
  assert.deepEqual([many?.why, many?.mayUndo, many?.byJob], [undefined, true, true])
  assert.equal((await undo()).status, 409)
  for (const name of ['5', '6', '7']) await drop.upload(`/${name}`, name)
  const [done] = await list()
  assert.deepEqual([done?.why, done?.count, done?.mayUndo], ['tooMany', 7, false])
  assert.equal(Object.keys(await tree()).length, 5 + 7)
})

test('the last acts of a time are kept, beside the state and with their person', async (t) => {
  const { app, act, list, id } = await start(t, { options: { historyActs: 3, historyDays: 1, tokenLifetime: 30 * 86_400 } })
  for (const name of ['1', '2', '3', '4', '5']) await act().upload(`/${name}`, name)
  assert.deepEqual(
    (await list()).map(({ names }) => names[0]),
    ['5', '4', '3'],
  )
  app.clock.advance({ milliseconds: 20 * 3600_000 })
  await act().upload('/6', '6')
  app.clock.advance({ milliseconds: 5 * 3600_000 })
  assert.deepEqual(
    (await list()).map(({ names }) => names[0]),
    ['6'],
  )
  const log = join(app.folder, `state.json.history/${id()}.log`)
  assert.match(readFileSync(log, 'utf8'), /"\/6"/)
  await app.parts.accounts.remove(id())
  await until(() => !existsSync(log), 'the log is removed')
})

test('a job is one act when it was started with one', async (t) => {
  const { app, ann, act, undo, list, tree } = await start(t)
  const before = await tree()
  const asked = { kind: 'move', entries: ['/a.txt', '/d'], to: '/e' }
  await jobCalls(act()).start(asked)
  const [done] = await list()
  assert.deepEqual([done?.kind, done?.count, done?.names.toSorted()], ['move', 2, ['a.txt', 'd']])
  assert.deepEqual((await undo()).undone.left, [])
  assert.deepEqual(await tree(), before)
  await jobCalls(ann).start({ ...asked, to: '/e' })
  assert.equal((await list()).length, 1)
  assert.ok(existsSync(at(app.root, 'e/a.txt')))
})

test('saves that follow each other are one change, which leads to the content before the first', async (t) => {
  const { act, undo, redo, list, tree } = await start(t)
  for (const text of ['1', '2', '3']) await act().save('/a.txt', text)
  assert.deepEqual(
    (await list()).map(({ kind, count }) => [kind, count]),
    [['save', 1]],
  )
  await undo()
  assert.deepEqual(await tree(), files)
  await redo()
  assert.deepEqual(await tree(), { ...files, 'a.txt': '3' })
  await act().save('/a.txt', '4')
  await act().move('/b.txt', '/c.txt')
  await act().save('/a.txt', '5')
  assert.equal((await list()).length, 4)
  await undo()
  assert.equal((await tree())['a.txt'], '4')
})

test('a version that was put back in the act that had replaced it is found when both are undone', async (t) => {
  const { ann, act, undo, redo, tree } = await start(t)
  const both = act()
  await both.save('/a.txt', 'other')
  const [item] = ((await (await ann.ask('GET', '/api/trash')).json()) as TrashList).items
  await both.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [item?.id], taken: 'replace' }) })
  assert.deepEqual(await tree(), files)
  assert.deepEqual((await undo()).undone.left, [])
  assert.deepEqual(await tree(), files)
  assert.deepEqual((await redo()).undone.left, [])
  assert.deepEqual(await tree(), files)
})

test('what goes on while its act is undone belongs to another act, and can be undone too', async (t) => {
  const { act, list, undo, tree } = await start(t)
  const before = await tree()
  const drop = act('a-long-drop')
  const send = async (from: number) => {
    for (let number = from; number < from + 20; number++) await drop.upload(`/n/${number}`, 'x')
  }
  const sending = Promise.all([send(0), send(20)])
  await until(async () => (await list()).length > 0, 'the first files are there')
  assert.equal((await undo()).status, 200)
  await sending
  for (const { id, mayUndo } of await list()) if (mayUndo) assert.deepEqual((await undo(id)).undone.left, [])
  // The folder, which was made by the act that was undone first, held something then.
  const { 'n/': _, ...after } = await tree()
  assert.deepEqual(after, before)
})
