// New, rename and delete: their requests and what is shown.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flipLast } from '../../src-ui/acts/flip-act.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { presentItems } from '../../src-ui/core/present-items.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { makeFile, makeFolder, makeFolderIn } from '../../src-ui/operations/make.ts'
import { remove } from '../../src-ui/operations/remove.ts'
import { rename } from '../../src-ui/operations/rename.ts'
import { renameDraftsSlice } from '../../src-ui/operations/rename-draft.ts'
import { restore } from '../../src-ui/operations/restore.ts'
import { chosen, entries, type Folders, pick, said, settled, shown, startFolders, withoutOperations } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { workspace } from './workspace.ts'

const listing = workspace.use(listingSlice)
const overlays = workspace.use(overlaysSlice)
const notices = workspace.use(noticesSlice)

const { afterEach, beforeEach } = hooksOf(import.meta.filename)

let folders: Folders

beforeEach(async () => {
  folders = await startFolders({ '/': ['a.txt', 'b.txt', 'c.txt', 'd/'], '/d': ['a.txt', 'x/'], '/d/x': [] })
})
afterEach(() => folders.close())

const entry = (name: string) => entries(name)[0] ?? assert.fail(`no ${name}`)
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '')
const saidPlainly = () => said().map(plain)
/** The notices with their buttons. */
const offered = () => notices.list.value.map(({ text, action }) => plain([text, action?.label].filter(Boolean).join(' → ')))

/** Opens a rename in place and types a name. */
function typeName(name: string, typed: string) {
  const drafts = workspace.use(renameDraftsSlice)
  const of = entry(name)
  overlays.open({ kind: 'rename', entry: of, inPlace: true })
  const draft = drafts.draftOf(name)
  draft.name.value = typed
  return { draft, give: () => drafts.give(of, draft) }
}

test('a new file is empty, listed and selected', async () => {
  assert.equal(await makeFile(workspace, 'new.txt'), undefined)
  await settled()
  assert.deepEqual(folders.asked, ['POST /new.txt'])
  assert.deepEqual(chosen(), ['new.txt'])
})

test('a new folder is listed and selected', async () => {
  assert.equal(await makeFolder(workspace, 'new'), undefined)
  await settled()
  assert.deepEqual(folders.asked, ['POST /new/'])
  assert.deepEqual(chosen(), ['new'])
})

test('the names of new files and folders are trimmed, and then checked', async () => {
  assert.equal(await makeFile(workspace, ' new file.txt\t'), undefined)
  assert.equal(await makeFolder(workspace, '\u00a0new folder '), undefined)
  assert.equal(await makeFolderIn(workspace, '/d', ' y '), undefined)
  await settled()
  assert.deepEqual(folders.asked, ['POST /new file.txt', 'POST /new folder/', 'POST /d/y/'])
  assert.deepEqual(chosen(), ['new folder'])
  for (const name of ['   ', ' a.txt ']) assert.equal(typeof (await makeFile(workspace, name)), 'string', name)
  assert.equal(folders.asked.length, 3)
})

test('an invalid name is refused beside the field, without a request', async () => {
  for (const name of ['', 'a/b', '.', '..', 'a.txt', 'd', 'x'.repeat(256)])
    assert.equal(typeof (await makeFile(workspace, name)), 'string', name)
  assert.deepEqual(folders.asked, [])
})

test('a name taken meanwhile and a missing permission are reported as such', async () => {
  folders.refusals = { 'POST /late.txt': 409, 'POST /no.txt': 403, 'POST /no/': 403 }
  assert.match((await makeFile(workspace, 'late.txt')) ?? '', /already here/)
  assert.match((await makeFile(workspace, 'no.txt')) ?? '', /have permission to create a file/)
  assert.match((await makeFolder(workspace, 'no')) ?? '', /have permission to create a folder/)
})

