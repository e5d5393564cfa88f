// What ends what is being sent by a request link, and what does not.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Disk } from '../../src-server/disk/disk.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { editRequest, requestFiles } from '../support/request-calls.ts'
import { restartApp } from '../support/restart-app.ts'
import { senderOn } from '../support/sender.ts'
import { deny, only, startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { deleted, purge, restore } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = { 'in/a.txt': 'of the owner', 'other/x': 'x' }

/** A link by which somebody has sent one file, and the first half of another. */
async function start(t: TestContext, body: object = {}) {
  const app = await startApp(t, { files })
  const ann = await app.as('ann')
  const link = await requestFiles(ann, '/in', { asksName: true, ...body })
  const sender = senderOn(app, link.hash)
  const begun = await sender.begin('half.txt', { length: 6, metadata: { sender: 'Rosa' } })
  const address = begun.headers.get('location') ?? ''
  assert.equal((await sender.patch(address, 0, 'abc')).status, 204)
  const id = userIn(app.parts.state, 'ann')?.id ?? 0
  const change = (fields: object) => changeUser(app.parts, id, (user) => void Object.assign(user, fields))
  return { app, ann, ...link, sender, address, change }
}

/** A body that never ends. */
function endless(first: Uint8Array) {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(first) })
}

type Started = Awaited<ReturnType<typeof start>>

const ends: Record<string, (started: Started) => Promise<unknown>> = {
  closing: ({ ann, hash }) => editRequest(ann, hash, { closed: true }),
  'deleting the link': ({ ann, hash }) => ann.ask('DELETE', `/api/requests/${hash}`),
  'deleting the owner': ({ app: { parts } }) => parts.state.run('removeUser', { id: userIn(parts.state, 'ann')?.id ?? 0 }),
}

for (const [how, end] of Object.entries(ends)) {
  test(`${how} ends uploads at once, and leaves no file and no folder of them`, async (t) => {
    const started = await start(t)
    const { app, sender, address } = started
    const large = (await sender.begin('large', { length: 8e6 })).headers.get('location') ?? ''
    const receiving = sender.patch(large, 0, endless(Buffer.alloc(4e6))).then(
      ({ status }) => status,
      () => 'cut',
    )
    const folder = join(app.root, 'in/Rosa')
    const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
    await until(() => Math.max(...sizes()) > 1e6, 'much has come')
    await end(started)
    assert.ok(['cut', 404, 410].includes(await receiving))
    await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
    assert.deepEqual(await harvest(app.root), files)
    const records = join(app.folder, 'state.json.request-uploads')
    await until(() => readdirSync(records).length === 0, 'nothing is known of them any more')
    const status = how === 'closing' ? 410 : 404
    assert.equal((await sender.tus('HEAD', address)).status, status)
    assert.equal((await sender.begin('b.txt')).status, status)
  })
}

test('of a folder that is being made when its link ends nothing is left', async (t) => {
  const gate = { held: 0, go: Promise.withResolvers<void>() }
  const mkdir: DiskSystem['mkdir'] = async (path, mode) => {
    await diskSystem.mkdir(path, mode)
    gate.held++
    await gate.go.promise
  }
  const app = await startApp(t, { files, services: { system: { ...diskSystem, mkdir } } })
  const ann = await app.as('ann')
  for (const end of [ends.closing, ends['deleting the link']]) {
    const link = await requestFiles(ann, '/in')
    const sending = [1, 2].map((count) =>
      senderOn(app, link.hash)
        .begin(`d/${count}`, { length: 1 })
        .catch(() => 'cut'),
    )
    await until(() => gate.held === 2, 'both are being made')
    await end?.({ ann, ...link } as Started)
    // A kill may come now: the log tells whose they are.
    assert.ok(readdirSync(join(app.folder, 'state.json.requests')).includes(`${link.hash}.jsonl`))
    gate.go.resolve()
    await Promise.all(sending)
    await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
    Object.assign(gate, { held: 0, go: Promise.withResolvers<void>() })
  }
  await until(() => readdirSync(join(app.folder, 'state.json.requests')).length === 1, 'the deleted link has no log')
})

