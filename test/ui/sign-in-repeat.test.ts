// Every change of files, and every listing, that was refused after the end of a session is repeated after the sign-in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { isSignInAsked, locked, login, postponeSignIn, token } from '../../src-ui/core/session.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { makeFile, makeFolder } from '../../src-ui/operations/make.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { rename } from '../../src-ui/operations/rename.ts'
import { transfer } from '../../src-ui/operations/transfer.ts'
import { uploadsSlice } from '../../src-ui/uploads/uploads-slice.ts'
import { tokenOf } from './answering.ts'
import { ann, entries, type Folders, pick, said, settled, shown, startFolders } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const listing = workspace.use(listingSlice)
const overlays = workspace.use(overlaysSlice)

const { afterEach } = hooksOf(import.meta.filename)

let folders: Folders
afterEach(() => {
  postponeSignIn()
  locked.value = false
  token.value = undefined
  folders.close()
})

async function start(): Promise<void> {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'into/'], '/into': ['in.txt'], '/later': ['late.txt'] })
  token.value = tokenOf('ann', 1, ann.id)
  folders.isSignedOut = true
}

const only = (name: string) => entries(name)[0] ?? assert.fail(`there is no ${name}`)

const actions: [name: string, act: () => Promise<unknown>, asked: string[]][] = [
  ['a new folder', () => makeFolder(workspace, 'new'), ['POST /new/']],
  ['a new file', () => makeFile(workspace, 'new.txt'), ['POST /new.txt']],
  ['a rename', () => rename(workspace, only('a.txt'), 'c.txt'), ['rename /a.txt /c.txt']],
  ['a deletion', () => remove(workspace, entries('a.txt', 'b.txt'), () => {}), ['DELETE /a.txt', 'DELETE /b.txt']],
  ['a move', () => transfer(workspace, { action: 'move', items: entries('a.txt'), to: '/into' }), ['rename /a.txt /into/a.txt']],
  ['a copy', () => transfer(workspace, { action: 'copy', items: entries('b.txt'), to: '/into' }), ['copy /b.txt /into/b.txt']],
]

for (const [name, act, asked] of actions)
  test(`${name} that was refused after the end of a session is repeated after the sign-in`, async () => {
    await start()
    const done = act()
    await settled()
    assert.deepEqual([isSignInAsked.value, folders.asked], [true, []])
    await login('ann', 'secret')
    await done
    await settled()
    assert.deepEqual(folders.asked, asked)
    assert.equal(isSignInAsked.value, false)
    assert.equal(said().filter((text) => text.startsWith('error')).length, 0)
  })

test('a folder that was requested after the end of the session is shown after the sign-in', async () => {
  await start()
  const loaded = listing.load('/into')
  await settled()
  assert.deepEqual(shown(), ['into', 'a.txt', 'b.txt'])
  await login('ann', 'secret')
  await loaded
  assert.deepEqual(shown(), ['in.txt'])
})

test('a folder that was refused because the sign-in was postponed is shown as soon as the user has signed in', async () => {
  await start()
  const loaded = listing.load('/later')
  await settled()
  postponeSignIn()
  await loaded
  assert.equal(listing.state.value.kind === 'failed' && listing.state.value.status, 401)
  await login('ann', 'secret')
  await settled()
  assert.deepEqual(shown(), ['late.txt'])
})

test('a folder that is refreshed when the sign-in is postponed stays as it is, with its selection', async () => {
  await start()
  pick('/a.txt')
  const refreshed = listing.refresh()
  await settled()
  postponeSignIn()
  await refreshed
  assert.deepEqual(shown(), ['into', 'a.txt', 'b.txt'])
  assert.deepEqual([...listing.selection.value.keys], ['/a.txt'])
  assert.deepEqual(said(), [])
})

test('a folder that is uploaded waits for the sign-in', async () => {
  await start()
  const uploads = workspace.use(uploadsSlice)
  void uploads.uploadDropped('/', [[{ path: 'album' }]])
  await settled()
  assert.equal(isSignInAsked.value, true)
  await login('ann', 'secret')
  await settled()
  assert.deepEqual(folders.asked, ['POST /album/'])
  uploads.clear()
})

test('a rename whose sign-in is postponed says so, and can be repeated', async () => {
  await start()
  const given = rename(workspace, only('a.txt'), 'c.txt')
  await settled()
  postponeSignIn()
  assert.match((await given) ?? '', /Your session has ended\. Sign in to continue\.$/)
})

test('the sign-in opens above other overlays, which stay open', async () => {
  await start()
  overlays.open({ kind: 'newDir' })
  const made = makeFolder(workspace, 'new')
  await settled()
  assert.deepEqual([isSignInAsked.value, overlays.current.value.kind], [true, 'newDir'])
  await login('ann', 'secret')
  assert.equal(await made, undefined)
  assert.equal(overlays.current.value.kind, 'newDir')
})