test('a new folder elsewhere leaves the listing alone', async () => {
  assert.equal(await makeFolderIn(workspace, '/d', 'y'), undefined)
  await settled()
  assert.deepEqual(folders.asked, ['POST /d/y/'])
  assert.deepEqual(chosen(), [])
})

test('rename: the name is trimmed, the entry stays selected under its new name', async () => {
  assert.equal(await rename(workspace, entry('b.txt'), '  z.txt '), undefined)
  assert.deepEqual(folders.asked, ['rename /b.txt /z.txt'])
  assert.deepEqual([shown(), chosen()], [['d', 'a.txt', 'c.txt', 'z.txt'], ['z.txt']])
})

test('rename: the old name again is no change, a bad or a taken one stays beside the field', async () => {
  assert.equal(await rename(workspace, entry('b.txt'), ' b.txt '), undefined)
  assert.match((await rename(workspace, entry('b.txt'), '')) ?? '', /Enter a name/)
  assert.match((await rename(workspace, entry('b.txt'), 'x/y')) ?? '', /slash/)
  assert.match((await rename(workspace, entry('b.txt'), 'c.txt')) ?? '', /already here/)
  assert.deepEqual(folders.asked, [])
  folders.refusals = { 'rename /b.txt /q.txt': 409, 'rename /b.txt /r.txt': 403 }
  assert.match((await rename(workspace, entry('b.txt'), 'q.txt')) ?? '', /already here/)
  assert.match((await rename(workspace, entry('b.txt'), 'r.txt')) ?? '', /not renamed: You don’t have permission/)
})

test('rename: an entry that somebody else deletes meanwhile says so, with the name that was typed', async () => {
  overlays.open({ kind: 'rename', entry: entry('b.txt'), inPlace: true })
  workspace.use(renameDraftsSlice).draftOf('b.txt').name.value = 'a long new name.txt'
  folders.stand['/'] = ['a.txt', 'c.txt', 'd/']
  await listing.refresh()
  assert.equal(overlays.current.value.kind, 'none')
  assert.deepEqual(saidPlainly(), ['error: “b.txt” is no longer here: You had typed “a long new name.txt”.'])
})

test('rename: what cannot be loaded is said beside the field, or with the typed name once it is closed, and can be given again', async (context) => {
  const { draft, give } = typeName('b.txt', 'long name.txt')
  const end = withoutOperations(context)
  await give()
  const reason = 'Check the connection, or load the page again.'
  assert.deepEqual([draft.problem.value, overlays.current.value.kind, said()], [reason, 'rename', []])
  const given = give()
  overlays.close('rename')
  await given
  assert.deepEqual(saidPlainly(), [`error: “b.txt” was not renamed: ${reason} You had typed “long name.txt”.`])
  end()
  await give()
  assert.deepEqual(folders.asked, ['rename /b.txt /long name.txt'])
})

test('rename: what is refused after the entry has gone is told with both names, and the keys work again', async () => {
  const { give } = typeName('b.txt', 'long name.txt')
  const held = Promise.withResolvers<void>()
  folders.held = held.promise
  folders.refusals = { 'rename /b.txt /long name.txt': 404 }
  const given = give()
  await settled()
  folders.stand['/'] = ['a.txt', 'c.txt', 'd/']
  await listing.refresh()
  assert.equal(overlays.current.value.kind, 'rename')
  held.resolve()
  await given
  assert.equal(overlays.current.value.kind, 'none')
  assert.match(saidPlainly().join(), /^error: “b\.txt” was not renamed: .+ You had typed “long name\.txt”\.$/)
})

test('rename: one whose answer is lost is done when the folder has the entry under its new name alone', async () => {
  folders.lost = ['rename /b.txt /z.txt', 'undo h1']
  assert.equal(await rename(workspace, entry('b.txt'), 'z.txt'), undefined)
  assert.deepEqual([shown(), chosen()], [['d', 'a.txt', 'c.txt', 'z.txt'], ['z.txt']])
  await flipLast(workspace, 'undo')
  assert.deepEqual([shown(), chosen()], [['d', 'a.txt', 'b.txt', 'c.txt'], ['b.txt']])
  assert.deepEqual(saidPlainly(), ['success: Undone: rename of “z.txt”'])
})

