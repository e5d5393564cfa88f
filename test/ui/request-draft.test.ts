// The form of a link that takes files in: what is sent, and what is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import { endingKinds, kindOf } from '../../src-ui/core/ending-kinds.ts'
import {
  newRequestDraft,
  requestChanges,
  requestDraftOf,
  requestProblemsOf,
  toRequest,
} from '../../src-ui/shares/request-draft.ts'

const now = Date.UTC(2026, 10, 27)
const link: RequestLink = {
  ...{ hash: 'h', path: '/in', name: 'in', userID: 1, username: 'ann', expire: now / 1000 + 5 * 3600, created: 0 },
  ...{ title: 'Photos', text: '', hasPassword: true, mostBytes: 20e9, mostFileBytes: 1_500_000, mostFiles: 10, filesAnHour: 20 },
  ...{ endings: ['jpg', 'png'], asksName: true, hasFolders: true, tells: false, files: 0, bytes: 0, senders: 0, seen: 0 },
}

test('a form that nobody has changed makes a link of ten days with the limits that the server has', () => {
  const draft = newRequestDraft('Autumn show')
  assert.equal(requestProblemsOf(draft), undefined)
  assert.deepEqual(toRequest(draft), {
    ...{ title: 'Autumn show', text: '', asksName: true, tells: true, hasFolders: true, expires: '10', unit: 'days' },
    ...{ mostFileBytes: 200e6, mostBytes: 20e9, mostFiles: 10_000, filesAnHour: 2000, endings: [] },
  })
})

test('what no link can have is refused beside its field', () => {
  const draft = newRequestDraft('x')
  for (const [changes, ...fields] of [
    [{ title: ' ' }, 'title'],
    [{ count: '0' }, 'count'],
    [{ password: 'short' }, 'password'],
    [{ fileSize: 'x' }, 'fileSize'],
    [{ fileSize: '30', fileUnit: 'gigabytes' }, 'fileSize'],
    [{ allSize: '-1' }, 'allSize'],
    [{ mostFiles: '100001', filesAnHour: '0' }, 'mostFiles', 'filesAnHour'],
    [{ kind: 'own', endings: ' ' }, 'endings'],
    [{ kind: 'own', endings: 'jpg <b>' }, 'endings'],
  ] as const)
    assert.deepEqual(Object.keys(requestProblemsOf({ ...draft, ...changes }) ?? {}), fields)
})

test('endings are taken with dots, stars, commas and in upper case', () => {
  const { endings } = toRequest({ ...newRequestDraft('x'), kind: 'own', endings: '.JPG, *.png;pdf  jpg' })
  assert.deepEqual(endings, ['jpg', 'png', 'pdf'])
})

test('a size may have a comma', () => {
  assert.equal(toRequest({ ...newRequestDraft('x'), fileSize: '1,5', fileUnit: 'gigabytes' }).mostFileBytes, 1_500_000_000)
})

test('of a link that is there only what was changed is sent', () => {
  const before = requestDraftOf(link, now)
  assert.deepEqual(
    [before.fileSize, before.fileUnit, before.kind, before.count, before.unit],
    ['1.5', 'megabytes', 'own', '5', 'hours'],
  )
  assert.deepEqual(requestChanges(before, before), {})
  assert.deepEqual(requestChanges({ ...before, title: 'Other', count: '6' }, before), {
    title: 'Other',
    expires: '6',
    unit: 'hours',
  })
  assert.deepEqual(requestChanges({ ...before, isPermanent: true, isRemoved: true }, before), {
    ...{ expires: '', unit: 'hours', password: '' },
  })
  assert.deepEqual(requestChanges({ ...before, kind: 'any' }, before), { endings: [] })
})

test('of a link that is over no time is left, and it stays over unless another end is given', () => {
  const before = requestDraftOf({ ...link, expire: now / 1000 - 60 }, now)
  assert.equal(before.count, '')
  const renamed = { ...before, title: 'Other' }
  assert.equal(requestProblemsOf(renamed, before), undefined)
  assert.deepEqual(requestChanges(renamed, before), { title: 'Other' })
  assert.deepEqual(requestProblemsOf({ ...before, unit: 'hours' }, before), { count: true })
  assert.deepEqual(requestChanges({ ...before, count: '3' }, before), { expires: '3', unit: 'days' })
})

test('the kinds are told by their endings', () => {
  assert.equal(kindOf([...endingKinds.pictures].reverse()), 'pictures')
  assert.equal(kindOf(['jpg']), undefined)
  assert.ok(Object.values(endingKinds).every((endings) => endings.length <= 64))
})
