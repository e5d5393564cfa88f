import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDateBeside } from '../../src-ui/i18n/age.ts'
import { formatDate, formatDay, formatExactSize, formatPercent, formatSize } from '../../src-ui/i18n/format.ts'
import { locale } from '../../src-ui/i18n/locale.ts'
import { hooksOf } from './hooks.ts'

const { afterEach } = hooksOf(import.meta.filename)

const english = locale.value
afterEach(() => {
  locale.value = english
})

const sizes: [bytes: number, written: string][] = [
  [0, '0 bytes'],
  [1, '1 byte'],
  [612, '612 bytes'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [6100, '6.1 KB'],
  [88_000, '88 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [5_103_982, '5.1 MB'],
  [64_700_000, '64.7 MB'],
  [212_000_000, '212 MB'],
  [999_600_000, '1 GB'],
  [1_340_000_000, '1.34 GB'],
  [44_400_000_000, '44.4 GB'],
  [1_500_000_000_000, '1.5 TB'],
  [2_000_000_000_000_000, '2 PB'],
  [3_000_000_000_000_000_000, '3,000 PB'],
]

for (const [bytes, written] of sizes) {
  test(`${bytes} bytes are written ${written}`, () => assert.equal(formatSize(bytes), written))
}

test('a size is written as the language writes numbers', () => {
  locale.value = { ...english, code: 'de' }
  assert.equal(formatSize(1_340_000_000), '1,34 GB')
})

test('an exact size counts every byte', () => assert.equal(formatExactSize(5_103_982), '5,103,982 bytes'))

test('a percentage is whole', () => assert.equal(formatPercent(0.456), '46%'))

test('a date follows the language', () => {
  const noon = new Date(2026, 10, 19, 12, 5)
  locale.value = { ...english, code: 'de' }
  assert.equal(formatDate(noon), '19.11.2026, 12:05')
  assert.equal(formatDay(noon), '19.11.2026')
  locale.value = { ...english, code: 'fr' }
  assert.equal(formatDay(noon), '19 nov. 2026')
})

test('Portuguese is that of Portugal: its plurals, numbers and dates', () => {
  locale.value = { code: 'pt', dir: 'ltr', words: { size: { bytes_one: '{{count}} one', bytes_other: '{{count}} other' } } }
  assert.equal(formatExactSize(0), '0 other', 'in Brazil 0 is singular')
  assert.equal(formatExactSize(10_000), '10\u00a0000 other')
  assert.equal(formatDay(new Date(2026, 10, 19)), '19/11/2026')
})

test('an invalid time is formatted as an empty string', () => {
  assert.equal(formatDate(''), '')
  assert.equal(formatDate('yesterday'), '')
})

test('two times of one minute are told apart by their seconds', () => {
  const [first, second, later] = [5, 40, 65].map((seconds) => new Date(2026, 10, 19, 12, 5, seconds))
  assert.ok(first && second && later)
  assert.match(formatDateBeside(first, second), /12:05:05/)
  assert.doesNotMatch(formatDateBeside(first, later), /:05:05/)
  assert.equal(formatDateBeside(Number.NaN, second), '')
})
