// Rules in the state that cannot be applied: they were written by hand, or by a version that took other expressions.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Rule } from '../../src-server/access/rules.ts'
import { blockingBelow, ruleWarnings } from '../../src-server/users/report-rules.ts'
import { allow, deny, startApp, usual } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const faulty: Rule = { allow: false, path: '', regex: true, regexp: { raw: '(' } }
const root = { perm: allPermissions }

const start = (t: TestContext, setup: { rules?: Rule[]; ofAnn?: Rule[] }) =>
  startApp(t, {
    files: { 'a.txt': 'a', 'b.txt': 'b' },
    users: { root, ann: { rules: setup.ofAnn ?? [], perm: usual }, ben: {} },
    rules: setup.rules ?? [],
  })
type App = Awaited<ReturnType<typeof start>>

/** The address of a link that a user makes to a file. */
async function shareOf(app: App, name: string) {
  const answer = await (await app.as(name)).ask('POST', '/api/share/a.txt', { body: '{}' })
  assert.equal(answer.status, 200)
  return `/api/public/share/${((await answer.json()) as { hash: string }).hash}/`
}

async function setRules(app: App, rules: Rule[]) {
  await app.parts.state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules }
  })
}

for (const rule of [faulty, deny('/a/../b')]) {
  const text = rule.regexp.raw || rule.path
  test(`with the global rule "${text}" people get 503, and administrators work and correct it`, async (t) => {
    const app = await start(t, { rules: [rule, deny('/b.txt')] })
    const [admin, ann] = [await app.as('root'), await app.as('ann')]
    const refused = await ann.get('/')
    assert.equal(refused.status, 503)
    assert.match(await refused.text(), /a rule of the server is not valid; an administrator can correct it/)
    assert.equal((await ann.ask('POST', '/api/renew')).status, 200, 'the session is not touched')
    assert.equal((await admin.get('/')).status, 200)
    assert.equal((await admin.get('/b.txt')).status, 403, 'the other rules hold')
    const settings = (await (await admin.ask('GET', '/api/settings')).json()) as { rules: { problem?: string }[] }
    assert.match(settings.rules[0]?.problem ?? '', /is (not a regular expression|no path)/)
    assert.equal(settings.rules[1]?.problem, undefined)
    const body = JSON.stringify({ rules: [deny('/b.txt')] })
    assert.equal((await admin.ask('PUT', '/api/settings', { body })).status, 200)
    assert.equal((await ann.get('/')).status, 200)
  })
}

test('with a faulty global rule the links of administrators lead nowhere for others', async (t) => {
  const app = await start(t, {})
  const share = await shareOf(app, 'root')
  assert.equal((await app.principal().ask('GET', share)).status, 200)
  await setRules(app, [faulty])
  assert.equal((await app.principal().ask('GET', share)).status, 503)
})

test('a faulty rule of one user stops that user, until an administrator corrects it', async (t) => {
  const app = await start(t, { ofAnn: [allow('/'), faulty] })
  const [admin, ann, ben] = [await app.as('root'), await app.as('ann'), await app.as('ben')]
  assert.deepEqual(await Promise.all([ann, ben, admin].map(async (who) => (await who.get('/')).status)), [503, 200, 200])
  const { id } = userIn(app.parts.state, 'ann') ?? assert.fail()
  const shown = (await (await admin.ask('GET', `/api/users/${id}`)).json()) as { rules: { problem?: string }[] }
  assert.match(shown.rules[1]?.problem ?? '', /"\(" is not a regular expression/)
  const body = JSON.stringify({ what: 'user', which: ['rules'], data: { id, rules: shown.rules.slice(0, 1) } })
  assert.equal((await admin.ask('PUT', `/api/users/${id}`, { body })).status, 200)
  assert.equal((await ann.get('/')).status, 200)
})

test('a rule that cannot be applied stays in the state when other settings change', async (t) => {
  const app = await start(t, { rules: [faulty] })
  const admin = await app.as('root')
  assert.equal((await admin.ask('PUT', '/api/settings', { body: JSON.stringify({ signup: false }) })).status, 200)
  assert.deepEqual(app.parts.state.data.settings.rules, [faulty])
})

test('a start names the rules that cannot be applied, and whom they stop', async (t) => {
  const app = await start(t, { rules: [allow('/'), faulty], ofAnn: [deny('/..')] })
  assert.deepEqual(ruleWarnings(app.parts.state.data), [
    'the rule "(" is not a regular expression of RE2: only administrators can use files until it is corrected',
    'the rule "/.." is no path: "ann" cannot use files until it is corrected',
  ])
})

test('a start names the denying expressions that block what is in the folders that they match', async (t) => {
  const like = (raw: string, isAllowed = false): Rule => ({ allow: isAllowed, path: '', regex: true, regexp: { raw } })
  const others = ['secret', '^/a(/|$)', '(?:$|/)', '\\$', '[$]', '^/[^]$]+x', '\\\\[z$]'].map((raw) => like(raw))
  const app = await start(t, { rules: [like('\\.key$'), ...others, like('ok$', true)], ofAnn: [like('\\.key$'), like('x\\z')] })
  assert.deepEqual(blockingBelow(app.parts.state.data), ['\\.key$', 'x\\z'])
})
