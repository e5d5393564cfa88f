import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blockedBy, compileRule, type Rule } from '../../src-server/access/rules.ts'
import { parsePath } from '../../src-server/base/paths.ts'

const allow = (path: string): Rule => ({ allow: true, path, regex: false, regexp: { raw: '' } })
const deny = (path: string): Rule => ({ ...allow(path), allow: false })
const allowLike = (raw: string): Rule => ({ allow: true, path: '', regex: true, regexp: { raw } })
const denyLike = (raw: string): Rule => ({ ...allowLike(raw), allow: false })

function isBlocked(rules: Rule[], path: string) {
  return blockedBy(rules.map(compileRule), parsePath(path))
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

  test('with .. does not compile', () => assert.throws(() => compileRule(deny('/a/../b')), { code: 'invalid' }))
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
      assert.throws(() => compileRule(denyLike(raw)), { code: 'invalid', message: /is not a regular expression/ }, raw)
    }
  })

  test('that takes a backtracking engine hours is matched at once', () => {
    const rule = compileRule(denyLike('^(a+)+$'))
    assert.equal(rule.matches(parsePath(`/${'a'.repeat(250)}!`)), false)
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
