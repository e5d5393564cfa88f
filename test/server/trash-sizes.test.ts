// What the trash says of the size and the time of its entries, and to whom.
import assert from 'node:assert/strict'
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
