// Rules of File Browser, and what they block here: never less than before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRules } from '../../src-server/access/rules.ts'
import { type Path, rootPath } from '../../src-server/base/paths.ts'
import { PlanBudget } from '../../src-server/import/plan-budget.ts'
import { PlanNotes } from '../../src-server/import/plan-notes.ts'
import { plannedRules, type UnusableRules } from '../../src-server/import/plan-rules.ts'
import { memoryFacts } from '../support/memory-facts.ts'
import { seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'

type Stored = { allow: boolean; regex: boolean; path: string; regexp: { raw: string } | null }
const deny = (path: string): Stored => ({ allow: false, regex: false, path, regexp: null })
const allow = (path: string): Stored => ({ ...deny(path), allow: true })
const denyAll = (raw: string): Stored => ({ allow: false, regex: true, path: '', regexp: { raw } })
const allowAll = (raw: string): Stored => ({ ...denyAll(raw), allow: true })

type How = {
  budget?: PlanBudget
  hasWholeNames?: boolean
  foldsCase?: boolean
  unusable?: UnusableRules
  paths?: readonly string[]
}

async function planned(
  rules: readonly Stored[],
  { hasWholeNames = false, foldsCase = false, unusable, paths = [], budget = new PlanBudget() }: How = {},
) {
  const notes = new PlanNotes()
  const parts = { facts: memoryFacts(paths), scopes: [rootPath], hasWholeNames, foldsCase, unusable, notes, budget }
  return { rules: await plannedRules(rules, 'user "bob"', parts), notes: notes.notes, stops: notes.stops }
}

/** What blocks a path. */
async function blocked(rules: readonly Stored[], path: string, how?: How) {
  return compileRules((await planned(rules, how)).rules).isBlocked(path as Path)
}

for (const [what, rules, path, before, since] of [
  ['a denied path', [deny('/secret')], '/secret', true, true],
  ['what is below it', [deny('/secret')], '/secret/a/b', true, true],
  ['a longer name', [deny('/secret')], '/secretX', true, false],
  ['another path', [deny('/secret')], '/a/secret', false, false],
  ['a name with signs of expressions', [deny('/a.b(c)[d]+$')], '/a.b(c)[d]+$', true, true],
  ['one that the signs would match', [deny('/a.b')], '/axb', false, false],
  ['everything', [deny('/')], '/x', true, true],
  ['an empty path', [deny('')], '/x', true, true],
  ['what is in a folder', [deny('/a/')], '/a/b', true, true],
  ['the folder of a rule with a slash at its end', [deny('/a/')], '/a', true, true],
  ['what is allowed after it', [deny('/a'), allow('/a/b')], '/a/b/c', false, false],
  ['a longer name than the allowed', [deny('/a'), allow('/a/b')], '/a/bc', true, true],
  ['an allowed folder with a slash', [deny('/a'), allow('/a/b/')], '/a/b', true, true],
  ['what is in an allowed folder with a slash', [deny('/a'), allow('/a/b/')], '/a/b/c', false, false],
  ['what is allowed without a slash before it', [deny('/a'), allow('a/b')], '/a/b', true, true],
  ['what is denied without a slash before it', [deny('a')], '/a', false, false],
  ['what all may see', [deny('/a'), allow('')], '/a', false, false],
  ['a denying expression', [denyAll('\\.key$')], '/a/b.key', true, true],
  ['what is below a match of one', [denyAll('\\.key$')], '/a.key/b', true, true],
  ['an allowing expression', [deny('/'), allowAll('^/a')], '/abc', false, false],
] as const)
  test(`${what}: ${before ? 'blocked' : 'open'} as before 2.63.1, ${since ? 'blocked' : 'open'} as since`, async () => {
    assert.deepEqual([await blocked(rules, path), await blocked(rules, path, { hasWholeNames: true })], [before, since])
  })

test('the paths that are there and on which the releases differ are named', async () => {
  const paths = ['/secretX', '/secrets/a', '/secret/b', '/a/bc', '/a/b']
  const before = await planned([deny('/secret'), allow('/a/b')], { paths })
  assert.deepEqual(
    before.notes.map(({ text }) => text),
    [
      'the rule that denies "/secret" blocks "/secretX" and "/secrets" too, as before 2.63.1: add --written-by 2.63.1 when that or a later release was in use',
      'the rule that allows "/a/b" is about that alone: before 2.63.1 it was about "/a/bc" too',
    ],
  )
  const since = await planned([deny('/secret')], { paths, hasWholeNames: true })
  assert.match(since.notes[0]?.text ?? '', /does not block "\/secretX" and "\/secrets": before 2\.63\.1 it did/)
})

for (const [what, rule] of [
  ['an expression with look-around', denyAll('(?!x)')],
  ['an expression that is none', denyAll('(')],
  ['an expression that is missing', { ...denyAll(''), regexp: null }],
  ['an expression that needs a slash at the end', denyAll('^/private/$')],
  ['one that writes it with a backslash', denyAll('^\\/secret\\/$')],
  ['one that repeats it', denyAll('^/secret/+$')],
  ['one that writes it as a set', denyAll('^/secret[/]$')],
  ['one of several that needs it', denyAll('(^/a/|^/b/)$')],
  ['one that writes it as a number', denyAll('^/secret\\x2f$')],
  ['one that writes it as any character but others', denyAll('^/secret[^a-z0-9]$')],
  ['one that needs it for each line', denyAll('(?m)^/secret/$')],
  ['one that needs it at one of two ends', denyAll('^/a$|^/b/$')],
  ['one for all folders', denyAll('/$')],
  ['one that needs it without an end', denyAll('^/secret/\\B')],
  ['one with some of what is in the folder', denyAll('^/secret/([0-9]+)?$')],
  ['one that takes too long to tell', denyAll('a.{300}/$')],
] as const)
  test(`${what} that denies stops the import until it is answered`, async () => {
    const asked = await planned([rule])
    assert.equal(asked.stops.length, 1)
    assert.match(
      asked.stops[0] ?? '',
      /^A rule of user "bob" cannot be applied: .*--unusable-rules block .* or --unusable-rules leave-out/,
    )
    assert.equal(await blocked([rule], '/anything', { unusable: 'block' }), true)
    const left = await planned([rule], { unusable: 'leave-out' })
    assert.deepEqual([left.rules, left.stops, left.notes[0]?.kind], [[], [], 'left'])
    const allowing = await planned([deny('/'), { ...rule, allow: true }])
    assert.deepEqual([allowing.rules.length, allowing.stops, allowing.notes.at(-1)?.kind], [1, [], 'left'])
  })

test('a text that is no clean path is compared as it is: nothing is opened by cleaning it', async () => {
  for (const text of ['/.', '//pub', '/pub/./', '/a/../pub', `/${'x'.repeat(300)}`]) {
    const { rules, notes, stops } = await planned([deny('/'), allow(text)])
    assert.deepEqual([rules.length, stops, notes[0]?.kind], [1, [], 'left'], text)
  }
  assert.equal(await blocked([deny('/.')], '/.hidden'), true)
  assert.equal(await blocked([deny('/.')], '/seen'), false)
})

for (const raw of [
  ...[
    '^/private(/|$)',
    '^/a/?$',
    '/[^/]$',
    '/x/y',
    '[/]',
    '^/a/',
    '\\.git(/|$)',
    '^/$',
    '^/a/.*$',
    '^/a/[^/]*$',
    '',
    '^/a(/.*)?$',
  ],
  ...['(?i)\\.(jpe?g|png)$', '^/[^/]+/private(/|$)', '/\\.[^/]*$', '^/(\\pL|\\d)+/x', '\\bsecret\\b', '^/users/(bob|ann)/.+$'],
])
  test(`the expression ${raw} needs no slash at the end`, async () => {
    assert.deepEqual((await planned([denyAll(raw)])).stops, [])
  })

test('more rules than are possible stop the import with their number', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => deny(`/r${index}`))
  assert.match(
    (await planned(many(101))).stops.join(),
    /would be 101 expressions, and at most 100 are possible.*--written-by 2\.63\.1/,
  )
  assert.deepEqual((await planned(many(101), { hasWholeNames: true })).stops, [])
  assert.match(
    (await planned(many(1001), { hasWholeNames: true })).stops.join(),
    /have 1001 paths, and at most 1000 are possible/,
  )
})

