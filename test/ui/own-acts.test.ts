// What a person does at once is sent with one id, so that the server undoes it as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newAct } from '../../src-ui/core/own-acts.ts'
import { createText, saveText } from '../../src-ui/editor/text-calls.ts'
import { jobsSlice } from '../../src-ui/jobs/jobs.ts'
import { makeFile, makeFolder } from '../../src-ui/operations/make.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { rename } from '../../src-ui/operations/rename.ts'
import { restore } from '../../src-ui/operations/restore.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { entries, type Folders, settled, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': [] })
  folders.trash = {}
})
afterEach(() => folders.close())

const form = /^[A-Za-z0-9_-]{8,64}$/

/** The ids that the changes were sent with. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  folders.acts.length = 0
  await work()
  await settled()
  const ids = folders.acts.map((id) => id ?? 'none')
  for (const id of ids) assert.match(id, form)
  return ids
}

const written = { path: '/new.txt', text: 'x', hasMark: false, encoding: 'utf-8' }
const works: [what: string, work: () => Promise<unknown>, calls: number][] = [
  ['a new folder', () => makeFolder(workspace, 'new'), 1],
  ['a new file', () => makeFile(workspace, 'new.txt'), 1],
  ['a rename', () => rename(workspace, entries('a.txt')[0] as never, 'z.txt'), 1],
  ['a move of one file', () => transfer(workspace, { action: 'move', items: entries('b.txt'), to: '/d' }), 1],
  [
    'a copy of several, which is a job',
    () => transfer(workspace, { action: 'copy', items: entries('b.txt', 'c.txt'), to: '/d' }),
    2,
  ],
  ['a delete of several', () => remove(workspace, entries('a.txt', 'b.txt'), () => {}), 2],
  ['a drop', () => workspace.use(uploadsSlice).uploadDropped('/', [[{ path: 'one' }, { path: 'two' }]]), 2],
  ['a save', () => saveText({ ...written, path: '/a.txt' }, undefined), 1],
  ['a new text', () => createText(written), 1],
]
for (const [what, work, calls] of works) {
  test(`${what} is sent with one id, and the next thing with another`, async () => {
    const first = await sentBy(work)
    assert.deepEqual([first.length, new Set(first).size], [calls, 1])
    const next = await sentBy(() => makeFolder(workspace, `then ${what}`))
    assert.notEqual(next[0], first[0])
  })
}

test('what comes back from the trash is one act, also when it is asked about', async () => {
  await remove(workspace, entries('a.txt', 'b.txt'), () => {})
  const items = Object.entries(folders.trash ?? {}).map(([id, path]) => ({
    id,
    path,
    name: path.slice(1),
    isDir: false,
    size: 1,
  }))
  const ids = await sentBy(() => restore(workspace, items))
  assert.deepEqual([ids.length, new Set(ids).size], [2, 1])
})

test('where the browser makes no UUID, as over plain HTTP, there are ids all the same', async (context) => {
  context.mock.method(crypto, 'randomUUID', () => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  assert.match(newAct(), form)
  assert.notEqual(newAct(), newAct())
  const details = await workspace.use(jobsSlice).run({ kind: 'copy', entries: ['/a.txt'], to: '/d' })
  assert.equal(details?.done, 1)
})
