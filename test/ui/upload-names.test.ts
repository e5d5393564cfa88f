import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChosen } from '../../src-ui/api/read-drop.ts'
import { toSortedEntries } from '../../src-ui/core/entries.ts'
import { nameProblem } from '../../src-ui/operations/file-name.ts'
import { visibleName } from '../../src-ui/ui/file-names.ts'
import { uploadFailureReason } from '../../src-ui/uploads/failure-cause.ts'
import { file, folder } from './entries.ts'

const chosen = (name: string, webkitRelativePath = '') => Object.assign(new File(['x'], name), { webkitRelativePath })

test('a chosen folder brings its files with their paths, and every folder on the way once', () => {
  const read = readChosen([
    chosen('a.txt', 'trip/a.txt'),
    chosen('b.txt', 'trip/day 1/b.txt'),
    chosen('c.txt', 'trip/day 1/c.txt'),
  ])
  assert.deepEqual(
    read.map(({ path, file }) => [path, file !== undefined]),
    [
      ['trip', false],
      ['trip/day 1', false],
      ['trip/a.txt', true],
      ['trip/day 1/b.txt', true],
      ['trip/day 1/c.txt', true],
    ],
  )
})

test('files that were chosen one by one go to the current folder', () => {
  assert.deepEqual(
    readChosen([chosen('a#b')]).map(({ path }) => path),
    ['a#b'],
  )
})

const order = toSortedEntries(
  [folder('Drawings', { path: '/site/Drawings' }), file('plan', { path: '/site/plan' })].map((item) => ({
    ...item,
    key: item.path,
  })),
)
const problem = (name: string) => nameProblem(name, '/site', order)?.key

test('a new name says what is wrong with it', () => {
  assert.equal(problem('Drawings'), 'prompts.name.takenFolder')
  assert.equal(problem('plan'), 'prompts.name.taken')
  assert.equal(problem('a/b'), 'prompts.name.slash')
  assert.equal(problem('..'), 'prompts.name.dots')
  assert.deepEqual(nameProblem('ä'.repeat(128), '/site', order), { key: 'prompts.name.long', params: { bytes: 256 } })
})

test('valid names are accepted', () => {
  for (const name of ['drawings', 'a#b', '...', '-x', '😀', 'ä'.repeat(127)]) assert.equal(problem(name), undefined, name)
})

test('a failed upload shows its reason in the language of the page, or the more detailed message of the server', () => {
  assert.match(uploadFailureReason({ status: 507, message: '507 Insufficient Storage' }), /disk is full/)
  assert.match(uploadFailureReason({ status: 0, message: '' }), /connection/)
  assert.match(
    uploadFailureReason({ status: 400, message: '', reason: 'a name is longer than 255 bytes' }),
    /: a name is longer than 255 bytes$/,
  )
  assert.match(uploadFailureReason({ status: 500, message: '500 Internal Server Error' }), /500 Internal Server Error/)
  assert.match(uploadFailureReason({ status: 418, message: '' }), /418/)
})

test('invisible characters and those that change the direction are shown as symbols', () => {
  assert.equal(visibleName('new\nline\u007f'), 'new␊line␡')
  assert.equal(visibleName('photo\u202egpj.exe'), 'photo�gpj.exe')
  assert.equal(visibleName('plain name, مخطط 😀.txt'), 'plain name, مخطط 😀.txt')
})