/** As File Browser decides: the last rule that matches. */
function blockedThere(rules: readonly Stored[], path: string, hasWholeNames: boolean): boolean {
  const matches = ({ path: ruled }: Stored) =>
    hasWholeNames ? path === ruled || path.startsWith(ruled.endsWith('/') ? ruled : `${ruled}/`) : path.startsWith(ruled)
  return rules.findLast(matches)?.allow === false
}

test(`whatever rules with paths blocked is blocked, by either meaning (seed ${seed})`, async () => {
  const random = new SeededRandom(seed)
  const names = ['a', 'b', 'ab', 'a.b', 'abc']
  const path = () => `/${Array.from({ length: 1 + random.below(3) }, () => random.pick(names)).join('/')}`
  for (let round = 0; round < 150; round++) {
    const rules = Array.from({ length: 1 + random.below(4) }, () =>
      (random.below(3) === 0 ? allow : deny)(`${random.below(8) === 0 ? '' : path()}${random.below(3) === 0 ? '/' : ''}`),
    )
    for (const hasWholeNames of [false, true]) {
      const { isBlocked } = compileRules((await planned(rules, { hasWholeNames })).rules)
      for (let count = 0; count < 10; count++) {
        const asked = path()
        if (blockedThere(rules, asked, hasWholeNames)) assert.ok(isBlocked(asked as Path), `${asked} by ${JSON.stringify(rules)}`)
      }
    }
    // Not knowing which it was blocks what either would have.
    const { isBlocked } = compileRules((await planned(rules)).rules)
    for (let count = 0; count < 10; count++) {
      const asked = path()
      const either = [false, true].some((hasWholeNames) => blockedThere(rules, asked, hasWholeNames))
      if (either) assert.ok(isBlocked(asked as Path), `${asked} by ${JSON.stringify(rules)}`)
    }
  }
})

