// Rules are applied to real paths, whatever links a path goes through.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deny, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

const files = {
  'a/sub/key.txt': 'secret',
  'a/sub/open.txt': 'open',
  'a/other.txt': 'other',
  'pub/l': { link: '../a' },
  'pub/deep': { link: 'l/sub' },
  'mine/sub/key.txt': 'mine',
} as const

async function start(t: TestContext) {
  const app = await startApp(t, { files, rules: [deny('/a/sub/key.txt')] })
  return { app, ann: await app.as('ann'), before: await harvest(app.root) }
}

test('a listing through a link to an ancestor does not show the hidden name', async (t) => {
  const { ann } = await start(t)
  assert.deepEqual(await ann.list('/a/sub'), ['open.txt'])
  assert.deepEqual(await ann.list('/pub/l/sub'), ['open.txt'])
  assert.deepEqual(await ann.list('/pub/deep'), ['open.txt'])
})

test('what the rules block is not read through a link to an ancestor', async (t) => {
  const { ann } = await start(t)
  for (const path of ['/pub/l/sub/key.txt', '/pub/deep/key.txt']) {
    assert.equal((await ann.raw(path)).status, 403, path)
    assert.equal((await ann.get(path)).status, 403, path)
    assert.equal((await ann.save(path, 'x')).status, 403, path)
  }
  assert.equal((await ann.raw('/pub/l/sub/open.txt')).status, 200)
})

for (const [what, change] of [
  ['moving', (ann) => ann.move('/pub/l/sub', '/mine/taken')],
  ['moving with override', (ann) => ann.move('/pub/l/sub', '/mine/sub', 'override=true')],
  ['deleting', (ann) => ann.remove('/pub/l/sub')],
  ['copying over it', (ann) => ann.copy('/mine/sub', '/pub/l/sub', 'override=true')],
  ['moving over it', (ann) => ann.move('/mine/sub', '/pub/l/sub', 'override=true')],
  ['uploading over it', (ann) => ann.upload('/pub/l/sub/key.txt', 'x', 'override=true')],
] as const satisfies [string, (ann: Awaited<ReturnType<typeof start>>['ann']) => Promise<Response>][]) {
  test(`${what} through a link to an ancestor of a blocked path is refused before the first change`, async (t) => {
    const { app, ann, before } = await start(t)
    assert.equal((await change(ann)).status, 403)
    assert.deepEqual(await harvest(app.root), before)
  })
}

test('a copy by a link to an ancestor leaves out what the rules block', async (t) => {
  const { app, ann } = await start(t)
  assert.equal((await ann.copy('/pub/l/sub', '/mine/copy')).status, 200)
  const { 'mine/copy/open.txt': open, 'mine/copy/key.txt': key } = await harvest(app.root)
  assert.deepEqual([open, key], ['open', undefined])
})

test('a new tree is not copied through a link to what the rules block', async (t) => {
  const app = await startApp(t, { files: { ...files, 'mine/new/x/key.txt': 'x' }, rules: [deny('/a/new/x')] })
  const ann = await app.as('ann')
  const before = await harvest(app.root)
  assert.equal((await ann.copy('/mine/new', '/pub/l/new')).status, 403)
  assert.equal((await ann.upload('/pub/l/new/x/f', 'x')).status, 403)
  assert.deepEqual(await harvest(app.root), before)
})
