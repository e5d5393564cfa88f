import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ZipNames } from '../../src-server/archives/zip-names.ts'

for (const [what, paths, expected] of [
  ['a name without a backslash stays', ['a_b', 'c d/e_f'], ['a_b', 'c d/e_f']],
  ['a backslash becomes _', ['a\\b', '..\\..\\c'], ['a_b', '.._.._c']],
  [
    'a changed name leaves the one that is there',
    ['a_b.txt', 'a\\b.txt', 'a\\b.txt(1)'],
    ['a_b.txt', 'a_b(1).txt', 'a_b.txt(1)'],
  ],
  [
    'a name that a changed one has taken gets a number',
    ['a\\b', 'a_b', 'a_b(1)', 'a_\\b'],
    ['a_b', 'a_b(1)', 'a_b(1)(1)', 'a__b'],
  ],
  ['other folders do not count', ['x', 'x/a_b', 'y', 'y/a\\b', 'a\\b'], ['x', 'x/a_b', 'y', 'y/a_b', 'a_b']],
  [
    'what is in a changed folder follows it',
    ['a_b', 'a_b/c', 'a_b/d_e', 'a\\b', 'a\\b/c', 'a\\b/d\\e', 'a\\b/d\\e/f', 'z_'],
    ['a_b', 'a_b/c', 'a_b/d_e', 'a_b(1)', 'a_b(1)/c', 'a_b(1)/d_e', 'a_b(1)/d_e/f', 'z_'],
  ],
  ['folders that are no entries are changed alike', ['a_b/c', 'a\\b/c', 'a\\b/d', 'e'], ['a_b/c', 'a_b(1)/c', 'a_b(1)/d', 'e']],
  ['the colon of a drive becomes _', ['C:', 'C:/d:x', 'a:b', 'ab:c', 'a_b'], ['C_', 'C_/d_x', 'a_b', 'ab:c', 'a_b(1)']],
  ['names that objects have are names', ['__proto__', '\\_proto__'], ['__proto__', '__proto__(1)']],
] as const)
  test(`in a zip archive ${what}`, () => {
    const names = new ZipNames()
    assert.deepEqual(
      paths.map((path) => names.of(path)),
      expected,
    )
  })

test('sixty thousand names that become the same take linear time', () => {
  const names = new ZipNames()
  const given = Array.from({ length: 2 ** 16 }, (_, index) =>
    index.toString(2).padStart(16, '0').replaceAll('0', '_').replaceAll('1', '\\'),
  )
  const inZip = given.map((name) => names.of(name))
  assert.equal(new Set(inZip).size, given.length)
  assert.ok(inZip.every((name) => !name.includes('\\')))
})
