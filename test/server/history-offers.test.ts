// What the history offers: only what can be undone, in every page of the person, also after it was undone and done again.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../src-server/base/clock.ts'
import type { TrashList } from '../../src-server/contract/trash.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { historyCalls } from '../support/history-calls.ts'
import { openLive } from '../support/live-client.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { itemsOf, restore } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, { files: { 'a.txt': 'A', 'b.txt': 'B', 'd/x': 'X' }, users: { ann: {}, bob: {} }, ...setup })
  const ann = await app.as('ann')
  const tree = async () => {
    const found = await harvest(app.root)
    return Object.fromEntries(Object.entries(found).filter(([path]) => !path.startsWith('.holdall-trash')))
  }
  return { app, ann, tree, ...historyCalls(app.url, ann) }
}

test('what one act deleted and put back is there after it was undone and done again, and again', async (t) => {
  const { ann, act, undo, redo, tree } = await start(t)
  const before = await tree()
  const steps = act()
  await steps.remove('/a.txt')
  const [item] = ((await (await ann.ask('GET', '/api/trash')).json()) as TrashList).items
  await steps.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [item?.id] }) })
  for (let round = 0; round < 2; round++) {
    assert.deepEqual((await undo()).undone.left, [])
    assert.deepEqual(await tree(), before)
    assert.deepEqual((await redo()).undone.left, [])
    assert.deepEqual(await tree(), before)
  }
})

test('an earlier version that was restored under another name is that version again after an undo', async (t) => {
  const { ann, act, undo, redo, tree } = await start(t)
  await act().upload('/a.txt', 'new', 'override=true')
  const [version] = await itemsOf(ann)
  const was = async () => (await itemsOf(ann)).map(({ id, path, name, why, size }) => [id, path, name, why, size])
  const before = await was()
  assert.deepEqual(before, [[version?.id, '/a.txt', 'a.txt', 'replace', 1]])
  await restore(act(), [version?.id ?? ''], 'number')
  for (let round = 0; round < 2; round++) {
    assert.deepEqual((await undo()).undone.left, [])
    assert.deepEqual([await was(), (await tree())['a.txt']], [before, 'new'])
    assert.deepEqual((await redo()).undone.left, [])
    assert.deepEqual([await was(), (await tree())['a(1).txt']], [[], 'A'])
  }
})

test('where the trash is off by now, what would go into it is not offered to be undone, and says why', async (t) => {
  const { app, act, list } = await start(t)
  await act().upload('/n', '1')
  await act().remove('/b.txt')
  await act().move('/a.txt', '/c.txt')
  await app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, trash: { ...draft.settings.trash, isOn: false } }
  })
  assert.deepEqual(
    (await list()).map(({ why, mayUndo }) => [why, mayUndo]),
    [
      [undefined, true],
      [undefined, true],
      ['noTrash', false],
    ],
  )
})

test('every page of a person is told within a second what its person did and undid, and none of another', async (t) => {
  const { app, ann, act, undo } = await start(t, { services: { clock: systemClock } })
  const [own, other] = [await openLive(app, ann.token), await openLive(app, (await app.as('bob')).token)]
  await act().remove('/a.txt')
  await own.next('acts')
  await undo()
  await own.next('acts')
  assert.deepEqual(
    other.messages.filter(({ kind }) => kind === 'acts'),
    [],
  )
  for (const one of [own, other]) one.close()
})

test('every page of a person is told that an undo was broken off', async (t) => {
  const { app, ann, act, list } = await start(t, { services: { clock: systemClock } })
  const own = await openLive(app, ann.token)
  const both = act()
  for (const name of ['a.txt', 'b.txt']) await both.move(`/${name}`, `/d/${name}`)
  await own.next('acts')
  const moved = Promise.withResolvers<void>()
  let request: AbortSignal | undefined
  app.parts.events.before((_event, signal) => {
    request = signal
  })
  const leaving = new AbortController()
  const { move } = Disk.prototype
  t.mock.method(Disk.prototype, 'move', async function (this: Disk, ...given: Parameters<Disk['move']>) {
    const result = await move.apply(this, given)
    moved.resolve()
    await until(() => request?.aborted === true, 'the server knows that nobody waits')
    return result
  })
  const [{ id } = { id: '' }] = await list()
  const undoing = ann.ask('POST', `/api/history/${id}/undo`, { body: '{}', signal: leaving.signal })
  await moved.promise
  await own.next('acts')
  assert.equal((await list())[0]?.begun, undefined)
  leaving.abort()
  await assert.rejects(undoing)
  await own.next('acts')
  assert.equal((await list())[0]?.begun, 'undo')
  own.close()
})

test('what was put back from the trash goes there again', async (t) => {
  const { ann, act, list, undo, tree } = await start(t)
  await act().remove('/d')
  const without = await tree()
  const [item] = ((await (await ann.ask('GET', '/api/trash')).json()) as TrashList).items
  await act().ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [item?.id] }) })
  const [restored] = await list()
  assert.deepEqual([restored?.kind, restored?.names], ['restore', ['d']])
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await tree(), without)
})