test('what had arrived stays, and a closed link says since when it is closed', async (t) => {
  const { app, ann, hash, sender } = await start(t)
  await sender.send('b.txt', 'b')
  await editRequest(ann, hash, { closed: true })
  assert.deepEqual(await sender.shown(), { kind: 'closed', closedAt: Math.floor(app.clock.now() / 1000), receipts: [] })
  await until(() => readdirSync(join(app.root, 'in/Rosa')).length === 1, 'the half is gone')
  assert.deepEqual(await harvest(join(app.root, 'in')), { 'a.txt': 'of the owner', 'Rosa/b.txt': 'b' })
  await editRequest(ann, hash, { closed: false })
  await sender.send('c.txt', 'c')
  assert.deepEqual(await sender.sent(), ['c.txt', 'b.txt'])
})

test('a closed link with a password says so without it', async (t) => {
  const { ann, hash, sender, app } = await start(t)
  await editRequest(ann, hash, { password: 'long enough', closed: true })
  assert.equal((await sender.shown()).kind, 'closed')
  await editRequest(ann, hash, { closed: false })
  assert.equal((await sender.page()).status, 401)
  assert.equal((await sender.begin('b.txt')).status, 401)
  const headers = { 'X-SHARE-PASSWORD': 'long enough' }
  const opened = await senderOn(app, hash).ask('GET', `/api/public/request/${hash}`, { headers })
  assert.deepEqual([opened.status, opened.headers.getSetCookie().length], [200, 2])
})

for (const [what, taken, given] of [
  ['the right to create', { perm: only('share', 'download') }, { perm: usual }],
  ['the right to share', { perm: only('create') }, { perm: usual }],
  ['a folder out of the scope', { scope: '/other' }, { scope: '/' }],
  ['a rule', { rules: [deny('/in')] }, { rules: [] }],
] as const) {
  test(`withdrawn and given back, it goes on: ${what}`, async (t) => {
    const { app, sender, address, change } = await start(t)
    await change(taken)
    for (const answer of [await sender.page(), await sender.tus('HEAD', address), await sender.patch(address, 3, 'd')])
      assert.equal(answer.status, 404)
    await change(given)
    assert.equal((await sender.patch(address, 3, 'def')).status, 204)
    assert.equal((await harvest(join(app.root, 'in')))['Rosa/half.txt'], 'abcdef')
  })
}

test('the trash and back, it goes on', async (t) => {
  const { app, ann, sender, address } = await start(t)
  const item = (await ann.ask('DELETE', '/api/resources/in')).headers.get('holdall-trash') ?? ''
  assert.equal((await sender.page()).status, 404)
  await ann.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items: [item] }) })
  assert.equal((await sender.patch(address, 3, 'def')).status, 204)
  assert.equal((await harvest(join(app.root, 'in')))['Rosa/half.txt'], 'abcdef')
})

for (const how of ['closing', 'deleting the link'] as const) {
  for (const isTaken of [false, true]) {
    test(`${how} while its folder is in the trash leaves nothing when that is back${isTaken ? ' under another name' : ''}`, async (t) => {
      const started = await start(t)
      const { app, ann, sender } = started
      await sender.begin('d/empty', { length: 1 })
      const item = await deleted(ann, '/in')
      await ends[how]?.(started)
      const again = await restartApp(app)
      const owner = await again.as('ann')
      if (isTaken) await owner.makeFolder('/in')
      const { restored } = await restore(owner, [item], 'number')
      const folder = join(app.root, restored[0]?.path ?? '')
      await until(() => readdirSync(folder).length === 1, 'no folder of the sender is left')
      assert.deepEqual(readdirSync(folder), ['a.txt'])
      const records = join(app.folder, 'state.json.request-uploads')
      await until(() => readdirSync(records).length === 0, 'nothing is known of them any more')
    })
  }
}

test('what has ended while its folder was in the trash does not go on when its link is open again', async (t) => {
  const { app, ann, hash, sender, address } = await start(t)
  const item = await deleted(ann, '/in')
  await editRequest(ann, hash, { closed: true })
  await editRequest(ann, hash, { closed: false })
  await restore(ann, [item])
  await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
  assert.equal((await sender.patch(address, 3, 'def')).status, 404)
  await sender.send('c.txt', 'c', { metadata: { sender: 'Rosa' } })
})

