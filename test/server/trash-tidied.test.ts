// What a kill has left in a trash is ended once, before anything is listed there or taken out, and never while something is put into it.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath, rootPath } from '../../src-server/base/paths.ts'
import type { Disk, TrashedItem, TrashPlace } from '../../src-server/disk/disk.ts'
import { Events } from '../../src-server/events/events.ts'
import { TrashRecords } from '../../src-server/state/trash-records.ts'
import type { TrashOrder } from '../../src-server/trash/sorted-items.ts'
import { Trash } from '../../src-server/trash/trash.ts'
import { startActs } from '../support/start-acts.ts'
import { temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const place = { top: '/host', topPath: rootPath, owner: 'i-1', topIdentity: '' }

/** A trash on a disk that does only what is given. */
async function trashOn(
  t: TestContext,
  disk: Pick<Disk, 'tidyTrash' | 'trashed'> & Partial<Pick<Disk, 'walkTrashed'>>,
  { file, ...more }: { mostAwaited?: number; longestAwaited?: number; file?: string } = {},
) {
  const report = (error: unknown) => assert.fail(String(error))
  const records = new TrashRecords(file ?? join(await temporaryFolder(t), 'state.json'), report)
  const diskFor = () => disk as Disk
  const trash = new Trash({ records, diskFor, events: new Events(report), instance: 'i', now: () => 0, report, ...more })
  t.after(() => trash.close())
  return { trash, use: () => trash.howFor({ id: 1, name: 'ann' }).notePlace(place) }
}

const itemOf = (id: string): TrashedItem => ({
  ...{ id, top: '/host', owner: 'i-1', name: id, path: parsePath(`/${id}`), isDir: false, size: 1, at: 0, why: 'delete' },
  ...{ by: { id: 1, name: 'ann' }, above: [], identity: '' },
})
const byId: TrashOrder<string> = { name: 'id', keyOf: ({ id }) => id, compare: (one, other) => one.key.localeCompare(other.key) }

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
  const others = Promise.all([first.then(() => trash.compareAt([rootPath])), use(), use().then(use)])
  held.resolve()
  await others
  await use()
  assert.equal(tidied.length, 1)
})

