import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPermissions, noPermissions } from '../../src-server/access/permissions.ts'
import type { About, FailureCode } from '../../src-server/base/failure.ts'
import type { User } from '../../src-server/contract/users.ts'
import { problemsOf } from '../../src-ui/users/problems.ts'
import { generatePassword, strengthOf } from '../../src-ui/users/strength.ts'
import { changeUser, createUser, deleteUser, draftOnTop } from '../../src-ui/users/user-calls.ts'
import {
  draftOf,
  newRule,
  ruleDrafts,
  rulesOf,
  type UserDraft,
  withAdministrator,
  wordsOf,
} from '../../src-ui/users/user-draft.ts'
import { answering } from './answering.ts'
import { refused } from './refused.ts'

const network = answering(import.meta.filename)
const rule = { allow: false, regex: false, path: '/secret', regexp: { raw: '' } }
const bob: User = {
  ...{ id: 3, username: 'bob', password: '', scope: '/users/bob', locale: '', lockPassword: false, commands: ['git'] },
  ...{ viewMode: 'list', sorting: { by: 'name', asc: true }, perm: { ...noPermissions, delete: true, share: true } },
  rules: [rule],
}

/** What the form of bob sends when it is changed, and others have stored something since it was loaded. */
async function sentOf(changed: Partial<UserDraft>, now: User = bob) {
  network.replies['GET /api/users/3'] = { text: JSON.stringify(now), headers: { 'Content-Type': 'application/json' } }
  network.replies['PUT /api/users/3'] = { text: '200 OK' }
  const before = draftOf(bob)
  await changeUser(3, { ...before, ...changed }, before)
  const put = network.calls.find(({ name }) => name === 'PUT /api/users/3')
  return put && (JSON.parse(String(put.body)) as unknown)
}

test('the form of a user sends what was changed in it, so that what others changed stays', async () => {
  assert.equal(await sentOf({}), undefined)
  const body = { what: 'user', which: ['scope'], data: { id: 3, scope: '/new' } }
  assert.deepEqual(await sentOf({ scope: '/new', username: 'bob ', rules: ruleDrafts([rule]) }), body)
})

test('a permission that somebody else withdrew is not given back with another one', async () => {
  const now = { ...bob, perm: { ...noPermissions, delete: true } }
  assert.deepEqual(await sentOf({ perm: { ...bob.perm, delete: false } }, now), {
    ...{ what: 'user', which: ['perm'], data: { id: 3, perm: noPermissions } },
  })
})

test('what is typed while the form is sent stays on top of what is stored', () => {
  const sent = { ...draftOf(bob), scope: '/new', password: 'secret' }
  const now = { ...bob, scope: '/new', locale: 'de' }
  const { rules: _, ...shown } = draftOnTop({ ...sent, commands: 'git ls' }, sent, now)
  const { rules: __, ...expected } = { ...draftOf(now), commands: 'git ls' }
  assert.deepEqual(shown, expected)
})

test('commands are trimmed and split on spaces', () => {
  assert.deepEqual(wordsOf('  git  ls\tdf '), ['git', 'ls', 'df'])
  assert.deepEqual(wordsOf('  '), [])
})

test('choosing administrator selects every permission and turns the locked password off', () => {
  const draft = { perm: { ...noPermissions, download: true }, lockPassword: true }
  assert.deepEqual(withAdministrator(draft, true), { perm: allPermissions, lockPassword: false })
  assert.deepEqual(withAdministrator({ ...draft, perm: allPermissions }, false).perm, { ...allPermissions, admin: false })
})

test('New adds an allowing path rule, and rows without a text are not stored', () => {
  const { key, ...added } = newRule()
  assert.deepEqual(added, { allow: true, regex: false, text: '' })
  const stored = [
    { allow: false, regex: true, path: '', regexp: { raw: '\\.key$' } },
    { allow: true, regex: false, path: '/shared', regexp: { raw: '' } },
  ]
  assert.deepEqual(rulesOf([...ruleDrafts(stored), newRule()]), stored)
})