test('what is due while its folder is in the trash is gone when that is back', async (t) => {
  const { app, ann } = await start(t)
  const item = await deleted(ann, '/in')
  const records = join(app.folder, 'state.json.request-uploads')
  const hasEnded = () => readdirSync(records).some((name) => readFileSync(join(records, name), 'utf8').includes('"ended":true'))
  app.clock.advance({ hours: 25 })
  app.clock.advance({ hours: 1 })
  await until(hasEnded, 'it has ended')
  const again = await app.as('ann')
  await restore(again, [item])
  await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
})

test('what ends while its folder is in the trash looks for that folder alone there', async (t) => {
  const { app, ann, hash } = await start(t)
  await deleted(ann, '/in')
  for (const name of ['x', 'y', 'z']) {
    await ann.upload(`/${name}`, name)
    await deleted(ann, `/${name}`)
  }
  const read: (number | undefined)[] = []
  const { trashed } = Disk.prototype
  t.mock.method(Disk.prototype, 'trashed', async function (this: Disk, ...asked: Parameters<Disk['trashed']>) {
    const found = await trashed.apply(this, asked)
    read.push(found?.names.size)
    return found
  })
  await editRequest(ann, hash, { closed: true })
  const records = join(app.folder, 'state.json.request-uploads')
  const isEnded = (name: string) => readFileSync(join(records, name), 'utf8').includes('"ended":true')
  await until(() => read.length > 0 && readdirSync(records).every(isEnded), 'all have ended')
  assert.deepEqual([...new Set(read)], [1])
})

test('of what has ended in the trash nothing is known once that is empty', async (t) => {
  const { app, ann, hash } = await start(t)
  const item = await deleted(ann, '/in')
  await editRequest(ann, hash, { closed: true })
  const records = join(app.folder, 'state.json.request-uploads')
  const ended = () => readdirSync(records).filter((name) => readFileSync(join(records, name), 'utf8').includes('"ended":true'))
  await until(() => ended().length > 0 && ended().length === readdirSync(records).length, 'all have ended')
  await purge(ann, { items: [item] })
  await until(() => readdirSync(records).length === 0, 'nothing is known of them any more')
})

test('another folder of its name is not written to', async (t) => {
  const { app, ann, sender, address } = await start(t)
  await ann.ask('PATCH', '/api/resources/in?action=rename&destination=/out')
  await ann.makeFolder('/in')
  assert.equal((await sender.patch(address, 3, 'def')).status, 204)
  assert.equal((await harvest(app.root))['out/Rosa/half.txt'], 'abcdef')
  renameSync(join(app.root, 'out'), join(app.root, 'elsewhere'))
  mkdirSync(join(app.root, 'out'))
  assert.equal((await sender.page()).status, 404)
  assert.equal((await sender.begin('b.txt')).status, 404)
})

test("the owner's new password and sign-out end nothing", async (t) => {
  const { app, ann, sender, address, change } = await start(t)
  await change({ password: 'another hash' })
  assert.equal((await ann.ask('GET', '/api/requests')).status, 401)
  assert.equal((await sender.patch(address, 3, 'def')).status, 204)
  assert.equal((await harvest(join(app.root, 'in')))['Rosa/half.txt'], 'abcdef')
})

test('after its end nothing more is taken in, and what is unfinished ends with it', async (t) => {
  const { app, sender, address } = await start(t, { expires: 2 })
  app.clock.advance({ hours: 2 })
  const end = Math.floor(app.clock.now() / 1000)
  assert.deepEqual(await sender.shown(), { kind: 'closed', closedAt: end, receipts: [] })
  assert.equal((await sender.patch(address, 3, 'def')).status, 410)
  app.clock.advance({ hours: 2 })
  await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
})

test('closed just before a kill, nothing is left after the start', async (t) => {
  const { app } = await start(t)
  const file = join(app.folder, 'state.json')
  const between = () => {
    const data = JSON.parse(readFileSync(file, 'utf8'))
    const close = (request: object) => ({ ...request, closedAt: 1 })
    writeFileSync(file, JSON.stringify({ ...data, requests: data.requests.map(close) }))
  }
  const again = await restartApp(app, { between })
  await until(() => readdirSync(join(again.root, 'in')).length === 1, 'nothing is left')
})
