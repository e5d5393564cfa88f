import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectGarbage } from '../../src-server/base/collect-garbage.ts'

const mebibyte = 1024 * 1024

test('memory of pieces that were passed on is given back while a stream goes on', async (t) => {
  const young = t.mock.fn()
  const before = globalThis.gc
  globalThis.gc = young as never
  t.after(() => {
    globalThis.gc = before
  })
  const held: Uint8Array[] = []
  let passed = 0
  for await (const piece of collectGarbage(pieces(40), 'young')) {
    held.push(piece)
    passed += piece.length
  }
  assert.equal(passed, 40 * mebibyte)
  assert.deepEqual(young.mock.calls[0]?.arguments, [{ type: 'minor' }])
})

test('a stream that uses its memory again causes no collection', async (t) => {
  const young = t.mock.fn()
  const before = globalThis.gc
  globalThis.gc = young as never
  t.after(() => {
    globalThis.gc = before
  })
  const same = new Uint8Array(mebibyte)
  for await (const piece of collectGarbage(pieces(40, same), 'young')) assert.equal(piece, same)
  assert.equal(young.mock.callCount(), 0)
})

async function* pieces(count: number, same?: Uint8Array) {
  for (let index = 0; index < count; index++) yield same ?? new Uint8Array(mebibyte)
}
