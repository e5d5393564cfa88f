// What a history keeps of what it is told, and of what it could not keep.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { History } from '../../src-server/history/history.ts'
import type { HistoryLimits } from '../../src-server/history/limits.ts'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import { fullSystem } from '../support/full-system.ts'
import { temporaryFolder } from '../support/tree.ts'

/** A history on a disk that can get full. `next`: that of the next start. */
async function start(t: TestContext, limits: Partial<HistoryLimits> = {}) {
  const { system, space } = fullSystem()
  const stateFile = join(await temporaryFolder(t), 'state.json')
  const reported: unknown[] = []
  const next = async () => {
    const store = new HistoryFiles({ stateFile, system })
    const history = new History({ store, clock: { now: () => 1 }, limits, report: (error) => void reported.push(error) })
    await history.open([1])
    return history
  }
  return { space, reported, next, history: await next() }
}

test('an entry that has its first identity again is known by that, also after a restart', async (t) => {
  const { history, next } = await start(t)
  for (const [was, is] of ['ab', 'bc', 'ca'] as const) await history.remade(was ?? '', is ?? '')
  const present = (of: History) => ['a', 'b', 'c'].map((was) => of.presentIdentity(was))
  assert.deepEqual(present(history), ['a', 'a', 'a'])
  await history.close()
  assert.deepEqual(present(await next()), ['a', 'a', 'a'])
})
