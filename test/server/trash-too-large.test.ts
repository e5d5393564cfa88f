// What would take more of the disk in the trash than one person may is not deleted before somebody has agreed to that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Disk } from '../../src-server/disk/disk.ts'
import { jobCalls } from '../support/job-calls.ts'
import { startApp } from '../support/start-app.ts'
import { pathsOf } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'

const large = 'l'.repeat(2 ** 20 + 1)
const files = { large, 'd/a': 'a'.repeat(40), 'd/e/b': 'b'.repeat(40), 'small/a': 'a'.repeat(40), file: 'f' }

test('a file or a folder that is too large for the trash is refused, and nothing else', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const disk = { total: 1000, free: 0 }
  // A person may keep 50 bytes.
  t.mock.method(Disk.prototype, 'usage', async () => disk)
  for (const path of ['/large', '/d']) {
    const refused = await ann.ask('DELETE', `/api/resources${path}?trash=true`)
    assert.deepEqual([refused.status, refused.headers.get('X-Refusal')], [409, 'code=trashTooSmall'])
    assert.match(await refused.text(), /larger than what one person may keep in the trash; \?trash=false deletes it for good/)
  }
  const { job } = await jobCalls(ann).start({ kind: 'delete', entries: ['/d', '/small', '/large', '/file'], trash: true })
  const { failures } = await jobCalls(ann).reaches(job.id, 'ended')
  assert.deepEqual(failures.map(({ path, refusal }) => [path, refusal?.code]).sort(), [
    ['/d', 'trashTooSmall'],
    ['/large', 'trashTooSmall'],
  ])
  assert.deepEqual(await pathsOf(ann), ['/file', '/small'])
  assert.deepEqual(Object.keys(await harvest(app.root)).sort(), ['d/a', 'd/e/b', 'large'])
})

test('clients that know of no trash are refused nothing, and no folder is looked through on a disk that holds less', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const disk = { total: 1000, free: 0 }
  t.mock.method(Disk.prototype, 'usage', async () => disk)
  for (const path of ['/large', '/d']) assert.equal((await ann.remove(path)).status, 200)
  disk.free = 950
  assert.equal((await ann.ask('DELETE', '/api/resources/small?trash=true')).status, 200)
  assert.deepEqual(await pathsOf(ann), ['/d', '/large', '/small'])
})
