// What is done with a folder in which an upload is unfinished. Its bytes are not seen by anything but the upload.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { historyCalls } from '../support/history-calls.ts'
import { restartApp } from '../support/restart-app.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { deleted, purge, restore } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'
import { told, tusCalls } from '../support/tus-calls.ts'
import { until } from '../support/until.ts'

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, { files: { 'one/d/x': 'x', 'two/': '' }, ...setup })
  const ann = await app.as('ann')
  const tus = tusCalls(ann)
  const address = (await tus.create('/one/d/a', 6)).headers.get('location') ?? ''
  assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
  const listed = async () => {
    const [one, ...more] = await tus.list()
    assert.deepEqual(more, [])
    return { path: one?.path, offset: one?.offset, isGone: one?.isGone }
  }
  const hidden = () => (fs.readdirSync(app.root, { recursive: true }) as string[]).filter((name) => name.endsWith('.upload'))
  return { ...app, ann, tus, address, listed, hidden }
}

/** A rename between the two folders of the root is one to another file system. */
const twoDisks: DiskSystem = {
  ...diskSystem,
  async rename(from, to) {
    const [one, other] = [from, to].map((path) => fs.realpathSync(dirname(String(path))))
    const isAcross = one?.includes('/one') && other?.includes('/two')
    if (isAcross) throw Object.assign(new Error('EXDEV'), { code: 'EXDEV', syscall: 'rename' })
    await diskSystem.rename(from, to)
  },
}

test('no listing, size, search, copy or archive shows the bytes of an unfinished upload', async (t) => {
  const { ann, root, hidden, tus, address } = await start(t)
  assert.deepEqual(await ann.list('/one/d'), ['x'])
  assert.equal((await ann.copy('/one/d', '/two/d')).status, 200)
  assert.deepEqual(fs.readdirSync(join(root, 'two/d')), ['x'])
  const zip = Buffer.from(await (await ann.raw('/one', 'algo=tar')).arrayBuffer()).toString('latin1')
  assert.ok(zip.includes('d/x') && !zip.includes('.upload'))
  const found = await (await ann.ask('GET', '/api/search/one?query=upload')).text()
  assert.ok(!found.includes('.upload'), found)
  const [name = ''] = hidden()
  for (const ask of [ann.get(`/${name}`), ann.raw(`/${name}`), ann.remove(`/${name}`), ann.move(`/${name}`, '/y')])
    assert.ok([403, 404].includes((await ask).status))
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(join(root, 'one')), { 'd/x': 'x', 'd/a': 'abcdef' })
})

test('an upload goes with a folder that is moved to another disk', async (t) => {
  const { ann, root, tus, address, listed, hidden } = await start(t, { services: { system: twoDisks } })
  assert.equal((await ann.move('/one/d', '/two/d')).status, 200)
  assert.deepEqual(await listed(), { path: '/two/d/a', offset: 3, isGone: false })
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 3, length: 6 })
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(root), { 'one/': '', 'two/d/x': 'x', 'two/d/a': 'abcdef' })
  assert.deepEqual(hidden(), [])
})

test('an upload is not gone while the rest of its folder is moved to another disk, nor when that fails', async (t) => {
  let onRemove: ((folder: string) => Promise<void>) | undefined
  const system: DiskSystem = {
    ...twoDisks,
    async rmdir(path) {
      await onRemove?.(fs.realpathSync(String(path)))
      await diskSystem.rmdir(path)
    },
  }
  const files = { 'one/d/x': 'x', 'one/d/e/y': 'y', 'two/': '' }
  const { ann, root, tus } = await start(t, { files, services: { system } })
  const deeper = (await tus.create('/one/d/e/b', 6)).headers.get('location') ?? ''
  assert.equal((await tus.patch(deeper, 0, 'abc')).status, 204)
  const removing = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  onRemove = async (folder) => {
    if (!folder.endsWith('/one/d')) return
    removing.resolve()
    await go.promise
    throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'rmdir' })
  }
  const moving = ann.move('/one/d', '/two/d')
  await removing.promise
  for (const answer of [await tus.head(deeper), await tus.patch(deeper, 3, 'def')])
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [423, '1'])
  go.resolve()
  assert.equal((await moving).status, 500)
  onRemove = undefined
  assert.deepEqual(told(await tus.patch(deeper, 3, 'def')), { status: 204, offset: 6 })
  assert.equal(fs.readFileSync(join(root, 'two/d/e/b'), 'utf8'), 'abcdef')
})

