import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { nextTurn } from '../../src-server/base/turns.ts'

test('of the work that waits one goes on in each turn of the event loop, in its order', async () => {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await setImmediate()
  })()
  const wentOn: [work: string, turn: number][] = []
  const work = async (name: string) => {
    for (let part = 0; part < 5; part++) {
      await nextTurn()
      wentOn.push([name, turns])
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  isOver = true
  await counting
  assert.equal(wentOn.map(([name]) => name).join(''), 'abcabcabcabcabc')
  assert.equal(new Set(wentOn.map(([, turn]) => turn)).size, wentOn.length)
})
