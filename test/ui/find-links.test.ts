// Which public links the page about all of them shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Share } from '../../src-server/contract/shares.ts'
import { isOfKind, type LinkKind, linkKinds, matches } from '../../src-ui/shares/find-links.ts'

const now = Date.UTC(2026, 10, 23)
const at = (days: number) => now / 1000 + days * 86_400
const link: Share = {
  ...{ hash: 'h', path: '/Plots/Minutes.md', userID: 1, expire: 0, name: 'Minutes.md', isDir: false, username: 'Letícia' },
  ...{ created: 0, hasPassword: false, note: 'for the committee', downloads: 0 },
}

const cases: readonly (readonly [what: string, changes: Partial<Share>, kinds: readonly LinkKind[]])[] = [
  ['a link for good', {}, ['all', 'mine']],
  ['one of somebody else', { userID: 2 }, ['all']],
  ['one that ends in two days', { expire: at(2) }, ['all', 'mine', 'soon']],
  ['one that ends in three days', { expire: at(3) }, ['all', 'mine']],
  ['one that ended meanwhile', { expire: at(-1) }, ['all', 'mine', 'ended']],
  ['one that ends now', { expire: at(0) }, ['all', 'mine', 'ended']],
  ['one that is used up', { downloads: 3, mostDownloads: 3 }, ['all', 'mine', 'ended']],
  ['one that is used up and ends soon', { downloads: 4, mostDownloads: 3, expire: at(1) }, ['all', 'mine', 'ended']],
  ['one with downloads left', { downloads: 2, mostDownloads: 3 }, ['all', 'mine']],
  ['one with a password', { hasPassword: true }, ['all', 'mine', 'locked']],
]

for (const [what, changes, kinds] of cases)
  test(`${what} is of the kinds ${kinds.join(', ')}`, () => {
    const share = { ...link, ...changes }
    assert.deepEqual(
      linkKinds.filter((kind) => isOfKind(share, kind, { ownId: 1, now })),
      kinds,
    )
  })

test('every word of the filter is in name, folder, note or owner, in any letter case and Unicode form', () => {
  for (const text of ['minutes', 'PLOTS md', 'committee letícia', 'leti\u0301cia']) assert.equal(matches(link, text), true, text)
  for (const text of ['seeds', 'minutes seeds']) assert.equal(matches(link, text), false, text)
})
