// What an entry of the activity says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityLine } from '../../src-server/contract/activity.ts'
import { Settings } from '../../src-server/contract/settings.ts'
import { User } from '../../src-server/contract/users.ts'
import { fieldsOf, reasonOf, verbOf } from '../../src-ui/activity/entry-words.ts'
import { pageConfig } from '../../src-ui/api/page-config.ts'

const line = (fields: Partial<ActivityLine>): ActivityLine => {
  return { time: '2026-11-24T12:00:00Z', who: 'ann', what: 'rename', from: '', way: 'page', result: 'done', ...fields }
}

test('a new name is a rename, another folder is a move', () => {
  assert.equal(verbOf(line({ path: '/a/old.txt', to: '/a/new.txt' })), 'Renamed')
  assert.equal(verbOf(line({ path: '/a/old/', to: '/a/new/' })), 'Renamed')
  assert.equal(verbOf(line({ path: '/a/old.txt', to: '/b/old.txt' })), 'Moved')
  assert.equal(verbOf(line({ path: '/a/b/', to: '/b/' })), 'Moved')
  assert.equal(verbOf(line({ path: '/a.txt', to: '/b/a.txt', result: 'failed' })), 'Moving failed')
  assert.equal(verbOf(line({ path: '/a.txt', to: '/b.txt', result: 'failed' })), 'Renaming failed')
})

test('an entry without its target is a rename, and users have words of their own', () => {
  assert.equal(verbOf(line({ path: '/a.txt' })), 'Renamed')
  assert.equal(verbOf(line({ what: 'user', act: 'create' })), 'Created user')
  assert.equal(verbOf(line({ what: 'upload' })), 'Uploaded')
})

test('every field that can be changed has the words of its card or form', () => {
  const said = (what: ActivityLine['what'], fields: readonly string[]) => fieldsOf(line({ what, fields }))
  assert.deepEqual(said('settings', ['locale', 'viewMode', 'sorting']), ['Language', 'Folder view', 'Sort by'])
  assert.deepEqual(said('user', ['commands', 'perm']), ['Commands', 'Permissions'])
  assert.deepEqual(said('serverSettings', ['commands', 'hookLimits']), ['Command runner'])
  assert.deepEqual(said('settings', ['toString']), ['toString'])
  for (const [what, { properties }] of [
    ['user', User],
    ['serverSettings', Settings],
  ] as const) {
    const fields = Object.keys(properties).filter((field) => field !== 'id')
    for (const field of fields) assert.notDeepEqual(said(what, [field]), [field])
  }
})

test('a reason that is no sentence is said in the words of the page, and a sentence as it is', () => {
  const said = (reason: string) => reasonOf(line({ result: 'failed', reason }))
  assert.deepEqual(['forbidden', 'notFound', 'the name is taken', 'toString', ''].map(said), [
    'Not permitted.',
    'It is no longer there.',
    'the name is taken',
    'toString',
    '',
  ])
  assert.equal(reasonOf(line({})), '')
})

test('a sign-in is refused for its name or password, but where nobody types them it is not permitted', (context) => {
  const said = (reason: string) => reasonOf(line({ what: 'signIn', result: 'failed', reason }))
  assert.equal(said('forbidden'), 'Wrong credentials. Check the name and the password.')
  assert.equal(said('too many failed sign-ins'), 'too many failed sign-ins')
  Object.assign(pageConfig, { LoginPage: false })
  context.after(() => Object.assign(pageConfig, { LoginPage: true }))
  assert.equal(said('forbidden'), 'Not permitted.')
})
