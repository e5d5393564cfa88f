// What lasts of acts, as files beside the state.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import type { ActHead, DeedLine } from '../../src-server/state/history-store.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { temporaryFolder } from '../support/start-state.ts'

const head = (id: string, number: number, changed: Partial<ActHead> = {}): ActHead => ({
  ...{ id, userId: 1, number, key: `key-of-${id}`, kind: 'upload', chosen: 1, names: ['a'], folder: '/', deeds: 0, startedAt: 5 },
  ...{ changedAt: 5, state: 'done', isOpen: false, turns: 0, ...changed },
})
const line = (deed: number, version = 'v'): DeedLine => ({
  deed,
  is: { what: 'entry', at: `/a${deed}`, isDir: false, trace: { identity: '', version } },
})
const lines = (count: number) => Array.from({ length: count }, (_, deed) => line(deed))

function start(t: TestContext) {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  const disk = new FaultyDisk(folder)
  t.after(() => disk.close())
  return { folder, disk, store: filesIn(folder, disk), below: join(folder, 'state.json.history') }
}

function filesIn(folder: string, disk?: FaultyDisk) {
  return new HistoryFiles({ stateFile: join(folder, 'state.json'), ...(disk && { system: disk.system }) })
}

async function keep(store: HistoryFiles, kept: ActHead, deeds: readonly DeedLine[]) {
  await store.setHead(kept, true)
  await store.append(kept, deeds)
  await store.setHead({ ...kept, deeds: deeds.length }, false)
}

test('acts are found by the next start as they were left, and nothing of them is open to others', async (t) => {
  const { folder, store, below } = start(t)
  await store.open([1, 2])
  await keep(store, head('a', 1), lines(3))
  await keep(store, head('b', 2), lines(50))
  await keep(store, head('c', 1, { userId: 2 }), lines(1))
  await keep(store, head('d', 3), lines(30))
  await store.append(head('b', 2), [
    { ...line(1, 'w'), isUndone: true },
    { ...line(40, 'w'), isUndone: true },
  ])
  await store.remove(1, 'd')
  await store.close()
  const next = filesIn(folder)
  await next.open([1, 2])
  assert.deepEqual(await next.heads(1), [head('a', 1, { deeds: 3 }), head('b', 2, { deeds: 50 })])
  assert.deepEqual((await next.heads(2)).length, 1)
  const found = await next.deeds(1, ['a', 'b', 'none'])
  assert.deepEqual([found.get('a'), found.get('none')], [lines(3), []])
  const expected = lines(50).map((one) => (one.deed === 1 || one.deed === 40 ? { ...line(one.deed, 'w'), isUndone: true } : one))
  assert.deepEqual(found.get('b'), expected)
  assert.deepEqual(readdirSync(below).sort(), ['1-b.log', '1.log', '2.log'])
  for (const name of readdirSync(below)) assert.equal(statSync(join(below, name)).mode & 0o777, 0o600)
  assert.equal(statSync(below).mode & 0o777, 0o700)
})

test('what a kill left behind the head of an act counts', async (t) => {
  const { folder, store } = start(t)
  await store.setHead(head('a', 1, { isOpen: true }), true)
  await store.append(head('a', 1), lines(33))
  await store.close()
  assert.deepEqual(await filesIn(folder).heads(1), [head('a', 1, { isOpen: true, deeds: 33 })])
})

test('after a power failure no head that lasted tells of more changes than did', async (t) => {
  const { disk, store } = start(t)
  await keep(store, head('a', 1), lines(30))
  const before = disk.calls.length
  await store.setHead(head('b', 2), true)
  const synced = (name: string) => disk.calls.slice(before).filter((call) => call === `sync state.json.history/${name}`).length
  assert.deepEqual([synced('1-a.log'), synced('1.log')], [1, 1])
  await store.setHead(head('c', 3), true)
  assert.deepEqual([synced('1-a.log'), synced('1.log')], [1, 2])
  for (const survives of ['nothing', 'names'] as const) {
    const copy = join(temporaryFolder(t), 'cut')
    disk.afterPowerCut(copy, survives)
    const next = filesIn(copy)
    assert.deepEqual((await next.heads(1)).map(({ id, deeds }) => [id, deeds]).slice(0, 1), [['a', 30]])
    assert.deepEqual((await next.deeds(1, ['a'])).get('a'), lines(30))
    await next.close()
  }
  await store.close()
})

test('a log that is cut anywhere opens with what is whole, and goes on', async (t) => {
  const { folder, store, below } = start(t)
  await keep(store, head('a', 1), lines(2))
  await store.close()
  const copy = join(temporaryFolder(t), 'cut')
  const { size } = statSync(join(below, '1.log'))
  for (let length = 0; length <= size; length += 23) {
    cpSync(folder, copy, { recursive: true, force: true })
    truncateSync(join(copy, 'state.json.history', '1.log'), length)
    const cut = filesIn(copy)
    const known = (await cut.heads(1)).length
    await keep(cut, head('z', 9), lines(1))
    await cut.close()
    const again = filesIn(copy)
    assert.deepEqual([(await again.heads(1)).length, (await again.deeds(1, ['z'])).get('z')], [known + 1, lines(1)], `${length}`)
    await again.close()
  }
})

