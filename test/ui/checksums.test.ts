// The comparison of a checksum from elsewhere, in the forms in which tools print it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Checksums } from '../../src-ui/operations/checksums.ts'
import { answering } from './answering.ts'

const network = answering(import.meta.filename)
const md5 = '0cc175b9c0f1b6a831c399e269772661'
const address = 'GET /api/resources/a.txt?checksum=md5'
const lines = (...objects: object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('')
const answered = { text: lines({ done: 1, total: 1 }, { name: 'a.txt', checksums: { md5 } }) }

for (const [form, text] of Object.entries({
  'as it is': md5,
  'in capital letters': md5.toUpperCase(),
  'with the name behind it': `${md5}  a.txt`,
  'in groups of digits': `${md5.match(/.{4}/g)?.join(' ')}`,
  'with space around it': `\n ${md5} `,
})) {
  test(`a checksum ${form} is compared with that of its length, which is computed for it`, async () => {
    network.replies[address] = answered
    const checksums = new Checksums('/a.txt')
    const compared = checksums.compareWith(text)
    assert.deepEqual(checksums.comparison.value, { kind: 'pending', algorithm: 'md5' })
    await compared
    assert.deepEqual(checksums.comparison.value, { kind: 'same', algorithm: 'md5' })
  })
}

test('another checksum is different, and other texts are none', async () => {
  network.replies[address] = answered
  const checksums = new Checksums('/a.txt')
  await checksums.compareWith(md5.replace('0', '1'))
  assert.deepEqual(checksums.comparison.value, { kind: 'different', algorithm: 'md5' })
  for (const text of ['abc', `${md5}0`, 'z'.repeat(32)]) {
    await checksums.compareWith(text)
    assert.deepEqual(checksums.comparison.value, { kind: 'unknown' }, text)
  }
})

test('a failure after the first line is the failure of the checksum', async () => {
  const error = { status: 409, title: 'Conflict', detail: 'the file changed while it was read' }
  network.replies[address] = { text: lines({ done: 1, total: 2 }, { error }) }
  const checksums = new Checksums('/a.txt')
  await checksums.all.md5.run()
  const state = checksums.all.md5.state.value
  assert.equal(state.kind === 'failed' && String(state.failure), 'HttpFailure: 409 Conflict (the file changed while it was read)')
})