for (const fails of [false, true]) {
  test(`an upload that is dropped while the rest of its folder is moved leaves nothing${fails ? ', also when that fails' : ''}`, async (t) => {
    const [removing, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isWaiting = false
    const system: DiskSystem = {
      ...twoDisks,
      async rmdir(path) {
        if (isWaiting && fs.realpathSync(String(path)).endsWith('/one/d')) {
          isWaiting = false
          removing.resolve()
          await go.promise
          if (fails) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'rmdir' })
        }
        await diskSystem.rmdir(path)
      },
    }
    const files = { 'one/d/x': 'x', 'one/d/e/y': 'y', 'two/': '' }
    const { ann, tus, hidden, folder } = await start(t, { files, services: { system } })
    const deeper = (await tus.create('/one/d/e/b', 6)).headers.get('location') ?? ''
    assert.equal((await tus.patch(deeper, 0, 'abc')).status, 204)
    assert.equal(hidden().length, 2)
    isWaiting = true
    const moving = ann.move('/one/d', '/two/d')
    await removing.promise
    await Promise.all((await tus.list()).map(({ id }) => tus.end(`/api/uploads/${id}`)))
    go.resolve()
    assert.equal((await moving).status, fails ? 500 : 200)
    assert.deepEqual(hidden(), [])
    assert.deepEqual(fs.readdirSync(join(folder, 'state.json.uploads')), [])
  })
}

for (const [where, setup] of Object.entries({ 'the same disk': {}, 'another disk': { services: { system: twoDisks } } })) {
  test(`an upload goes with a folder that is merged with one on ${where}`, async (t) => {
    const files = { 'one/d/x': 'x', 'one/d/e/y': 'y', 'two/d/x': 'old', 'two/d/z': 'z' }
    const { ann, root, tus, address, listed, hidden } = await start(t, { files, ...setup })
    const deeper = (await tus.create('/one/d/e/b', 3)).headers.get('location') ?? ''
    assert.equal((await tus.patch(deeper, 0, '1')).status, 204)
    assert.equal((await ann.move('/one/d', '/two/d', 'override=true')).status, 200)
    assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 3, length: 6 })
    assert.deepEqual(told(await tus.patch(deeper, 1, '23')), { status: 204, offset: 3 })
    assert.deepEqual(await listed(), { path: '/two/d/a', offset: 3, isGone: false })
    assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
    const merged = { 'one/': '', 'two/d/x': 'x', 'two/d/z': 'z', 'two/d/e/y': 'y', 'two/d/e/b': '123', 'two/d/a': 'abcdef' }
    const found = Object.entries(await harvest(root)).filter(([path]) => !path.startsWith('.holdall-trash'))
    assert.deepEqual(Object.fromEntries(found), merged)
    assert.deepEqual(hidden(), [])
  })
}

test('an upload goes back with a folder whose move is undone', async (t) => {
  const { url, ann, root, tus, address, listed } = await start(t)
  const { act, undo } = historyCalls(url, ann)
  assert.equal((await act().move('/one/d', '/two/d')).status, 200)
  assert.equal((await listed()).path, '/two/d/a')
  assert.equal((await undo()).status, 200)
  assert.deepEqual(await listed(), { path: '/one/d/a', offset: 3, isGone: false })
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(root), { 'one/d/x': 'x', 'one/d/a': 'abcdef', 'two/': '' })
})

