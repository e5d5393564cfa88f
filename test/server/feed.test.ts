// What listeners of the state are told, and when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Feed, type News } from '../../src-server/state/feed.ts'
import type { StoredSession, StoredUser } from '../../src-server/state/state-data.ts'
import { failing } from '../support/failing-system.ts'
import { rename, startState } from '../support/start-state.ts'

const user = (id: number, locale = ''): StoredUser =>
  ({
    ...{ id, username: `user ${id}`, password: '', scope: '/', locale, lockPassword: false, viewMode: 'list' },
    ...{ sorting: { by: 'name', asc: true }, commands: [], rules: [], changedAt: 0 },
    perm: { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true },
  }) as StoredUser
const session = (id: string, userId = 1): StoredSession => ({ id, userId, createdAt: 1, usedAt: 1 })

/** What was told, as `user 3: 'de' → 'fr'`. */
const told = (news: readonly News[]) =>
  news.map((one) =>
    'progress' in one || 'count' in one ? one.kind : `${one.kind} ${one.id} ${'before' in one}→${'after' in one}`,
  )

test('each commit tells which records were added, changed and removed, with what they were and are', async (t) => {
  const state = await startState(t)
  const commits: (readonly News[])[] = []
  await state.change('other', (draft) => {
    draft.lastUserId = 9
    draft.users = [user(1), user(2), user(3)]
    draft.sessions = [session('a'), session('b')]
  })
  state.feed.listen(['user', 'session', 'settings', 'link'], (news) => commits.push(news))
  await state.change('other', (draft) => {
    draft.users = [...draft.users.filter(({ id }) => id !== 1), user(4)].map((one) => (one.id === 2 ? user(2, 'de') : one))
    draft.sessions = draft.sessions.filter(({ id }) => id !== 'a')
  })
  assert.deepEqual(commits.map(told), [['user 2 true→true', 'user 4 false→true', 'user 1 true→false', 'session a true→false']])
  const [changed] = commits[0] ?? []
  assert.ok(changed?.kind === 'user')
  assert.deepEqual([changed.before?.locale, changed.after?.locale], ['', 'de'])
  await state.change('other', rename('another'))
  assert.deepEqual(commits.slice(1).map(told), [['settings  true→true']])
})

test('changes that share a write are told in their order, and one that failed is not told', async (t) => {
  const state = await startState(t)
  const commits: (readonly News[])[] = []
  state.feed.listen(['session'], (news) => commits.push(news))
  const start = (id: string) =>
    state.change('session', (draft) => {
      draft.sessions = [...draft.sessions, session(id)]
    })
  const refused = state.change('session', (draft) => {
    draft.sessions = [...draft.sessions, session('never')]
    throw new Error('refused')
  })
  await Promise.allSettled([start('a'), refused, start('b')])
  assert.deepEqual(commits.map(told), [['session a false→true', 'session b false→true']])
})

test('a listener runs before the change resolves and reads the new records; what it throws fails nothing', async (t) => {
  const logged: string[] = []
  const state = await startState(t, { log: { warn: () => {}, error: (_details, text) => void logged.push(text) } })
  const order: string[] = []
  state.feed.listen(['settings'], () => {
    throw new Error('a listener that fails')
  })
  const stop = state.feed.listen(['settings'], () => order.push(`told ${state.data.settings.branding.name}`))
  await state.change('other', rename('new')).then(() => order.push('resolved'))
  stop()
  await state.change('other', rename('newer'))
  assert.deepEqual(order, ['told new', 'resolved'])
  assert.deepEqual(logged, ['a listener of the state failed', 'a listener of the state failed'])
})

test('a write that fails tells nothing; one whose folder could not be synced does, because it is what is read', async (t) => {
  const { system, arm } = failing()
  const state = await startState(t, { system })
  const names: string[] = []
  state.feed.listen(['settings'], () => names.push(state.data.settings.branding.name))
  arm('rename', 'EIO')
  await assert.rejects(state.change('session', rename('lost')))
  // The first of a write is of the file, the second of its folder.
  arm('sync', 'EIO', 2)
  await assert.rejects(state.change('session', rename('read, but not yet durable')))
  assert.deepEqual(names, ['read, but not yet durable'])
})

test('a listener hears of its subjects alone, once for each commit', () => {
  const feed = new Feed((error) => assert.fail(String(error)))
  const heard: unknown[] = []
  feed.listen(['user:2', 'user', 'downloads:abc'], (news) => heard.push(told(news)))
  feed.listen(['progress:7'], (news) => heard.push(news))
  feed.tell([
    { kind: 'user', id: '2', after: user(2) },
    { kind: 'session', id: 'a', after: session('a') },
    { kind: 'downloads', id: 'abc', count: 3 },
    { kind: 'downloads', id: 'other', count: 3 },
  ])
  const progress = { kind: 'progress', id: '7', progress: { done: 1, total: 2 } } as const
  feed.tell([progress])
  assert.deepEqual(heard, [['user 2 false→true', 'downloads'], [progress]])
})
