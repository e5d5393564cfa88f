// Undos that break off, and histories that go on after a restart.
import assert from 'node:assert/strict'
import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import { chosenIn, type HistoryStore } from '../../src-server/state/history-store.ts'
import { historyCalls } from '../support/history-calls.ts'
import { startApp } from '../support/start-app.ts'
import { harvest, temporaryFolder } from '../support/tree.ts'

const files = { 'a.txt': 'A', 'b.txt': 'B', 'd/x': 'X', 'e/z': 'Z' }

/** Keeps what it gets, until it is told to lose everything from some change of an act on, as a kill does. */
class LosingStore extends HistoryFiles {
  losesAfter = Number.POSITIVE_INFINITY

  override async append(...asked: Parameters<HistoryStore['append']>): Promise<void> {
    if (this.losesAfter-- <= 0) throw new Error('killed')
    await super.append(...asked)
  }

  override async setHead(...asked: Parameters<HistoryStore['setHead']>): Promise<void> {
    if (this.losesAfter < 0) throw new Error('killed')
    await super.setHead(...asked)
  }
}

async function start(t: TestContext) {
  const stateFile = join(await temporaryFolder(t), 'state.json')
  const store = new LosingStore({ stateFile })
  const app = await startApp(t, { files, services: { history: { store } } })
  const tree = async () =>
    Object.fromEntries(Object.entries(await harvest(app.root)).filter(([path]) => !path.startsWith('.holdall-trash')))
  return { app, store, tree, ...historyCalls(app.url, await app.as('ann')) }
}

/** After how many of the five changes it breaks off, or of the nine where the new folder does not go into the trash whole. */
const breaks = {
  whole: { undo: [0, 1, 2, 3, 4], redo: [0, 1, 3, 4] },
  singly: { undo: [0, 1, 2, 3, 4, 5, 6, 7, 8], redo: [1, 4, 7] },
} as const

/** One of each kind of change. @returns what was there before */
async function doAll({ act, tree }: Awaited<ReturnType<typeof start>>, how: keyof typeof breaks = 'singly') {
  const all = act()
  const before = await tree()
  await all.upload('/n/1', '1')
  await all.save('/a.txt', 'other')
  await all.move('/b.txt', '/c.txt')
  await all.move('/d', '/e/d')
  await all.remove('/e/z')
  await all.copy('/a.txt', '/n/2')
  await all.makeFolder('/n/m')
  if (how === 'singly') await all.move('/n/2', '/n/3')
  return before
}

for (const [way, how] of [
  ...[['undo', 'whole'] as const, ['redo', 'whole'] as const],
  ...[['undo', 'singly'] as const, ['redo', 'singly'] as const],
]) {
  test(`a ${way} that breaks off after any change is continued to its end, ${how}`, async (t) => {
    for (const kept of breaks[how][way]) {
      const running = await start(t)
      const before = await doAll(running, how)
      const after = await running.tree()
      if (way === 'redo') assert.deepEqual((await running.undo()).undone.left, [])
      running.store.losesAfter = kept
      assert.equal((await running[way]()).status, 500, `${kept}`)
      running.store.losesAfter = Number.POSITIVE_INFINITY
      const [act] = await running.list()
      assert.deepEqual([act?.begun, act?.mayUndo, act?.mayRedo], [way, way === 'undo', way === 'redo'])
      const { status, undone } = await running[way]()
      assert.deepEqual([status, undone.left, undone.act.begun], [200, [], undefined], `${kept}`)
      assert.deepEqual(await running.tree(), way === 'undo' ? before : after, `${kept}`)
      assert.equal((await running[way === 'undo' ? 'redo' : 'undo']()).status, 200)
      assert.deepEqual(await running.tree(), way === 'undo' ? after : before, `${kept}`)
      await running.app.close()
    }
  })
}

test('an undo whose only change was made before it broke off is offered to be continued', async (t) => {
  const running = await start(t)
  const before = await running.tree()
  await running.act().remove('/a.txt')
  running.store.losesAfter = 0
  assert.equal((await running.undo()).status, 500)
  running.store.losesAfter = Number.POSITIVE_INFINITY
  assert.deepEqual(await running.tree(), before)
  const [act] = await running.list()
  assert.deepEqual([act?.begun, act?.mayUndo, act?.why], ['undo', true, undefined])
  const { status, undone } = await running.undo()
  assert.deepEqual([status, undone.left, undone.act.state, undone.act.begun], [200, [], 'undone', undefined])
})

for (const way of ['undo', 'redo'] as const) {
  test(`the ${way} of a move that breaks off while the file has both names is continued to its end`, async (t) => {
    const running = await start(t)
    const { app, store, act, tree } = running
    const before = await tree()
    await act().move('/b.txt', '/c.txt')
    const after = await tree()
    if (way === 'redo') assert.equal((await running.undo()).status, 200)
    store.losesAfter = 0
    assert.equal((await running[way]()).status, 500)
    store.losesAfter = Number.POSITIVE_INFINITY
    const [given, lost] = way === 'undo' ? ['b.txt', 'c.txt'] : ['c.txt', 'b.txt']
    linkSync(join(app.root, given), join(app.root, lost))
    assert.deepEqual((await running[way]()).undone.left, [])
    assert.deepEqual(await tree(), way === 'undo' ? before : after)
  })
}

test('an undo that breaks off goes on around what others have changed meanwhile', async (t) => {
  const running = await start(t)
  await doAll(running)
  running.store.losesAfter = 2
  assert.equal((await running.undo()).status, 500)
  running.store.losesAfter = Number.POSITIVE_INFINITY
  writeFileSync(join(running.app.root, 'a.txt'), 'of another')
  const { undone } = await running.undo(undefined, { rest: true })
  assert.deepEqual([undone.left, undone.act.state], [[{ path: '/a.txt', how: 'changed' }], 'partly'])
  assert.deepEqual(await running.tree(), { ...files, 'a.txt': 'of another' })
})

test('what cannot be kept stands all the same, and is not offered', async (t) => {
  const running = await start(t)
  running.store.losesAfter = 0
  assert.equal((await running.act().upload('/n', 'N')).status, 200)
  running.store.losesAfter = Number.POSITIVE_INFINITY
  assert.deepEqual([(await running.list()).filter(({ mayUndo }) => mayUndo), (await running.tree()).n], [[], 'N'])
})

test('what was undone and done again still says which entries were chosen', async (t) => {
  const store = new HistoryFiles({ stateFile: join(await temporaryFolder(t), 'state.json') })
  const app = await startApp(t, { files: { a: 'A', 'd/b': 'B' }, services: { history: { store } } })
  const { act, undo, redo } = historyCalls(app.url, await app.as('ann'))
  const all = act()
  await all.move('/a', '/d/a')
  await all.remove('/d/b')
  const chosen = async () => {
    const [head] = await store.heads(1)
    const lines = (await store.deeds(1, [head?.id ?? ''])).get(head?.id ?? '') ?? []
    return lines.map((line) => chosenIn(line))
  }
  assert.deepEqual(await chosen(), ['/d/a', '/d/b'])
  for (const flip of [undo, redo]) {
    assert.equal((await flip()).status, 200)
    assert.deepEqual(await chosen(), ['/d/a', '/d/b'])
  }
})
