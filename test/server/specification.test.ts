// docs/specification.md maps the product's specification to tests, which must exist.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const top = resolve(import.meta.dirname, '../..')

/**
 * The number of rows of each section: the specification's 1 to 9, those of the reference as R, the rules of the design as U, and
 * what goes beyond both as B. A row is `section.place`, counted from 1.
 */
const rowsOf: Readonly<Record<string, number>> = {
  1: 11,
  2: 111,
  3: 81,
  4: 41,
  5: 17,
  6: 20,
  7: 36,
  8: 26,
  9: 18,
  R2: 9,
  R3: 23,
  R4: 9,
  R5: 4,
  R6: 4,
  R7: 5,
  R8: 5,
  R9: 10,
  R10: 2,
  R11: 5,
  R12: 3,
  U: 23,
  B: 14,
}

/** The rows that ask for nothing that a test could check. */
const requiresNothing = ['1.10', '3.31']

/** A row's tests when the test is not about them. */
const someTest = '`server/specification.test.ts` a row that is left out, added, doubled or out of order is found'

test('docs/specification.md has every row of the specification once, in order, and each names its tests', () => {
  assert.deepEqual(problemsOf(readFileSync(join(top, 'docs/specification.md'), 'utf8'), numbersOf(rowsOf)), [])
})

test('a row that is left out, added, doubled or out of order is found', () => {
  const problems = (...numbers: string[]) =>
    problemsOf(numbers.map((number) => `| ${number} | x | ${someTest} |`).join('\n'), ['1.1', '1.2', 'R3.1'])
  assert.deepEqual(problems('1.1', '1.2', 'R3.1'), [])
  assert.deepEqual(problems('1.1', 'R3.1'), ['row 1.2 is missing'])
  assert.deepEqual(problems('1.1', '1.2', '1.3', 'R3.1'), ['row 1.3 is not in the list'])
  assert.deepEqual(problems('1.1', '1.2', '1.2', 'R3.1'), ['row 1.2 is there 2 times'])
  assert.deepEqual(problems('1.2', '1.1', 'R3.1'), ['row 1.2 is out of order', 'row 1.1 is out of order'])
})

test('a missing test, a missing file and a row without tests are found', () => {
  const problems = (...cells: string[]) => problemsOf(`| 1.1 | ${cells.join(' | ')} |`, ['1.1'])
  assert.deepEqual(problems('x', someTest), [])
  assert.deepEqual(problems('x', '`ui/selection.test.ts` no such test'), [
    '1.1: test/ui/selection.test.ts has no test "no such test"',
  ])
  const metadata = (name: string) =>
    problems('x', `\`server/metadata.test.ts\` ${name} has a camera and a place, each when it is asked for`)
  assert.deepEqual([metadata('photo.jpg'), metadata('photo.jp').length, metadata('another.png').length], [[], 1, 1])
  assert.deepEqual(problems('x', '`e2e/nothing.test.ts` x'), ['1.1: test/e2e/nothing.test.ts is not there'])
  assert.deepEqual(problems('x', ''), ['1.1 names no test: ""'])
  assert.deepEqual(problems('x', '—'), ['1.1 names no test: "—"'])
  assert.deepEqual(problems('x', 'some words'), ['1.1 names no test: "some words"'])
  assert.deepEqual(problems('x', `${someTest}<br>later`), ['1.1 names no test: "later"'])
  assert.deepEqual(problems('', someTest), ['1.1 says nothing'])
  assert.deepEqual(problems('x', someTest, 'more'), ['1.1 has 4 columns'])
})

const numbersOf = (counts: typeof rowsOf): string[] =>
  Object.entries(counts).flatMap(([section, count]) => Array.from({ length: count }, (_, index) => `${section}.${index + 1}`))

/** A message for each difference between the rows of the map and the numbers, and for each fault of a row. */
function problemsOf(map: string, numbers: readonly string[]): string[] {
  const rows = map.split('\n').filter((line) => /^\|(?! Number \||---)/.test(line))
  const cells = rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return [
    ...problemsOfOrder(
      cells.map(([number = '']) => number),
      numbers,
    ),
    ...cells.flatMap(problemsOfRow),
  ]
}

function problemsOfOrder(found: readonly string[], numbers: readonly string[]): string[] {
  const times = (number: string) => found.filter((one) => one === number).length
  const wrong = [
    ...numbers.filter((number) => times(number) === 0).map((number) => `row ${number} is missing`),
    ...numbers.filter((number) => times(number) > 1).map((number) => `row ${number} is there ${times(number)} times`),
    ...found.filter((number) => !numbers.includes(number)).map((number) => `row ${number} is not in the list`),
  ]
  if (wrong.length > 0) return wrong
  return found.filter((number, index) => number !== numbers[index]).map((number) => `row ${number} is out of order`)
}

function problemsOfRow(cells: readonly string[]): string[] {
  const [number = '', what = '', said = ''] = cells
  if (cells.length !== 3) return [`${number} has ${cells.length} columns`]
  if (what === '') return [`${number} says nothing`]
  if (said === '—' && requiresNothing.includes(number)) return []
  return said.split('<br>').flatMap((one) => problemsOfTest(number, one))
}

function problemsOfTest(row: string, said: string): string[] {
  const [, file, name] = /^`((?:server|ui|e2e)\/[\w.-]+\.test\.ts)` (.+)$/.exec(said) ?? []
  if (!file || !name) return [`${row} names no test: "${said}"`]
  const path = `test/${file}`
  if (!existsSync(join(top, path))) return [`${row}: ${path} is not there`]
  const text = readFileSync(join(top, path), 'utf8')
  return testNames(text).some((one) => isNameOf(name, one, text)) ? [] : [`${row}: ${path} has no test "${name}"`]
}

/** The test names as written in the source, with their `${…}`. */
const testNames = (text: string): string[] =>
  [...text.matchAll(/\btest\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g)].map(([, , name = '']) => name.replaceAll("\\'", "'"))

/** A name is that of the source, or has values of the same file in place of its `${…}`. */
function isNameOf(name: string, source: string, text: string): boolean {
  if (name === source) return true
  const [, ...values] = patternOf(source).exec(name) ?? []
  return values.length > 0 && values.every((value) => holds(text, value))
}

/** Whether a value stands by itself in the text: `404` does not in `4041`. */
const holds = (text: string, value: string): boolean => new RegExp(`(?<![\\w.-])${escaped(value)}(?![\\w.-])`).test(text)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split(/\$\{[^}]*\}/)
      .map(escaped)
      .join('(.+)')}$`,
  )
