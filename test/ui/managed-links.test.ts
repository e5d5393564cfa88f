// The page about all links deletes several of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Share } from '../../src-server/contract/shares.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { ManagedLinks } from '../../src-ui/shares/managed-links.ts'
import { answering } from './answering.ts'
import { workspace } from './workspace.ts'

const network = answering(import.meta.filename)
const notices = workspace.use(noticesSlice)

const linkOf = (hash: string): Share => ({
  ...{ hash, path: `/${hash}`, userID: 1, expire: 0, name: hash, isDir: false, username: 'ann' },
  ...{ created: 0, hasPassword: false, note: '', downloads: 0 },
})

test('a link whose deletion was not answered is said to be deleted when it is gone, and the others stay', async () => {
  notices.list.value = []
  const state = new ManagedLinks(workspace, ['a', 'b', 'c', 'd'].map(linkOf))
  network.replies['DELETE /api/share/a'] = { text: '200 OK' }
  network.replies['DELETE /api/share/b'] = () => Promise.reject(new TypeError('Failed to fetch'))
  network.replies['GET /api/shares'] = {
    text: JSON.stringify(['c', 'd'].map(linkOf)),
    headers: { 'Content-Type': 'application/json' },
  }
  await state.remove(state.links.value, new AbortController())
  assert.deepEqual(
    state.links.value.map(({ hash }) => hash),
    ['c', 'd'],
  )
  assert.deepEqual(
    notices.list.value.map(({ text, detail }) => [text, detail?.slice(0, 35)]),
    [
      ['2 links deleted', undefined],
      ['2 links were not deleted', 'The server could not be reached. Ch'],
    ],
  )
  notices.list.value = []
})
