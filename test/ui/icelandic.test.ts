// The formats of Icelandic for browsers that do not know it, compared with Node.js, which does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { icelandic } from '../../src-ui/i18n/icelandic.ts'

const numbers = [0, 0.05, 0.5, 1, 1.5, 2, 3, 11, 21, 99.5, 101, 999, 1234.56, 12_345, 1_234_567.891, -3]

test('numbers, percentages and units are written as Icelandic writes them', () => {
  const options: Intl.NumberFormatOptions[] = [
    {},
    { maximumFractionDigits: 0 },
    { maximumFractionDigits: 2 },
    { useGrouping: false },
    { style: 'percent', maximumFractionDigits: 0 },
    ...(['second', 'minute', 'hour', 'day'] as const).map((unit) => ({ style: 'unit', unit, unitDisplay: 'short' }) as const),
    { style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumFractionDigits: 1 },
    { style: 'unit', unit: 'degree', unitDisplay: 'narrow', maximumFractionDigits: 5 },
    { style: 'unit', unit: 'meter', unitDisplay: 'short', maximumFractionDigits: 0 },
    { style: 'unit', unit: 'millimeter', unitDisplay: 'short', maximumFractionDigits: 1 },
  ]
  for (const one of options)
    for (const number of numbers)
      assert.equal(
        icelandic.number('is', one).format(number),
        new Intl.NumberFormat('is', one).format(number),
        `${number} ${JSON.stringify(one)}`,
      )
})

test('dates and times are written as Icelandic writes them, in the zone that is asked for', () => {
  const options: Intl.DateTimeFormatOptions[] = [
    { dateStyle: 'medium' },
    { dateStyle: 'medium', timeStyle: 'short' },
    { dateStyle: 'full', timeStyle: 'medium' },
    { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
    { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Pacific/Auckland' },
    { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  ]
  // Every month, weekday and hour is among them.
  for (let step = 0; step < 400; step++) {
    const date = new Date(Date.UTC(1999, 11, 31, 23, 5, 9) + step * 37 * 3_600_000)
    for (const one of options)
      assert.equal(icelandic.date('is', one).format(date), new Intl.DateTimeFormat('is', one).format(date), JSON.stringify(one))
  }
})

test('ages are written as Icelandic writes them', () => {
  const intl = new Intl.RelativeTimeFormat('is', { numeric: 'auto' })
  for (const unit of ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const)
    for (const value of [-1234, -101, -21, -11, -3, -2, -1, 0, 1, 2, 3, 11, 21, 1234])
      assert.equal(icelandic.age('is').format(value, unit), intl.format(value, unit), `${value} ${unit}`)
})

test('lists are joined as Icelandic joins them', () => {
  const intl = new Intl.ListFormat('is')
  for (const items of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']])
    assert.equal(icelandic.list('is').format(items), intl.format(items))
})

test('a unit without an Icelandic name is refused by its name', () => {
  assert.throws(() => icelandic.number('is', { style: 'unit', unit: 'mile' }).format(1), /"mile"/)
  assert.throws(() => icelandic.age('is').format(1, 'quarter'), /"quarter"/)
})
