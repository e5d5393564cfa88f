// Deleting for good all that a person may, also of very many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Disk } from '../../src-server/disk/disk.ts'
import { startApp } from '../support/start-app.ts'
import { deleted, pathsOf, purge } from '../support/trash-calls.ts'

const users = { ann: {}, bob: {} }

test('of what a person has deleted nothing is asked about others, and of what another has deleted only about that one', async (t) => {
  const app = await startApp(t, { users, files: { a: 'a', b: 'b', c: 'c' } })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  const [first] = [await deleted(ann, '/a'), await deleted(ann, '/b')]
  const others = await deleted(bob, '/c')
  let asked = 0
  const { identify } = Disk.prototype
  t.mock.method(Disk.prototype, 'identify', async function (this: Disk, ...given: Parameters<Disk['identify']>) {
    asked++
    return identify.apply(this, given)
  })
  assert.equal((await purge(ann, { items: [first] })).purged, 1)
  assert.equal((await purge(ann, { all: true })).purged, 1)
  assert.equal(asked, 0)
  assert.equal((await purge(ann, { items: [others] })).failures[0]?.code, 'othersTrash')
  assert.equal(asked, 1)
  assert.deepEqual(await pathsOf(ann), ['/c'])
})
