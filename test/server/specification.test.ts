// docs/specification.md maps the product's specification to tests, which must exist.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

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
  B: 16,
}

/** The rows that ask for nothing that a test could check. */
const requiresNothing = ['1.10', '3.31']

/** A row's tests when the test is not about them. */
const someTest = '`server/specification.test.ts` a row that is left out, added, doubled or out of order is found'

test('docs/specification.md has every row of the specification once, in order, and each names its tests', async () => {
  assert.deepEqual(await problemsOf(readFileSync(join(top, 'docs/specification.md'), 'utf8'), numbersOf(rowsOf)), [])
})

test('a row that is left out, added, doubled or out of order is found', async () => {
  const problems = (...numbers: string[]) =>
    problemsOf(numbers.map((number) => `| ${number} | x | ${someTest} |`).join('\n'), ['1.1', '1.2', 'R3.1'])
  assert.deepEqual(await problems('1.1', '1.2', 'R3.1'), [])
  assert.deepEqual(await problems('1.1', 'R3.1'), ['row 1.2 is missing'])
  assert.deepEqual(await problems('1.1', '1.2', '1.3', 'R3.1'), ['row 1.3 is not in the list'])
  assert.deepEqual(await problems('1.1', '1.2', '1.2', 'R3.1'), ['row 1.2 is there 2 times'])
  assert.deepEqual(await problems('1.2', '1.1', 'R3.1'), ['row 1.2 is out of order', 'row 1.1 is out of order'])
})

test('a missing test, a missing file and a row without tests are found', async () => {
  const problems = (...cells: string[]) => problemsOf(`| 1.1 | ${cells.join(' | ')} |`, ['1.1'])
  assert.deepEqual(await problems('x', someTest), [])
  assert.deepEqual(await problems('x', '`ui/selection.test.ts` no such test'), [
    '1.1: test/ui/selection.test.ts has no test "no such test"',
  ])
  const metadata = ['photo.jpg', 'photo.jp', '<name>'].map(
    (name) => `${name} has a camera and a place, each when it is asked for`,
  )
  assert.deepEqual(await problems('x', metadata.map((name) => `\`server/metadata.test.ts\` ${name}`).join('<br>')), [
    `1.1: test/server/metadata.test.ts has no test "${metadata[1]}"`,
    `1.1: test/server/metadata.test.ts has no test "${metadata[2]}"`,
  ])
  assert.deepEqual(await problems('x', '`e2e/nothing.test.ts` x'), ['1.1: test/e2e/nothing.test.ts is not there'])
  assert.deepEqual(await problems('x', ''), ['1.1 names no test: ""'])
  assert.deepEqual(await problems('x', '—'), ['1.1 names no test: "—"'])
  assert.deepEqual(await problems('x', 'some words'), ['1.1 names no test: "some words"'])
  assert.deepEqual(await problems('x', `${someTest}<br>later`), ['1.1 names no test: "later"'])
  assert.deepEqual(await problems('', someTest), ['1.1 says nothing'])
  assert.deepEqual(await problems('x', someTest, 'more'), ['1.1 has 4 columns'])
})

const numbersOf = (counts: typeof rowsOf): string[] =>
  Object.entries(counts).flatMap(([section, count]) => Array.from({ length: count }, (_, index) => `${section}.${index + 1}`))

/** A message for each difference between the rows of the map and the numbers, and for each fault of a row. */
async function problemsOf(map: string, numbers: readonly string[]): Promise<string[]> {
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
    ...(await missingTests(cells)),
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
  return said.split('<br>').flatMap((one) => {
    const test = read(one)
    if (!test) return [`${number} names no test: "${one}"`]
    return existsSync(join(top, test.file)) ? [] : [`${number}: ${test.file} is not there`]
  })
}

function read(said: string): { file: string; name: string } | undefined {
  const [, file, name] = /^`((?:server|ui|e2e)\/[\w.-]+\.test\.ts)` (.+)$/.exec(said) ?? []
  return file && name ? { file: `test/${file}`, name } : undefined
}

/** The tests that no file has under exactly this name. A name that is not in the source itself is computed there. */
async function missingTests(rows: readonly string[][]): Promise<string[]> {
  const others = rows.flatMap(([row, , said = '']) =>
    said.split('<br>').flatMap((one) => {
      const test = read(one)
      return test && existsSync(join(top, test.file)) && !plainNames(test.file).includes(test.name) ? [{ row, ...test }] : []
    }),
  )
  const names = await computedNames([...new Set(others.map(({ file }) => file))])
  return others
    .filter(({ file, name }) => !names[file]?.includes(name))
    .map(({ row, file, name }) => `${row}: ${file} has no test "${name}"`)
}

/** The names of tests that the source has as they are. */
const plainNames = (file: string): string[] =>
  [...readFileSync(join(top, file), 'utf8').matchAll(/\btest\(\s*(['"`])((?:(?!\1|\$\{)[^\\\n]|\\.)+)\1/g)].map(
    ([, , name = '']) => name.replaceAll("\\'", "'"),
  )

/** All names of the tests of files, as the runner prints them. */
async function computedNames(files: readonly string[]): Promise<Record<string, string[]>> {
  if (files.length === 0) return {}
  const { stdout } = await promisify(execFile)(process.execPath, ['test/support/test-names.ts', ...files], { cwd: top })
  return JSON.parse(stdout)
}
