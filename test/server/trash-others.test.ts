// What another installation has left in the same folders: administrators see it, put it back and delete it for good, and nobody else.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { type TrashInfo, trashInfoText } from '../../src-server/disk/trash-info.ts'
import { startApp, type TestApp, usual } from '../support/start-app.ts'
import { deleted, itemsOf, listed, pathsOf, purge, restore } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const users = { ann: {}, root: { perm: { ...usual, admin: true } } }
const other = '0badcafe-1'
const idOf = (number: number) => number.toString(16).padStart(32, '0')

/** A server beside whose trash another installation has one. */
async function started(t: TestContext, files: Record<string, string> = {}) {
  const app = await startApp(t, { files, users })
  const at = join(app.root, '.holdall-trash', other)
  for (const name of ['files', 'info']) fs.mkdirSync(join(at, name), { recursive: true, mode: 0o700 })
  for (const folder of [join(at, '..'), at]) fs.chmodSync(folder, 0o700)
  return { app, at, ann: await app.as('ann'), root: await app.as('root') }
}

type Left = { at: string; app: TestApp; id?: number; hostPath?: string } & Partial<Pick<TrashInfo, 'path' | 'by'>>

/** Puts a file there, as the other one would. @returns its id */
function left(name: string, { at, app, id = 1, hostPath, ...more }: Left): string {
  fs.writeFileSync(join(at, 'files', name), `content of ${name}`)
  const path = more.path ?? parsePath(`/d/${name}`)
  const rest = { at: Date.now(), size: 3, why: 'delete', by: { id: 1, name: 'ann' }, above: [], ...more } as const
  const info = { id: idOf(id), path, hostPath: Buffer.from(hostPath ?? join(app.root, path)), ...rest }
  fs.writeFileSync(join(at, 'info', `${name}.trashinfo`), trashInfoText(info))
  return info.id
}

test('administrators see what another installation has left, put it back and delete it for good; others do not', async (t) => {
  const { app, at, ann, root } = await started(t, { mine: '1' })
  const [back, gone] = [left('back', { at, app, id: 1 }), left('gone', { at, app, id: 2 })]
  const mine = await deleted(ann, '/mine')
  assert.deepEqual([await pathsOf(ann), await pathsOf(root)], [['/mine'], ['/d/back', '/d/gone', '/mine']])
  const { items, own } = await listed(root, 'by=name&order=asc')
  assert.deepEqual(
    items.map(({ isOthers = false, dueAt, mayPurge }) => [isOthers, dueAt === null, mayPurge]),
    [
      [true, true, true],
      [true, true, true],
      [false, false, true],
    ],
  )
  assert.deepEqual(own, { items: 1, bytes: 1 })
  assert.equal((await ann.ask('GET', `/api/trash/raw/${back}`)).status, 404)
  assert.equal((await restore(ann, [back])).failures[0]?.code, 'notFound')
  assert.equal(await (await root.ask('GET', `/api/trash/raw/${back}`)).text(), 'content of back')
  assert.deepEqual((await restore(root, [back])).restored, [{ id: back, path: '/d/back' }])
  assert.equal((await purge(root, { all: true })).purged, 1)
  assert.deepEqual(await pathsOf(root), ['/d/gone'])
  assert.equal((await purge(root, { items: [gone] })).purged, 1)
  assert.deepEqual([await pathsOf(root), await harvest(app.root), mine.length], [[], { 'd/back': 'content of back' }, 32])
})

