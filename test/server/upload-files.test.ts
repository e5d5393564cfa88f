// What is kept of unfinished uploads beside the state.
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { UploadFiles } from '../../src-server/state/upload-files.ts'
import type { UploadRecord } from '../../src-server/state/upload-store.ts'
import { temporaryFolder } from '../support/start-state.ts'

const [first, second] = ['1'.repeat(32), '2'.repeat(32)] as const
const record = (id: string, more: Partial<UploadRecord> = {}): UploadRecord => ({
  ...{ id, userId: 1, path: '/a/b', length: 5, startedAt: 1, changedAt: 2, offset: 3, isCompared: false },
  ...more,
})

function start(t: TestContext) {
  const folder = temporaryFolder(t)
  const reported: string[] = []
  const open = () => new UploadFiles({ stateFile: join(folder, 'state.json'), report: (path) => reported.push(path) })
  return { open, reported, below: join(folder, 'state.json.uploads') }
}

test('records survive, with all that is known of them, until they are removed', async (t) => {
  const { open, reported } = start(t)
  const store = open()
  assert.deepEqual(await store.open(), [])
  const refused = { code: 'conflict', template: 'the name is taken', about: { name: 'b' } }
  const whole = record(first, {
    ...{ override: true, condition: { match: ['1a'], noneMatch: 'any' }, metadata: 'name YQ==', actKey: 'act' },
    ...{ sealed: '1b', refused, finishedAt: 9 },
  })
  await store.set(record(first))
  await store.set(whole)
  await store.set(record(second))
  assert.deepEqual(await open().open(), [whole, record(second)])
  await store.remove(first)
  await store.remove(first)
  assert.deepEqual(await open().open(), [record(second)])
  assert.deepEqual(reported, [])
})

test('what cannot be read is reported and left out, and so is a copy under another name', async (t) => {
  const { open, reported, below } = start(t)
  await open().set(record(first))
  copyFileSync(join(below, `${first}.json`), join(below, `${second}.json`))
  writeFileSync(join(below, 'half.json'), '{"id":"')
  writeFileSync(join(below, 'wrong.json'), JSON.stringify(record(second, { offset: -1 })))
  assert.deepEqual(await open().open(), [record(first)])
  assert.deepEqual(reported.sort(), [join(below, 'half.json'), join(below, 'wrong.json')])
  assert.equal(readdirSync(below).length, 4)
})