test('a log with more than twice what is of use is written anew, without losing anything', async (t) => {
  const { store, below } = start(t)
  await keep(store, head('a', 1), lines(20))
  for (let round = 0; round < 400; round++) await store.append(head('a', 1), [{ ...line(3, `${round}`), isUndone: true }])
  const written = readFileSync(join(below, '1.log'), 'utf8').split('\n').length
  assert.ok(written < 300, `${written} lines`)
  const found = (await store.deeds(1, ['a'])).get('a') ?? []
  assert.deepEqual([found.length, found[3]], [20, { ...line(3, '399'), isUndone: true }])
  await store.close()
})

test('nothing is left of a person who is deleted, also when the server was off meanwhile', async (t) => {
  const { folder, store, below } = start(t)
  await keep(store, head('a', 1), lines(30))
  await keep(store, head('b', 1, { userId: 12 }), lines(30))
  await store.removePerson(1)
  assert.deepEqual(readdirSync(below).sort(), ['12-b.log', '12.log'])
  assert.deepEqual(await store.heads(1), [])
  // What was still going on when the person was deleted.
  await keep(store, head('c', 1), lines(30))
  assert.deepEqual(readdirSync(below).sort(), ['12-b.log', '12.log'])
  await store.close()
  writeFileSync(join(below, `12.log.tmp-${'0'.repeat(32)}`), '')
  await filesIn(folder).open([1])
  assert.deepEqual(readdirSync(below), [])
})

test('changes of an act that was forgotten are removed with the next look', async (t) => {
  const { folder, store, below } = start(t)
  await keep(store, head('a', 1), lines(1))
  await store.close()
  cpSync(join(below, '1.log'), join(below, '1-b.log'))
  assert.equal((await filesIn(folder).heads(1)).length, 1)
  assert.ok(!existsSync(join(below, '1-b.log')))
})

test('a full disk refuses an act with its error, and what is kept stays readable', async (t) => {
  const { folder, disk, store } = start(t)
  await keep(store, head('a', 1), lines(1))
  disk.failAt(disk.calls.length, 'ENOSPC')
  await assert.rejects(store.append(head('a', 1), [line(1)]), { code: 'ENOSPC' })
  assert.deepEqual((await filesIn(folder).deeds(1, ['a'])).get('a'), [line(0)])
})

test('an act of which a full disk has refused the many changes is known as incomplete after a kill too', async (t) => {
  const { folder, disk, store, below } = start(t)
  await store.setHead(head('a', 1, { isOpen: true }), true)
  const { write } = disk.system
  t.mock.method(disk.system, 'write', (...asked: Parameters<typeof write>) => {
    if (Buffer.from(asked[1]).includes('"deed":20')) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return write(...asked)
  })
  await assert.rejects(store.append(head('a', 1), lines(30)), { code: 'ENOSPC' })
  await store.close()
  assert.equal(statSync(join(below, '1-a.log')).size, 0)
  const [found] = await filesIn(folder).heads(1)
  assert.deepEqual([found?.deeds, found?.isTooLarge], [20, true])
})

test('an act whose many changes cannot be made to last is incomplete from then on, and refuses no other act', async (t) => {
  const { folder, disk, store } = start(t)
  await keep(store, head('a', 1), lines(30))
  disk.failAt(disk.calls.length, 'EIO')
  await assert.rejects(store.setHead(head('a', 1, { deeds: 30 }), true), { code: 'EIO' })
  disk.failAt(disk.calls.length, 'EIO')
  await store.setHead(head('b', 2), true)
  await store.close()
  const found = await filesIn(folder).heads(1)
  assert.deepEqual(
    found.map(({ id, isTooLarge }) => [id, isTooLarge]),
    [
      ['a', true],
      ['b', undefined],
    ],
  )
})

test('the many changes of an act that a kill has interrupted last before the next head does', async (t) => {
  const { folder, disk, store } = start(t)
  await keep(store, head('a', 1, { isOpen: true }), lines(30))
  const next = filesIn(folder, disk)
  await next.heads(1)
  const before = disk.calls.length
  await next.setHead(head('b', 2), true)
  const synced = disk.calls.slice(before).filter((call) => call.startsWith('sync ') && call.endsWith('.log'))
  assert.deepEqual(synced, ['sync state.json.history/1-a.log', 'sync state.json.history/1.log'])
  await next.close()
  await store.close()
})

test('before a log is written anew the many changes of its acts last', async (t) => {
  const { disk, store } = start(t)
  await keep(store, head('a', 1), lines(30))
  const before = disk.calls.length
  for (let round = 0; round < 15; round++) await store.append(head('a', 1), lines(20))
  const calls = disk.calls.slice(before)
  const synced = calls.indexOf('sync state.json.history/1-a.log')
  const replaced = calls.findIndex((call) => call.startsWith('rename '))
  assert.ok(synced >= 0 && synced < replaced, `synced ${synced}, replaced ${replaced}`)
  await store.close()
})
