import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Expressions } from '../../src-server/access/expressions.ts'
import { compileRules, matcherOf, type Rule } from '../../src-server/access/rules.ts'
import { isWithin, type Path, parentOf, parsePath, rootPath } from '../../src-server/base/paths.ts'

const allow = (path: string): Rule => ({ allow: true, path, regex: false, regexp: { raw: '' } })
const deny = (path: string): Rule => ({ ...allow(path), allow: false })
const allowLike = (raw: string): Rule => ({ allow: true, path: '', regex: true, regexp: { raw } })
const denyLike = (raw: string): Rule => ({ ...allowLike(raw), allow: false })

/** Microseconds of this thread's own work. */
function timeOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  return process.threadCpuUsage(before).user
}

function isBlocked(rules: Rule[], path: string) {
  return compileRules(rules).isBlocked(parsePath(path))
}

describe('a rule with a path', () => {
  for (const [rule, blocked, free] of [
    [
      '/private',
      ['/private', '/private/', '//private/x', '/private/a/b'],
      ['/', '/private-not', '/privat', '/a/private', '/Private'],
    ],
    ['private/', ['/private', '/private/x'], ['/privatex']],
    ['//a//b/', ['/a/b', '/a/b/c'], ['/a', '/a/bc']],
    ['/', ['/', '/anything'], []],
    ['', ['/', '/anything'], []],
    ['/a.b', ['/a.b'], ['/axb']],
  ] as const) {
    test(`${JSON.stringify(rule)} holds on whole names and all below`, () => {
      for (const path of blocked) assert.ok(isBlocked([deny(rule)], path), path)
      for (const path of free) assert.equal(isBlocked([deny(rule)], path), false, path)
    })
  }

  test('with .. does not compile', () => assert.throws(() => matcherOf(deny('/a/../b')), { code: 'invalid' }))
})

describe('a rule with an expression', () => {
  test('is found anywhere in the path unless it is tied to an end', () => {
    assert.ok(isBlocked([denyLike('\\.env$')], '/a/.env'))
    assert.equal(isBlocked([denyLike('\\.env$')], '/a/.env.txt'), false)
    assert.ok(isBlocked([denyLike('secret')], '/my-secrets/x'))
    assert.ok(isBlocked([denyLike('^/a/[0-9]+(/|$)')], '/a/12/x'))
    assert.equal(isBlocked([denyLike('^/a/[0-9]+(/|$)')], '/b/a/12'), false)
    assert.ok(isBlocked([denyLike('(?i)^/PRIVATE')], '/private'))
  })

  test('that does not compile is named', () => {
    for (const raw of ['(', '[a-', '(?<=a)b', '(a)\\1']) {
      assert.throws(() => matcherOf(denyLike(raw)), { code: 'invalid', message: /is not a regular expression/ }, raw)
    }
  })

  test('that takes a backtracking engine hours is matched at once', () => {
    const matches = matcherOf(denyLike('^(a+)+$'))
    assert.equal(matches(parsePath(`/${'a'.repeat(250)}!`)), false)
  })
})

