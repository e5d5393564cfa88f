// A restore under another name that is undone: what counts on the entry finds it in the trash, and follows it out of there again.
import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { historyCalls } from '../support/history-calls.ts'
import { downloaded, share, sharesOf } from '../support/share-calls.ts'
import { startApp } from '../support/start-app.ts'
import { deleted, itemsOf, restore } from '../support/trash-calls.ts'
import { tusCalls } from '../support/tus-calls.ts'

async function start(t: TestContext) {
  const app = await startApp(t, { files: { 'd/x': 'x', f: 'f' } })
  const ann = await app.as('ann')
  const { act, undo } = historyCalls(app.url, ann)
  const dl = (hash: string, rest?: string) => downloaded(app.principal(), hash, rest)
  return { ...app, ann, act, undo, dl }
}

/** Puts an item back beside what has its name. */
async function restoredBeside({ ann, act }: Awaited<ReturnType<typeof start>>, path: string) {
  const item = await deleted(ann, path)
  if (path === '/d') await ann.makeFolder(path)
  else await ann.upload(path, 'another')
  await restore(act(), [item], 'number')
}

test('links to a folder, and to what is in it, follow it', async (t) => {
  const app = await start(t)
  const { ann, undo, dl } = app
  await restoredBeside(app, '/d')
  const [folder, below] = [await share(ann, '/d(1)'), await share(ann, '/d(1)/x')]
  assert.equal((await undo()).status, 200)
  const items = (await itemsOf(ann)).map(({ id }) => id)
  assert.equal((await sharesOf(ann)).filter(({ inTrash }) => inTrash).length, 2)
  await restore(ann, items, 'number')
  assert.deepEqual([await dl(folder.hash, '/x'), await dl(below.hash)], Array(2).fill([200, 'x']))
})

test('a link to a file follows it', async (t) => {
  const app = await start(t)
  const { ann, undo, dl } = app
  await restoredBeside(app, '/f')
  const { hash } = await share(ann, '/f(1)')
  assert.equal((await undo()).status, 200)
  const items = await itemsOf(ann)
  // It is what it was before it was put back.
  assert.deepEqual(
    items.map(({ path }) => path),
    ['/f'],
  )
  await restore(ann, [items[0]?.id ?? ''], 'number')
  assert.deepEqual(await dl(hash), [200, 'f'])
})

test('a link to what was deleted through another link follows it when that is undone', async (t) => {
  const { root, ann, act, undo, dl } = await start(t)
  symlinkSync('d', join(root, 'l'))
  const { hash } = await share(ann, '/d/x')
  assert.equal((await act().remove('/l/x')).status, 200)
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await dl(hash), [200, 'x'])
})

test('an upload into a folder goes on in it', async (t) => {
  const app = await start(t)
  const { root, ann, undo } = app
  await restoredBeside(app, '/d')
  const tus = tusCalls(ann)
  const address = (await tus.create('/d(1)/a', 6)).headers.get('location') ?? ''
  assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
  assert.deepEqual((await undo()).undone.left, [])
  await ann.makeFolder('/d(1)')
  const [{ id = '' } = {}] = await itemsOf(ann)
  const [back] = (await restore(ann, [id], 'number')).restored
  assert.equal((await tus.patch(address, 3, 'def')).status, 204)
  assert.equal(readFileSync(join(root, back?.path ?? '', 'a'), 'utf8'), 'abcdef')
})
