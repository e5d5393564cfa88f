// What every engine that keeps the state gives to read: the JSON file, and the memory.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Path } from '../../src-server/base/paths.ts'
import type { StateData, StoredLink } from '../../src-server/state/state-data.ts'
import { allOf, Views } from '../../src-server/state/views.ts'
import { engines, failsWith, link, now, session, user } from '../support/engines.ts'
import { SeededRandom } from '../support/seeded-random.ts'

for (const [engine, open] of Object.entries(engines)) {
  describe(engine, () => {
    test('reads a session with its user and the settings, as they are when it is asked', async (t) => {
      const state = await open(t)
      const ann = await state.run('addUser', user('ann'))
      await state.run('startSession', { session: session('a', ann.id), passwordHash: 'hash', now })
      const before = state.session('a')
      const changed = state.run('changeUser', { id: ann.id, fields: { locale: 'de' }, now })
      assert.equal((await before)?.user.locale, '')
      await changed
      const view = await state.session('a')
      assert.deepEqual([view?.session.id, view?.user.locale, view?.settings], ['a', 'de', await state.settings()])
      assert.equal(await state.session('b'), undefined)
      await state.run('endSession', { id: 'a' })
      assert.equal(await state.session('a'), undefined)
    })

    test('finds each session while others begin, change and end', async (t) => {
      const state = await open(t)
      const { id } = await state.run('addUser', user('ann'))
      const random = new SeededRandom(7)
      for (let step = 0; step < 300; step++) {
        const sid = `s${random.below(20)}`
        const known = state.data.sessions.some((one) => one.id === sid)
        if (!known) await state.run('startSession', { session: session(sid, id), passwordHash: 'hash', now })
        else if (random.below(2) === 0) await state.run('touchSession', { id: sid, now: now + step })
        else await state.run('endSession', { id: sid })
        if (random.below(3) > 0) continue
        const found = await Promise.all(Array.from({ length: 20 }, (_, index) => state.session(`s${index}`)))
        const sessions = found.flatMap((view) => view?.session ?? [])
        assert.deepEqual(new Set(sessions), new Set(state.data.sessions))
        assert.deepEqual(await state.sessionsOf(id), state.data.sessions)
      }
      assert.deepEqual(await state.sessionsOf(99), [])
    })

    test('reads a link with its owner, also one that has expired, and none whose owner is gone', async (t) => {
      const state = await open(t)
      const ann = await state.run('addUser', user('ann'))
      const bob = await state.run('addUser', user('bob', allPermissions))
      await state.run('addLink', { link: link('l', ann.id, { expire: now + 1 }), most: 10, now })
      const view = await state.link('l')
      assert.deepEqual([view?.link.hash, view?.owner, view?.settings], ['l', ann, await state.settings()])
      assert.equal(await state.link('m'), undefined)
      assert.equal(await state.linkCount(), 1)
      await state.run('changeUser', { id: bob.id, fields: { locale: 'de' }, now })
      await state.run('removeUser', { id: ann.id })
      assert.deepEqual([await state.link('l'), await state.linkCount()], [undefined, 0])
    })

    test('finds users by id and by exact name, counts them, and knows the first administrator', async (t) => {
      const state = await open(t)
      assert.deepEqual([await state.userCount(), await state.firstAdministrator()], [0, undefined])
      const ann = await state.run('addUser', user('ann'))
      const root = await state.run('addUser', user('root', allPermissions))
      await state.run('addUser', user('other', allPermissions))
      assert.deepEqual([await state.userById(ann.id), await state.userById(99)], [ann, undefined])
      assert.deepEqual([await state.userNamed('ann'), await state.userNamed('Ann')], [ann, undefined])
      assert.deepEqual([await state.userCount(), await state.firstAdministrator()], [3, root])
      await assert.rejects(state.checkFree({ username: 'ANN' }, false), failsWith('conflict'))
      await assert.rejects(state.checkFree({ username: 'new', scope: '/ann' }, true), failsWith('conflict'))
      await state.checkFree({ username: 'new', scope: '/ann' }, false)
    })

    test('lists come page by page, each record once, whatever is removed between two pages', async (t) => {
      const state = await open(t)
      for (const name of ['a', 'b', 'c', 'd', 'e']) await state.run('addUser', user(name))
      const ids = async (after?: number) => {
        const { records, next } = await state.users({ after, most: 2 })
        return [records.map(({ username }) => username).join(), next] as const
      }
      assert.deepEqual(
        [await ids(), await ids(2)],
        [
          ['a,b', 2],
          ['c,d', 4],
        ],
      )
      await state.run('addUser', user('root', allPermissions))
      await state.run('removeUser', { id: 2 })
      assert.deepEqual(
        [await ids(2), await ids(4), await ids(6)],
        [
          ['c,d', 4],
          ['e,root', undefined],
          ['', undefined],
        ],
      )
      for (const hash of ['z', 'm', 'a', 'k']) await state.run('addLink', { link: link(hash, 1), most: 10, now })
      const first = await state.links({ most: 2 })
      assert.deepEqual([first.records.map(({ hash }) => hash), first.next], [['a', 'k'], 'k'])
      await state.run('removeLinks', { hashes: ['k'] })
      const all = await allOf((after: string | undefined) => state.links({ after, most: 1 }))
      assert.deepEqual(
        all.map(({ hash }) => hash),
        ['a', 'm', 'z'],
      )
    })

    test('lists links of a user, of a path, and at or below one', async (t) => {
      const state = await open(t)
      for (const name of ['ann', 'bob']) await state.run('addUser', user(name))
      for (const [hash, userId, path] of [
        ['1', 1, '/a'],
        ['2', 1, '/a/b'],
        ['3', 2, '/a'],
        ['4', 2, '/ab'],
      ] as const)
        await state.run('addLink', { link: link(hash, userId, { path }), most: 10, now })
      const found = async (filter: Parameters<typeof state.links>[0]) =>
        (await state.links(filter)).records.map(({ hash }) => hash).join('')
      const path = '/a' as Path
      assert.deepEqual(
        [await found({}), await found({ userId: 2 }), await found({ path }), await found({ atOrBelow: path })],
        ['1234', '34', '13', '123'],
      )
      assert.deepEqual([await found({ userId: 1, path }), await found({ userId: 3 })], ['1', ''])
    })
  })
}

test('the links of several pages are sorted once', async () => {
  let reads = 0
  const random = new SeededRandom(3)
  const links = Array.from({ length: 4000 }, () => {
    const hash = String(random.below(1e9))
    return {
      userId: 1,
      get hash() {
        reads++
        return hash
      },
    } as StoredLink
  })
  class Fixed extends Views {
    data = { links } as unknown as StateData
  }
  const views = new Fixed()
  const pages = async (most: number) => {
    reads = 0
    const found = await allOf((after: string | undefined) => views.links({ userId: 1, most, after }))
    return { found, reads }
  }
  const [one, ten] = [await pages(4000), await pages(400)]
  assert.deepEqual(ten.found, one.found)
  // Each page looks at each link once.
  assert.ok(ten.reads < one.reads + 11 * links.length, `${ten.reads} reads, ${one.reads} for one page`)
})
