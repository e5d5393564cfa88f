// How long ago something was for a server whose clock is wrong, is set, or tells nothing while the server is off.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dueAt, isDue } from '../../src-server/base/clock.ts'
import { CountedClock } from '../../src-server/base/counted-clock.ts'
import { Ends } from '../../src-server/base/ends.ts'
import { ClockFile } from '../../src-server/state/clock-file.ts'
import { StoppedClock } from '../support/clock.ts'
import { temporaryFolder } from '../support/tree.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const term = 30 * day
const now = Date.parse('2026-11-21T12:00:00Z')

/** A server and its next starts. */
function server(start = now) {
  const system = new StoppedClock(start)
  let clock = new CountedClock(system)
  return {
    system,
    get clock() {
      return clock
    },
    /** It is off for so long, and starts with the right time, or another one. */
    restart: (off: number, at = system.now() + off) => {
      const runs = clock.runs()
      system.set(at)
      clock = new CountedClock(system, runs)
    },
    /** @returns days of an age, of `term` */
    days: (time: number) => clock.ageOf(time, term) / day,
  }
}

describe('what is due after 30 days', () => {
  test('is so after 30 days on a server that is on, or off at night and over the weekend', () => {
    const one = server()
    for (let number = 0; number < 10; number++) {
      one.system.advance({ hours: 12 })
      one.restart((number % 5 === 4 ? 60 : 12) * hour)
    }
    assert.equal(one.days(now), 14)
    assert.equal(dueAt(one.clock, now, term), now + term)
    assert.equal(dueAt(one.clock, now + 3 * day + 3, term), now + 3 * day + 3 + term)
    one.system.advance({ days: 16 })
    assert.deepEqual([isDue(one.clock, now, term), isDue(one.clock, now + 1, term)], [true, false])
  })

  test('is so at the tenth start at the latest on a server that is hardly ever on', () => {
    const one = server()
    for (let starts = 1; starts <= 10; starts++) {
      assert.equal(isDue(one.clock, now, term), false, `${starts}`)
      one.system.advance({ minutes: 20 })
      one.restart(90 * day)
    }
    assert.equal(isDue(one.clock, now, term), true)
  })

  test('is not so because a clock was in 1970 until the network set it, at each of many starts', () => {
    const one = server(10_000)
    one.system.advance({ minutes: 2 })
    const first = one.system.now()
    one.system.set(now)
    const second = one.clock.now() + minute
    one.system.advance({ minutes: 5 })
    for (let starts = 0; starts < 50; starts++) {
      const right = one.system.now() + 2 * minute
      one.restart(0, 10_000)
      one.system.advance({ minutes: 1 })
      one.system.set(right)
      one.clock.now()
      one.system.advance({ minutes: 1 })
    }
    // The 56 years count for a tenth of the term, once: the server may have been off for as long.
    assert.ok(one.days(first) < 3.2, `${one.days(first)}`)
    assert.ok(one.days(second) < 0.2, `${one.days(second)}`)
    one.system.advance({ days: 30 })
    assert.deepEqual([isDue(one.clock, first, term), isDue(one.clock, second, term)], [true, true])
  })

  test('is not so because a clock was years ahead, neither what was then, and is so later', () => {
    const one = server()
    one.system.advance({ hours: 1 })
    one.restart(minute, now + 4000 * day)
    const [before, ahead] = [now + minute, one.system.now() + minute]
    one.system.advance({ minutes: 30 })
    one.system.set(now + 2 * hour)
    assert.deepEqual([isDue(one.clock, before, term), isDue(one.clock, ahead, term)], [false, false])
    one.system.advance({ days: 2 })
    one.restart(2 * day)
    assert.ok(Math.abs(one.days(ahead) - 4) < 0.1, `${one.days(ahead)}`)
    assert.ok(Math.abs(one.days(before) - 7) < 0.2, `${one.days(before)}`)
    one.system.advance({ days: 27 })
    assert.deepEqual([isDue(one.clock, before, term), isDue(one.clock, ahead, term)], [true, true])
  })

  test('is counted from the first start where nothing is known from before', () => {
    const one = server()
    one.system.advance({ days: 29 })
    assert.equal(one.days(now - 1000 * day), 29)
  })

  test('is so also of what an end of the server has left between two runs, and after very many runs', () => {
    const one = server()
    const [runs, late] = [one.clock.runs(), now + 20 * minute]
    one.system.advance({ minutes: 30 })
    one.system.advance({ days: 2 })
    const next = new CountedClock(one.system, runs)
    assert.ok(Math.abs(next.ageOf(late, term) - 2 * day) <= hour)
    for (let starts = 0; starts < 1500; starts++) one.restart(2 * hour)
    assert.ok(one.clock.runs().length <= 1000)
    assert.ok(Math.abs(one.days(now) - 127) < 0.1, `${one.days(now)}`)
  })
})

test('what is to end after a term is not ended because the clock was set', () => {
  const system = new StoppedClock(now)
  const ends = new Ends(new CountedClock(system))
  let ended = 0
  ends.setAfter('job', now, { term: 7 * day, work: () => ended++ })
  system.set(now + 400 * day)
  for (let days = 0; days < 6; days++) system.advance({ days: 1 })
  assert.equal(ended, 0)
  for (let hours = 0; hours < 30; hours++) system.advance({ hours: 1 })
  assert.equal(ended, 1)
})

test('the next start knows of the clock what this one did', async (t) => {
  const stateFile = join(await temporaryFolder(t), 'state.json')
  const system = new StoppedClock(0)
  const errors: unknown[] = []
  const open = () => new ClockFile({ stateFile, clock: system, report: (error) => void errors.push(error) })
  const first = open()
  first.start()
  system.advance({ hours: 1 })
  await first.close()
  system.set(now)
  const second = open()
  assert.deepEqual([second.clock.ageOf(0, 10 * day), errors], [hour + day, []])
  await second.close()
  writeFileSync(`${stateFile}.clock`, '[[1,"x"],null]')
  assert.equal(open().clock.ageOf(0, term), 0)
})
