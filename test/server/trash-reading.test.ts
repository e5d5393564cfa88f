// What is known of trashes of other installations, and how a later reading of their folders changes it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { noRules } from '../../src-server/access/rules.ts'
import { parsePath, rootPath } from '../../src-server/base/paths.ts'
import type { Disk, TrashedItem, TrashPlace } from '../../src-server/disk/disk.ts'
import { OthersTrash } from '../../src-server/trash/others-trash.ts'
import { until } from '../support/until.ts'

const place: TrashPlace = { top: '/host', topPath: rootPath, owner: '0badcafe-1', topIdentity: '' }
const itemOf = (name: string, id = name): TrashedItem => ({
  ...{ id, top: place.top, owner: place.owner, name, path: parsePath(`/${name}`), isDir: false, size: 1, at: 1, why: 'delete' },
  ...{ by: { id: 1, name: 'ann' }, above: [], identity: '' },
})
const principal = { userId: 0, name: '', permissions: noPermissions, rules: noRules, scope: rootPath, base: rootPath }

type Known = Pick<ReadonlySet<string>, 'has'>

/** What others have left on a disk whose folders have no stamp: each reading looks at all names. */
function startedWith(present: TrashedItem[], onAdded: () => void = () => {}) {
  const told = { added: [] as string[], gone: [] as string[], read: 0 }
  const trashed = async (_at: unknown, _place: unknown, { known }: { known?: Known }) => {
    const items = present.filter(({ name }) => !known?.has(name))
    told.read += items.length
    return { names: new Set(present.map(({ name }) => name)), items, stamp: '' }
  }
  const disk = { othersTrashes: async () => [place], trashed } as unknown as Disk
  const others = new OthersTrash({
    ...{ instance: 'i', principal, isOwn: () => false, report: (error) => assert.fail(String(error)) },
    withDisk: (work) => work(disk, new AbortController().signal),
    added: ({ id }) => {
      told.added.push(id)
      onAdded()
    },
    gone: ({ id }) => void told.gone.push(id),
  })
  return { others, told, disk }
}

test('a reading of a disk that does not answer is given up, and a later one asks it again', async () => {
  const errors: unknown[] = []
  let asked = 0
  const othersTrashes = () => {
    asked++
    return asked === 1 ? new Promise(() => {}) : Promise.resolve([place])
  }
  const trashed = async () => ({ names: new Set(['f']), items: [itemOf('f')], stamp: '' })
  const others = new OthersTrash({
    ...{ instance: 'i', principal, isOwn: () => false, report: (error: unknown) => void errors.push(error) },
    ...{ added: () => {}, gone: () => {} },
    withDisk: (work) => work({ othersTrashes, trashed } as unknown as Disk, new AbortController().signal),
    longestReading: 50,
  })
  // What ends it keeps no process running by itself.
  const running = setInterval(() => {}, 1000)
  await others.read([])
  assert.deepEqual([asked, errors.length, others.get('f')], [1, 1, undefined])
  await others.read([])
  clearInterval(running)
  assert.deepEqual([asked, others.get('f')?.id], [2, 'f'])
})

test('a later reading tells of what has changed only', async () => {
  const present = Array.from({ length: 100 }, (_, number) => itemOf(`f${number}`))
  const { others, told } = startedWith(present)
  await others.read([])
  present.splice(0, 1, itemOf('new'))
  for (let times = 0; times < 3; times++) await others.read([])
  assert.deepEqual([told.added.length, told.added.at(-1), told.gone], [101, 'new', ['f0']])
  assert.deepEqual([...others.items()].map(({ id }) => id).sort(), present.map(({ id }) => id).sort())
})

test('another item that has the name of one by now is read too, though not each time', async () => {
  const present = [itemOf('same', 'one'), itemOf('f')]
  const { others, told } = startedWith(present)
  await others.read([])
  present[0] = itemOf('same', 'two')
  const isNew = async () => {
    await others.read([])
    return others.get('two') !== undefined
  }
  await until(isNew, 'the other one is read')
  assert.deepEqual([others.get('one'), told.gone, told.added], [undefined, ['one'], ['one', 'f', 'two']])
})

test('one that has left is read again when it has come back', async () => {
  const present = [itemOf('f')]
  const { others, told } = startedWith(present)
  await others.read([])
  others.drop('f')
  await others.read([])
  assert.deepEqual([told.added, told.gone, others.get('f')?.id], [['f', 'f'], ['f'], 'f'])
})

test('other requests are served while much is added and dropped', async () => {
  const busy = () => {
    const end = performance.now() + 1
    while (performance.now() < end);
  }
  const { others } = startedWith(
    Array.from({ length: 50 }, (_, number) => itemOf(`f${number}`)),
    busy,
  )
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await others.read([])
  isOver = true
  assert.ok(turns > 10, `${turns} turns`)
})
