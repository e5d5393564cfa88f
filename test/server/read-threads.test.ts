// Small files that a thread reads through handles that are open.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readInThread } from '../../src-server/disk/read-threads.ts'
import { temporaryFolder } from '../support/tree.ts'

test('contents arrive with their file, and what changed its length is not taken for whole', async (t) => {
  const folder = await temporaryFolder(t)
  const read = (name: string, length: number) => readInThread(1n, join(folder, name), length)
  fs.writeFileSync(join(folder, 'longer'), 'more than was announced')
  fs.writeFileSync(join(folder, 'shorter'), 'few')
  fs.writeFileSync(join(folder, 'empty'), '')
  for (let index = 0; index < 300; index++) fs.writeFileSync(join(folder, `${index}`), `content ${index}`)
  const many = Array.from({ length: 300 }, async (_, index) => {
    const { content } = (await read(`${index}`, `content ${index}`.length)) ?? {}
    assert.equal(Buffer.from(content ?? '').toString(), `content ${index}`)
  })
  const others = [read('longer', 4), read('shorter', 4), read('empty', 0), read('empty', 1)]
  await Promise.all(many)
  const lengths = (await Promise.all(others)).map((read) => read?.content.length)
  assert.deepEqual(lengths, [undefined, undefined, 0, undefined])
})

test("a file that cannot be opened fails with the system's error, and the others are read", async (t) => {
  const folder = await temporaryFolder(t)
  fs.writeFileSync(join(folder, 'a'), 'a')
  const [first, missing, last] = await Promise.allSettled(
    ['a', 'missing', 'a'].map((name) => readInThread(1n, join(folder, name), 1)),
  )
  assert.equal(first?.status, 'fulfilled')
  assert.equal(last?.status, 'fulfilled')
  assert.deepEqual(missing?.status === 'rejected' && [missing.reason.code, missing.reason.syscall], ['ENOENT', 'open'])
})

test('files that are asked for at the same time are read in one message', async (t) => {
  const folder = await temporaryFolder(t)
  fs.writeFileSync(join(folder, 'a'), 'a')
  for (const _ of [1, 2]) {
    const read = await Promise.all(Array.from({ length: 20 }, () => readInThread(1n, join(folder, 'a'), 1)))
    // The contents of a message share their memory.
    assert.equal(new Set(read.map((file) => file?.content.buffer)).size, 1)
  }
})

test('a file for which there is not enough memory fails, and the next are read', async (t) => {
  const folder = await temporaryFolder(t)
  fs.writeFileSync(join(folder, 'a'), 'a')
  await assert.rejects(readInThread(2n, join(folder, 'a'), Number.MAX_SAFE_INTEGER), RangeError)
  const read = await readInThread(2n, join(folder, 'a'), 1)
  assert.equal(Buffer.from(read?.content ?? '').toString(), 'a')
})
