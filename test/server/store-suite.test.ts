// What every engine that keeps the state does alike: the JSON file, and the memory.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allPermissions, noPermissions } from '../../src-server/access/permissions.ts'
import type { Failure } from '../../src-server/base/failure.ts'
import type { CommandName, InputOf } from '../../src-server/state/commands.ts'
import type { News } from '../../src-server/state/feed.ts'
import { settingsVersion } from '../../src-server/state/settings-commands.ts'
import type { StateData, StoredLink } from '../../src-server/state/state-data.ts'
import { engines, failsWith, link, now, request, session, user } from '../support/engines.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const sharing = { ...noPermissions, share: true, download: true }

for (const [engine, open] of Object.entries(engines)) {
  describe(engine, () => {
    test('keeps names apart, however they are spelled, and never uses an id twice', async (t) => {
      const state = await open(t)
      const ann = await state.run('addUser', user('ann'))
      await assert.rejects(state.run('addUser', user('ANN')), failsWith('conflict'))
      const bob = await state.run('addUser', user('bob'))
      await assert.rejects(state.run('changeUser', { id: bob.id, fields: { username: 'Ann' }, now }), failsWith('conflict'))
      await state.run('removeUser', { id: bob.id })
      assert.ok((await state.run('addUser', user('bob'))).id > bob.id)
      assert.equal(ann.id, 1)
    })

    test('adds, changes and removes request links of who may share and create, and of others for an administrator alone', async (t) => {
      const state = await open(t)
      const people = {
        ann: await state.run('addUser', user('ann', { ...noPermissions, share: true, create: true })),
        bob: await state.run('addUser', user('bob', sharing)),
        cy: await state.run('addUser', user('cy', { ...noPermissions, share: true, create: true })),
        root: await state.run('addUser', user('root', allPermissions)),
      }
      for (const { id, username } of Object.values(people))
        await state.run('startSession', { session: session(username, id), passwordHash: 'hash', now })
      const by = (name: keyof typeof people) => ({ userId: people[name].id, sessionId: name })
      const add = (hash: string, name: keyof typeof people) =>
        state.run('addRequest', { request: request(hash, people[name].id), most: 2, by: by(name) })
      await add('a', 'ann')
      await add('b', 'ann')
      await assert.rejects(add('c', 'ann'), failsWith('conflict'))
      await assert.rejects(add('c', 'bob'), failsWith('forbidden'))
      const edit = { set: { text: 'before Friday', closedAt: now }, remove: [] }
      await assert.rejects(state.run('editRequest', { hash: 'a', edit, by: by('cy') }), failsWith('notFound'))
      await state.run('editRequest', { hash: 'a', edit, by: by('root') })
      const removed = { set: {}, remove: ['closedAt'] as const }
      const { closedAt, text } = await state.run('editRequest', { hash: 'a', edit: removed, by: by('ann') })
      assert.deepEqual([closedAt, text], [undefined, 'before Friday'])
      for (const files of [3, 2]) await state.run('seeRequest', { hash: 'a', files, by: by('ann') })
      assert.equal((await state.request('a'))?.request.seen, 3)
      await assert.rejects(state.run('removeRequest', { hash: 'b', by: by('cy') }), failsWith('notFound'))
      await state.run('removeRequest', { hash: 'b', by: by('ann') })
      assert.equal(await state.linkCount(), 1)
      await state.run('removeUser', { id: people.ann.id })
      assert.deepEqual([await state.request('a'), await state.linkCount()], [undefined, 0])
    })

    test('follows, suspends and ends links of both kinds alike', async (t) => {
      const state = await open(t)
      const { id } = await state.run('addUser', user('ann', allPermissions))
      await state.run('startSession', { session: session('s', id), passwordHash: 'hash', now })
      await state.run('addLink', { link: link('l', id, { isDir: true }), most: 10, now })
      await state.run('addRequest', { request: request('r', id), most: 10, by: { userId: id, sessionId: 's' } })
      const both = () =>
        [...state.data.links, ...state.data.requests].map(({ path, identity, suspended }) => [path, identity, suspended])
      const hashes = ['l', 'r']
      await state.run('changeLinks', { changes: hashes.map((hash) => [hash, { path: '/moved' }] as const) })
      await state.run('suspendLinks', { hashes, item: 'x', instead: [] })
      assert.deepEqual(both(), Array(2).fill(['/moved', 'in the trash', 'x']))
      await state.run('resumeLinks', { item: 'x', changes: hashes.map((hash) => [hash, { path: '/back' }] as const) })
      assert.deepEqual(both(), Array(2).fill(['/back', '', undefined]))
      await state.run('removeLinks', { hashes })
      assert.deepEqual(both(), [])
    })

    test('gives a home folder to one user alone, when it is to be their own', async (t) => {
      const state = await open(t)
      await state.run('addUser', { ...user('ann'), isOwnHome: true })
      const other = { ...user('other'), isOwnHome: true }
      await assert.rejects(state.run('addUser', { ...other, user: { ...other.user, scope: '/ANN' } }), failsWith('conflict'))
    })

    test('keeps one administrator, of two that are removed or demoted at once too', async (t) => {
      const state = await open(t)
      const [one, two] = [
        await state.run('addUser', user('one', allPermissions)),
        await state.run('addUser', user('two', allPermissions)),
      ]
      const results = await Promise.allSettled([
        state.run('removeUser', { id: one.id }),
        state.run('changeUser', { id: two.id, fields: { perm: noPermissions }, now }),
      ])
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      )
    })

    test('ends the sessions of a user with a new password but one, and all with their links when the user is removed', async (t) => {
      const state = await open(t)
      const { id, password } = await state.run('addUser', user('ann'))
      for (const sid of ['a', 'b', 'c'])
        await state.run('startSession', { session: session(sid, id), passwordHash: password, now })
      await state.run('addLink', { link: link('l', id), most: 10, now })
      await state.run('changeUser', { id, fields: { password: 'other' }, keep: 'b', now })
      assert.deepEqual(
        state.data.sessions.map((one) => one.id),
        ['b'],
      )
      await assert.rejects(
        state.run('startSession', { session: session('d', id), passwordHash: password, now }),
        failsWith('forbidden'),
      )
      await state.run('removeUser', { id })
      assert.deepEqual([state.data.sessions, state.data.links], [[], []])
    })

    test('a session that has expired is not renewed, and is removed when another begins', async (t) => {
      const state = await open(t)
      const { id, password } = await state.run('addUser', user('ann'))
      const old = { ...session('old', id), expiresAt: now + 10 }
      await state.run('startSession', { session: old, passwordHash: password, now })
      assert.equal((await state.run('renewSession', { id: 'old', lifetime: 100, now: now + 5 })).expiresAt, now + 105)
      await assert.rejects(state.run('renewSession', { id: 'old', lifetime: 100, now: now + 105 }), failsWith('unauthorized'))
      await state.run('startSession', { session: session('new', id, now + 200), passwordHash: password, now: now + 200 })
      assert.deepEqual(
        state.data.sessions.map((one) => one.id),
        ['new'],
      )
    })

    test('somebody else does not end, edit or remove what is a person’s own', async (t) => {
      const state = await open(t)
      const ann = await state.run('addUser', user('ann', sharing))
      const bob = await state.run('addUser', user('bob', sharing))
      await state.run('startSession', { session: session('a', ann.id), passwordHash: 'hash', now })
      await state.run('startSession', { session: session('b', bob.id), passwordHash: 'hash', now })
      const by = { userId: ann.id, sessionId: 'a' }
      await state.run('addLink', { link: link('l', ann.id), most: 10, now, by })
      await state.run('endSession', { id: 'a', userId: bob.id })
      assert.equal(state.data.sessions.length, 2)
      for (const [other, code] of [
        [{ userId: bob.id, sessionId: 'b' }, 'notFound'],
        [{ userId: ann.id, sessionId: 'b' }, 'unauthorized'],
        [{ userId: 99, sessionId: 'a' }, 'unauthorized'],
      ] as const) {
        await assert.rejects(state.run('removeLink', { hash: 'l', by: other, now }), failsWith(code))
        await assert.rejects(state.run('editLink', { hash: 'l', edit: { note: 'mine' }, by: other, now }), failsWith(code))
      }
      const edited = await state.run('editLink', { hash: 'l', edit: { note: 'a', password: 'p' }, by, now })
      assert.deepEqual([edited.note, edited.password], ['a', 'p'])
      await state.run('removeLink', { hash: 'l', by, now })
      assert.deepEqual(state.data.links, [])
      await state.run('changeUser', { id: ann.id, fields: { perm: noPermissions }, now })
      await assert.rejects(state.run('addLink', { link: link('m', ann.id), most: 10, now, by }), failsWith('forbidden'))
    })

    test('a permanent link of a path is given again, and one that has expired makes room', async (t) => {
      const state = await open(t)
      const { id } = await state.run('addUser', user('ann'))
      const add = (hash: string, given: Partial<StoredLink>, at = now) =>
        state.run('addLink', { link: link(hash, id, given), most: 2, now: at })
      await add('one', { path: '/a' })
      assert.equal((await add('two', { path: '/a' })).hash, 'one')
      await assert.rejects(add('three', { path: '/a', password: 'p' }), failsWith('conflict'))
      await add('four', { path: '/a', expire: now + 10 })
      await assert.rejects(add('five', { path: '/b' }), failsWith('conflict'))
      await add('five', { path: '/b' }, now + 10)
      await state.run('changeLinks', { changes: [['five', { path: '/c' }] as const, ['gone', { path: '/d' }] as const] })
      await state.run('removeLinks', { hashes: ['one', 'gone'] })
      assert.deepEqual(
        state.data.links?.map(({ hash, path }) => [hash, path]),
        [['five', '/c']],
      )
    })

    test('a link to what is in the trash is not given again, and is resumed by the item that suspends it', async (t) => {
      const state = await open(t)
      const { id } = await state.run('addUser', user('ann'))
      const add = (hash: string) => state.run('addLink', { link: link(hash, id, { path: '/a' }), most: 2, now })
      const suspendedBy = () => state.data.links?.map(({ hash, suspended }) => [hash, suspended])
      await add('one')
      await state.run('suspendLinks', { hashes: ['one', 'gone'], item: 'x', instead: [] })
      assert.equal((await add('two')).hash, 'two')
      await state.run('suspendLinks', { hashes: ['one'], item: 'y', instead: ['z'] })
      await state.run('resumeLinks', { changes: [['one', {}] as const, ['two', { path: '/b' }] as const], item: 'y' })
      assert.deepEqual(suspendedBy(), [
        ['one', 'x'],
        ['two', undefined],
      ])
      await state.run('suspendLinks', { hashes: ['one'], item: 'y', instead: ['x'] })
      await state.run('resumeLinks', { changes: [['one', { path: '/c' }] as const], item: 'y' })
      assert.deepEqual(
        state.data.links?.map(({ path, suspended }) => [path, suspended]),
        [
          ['/c', undefined],
          ['/a', undefined],
        ],
      )
    })

    test('settings are changed only in the version that was read', async (t) => {
      const state = await open(t)
      const version = settingsVersion(state.data.settings)
      await state.run('changeSettings', { change: { signup: true }, versions: [version] })
      await assert.rejects(state.run('changeSettings', { change: { signup: false }, versions: [version] }), failsWith('changed'))
      assert.equal(state.data.settings.signup, true)
    })

    test('the feed tells each commit once, in order, with the records before and after', async (t) => {
      const state = await open(t)
      const told: News[] = []
      state.feed.listen(['user'], (news) => told.push(...news))
      const { id } = await state.run('addUser', user('ann'))
      await Promise.all(['de', 'fr'].map((locale) => state.run('changeUser', { id, fields: { locale }, now })))
      await state.run('removeUser', { id })
      const locales = told.map((one) => one.kind === 'user' && [one.before?.locale, one.after?.locale])
      assert.deepEqual(locales, [
        [undefined, ''],
        ['', 'de'],
        ['de', 'fr'],
        ['fr', undefined],
      ])
    })

    test('10,000 random commands, each given twice with its id, leave the state of one', { timeout: 300_000 }, async (t) => {
      const [twice, once] = [await open(t), await open(t)]
      const random = new SeededRandom(20_261_125)
      const later: (() => Promise<unknown>)[] = []
      for (let count = 0; count < 10_000; count += batch) {
        const commands = Array.from({ length: batch }, () => randomCommand(random, once.data))
        // The same order in both: commands that are given at once act in the order in which they are given.
        const results = await Promise.all([
          Promise.allSettled(commands.map(([name, input], index) => twice.run(name, input, `${count + index}`))),
          Promise.allSettled(commands.map(([name, input]) => once.run(name, input))),
        ])
        assert.deepEqual(...(results.map((list) => list.map(outcomeOf)) as [unknown, unknown]))
        for (const [index, [name, input]] of commands.entries()) {
          // What was refused has changed nothing, and may succeed once other things have changed.
          if (results[0][index]?.status === 'fulfilled') later.push(() => twice.run(name, input, `${count + index}`))
        }
        const due = later.splice(0, random.below(later.length + 1))
        await Promise.all(due.map((again) => again()))
      }
      await Promise.all(later.map((again) => again()))
      const { users, sessions, links, settings, lastUserId, keys } = twice.data
      const { data } = once
      assert.deepEqual(
        { users, sessions, links, settings, lastUserId, keys },
        {
          ...{ users: data.users, sessions: data.sessions, links: data.links, settings: data.settings },
          ...{ lastUserId: data.lastUserId, keys: data.keys },
        },
      )
      assert.ok(users.length > 1 && sessions.length > 1 && (links?.length ?? 0) > 1, 'something has been done')
    })
  })
}