test('each call about what another installation has left is refused to who is no administrator, and changes nothing', async (t) => {
  const { app, at, ann, root } = await started(t)
  const id = left('kept.png', { at, app, by: { id: 1, name: 'ann' } })
  assert.deepEqual(await pathsOf(root), ['/d/kept.png'])
  for (const address of [`raw/${id}`, `raw/${id}?inline=true`, `preview/thumb/${id}`, `preview/big/${id}`]) {
    assert.equal((await ann.ask('GET', `/api/trash/${address}`)).status, 404, address)
  }
  for (const taken of ['ask', 'number', 'replace']) assert.equal((await restore(ann, [id], taken)).failures[0]?.code, 'notFound')
  assert.equal((await purge(ann, { items: [id] })).failures[0]?.code, 'notFound')
  assert.equal((await purge(ann, { all: true })).purged, 0)
  assert.deepEqual([await pathsOf(ann), await pathsOf(root)], [[], ['/d/kept.png']])
})

test('what another installation has left is found by its id before anybody has listed the trash', async (t) => {
  const { app, at, ann, root } = await started(t)
  const [shown, back] = [left('shown', { at, app, id: 1 }), left('back', { at, app, id: 2 })]
  assert.equal((await ann.ask('GET', `/api/trash/raw/${shown}`)).status, 404)
  assert.equal(await (await root.ask('GET', `/api/trash/raw/${shown}`)).text(), 'content of shown')
  assert.deepEqual((await restore(root, [back])).restored, [{ id: back, path: '/d/back' }])
})

test('nothing of another installation is removed by itself, or counts towards what a person may keep', async (t) => {
  const { app, at, root } = await started(t)
  left('old', { at, app, by: { id: 1, name: 'ann' } })
  app.clock.advance({ hours: 24 * 40 })
  const late = await app.as('root')
  assert.deepEqual(await pathsOf(late), ['/d/old'])
  await app.parts.startTrash()
  assert.deepEqual([await pathsOf(late), (await listed(late)).own.items, root !== late], [['/d/old'], 0, true])
})

test('what its information says leads nowhere out of the served folder', async (t) => {
  const { app, at, root } = await started(t)
  left('outside', { at, app, id: 1, hostPath: '/etc/outside', path: parsePath('/etc/outside') })
  left('trash', { at, app, id: 2, path: parsePath('/.holdall-trash/0badcafe-1/info/x') })
  left('person', { at, app, id: 3, by: { id: 1, name: 'x'.repeat(10_000) } })
  left('good', { at, app, id: 4 })
  // The same id once more.
  left('twice', { at, app, id: 4 })
  const up = fs.readFileSync(join(at, 'info/good.trashinfo'), 'utf8').replace(/Path=.*/g, 'Path=/../../etc/passwd')
  fs.writeFileSync(join(at, 'files/up'), '')
  fs.writeFileSync(join(at, 'info/up.trashinfo'), up.replace(idOf(4), idOf(5)))
  fs.writeFileSync(join(at, 'files/huge'), '')
  fs.writeFileSync(join(at, 'info/huge.trashinfo'), Buffer.alloc(2 ** 20, '['))
  fs.symlinkSync('/etc/passwd', join(at, 'info/link.trashinfo'))
  fs.writeFileSync(join(at, 'files/link'), '')
  let paths: string[] = []
  // A listing waits a second for it.
  await until(async () => {
    paths = await pathsOf(root)
    return paths.length > 0
  }, 'what the other installation has was read')
  // As a path of this served root, whatever the other one was.
  assert.equal(paths.length, 2)
  assert.ok(paths.includes('/etc/outside'))
  assert.deepEqual((await restore(root, [idOf(1)])).restored, [{ id: idOf(1), path: '/etc/outside' }])
  assert.equal(fs.readFileSync(join(app.root, 'etc/outside'), 'utf8'), 'content of outside')
})

