// A delete that goes on without the page: what is being deleted is selected no more, so that no reload selects it again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobsSlice } from '../../src-ui/jobs/jobs.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { nothingSelected } from '../../src-ui/listing/selection.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { chosen, type Folders, pick, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const listing = workspace.use(listingSlice)
const { afterEach, beforeEach } = hooksOf(import.meta.filename)
let folders: Folders
const reach = globalThis.fetch
beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd.txt'] })
})
afterEach(() => {
  listing.selection.value = nothingSelected
  folders.close()
  globalThis.fetch = reach
})

/** The server keeps the job, and says later how it has ended. */
function keepJobs(failed: readonly string[]) {
  const answer = globalThis.fetch
  let job: object = {}
  let ended: object = {}
  globalThis.fetch = (async (address: string, init: RequestInit = {}) => {
    if (!address.startsWith('/api/jobs')) return answer(address, init)
    if (init.method === 'POST') {
      const { id, kind, entries } = JSON.parse(String(init.body))
      const lists = { questions: [], failures: [], leftOut: [], renamed: [], values: [] }
      const counts = { entries: entries.length, done: 0, failed: 0, skipped: 0, asked: 0 }
      job = { id, kind, first: entries[0], startedAt: 1, changedAt: 1, state: 'running', ...counts, ...lists }
      const failures = failed.map((path) => ({ path, code: 'forbidden', message: '' }))
      const done = entries.length - failed.length
      ended = { ...job, state: 'ended', changedAt: 2, done, failed: failed.length, failures }
      return Response.json(job, { status: 202 })
    }
    return Response.json(address === '/api/jobs' ? { jobs: [ended] } : ended)
  }) as typeof fetch
}

test('what a kept job deletes is selected no more, and what it could not delete is again', async () => {
  keepJobs(['/c.txt'])
  pick('/a.txt', '/b.txt', '/c.txt')
  let isClosed = false
  const removed = remove(workspace, listing.selected.value, () => {
    isClosed = true
  })
  await settled()
  assert.deepEqual([chosen(), isClosed], [[], true])
  folders.stand['/'] = ['c.txt', 'd.txt']
  await workspace.use(jobsSlice).refresh()
  await removed
  assert.deepEqual([shown(), chosen()], [['c.txt', 'd.txt'], ['c.txt']])
})

test('what is selected meanwhile stays as it is', async () => {
  keepJobs(['/c.txt'])
  pick('/b.txt', '/c.txt')
  const removed = remove(workspace, listing.selected.value, () => {})
  await settled()
  pick('/a.txt')
  folders.stand['/'] = ['a.txt', 'c.txt', 'd.txt']
  await workspace.use(jobsSlice).refresh()
  await removed
  assert.deepEqual(chosen(), ['a.txt'])
})