const batch = 50

const outcomeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? result.value : (result.reason as Failure).code

function randomCommand(
  random: SeededRandom,
  { users, sessions }: Pick<StateData, 'users' | 'sessions'>,
): [CommandName, InputOf<CommandName>] {
  // One in five does not exist.
  const id = () => (random.below(5) > 0 && users.length > 0 ? random.pick(users).id : 100_000)
  const one = (kind: string) => `${kind}${random.below(60)}`
  const at = now + random.below(5000)
  const whose = sessions.length > 0 ? random.pick(sessions) : session('none', 100_000)
  const by = { userId: random.below(5) > 0 ? whose.userId : id(), sessionId: whose.id }
  const all: { [N in CommandName]: () => InputOf<N> } = {
    addUser: () => user(one('user'), random.below(4) === 0 ? allPermissions : sharing),
    changeUser: () => ({
      ...{ id: id(), now: at, keep: one('session') },
      fields: random.below(3) === 0 ? { password: one('hash') } : { locale: one('locale'), username: one('user') },
    }),
    removeUser: () => ({ id: id() }),
    startSession: () => ({
      session: { ...session(one('session'), id(), at), expiresAt: at + 3000 },
      passwordHash: 'hash',
      now: at,
    }),
    renewSession: () => ({ id: one('session'), lifetime: 2000, now: at }),
    touchSession: () => ({ id: one('session'), now: at }),
    proveSession: () => ({ id: one('session'), now: at }),
    endSession: () => ({ id: one('session'), userId: id() }),
    endSessions: () => ({ userId: id(), keep: one('session') }),
    addLink: () => ({ link: link(one('link'), id(), { expire: random.below(2) * (at + 1000) }), most: 5, now: at }),
    removeLink: () => ({ hash: one('link'), by, now: at }),
    editLink: () => ({ hash: one('link'), edit: { note: one('note') }, by, now: at }),
    removeLinks: () => ({ hashes: [one('link'), one('link')] }),
    suspendLinks: () => ({ hashes: [one('link'), one('link')], item: one('item'), instead: [one('item')] }),
    resumeLinks: () => ({ changes: [[one('link'), { path: `/${one('path')}` }] as const], item: one('item') }),
    changeLinks: () => ({ changes: [[one('link'), { path: `/${one('path')}` }] as const] }),
    addRequest: () => ({ request: request(one('request'), whose.userId), most: 5, by }),
    editRequest: () => ({ hash: one('request'), edit: { set: { title: one('title') }, remove: ['text'] }, by }),
    seeRequest: () => ({ hash: one('request'), files: random.below(9), by }),
    removeRequest: () => ({ hash: one('request'), by }),
    changeSettings: () => ({ change: { signup: random.below(2) === 0 } }),
    rehashPassword: () => ({ id: id(), from: one('hash'), to: one('hash') }),
    importRecords: () => ({
      ...{ users: [], links: [link(one('link'), id())], lastUserId: 0, replaces: false },
      from: { source: one('source'), at, root: '/', rootIdentity: '', users: [] },
    }),
    moveRoot: () => ({ root: `/${one('root')}`, rootIdentity: '' }),
    takeNoteOfImports: () => ({ by }),
    rotateKeys: () => ({ key: { kid: one('key'), secret: one('secret') } }),
  }
  const names = Object.keys(all) as CommandName[]
  const name = names[random.below(names.length)] as CommandName
  // It ends all sessions: often, the other commands would find none.
  if (name === 'rotateKeys' && random.below(50) > 0) return randomCommand(random, { users, sessions })
  return [name, all[name]()]
}
