import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snappyChunks } from '../../src-server/archives/snappy.ts'
import { crc32c, readSnappyChunks } from '../support/read-snappy.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const random = new SeededRandom(3)

test('the sum of the test is that of RFC 3720', () => {
  assert.equal(crc32c(Buffer.alloc(32)), 0x8a9136aa)
  assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283)
})

for (const length of [0, 1, 3, 14, 15, 16, 17, 60, 61, 256, 257, 2048, 65_535, 65_536, 65_537, 200_000])
  for (const [what, content] of [
    ['noise', Buffer.from(Array.from({ length }, () => random.below(256)))],
    ['zeros', Buffer.alloc(length)],
    ['few letters', Buffer.from(Array.from({ length }, () => 97 + random.below(3)))],
    ['repeated lines', Buffer.from(Array.from({ length }, (_, index) => (index % 71) ^ (index % 5003 === 0 ? 255 : 0)))],
  ] as const)
    test(`${length} bytes of ${what} come back from framed snappy`, () => {
      const packed = snappyChunks(content)
      assert.ok(readSnappyChunks(Buffer.from(packed)).equals(content))
      assert.ok(packed.length <= content.length + 8 * Math.ceil(content.length / 65_536))
    })

test('text gets shorter in framed snappy', () => {
  const text = Buffer.from('A line of text that says the same as the others.\n'.repeat(5000))
  assert.ok(snappyChunks(text).length < text.length / 10)
})
