// The filters of the activity: what they ask, and how they stand in the address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, type Filters, filtersIn, noFilters, queryOf } from '../../src-ui/activity/filters.ts'

const searchOf = (filters: Filters) => new URL(addressOf(filters), 'http://localhost').search

test('the address holds the filters, and without any it is plain', () => {
  assert.equal(addressOf(noFilters), '/settings/activity')
  const filters: Filters = {
    ...noFilters,
    ...{
      who: 'a&b=c #ü',
      what: 'files',
      isFailedOnly: true,
      path: '/x?y',
      period: 'between',
      from: '2026-11-01',
      to: '2026-11-23',
    },
  }
  assert.deepEqual(filtersIn(searchOf(filters)), filters)
  const visitors: Filters = { ...noFilters, isVisitors: true, period: 'today' }
  assert.deepEqual(filtersIn(searchOf(visitors)), visitors)
})

test('what an address names wrongly is left out', () => {
  const wrong = '?what=nothing&period=ever&from=2026-99-99&to=soon&path='
  assert.deepEqual(filtersIn(wrong), noFilters)
  assert.deepEqual(filtersIn('?what=__proto__&period=toString'), noFilters)
})

test('days begin and end as the clock of the reader says', () => {
  const now = new Date(2026, 10, 23, 15, 30)
  const since = (...day: [number, number, number]) => new Date(...day).toISOString()
  const ask = (filters: Partial<Filters>) => queryOf({ ...noFilters, ...filters }, now)
  assert.deepEqual(ask({ period: 'today' }), { since: since(2026, 10, 23) })
  assert.deepEqual(ask({ period: '7' }), { since: since(2026, 10, 17) })
  assert.deepEqual(ask({ period: '30' }), { since: since(2026, 9, 25) })
  assert.deepEqual(ask({ period: 'always' }), {})
  const between = ask({ period: 'between', from: '2026-10-31', to: '2026-10-31' })
  assert.deepEqual(between, { since: since(2026, 9, 31), until: since(2026, 10, 1) })
  assert.deepEqual(ask({ period: 'between', to: '2026-10-31' }), { until: since(2026, 10, 1) })
})

test('a user is asked for without the visitors of their links, and visitors without a name', () => {
  const ask = (filters: Partial<Filters>) => queryOf({ ...noFilters, period: 'always', ...filters }, new Date())
  assert.deepEqual(ask({ who: 'ann' }), { who: 'ann', way: 'page' })
  assert.deepEqual(ask({ isVisitors: true }), { way: 'share,request' })
  assert.deepEqual(ask({ what: 'signIns', isFailedOnly: true, path: '/a' }), {
    ...{ what: 'signIn,signOut', result: 'failed', path: '/a' },
  })
})
