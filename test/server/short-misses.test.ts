// Guesses of the short hashes that links from File Browser have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShortMisses } from '../../src-server/shares/short-misses.ts'
import { StoppedClock } from '../support/clock.ts'

function misses({ isShared = false } = {}) {
  const clock = new StoppedClock()
  const short = new ShortMisses({ clock, proxies: { isShared: () => isShared } })
  const codes = (count: number, hash = 'abcdefgh', address = '203.0.113.7') =>
    Array.from({ length: count }, () => short.refusal(hash, address)).map(({ code }) => code)
  return { clock, short, codes }
}

test('after fifty misses an address waits, and others do not', () => {
  const { clock, short, codes } = misses()
  assert.deepEqual(new Set(codes(50)), new Set(['notFound']))
  const refused = short.refusal('hgfedcba', '203.0.113.7')
  assert.deepEqual([refused.code, refused.retryAfter], ['tooMany', 2])
  assert.deepEqual(codes(1, 'abcdefgh', '203.0.113.8'), ['notFound'])
  clock.advance({ seconds: 2 })
  assert.deepEqual(codes(2), ['notFound', 'tooMany'])
})

test('hashes of other lengths are not counted: they are too long to be guessed', () => {
  assert.deepEqual(new Set(misses().codes(200, 'a'.repeat(22))), new Set(['notFound']))
})

test('where many have one address nobody waits for the others', () => {
  assert.deepEqual(new Set(misses({ isShared: true }).codes(200)), new Set(['notFound']))
})
