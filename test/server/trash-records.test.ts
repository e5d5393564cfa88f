// What is kept about the trash beside the state.
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parsePath, rootPath } from '../../src-server/base/paths.ts'
import { type TrashRecord, TrashRecords } from '../../src-server/state/trash-records.ts'
import { temporaryFolder } from '../support/tree.ts'

const place = { top: '/host', topPath: rootPath, owner: 'i-1', topIdentity: ':1:2' }
const item = (id: string, path = '/d/f', size: number | undefined = 3): TrashRecord => ({
  ...{
    id,
    top: '/host',
    owner: 'i-1',
    name: id,
    path: parsePath(path),
    isDir: size === undefined,
    size,
    at: 1000,
    why: 'delete',
  },
  ...{ by: { id: 1, name: 'ann' }, above: [':1:2', ':3:4'], identity: ':5:6' },
})

test('items, their sizes and their places are known after a restart, without what a power failure has torn', async (t) => {
  const file = join(await temporaryFolder(t), 'state.json')
  const open = () => new TrashRecords(file, (error) => assert.fail(String(error)))
  const before = open()
  await before.notePlace(place)
  for (const one of [item('a'), item('b'), item('c', '/c', undefined)]) before.add(one)
  before.measured('c', 10)
  before.drop('a')
  await before.close()
  appendFileSync(`${file}.trash`, '{"add":{"id":"torn"')
  const after = open()
  assert.deepEqual([after.places(), [...after.items()]], [[place], [item('b'), { ...item('c', '/c', undefined), size: 10 }]])
  assert.deepEqual([after.at(parsePath('/d/f')), after.sumAt(place)], [[item('b')], { bytes: 13, items: 2 }])
})

test('lines of what has gone are written anew', async (t) => {
  const file = join(await temporaryFolder(t), 'state.json')
  const records = new TrashRecords(file, (error) => assert.fail(String(error)))
  records.add(item('kept'))
  for (let round = 0; round < 1200; round++) {
    records.add(item(`${round}`))
    records.drop(`${round}`)
  }
  await records.close()
  assert.ok(readFileSync(`${file}.trash`, 'utf8').split('\n').length < 1500)
  assert.deepEqual([...new TrashRecords(file, () => {}).items()], [item('kept')])
})

test('a log that cannot be read is reported, and is no reason not to start', async (t) => {
  const file = join(await temporaryFolder(t), 'state.json')
  const errors: unknown[] = []
  mkdirSync(`${file}.trash`)
  assert.deepEqual([...new TrashRecords(file, (error) => void errors.push(error)).items()], [])
  assert.equal(errors.length, 1)
})

test('what had the name of a new item in its trash is not there any more', async (t) => {
  const file = join(await temporaryFolder(t), 'state.json')
  const records = new TrashRecords(file, (error) => assert.fail(String(error)))
  const told: string[] = []
  records.follow({ added: ({ id }) => void told.push(`+${id}`), gone: ({ id }) => void told.push(`-${id}`) })
  records.add({ ...item('a'), name: 'f' })
  records.add({ ...item('b'), name: 'f' })
  assert.deepEqual([[...records.items()].map(({ id }) => id), records.sumAt(place)], [['b'], { bytes: 3, items: 1 }])
  assert.deepEqual([records.at(parsePath('/d/f')).length, told], [1, ['+a', '-a', '+b']])
  records.drop('b')
  assert.deepEqual([records.size, records.sumAt(place), records.in(place).size], [0, { bytes: 0, items: 0 }, 0])
  await records.close()
  assert.equal(new TrashRecords(file, () => {}).size, 0)
})

test('what was put back is told from what was deleted for good, also after a restart and with new lines', async (t) => {
  const file = join(await temporaryFolder(t), 'state.json')
  const open = () => new TrashRecords(file, (error) => assert.fail(String(error)))
  const before = open()
  for (const id of ['back', 'purged', 'again', 'by-another']) before.add(item(id))
  before.drop('purged')
  before.drop('by-another')
  before.noteRestored('by-another')
  for (const id of ['back', 'again']) before.drop(id, true)
  before.add(item('again'))
  for (let round = 0; round < 1200; round++) {
    before.add(item(`${round}`))
    before.drop(`${round}`)
  }
  await before.close()
  const after = open()
  const restored = ['back', 'purged', 'again', 'by-another'].filter((id) => after.isRestored(id))
  assert.deepEqual(restored, ['back', 'by-another'])
})
