// What a kill has left in a trash is ended once, before anything is listed there or taken out, and never while something is put into it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { rootPath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { Events } from '../../src-server/events/events.ts'
import { TrashRecords } from '../../src-server/state/trash-records.ts'
import { Trash } from '../../src-server/trash/trash.ts'
import { temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const place = { top: '/host', topPath: rootPath, owner: 'i-1', topIdentity: '' }

/** A trash on a disk that does only what is given. */
async function trashOn(t: TestContext, disk: Pick<Disk, 'tidyTrash' | 'trashed'>) {
  const report = (error: unknown) => assert.fail(String(error))
  const records = new TrashRecords(join(await temporaryFolder(t), 'state.json'), report)
  const diskFor = () => disk as Disk
  const trash = new Trash({ records, diskFor, events: new Events(report), instance: 'i', now: () => 0, report })
  t.after(() => trash.close())
  return { trash, use: () => trash.howFor({ id: 1, name: 'ann' }).notePlace(place) }
}

const nothing = { names: new Set<string>(), items: [] }

test('what is put into a trash that was not there before is not taken for what a kill has left', async (t) => {
  const tidied: boolean[] = []
  const held = Promise.withResolvers<void>()
  const tidyTrash = async () => {
    tidied.push(false)
    await held.promise
    return false
  }
  const { trash, use } = await trashOn(t, { tidyTrash, trashed: async () => nothing })
  const first = use()
  // Somebody lists it at the same time, and another one puts something into it.
  const others = Promise.all([first.then(() => trash.items()), use(), use().then(use)])
  held.resolve()
  await others
  await use()
  assert.equal(tidied.length, 1)
})

test('a trash is listed when what a kill has left there is ended', async (t) => {
  const order: string[] = []
  const held = Promise.withResolvers<void>()
  const tidyTrash = async () => {
    await held.promise
    order.push('tidied')
    return true
  }
  const trashed = async () => {
    order.push('read')
    return nothing
  }
  const { trash, use } = await trashOn(t, { tidyTrash, trashed })
  const noted = use()
  await until(() => trash.places().length === 1, 'the place is known')
  const listed = trash.items().then(() => trash.items())
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  held.resolve()
  await Promise.all([noted, listed])
  assert.deepEqual(order, ['tidied', 'read', 'read'])
})