test('rules for paths that took small and capital letters for the same block as much here', async () => {
  for (const hasWholeNames of [false, true]) {
    for (const rule of ['/Secret', '/Secret/', '/a/../Secret']) {
      const how = { hasWholeNames, foldsCase: true }
      assert.equal(await blocked([deny(rule)], '/secret/x', how), rule !== '/a/../Secret', rule)
      assert.equal(await blocked([deny('/'), allow(rule)], '/secret/x', how), true, rule)
    }
    assert.equal(await blocked([deny('/Secret')], '/secretX', { hasWholeNames, foldsCase: true }), !hasWholeNames)
  }
})

test('expressions are looked at within one time, each once, and the plan stops when it is over', async () => {
  let time = 0
  const budget = new PlanBudget({ computing: 2 }, () => time++)
  const some = ['^/a', '^/b', '^/a', '^/c', '^/a'].map(denyAll)
  const { stops } = await planned(some, { budget })
  assert.match(stops.join(), /^The expressions of the rules take too long/)
  assert.ok(!stops.join().includes('"^/a"') && !stops.join().includes('"^/b"'))
  for (const unusable of ['block', 'leave-out'] as const)
    assert.equal((await planned([denyAll('^/d')], { budget, unusable })).stops.length, 1)
  assert.deepEqual((await planned([allowAll('^/d')], { budget })).rules, [])
})

test('an expression that is very long is asked about before it is compiled', async () => {
  const { stops } = await planned([denyAll('\\pL'.repeat(400))])
  assert.match(stops.join(), /which is longer than 1000 characters/)
})

test('paths on which the releases differ are looked for a number of times in all', async () => {
  const paths = ['/aX', '/bX', '/cX']
  const budget = new PlanBudget({ folders: 2 })
  const { notes, rules } = await planned([deny('/a'), deny('/b'), deny('/c')], { paths, budget })
  assert.deepEqual([notes.length, rules.length, budget.isSpent('folders')], [2, 3, true])
})
