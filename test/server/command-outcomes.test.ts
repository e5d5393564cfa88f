// A command that is given again under its id acts once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { StoredLink } from '../../src-server/state/state-data.ts'
import { failing } from '../support/failing-system.ts'
import { goodPassword, startPeople, startState } from '../support/start-state.ts'

const link = (hash: string, path = '/a'): StoredLink => ({
  ...{ hash, userId: 1, path, isDir: false, identity: '', expire: 0, createdAt: 1 },
})
const add = (hash: string) => ({ link: link(hash, `/${hash}`), most: 10, now: 1 })

test('given twice, one after the other or at once, it acts once and both get its result', async (t) => {
  const state = await startState(t)
  const first = await state.run('addLink', add('one'), 'id 1')
  const again = await state.run('addLink', add('one'), 'id 1')
  assert.equal(again, first)
  const both = await Promise.all([state.run('addLink', add('two'), 'id 2'), state.run('addLink', add('two'), 'id 2')])
  assert.equal(both[0], both[1])
  assert.deepEqual(
    state.data.links?.map(({ hash }) => hash),
    ['one', 'two'],
  )
})

test('an id belongs to one command', async (t) => {
  const state = await startState(t)
  await state.run('addLink', add('one'), 'id')
  await assert.rejects(state.run('addLink', add('two'), 'id'), { code: 'invalid' })
})

test('one that was refused has changed nothing, and may be given again', async (t) => {
  const { state, accounts } = await startPeople(t)
  await assert.rejects(state.run('endSessions', { userId: 1 }, 'id'), { code: 'notFound' })
  await accounts.create({ username: 'ann', password: goodPassword })
  await state.run('endSessions', { userId: 1 }, 'id')
})

test('after a write that failed it acts again; after one whose folder could not be synced it is only made durable', async (t) => {
  const { system, arm } = failing()
  const state = await startState(t, { system })
  arm('rename', 'EIO')
  await assert.rejects(state.run('addLink', add('one'), 'id 1'), { code: 'internal' })
  await state.run('addLink', add('one'), 'id 1')
  arm('sync', 'EIO', 2)
  await assert.rejects(state.run('addLink', add('two'), 'id 2'), { code: 'internal' })
  assert.equal((await state.run('addLink', add('two'), 'id 2')).hash, 'two')
  assert.deepEqual(
    state.data.links?.map(({ hash }) => hash),
    ['one', 'two'],
  )
})

test('a refusal because of a change that was not written is that of the write', async (t) => {
  const { system, arm } = failing()
  const state = await startState(t, { system })
  arm('rename', 'ENOSPC')
  const user = { username: 'ann' }
  const both = await Promise.allSettled([
    state.run('addUser', { user, passwordHash: '', isOwnHome: false, now: 1 }),
    state.run('addUser', { user, passwordHash: '', isOwnHome: false, now: 1 }),
  ])
  assert.deepEqual(
    both.map((one) => one.status === 'rejected' && one.reason.code),
    ['full', 'full'],
  )
  assert.equal((await state.run('addUser', { user, passwordHash: '', isOwnHome: false, now: 1 })).username, 'ann')
})

test('a person whose rights were withdrawn meanwhile changes nothing', async (t) => {
  const { state, accounts, sessions } = await startPeople(t)
  const root = await accounts.create({ username: 'root', password: goodPassword, perm: allPermissions })
  const other = await accounts.create({ username: 'other', password: goodPassword, perm: allPermissions })
  const session = await sessions.start(root)
  const by = { userId: root.id, sessionId: session.id }
  await accounts.change(other.id, { locale: 'de' }, { by })
  await accounts.change(root.id, { perm: { ...root.perm, admin: false } })
  await assert.rejects(accounts.change(other.id, { locale: 'fr' }, { by }), { code: 'forbidden' })
  await assert.rejects(accounts.create({ username: 'new', password: goodPassword }, { by }), { code: 'forbidden' })
  await assert.rejects(accounts.remove(other.id, by), { code: 'forbidden' })
  await assert.rejects(state.run('changeSettings', { change: { signup: true }, by }), { code: 'forbidden' })
  await accounts.change(root.id, { locale: 'fr' }, { by })
  await sessions.end(session.id)
  await assert.rejects(accounts.change(root.id, { locale: 'de' }, { by }), { code: 'unauthorized' })
})