test('a stored rule that cannot be applied keeps what is said of it, which is not stored with it', () => {
  const rule = { allow: false, regex: true, path: '', regexp: { raw: '(' } }
  const drafts = ruleDrafts([{ ...rule, problem: 'no expression' }, rule])
  assert.deepEqual(
    drafts.map(({ problem }) => problem),
    ['no expression', undefined],
  )
  assert.deepEqual(rulesOf(drafts), [rule, rule])
})

test('a refusal is shown beside the field that it is about', async () => {
  const rules = ruleDrafts([{ allow: false, regex: true, path: '', regexp: { raw: '(a' } }])
  const problems = async (code: FailureCode, reason: string, about?: About) =>
    problemsOf(await refused([code, reason, about]), rules)
  assert.deepEqual(await problems('conflict', 'the name is taken', { field: 'username' }), { username: 'Username already taken' })
  assert.deepEqual(await problems('conflict', 'the home folder belongs to another user', { field: 'scope' }), {
    scope: 'The home folder belongs to another user.',
  })
  assert.match(
    (await problems('invalid', 'the password must have at least {{number}} characters', { field: 'password', number: 12 }))
      ?.password ?? '',
    /at least 12/,
  )
  assert.deepEqual(
    (await problems('invalid', '{{field}} has "{{rule}}", which is no expression of RE2', { field: 'rules', rule: '(a' }))?.rule,
    {
      key: rules[0]?.key,
      text: 'Not a valid expression.',
    },
  )
  assert.equal((await problems('invalid', 'a user needs a name', { field: 'username' }))?.username, 'Enter a name.')
  assert.equal(await problems('forbidden', 'one administrator must remain'), undefined)
})

const passwords: [password: string, score: number, why: string][] = [
  ['', 0, 'empty'],
  ['rosa2026', 1, 'short'],
  ['rosa rosa rosa', 1, 'name'],
  ['abcdefghijklmnop', 1, 'same'],
  ['1111111111111', 1, 'same'],
  ['millhousegate', 2, 'length'],
  ['mill house gate', 3, 'length'],
  ['Heron-barrow-61-clay', 4, 'length'],
]

for (const [password, score, why] of passwords) {
  test(`the strength of "${password}" is ${score}`, () => {
    assert.deepEqual(strengthOf(password, 'rosa'), { score, why })
  })
}

test('generated passwords are strong and differ', () => {
  const made = Array.from({ length: 20 }, generatePassword)
  assert.equal(new Set(made).size, 20)
  for (const password of made) assert.ok(strengthOf(password, 'admin').score >= 3, password)
})

test('a user who is gone already, as after an answer that was lost, counts as deleted', async () => {
  await deleteUser(3)
  network.replies['DELETE /api/users/3'] = { status: 503, text: '503 Service Unavailable' }
  await assert.rejects(deleteUser(3), /503/)
})

const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const listed = (users: readonly User[]) => ({ text: JSON.stringify(users), headers: { 'Content-Type': 'application/json' } })

test('a user is made although the answer is lost', async () => {
  network.replies['POST /api/users'] = lost
  network.replies['GET /api/users'] = listed([
    { ...bob, id: 2, username: 'other' },
    { ...bob, scope: '/given/by/the/server' },
  ])
  assert.equal(await createUser({ ...draftOf(bob), password: 'a long password' }, {}), '/settings/users/3')
})

test('a user whose making was not answered, and who is there when it is tried again, was made', async () => {
  const attempts = {}
  const mine = { ...draftOf(bob), password: 'a long password' }
  network.replies['POST /api/users'] = lost
  await assert.rejects(createUser(mine, attempts), { status: 0 })
  network.replies['POST /api/users'] = { status: 409 }
  network.replies['GET /api/users'] = listed([bob])
  await assert.rejects(createUser({ ...mine, password: 'another long password' }, attempts), { status: 409 })
  assert.equal(await createUser(mine, attempts), '/settings/users/3')
  await assert.rejects(createUser(mine, {}), { status: 409 })
})

test('another user with the name is not taken for the one whose making was not answered', async () => {
  network.replies['POST /api/users'] = lost
  network.replies['GET /api/users'] = listed([{ ...bob, perm: noPermissions }])
  await assert.rejects(createUser(draftOf(bob), {}), { status: 0 })
})
