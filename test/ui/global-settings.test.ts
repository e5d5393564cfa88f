// The settings of the server as a form: texts, refusals beside their fields, and what others stored meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import type { About } from '../../src-server/base/failure.ts'
import { hookEvents, type Settings } from '../../src-server/contract/settings.ts'
import { HttpFailure } from '../../src-ui/api/http.ts'
import { cardOnTop, general, hooks, saveCard, userDefaults } from '../../src-ui/settings/global-settings.ts'
import { globalProblemsOf } from '../../src-ui/settings/use-global-card.ts'
import { newRule } from '../../src-ui/users/user-draft.ts'
import { answering } from './answering.ts'
import { refused } from './refused.ts'

const network = answering(import.meta.filename)
const settings: Settings = {
  ...{ signup: false, createUserDir: false, rules: [], shell: ['bash', '-c'] },
  branding: { name: '', disableExternal: false, disableUsedPercentage: false, theme: '', color: '', files: '', css: '' },
  defaults: {
    ...{ scope: '/', locale: '', viewMode: 'list', sorting: { by: 'name', asc: true }, perm: noPermissions, commands: ['git'] },
  },
  commands: Object.fromEntries(hookEvents.map((event) => [event, []])) as never,
  hookLimits: { seconds: 30, kilobytes: 64 },
  trash: { isOn: true, days: 30, percent: 10, isNews: false },
  uploads: { days: 7 },
  archives: { gigabytes: 100, ratio: 1000, entries: 1_000_000, spare: 5 },
}
const known = { settings, version: '"1"' }
const refusedWith = (cause: string, about?: About) => refused(['invalid', cause, about])

function answerSettings(version: string, changed: Settings) {
  const headers = { ETag: version, 'Content-Type': 'application/json' }
  network.replies['GET /api/settings'] = { text: JSON.stringify(changed), headers }
}

test('Shell is trimmed and split on spaces, without empty parts', () => {
  const draft = general.toDraft(settings)
  assert.equal(draft.shell, 'bash -c')
  assert.deepEqual(general.toChange({ ...draft, shell: '  sh   -c ' }).shell, ['sh', '-c'])
})

test('commands of an event are split by line, without empty lines', () => {
  const draft = hooks.toDraft({ ...settings, commands: { ...settings.commands, after_save: ['one', 'two'] } })
  assert.equal(draft.after_save, 'one\ntwo')
  const { commands } = hooks.toChange({ ...draft, after_save: ' \r\none two\r\n\nthree &' })
  assert.deepEqual(commands?.after_save, ['one two', 'three &'])
})

test('limits of commands are numbers; what is none is left to the server to refuse', async () => {
  const draft = hooks.toDraft(settings)
  assert.deepEqual([draft.seconds, draft.kilobytes], ['30', '64'])
  assert.deepEqual(hooks.toChange({ ...draft, seconds: ' 5 ' }).hookLimits, { seconds: 5, kilobytes: 64 })
  assert.deepEqual(hooks.toChange({ ...draft, seconds: 'soon' }).hookLimits?.seconds, Number.NaN)
  const problem = globalProblemsOf(
    await refusedWith('{{field}} is a whole number from {{least}} to {{most}}', {
      field: 'hookLimits.seconds',
      least: 1,
      most: 600,
    }),
    {
      names: ['hookLimits.seconds'],
    },
  )
  assert.equal(problem?.fields['hookLimits.seconds'], 'A whole number from 1 to 600')
})

test('a card changes its own part of the settings alone', () => {
  assert.deepEqual(Object.keys(general.toChange(general.toDraft(settings))).toSorted(), [
    ...['branding', 'createUserDir', 'rules', 'shell', 'signup'],
  ])
  assert.deepEqual(userDefaults.toChange(userDefaults.toDraft(settings)), {
    defaults: { scope: '/', locale: '', perm: noPermissions, commands: ['git'] },
  })
})