test('the folders that were made for an upload go with it when it is undone, wherever they are by then', async (t) => {
  const { url, root, ann } = await start(t)
  const { act, undo, redo, list } = historyCalls(url, ann)
  const send = async (path: string, key: string) => {
    const headers = { 'Holdall-Act': key }
    const sender = tusCalls(ann)
    // The answer was lost.
    assert.equal((await sender.create(path, 6, { headers })).status, 201)
    const address = (await sender.create(path, 6, { headers })).headers.get('location') ?? ''
    assert.equal((await sender.patch(address, 0, 'abc', headers)).status, 204)
    return () => sender.patch(address, 3, 'def', headers)
  }
  const [first, second] = [await send('/two/n/m/a', 'act-of-two-files-1'), await send('/two/n/b', 'act-of-two-files-1')]
  assert.equal((await act().move('/two/n', '/two/k')).status, 200)
  for (const rest of [second, first]) assert.equal((await rest()).status, 204)
  const after = { 'k/m/a': 'abcdef', 'k/b': 'abcdef' }
  assert.deepEqual(await harvest(join(root, 'two')), after)
  const [newest] = await list()
  assert.deepEqual([newest?.count, newest?.names], [2, ['b', 'a']])
  assert.deepEqual((await undo()).undone.left, [])
  assert.deepEqual(fs.readdirSync(join(root, 'two')), [])
  assert.deepEqual((await redo()).undone.left, [])
  assert.deepEqual(await harvest(join(root, 'two')), after)
})

test('an upload is no part of a folder that another one has made, and goes on when that is undone', async (t) => {
  const { url, root, as, ann } = await start(t, { users: { ann: {}, bob: {} } })
  const bob = tusCalls(await as('bob'))
  const { act, undo } = historyCalls(url, ann)
  const begun = async (path: string) => {
    const address = (await bob.create(path, 6)).headers.get('location') ?? ''
    assert.equal((await bob.patch(address, 0, 'abc')).status, 204)
    return address
  }
  assert.equal((await act().makeFolder('/n')).status, 200)
  const first = await begun('/n/a')
  const refused = await undo()
  assert.deepEqual([refused.status, refused.undone.left], [409, [{ path: '/n', how: 'notEmpty' }]])
  assert.deepEqual(told(await bob.patch(first, 3, 'def')), { status: 204, offset: 6 })
  assert.equal((await act().copy('/one', '/two/c')).status, 200)
  const second = await begun('/two/c/d/a')
  const { status, undone } = await undo()
  assert.deepEqual([status, undone.left, undone.act.state], [200, [], 'undone'])
  assert.deepEqual(told(await bob.patch(second, 3, 'def')), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(join(root, 'two')), { 'c/d/a': 'abcdef' })
})

test('an upload keeps the folder that a cancelled copy has made for nothing else', async (t) => {
  let onOpen: (() => Promise<void>) | undefined
  const system: DiskSystem = {
    ...diskSystem,
    async open(path, ...how) {
      if (String(path).endsWith('.part')) await onOpen?.()
      return diskSystem.open(path, ...how)
    },
  }
  const { ann, tus } = await start(t, { files: { 'one/d/x': 'x', 'two/': '' }, services: { system } })
  let address = ''
  onOpen = async () => {
    onOpen = undefined
    address = (await tus.create('/two/c/a', 6)).headers.get('location') ?? ''
    assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
    throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'open' })
  }
  assert.equal((await ann.copy('/one/d', '/two/c')).status, 500)
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
})

