// What the trash gives up on each disk by itself: one that does not answer keeps nothing on others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Path, parsePath, rootPath } from '../../src-server/base/paths.ts'
import type { TrashedItem, TrashedPart } from '../../src-server/disk/disk.ts'
import { Keeping } from '../../src-server/trash/keeping.ts'
import type { Trash } from '../../src-server/trash/trash.ts'
import { StoppedClock } from '../support/clock.ts'
import { until } from '../support/until.ts'

/** By the list of the mounts two disks. */
const [disk, dead] = ['/host', '/proc/dead']
const day = 86_400_000

for (const unanswered of ['isConnected', 'purge'] as const) {
  test(`a disk that does not answer keeps nothing on others, now or an hour later (${unanswered})`, async () => {
    const clock = new StoppedClock(1000 * day)
    const itemOf = (id: string, top: string, age: number): TrashedItem => ({
      ...{ id, top, owner: 'i-1', name: id, path: parsePath('/f'), isDir: false, size: 1, at: clock.now() - age, why: 'delete' },
      ...{ by: { id: 1, name: 'ann' }, above: [], identity: '' },
    })
    const hour = day / 24
    const all = [itemOf('stuck', dead, 40 * day), itemOf('due', disk, 35 * day), itemOf('soon', disk, 30 * day - hour)]
    const items = new Map(all.map((item) => [item.id, item]))
    const answer = Promise.withResolvers<void>()
    const asked: string[] = []
    const ask = async (call: typeof unanswered, item: TrashedItem | undefined) => {
      if (item?.top !== dead) return
      asked.push(call)
      if (call === unanswered) await answer.promise
    }
    const trash = {
      onAdded: () => {},
      known: () => items.values(),
      get: (id: string) => items.get(id),
      isConnected: (item: TrashedItem) => ask('isConnected', item).then(() => true),
      purge: (id: string) => ask('purge', items.get(id)).then(() => void items.delete(id)),
    }
    const report = (error: unknown) => assert.fail(String(error))
    const settings = async () => ({ days: 30, percent: 10 })
    const keeping = new Keeping({ trash: trash as unknown as Trash, settings, clock, report })
    const left = () => [...items.keys()].join(' ')
    const started = keeping.start()
    await until(() => left() === 'stuck soon', 'what is due on the other disk has gone')
    clock.advance({ hours: 1 })
    await until(() => left() === 'stuck', 'what is due an hour later has gone')
    assert.equal(asked.filter((call) => call === unanswered).length, 1)
    answer.resolve()
    await started
    assert.equal(left(), '')
    keeping.close()
  })
}

test('room is made on a full disk while somebody writes to another one below it that does not answer', async () => {
  const clock = new StoppedClock(1000 * day)
  const mebibyte = 2 ** 20
  const item: TrashedItem = {
    ...{ id: 'own', top: '/', owner: 'i-1', name: 'own', path: parsePath('/old'), isDir: false, size: 6 * mebibyte },
    ...{ at: clock.now() - day, why: 'delete', by: { id: 1, name: 'ann' }, above: [], identity: '' },
  }
  let free = 0
  const trash = {
    onAdded: () => {},
    known: () => (free === 0 ? [item] : []),
    places: () => [{ top: '/', topPath: rootPath, owner: 'i-1', topIdentity: '' }],
    usage: async ({ topPath }: { topPath: Path }) => {
      assert.ok(!topPath.startsWith('/proc'), 'the disk that does not answer is asked')
      return { total: 100 * mebibyte, free, device: '1' }
    },
    walk: async (_: TrashedItem, onPart: (part: TrashedPart) => void) =>
      onPart({ path: '', isDir: false, bytes: 6 * mebibyte, room: 6 * mebibyte, names: 1, id: '1' }),
    purge: async () => {
      free = 6 * mebibyte
    },
  }
  const settings = async () => ({ days: 30, percent: 10 })
  const keeping = new Keeping({ trash: trash as unknown as Trash, settings, clock, report: assert.ifError })
  keeping.reserve(parsePath('/proc/f'), 2, { bytes: 2 * mebibyte })
  assert.equal(await keeping.makeRoom(parsePath('/f'), { writer: 1, bytes: 5 * mebibyte }), 'freed')
})