test('a new folder or file whose answer is lost is there, also when that is only found when it is tried again', async () => {
  folders.lost = ['POST /new/', 'POST /new.txt', 'POST /later/', 'POST /later.txt']
  assert.equal(await makeFolder(workspace, 'new'), undefined)
  assert.equal(await makeFile(workspace, 'new.txt'), undefined)
  await settled()
  const reach = globalThis.fetch
  const isAway = (address: string, { method }: RequestInit) => method === 'GET' && address.includes('later')
  globalThis.fetch = ((address: string, init: RequestInit) =>
    isAway(address, init) ? Promise.reject(new TypeError('away')) : reach(address, init)) as typeof fetch
  for (const again of [() => makeFolder(workspace, 'later'), () => makeFile(workspace, 'later.txt')])
    assert.match((await again()) ?? '', /could not be reached/)
  globalThis.fetch = reach
  await listing.refresh()
  assert.equal(await makeFolder(workspace, 'later'), undefined)
  assert.equal(await makeFile(workspace, 'later.txt'), undefined)
  await settled()
  assert.deepEqual(chosen(), ['later.txt'])
  assert.equal(folders.asked.length, 4)
  assert.match((await makeFolder(workspace, 'later')) ?? '', /already here/)
})

test('rename: one that did not reach the server, or whose new name is that of something else, is not done', async () => {
  folders.refusals = { 'rename /b.txt /z.txt': 502, 'rename /c.txt /y': 404 }
  assert.match((await rename(workspace, entry('b.txt'), 'z.txt')) ?? '', /not renamed/)
  folders.stand['/'] = ['a.txt', 'b.txt', 'y/', 'd/']
  assert.match((await rename(workspace, entry('c.txt'), 'y')) ?? '', /not renamed/)
})

test('rename: names of any kind arrive as they are', async () => {
  for (const name of ['100% + a b?#.txt', 'a%2Fb', 'ä 😀']) {
    await rename(workspace, listing.sortedEntries.value.entries.find(({ isDir }) => !isDir) ?? assert.fail(), name)
    assert.equal(folders.asked.at(-1)?.endsWith(` /${name}`), true, folders.asked.at(-1))
  }
})

test('after delete nothing is selected, and the focus is on the neighbour: the next one, else the one before', async () => {
  let closed = 0
  await remove(workspace, entries('b.txt'), () => {
    closed += 1
  })
  assert.deepEqual([folders.asked, chosen(), closed], [['DELETE /b.txt'], [], 1])
  assert.equal(listing.selection.value.focus, '/c.txt')
  await remove(workspace, entries('c.txt'), () => {})
  assert.deepEqual([chosen(), listing.selection.value.focus], [[], '/a.txt'])
})

test('what is selected while a delete is under way stays selected', async () => {
  pick('/b.txt')
  const removing = remove(workspace, listing.selected.value, () => {})
  pick('/a.txt')
  await removing
  assert.deepEqual([shown(), chosen()], [['d', 'a.txt', 'c.txt'], ['a.txt']])
})

test('after a failed delete the selection stays; the notice says what failed and why, and the listing is loaded again', async () => {
  folders.refusals = { 'DELETE /c.txt': 403 }
  pick('/a.txt', '/c.txt')
  await remove(workspace, listing.selected.value, () => {})
  assert.deepEqual(shown(), ['d', 'b.txt', 'c.txt'])
  // And not the neighbour of what went.
  assert.deepEqual(chosen(), ['c.txt'])
  assert.match(
    said().join(),
    /^success: 1 item moved to the trash,error: 1 item was not deleted: .*c\.txt.*You don’t have permission to do this here\.$/,
  )
})