describe('a denying expression', () => {
  test('holds for everything below a folder that it matches', () => {
    for (const raw of ['\\.git$', '^/a/\\.git$', '\\.git\\z', '(?i)GIT$', '\\.git($|x)'])
      for (const path of ['/a/.git', '/a/.git/config', '/a/.git/hooks/pre-push']) assert.ok(isBlocked([denyLike(raw)], path), raw)
    assert.equal(isBlocked([denyLike('\\.git$')], '/a/.gitignore'), false)
    assert.equal(isBlocked([denyLike('\\.git$')], '/a.git.d/x'), false)
  })

  test('that matches the root alone does not hold below it', () => {
    assert.ok(isBlocked([denyLike('^/$')], '/'))
    assert.equal(isBlocked([denyLike('^/$')], '/a/b'), false)
  })

  test('gives way below a folder to a later rule that allows', () => {
    const rules = [denyLike('\\.git$'), allow('/a/.git/hooks'), allowLike('/config$'), denyLike('/secret$')]
    for (const path of ['/a/.git', '/a/.git/x', '/a/.git/hooks/secret/x', '/a/.git/config/x'])
      assert.ok(isBlocked(rules, path), path)
    for (const path of ['/a/.git/hooks', '/a/.git/hooks/x', '/a/.git/config']) assert.equal(isBlocked(rules, path), false, path)
  })

  test('does not give way to an earlier rule that allows, and an allowing expression does not hold below', () => {
    assert.ok(isBlocked([allow('/a/.git/x'), denyLike('\\.git$')], '/a/.git/x'))
    assert.ok(isBlocked([deny('/'), allowLike('^/a$')], '/a/b'))
  })

  test('allows deep paths: at once when the expressions are few, and step by step when they are many', () => {
    const deep = `/${'n'.repeat(84)}`.repeat(40)
    assert.equal(isBlocked([denyLike('\\.tmp$')], deep), false)
    const rules = compileRules(Array.from({ length: 100 }, (_, index) => denyLike(`\\.tmp${index}$`)))
    const walked = (folder: string) => {
      for (let end = folder.indexOf('/', 1); end > 0; end = folder.indexOf('/', end + 1))
        assert.equal(rules.isBlocked(parsePath(folder.slice(0, end))), false, `${end} characters`)
      return rules.isBlocked(parsePath(folder))
    }
    assert.equal(walked(deep), false)
    for (let index = 0; index < 1000; index++) assert.equal(rules.isBlocked(parsePath(`${deep}/${index}/x`)), false)
    assert.ok(rules.isBlocked(parsePath(`${deep}/a.tmp7/x`)))
  })

  test('are asked in little time about paths of a thousand folders', () => {
    const deep = '/a'.repeat(1000)
    const [rules, alone] = [compileRules([denyLike('\\.tmp$')]), matcherOf(allowLike('\\.tmp$'))]
    const ask = (isFound: (path: Path) => boolean) => () => {
      for (let index = 0; index < 500; index++) assert.equal(isFound(parsePath(`${deep}/${index}/x`)), false)
    }
    const [once, withFolders] = [timeOf(ask(alone)), timeOf(ask(rules.isBlocked))]
    assert.ok(withFolders < 20 * once, `${withFolders} µs, and ${once} µs for the paths without their folders`)
  })

  test('blocks paths with so many folders that asking each would take long', () => {
    const rules = compileRules([allowLike('^/'), ...Array.from({ length: 100 }, (_, index) => denyLike(`[ab/]{30}c${index}$`))])
    const time = timeOf(() => {
      assert.ok(rules.isBlocked(parsePath('/a'.repeat(2000))))
      assert.equal(rules.isBlocked(parsePath(`/${'a'.repeat(200)}`.repeat(10))), false)
    })
    assert.ok(time < 2e6)
  })
})

describe('several rules', () => {
  test('the last that matches decides', () => {
    const rules = [deny('/'), allow('/shared'), deny('/shared/private'), allow('/shared/private/mine')]
    for (const path of ['/', '/other', '/shared-secret', '/shared/private', '/shared/private/x'])
      assert.ok(isBlocked(rules, path), path)
    for (const path of ['/shared', '/shared/x', '/shared/private/mine', '/shared/private/mine/x']) {
      assert.equal(isBlocked(rules, path), false, path)
    }
  })

  test('a later rule may override all', () => {
    assert.equal(isBlocked([deny('/a'), allowLike('.*')], '/a/b'), false)
    assert.ok(isBlocked([allow('/a'), denyLike('^/a')], '/a/b'))
  })

  test('what none names is allowed', () => {
    assert.equal(isBlocked([], '/a'), false)
    assert.equal(isBlocked([deny('/b')], '/a'), false)
  })
})

