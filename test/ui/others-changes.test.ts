// The shown folder is refreshed automatically: on return to the page, and during uploads into it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { dragSlice } from '../../src-ui/core/drag.ts'
import { presenceSlice } from '../../src-ui/core/presence.ts'
import { locked } from '../../src-ui/core/session.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { Arrivals } from '../../src-ui/uploads/arrivals.ts'
import { type Folders, pick, said, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const { afterEach } = hooksOf(import.meta.filename)
const { returns } = workspace.use(presenceSlice)
const drag = workspace.use(dragSlice)

let folders: Folders
let listings = 0
afterEach(() => {
  locked.value = false
  folders.close()
})

async function start(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  folders = await startFolders({ '/': ['a.txt', 'b.txt'] })
  const answer = globalThis.fetch
  listings = 0
  globalThis.fetch = ((address: string, init: RequestInit) => {
    if (init.method === 'GET') listings += 1
    return answer(address, init)
  }) as typeof fetch
}

async function pass(context: TestContext, milliseconds: number): Promise<void> {
  context.mock.timers.tick(milliseconds)
  await settled()
}

test('a folder is refreshed when the user returns to the page, but not twice within two seconds', async (context) => {
  await start(context)
  pick('/b.txt')
  folders.stand['/'] = ['a.txt', 'aa.txt', 'b.txt']
  returns.value += 1
  returns.value += 1
  await settled()
  assert.equal(listings, 0)
  await pass(context, 2000)
  assert.equal(listings, 1)
  assert.deepEqual(shown(), ['a.txt', 'aa.txt', 'b.txt'])
  await pass(context, 60_000)
  assert.equal(listings, 1)
})

test('nothing is refreshed during a drag or after the end of the session, and a failure is not reported', async (context) => {
  await start(context)
  drag.cancel.value = () => {}
  returns.value += 1
  await pass(context, 2000)
  drag.cancel.value = undefined
  locked.value = true
  returns.value += 1
  await pass(context, 2000)
  locked.value = false
  assert.equal(listings, 0)
  delete folders.stand['/']
  globalThis.fetch = () => Promise.reject(new TypeError('lost'))
  returns.value += 1
  await pass(context, 2000)
  assert.deepEqual([shown(), said()], [['a.txt', 'b.txt'], []])
})

test('a refresh that fails for now does not take the folder away, not even for a moment', async (context) => {
  await start(context)
  const listing = workspace.use(listingSlice)
  const seen = new Set<string>()
  const stop = listing.state.subscribe(({ kind }) => void seen.add(kind))
  globalThis.fetch = () => Promise.reject(new TypeError('lost'))
  await listing.refresh()
  stop()
  assert.deepEqual([...seen], ['folder'])
  assert.equal(said().length, 1)
})

test('uploaded files are shown at once, then at most once a second, and only in the shown folder', async (context) => {
  await start(context)
  const arrivals = new Arrivals(workspace)
  arrivals.note('/elsewhere')
  await settled()
  assert.equal(listings, 0)
  for (let count = 0; count < 50; count++) arrivals.note('/')
  await settled()
  assert.equal(listings, 1)
  for (let count = 0; count < 50; count++) arrivals.note('/')
  await pass(context, 990)
  assert.equal(listings, 1)
  await pass(context, 200)
  assert.equal(listings, 2)
  await pass(context, 60_000)
  assert.equal(listings, 2)
})
