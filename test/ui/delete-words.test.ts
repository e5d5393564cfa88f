// What is said before something is deleted: how much it is in all, and what has changed since it was chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Item } from '../../src-ui/core/entries.ts'
import { type Counted, changedWords, isNameable, leftOutWords, wordsOf } from '../../src-ui/operations/delete-words.ts'
import { leadingTo, linksText } from '../../src-ui/operations/leading-links.ts'
import { file, folder } from './entries.ts'

const plain = (text: string | false) => (text === false ? '' : text.replace(/[\u2068\u2069]/g, ''))
const [text, box] = [file('a.txt', { path: '/a.txt', size: 2000 }), folder('box', { path: '/box' })]
const holds = { bytes: 5000, files: 3, folders: 2, unlisted: 0 }

test('the size is that of all only when it is known what the folders hold', () => {
  const cases: [Item[], Counted, string][] = [
    [[text], { isComplete: false }, '2 KB in total.'],
    [[box], { isComplete: false }, ''],
    [[box], { holds, isComplete: false }, 'At least 5 KB in total.'],
    [[box], { holds, isComplete: true }, '3 files in 2 folders, 5 KB in total.'],
    [[text, box], { isComplete: false }, 'a.txt and box. At least 2 KB in total.'],
    [[text, box], { holds, isComplete: true }, 'a.txt and box. 4 files in 2 folders, 7 KB in total.'],
    [[box], { holds: { ...holds, unlisted: 1 }, isComplete: true }, 'At least 5 KB in total.'],
  ]
  for (const [items, counted, words] of cases) {
    const rest = items.includes(box) ? 'Everything in the folder will be deleted too.' : ''
    assert.equal(plain(wordsOf(items, counted)), [words, rest].filter(Boolean).join(' '))
  }
})

test('a file with another content than when it was chosen is named; a folder changes with what it holds', () => {
  const other = { ...text, size: 1 }
  const saved = { ...text, modified: '2027-01-01T00:00:00Z' }
  assert.equal(plain(changedWords([text, box], [text, { ...box, modified: saved.modified }])), '')
  assert.equal(plain(changedWords([text, box], [other, box])), 'Changed since you chose: a.txt.')
  assert.equal(plain(changedWords([text], [saved])), 'Changed since you chose: a.txt.')
})

test('names that are not UTF-8 are left out, and it is said how many', () => {
  const unnamable = file('�.txt', { unreachable: 'name' })
  const broken = file('link', { unreachable: 'broken' })
  assert.deepEqual([text, unnamable, broken].filter(isNameable), [text, broken])
  assert.equal(leftOutWords([text, broken]), false)
  assert.equal(leftOutWords([text, unnamable]), '1 item cannot be deleted: its name is not valid Unicode.')
  assert.equal(leftOutWords([unnamable, unnamable]), '2 items cannot be deleted: their names are not valid Unicode.')
})

test('links that can be used and lead to what is deleted, or into it, are told with what becomes of them', () => {
  const link = { path: '/box/in/a', expire: 0, downloads: 0 }
  const led = (...links: Parameters<typeof leadingTo>[1]) => leadingTo([text, box], links, 10_000).length
  assert.equal(led(link, { ...link, path: '/a.txt' }, { ...link, path: '/box' }, { ...link, expire: 11 }), 4)
  assert.equal(led({ ...link, path: '/box2' }, { ...link, path: '/' }, { ...link, path: '' }), 0)
  assert.equal(led({ ...link, expire: 10 }, { ...link, downloads: 2, mostDownloads: 2 }, { ...link, inTrash: true }), 0)
  assert.equal(led({ path: '/box', expire: 0, closedAt: 1 }, { path: '/box', expire: 0, leadsNowhere: true }), 0)
  assert.equal(linksText(0, false), false)
  assert.equal(linksText(1, false), '1 link leads here. It does not work while this is in the trash.')
  assert.equal(linksText(2, true), '2 links lead here. They end with this.')
})