test('a stopped delete keeps the rest, with the focus on the neighbour of the deleted entries', async () => {
  folders.cancelledAfter = 1
  await remove(workspace, entries('a.txt', 'b.txt', 'c.txt'), () => {})
  assert.deepEqual(folders.asked, ['DELETE /a.txt'])
  assert.deepEqual(shown(), ['d', 'b.txt', 'c.txt'])
  assert.deepEqual([chosen(), listing.selection.value.focus], [[], '/b.txt'])
  assert.deepEqual(said(), ['success: 1 item moved to the trash'])
})

test('a delete or restore of one file whose answer is lost is done when the server did it, and can be undone', async () => {
  folders.trash = {}
  folders.lost = ['DELETE /b.txt', 'restore item1 ask', 'DELETE /c.txt']
  await remove(workspace, entries('b.txt'), () => {})
  await settled()
  assert.deepEqual(shown(), ['d', 'a.txt', 'c.txt'])
  assert.deepEqual(offered(), ['1 item moved to the trash → Undo delete of “b.txt”'])
  const item = { id: 'item1', path: '/b.txt', name: 'b.txt', isDir: false, size: 1 }
  const { restored, failed, act } = await restore(workspace, [item])
  assert.deepEqual([restored, failed, typeof act], [[{ id: 'item1', path: '/b.txt' }], [], 'string'])
  assert.deepEqual(chosen(), ['b.txt'])
  notices.list.value = []
  await remove(workspace, entries('c.txt'), () => {}, { isForGood: true })
  await settled()
  assert.deepEqual([shown(), offered()], [['d', 'a.txt', 'b.txt'], []])
})

test('a file that the server cannot be asked to delete stays selected, and the notice says why', async () => {
  folders.lost = ['DELETE /b.txt']
  folders.refusals = { 'DELETE /b.txt': 503 }
  pick('/b.txt')
  await remove(workspace, listing.selected.value, () => {})
  assert.deepEqual(chosen(), ['b.txt'])
  assert.match(said().join(), /^error: 1 item was not deleted: .*b\.txt.*could not be reached/)
})

test('a delete whose job cannot begin deletes nothing, says why, and keeps all selected', async () => {
  folders.refusals = { 'POST /api/jobs': 503 }
  pick('/a.txt', '/b.txt', '/c.txt')
  await remove(workspace, listing.selected.value, () => {})
  assert.deepEqual(folders.asked, [])
  assert.deepEqual(chosen(), ['a.txt', 'b.txt', 'c.txt'])
  assert.match(said().join(), /^error: 3 items were not deleted: .*a\.txt.*The server is busy/)
})

test('one file is deleted by a call, a folder by a job, whose prompt closes when it goes on without the page', async () => {
  folders.trash = {}
  let closed = 0
  await remove(workspace, entries('d'), () => {
    closed += 1
  })
  assert.deepEqual([shown(), closed, Object.values(folders.trash)], [['a.txt', 'b.txt', 'c.txt'], 1, ['/d/']])
})

test('what a prompt is about is what the folder still has, as it is now; of other folders nothing is known', async () => {
  const asked = entries('a.txt', 'b.txt', 'd')
  const elsewhere = { path: '/d/x', name: 'x', isDir: true, size: 0, modified: '' }
  const names = () => presentItems(listing, [...asked, elsewhere]).map(({ path, isDir }) => (isDir ? `${path}/` : path))
  assert.deepEqual(names(), ['/d/', '/a.txt', '/b.txt', '/d/x/'])
  folders.stand['/'] = ['a.txt', 'b.txt/', 'c.txt']
  await listing.refresh()
  assert.deepEqual(names(), ['/a.txt', '/d/x/'])
  assert.equal(presentItems(listing, asked)[0], entry('a.txt'))
})

test('deleting what somebody else has deleted succeeds', async () => {
  folders.refusals = { 'DELETE /b.txt': 404 }
  await remove(workspace, entries('b.txt'), () => {})
  assert.deepEqual(said(), [])
})
