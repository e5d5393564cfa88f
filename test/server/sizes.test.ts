// The size of what a folder holds, and the space of its file system.
import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import type { TreeSize, Usage } from '../../src-server/contract/files.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { deny, startApp } from '../support/start-app.ts'
import type { Tree } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

const files: Tree = {
  'trip/a.txt': '12345',
  'trip/deep/er/b.txt': '123',
  'trip/empty/': '',
  'trip/secret/c.txt': 'not counted',
  'trip/link': { link: 'a.txt' },
  'trip/out': { link: '/etc' },
}

test('a folder holds files and folders at any depth, without what the rules hide and what links lead to', async (t) => {
  const app = await startApp(t, { files, rules: [deny('/trip/secret')] })
  const ann = await app.as('ann')
  const expected = { bytes: 8, files: 4, folders: 3, unlisted: 0 }
  assert.deepEqual(await (await ann.ask('GET', '/api/size/trip')).json(), expected)
  const lines = await (await ann.ask('GET', '/api/size/trip/', { headers: { accept: 'application/x-ndjson' } })).text()
  assert.deepEqual(JSON.parse(lines.trimEnd().split('\n').at(-1) ?? ''), expected)
  const size = { bytes: 5, files: 1, folders: 0, unlisted: 0 }
  assert.deepEqual(await (await ann.ask('GET', '/api/size/trip/a.txt')).json(), size)
  assert.equal((await ann.ask('GET', '/api/size/trip/secret')).status, 403)
  assert.equal((await ann.ask('GET', '/api/size/none', { headers: { accept: 'application/x-ndjson' } })).status, 404)
})

test('what is counted so far is reported', async () => {
  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`d/${index}.txt`, 'x']))
  const reports: TreeSize[] = []
  await userFilesOn(new MemoryDisk(many)).size(parsePath('/d'), (counted) => reports.push(counted))
  assert.deepEqual(
    reports.map(({ files }) => files),
    [500, 1000],
  )
})

test('a folder that cannot be listed is counted as such, and the rest is counted', async () => {
  const disk: Disk = new MemoryDisk({ 'd/closed/a.txt': 'xx', 'd/open/b.txt': 'x' })
  const list = disk.list.bind(disk)
  disk.list = async (at, signal) => {
    const entries = await list(at, signal)
    if (entries.some(({ name }) => name === 'a.txt')) throw new Failure('forbidden', 'the system does not allow it')
    return entries
  }
  const counted = await userFilesOn(disk).size(parsePath('/d'), () => {})
  assert.deepEqual(counted, { bytes: 1, files: 1, folders: 2, unlisted: 1 })
})

test('the space of the file system, with and without the slash, and zeros for a file', async (t) => {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const usageAt = async (path: string) => (await (await ann.ask('GET', `/api/usage${path}`)).json()) as Usage
  const { blocks, bsize } = statfsSync(app.root)
  for (const path of ['', '/', '/trip']) {
    const { total, used } = await usageAt(path)
    assert.equal(total, blocks * bsize)
    assert.ok(used > 0 && used <= total, `${used} of ${total}`)
  }
  assert.deepEqual(await usageAt('/trip/a.txt'), { total: 0, used: 0 })
  assert.equal((await ann.ask('GET', '/api/usage/none')).status, 404)
  assert.equal((await app.principal().ask('GET', '/api/usage')).status, 401)
})
