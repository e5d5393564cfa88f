// What a kill leaves of a file that is being sent: one file and one arrival, wherever it came.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { Books } from '../../src-server/requests/books.ts'
import { RequestFiles } from '../../src-server/state/request-files.ts'
import { editRequest, requestFiles } from '../support/request-calls.ts'
import { restartApp } from '../support/restart-app.ts'
import { senderOn } from '../support/sender.ts'
import { startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

for (const [when, hasArrival, isFinished] of [
  ['after its name', false, false],
  ['after its arrival', true, false],
  ['where a backup has brought an older log back', false, true],
] as const) {
  test(`a kill ${when}: one file, one arrival`, async (t) => {
    const app = await startApp(t, { files: { 'in/x': '' } })
    const { hash } = await requestFiles(await app.as('ann'), '/in', { hasFolders: false })
    const sender = senderOn(app, hash)
    await sender.shown()
    const address = await sender.send('x', 'abc', { metadata: { nonce: 'n' } })
    const log = join(app.folder, `state.json.requests/${hash}.jsonl`)
    const lines = () => readFileSync(log, 'utf8').trim().split('\n')
    const arrivals = () => lines().filter((line) => line.includes('"arrival"')).length
    const between = () => {
      if (!hasArrival)
        writeFileSync(
          log,
          `${lines()
            .filter((line) => !line.includes('"arrival"'))
            .join('\n')}\n`,
        )
      const folder = join(app.folder, 'state.json.request-uploads')
      const [name = ''] = readdirSync(folder)
      const { finishedAt, ...record } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      writeFileSync(join(folder, name), JSON.stringify(isFinished ? { ...record, finishedAt } : record))
    }
    const again = senderOn(await restartApp(app, { between }), hash, sender.cookies)
    await until(() => arrivals() === 1, 'it has arrived')
    assert.equal((await again.tus('HEAD', address)).headers.get('upload-offset'), '3')
    assert.equal((await again.begin('x', { body: 'abc', metadata: { nonce: 'n' } })).headers.get('location'), address)
    assert.deepEqual(await again.sent(), ['x'])
    assert.equal(arrivals(), 1)
    assert.deepEqual(await harvest(join(app.root, 'in')), { x: '', 'x(1)': 'abc' })
  })
}

test('a kill between the making of a folder and its note: the folder is that of its sender', async (t) => {
  const app = await startApp(t, { files: { 'in/x': '' } })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { asksName: true })
  const metadata = { sender: 'Rosa' }
  const [sender, other] = [senderOn(app, hash), senderOn(app, hash)]
  await sender.begin('a', { length: 1, metadata })
  await other.begin('b', { length: 1, metadata })
  const log = join(app.folder, `state.json.requests/${hash}.jsonl`)
  const between = () => {
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    const isMade = (line: string) => line.includes('"folder"') && line.includes('"Rosa"') && !line.includes('isPlanned')
    assert.equal(lines.filter(isMade).length, 1)
    writeFileSync(log, `${lines.filter((line) => !isMade(line)).join('\n')}\n`)
  }
  const again = await restartApp(app, { between })
  await senderOn(again, hash, other.cookies).send('b', '2', { metadata })
  await senderOn(again, hash).send('c', '3', { metadata })
  await senderOn(again, hash, sender.cookies).send('a', '1', { metadata })
  assert.deepEqual(await harvest(join(app.root, 'in')), { x: '', 'Rosa/a': '1', 'Rosa(1)/b': '2', 'Rosa(2)/c': '3' })
})

test('a kill after a link was deleted, and before what was being sent has ended: nothing is left', async (t) => {
  const app = await startApp(t, { files: { 'in/x': '' } })
  const { hash } = await requestFiles(await app.as('ann'), '/in', { asksName: true })
  const sender = senderOn(app, hash)
  await sender.begin('d/e/a', { length: 1, metadata: { sender: 'Rosa' } })
  const file = join(app.folder, 'state.json')
  const between = () => writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), requests: [] }))
  await restartApp(app, { between })
  await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
})

