import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import type { ResourceItem } from '../../src-server/contract/files.ts'
import type { TokenUser } from '../../src-server/contract/users.ts'
import { entriesOf } from '../../src-ui/core/entries.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { createWorkspace, followUser } from '../../src-ui/create-workspace.ts'
import { KnownFolders } from '../../src-ui/listing/known-folders.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { selectOnly } from '../../src-ui/listing/selection.ts'
import { file, folder, resourceOf } from './entries.ts'
import { ann, settled } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

type Request = {
  path: string
  answer(...names: string[]): Promise<void>
  answerFile(): Promise<void>
  refuse(status: number): Promise<void>
}

const realFetch = globalThis.fetch
let asked: Request[] = []

beforeEach(() => {
  asked = []
  globalThis.fetch = (address, init) =>
    new Promise((resolve, reject) => {
      const give = (response: Response) => {
        resolve(response)
        return settled()
      }
      const path = String(address).replace('/api/resources', '').replace('?content=false', '')
      init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      asked.push({
        path,
        answer: (...names) => {
          const items: ResourceItem[] = names.map((name) => file(name, { path: `${path === '/' ? '' : path}/${name}` }))
          return give(Response.json({ ...resourceOf(items), sorting: { by: 'name', asc: true } }))
        },
        answerFile: () => give(Response.json(file('thing', { path }))),
        refuse: (status) => give(new Response(`${status} No`, { status })),
      })
    })
})
afterEach(() => {
  globalThis.fetch = realFetch
})

function start() {
  const workspace = createWorkspace(signal<TokenUser | null>(ann))
  const listing = workspace.use(listingSlice)
  const shown = () => listing.sortedEntries.value.entries.map(({ name }) => name)
  const visit = async (path: string, ...names: string[]) => {
    const loaded = listing.load(path)
    await asked.at(-1)?.answer(...names)
    await loaded
  }
  return { workspace, listing, shown, visit }
}

test('a folder that was shown before is shown at once, without a loading message, and refreshed in the background', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { workspace, listing, shown, visit } = start()
  await visit('/', 'a', 'b')
  await visit('/below', 'c')
  const back = listing.load('/')
  assert.deepEqual([shown(), listing.isNavigating()], [['a', 'b'], false])
  context.mock.timers.tick(10_000)
  assert.equal(listing.loading.value, false)
  listing.selection.value = selectOnly('/b')
  await asked.at(-1)?.answer('a', 'aa', 'b')
  await back
  assert.deepEqual(shown(), ['a', 'aa', 'b'])
  assert.equal(listing.selection.value.focus, '/b')
  workspace.dispose()
})

test('a folder that may no longer be read is not shown any more, nor the folders below it', async () => {
  for (const status of [403, 404]) {
    const { workspace, listing, shown, visit } = start()
    await visit('/secret', 'a')
    await visit('/secret/deep', 'b')
    await visit('/other', 'c')
    const back = listing.load('/secret')
    assert.deepEqual(shown(), ['a'])
    await asked.at(-1)?.refuse(status)
    await back
    assert.equal(listing.state.value.kind === 'failed' && listing.state.value.status, status)
    for (const path of ['/secret', '/secret/deep']) {
      void listing.load(path)
      assert.deepEqual(shown(), [])
    }
    workspace.dispose()
  }
})

test('a busy or unreachable server keeps the rows of a known folder, and reports that they are outdated', async () => {
  const { workspace, listing, shown, visit } = start()
  await visit('/', 'a')
  await visit('/below', 'b')
  const back = listing.load('/')
  await asked.at(-1)?.refuse(503)
  await back
  assert.deepEqual(shown(), ['a'])
  assert.equal(workspace.use(noticesSlice).list.value.at(-1)?.kind, 'error')
  workspace.dispose()
})

test('a file in place of a known folder is shown as a file', async () => {
  const { workspace, listing, shown, visit } = start()
  await visit('/thing', 'a')
  await visit('/other', 'thing')
  const back = listing.load('/thing')
  await asked.at(-1)?.answerFile()
  await back
  assert.equal(listing.state.value.kind, 'file')
  await visit('/other', 'thing')
  void listing.load('/thing')
  assert.deepEqual(shown(), ['thing'])
  workspace.dispose()
})

test('the folders of one user are not shown to the next', async () => {
  const user = signal<TokenUser | null>(ann)
  const current = followUser(user)
  const first = current.value.use(listingSlice)
  const loaded = first.load('/')
  await asked.at(-1)?.answer('secret')
  await loaded
  user.value = { ...ann, id: 2, username: 'ben' }
  const next = current.value.use(listingSlice)
  void next.load('/')
  assert.equal(next.state.value.kind, 'nothing')
  current.value.dispose()
})

test('a folder that was removed from its parent is forgotten, because another may get its name', () => {
  const known = new KnownFolders()
  const keep = (path: string, ...items: ResourceItem[]) =>
    known.keep({ kind: 'folder', path, resource: resourceOf(items), entries: entriesOf(resourceOf(items)) })
  keep('/a', folder('b', { path: '/a/b' }))
  keep('/a/b', file('x', { path: '/a/b/x' }))
  keep('/', folder('a'))
  assert.ok(known.get('/a') && known.get('/a/b'))
  keep('/', file('a'))
  assert.deepEqual([known.get('/a'), known.get('/a/b')], [undefined, undefined])
})

test('a limited number of entries is kept, and the folders that were read longest ago are forgotten first', () => {
  const known = new KnownFolders(10)
  const keep = (path: string, count: number) => {
    const items = Array.from({ length: count }, (_, index) => file(String(index)))
    const resource = resourceOf(items)
    known.keep({ kind: 'folder', path, resource, entries: items.map((item) => ({ ...item, key: item.path })) })
  }
  const kept = () => ['/a', '/b', '/c', '/d'].filter((path) => known.get(path))
  keep('/a', 4)
  keep('/b', 4)
  assert.deepEqual(kept(), ['/a', '/b'])
  keep('/a', 3)
  keep('/c', 4)
  assert.deepEqual(kept(), ['/a', '/c'])
  keep('/d', 100)
  assert.deepEqual(kept(), [])
  keep('/a', 9)
  assert.deepEqual(kept(), ['/a'])
})
