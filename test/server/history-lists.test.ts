// The list of what a person did, where there is much of it: made in pauses, and only of what has to be looked at.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { WhyNot } from '../../src-server/contract/history.ts'
import type { OwnDeeds } from '../../src-server/files/own-deeds.ts'
import { History } from '../../src-server/history/history.ts'
import { OwnHistory } from '../../src-server/history/own-history.ts'
import type { ActHead, Deed, DeedLine, HistoryStore } from '../../src-server/state/history-store.ts'

const kept = {
  kind: 'upload',
  state: 'done',
  chosen: 1,
  folder: '/',
  startedAt: 1,
  changedAt: 1,
  isOpen: false,
  turns: 0,
} as const

/** Some acts with as many changes each, of which a short reading has the first 20. */
function startWith({ acts, deeds, whyNot }: { acts: number; deeds: number; whyNot(deed: Deed): WhyNot | undefined }) {
  const heads = Array.from({ length: acts }, (_, number): ActHead => {
    return { ...kept, id: `h${number}`, key: `k${number}`, userId: 1, number, names: [], deeds }
  })
  const lineOf = (id: string, deed: number): DeedLine => {
    const trace = { identity: '1', version: '1' }
    return { deed, is: { what: 'entry', at: `/${id}/${deed}`, isDir: false, trace } }
  }
  const store = {
    heads: async () => heads,
    deeds: async (_: number, ids: readonly string[], isShort = false) => {
      const length = isShort ? Math.min(deeds, 20) : deeds
      return new Map(ids.map((id) => [id, Array.from({ length }, (__, deed) => lineOf(id, deed))]))
    },
  } satisfies Partial<HistoryStore> as unknown as HistoryStore
  const history = new History({ store, clock: { now: () => 2, ageOf: (time) => 2 - time }, report: assert.fail })
  const own = { whyNot, pathOf: (path: string) => path } satisfies Partial<Record<keyof OwnDeeds, unknown>>
  return new OwnHistory({ history, userId: 1, deeds: own as unknown as OwnDeeds })
}

/** Counts what is done between two turns of the event loop. */
function countPerTurn(t: TestContext) {
  const counts = { now: 0, most: 0 }
  let isOver = false
  const turn = () => {
    counts.most = Math.max(counts.most, counts.now)
    counts.now = 0
    if (!isOver) setImmediate(turn)
  }
  turn()
  t.after(() => {
    isOver = true
  })
  const add = () => {
    counts.now += 1
  }
  return { add, most: () => Math.max(counts.most, counts.now) }
}

test('other requests are served while many acts are looked through of which nothing can be undone', async (t) => {
  const perTurn = countPerTurn(t)
  let looked = 0
  // Each look takes a millisecond.
  t.mock.method(performance, 'now', () => looked)
  const whyNot = () => {
    looked += 1
    perTurn.add()
    return 'noTrash' as const
  }
  const list = await startWith({ acts: 100, deeds: 500, whyNot }).list()
  assert.deepEqual(new Set(list.map(({ why }) => why)), new Set(['noTrash']))
  assert.ok(perTurn.most() <= 100, `${perTurn.most()} changes were looked at in one turn of the event loop`)
})

test('no change is looked at after the first that can be undone', async () => {
  let looked = 0
  const whyNot = ({ at }: Deed) => {
    looked += 1
    return at.endsWith('/2') ? undefined : 'forbidden'
  }
  const list = await startWith({ acts: 10, deeds: 30, whyNot }).list()
  assert.deepEqual(new Set(list.map(({ mayUndo }) => mayUndo)), new Set([true]))
  assert.equal(looked, 10 * 3)
})

test('an act of which only the first changes are read is offered, unless what they lack is lacking for all', async () => {
  const seenOf = async (reason: WhyNot) => {
    const [act] = await startWith({ acts: 1, deeds: 600, whyNot: () => reason }).list()
    return [act?.byJob, act?.why, act?.mayUndo]
  }
  for (const reason of ['forbidden', 'outside', 'forGood', 'purged', 'restored'] as const)
    assert.deepEqual(await seenOf(reason), [true, undefined, true], reason)
  assert.deepEqual(await seenOf('noTrash'), [true, 'noTrash', false])
})