describe('many rules', () => {
  /** As rules.ts says it, without any tables. */
  const oneByOne = (rules: readonly Rule[]) => {
    const each = rules.map((rule) => ({ ...rule, matches: matcherOf(rule) }))
    return (path: Path) => each.findLast(({ matches }) => matches(path))?.allow === false
  }
  const names = ['a', 'b', 'ab', 'a.b', '😀', 'A', 'a\nb', '']
  const texts = names.flatMap((one) => names.flatMap((two) => names.map((three) => `/${one}/${two}/${three}`)))
  const paths = texts.map(parsePath)
  const patterns = [
    'a$',
    '^/a',
    '(?i)A',
    '\\bab\\b',
    '/[^/]+/b',
    '😀',
    '\\pL\\.',
    '^/$',
    'a\nb',
    '(a|b){2}',
    '',
    '.',
    '(?m)^b$',
    'x|/ab/',
  ]

  test('decide as each of them in turn', () => {
    // Fixed numbers that look random.
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const some = (): Rule => {
      const isAllowed = next(2) === 0
      const raw = patterns[next(patterns.length)] ?? ''
      return {
        ...(isAllowed ? allow : deny)(next(2) === 0 ? '/a/b/ab' : parentOf(paths[next(paths.length)] ?? rootPath)),
        regex: next(2) === 0,
        regexp: { raw },
      }
    }
    for (let round = 0; round < 60; round++) {
      const rules = Array.from({ length: next(40) }, some)
      const compiled = compileRules(rules)
      const isBlockedByOne = oneByOne(rules)
      for (const path of paths) assert.equal(compiled.isBlocked(path), isBlockedByOne(path), JSON.stringify({ rules, path }))
    }
  })

  test('tell whether something below an allowed path may be blocked, and say no only where nothing is', () => {
    let seed = 11
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const parts = ['', 'a', 'b', 'c']
    const tree = [
      ...new Set(parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => `/${one}/${two}/${three}`))).map(parsePath)),
    ]
    const some = (): Rule => {
      const rule = (next(2) === 0 ? allow : deny)(tree[next(tree.length)] ?? rootPath)
      return next(5) === 0 ? { ...rule, regex: true, regexp: { raw: patterns[next(patterns.length)] ?? '' } } : rule
    }
    let sure = 0
    for (let round = 0; round < 2000; round++) {
      const rules = Array.from({ length: next(5) }, some)
      const compiled = compileRules(rules)
      for (const path of tree.filter((one) => !compiled.isBlocked(one) && !compiled.mayBlockBelow(one))) {
        sure++
        const blocked = tree.find((below) => isWithin(below, path) && compiled.isBlocked(below))
        assert.equal(blocked, undefined, JSON.stringify({ rules, path }))
      }
    }
    assert.ok(sure > 10_000)
    const isSure = (rules: Rule[], path: string) => !compileRules(rules).mayBlockBelow(parsePath(path))
    assert.ok(isSure([deny('/private'), denyLike('x'), allow('/')], '/shared') === false)
    for (const rules of [[deny('/private')], [allowLike('x'), allow('/shared/x')], [deny('/shared'), allow('/shared')], []]) {
      assert.ok(isSure(rules, '/shared'), JSON.stringify(rules))
    }
  })

  test('name the expression that does not compile', () => {
    const rules = [...Array.from({ length: 20 }, () => denyLike('a')), denyLike('(b')]
    assert.throws(() => compileRules(rules), { code: 'invalid', message: /"\(b" is not a regular expression/ })
  })

  test('apply to long paths too', () => {
    const rules = compileRules([...Array.from({ length: 20 }, (_, index) => denyLike(`no${index}$`)), deny('/x')])
    const long = `/${'y'.repeat(200)}`.repeat(5)
    assert.ok(rules.isBlocked(parsePath(`${long}/no19`)))
    assert.equal(rules.isBlocked(parsePath(`${long}/yes`)), false)
    assert.ok(rules.isBlocked(parsePath(`/x${long}`)))
  })

  test('that are slow together are asked one after another', () => {
    let now = 0
    let asked = 0
    const slow = () => {
      asked++
      now += 30
      return now
    }
    const sources = Array.from({ length: 20 }, (_, index) => `no${index}$`)
    const expressions = new Expressions(sources, slow)
    for (let count = 0; count < 50; count++) assert.equal(expressions.lastMatch(parsePath('/no7'), 0), 7)
    assert.ok(asked >= 2 && asked < 20, `the clock was read ${asked} times`)
  })
})
