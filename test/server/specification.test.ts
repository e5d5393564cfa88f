// docs/specification.md maps the product's specification to tests, which must exist.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const top = resolve(import.meta.dirname, '../..')

test('every test that docs/specification.md names exists in the file that it names', () => {
  assert.deepEqual(problemsOf(readFileSync(join(top, 'docs/specification.md'), 'utf8')), [])
})

test('a missing test, file or row is found', () => {
  const row = (ui: string, e2e: string) => `| Something | ${ui} | ${e2e} |`
  assert.deepEqual(problemsOf(row('to come', '—')), [])
  assert.deepEqual(problemsOf(row('`selection.test.ts` no such test', 'to come')), [
    'test/ui/selection.test.ts has no test "no such test"',
  ])
  assert.deepEqual(problemsOf(row('to come', '`nothing.test.ts` x')), ['test/e2e/nothing.test.ts is not there'])
  assert.deepEqual(problemsOf(row('', 'some words')), [
    'Something: test/ui says nothing',
    'Something: test/e2e says "some words", which names no test',
  ])
})

/** A message for each named test that does not exist, and for each row that names none. */
function problemsOf(map: string): string[] {
  const rows = map.split('\n').filter((line) => /^\| (?!`test|Row|---)/.test(line) && !line.startsWith('|---'))
  return rows.flatMap((line) => {
    const [, name = '', ui = '', e2e = ''] = line.split('|').map((cell) => cell.trim())
    return [...problemsIn(name, 'test/ui', ui), ...problemsIn(name, 'test/e2e', e2e)]
  })
}

function problemsIn(row: string, folder: string, cell: string): string[] {
  if (cell === '') return [`${row}: ${folder} says nothing`]
  return cell.split('<br>').flatMap((said) => {
    if (said === 'to come' || said === '—') return []
    const [, file, name] = /^`([\w-]+\.test\.ts)` (.+)$/.exec(said) ?? []
    if (!file || !name) return [`${row}: ${folder} says "${said}", which names no test`]
    const path = `${folder}/${file}`
    if (!existsSync(join(top, path))) return [`${path} is not there`]
    return testNames(path).some((one) => one === name || patternOf(one).test(name)) ? [] : [`${path} has no test "${name}"`]
  })
}

/** The test names as written in the source, with their `${…}`. */
function testNames(path: string): string[] {
  const text = readFileSync(join(top, path), 'utf8')
  return [...text.matchAll(/\btest\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g)].map(([, , name = '']) => name.replaceAll("\\'", "'"))
}

const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+')}$`,
  )
