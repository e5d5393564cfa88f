// A large drop is sent while it is still being read: it has not ended before that, and can be called off in its midst.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dropped } from '../../src-ui/api/read-drop.ts'
import { commandById } from '../../src-ui/commands.ts'
import { overlay } from '../../src-ui/core/overlay.ts'
import { load } from '../../src-ui/listing/listing.ts'
import { cancelUploads, clearUploads, hasOpenUploads, isUploading, uploadDropped } from '../../src-ui/uploads/uploads.ts'
import { until } from '../support/until.ts'
import { type Folders, said, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': [] })
})
afterEach(() => {
  clearUploads()
  folders.close()
})

/** Two folders, the second of which is found only when the test says so. */
function drop() {
  const found = Promise.withResolvers<void>()
  async function* parts(): AsyncGenerator<Dropped[]> {
    yield [{ path: 'first' }]
    await found.promise
    yield [{ path: 'second' }]
  }
  return { sending: uploadDropped('/', parts()), find: () => found.resolve() }
}

test('what was read is sent, and the end is told once, when all of it is read', async () => {
  const { sending, find } = drop()
  await settled()
  assert.deepEqual([folders.asked, hasOpenUploads(), said()], [['POST /first/'], true, []])
  find()
  await sending
  await settled()
  assert.deepEqual([folders.asked, isUploading.value, hasOpenUploads()], [['POST /first/', 'POST /second/'], false, false])
  assert.deepEqual(said(), ['success: 2 folders made'])
})

test('who cancels everything cancels also what is still to be read', async () => {
  const { sending, find } = drop()
  await settled()
  cancelUploads()
  find()
  await sending
  await settled()
  assert.deepEqual([folders.asked, isUploading.value], [['POST /first/'], false])
})

test('Esc on the question about taken names skips them, and it does not come back', async () => {
  folders.stand['/'] = ['a.txt', 'b.txt']
  await load('/')
  await uploadDropped('/', [[{ path: 'a.txt', file: new File(['mine'], 'a.txt') }]])
  await until(() => overlay.value.kind === 'replace', 'the question is asked')
  void commandById('overlay.close').run()
  await until(() => !isUploading.value, 'nothing waits any more')
  assert.deepEqual([overlay.value.kind, folders.asked], ['none', []])
})