test('a refusal is shown beside the field or the rule that it is about', async () => {
  const names = ['branding.files', 'branding.css', 'commands.after_save', 'shell']
  const rule = { ...newRule(), regex: true, text: '(a' }
  const problem = async (cause: string, about?: About) =>
    globalProblemsOf(await refusedWith(cause, about), { names, rules: [rule] })
  const folder = await problem('{{field}} is not the absolute path of a folder', { field: 'branding.files' })
  assert.match(folder?.fields['branding.files'] ?? '', /no such folder/)
  assert.match(
    (await problem('{{field}} must not have a NUL character', { field: 'commands.after_save' }))?.fields['commands.after_save'] ??
      '',
    /NUL/,
  )
  assert.deepEqual(
    (await problem('{{field}} has "{{rule}}", which is no expression of RE2', { field: 'rules', rule: '(a' }))?.rule,
    {
      key: rule.key,
      text: 'Not a valid expression.',
    },
  )
  assert.match((await problem('commands."after_lunch" is no setting'))?.other ?? '', /after_lunch/)
  assert.equal(globalProblemsOf(new HttpFailure(503, '503'), { names }), undefined)
})

test('a card is stored again on top of what others stored in other fields, and not over what they stored in the same one', async () => {
  let version = '"2"'
  const sent: (string | null)[] = []
  const bodies: unknown[] = []
  const put = (ifMatch: string | null, body: unknown) => {
    sent.push(ifMatch)
    bodies.push(JSON.parse(String(body)))
    return ifMatch === version ? { text: '200 OK' } : { status: 412, text: '412 Precondition Failed' }
  }
  const reach = globalThis.fetch
  globalThis.fetch = ((address: string, init: RequestInit) => {
    if (init.method === 'PUT') {
      const { status = 200, text } = put(new Headers(init.headers).get('If-Match'), init.body)
      return Promise.resolve(new Response(text, { status }))
    }
    return reach(address, init)
  }) as typeof fetch
  const draft = { ...general.toDraft(settings), signup: true }
  answerSettings(version, { ...settings, defaults: { ...settings.defaults, locale: 'de' } })
  assert.ok('stored' in (await saveCard(general, draft, known)))
  assert.deepEqual(sent, ['"1"', '"2"'])
  version = '"3"'
  const theirs = { ...settings, branding: { ...settings.branding, name: 'Theirs', theme: 'dark' as const } }
  answerSettings(version, theirs)
  assert.ok('stored' in (await saveCard(general, { ...draft, branding: { ...draft.branding, color: '#286a51' } }, known)))
  const merged = { ...theirs.branding, color: '#286a51' }
  assert.deepEqual(bodies.at(-1), { ...general.toChange(draft), branding: merged })
  const typed = { ...draft, branding: { ...draft.branding, name: 'Mine' } }
  assert.deepEqual(await saveCard(general, typed, known), { theirs: { settings: theirs, version } })
  assert.deepEqual(sent, ['"1"', '"2"', '"1"', '"3"', '"1"'])
  globalThis.fetch = reach
})

test('a card is stored also when the settings cannot be read afterwards', async () => {
  network.replies['PUT /api/settings'] = { text: '200 OK' }
  network.replies['GET /api/settings'] = { status: 503, text: '503 Service Unavailable' }
  const draft = { ...general.toDraft(settings), signup: true }
  const { rules: _, ...sent } = general.toChange(draft)
  const ended = await saveCard(general, draft, known)
  assert.ok('stored' in ended)
  assert.deepEqual(ended.stored, { settings: { ...settings, ...sent }, version: known.version })
})

test('of a conflict only what this person changed is shown as theirs to save; the rest is as somebody else stored it', () => {
  const draft = { ...general.toDraft(settings), signup: true }
  const now: Settings = { ...settings, shell: ['sh'], branding: { ...settings.branding, name: 'Theirs' } }
  const { rules: _, ...shown } = cardOnTop(general, draft, { before: general.toDraft(settings), now })
  const { rules: __, ...theirs } = general.toDraft(now)
  assert.deepEqual(shown, { ...theirs, signup: true })
})
