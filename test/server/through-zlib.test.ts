import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { Transform } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { throughZlib } from '../../src-server/archives/through-zlib.ts'

test('of all archives no more chunks are compressed at a time than there are processors, and each ends', async () => {
  const processors = availableParallelism()
  let [running, most] = [0, 0]
  const slowStream = () =>
    new Transform({
      transform(chunk, _, done) {
        most = Math.max(most, ++running)
        void setImmediate().then(() => {
          running--
          done(null, chunk)
        })
      },
    })
  const content = async function* () {
    for (let index = 0; index < 10; index++) yield Buffer.from([index])
  }
  const streams = Array.from({ length: 4 * processors }, () => Array.fromAsync(throughZlib(content(), slowStream())))
  for (const pieces of await Promise.all(streams)) assert.deepEqual([...Buffer.concat(pieces)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.equal(most, processors)
})

test('a stream that fails leaves its place to others', async () => {
  const failing = () => new Transform({ transform: (_chunk, _encoding, done) => done(new Error('cannot be compressed')) })
  const content = async function* () {
    yield Buffer.from('a')
  }
  for (let index = 0; index <= availableParallelism(); index++) {
    const stream = failing()
    stream.on('error', () => {})
    await assert.rejects(Array.fromAsync(throughZlib(content(), stream)), /cannot be compressed/)
  }
})
