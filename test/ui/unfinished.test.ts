// Large files that broke off, or have no name yet: what the page asks and says about them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { UnfinishedUpload } from '../../src-server/contract/uploads.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { user } from '../../src-ui/core/session.ts'
import { ResumableUploads } from '../../src-ui/uploads/resumable.ts'
import { makeJob } from '../../src-ui/uploads/upload-jobs.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { answering, type Reply } from './answering.ts'
import { ann, settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

// It imports words that only the bundler resolves: after the workspace of the tests.
const { UnfinishedUploads } = await import('../../src-ui/uploads/unfinished.ts')

const network = answering(import.meta.filename)
const { beforeEach, afterEach } = hooksOf(import.meta.filename)
beforeEach(() => {
  user.value = ann
})
afterEach(() => {
  user.value = null
})

const taken: Reply = { status: 409, text: '409 Conflict (the name is taken)\n' }

function upload(given: Partial<UnfinishedUpload> = {}): UnfinishedUpload {
  const bytes = { offset: 3, length: 7 }
  const times = { startedAt: 1, changedAt: 1, expires: 2 }
  return { id: 'one', path: '/d/a', ...bytes, ...times, isReceiving: false, isGone: false, isCompared: false, ...given }
}

test('Keep both takes the first number that is free', async () => {
  network.replies['POST /api/uploads/one/name'] = () => (asked().length < 3 ? taken : { text: '' })
  const asked = () => network.calls.filter(({ name }) => name.endsWith('/name')).map(({ body }) => JSON.parse(String(body)))
  await new UnfinishedUploads(workspace).name(upload({ offset: 7 }), 'keepBoth')
  assert.deepEqual(asked(), [{ name: 'a(1)' }, { name: 'a(2)' }, { name: 'a(3)' }])
  assert.deepEqual(workspace.use(noticesSlice).list.value, [])
})

/** The dialog of the system, in which the person chooses a file. */
function choosing(t: TestContext, file: File) {
  const input = { files: [file], addEventListener: () => {}, remove: () => {}, click: () => {} }
  input.addEventListener = ((name: string, chosen: () => void) => name === 'change' && queueMicrotask(chosen)) as never
  const before = Object.getOwnPropertyDescriptor(globalThis, 'document')
  const value = { createElement: () => input, body: { append: () => {} } }
  Object.defineProperty(globalThis, 'document', { value, configurable: true })
  t.after(() => {
    if (before) Object.defineProperty(globalThis, 'document', before)
    else Reflect.deleteProperty(globalThis, 'document')
  })
}

test('Continue asks for a folder when that of the upload is gone, also when the list does not know it yet', async (t) => {
  const overlays = workspace.use(overlaysSlice)
  choosing(t, new File(['content'], 'a'))
  const unfinished = new UnfinishedUploads(workspace)
  for (const status of [404, 410]) {
    network.replies['HEAD /api/uploads/one'] = { status }
    await unfinished.goOn(upload())
    const { value: open } = overlays.current
    assert.deepEqual([open.kind, network.calls.map(({ name }) => name)], ['chooseFolder', ['HEAD /api/uploads/one']])
    overlays.close()
    network.calls.length = 0
  }
})

const on = () => ({ progress: () => {}, kept: () => {}, signal: new AbortController().signal })

test('Continue goes on with what is there again, also when the list does not know it yet', async (t) => {
  choosing(t, new File(['content'], 'a'))
  const uploads = workspace.use(uploadsSlice)
  const { mock } = t.mock.method(uploads, 'uploadDropped', async () => {})
  for (const status of [200, 412]) {
    network.replies['HEAD /api/uploads/one'] = { status }
    await new UnfinishedUploads(workspace).goOn(upload({ isGone: true }))
    assert.equal(workspace.use(overlaysSlice).current.value.kind, 'none')
  }
  assert.deepEqual(
    mock.calls.map(({ arguments: [folder] }) => folder as unknown),
    ['/d', '/d'],
  )
})

/** An upload whose bytes have all arrived, and that has no name yet. */
function startComplete() {
  const file = new File(['content'], 'a')
  const times = Buffer.from(String(file.lastModified)).toString('base64')
  const sum = Buffer.from('sum').toString('base64')
  const one = { id: 'one', path: '/a', length: file.size, offset: file.size, isGone: false, isReceiving: false }
  const metadata = `modified ${times},first ${sum},last ${sum}`
  const answer = { text: JSON.stringify({ uploads: [{ ...one, metadata }] }), headers: { 'Content-Type': 'application/json' } }
  network.replies['GET /api/uploads'] = answer
  const job = makeJob(1, { path: '/a', into: '/', file })
  const names = () => network.calls.filter(({ name }) => name.endsWith('/name')).map(({ body }) => JSON.parse(String(body)))
  return { uploads: new ResumableUploads(async () => 'sum'), job, names }
}

test('a name that is taken when all has arrived is asked about, however often', async () => {
  const { uploads, job, names } = startComplete()
  job.overwrite = true
  // A folder has the name, and then another file the next one.
  network.replies['POST /api/uploads/one/name'] = { status: 409, text: '409 Conflict (a folder is in the way)\n' }
  await assert.rejects(uploads.send(job, on()), { status: 409 })
  Object.assign(job, { path: '/a(1)', overwrite: false })
  network.replies['POST /api/uploads/one/name'] = { status: 409, text: '409 Conflict (the name is taken)\n' }
  await assert.rejects(uploads.send(job, on()), { status: 409 })
  job.path = '/a(2)'
  network.replies['POST /api/uploads/one/name'] = { text: '' }
  await uploads.send(job, on())
  assert.deepEqual(names(), [{ override: true }, { override: false, name: 'a(1)' }, { override: false, name: 'a(2)' }])
})

test('what another page sends is no unfinished upload, and is asked about until it rests', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const unfinished = new UnfinishedUploads(workspace)
  const shown: string[][] = []
  let count = 0
  for (const given of [
    { isReceiving: true },
    // Between two of its pieces.
    { offset: 4 },
    { offset: 5, isReceiving: true },
    { offset: 5 },
    { offset: 5 },
  ]) {
    const text = JSON.stringify({ uploads: [upload(given)] })
    const answered = Promise.withResolvers<void>()
    network.replies['GET /api/uploads'] = () => {
      answered.resolve()
      return { text, headers: { 'Content-Type': 'application/json' } }
    }
    if (count++ === 0) await unfinished.refresh()
    else {
      t.mock.timers.tick(30_000)
      await answered.promise
      await settled()
    }
    shown.push(unfinished.list.value.map(({ id }) => id))
  }
  assert.deepEqual(shown, [[], ['one'], [], ['one'], ['one']])
  t.mock.timers.tick(30_000)
  await settled()
  assert.equal(network.calls.length, 5)
})