test('an upload goes with a folder that is restored under another name', async (t) => {
  const { ann, root, tus, address } = await start(t)
  const item = (await ann.remove('/one/d')).headers.get('holdall-trash') ?? ''
  // Another one at the same place, with an upload of its own.
  const other = (await tus.create('/one/d/b', 2)).headers.get('location') ?? ''
  assert.equal((await tus.patch(other, 0, '1')).status, 204)
  const body = JSON.stringify({ items: [item], taken: 'number' })
  const restored = await (await ann.ask('POST', '/api/trash/restore', { body })).json()
  assert.equal((restored as { restored: { path: string }[] }).restored[0]?.path, '/one/d(1)')
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 3, length: 6 })
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
  assert.deepEqual(told(await tus.patch(other, 1, '2')), { status: 204, offset: 2 })
  assert.deepEqual(await tus.list(), [])
  assert.deepEqual(await harvest(join(root, 'one')), { 'd/b': '12', 'd(1)/x': 'x', 'd(1)/a': 'abcdef' })
})

test('an upload that does not fit on the other disk stays where it is', async (t) => {
  let isFull = false
  const system: DiskSystem = {
    ...twoDisks,
    async open(path, ...how) {
      if (isFull && String(path).endsWith('.upload') && fs.realpathSync(dirname(String(path))).includes('/two'))
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'open' })
      return diskSystem.open(path, ...how)
    },
  }
  const { ann, root, tus, address, hidden } = await start(t, { services: { system } })
  isFull = true
  assert.equal((await ann.move('/one/d', '/two/d')).status, 507)
  assert.deepEqual(
    hidden().map((name) => dirname(name)),
    ['one/d'],
  )
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 3, length: 6 })
  isFull = false
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(root), { 'one/d/a': 'abcdef', 'two/d/x': 'x' })
})

test('an upload in a folder in the trash is listed, and goes on when that is restored', async (t) => {
  const { ann, root, tus, address, listed, hidden } = await start(t)
  const item = (await ann.remove('/one')).headers.get('holdall-trash') ?? ''
  assert.equal((await tus.head(address)).status, 410)
  assert.equal((await tus.patch(address, 3, 'def')).status, 410)
  assert.deepEqual(await listed(), { path: '/one/d/a', offset: 3, isGone: true })
  assert.equal(hidden().length, 1)
  const items = JSON.stringify({ items: [item] })
  assert.equal((await ann.ask('POST', '/api/trash/restore', { body: items })).status, 200)
  assert.deepEqual(told(await tus.head(address)), { status: 200, offset: 3, length: 6 })
  assert.equal((await listed()).isGone, false)
  const again = (await ann.remove('/one')).headers.get('holdall-trash') ?? ''
  assert.equal((await ann.ask('DELETE', '/api/trash', { body: JSON.stringify({ items: [again] }) })).status, 200)
  assert.equal((await tus.head(address)).status, 410)
  assert.deepEqual(hidden(), [])
  assert.equal((await listed()).isGone, true)
  assert.equal((await tus.end(address)).status, 204)
  assert.deepEqual(await tus.list(), [])
  assert.ok(fs.existsSync(join(root, 'two')))
})

const overs: Record<string, (started: Awaited<ReturnType<typeof start>>) => Promise<unknown>> = {
  dropped: async ({ tus, address }) => assert.equal((await tus.end(address)).status, 204),
  'too old': async ({ clock }) => {
    clock.advance({ days: 8 })
    clock.advance({ hours: 2 })
  },
}
for (const [how, end] of Object.entries(overs)) {
  for (const taken of [undefined, 'number']) {
    const otherName = taken ? ' under another name' : ''
    test(`an upload that is ${how} while its folder is in the trash leaves nothing when that is back${otherName}`, async (t) => {
      const started = await start(t)
      const { hidden, folder, root } = started
      const item = await deleted(started.ann, '/one')
      await end(started)
      const records = () => fs.readdirSync(join(folder, 'state.json.uploads'), { encoding: 'utf8' })
      const isOver = () =>
        records().length > 0 &&
        records().every((name) => fs.readFileSync(join(folder, 'state.json.uploads', name), 'utf8').includes('"ended":true'))
      await until(isOver, 'it is over')
      const again = await restartApp(started)
      const ann = await again.as('ann')
      assert.deepEqual(await tusCalls(ann).list(), [])
      if (taken) await ann.makeFolder('/one')
      await restore(ann, [item], taken)
      assert.deepEqual(hidden(), [])
      assert.deepEqual(records(), [])
      assert.equal(fs.readFileSync(join(root, taken ? 'one(1)' : 'one', 'd/x'), 'utf8'), 'x')
    })
  }
}

