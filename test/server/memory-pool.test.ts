import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryPool } from '../../src-server/base/memory-pool.ts'

test('memory that is given back is used again when it is long enough', () => {
  const pool = new MemoryPool(100, 2)
  const short = pool.take(1)
  const long = pool.take(101)
  assert.deepEqual([short.length, long.length], [100, 200])
  pool.giveBack(short)
  pool.giveBack(long)
  assert.equal(pool.take(150).buffer, long.buffer)
  assert.notEqual(pool.take(150).buffer, short.buffer)
  assert.equal(pool.take(100).buffer, short.buffer)
})

test('memory of which a part is given back is used again as a whole', () => {
  const pool = new MemoryPool(100, 1)
  const piece = pool.take(100)
  pool.giveBack(piece.subarray(0, 30))
  const again = pool.take(100)
  assert.deepEqual([again.buffer === piece.buffer, again.length], [true, 100])
})

test('no more pieces are kept than asked, and no long ones', () => {
  const pool = new MemoryPool(100, 1)
  const [first, second, huge] = [pool.take(100), pool.take(100), pool.take(401)]
  pool.giveBack(huge)
  pool.giveBack(first)
  pool.giveBack(second)
  assert.equal(pool.take(1).buffer, first.buffer)
  assert.notEqual(pool.take(1).buffer, second.buffer)
  assert.notEqual(pool.take(401).buffer, huge.buffer)
})
