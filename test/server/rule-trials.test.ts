// Trying rules: POST /api/rules/try.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { allow, deny, startApp } from '../support/start-app.ts'

const expression = { allow: false, path: '', regex: true, regexp: { raw: '\\.key$' } }
const app = await startApp(
  { after },
  {
    users: { root: { perm: allPermissions }, ann: { rules: [allow('/b/c.txt'), deny('/mine')] } },
    rules: [deny('/b'), expression],
  },
)
const root = await app.as('root')

async function ask(body: object) {
  const answer = await root.ask('POST', '/api/rules/try', { body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text() }
}
const verdict = async (body: object) => JSON.parse((await ask(body)).text) as object

const global = (index: number) => ({ allowed: false, decidedBy: { of: 'global', index } })

test('the last rule that matches a path of a user decides, and the answer names it', async () => {
  assert.deepEqual(await verdict({ username: 'ann', path: '/a.txt' }), { allowed: true })
  assert.deepEqual(await verdict({ username: 'ann', path: '/b/d/' }), global(0))
  assert.deepEqual(await verdict({ username: 'ann', path: 'b/tls.key' }), global(1))
  const allowed = { allowed: true, decidedBy: { of: 'user', index: 0 } }
  assert.deepEqual(await verdict({ username: 'ann', path: '/b/c.txt' }), allowed)
  assert.deepEqual(await verdict({ username: 'root', path: '/b/c.txt' }), global(0))
})

test('a trial decides as the calls do', async () => {
  const ann = await app.as('ann')
  for (const path of ['/a.txt', '/b', '/b/c.txt', '/b/c.txt/d', '/mine/x', '/minex', '/x.key', '/x.key/y']) {
    const { allowed } = (await verdict({ username: 'ann', path })) as { allowed: boolean }
    assert.equal((await ann.get(path)).status === 403, !allowed, path)
  }
})

test('rules that are not stored yet can be tried in place of the global ones and of those of the user', async () => {
  assert.deepEqual(await verdict({ username: 'ann', path: '/b/d', global: [] }), { allowed: true })
  assert.deepEqual(await verdict({ path: '/b/d', own: [allow('/b')] }), { allowed: true, decidedBy: { of: 'user', index: 0 } })
  assert.deepEqual(await verdict({ path: '/x', own: [], global: [deny('/')] }), global(0))
})

const refused: readonly (readonly [what: string, body: object, status: number, sentence: RegExp])[] = [
  ['an unknown user', { username: 'nobody', path: '/' }, 404, /there is no such user/],
  ['no user', { path: '/' }, 404, /there is no such user/],
  ['no path', { username: 'ann' }, 400, /a trial has a path/],
  ['a path that leads up', { username: 'ann', path: '/../x' }, 400, /must not contain/],
  ['a list for a body', [], 400, /a trial has a path/],
  ['an expression that is none', { path: '/', own: [{ ...expression, regexp: { raw: '(a' } }] }, 400, /no expression of RE2/],
  ['too many expressions', { path: '/', own: Array(101).fill(expression) }, 400, /at most 100 expressions/],
]

for (const [what, body, status, sentence] of refused) {
  test(`a trial with ${what} is refused with ${status}`, async () => {
    const answer = await ask(body)
    assert.deepEqual([answer.status, sentence.test(answer.text)], [status, true], answer.text)
  })
}

test('without a session a trial is 401, whatever its body is', async () => {
  for (const body of ['[]', '{}', '"text"', '{"path":1}']) {
    assert.equal((await app.principal().ask('POST', '/api/rules/try', { body })).status, 401, body)
  }
})
