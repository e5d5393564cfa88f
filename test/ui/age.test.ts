import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAge } from '../../src-ui/i18n/age.ts'
import { locale } from '../../src-ui/i18n/locale.ts'
import { hooksOf } from './hooks.ts'

const { afterEach } = hooksOf(import.meta.filename)

const english = locale.value
afterEach(() => {
  locale.value = english
})

const now = new Date(2026, 10, 20, 9, 30)
const cases: [when: Date, said: string][] = [
  [new Date(2026, 10, 20, 9, 29, 40), 'now'],
  [new Date(2026, 10, 20, 9, 24), '6 minutes ago'],
  [new Date(2026, 10, 20, 6, 20), '3 hours ago'],
  // Ten hours ago, but on the previous day.
  [new Date(2026, 10, 19, 23, 30), 'yesterday'],
  [new Date(2026, 10, 16, 12, 0), '4 days ago'],
  [new Date(2026, 10, 10, 12, 0), 'last week'],
  [new Date(2026, 7, 1), '3 months ago'],
  [new Date(2019, 0, 1), '7 years ago'],
  [new Date(2026, 10, 21, 1, 0), 'tomorrow'],
]

for (const [when, said] of cases) {
  test(`${when.toLocaleString('sv')} is ${said}`, () => assert.equal(formatAge(when, now), said))
}

test('it follows the language', () => {
  locale.value = { ...english, code: 'de' }
  assert.equal(formatAge(new Date(2026, 10, 19, 23, 30), now), 'gestern')
})

test('an invalid time is formatted as an empty string', () => assert.equal(formatAge('never', now), ''))
