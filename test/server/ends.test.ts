import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ends } from '../../src-server/base/ends.ts'
import { StoppedClock } from '../support/clock.ts'

test('many ends are one timer, and no end is none', () => {
  const clock = new StoppedClock()
  const ends = new Ends(clock)
  const ended: number[] = []
  for (let second = 1; second <= 100; second++) ends.set(second, clock.now() + second * 1000, () => ended.push(second))
  assert.equal(clock.waiting, 1)
  clock.advance({ seconds: 3 })
  assert.deepEqual(ended, [1, 2, 3])
  assert.equal(clock.waiting, 1)
  for (let second = 1; second <= 100; second++) ends.delete(second)
  assert.equal(clock.waiting, 0)
})

test('an end that is put off comes later, and one that is earlier comes first', () => {
  const clock = new StoppedClock()
  const ends = new Ends(clock)
  const ended: string[] = []
  const set = (key: string, seconds: number) => ends.set(key, clock.now() + seconds * 1000, () => ended.push(key))
  set('a', 10)
  set('b', 5)
  set('a', 20)
  clock.advance({ seconds: 15 })
  assert.deepEqual(ended, ['b'])
  clock.advance({ seconds: 5 })
  assert.deepEqual(ended, ['b', 'a'])
})

test('a clock that was set forward is noticed within a minute, one that was set back ends nothing early', () => {
  const clock = new StoppedClock()
  const ends = new Ends(clock)
  const ended: string[] = []
  ends.set('a', clock.now() + 3600_000, () => ended.push('a'))
  clock.set(clock.now() - 3600_000)
  clock.advance({ minutes: 61 })
  assert.deepEqual(ended, [])
  clock.set(clock.now() + 7200_000)
  clock.advance({ minutes: 1 })
  assert.deepEqual(ended, ['a'])
})

test('what ends may set another end', () => {
  const clock = new StoppedClock()
  const ends = new Ends(clock)
  let count = 0
  const again = () => {
    count++
    ends.set('a', clock.now() + 1000, again)
  }
  ends.set('a', clock.now() + 1000, again)
  for (let second = 0; second < 5; second++) clock.advance({ seconds: 1 })
  assert.equal(count, 5)
  assert.equal(clock.waiting, 1)
})

test('work that throws keeps no other end from coming', () => {
  const clock = new StoppedClock()
  const ends = new Ends(clock)
  const ended: string[] = []
  const fail = () => {
    throw new Error('it failed')
  }
  ends.set('fails', clock.now() + 1000, fail)
  ends.set('same time', clock.now() + 1000, () => ended.push('same time'))
  assert.throws(() => clock.advance({ seconds: 1 }), /it failed/)
  ends.set('later', clock.now() + 1000, () => ended.push('later'))
  clock.advance({ seconds: 1 })
  assert.deepEqual(ended, ['same time', 'later'])
})
