// Which texts of a page are not translated, or mix directions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordJudge } from '../../scripts/clipping/judge-words.ts'

const english = {
  'action.close': 'Close',
  'action.name': 'Name',
  'command.download': 'Download',
  'shares.downloads': 'Downloads',
  'users.named_other': 'The rights of {{username}}',
}
const kindOf = (code: string, words: Readonly<Record<string, string>>, text: string) =>
  new WordJudge(code, words, english).problemOf(text)?.kind

const german = { ...english, 'action.close': 'Schließen', 'users.named_other': 'Die Rechte von {{username}}' }

test('a text that stayed English is found, with its values too', () => {
  assert.equal(kindOf('de', german, 'Close'), 'English')
  assert.equal(kindOf('de', german, 'The rights of ann'), 'English')
  assert.equal(kindOf('de', german, 'Schließen'), undefined)
  assert.equal(kindOf('en', english, 'Close'), undefined)
})

test('words that a language shares with English are no problem, also when they translate another word', () => {
  assert.equal(kindOf('de', german, 'Name'), undefined)
  const italian = { ...english, 'command.download': 'Scarica', 'shares.downloads': 'Download' }
  assert.equal(kindOf('it', italian, 'Download'), undefined)
})

test('a key in place of its text, and a placeholder without its value, are found in every language', () => {
  assert.equal(kindOf('en', english, 'action.close'), 'key')
  assert.equal(kindOf('de', german, 'Die Rechte von {{username}}'), 'key')
})

test('in a language read from right to left a Latin name in a sentence must be isolated', () => {
  const arabic = { ...english, 'users.named_other': 'صلاحيات المستخدم {{username}}' }
  assert.equal(kindOf('ar', arabic, 'صلاحيات المستخدم ann (2)'), 'not isolated')
  assert.equal(kindOf('ar', arabic, 'صلاحيات المستخدم \u2068ann (2)\u2069'), undefined)
  assert.equal(kindOf('ar', arabic, 'صلاحيات المستخدم نور'), undefined)
})
