// Files that are short, and would fill the memory with what is in them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlanNotes, quoted } from '../../src-server/import/plan-notes.ts'
import { readDatabase } from '../../src-server/import/read-database.ts'
import { readSource } from '../../src-server/import/read-source.ts'
import { bytesIn, SourceFault } from '../../src-server/import/source-file.ts'
import { JsonValues } from '../../src-server/import/values.ts'
import { databaseOf, storedUser } from '../support/file-browser.ts'

const refusal = (text: string) => {
  try {
    readSource(bytesIn(Buffer.from(text)))
  } catch (error) {
    if (error instanceof SourceFault) return error.message
    throw error
  }
  return 'it is read'
}

for (const [what, text] of [
  ['empty records', `[${'{},'.repeat(110_000)}{}]`],
  ['lists in lists', '['.repeat(250_000) + ']'.repeat(250_000)],
  ['numbers', `[${'0,'.repeat(250_000)}0]`],
  ['fields', `[{${Array.from({ length: 200_000 }, (_, index) => `"${index}":0`).join()}}]`],
] as const)
  test(`JSON with very many ${what} is refused before it is read`, () => {
    assert.match(refusal(text), /^holds more values than are read: remove users, rules and links/)
  })

for (const [what, text] of [
  ['lines', '- \n'.repeat(60_000)],
  ['lists in lists', `- ${'['.repeat(70_000)}`],
  ['lists on one line', `${'- '.repeat(70_000)}\n`],
  ['values on one line', `- [${'a,'.repeat(70_000)}a]\n`],
  ['wrong escapes', `"${'\\q'.repeat(70_000)}"\n`],
  ['texts on one line', `- ${"''".repeat(40_000)}\n`],
  ['tags', `- ${'!a '.repeat(70_000)}\n`],
] as const)
  test(`YAML with very many ${what} is refused before it is read`, () => {
    assert.match(refusal(text), /^is longer than what is read of exports that are not JSON/)
  })

test('the values of all records of one source count together', () => {
  const json = new JsonValues(7)
  const bytes = Buffer.from('[1,2,{"a":3}]')
  assert.deepEqual(json.parse(bytes, 'one'), [1, 2, { a: 3 }])
  assert.throws(() => json.parse(bytes, 'another'), /holds more values/)
  const users = Array.from({ length: 800 }, (_, index) =>
    storedUser({ id: index + 1, username: `u${index}`, commands: Array(300).fill('a') }),
  )
  assert.throws(() => readDatabase(bytesIn(databaseOf({ users }))), /holds more values/)
  assert.equal(readDatabase(bytesIn(databaseOf({ users: users.slice(0, 500) }))).users.length, 500)
})

test('of too many notes the rest is counted, each kind for itself', () => {
  const notes = new PlanNotes(2)
  for (const about of ['a', 'b', 'c', 'd']) notes.left(about, 'is not brought')
  notes.look('e', 'is odd')
  assert.deepEqual(notes.notes, [
    { kind: 'left', about: 'a', text: 'is not brought' },
    { kind: 'left', about: 'b', text: 'is not brought' },
    { kind: 'left', about: 'and more', text: '2 of them are not named here' },
    { kind: 'look', about: 'and more', text: '1 of them are not named here' },
  ])
})

test('what is quoted stays short also where its characters are shown by number', () => {
  assert.equal(quoted('a\u00adb'), '"a\\u{ad}b"')
  const long = quoted('\u00ad'.repeat(300))
  assert.ok(long.length < 500 && long.endsWith('…"'))
})
