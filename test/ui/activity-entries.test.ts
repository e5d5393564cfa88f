// What an entry of the activity says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityLine } from '../../src-server/contract/activity.ts'
import { verbOf } from '../../src-ui/activity/entry-words.ts'

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
