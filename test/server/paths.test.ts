import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  asksForFolder,
  childOf,
  isWithin,
  nameOf,
  type Path,
  parentOf,
  parsePath,
  parseUrlPath,
  partsOf,
  rootPath,
} from '../../src-server/base/paths.ts'
import { nastyNames } from '../support/nasty-names.ts'

describe('parsePath', () => {
  for (const [text, path] of [
    ['', '/'],
    ['/', '/'],
    ['///', '/'],
    ['.', '/'],
    ['./.', '/'],
    ['a', '/a'],
    ['/a/', '/a'],
    ['//a//b//', '/a/b'],
    ['/./a/./b/.', '/a/b'],
    ['/...', '/...'],
    ['/.a/..b/c..', '/.a/..b/c..'],
    ['/ ', '/ '],
    ['/a b', '/a b'],
    ['/%2e%2e/%2f', '/%2e%2e/%2f'],
    ['/~', '/~'],
  ] as const) {
    test(`${JSON.stringify(text)} is ${path}`, () => assert.equal(parsePath(text), path))
  }

  for (const text of ['..', '/..', '../a', '/a/../b', '/a/..', '/a/../../b', './../', '/a//..//b']) {
    test(`${text} is invalid, and not resolved`, () => assert.throws(() => parsePath(text), { code: 'invalid' }))
  }

  for (const [what, text] of [
    ['a NUL', '/a\0b'],
    ['a lone high surrogate', '/a\ud83d'],
    ['a lone low surrogate', '/\ude00a'],
    ['a name of 256 bytes', `/${'n'.repeat(256)}`],
    ['a name of 256 bytes in 128 letters', `/${'é'.repeat(128)}`],
    ['a path of 4,097 bytes', '/abc'.repeat(1024).concat('/').concat('d')],
  ] as const) {
    test(`${what} is invalid`, () => assert.throws(() => parsePath(text), { code: 'invalid' }))
  }

  test('a name of 255 bytes and a path of 4,096 are fine', () => {
    assert.equal(nameOf(parsePath(`/a/${'n'.repeat(255)}`)).length, 255)
    assert.equal(parsePath('/abc'.repeat(1024)).length, 4096)
  })

  test('parsing a parsed path again returns the same', () => {
    for (const text of ['', '//a/./b/', '/x/y z', ...nastyNames]) assert.equal(parsePath(parsePath(text)), parsePath(text))
  })

  test('nothing is normalised: two spellings of é stay two names', () => {
    assert.notEqual(parsePath('/caf\u00e9'), parsePath('/cafe\u0301'))
  })

  test('every nasty name is one name', () => {
    for (const name of nastyNames) assert.deepEqual(partsOf(parsePath(`/a/${name}`)), ['a', name])
  })
})

describe('on Windows', () => {
  test('a backslash is invalid; elsewhere it is an ordinary character', (t) => {
    assert.deepEqual(partsOf(parsePath('/a\\..\\b')), ['a\\..\\b'])
    const real = Object.getOwnPropertyDescriptor(process, 'platform')
    t.after(() => Object.defineProperty(process, 'platform', real ?? {}))
    Object.defineProperty(process, 'platform', { ...real, value: 'win32' })
    for (const text of ['/a\\b', '\\', '..\\x', '/a/..\\..\\b']) assert.throws(() => parsePath(text), { code: 'invalid' })
  })
})

describe('parseUrlPath', () => {
  for (const [text, path] of [
    ['/a%20b/c', '/a b/c'],
    ['/a+b', '/a+b'],
    ['/100%', '/100%'],
    ['/%zz/%41', '/%zz/A'],
    ['/%E2%82', '/%E2%82'],
    ['/%252e', '/%2e'],
    ['/caf%C3%A9', '/café'],
    ['%2e', '/'],
  ] as const) {
    test(`${text} is ${path}`, () => assert.equal(parseUrlPath(text), path))
  }

  test('an escaped slash makes two names of one, as any slash', () => assert.equal(parseUrlPath('/a%2Fb'), '/a/b'))

  for (const text of ['/%2e%2e/a', '/a/%2E%2e', '/%2e./a', '/a%2f..%2fb', '/%00', '/a/..']) {
    test(`${text} is invalid`, () => assert.throws(() => parseUrlPath(text), { code: 'invalid' }))
  }
})

test('the parts, the name and the parent of a path', () => {
  assert.deepEqual(partsOf(rootPath), [])
  assert.deepEqual(partsOf(parsePath('/a/b')), ['a', 'b'])
  assert.deepEqual([nameOf(rootPath), nameOf(parsePath('/a/b'))], ['', 'b'])
  assert.deepEqual([parentOf(rootPath), parentOf(parsePath('/a')), parentOf(parsePath('/a/b'))], ['/', '/', '/a'])
})

test('a child is added as one valid name', () => {
  assert.equal(childOf(rootPath, 'a'), '/a')
  assert.equal(childOf(parsePath('/a'), 'b'), '/a/b')
  for (const name of nastyNames) assert.equal(nameOf(childOf(parsePath('/a'), name)), name)
  for (const name of ['', '.', '..', 'a/b', '/', 'a\0', '\ud800', 'n'.repeat(256)]) {
    assert.throws(() => childOf(rootPath, name), { code: 'invalid' }, JSON.stringify(name))
  }
})

test('within goes by whole names', () => {
  const within = (path: string, ancestor: string) => isWithin(path as Path, ancestor as Path)
  for (const [path, ancestor] of [
    ['/', '/'],
    ['/a', '/'],
    ['/a', '/a'],
    ['/a/b/c', '/a'],
  ] as const)
    assert.ok(within(path, ancestor))
  for (const [path, ancestor] of [
    ['/', '/a'],
    ['/ab', '/a'],
    ['/a', '/a/b'],
    ['/A/b', '/a'],
  ] as const) {
    assert.equal(within(path, ancestor), false)
  }
})

test('a slash at the end means a folder', () => {
  for (const text of ['', '/', 'a/', '/a/b/']) assert.ok(asksForFolder(text))
  for (const text of ['a', '/a', '/a/b', '/a/.']) assert.equal(asksForFolder(text), false)
})
