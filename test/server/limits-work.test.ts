// How much work of one kind runs at once, of one user and of all.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Yielding } from '../../src-server/api/giving-way.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { Operation } from '../../src-server/base/operation.ts'
import type { LimitedKind } from '../../src-server/contract/endpoint.ts'

describe('work of one kind', () => {
  const limits = () => new Limits({ listings: { inAll: 3, ofOne: 2 } })
  /** Enters work of a user; it ends with `operation`, and `begun` is true once it may run. */
  const enter = (
    to: Limits,
    person: number,
    { kind = 'listings' as LimitedKind, weight = 1, yielding = undefined as Yielding | undefined } = {},
  ) => {
    const operation = new Operation()
    const work = { operation, begun: false, entered: Promise.resolve() }
    work.entered = to.enter(kind, person, operation, { weight, yielding }).then(() => {
      work.begun = true
    })
    return work
  }
  type Entering = ReturnType<typeof enter>
  const settled = () => new Promise(setImmediate)

  test('waits when one user has enough running, and lets others pass', async () => {
    const all = limits()
    const works = [1, 1, 1, 2].map((person) => enter(all, person))
    await settled()
    assert.deepEqual(
      works.map(({ begun }) => begun),
      [true, true, false, true],
    )
    await works[0]?.operation.end()
    await settled()
    assert.equal(works[2]?.begun, true)
  })

  test('waits when enough is running in total, and begins in the order of arrival', async () => {
    const all = limits()
    const works = [1, 2, 3, 4, 5].map((person) => enter(all, person))
    await works[1]?.operation.end()
    await settled()
    assert.deepEqual(
      works.map(({ begun }) => begun),
      [true, true, true, true, false],
    )
  })

  test('of whoever has least running begins next, however many of others wait longer', async () => {
    const all = limits()
    const works = [1, 1, 2, 1, 1, 2, 2, 3].map((person) => enter(all, person))
    const [first, , , , , , , newcomer] = works
    await settled()
    await first?.operation.end()
    await settled()
    assert.equal(newcomer?.begun, true)
    assert.equal(works.filter(({ begun }) => begun).length, 4)
  })

  test('that is aborted while it waits is not begun, and does not count', async () => {
    const all = limits()
    const [first, , waiting, last] = [1, 1, 1, 1].map((person) => enter(all, person))
    const reason = new Error('gone')
    waiting?.operation.abort(reason)
    await assert.rejects(waiting?.entered ?? Promise.resolve(), reason)
    await first?.operation.end()
    await last?.entered
    assert.equal(waiting?.begun, false)
  })

  test('is refused with a time to retry when one user has too much waiting, and others are not', async () => {
    const all = limits()
    const works = Array.from({ length: 2 + 256 }, () => enter(all, 1))
    await assert.rejects(enter(all, 1).entered, { code: 'busy', retryAfter: 2 })
    const [other, next] = [enter(all, 2), enter(all, 2)]
    await other.entered
    await other.operation.end()
    await next.entered
    for (const { operation, entered } of works) {
      operation.abort(new Error('gone'))
      await entered.catch(() => {})
    }
  })

  test('counts by its weight, and what exceeds the limit of one user runs alone', async () => {
    const all = new Limits({ answers: { inAll: 300, ofOne: 200 } })
    const weights = [
      [1, 150],
      [1, 100],
      [1, 10],
      [2, 500],
      [2, 100],
    ] as const
    const works = weights.map(([person, weight]) => enter(all, person, { kind: 'answers', weight }))
    const begun = () => works.map((work) => work.begun)
    await settled()
    // The third would fit, and does not pass the second of the same person; the fourth counts 200 and would make 350.
    assert.deepEqual(begun(), [true, false, false, false, false])
    await works[0]?.operation.end()
    await settled()
    // The fourth is of somebody who has less running than the person of the third.
    assert.deepEqual(begun(), [true, true, false, true, false])
    await works[1]?.operation.end()
    await settled()
    assert.deepEqual(begun(), [true, true, true, true, false])
    await works[3]?.operation.end()
    await settled()
    assert.deepEqual(begun(), [true, true, true, true, true])
  })

  test('counts no longer when its client has left, though it has not ended', async () => {
    const all = limits()
    const works = [1, 1].map((person) => enter(all, person))
    await Promise.all(works.map(({ entered }) => entered))
    const next = enter(all, 1)
    works[0]?.operation.abort(new Error('gone'))
    await next.entered
    const last = enter(all, 1)
    await works[0]?.operation.end()
    await settled()
    assert.equal(last.begun, false)
    await next.operation.end()
    await last.entered
  })

  test('counts until its end when sixteen others of the same user have been left', async () => {
    const all = limits()
    for (let round = 0; round < 16; round++) {
      const left = enter(all, 1)
      await left.entered
      left.operation.abort(new Error('gone'))
    }
    const [one, two, waiting] = [1, 1, 1].map((person) => enter(all, person))
    for (const work of [one, two]) {
      await work?.entered
      work?.operation.abort(new Error('gone'))
    }
    await settled()
    assert.equal(waiting?.begun, false)
    await one?.operation.end()
    await waiting?.entered
  })

  test('that takes long counts apart, so that others begin', async () => {
    const late = { after: 1, inAll: 1, ofOne: 1 }
    const all = new Limits({ listings: { inAll: 1, ofOne: 1, late } })
    const works = [1, 2, 3].map((person) => enter(all, person))
    await works[1]?.entered
    await settled()
    assert.equal(works[2]?.begun, false)
    await works[0]?.operation.end()
    await works[2]?.entered
  })

  test('that waits for a processor or its client keeps its place, and what waits for its disk does not', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const waiting = new Set<AbortSignal>()
    const all = new Limits({}, (signal) => waiting.has(signal))
    for (const kind of ['listings', 'linkListings'] as const) {
      const [first, second, third] = [1, 1, 1].map((person) => enter(all, person, { kind }))
      await settled()
      t.mock.timers.tick(9000)
      await settled()
      assert.deepEqual([first?.begun, second?.begun, third?.begun], [true, true, false], kind)
      waiting.add((first as Entering).operation.signal)
      t.mock.timers.tick(500)
      await settled()
      assert.equal(third?.begun, true, kind)
    }
  })

  test('gives way when it is slow and others find no place: the slowest of whoever holds most', async () => {
    const all = new Limits({ bodies: { inAll: 6, ofOne: 4 } })
    const ended: string[] = []
    const slow = (name: string, slowness: number | undefined) => {
      const yielding = { slowness: () => slowness, end: () => ended.push(name) }
      return { kind: 'bodies' as const, yielding }
    }
    enter(all, 1, slow('a little slow', 1))
    enter(all, 1, slow('slow', 2))
    enter(all, 1, slow('fast', undefined))
    enter(all, 2, slow('of somebody with fewer', 9))
    enter(all, 2, slow('of somebody with fewer', 9))
    enter(all, 3, slow('the only one of somebody', 9))
    await settled()
    const next = enter(all, 4, slow('', undefined))
    await next.entered
    assert.deepEqual(ended, ['slow'])
    await enter(all, 5, slow('', undefined)).entered
    assert.deepEqual(ended, ['slow', 'of somebody with fewer'])
    const third = enter(all, 4, slow('', undefined))
    await settled()
    assert.equal(third.begun, false, 'nobody who is slow holds more than that person would')
    assert.equal(ended.length, 2)
  })

  test('of somebody who has as many places as one may have gives way to own work alone', async () => {
    const all = new Limits({ bodies: { inAll: 6, ofOne: 2 } })
    const ended: string[] = []
    const slow = (name: string) => ({ kind: 'bodies' as const, yielding: { slowness: () => 1, end: () => ended.push(name) } })
    for (const name of ['other', 'other']) enter(all, 1, slow(name))
    for (const name of ['own', 'own']) enter(all, 2, slow(name))
    await settled()
    await enter(all, 2, slow('')).entered
    assert.deepEqual(ended, ['own'])
  })

  test('that becomes slow while others wait gives way within a second', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const all = new Limits({ bodies: { inAll: 1, ofOne: 1 } })
    let slowness: number | undefined
    enter(all, 1, { kind: 'bodies', yielding: { slowness: () => slowness, end: () => {} } })
    const next = enter(all, 2, { kind: 'bodies' })
    await settled()
    t.mock.timers.tick(1000)
    await settled()
    assert.equal(next.begun, false)
    slowness = 1
    t.mock.timers.tick(1000)
    await settled()
    assert.equal(next.begun, true)
  })

  test('of bodies has 256 places, 32 of one user, and what has not begun in ten seconds is refused', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const all = new Limits()
    const works = Array.from({ length: 34 * 8 }, (_, index) => enter(all, Math.floor(index / 34), { kind: 'bodies' }))
    await settled()
    assert.equal(works.filter(({ begun }) => begun).length, 256)
    const refusals = Promise.allSettled(works.map(({ entered }) => entered))
    t.mock.timers.tick(10_000)
    const refused = (await refusals).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    assert.equal(refused.length, 16)
    for (const { code, retryAfter } of refused) assert.deepEqual([code, retryAfter], ['busy', 2])
  })

  test('that changes files is never refused: of one user six run at once, of all twenty-four', async () => {
    const all = new Limits()
    const works = Array.from({ length: 1000 }, (_, index) => enter(all, index % 5, { kind: 'changes' }))
    await settled()
    const begun = works.flatMap((work, index) => (work.begun ? [index % 5] : []))
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((person) => begun.filter((of) => of === person).length),
      [5, 5, 5, 5, 4],
    )
    for (const work of works) {
      await work.entered
      await work.operation.end()
    }
  })

  test('counts no longer when it is released before the end of the operation', async () => {
    const all = limits()
    const operation = new Operation()
    const entered = await all.enter('listings', 1, operation)
    await all.enter('listings', 1, operation)
    const waiting = enter(all, 1)
    await operation.release(entered)
    await waiting.entered
    const last = enter(all, 1)
    await operation.end()
    await last.entered
  })
})