test('an id that several have, in one trash or in two, stands for one of them at a time', async (t) => {
  const { app, at, ann, root } = await started(t, { mine: 'mine' })
  const second = join(at, '../0badcafe-2')
  for (const name of ['files', 'info']) fs.mkdirSync(join(second, name), { recursive: true, mode: 0o700 })
  fs.chmodSync(second, 0o700)
  // All that happens here is long past, so that a folder in which nothing has changed is not read again.
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + 60_000)
  const texts = { one: 'content of one', two: 'content of two', three: 'content of three' }
  const places = { one: at, two: at, three: second }
  for (const [name, at] of Object.entries(places)) left(name, { at, app, id: 1 })
  const came: string[] = []
  for (let number = 3; number > 0; number--) {
    const [item, ...more] = await itemsOf(root)
    assert.deepEqual(more, [])
    const name = item?.name as keyof typeof texts
    assert.equal(await (await root.ask('GET', `/api/trash/raw/${idOf(1)}`)).text(), texts[name])
    assert.deepEqual((await restore(root, [idOf(1)])).restored, [{ id: idOf(1), path: `/d/${name}` }])
    came.push(name)
  }
  assert.deepEqual([came.sort(), await itemsOf(root)], [['one', 'three', 'two'], []])
  assert.deepEqual(Object.keys(await harvest(app.root)).sort(), ['d/one', 'd/three', 'd/two', 'mine'])
  const mine = await deleted(ann, '/mine')
  assert.equal((await itemsOf(root)).length, mine.length / 32)
})

test('an id of another installation that an item of this one gets stands for that', async (t) => {
  const { app, at, ann, root } = await started(t, { mine: 'mine', next: 'next' })
  const mine = await deleted(ann, '/mine')
  const own = join(app.root, '.holdall-trash', `${app.parts.state.instance}-1`)
  const move = (name: string, from: string, to: string) => {
    for (const one of [`files/${name}`, `info/${name}.trashinfo`]) fs.renameSync(join(from, one), join(to, one))
  }
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + 60_000)
  move('mine', own, at)
  await until(async () => (await itemsOf(root))[0]?.isOthers === true, 'it is known as one of another installation')
  for (const one of ['files/mine', 'info/mine.trashinfo']) fs.copyFileSync(join(at, one), join(own, one))
  await until(async () => (await itemsOf(ann)).length === 1, 'it is known as one of this one')
  assert.deepEqual(
    (await itemsOf(root)).map(({ id, isOthers = false }) => [id, isOthers]),
    [[mine, false]],
  )
  assert.equal((await purge(ann, { items: [mine] })).purged, 1)
  assert.equal(fs.existsSync(join(own, 'files/mine')), false)
  assert.deepEqual(
    (await itemsOf(root)).map(({ id, isOthers = false }) => [id, isOthers]),
    [[mine, true]],
  )
  assert.equal((await purge(root, { items: [mine] })).purged, 1)
  assert.equal(fs.existsSync(join(at, 'files/mine')), false)
})

test('a link in place of one of its folders, and a folder that others can enter, are not looked into', async (t) => {
  const { app, at, root } = await started(t)
  const elsewhere = join(app.folder, 'elsewhere')
  fs.renameSync(at, elsewhere)
  fs.symlinkSync(elsewhere, at)
  left('linked', { at: elsewhere, app })
  assert.deepEqual(await itemsOf(root), [])
  fs.unlinkSync(at)
  fs.renameSync(elsewhere, at)
  fs.renameSync(join(at, 'info'), join(app.folder, 'info'))
  fs.symlinkSync(join(app.folder, 'info'), join(at, 'info'))
  assert.deepEqual(await itemsOf(root), [])
  fs.unlinkSync(join(at, 'info'))
  fs.renameSync(join(app.folder, 'info'), join(at, 'info'))
  fs.chmodSync(at, 0o755)
  assert.deepEqual(await itemsOf(root), [])
  fs.chmodSync(at, 0o700)
  assert.deepEqual(await pathsOf(root), ['/d/linked'])
})

test('of thousands of its items only so many are read', async (t) => {
  const { app, at, root } = await started(t)
  for (let id = 1; id <= 10_200; id++) left(`f${id}`, { at, app, id })
  const total = async () => (await listed(root, 'limit=1')).total
  await until(async () => (await total()) > 0, 'they are read')
  assert.equal(await total(), 10_000)
})
