// The uploads of large files of a page: what the answers of the server mean for the queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResumableUploads } from '../../src-ui/uploads/resumable.ts'
import { makeJob } from '../../src-ui/uploads/upload-jobs.ts'
import { answering } from './answering.ts'

const network = answering(import.meta.filename)
const on = () => ({ progress: () => {}, kept: () => {}, signal: new AbortController().signal })

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
