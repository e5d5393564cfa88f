// What the trash says of the size and the time of its entries, and to whom.
import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deny, startApp } from '../support/start-app.ts'
import { deleted, itemsOf, listed } from '../support/trash-calls.ts'
import { until } from '../support/until.ts'

test('a folder in the trash has no size for whom the rules may hide something in it', async (t) => {
  const rules = [deny('/d/secret')]
  const app = await startApp(t, { files: { 'd/secret/x': 'hidden', 'e/y': 'seen' }, users: { ann: {}, bob: { rules } } })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  await deleted(ann, '/d')
  await deleted(ann, '/e')
  const sizes = async (who: typeof ann) => (await itemsOf(who, 'by=name&order=asc')).map(({ size }) => size)
  await until(async () => (await sizes(ann)).every((size) => size !== null), 'both are counted')
  assert.deepEqual([await sizes(ann), (await listed(ann)).bytes], [[6, 4], 10])
  assert.deepEqual([await sizes(bob), (await listed(bob)).bytes], [[null, 4], 4])
})

test('the place of such a folder in the order of sizes does not tell its size', async (t) => {
  const rules = [deny('/m/secret')]
  const files = { 'a/x': '12', 'm/secret/x': '123456', 'z/x': '1234', f: '1' }
  const app = await startApp(t, { files, users: { ann: {}, bob: { rules } } })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  for (const path of ['/a', '/m', '/z', '/f']) await deleted(ann, path)
  const paths = async (who: typeof ann, order: string) =>
    (await itemsOf(who, `by=size&order=${order}`)).map(({ path }) => path).join(' ')
  await until(async () => (await itemsOf(ann)).every(({ size }) => size !== null), 'all are counted')
  assert.deepEqual([await paths(ann, 'asc'), await paths(ann, 'desc')], ['/f /a /z /m', '/m /z /a /f'])
  assert.deepEqual([await paths(bob, 'asc'), await paths(bob, 'desc')], ['/m /f /a /z', '/z /a /f /m'])
  assert.deepEqual(
    (await itemsOf(bob, 'by=size&from=3')).map(({ path }) => path),
    ['/m'],
  )
})

test('a file in the trash has the time of its content', async (t) => {
  const app = await startApp(t, { files: { deleted: 'd', replaced: 'r', 'd/x': 'x' } })
  const ann = await app.as('ann')
  const at = Date.UTC(2020, 1, 2, 3, 4, 5)
  for (const name of ['deleted', 'replaced']) utimesSync(join(app.root, name), at / 1000, at / 1000)
  await deleted(ann, '/deleted')
  await deleted(ann, '/d')
  assert.equal((await ann.upload('/replaced', 'new', 'override=true')).status, 200)
  const times = (await itemsOf(ann, 'by=name&order=asc')).map(({ name, modified }) => [name, modified])
  assert.deepEqual(times, [
    ['d', undefined],
    ['deleted', at],
    ['replaced', at],
  ])
})