test('a trash is listed when what a kill has left there is ended', async (t) => {
  const order: string[] = []
  const [held, purged] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tidyTrash: Disk['tidyTrash'] = async (_at, _place, part) => {
    // What was being removed for good is waited for by nobody.
    await (part === 'purges' ? purged : held).promise
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
  const listed = trash.compareAt([rootPath]).then(() => trash.compareAt([rootPath]))
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  held.resolve()
  await Promise.all([noted, listed])
  assert.deepEqual(order, ['tidied', 'read', 'read'])
  purged.resolve()
})

test('a listing of much does not wait for the disks: what they say is in the next one', async (t) => {
  const held = Promise.withResolvers<void>()
  const found = { names: new Set(['a', 'b']), items: [itemOf('a'), itemOf('b')] }
  const disk = {
    tidyTrash: async () => true,
    trashed: async () => {
      if (found.items.length === 2) return found
      await held.promise
      return found
    },
  }
  const { trash, use } = await trashOn(t, disk, { mostAwaited: 1 })
  await use()
  const ids = async () => (await trash.sorted(byId, { others: false })).map(({ item }) => item.id)
  assert.deepEqual(await ids(), ['a', 'b'])
  found.names.delete('a')
  found.items = []
  assert.deepEqual(await ids(), ['a', 'b'])
  held.resolve()
  await until(async () => (await ids()).length === 1, 'the disk was read')
  assert.deepEqual(await ids(), ['b'])
})

test('a listing that begins while another looks at the disk has what went meanwhile', async (t) => {
  const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const found = [{ names: new Set(['a']), items: [itemOf('a')] }, nothing, nothing]
  const trashed = async () => {
    const now = found.shift() ?? nothing
    read.resolve()
    await answered.promise
    return now
  }
  const { trash, use } = await trashOn(t, { tidyTrash: async () => true, trashed })
  await use()
  const items = async () => {
    await trash.compareAt([rootPath])
    return [...trash.known()].map(({ id }) => id)
  }
  const first = items()
  await read.promise
  const others = [items(), items()]
  answered.resolve()
  assert.deepEqual(await first, ['a'])
  assert.deepEqual(await Promise.all(others), [[], []])
  assert.equal(found.length, 1, 'both have looked once')
})

test('of places of earlier runs where there is no trash any more only some are known, and all others stay', async (t) => {
  const file = join(await temporaryFolder(t), 'state.json')
  const placesIn = () => new TrashRecords(file, (error) => assert.fail(String(error))).places().map(({ top }) => top)
  const before = new TrashRecords(file, (error) => assert.fail(String(error)))
  const tops = ['/host', '/there', '/away', ...Array.from({ length: 300 }, (_, index) => `/gone/${index}`)]
  await Promise.all(tops.map((top) => before.notePlace({ ...place, top })))
  await before.close()
  const answers: Record<string, Awaited<ReturnType<Disk['trashed']>>> = {
    '/there': { ...nothing, stamp: '' },
    '/away': undefined,
  }
  const trashed: Disk['trashed'] = async (_, { top }) => (top in answers ? answers[top] : nothing)
  const { trash, use } = await trashOn(t, { tidyTrash: async () => false, trashed }, { file })
  await use()
  await trash.compareAt([rootPath])
  assert.deepEqual(placesIn(), [...tops.slice(0, 3), ...tops.slice(-100)])
  // What is put there is noted anew.
  await trash.howFor({ id: 1, name: 'ann' }).notePlace({ ...place, top: '/gone/0' })
  assert.ok(placesIn().includes('/gone/0'))
})

test('whether one entry is there, or its disk, is looked up by its name; a whole trash is read for what is not known alone', async (t) => {
  const { disk, root, filesNow, parts } = await startActs(t, { files: { a: 'a', b: 'b' } })
  const { trash } = parts().trash
  const [first, second] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string]
  await filesNow().remove(parsePath('/a'), { to: 'trash', item: first })
  await filesNow().remove(parsePath('/b'), { to: 'trash', item: second })
  const item = trash.get(first)
  if (!item) throw new Error('it is not in the trash')
  const asked: (string | undefined)[] = []
  const { trashed } = disk
  t.mock.method(disk, 'trashed', (...given: Parameters<Disk['trashed']>) => {
    asked.push(given[2]?.only)
    return trashed.apply(disk, given)
  })
  assert.equal(await trash.isConnected(item), true)
  assert.equal(await filesNow().trash.isThere(first), true)
  rmSync(join(root, '.holdall-trash', item.owner, 'files', item.name))
  assert.equal(await filesNow().trash.isThere(first), false)
  assert.equal(trash.get(first), undefined)
  assert.deepEqual([...new Set(asked)], [item.name])
  // The end of the server came before it was noted.
  const other = trash.get(second)
  if (!other) throw new Error('it is not in the trash')
  trash.left(other)
  assert.equal(await filesNow().trash.isThere(second), true)
})

/** By the list of the mounts on another disk, which is not asked. */
const dead = { ...place, top: '/proc/dead', topPath: parsePath('/dead') }

test('a start ends what a kill has left, and counts what folders hold, while another disk does not answer', async (t) => {
  const file = join(await temporaryFolder(t), 'state.json')
  const before = new TrashRecords(file, (error) => assert.fail(String(error)))
  await Promise.all([dead, place].map((one) => before.notePlace(one)))
  for (const top of [dead.top, place.top]) before.add({ ...itemOf(`of ${top}`), top, isDir: true, size: undefined })
  await before.close()
  const held = Promise.withResolvers<void>()
  const order: string[] = []
  const tidyTrash: Disk['tidyTrash'] = async (_at, { top }, part) => {
    if (top === dead.top) await held.promise
    else if (part === 'changes') order.push(`tidied ${top}`)
    return true
  }
  const trashed: Disk['trashed'] = async (_, { top }) => ({ names: new Set([`of ${top}`]), items: [] })
  const walkTrashed: Disk['walkTrashed'] = async (_at, { id }) => void order.push(`counted ${id}`)
  const { trash } = await trashOn(t, { tidyTrash, trashed, walkTrashed }, { file })
  const tidied = trash.tidyAll()
  await until(() => order.length === 2, 'the other disk is done')
  assert.deepEqual(order, [`tidied ${place.top}`, `counted of ${place.top}`])
  held.resolve()
  await tidied
  await until(() => order.at(-1) === `counted of ${dead.top}`, 'what has answered is counted too')
})