test('a kill when folders are made and their upload is not known yet, or no more: none stays', async (t) => {
  const app = await startApp(t, { files: { 'in/x': '', 'in/Eva/of the owner': '' } })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { asksName: true })
  const [rosa, eva, tom, max, ida] = ['Rosa', 'Eva', 'Tom', 'Max', 'Ida'].map((sender) => {
    const one = senderOn(app, hash)
    return { begin: (name: string, sent: object) => one.begin(name, { ...sent, metadata: { sender } }) }
  })
  await rosa?.begin('d/e/a', { length: 1 })
  await eva?.begin('d/a', { length: 1 })
  await tom?.begin('d/a', { length: 1 })
  await max?.begin('d/a', { body: 'x' })
  await ida?.begin('a', { length: 1 })
  const between = () => {
    const uploads = join(app.folder, 'state.json.request-uploads')
    for (const name of readdirSync(uploads)) rmSync(join(uploads, name))
    rmSync(join(app.root, 'in/Max/d/a'))
    // A folder that was to be made, and is perhaps the owner's.
    const log = join(app.folder, `state.json.requests/${hash}.jsonl`)
    const lines = readFileSync(log, 'utf8').split('\n')
    const isIda = (line: string) => line.includes('"folder"') && line.includes('"Ida"') && !line.includes('isPlanned')
    assert.equal(lines.filter(isIda).length, 1)
    writeFileSync(log, lines.filter((line) => !isIda(line)).join('\n'))
    mkdirSync(join(app.root, 'in/Ida/of the owner'), { recursive: true })
    // Another folder in place of one that a sender had.
    renameSync(join(app.root, 'in/Tom'), join(app.root, 'Tom'))
    mkdirSync(join(app.root, 'in/Tom'))
  }
  await restartApp(app, { between })
  await until(() => !readdirSync(join(app.root, 'in')).includes('Eva(1)'), 'the last is looked at')
  assert.deepEqual(readdirSync(join(app.root, 'in')).sort(), ['Eva', 'Ida', 'Max', 'Tom', 'x'])
  assert.deepEqual(readdirSync(join(app.root, 'in/Ida')), ['of the owner'])
})

test('a kill after a link was deleted, when the folder of a sender is made and nothing is known to come: it goes', async (t) => {
  const app = await startApp(t, { files: { 'in/x': '', 'in/Eva/of the owner': '' } })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { asksName: true })
  for (const name of ['Rosa', 'Eva', 'Tom', 'Max']) {
    const metadata = { sender: name }
    if (name === 'Max') await senderOn(app, hash).send('a', 'x', { metadata })
    else await senderOn(app, hash).begin('a', { length: 1, metadata })
  }
  const between = () => {
    const file = join(app.folder, 'state.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), requests: [] }))
    const uploads = join(app.folder, 'state.json.request-uploads')
    for (const name of readdirSync(uploads)) rmSync(join(uploads, name))
    writeFileSync(join(app.root, 'in/Tom/of the owner'), '')
    rmSync(join(app.root, 'in/Max/a'))
  }
  await restartApp(app, { between })
  await until(() => !readdirSync(join(app.root, 'in')).includes('Eva(1)'), 'that of Eva is gone')
  // What holds something, or has held something of its sender, is the owner's.
  await until(() => readdirSync(join(app.root, 'in')).length === 4, 'that of Rosa is gone')
  assert.deepEqual(readdirSync(join(app.root, 'in')).sort(), ['Eva', 'Max', 'Tom', 'x'])
  // From then on an empty folder of such a name is the owner's.
  const store = new RequestFiles({ stateFile: join(app.folder, 'state.json'), clock: app.clock })
  const state = { requests: async () => ({ items: [] }) } as unknown as ConstructorParameters<typeof Books>[0]['state']
  const lost = async () => {
    const hashes: string[] = []
    const books = new Books({ store, state, now: () => 0, report: assert.ifError })
    for await (const [one] of books.lost()) hashes.push(one)
    return hashes
  }
  await until(async () => (await lost()).length === 0, 'nothing is tidied again')
})

test('folders go before the record of the last that was to come there', async (t) => {
  const records: number[] = []
  const folder = { uploads: '' }
  const rmdir: DiskSystem['rmdir'] = async (path) => {
    if (`${path}`.endsWith('/Rosa')) records.push(readdirSync(folder.uploads).length)
    await diskSystem.rmdir(path)
  }
  const app = await startApp(t, { files: { 'in/x': '' }, services: { system: { ...diskSystem, rmdir } } })
  folder.uploads = join(app.folder, 'state.json.request-uploads')
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { asksName: true })
  const sender = senderOn(app, hash)
  for (const name of ['d/a', 'd/b']) await sender.begin(name, { length: 1, metadata: { sender: 'Rosa' } })
  await editRequest(ann, hash, { closed: true })
  await until(() => readdirSync(folder.uploads).length === 0, 'both have ended')
  await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
  assert.ok(records.length > 0 && records.every((count) => count > 0), `${records}`)
})

test('a link whose log cannot be read leads nowhere', async (t) => {
  const app = await startApp(t, { files: { 'in/x': '' } })
  const { hash } = await requestFiles(await app.as('ann'), '/in')
  const sender = senderOn(app, hash)
  await sender.send('x', 'abc')
  const log = join(app.folder, `state.json.requests/${hash}.jsonl`)
  const between = () => {
    rmSync(log)
    mkdirSync(log)
  }
  const again = senderOn(await restartApp(app, { between }), hash, sender.cookies)
  assert.equal((await again.page()).status, 404)
  assert.equal((await again.begin('y')).status, 404)
})
