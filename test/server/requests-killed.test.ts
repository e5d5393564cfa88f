// What a kill leaves of a file that is being sent: one file and one arrival, wherever it came.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { requestFiles } from '../support/request-calls.ts'
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
    const again = senderOn(await restartApp(t, app, { between }), hash, sender.cookies)
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
    const uploads = join(app.folder, 'state.json.request-uploads')
    for (const name of readdirSync(uploads)) rmSync(join(uploads, name))
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    const isMade = (line: string) => line.includes('"folder"') && line.includes('"Rosa"') && !line.includes('isPlanned')
    assert.equal(lines.filter(isMade).length, 1)
    writeFileSync(log, `${lines.filter((line) => !isMade(line)).join('\n')}\n`)
  }
  const again = await restartApp(t, app, { between })
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
  await restartApp(t, app, { between })
  await until(() => readdirSync(join(app.root, 'in')).length === 1, 'nothing is left')
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
  const again = senderOn(await restartApp(t, app, { between }), hash, sender.cookies)
  assert.equal((await again.page()).status, 404)
  assert.equal((await again.begin('y')).status, 404)
})
