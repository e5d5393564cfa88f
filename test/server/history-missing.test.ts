// Undo of what another program has removed since: nothing is changed, and the answer says so.
import assert from 'node:assert/strict'
import { globSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { historyCalls } from '../support/history-calls.ts'
import { startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

const files = { 'a.txt': 'A', 'd/e/': '', 'd/g/': '' }

async function start(t: TestContext) {
  const app = await startApp(t, { files, users: { ann: {} } })
  const remove = (path: string) => rmSync(join(app.root, path), { recursive: true })
  const ann = await app.as('ann')
  const trash = async () => ((await (await ann.ask('GET', '/api/trash')).json()) as { items: { id: string }[] }).items
  return { app, ann, remove, trash, ...historyCalls(app.url, ann) }
}

const cases: [what: string, change: (calls: PrincipalCalls) => Promise<unknown>, gone: string, left: [string, string][]][] = [
  ['a new folder', (calls) => calls.makeFolder('/n'), 'n', [['/n', 'missing']]],
  ['a new folder in new folders', (calls) => calls.makeFolder('/n/m/o'), 'n', [['/n/m/o', 'missing']]],
  [
    'a copy of empty folders',
    (calls) => calls.copy('/d', '/n'),
    'n',
    [
      ['/n/e', 'missing'],
      ['/n/g', 'missing'],
    ],
  ],
  ['a file in a new folder', (calls) => calls.upload('/n/1', '1'), 'n', [['/n/1', 'missing']]],
  ['a deleted file', (calls) => calls.remove('/a.txt'), '.holdall-trash', [['/a.txt', 'purged']]],
]
for (const [what, change, gone, left] of cases) {
  test(`the undo of ${what} that another program has removed is refused, and is not said to be done`, async (t) => {
    const { app, act, undo, list, remove } = await start(t)
    await change(act())
    remove(gone)
    const before = await harvest(app.root)
    for (const rest of [false, true]) {
      const { status, undone } = await undo(undefined, { rest })
      const told = undone.left.map(({ path, how }): [string, string] => [path, how]).toSorted()
      assert.deepEqual([status, undone.done], [409, 0])
      if (!rest) assert.deepEqual(told, left)
      assert.equal((await list())[0]?.state, 'done')
    }
    assert.deepEqual(await harvest(app.root), before)
  })
}

test('the undo of folders alone counts them, and names the one in which another has put something', async (t) => {
  const { app, act, undo, redo } = await start(t)
  await act().makeFolder('/n/m/o')
  const first = await undo()
  assert.deepEqual([first.status, first.undone.done, first.undone.act.state], [200, 3, 'undone'])
  assert.equal((await redo()).undone.done, 3)
  writeFileSync(join(app.root, 'n/of-another'), '')
  const second = await undo()
  assert.deepEqual(
    [second.status, second.undone.done, second.undone.left, second.undone.act.state],
    [200, 2, [{ path: '/n', how: 'notEmpty' }], 'partly'],
  )
  await act().makeFolder('/p/q')
  writeFileSync(join(app.root, 'p/q/of-another'), '')
  const third = await undo()
  assert.deepEqual([third.status, third.undone.left], [409, [{ path: '/p/q', how: 'notEmpty' }]])
})

test('what somebody has put back from the trash is said to be there again', async (t) => {
  const { ann, act, undo, list, trash } = await start(t)
  await act().remove('/a.txt')
  const [item] = await trash()
  await ann.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [item?.id] }) })
  const shown = async () => (await list()).map(({ why, mayUndo }) => [why, mayUndo])
  assert.deepEqual(await shown(), [['restored', false]])
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.left], [409, [{ path: '/a.txt', how: 'restored' }]])
})

test('what another program has put back from the trash is said to be there again', async (t) => {
  const { app, act, undo, list, trash } = await start(t)
  await act().remove('/a.txt')
  const [file = ''] = globSync('.holdall-trash/*/files/*', { cwd: app.root })
  renameSync(join(app.root, file), join(app.root, 'a.txt'))
  rmSync(join(app.root, `${file.replace('/files/', '/info/')}.trashinfo`))
  assert.deepEqual(await trash(), [])
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.left], [409, [{ path: '/a.txt', how: 'restored' }]])
  assert.equal((await list())[0]?.why, 'restored')
})