test('what folders of one disk hold is counted while another disk does not answer, and one at a time on each', async (t) => {
  const held = Promise.withResolvers<void>()
  const counted: string[] = []
  let running = 0
  const walkTrashed: Disk['walkTrashed'] = async (_at, { id, top }) => {
    counted.push(id)
    if (top === dead.top) await held.promise
    else assert.equal(running++, 0)
    await null
    if (top !== dead.top) running--
  }
  const { trash } = await trashOn(t, { tidyTrash: async () => true, trashed: async () => nothing, walkTrashed })
  const folder = (id: string, top: string) => ({ ...itemOf(id), top, isDir: true, size: undefined })
  for (const [id, top] of Object.entries({ a: dead.top, b: dead.top, c: '/host', d: '/other', e: '/host' }))
    trash.added(folder(id, top))
  await until(() => counted.length === 4, 'all of the other disk are counted')
  assert.deepEqual(counted.toSorted(), ['a', 'c', 'd', 'e'])
  held.resolve()
  await until(() => counted.length === 5, 'the next of the disk that has answered is counted')
})

test('a disk that does not answer hides nothing that others have', async (t) => {
  const held = Promise.withResolvers<void>()
  const names = new Set(['a'])
  const trashed: Disk['trashed'] = async (_, { top }) => {
    if (top === dead.top) await held.promise
    return top === dead.top ? nothing : { names: new Set(names), items: [...names].map(itemOf) }
  }
  const { trash, use } = await trashOn(t, { tidyTrash: async () => true, trashed }, { longestAwaited: 20 })
  await trash.howFor({ id: 1, name: 'ann' }).notePlace(dead)
  await use()
  const ids = async () => (await trash.listed()).map(({ id }) => id)
  await ids()
  await until(async () => (await ids()).length === 1, 'the other disk was read')
  names.add('b')
  await until(async () => (await ids()).length === 2, 'the other disk was read again')
  held.resolve()
})

test('a disk that does not answer lets a listing wait for a time, and later ones not at all', async (t) => {
  const held = Promise.withResolvers<void>()
  const trashed = async () => {
    await held.promise
    return { names: new Set(['a']), items: [itemOf('a')] }
  }
  const { trash, use } = await trashOn(t, { tidyTrash: async () => true, trashed }, { longestAwaited: 1 })
  await use()
  assert.deepEqual([await trash.listed(), await trash.sorted(byId, { others: false })], [[], []])
  held.resolve()
  await until(async () => (await trash.listed()).length === 1, 'the disk was read')
})

test('who asks for what is in the trash of a path waits for its disk and those below it, and for others as a listing does', async (t) => {
  const [disk, below] = ['/host', '/proc/dead'].map((top) => ({ ...place, top, topPath: parsePath(top) })) as [
    TrashPlace,
    TrashPlace,
  ]
  const held = { [disk.top]: Promise.withResolvers<void>(), [below.top]: Promise.withResolvers<void>() }
  const trashed: Disk['trashed'] = async (_, { top }) => {
    await held[top]?.promise
    return { names: new Set([top]), items: [{ ...itemOf(top), top }] }
  }
  const { trash } = await trashOn(t, { tidyTrash: async () => true, trashed }, { longestAwaited: 1 })
  for (const one of [disk, below]) await trash.howFor({ id: 1, name: 'ann' }).notePlace(one)
  const ended: string[] = []
  const compare = (path: string) => trash.compareAt([parsePath(path)]).then(() => void ended.push(path))
  const both = [compare('/host/d'), compare('/')]
  // The time of a listing is over.
  assert.deepEqual([await trash.listed(), ended], [[], []])
  held[disk.top]?.resolve()
  await both[0]
  assert.deepEqual([(await trash.listed()).map(({ id }) => id), ended], [[disk.top], ['/host/d']])
  held[below.top]?.resolve()
  await both[1]
  assert.deepEqual((await trash.listed()).map(({ id }) => id).sort(), [disk.top, below.top])
})