test('an upload that is dropped and whose folder is gone for good is known no more', async (t) => {
  const { ann, tus, address, folder } = await start(t)
  const item = await deleted(ann, '/one')
  await tus.end(address)
  await purge(ann, { items: [item] })
  assert.deepEqual(fs.readdirSync(join(folder, 'state.json.uploads')), [])
})

for (const look of [1, 2]) {
  test(`an upload that is dropped amid the restore of its folder leaves nothing: before look ${look} for it`, async (t) => {
    let missing = 0
    let begin: (() => Promise<void>) | undefined
    const renamed = Promise.withResolvers<void>()
    const system: DiskSystem = {
      ...diskSystem,
      async open(path, ...how) {
        try {
          return await diskSystem.open(path, ...how)
        } catch (error) {
          if (begin && String(path).endsWith('.upload') && ++missing === look) await begin()
          throw error
        }
      },
      async rename(from, to) {
        await diskSystem.rename(from, to)
        renamed.resolve()
      },
    }
    const { ann, tus, address, hidden } = await start(t, { services: { system } })
    const item = await deleted(ann, '/one/d')
    // Another folder of its name, in which nothing is found.
    await ann.makeFolder('/one/d')
    let restored: Promise<unknown> | undefined
    begin = async () => {
      restored = restore(ann, [item], 'number')
      await renamed.promise
    }
    assert.equal((await tus.end(address)).status, 204)
    assert.ok(restored)
    await restored
    assert.deepEqual(hidden(), [])
    assert.deepEqual(await tus.list(), [])
  })
}

test('an upload in a folder in the trash stays with it when others have its path, or the path above it, and are moved', async (t) => {
  const { ann, root, tus, address, listed } = await start(t)
  const item = (await ann.remove('/one/d')).headers.get('holdall-trash') ?? ''
  assert.equal((await ann.makeFolder('/one/d')).status, 200)
  assert.equal((await ann.move('/one/d', '/two/e')).status, 200)
  assert.equal((await ann.move('/one', '/three')).status, 200)
  assert.equal((await listed()).path, '/one/d/a')
  const items = JSON.stringify({ items: [item] })
  assert.equal((await ann.ask('POST', '/api/trash/restore', { body: items })).status, 200)
  assert.deepEqual(told(await tus.patch(address, 3, 'def')), { status: 204, offset: 6 })
  assert.deepEqual(await harvest(join(root, 'one')), { 'd/x': 'x', 'd/a': 'abcdef' })
})

test('an upload whose folder was deleted for good is listed until it is removed', async (t) => {
  const { ann, tus, address, listed, hidden } = await start(t)
  assert.equal((await ann.ask('DELETE', '/api/resources/one?trash=false')).status, 200)
  assert.deepEqual(hidden(), [])
  assert.equal((await tus.head(address)).status, 410)
  assert.deepEqual(await listed(), { path: '/one/d/a', offset: 3, isGone: true })
  // Another one at the same place is a new one.
  const other = (await tus.create('/one/d/a', 6)).headers.get('location') ?? ''
  assert.notEqual(other, address)
  assert.equal((await tus.patch(other, 0, 'ghijkl')).status, 204)
  assert.equal((await tus.head(address)).status, 410)
  assert.equal((await tus.end(address)).status, 204)
  assert.deepEqual(told(await tus.head(other)), { status: 200, offset: 6, length: 6 })
})
