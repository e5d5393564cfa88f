// What a history keeps of what it is told, and of what it could not keep.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import type { ChosenEntry } from '../../src-server/files/deeds.ts'
import { History } from '../../src-server/history/history.ts'
import type { HistoryLimits } from '../../src-server/history/limits.ts'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import { fullSystem } from '../support/full-system.ts'
import { temporaryFolder } from '../support/tree.ts'

/** A history on a disk that can get full. `next`: that of the next start. */
async function start(t: TestContext, limits: Partial<HistoryLimits> = {}, now = () => 1) {
  const { system, space } = fullSystem()
  const stateFile = join(await temporaryFolder(t), 'state.json')
  const reported: unknown[] = []
  const next = async () => {
    const store = new HistoryFiles({ stateFile, system })
    const history = new History({
      store,
      clock: { now, ageOf: (time) => now() - time },
      limits,
      report: (error) => void reported.push(error),
    })
    await history.open([1])
    return history
  }
  return { space, reported, next, history: await next() }
}

/** Notes that a file was made. @returns that file */
function note(history: History, actKey: string, name: string, way: ChosenEntry['way']): ChosenEntry {
  const at = parsePath(`/${name}`)
  const chosen: ChosenEntry = { userId: 1, actKey, way, kind: 'upload', path: at }
  history.note(chosen, { what: 'entry', at, isDir: false, trace: { identity: '', version: 'v' } })
  return chosen
}

/** The same, and waits until that is kept. */
async function make(history: History, actKey: string, name: string, way: ChosenEntry['way'] = 'page') {
  await history.kept(note(history, actKey, name, way))
}

test('notes of a job are gathered for a moment, but not while somebody waits for them', async (t) => {
  const { history } = await start(t)
  const was = HistoryFiles.prototype.append
  const begun = Promise.withResolvers<void>()
  const append = t.mock.method(HistoryFiles.prototype, 'append', function (this: HistoryFiles, ...asked: Parameters<typeof was>) {
    begun.resolve()
    return was.apply(this, asked)
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  for (const name of ['1', '2', '3']) {
    note(history, 'job', name, 'job')
    await turn()
  }
  assert.equal(append.mock.callCount(), 0)
  t.mock.timers.tick(5)
  await begun.promise
  assert.deepEqual(
    append.mock.calls.map(({ arguments: [, lines] }) => lines.length),
    [3],
  )
  note(history, 'job', '4', 'job')
  await make(history, 'job', '5', 'job')
  assert.equal(append.mock.callCount(), 2)
  note(history, 'job', '6', 'job')
  await history.close()
  assert.equal(append.mock.callCount(), 3)
})

test('an entry that has its first identity again is known by that, also after a restart', async (t) => {
  const { history, next } = await start(t)
  for (const [was, is] of ['ab', 'bc', 'ca'] as const) await history.remade(was ?? '', is ?? '')
  const present = (of: History) => ['a', 'b', 'c'].map((was) => of.presentIdentity(was))
  assert.deepEqual(present(history), ['a', 'a', 'a'])
  await history.close()
  assert.deepEqual(present(await next()), ['a', 'a', 'a'])
})

test('the act of a job that is not over stays whole, whatever its person does meanwhile', async (t) => {
  const { history } = await start(t, { acts: 3 })
  let isOver = false
  const jobs = { isAtWork: () => false, isOver: (_: number, key: string) => isOver || key !== 'job', holdRetries: () => () => {} }
  history.setJobs({ ...jobs, endResting: async () => true })
  await make(history, 'job', '1', 'job')
  for (const name of ['a', 'b', 'c', 'd']) await make(history, name, name)
  await make(history, 'job', '2', 'job')
  const kept = async () => (await history.acts(1)).map(({ key, deeds }) => [key, deeds])
  assert.deepEqual(await kept(), [
    ['d', 1],
    ['c', 1],
    ['b', 1],
    ['job', 2],
  ])
  isOver = true
  await make(history, 'e', 'e')
  assert.deepEqual(
    (await kept()).map(([key]) => key),
    ['e', 'd', 'c'],
  )
})

test('that an entry is another one by now is remembered on a full disk too, and the error says that it is full', async (t) => {
  const { history, space } = await start(t)
  space.isFull = true
  await assert.rejects(history.remade('a', 'b'), { code: 'full' })
  assert.equal(history.presentIdentity('a'), 'b')
})

for (const [what, keepMark] of [
  ['another change', (history: History) => make(history, 'other', 'other')],
  ['a look at the list', async (history: History) => void (await history.acts(1))],
  ['the end of the server', (history: History) => history.close()],
] as const) {
  for (const isFirst of [false, true]) {
    const lost = isFirst ? 'the first change' : 'a change'
    // Nothing else goes on with an act after a restart that has not begun.
    const way = isFirst ? 'job' : 'page'
    test(`that ${lost} of an act was not kept is kept with ${what}, for the next start`, async (t) => {
      const { history, space, next, reported } = await start(t)
      if (!isFirst) await make(history, 'act', '1')
      space.isFull = true
      await make(history, 'act', '2', way)
      assert.equal(reported.length > 0, true)
      space.isFull = false
      await keepMark(history)
      // What is at work for the list ends before this, and what is killed writes nothing.
      await history.acts(1)
      const later = await next()
      const before = await later.acts(1)
      assert.equal(before.filter((head) => later.isIncomplete(head)).length, isFirst ? 0 : 1)
      await make(later, 'act', '3', way)
      const acts = await later.acts(1)
      assert.deepEqual(
        acts.filter(({ key }) => key === 'act').map((head) => later.isIncomplete(head)),
        [true],
      )
    })
  }
}

test('acts that were lost on a full disk take the place of no others', async (t) => {
  const { history, space } = await start(t, { acts: 5 })
  for (const name of ['1', '2', '3']) await make(history, name, name)
  space.isFull = true
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await make(history, name, name)
  space.isFull = false
  await make(history, '4', '4')
  const keys = (await history.acts(1)).map(({ key }) => key)
  assert.deepEqual(keys, ['4', '3', '2', '1'])
})

test('what is half undone can be continued also when it has become old', async (t) => {
  let time = 1
  const { history } = await start(t, { age: 1000 }, () => time)
  await make(history, 'a', '1')
  const [head] = await history.acts(1)
  assert.ok(head)
  await history.setHead({ ...head, begun: 'undo' }, true)
  time += 2000
  assert.deepEqual(
    (await history.acts(1)).map(({ id }) => id),
    [head.id],
  )
  await history.setHead({ ...head, state: 'undone' }, true)
  assert.deepEqual(await history.acts(1), [])
  await history.close()
})
