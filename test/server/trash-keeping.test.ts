// What the trash gives up, and in which order: what is due, what is too much, and what makes room on a full disk.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../../src-server/base/clock.ts'
import { CountedClock } from '../../src-server/base/counted-clock.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { type Path, parsePath, rootPath } from '../../src-server/base/paths.ts'
import type { TrashedItem, TrashedPart } from '../../src-server/disk/disk.ts'
import { itemDueAt, Keeping } from '../../src-server/trash/keeping.ts'
import type { Trash } from '../../src-server/trash/trash.ts'
import { StoppedClock } from '../support/clock.ts'
import { historyCalls } from '../support/history-calls.ts'
import { startApp } from '../support/start-app.ts'
import { itemsOf } from '../support/trash-calls.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const mebibyte = 2 ** 20

/** `room`: bytes that the disk gets back, where that is not the size; `names`: of a file with others elsewhere. */
type Sample = Readonly<{ id: string; person: number; size: number; age: number }> &
  Readonly<{ why?: TrashedItem['why']; isUncounted?: boolean; room?: number; names?: number }>

/** A trash of samples on a disk of so many bytes that is full of them, of which `percent` may be taken. */
function keepingOf(
  samples: readonly Sample[],
  { total = 1000, percent = 10, refused = [] as string[], mostItems = 100, isCounted = false } = {},
) {
  const system = new StoppedClock(1000 * day)
  const clock: Clock = isCounted ? new CountedClock(system) : system
  const itemOf = ({ id, person, size: bytes, age, why = 'delete', isUncounted = false }: Sample): TrashedItem => ({
    ...{ id, top: '/t', owner: `i-${person}`, name: id, path: parsePath('/f'), isDir: isUncounted },
    ...{ size: isUncounted ? undefined : bytes, at: clock.now() - age, why },
    ...{ by: { id: person, name: `p${person}` }, above: [], identity: '' },
  })
  const items = new Map(samples.map((sample) => [sample.id, itemOf(sample)]))
  const roomOf = new Map(samples.map(({ id, size, room = size, names = 1 }) => [id, names > 1 ? 0 : room]))
  const gone: string[] = []
  const looks = { count: 0, isConnected: true }
  const disk = {
    free: 0,
    freeEntries: undefined as number | undefined,
    isLate: false,
    usb: undefined as { total: number; free: number; device: string } | undefined,
  }
  let added = (_item: TrashedItem) => {}
  const trash = {
    onAdded: (listener: typeof added) => {
      added = listener
    },
    known: () => items.values(),
    get: (id: string) => items.get(id),
    at: () => [...items.values()],
    sumAt: ({ owner }: { owner: string }) =>
      [...items.values()]
        .filter((item) => item.owner === owner)
        .reduce((sum, { size = 0 }) => ({ bytes: sum.bytes + size, items: sum.items + 1 }), { bytes: 0, items: 0 }),
    places: () =>
      [...new Set([...items.values()].map(({ owner }) => owner))].map((owner) => {
        return { top: '/t', topPath: rootPath, owner, topIdentity: '' }
      }),
    usage: async ({ topPath }: { topPath: Path }) => {
      // What a pool of file systems has in all changes with what is free.
      const { free, freeEntries } = disk
      if (!topPath.startsWith('/usb')) return { total: total - (topPath === rootPath ? 0 : 1), free, freeEntries, device: '1' }
      if (topPath !== '/usb' || !disk.usb) throw new Failure('notFound')
      return disk.usb
    },
    walk: async ({ id, isDir }: TrashedItem, onPart: (part: TrashedPart) => void) => {
      const { size = 0, room = size, names = 1 } = samples.find((sample) => sample.id === id) ?? {}
      onPart({ path: '', isDir, bytes: size, room, names, id: `inode of ${id}` })
    },
    isConnected: async () => {
      looks.count++
      return looks.isConnected
    },
    isLeaving: () => false,
    purge: async (id: string) => {
      if (refused.includes(id)) throw new Error('refused')
      const item = items.get(id)
      if (!disk.isLate) disk.free += roomOf.get(id) ?? item?.size ?? 1
      if (disk.freeEntries !== undefined) disk.freeEntries++
      items.delete(id)
      gone.push(id)
    },
  }
  const errors: unknown[] = []
  const settings = async () => ({ isOn: true, days: 30, percent })
  const keeping = new Keeping({
    trash: trash as unknown as Trash,
    settings,
    clock,
    mostItems,
    report: (error) => void errors.push(error),
  })
  const add = async (sample: Sample) => {
    const item = itemOf(sample)
    items.set(sample.id, item)
    added(item)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { disk, looks, keeping, gone, errors, add, clock: system, items }
}

test('what the end of the server breaks off is not reported', async () => {
  const { keeping, errors, add, disk } = keepingOf([{ id: 'stuck', person: 1, size: 1, age: 50 * day }], { refused: ['stuck'] })
  Object.defineProperty(disk, 'free', {
    get: () => {
      throw new DOMException('This operation was aborted', 'AbortError')
    },
  })
  const stuck = keeping.removeDue()
  keeping.close()
  await stuck
  await add({ id: 'added', person: 1, size: 1, age: 0 })
  assert.deepEqual(errors, [])
})

test('what was kept for its days goes, the oldest first, and what cannot be removed is tried again a day later', async () => {
  const samples = [
    { id: 'due', person: 1, size: 1, age: 30 * day },
    { id: 'older', person: 2, size: 1, age: 40 * day },
    { id: 'kept', person: 1, size: 1, age: 29 * day },
    { id: 'stuck', person: 1, size: 1, age: 50 * day },
  ]
  const refused = ['stuck']
  const { keeping, gone, errors, clock, items } = keepingOf(samples, { refused })
  assert.equal(itemDueAt([...items.values()][0] as TrashedItem, { days: 30 }, clock), clock.now())
  await keeping.removeDue()
  await keeping.removeDue()
  assert.deepEqual([gone, errors.length], [['older', 'due'], 1])
  refused.pop()
  clock.advance({ hours: 25 })
  await keeping.removeDue()
  assert.deepEqual(gone, ['older', 'due', 'stuck', 'kept'])
})

test('nothing goes because the clock was wrong when it was deleted, or is set by years', async () => {
  const { add, keeping, gone, clock } = keepingOf([], { isCounted: true })
  const at = (age: number) => ({ person: 1, size: 1, age })
  await add({ id: 'before', ...at(0) })
  clock.set(day)
  await add({ id: 'behind', ...at(0) })
  clock.set(1000 * day)
  await add({ id: 'right', ...at(0) })
  clock.set(5000 * day)
  await keeping.removeDue()
  clock.set(1000 * day)
  await keeping.removeDue()
  assert.deepEqual(gone, [])
  clock.advance({ days: 31 })
  await keeping.removeDue()
  assert.deepEqual(gone, ['before', 'behind', 'right'])
})

test('the oldest version goes first also where the clock was wrong, and what others have just deleted is not taken for old', async () => {
  const { add, keeping, gone, clock } = keepingOf([], { isCounted: true, total: 10_000 })
  const version = (id: string) => add({ id, person: 1, size: 10, age: 0, why: 'replace' })
  await version('first')
  clock.set(day)
  for (let number = 0; number < 20; number++) {
    clock.advance({ minutes: 1 })
    await version(`v${number}`)
  }
  assert.deepEqual(gone, ['first'])
  clock.set(1000 * day)
  assert.equal(await keeping.makeRoom('/f' as Path, { writer: 2, bytes: 100 }), 'none')
  assert.deepEqual(gone, ['first'])
})

test('a disk that is not connected is looked at once a day, however many of its items are due', async () => {
  const samples = ['a', 'b', 'c'].map((id) => ({ id, person: 1, size: 1, age: 31 * day }))
  const { keeping, gone, looks, clock } = keepingOf(samples)
  looks.isConnected = false
  await keeping.removeDue()
  await keeping.removeDue()
  assert.deepEqual([gone, looks.count], [[], 1])
  looks.isConnected = true
  clock.advance({ hours: 24 })
  await keeping.removeDue()
  assert.deepEqual([gone, looks.count], [['a', 'b', 'c'], 2])
})

describe('a full disk', () => {
  const samples = [
    { id: 'own new', person: 1, size: 10, age: minute },
    { id: 'own old', person: 1, size: 10, age: 2 * hour },
    { id: 'most old', person: 2, size: 60, age: 3 * hour },
    { id: 'most young', person: 2, size: 60, age: hour / 2 },
    { id: 'less', person: 3, size: 20, age: 5 * hour },
  ]

  test('takes what the writer has deleted, then of whoever holds most, and nothing of others younger than an hour', async () => {
    const { keeping, gone } = keepingOf(samples)
    assert.equal(await keeping.makeRoom(rootPath, { writer: 1, bytes: 100 }), 'freed')
    assert.deepEqual(gone, ['own old', 'own new', 'most old', 'less'])
  })

  test('takes no more than is needed, and a stranger takes nothing where all is young', async () => {
    const { keeping, gone } = keepingOf(samples)
    assert.equal(await keeping.makeRoom(parsePath('/d/f'), { writer: 1, bytes: 0 }), 'freed')
    assert.deepEqual(gone, ['own old'])
    assert.equal(await keeping.makeRoom(parsePath('/d/f'), { writer: 1, bytes: 15 }), 'freed')
    assert.deepEqual(gone, ['own old', 'own new'])
    const young = keepingOf([{ id: 'young', person: 2, size: 60, age: hour / 2 }])
    assert.deepEqual([await young.keeping.makeRoom(rootPath, { writer: 9, bytes: 10 }), young.gone], ['none', []])
  })

  test('takes nothing where all of it would not be enough, as far as that is known, or where nobody waits for it any more', async () => {
    const { keeping, gone } = keepingOf(samples)
    assert.equal(await keeping.makeRoom(rootPath, { writer: 1, bytes: 10, left: { bytes: 101 } }), 'none')
    assert.equal(await keeping.makeRoom(rootPath, { writer: 1, bytes: 10, isWanted: () => false }), 'none')
    assert.deepEqual(gone, [])
  })

  test('takes nothing where its items give back less than their size, and those that give back something first', async () => {
    const real = { id: 'real', person: 1, size: 6, age: minute }
    const poor = [
      { id: 'holes', person: 1, size: 12, age: 3 * hour, room: 0 },
      { id: 'second name', person: 1, size: 12, age: 2 * hour, names: 2 },
      { id: 'folder', person: 1, size: 1, age: hour, isUncounted: true },
    ]
    for (const one of poor) {
      const { keeping, gone } = keepingOf([one, real])
      const ask = (bytes: number) => keeping.makeRoom(rootPath, { writer: 1, bytes: 1, left: { bytes } })
      assert.deepEqual([await ask(12), gone], ['none', []], one.id)
      assert.equal(await ask(5), 'freed')
      assert.deepEqual(gone, one.id === 'folder' ? ['folder', 'real'] : ['real'])
    }
  })

  test('leaves room to what others are writing, but not to what could not be written anyway, nor for what needs next to none', async () => {
    const { keeping, gone, disk } = keepingOf([
      { id: 'own', person: 1, size: 6 * mebibyte, age: hour },
      { id: 'young', person: 2, size: 1, age: 0 },
    ])
    const [first, second, small] = [{ bytes: 5 * mebibyte }, { bytes: 4 * mebibyte }, { bytes: 1000 }]
    const ends = [first, second, small].map((left) => keeping.reserve(parsePath('/f'), 1, left))
    keeping.reserve(parsePath('/g'), 1, { bytes: 100 * mebibyte })
    keeping.reserve(parsePath('/usb/f'), 1, { bytes: 2 * mebibyte })
    disk.usb = { total: 1, free: 0, device: '2' }
    const ask = (left: { bytes: number }) =>
      keeping.makeRoom(parsePath('/f'), { writer: 1, bytes: Math.min(left.bytes, mebibyte), left })
    assert.deepEqual([await ask(first), gone], ['none', []])
    // What was refused ends, and keeps nobody from it.
    assert.deepEqual([await ask(second), gone], ['freed', ['own']])
    // It was made for the second.
    disk.free -= mebibyte
    second.bytes -= mebibyte
    assert.equal(await ask(first), 'none')
    assert.equal(await ask(small), 'enough')
    for (const end of ends) end()
    assert.equal(await ask(first), 'enough')
  })

  test('counts what has gone, and not its bytes alone: what is empty frees no byte, and what cannot go is not the one', async () => {
    const refused = ['stuck']
    const { keeping, gone } = keepingOf(
      [
        { id: 'stuck', person: 1, size: 10, age: 3 * hour },
        { id: 'empty', person: 1, size: 0, age: 2 * hour },
        { id: 'own', person: 1, size: 10, age: hour },
      ],
      { refused },
    )
    assert.deepEqual([await keeping.makeRoom(rootPath, { writer: 1, bytes: 0 }), gone], ['enough', ['empty']])
    assert.deepEqual([await keeping.makeRoom(rootPath, { writer: 1, bytes: 0 }), gone], ['freed', ['empty', 'own']])
    assert.deepEqual([await keeping.makeRoom(rootPath, { writer: 1, bytes: 20 }), gone], ['none', ['empty', 'own']])
  })

  test('takes nothing more for half a second while what has gone is not given back, and more after that', async () => {
    const own = (id: string, age: number) => ({ id, person: 1, size: 10, age })
    const { keeping, gone, disk, clock } = keepingOf([own('first', 3 * hour), own('second', 2 * hour), own('third', hour)])
    disk.isLate = true
    const ask = async () => [await keeping.makeRoom(rootPath, { writer: 1, bytes: 10 }), gone.length]
    assert.deepEqual(
      [await ask(), await ask()],
      [
        ['enough', 1],
        ['enough', 1],
      ],
    )
    // It was given back, and somebody else has taken it.
    clock.advance({ seconds: 1 })
    assert.deepEqual(await ask(), ['enough', 2])
    disk.free = 10
    assert.deepEqual(await ask(), ['enough', 2])
    // What has come back is not waited for.
    assert.deepEqual([await keeping.makeRoom(rootPath, { writer: 1, bytes: 20 }), gone], ['enough', ['first', 'second', 'third']])
  })

  test('takes one item where no further entry can be made on a disk that has space', async () => {
    const own = (id: string, age: number) => ({ id, person: 1, size: 0, age })
    const { keeping, gone, disk } = keepingOf([own('old', 2 * hour), own('new', hour)])
    Object.assign(disk, { free: 100, freeEntries: 0 })
    assert.deepEqual([await keeping.makeRoom(rootPath, { writer: 1, bytes: 0, left: { bytes: 10 } }), gone], ['freed', ['old']])
    assert.deepEqual([await keeping.makeRoom(rootPath, { writer: 1, bytes: 0 }), gone], ['enough', ['old']])
  })

  test('takes nothing where there is space, or where the disk is another one that has no trash', async () => {
    const { keeping, gone, disk } = keepingOf(samples)
    disk.free = 10
    assert.equal(await keeping.makeRoom(rootPath, { writer: 1, bytes: 10 }), 'enough')
    // A file system needs some for itself.
    disk.free = 3 * 2 ** 20
    assert.equal(await keeping.makeRoom(rootPath, { writer: 1, bytes: 10, isAgain: true }), 'enough')
    // Another one of the same model.
    Object.assign(disk, { free: 0, usb: { total: 1000, free: 0, device: '2' } })
    assert.equal(await keeping.makeRoom(parsePath('/usb/new/f'), { writer: 1, bytes: 10 }), 'none')
    assert.deepEqual(gone, [])
  })
})

test('the order in which much would go is found out only as far as it is needed', async () => {
  const count = 500
  const samples = Array.from({ length: 2 * count }, (_, index) => {
    return { id: `${index}`, person: 2 + (index % 2), size: 1, age: (index + 2) * hour }
  })
  const { keeping, gone, items } = keepingOf(samples)
  let reads = 0
  for (const item of items.values()) Object.defineProperty(item, 'size', { get: () => (++reads ? 1 : 0) })
  assert.equal(await keeping.makeRoom(rootPath, { writer: 1, bytes: 3 }), 'freed')
  assert.deepEqual(gone, ['998', '999', '996'])
  assert.ok(reads < 10 * samples.length, `${reads} for ${samples.length} items`)
})

describe('more than its part of the disk', () => {
  test('of one person goes, the oldest first, without what is too large alone and what has just come', async () => {
    const { gone, add } = keepingOf([
      { id: 'large', person: 1, size: 60, age: 9 * day },
      { id: 'old', person: 1, size: 30, age: 8 * day },
      { id: 'newer', person: 1, size: 20, age: 7 * day },
      { id: 'other', person: 2, size: 20, age: 9 * day },
    ])
    await add({ id: 'new', person: 1, size: 10, age: 0 })
    // 50 for one person, in which what is larger is not counted.
    assert.deepEqual(gone, ['old'])
  })

  test('of the items of one person goes, whatever their size', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, person: 1, size: 0, age: (index + 1) * day }))
    const { gone, add, items } = keepingOf([...many, { id: 'other', person: 2, size: 0, age: 90 * day }], { mostItems: 20 })
    await add({ id: 'new', person: 1, size: 0, age: 0 })
    assert.deepEqual([gone, items.size], [['19', '18'], 20])
  })

  test('of the items of one person nothing of the last day goes, unless there are five times as many', async () => {
    const young = Array.from({ length: 98 }, (_, index) => ({ id: `${index}`, person: 1, size: 0, age: (index + 1) * minute }))
    const { gone, add, keeping, clock } = keepingOf([...young, { id: 'old', person: 1, size: 0, age: 2 * day }], {
      mostItems: 20,
    })
    await add({ id: 'new', person: 1, size: 0, age: 0 })
    assert.deepEqual(gone, ['old'])
    for (const id of ['more', 'many']) await add({ id, person: 1, size: 0, age: 0 })
    // A twentieth of the most goes with what is too much.
    assert.deepEqual(gone.splice(0), ['old', '97', '96', '95', '94', '93', '92'])
    clock.advance({ days: 1 })
    await keeping.removeDue()
    await add({ id: 'next day', person: 1, size: 0, age: 0 })
    assert.deepEqual([gone.length, gone[0], gone.at(-1)], [77, '91', '15'])
  })

  test('takes nothing of the last minute for one person, and nothing of the last hour for all', async () => {
    const one = keepingOf([{ id: 'young', person: 1, size: 45, age: minute - 1 }])
    await one.add({ id: 'new', person: 1, size: 45, age: 0 })
    const ages = [hour, hour - 1, hour - 1].map((age, index) => ({ id: `${index}`, person: index, size: 30, age }))
    const all = keepingOf(ages)
    await all.add({ id: 'new', person: 4, size: 40, age: 0 })
    assert.deepEqual([one.gone, all.gone], [[], ['0']])
  })

  test('of all goes, first of whoever holds most', async () => {
    const { gone, add } = keepingOf(
      [1, 2, 3].map((person) => ({ id: `${person}`, person, size: 28 + person, age: person * day })),
    )
    await add({ id: 'new', person: 4, size: 30, age: 0 })
    assert.deepEqual(gone, ['3'])
  })
})

test('a file that was replaced twenty times keeps all versions, the oldest goes with the next, and what is undone drives out none', async (t) => {
  const app = await startApp(t, { files: { f: '0' } })
  const ann = await app.as('ann')
  const history = historyCalls(app.url, ann)
  for (let round = 1; round <= 22; round++) {
    app.clock.advance({ seconds: 1 })
    assert.equal((await history.act().upload('/f', `${round}`, 'override=true')).status, 200)
  }
  await until(async () => (await itemsOf(ann)).length === 20, 'the oldest are gone')
  const items = await itemsOf(ann, 'order=asc')
  assert.equal(await (await ann.ask('GET', `/api/trash/raw/${items[0]?.id}`)).text(), '2')
  const acts = (await history.list()).filter(({ mayUndo }) => mayUndo)
  assert.equal(acts.length, 20)
  for (const [index, { id }] of acts.entries()) {
    app.clock.advance({ seconds: 1 })
    assert.equal((await history.undo(id)).status, 200)
    assert.deepEqual(await harvest(app.root), { f: `${21 - index}` })
  }
})
