// Conflicts are known before anything is sent: the names that exist already in the target folders.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { ExistingNames } from '../../src-ui/operations/existing-names.ts'
import { type Folders, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const listing = workspace.use(listingSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders
let asked: string[]

beforeEach(async () => {
  folders = await startFolders({
    '/': ['a.txt', 'trip/', 'note'],
    '/trip': ['a.jpg', 'day 1/'],
    '/trip/day 1': ['b.jpg'],
    '/other': [],
  })
  asked = []
  const reach = globalThis.fetch
  globalThis.fetch = (address, init) => {
    asked.push(decodeURIComponent(String(address)).replace('/api/resources', '').replace(/\?.*/, ''))
    return reach(address, init)
  }
})
afterEach(() => folders.close())

const found = async (names: ExistingNames, ...paths: string[]) => [...(await names.at(paths)).keys()]

test('the shown folder is not requested, and folders below it only if they exist', async () => {
  const names = new ExistingNames(workspace, '/')
  assert.deepEqual(await found(names, '/a.txt', '/b.txt', '/new', '/new/a.txt'), ['/a.txt'])
  assert.deepEqual(asked, [])
  assert.deepEqual(await found(names, '/trip', '/trip/a.jpg', '/trip/day 1/b.jpg', '/trip/day 2/b.jpg'), [
    '/trip',
    '/trip/a.jpg',
    '/trip/day 1/b.jpg',
  ])
  assert.deepEqual(asked, ['/trip', '/trip/day 1'])
})

test('each folder is requested once, also during navigation', async () => {
  const names = new ExistingNames(workspace, '/trip')
  await listing.load('/other')
  asked = []
  const both = await Promise.all([found(names, '/trip/a.jpg'), found(names, '/trip/a.jpg', '/trip/z.jpg')])
  assert.deepEqual([both, asked], [[['/trip/a.jpg'], ['/trip/a.jpg']], ['/trip']])
})

test('a file in place of a folder and an unreadable folder have no existing names', async () => {
  const names = new ExistingNames(workspace, '/')
  assert.deepEqual(await found(names, '/note/a.txt'), [])
  assert.deepEqual(await found(new ExistingNames(workspace, '/gone'), '/gone/a.txt'), [])
})
