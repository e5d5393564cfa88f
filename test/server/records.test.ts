// Each record is declared once: what is only stored leaves in no answer, and a new setting is taken everywhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { completed, LinkRecord, SessionRecord, SettingsRecord, UserRecord } from '../../src-server/contract/records.ts'
import { Session } from '../../src-server/contract/session.ts'
import { Settings } from '../../src-server/contract/settings.ts'
import { Share, SharedResource } from '../../src-server/contract/shares.ts'
import { TokenUser, User } from '../../src-server/contract/users.ts'
import { share } from '../support/share-calls.ts'
import { startApp } from '../support/start-app.ts'

const fieldsOf = (schema: object): string[] =>
  'properties' in schema
    ? Object.keys(schema.properties as object)
    : 'allOf' in schema
      ? (schema.allOf as object[]).flatMap(fieldsOf)
      : []

test('the fields of answers are those of the records but what is only stored', () => {
  const answers: [object, readonly string[], string][] = [
    [User, ['changedAt'], 'User'],
    [TokenUser, ['changedAt', 'password', 'scope', 'rules'], 'TokenUser'],
    [Session, ['userId', 'provenAt', 'expiresAt'], 'Session'],
    [Share, ['identity', 'password', 'userId'], 'Share'],
    [SharedResource, ['identity', 'password', 'userId', 'note', 'mostDownloads'], 'SharedResource'],
  ]
  for (const [answer, stored, name] of answers) {
    for (const field of stored) assert.ok(!fieldsOf(answer).includes(field), `${name} has no ${field}`)
  }
  for (const record of [UserRecord, SessionRecord, LinkRecord]) assert.ok(fieldsOf(record).length > 0)
  assert.deepEqual(fieldsOf(Settings).toSorted(), fieldsOf(SettingsRecord).toSorted())
})

test('what is only stored of users, sessions and links leaves in no answer about them', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': '' }, users: { ann: { perm: allPermissions } } })
  const ann = await app.as('ann')
  await share(ann, '/a.txt', { password: 'a long password' })
  const { users, links } = app.parts.state.data
  const secrets = [users[0]?.password, users[0]?.changedAt, links[0]?.password, links[0]?.identity].map(String)
  for (const address of ['/api/users', '/api/users/1', '/api/sessions', '/api/shares', '/api/share/a.txt', '/api/settings']) {
    const text = await (await ann.ask('GET', address)).text()
    for (const secret of secrets) assert.ok(!text.includes(secret), `${address} holds ${secret}`)
    for (const name of ['changedAt', 'identity', 'provenAt', 'expiresAt', 'secret'])
      assert.ok(!text.includes(`"${name}"`), address)
  }
})

test('a record of before gets the defaults of the fields that it lacks, and keeps all that it has', () => {
  const Record = Type.Object({
    name: Type.String(),
    size: Type.Integer({ default: 3 }),
    inner: Type.Object({ on: Type.Boolean({ default: true }), text: Type.String({ default: '' }) }),
    whole: Type.Object({ a: Type.Integer(), b: Type.Integer() }, { default: { a: 1, b: 2 } }),
  })
  assert.deepEqual(completed(Record, { name: 'x' }), { name: 'x', size: 3, inner: { on: true, text: '' }, whole: { a: 1, b: 2 } })
  const given = { name: 'x', size: 4, inner: { on: false, text: 'y' }, whole: { a: 5, b: 6 }, other: 1 }
  assert.deepEqual(completed(Record, given), given)
})
