// The form of a new public link: what it takes, and what it sends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Share } from '../../src-server/contract/shares.ts'
import { largestExpiry } from '../../src-server/contract/shares.ts'
import { changesOf, draftOf } from '../../src-ui/shares/edited-link.ts'
import { endOf, largestNumber, newDraft, problemsOf, toNewLink } from '../../src-ui/shares/new-link.ts'
import { runsOf } from '../../src-ui/ui/qr-rows.ts'

const draft = newDraft(true)
const timed = { ...draft, isPermanent: false }

test('Share maximum 2147483647', () => {
  assert.equal(largestNumber, 2_147_483_647)
  assert.equal(largestExpiry, largestNumber)
})

test('Default share unit hours', () => assert.equal(draft.unit, 'hours'))

test('a new link is for good when it may be, else for 24 hours', () => {
  assert.deepEqual(toNewLink(draft), {})
  assert.deepEqual(toNewLink(newDraft(false)), { expires: { count: '24', unit: 'hours' } })
})

test('a number of units from 1 to the largest is taken; an empty one and others are not', () => {
  for (const count of ['1', ' 24 ', '2147483647']) assert.equal(problemsOf({ ...timed, count }), undefined, count)
  for (const count of ['', ' ', '0', '-1', '1.5', '1e3', '2147483648', '99999999999', 'soon', '٣'])
    assert.deepEqual(problemsOf({ ...timed, count }), { count: true }, count)
  assert.equal(problemsOf({ ...draft, count: '' }), undefined, 'what is not sent is not asked')
})

test('a number of downloads is optional, and at least one', () => {
  for (const mostDownloads of ['', ' ', '1', '2147483647']) assert.equal(problemsOf({ ...draft, mostDownloads }), undefined)
  for (const mostDownloads of ['0', '-1', 'x', '2147483648'])
    assert.deepEqual(problemsOf({ ...draft, mostDownloads }), { mostDownloads: true })
  assert.deepEqual(toNewLink({ ...draft, mostDownloads: ' 7 ', note: ' n ', password: ' p ' }), {
    ...{ mostDownloads: 7, note: 'n', password: ' p ' },
  })
})

test('a new password of a link has at least eight characters', () => {
  assert.deepEqual(problemsOf({ ...draft, password: '😀'.repeat(7) }), { password: true })
  for (const password of ['', '😀'.repeat(8)]) assert.equal(problemsOf({ ...draft, password }), undefined)
})

test('the form says when the link ends, also beyond the dates of the browser', () => {
  const now = Date.UTC(2026, 0, 1)
  assert.equal(endOf({ ...timed, count: '36', unit: 'hours' }, now)?.toISOString(), '2026-01-02T12:00:00.000Z')
  assert.equal(endOf({ ...timed, count: '' }, now), undefined)
  assert.equal(endOf(draft, now), undefined)
  assert.ok(Number.isFinite(endOf({ ...timed, count: '2147483647', unit: 'days' }, now)?.getTime()))
})

test('dark modules side by side are one run', () => {
  assert.deepEqual(runsOf([true, true, false, true, false]), [
    { start: 0, length: 2 },
    { start: 3, length: 1 },
  ])
  assert.deepEqual(runsOf([false]), [])
})

test('only what was changed of a link is sent', () => {
  const share = { note: 'old', hasPassword: true } as Share
  assert.deepEqual(changesOf(share, draftOf(share)), {})
  assert.deepEqual(changesOf(share, { note: ' new ', password: '', isRemoved: false }), { note: 'new' })
  assert.deepEqual(changesOf(share, { note: '', password: 'p', isRemoved: false }), { note: '', password: 'p' })
  assert.deepEqual(changesOf(share, { note: 'old', password: 'p', isRemoved: true }), { password: '' })
})
