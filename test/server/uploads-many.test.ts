// Uploads that are over are known for a time, and not very many of them.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Path } from '../../src-server/base/paths.ts'
import { principalOf } from '../../src-server/files/principal-of.ts'
import type { Upload } from '../../src-server/uploads/upload.ts'
import { pieceOf, startOnFolder, usualMost } from '../support/start-uploads.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'
import { userFilesOn } from '../support/user-files.ts'

async function start(t: TestContext, most: Partial<typeof usualMost>) {
  const setup = await startOnFolder(t, { parts: { most: { ...usualMost, ...most }, isAway: async () => true } })
  const { accounts, state, uploads, disk, clock, asker } = setup
  const records = () => fs.readdirSync(`${state.file}.uploads`).length
  const bob = await accounts.create({ username: 'bob', password: 'a long and easy password' })
  const asBob = asker({ me: { user: bob, settings: state.data.settings } })
  const ofBob = userFilesOn(disk, { principal: principalOf(bob, state.data.settings.rules) })
  const finish = async (upload: Upload, who = asker()) => {
    await upload.receive(who, pieceOf({ body: 'x' }))
    clock.advance({ seconds: 1 })
    return upload
  }
  const send = async (path: string) => finish(await setup.begin(path, { length: 1 }))
  const sendAsBob = async (path: string) =>
    finish(await uploads.begin(asBob, ofBob, { path: path as Path, length: 1, override: false, condition: {} }), asBob)
  return { ...setup, records, send, sendAsBob, asBob }
}

/** How many there are in a test. */
const many = 24

test('of very many uploads that have finished the oldest of who has the most are forgotten, and no file is', async (t) => {
  const { send, sendAsBob, uploads, asker, asBob, records, root } = await start(t, { finishedInAll: 12 })
  await sendAsBob('/of bob')
  for (let count = 0; count < many; count++) await send(`/${count}`)
  await until(() => records() === 12, 'no more records are kept')
  assert.deepEqual(
    uploads.of(asBob).map(({ record }) => record.path),
    ['/of bob'],
  )
  assert.deepEqual(
    uploads.of(asker()).map(({ record }) => record.path),
    Array.from({ length: 11 }, (_, at) => `/${many - 1 - at}`),
  )
  assert.equal(Object.keys(await harvest(root)).length, many + 1)
})

test('who asks whether the last of many uploads has finished is told so, and begins no second one', async (t) => {
  const { send, uploads, asker } = await start(t, { finished: 5, finishedInAll: 5 })
  for (let count = 0; count < many; count++) {
    const { record } = await send(`/${count}`)
    await uploads.find(asker(), record.id).look(asker())
    assert.equal(uploads.at(asker(), `/${count}` as Path).isFinished, true)
  }
})

test('a start that finds more finished uploads than may be known forgets the oldest, and none that is not finished', async (t) => {
  const { send, begin, asker, open, disk, records } = await start(t, {})
  const unfinished = await begin('/unfinished', { length: 6 })
  await unfinished.receive(asker(), pieceOf({ body: 'abc' }))
  for (let count = 0; count < 20; count++) await send(`/${count}`)
  assert.equal(records(), 21)
  const { uploads, begin: beginAgain } = await open(disk, { parts: { most: { ...usualMost, finishedInAll: 3 } } })
  for (const path of ['/a', '/b', '/c']) await (await beginAgain(path, { length: 1 })).receive(asker(), pieceOf({ body: 'x' }))
  await until(() => records() === 4, 'no more records are kept')
  assert.deepEqual(
    uploads
      .of(asker())
      .map(({ record }) => record.path)
      .sort(),
    ['/a', '/b', '/c', '/unfinished'],
  )
})

test('of very many uploads that were dropped while their folders are in the trash the oldest are forgotten', async (t) => {
  const { begin, asker, root, records, clock } = await start(t, { ended: 4 })
  for (let count = 0; count < many; count++) {
    const upload = await begin(`/folder/${count}`, { length: 6 })
    await upload.receive(asker(), pieceOf({ body: 'abc' }))
    fs.renameSync(join(root, 'folder'), join(root, `${count}`))
    await upload.remove()
    clock.advance({ seconds: 1 })
  }
  await until(() => records() === 4, 'no more records are kept')
})
