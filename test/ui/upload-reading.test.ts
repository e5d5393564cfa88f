// A large drop is sent while it is still being read: until then it has not ended, and it can be cancelled.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dropped } from '../../src-ui/api/read-drop.ts'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { leaveGuardsSlice } from '../../src-ui/core/leave-guards.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { until } from '../support/until.ts'
import { type Folders, said, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const overlays = workspace.use(overlaysSlice)
const commandTable = workspace.use(commandTableSlice)
const listing = workspace.use(listingSlice)
const uploads = workspace.use(uploadsSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': [] })
})
afterEach(() => {
  uploads.clear()
  folders.close()
})

/** A drop of two folders, the second of which is read only after `find`. */
function drop() {
  const found = Promise.withResolvers<void>()
  async function* parts(): AsyncGenerator<Dropped[]> {
    yield [{ path: 'first' }]
    await found.promise
    yield [{ path: 'second' }]
  }
  return { sending: uploads.uploadDropped('/', parts()), find: () => found.resolve() }
}

test('files are sent as they are read, and the end is reported once, after all are read', async () => {
  const { sending, find } = drop()
  await settled()
  assert.deepEqual([folders.asked, uploads.hasOpenUploads(), said()], [['POST /first/'], true, []])
  find()
  await sending
  await settled()
  assert.deepEqual(
    [folders.asked, uploads.isUploading.value, uploads.hasOpenUploads()],
    [['POST /first/', 'POST /second/'], false, false],
  )
  assert.deepEqual(said(), ['success: 2 folders created'])
})

test('while a failed upload is listed, a reload of the page would lose something', async () => {
  const guards = workspace.use(leaveGuardsSlice)
  folders.refusals = { 'POST /first/': 507 }
  await uploads.uploadDropped('/', [[{ path: 'first' }]])
  await settled()
  assert.deepEqual([uploads.hasOpenUploads(), guards.wouldLose()], [false, true])
  uploads.clear()
  assert.equal(guards.wouldLose(), false)
})

test('cancelling everything cancels the unread rest too', async () => {
  const { sending, find } = drop()
  await settled()
  uploads.cancelAll()
  find()
  await sending
  await settled()
  assert.deepEqual([folders.asked, uploads.isUploading.value], [['POST /first/'], false])
})

test('Esc in a conflict prompt stops the rest of that drop, including the unread part', async () => {
  folders.stand['/'] = ['a.txt', 'b.txt']
  await listing.load('/')
  const found = Promise.withResolvers<void>()
  async function* parts(): AsyncGenerator<Dropped[]> {
    yield [{ path: 'a.txt', file: new File(['mine'], 'a.txt') }]
    await found.promise
    yield [{ path: 'b.txt', file: new File(['mine'], 'b.txt') }, { path: 'folder' }]
  }
  const sending = uploads.uploadDropped('/', parts())
  await until(() => overlays.current.value.kind === 'uploadConflicts', 'the conflict is asked about')
  void commandTable.get('overlay.close').run(workspace, target())
  found.resolve()
  await sending
  await until(() => !uploads.isUploading.value, 'the queue is empty')
  assert.deepEqual([overlays.current.value.kind, folders.asked], ['none', []])
})

test('Esc says of a conflict prompt, before it has the focus too, how many files are not uploaded, those without a conflict among them', async () => {
  folders.stand['/'] = ['a.txt']
  await listing.load('/')
  const files = ['a.txt', 'new.txt', 'new too.txt'].map((path) => ({ path, file: new File(['mine'], path) }))
  await uploads.uploadDropped('/', [[...files, { path: 'folder' }]])
  await until(() => overlays.current.value.kind === 'uploadConflicts', 'the conflict is asked about')
  void commandTable.get('overlay.close').run(workspace, target())
  assert.deepEqual([folders.asked, said()], [[], ['error: 3 files were not uploaded']])
  await until(() => !uploads.isUploading.value, 'the queue is empty')
})

test('when something at the top exists already, nothing is sent before the whole drop is read', async () => {
  folders.stand['/'] = ['there/', 'b.txt']
  folders.stand['/there'] = ['inner.txt']
  await listing.load('/')
  const found = Promise.withResolvers<void>()
  async function* parts(): AsyncGenerator<Dropped[]> {
    yield [{ path: 'there' }, { path: 'new' }]
    await found.promise
    yield [{ path: 'there/deeper' }]
  }
  const sending = uploads.uploadDropped('/', parts())
  await settled()
  assert.deepEqual(folders.asked, [])
  found.resolve()
  await sending
  await until(() => !uploads.isUploading.value, 'the queue is empty')
  assert.deepEqual(folders.asked, ['POST /there/', 'POST /new/', 'POST /there/deeper/'])
})

test('the notice of failed uploads ends when they are retried', async () => {
  folders.refusals = { 'POST /no/': 403 }
  await uploads.uploadDropped('/', [[{ path: 'no' }]])
  await until(() => said().some((text) => text.includes('not uploaded')), 'the failure is told')
  folders.refusals = {}
  uploads.retryFailed()
  await until(() => !said().some((text) => text.includes('not uploaded')), 'the notice has ended')
  await until(() => !uploads.isUploading.value, 'the queue is empty')
})
