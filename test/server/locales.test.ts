import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { compare, copies, flatten, localeProblems, unused } from '../../scripts/check-locales.ts'
import { wordsOf } from '../support/translate.ts'

const top = join(import.meta.dirname, '../..')
const english = flatten({
  files: { one: 'Open {{name}}', count_one: '{{count}} file', count_other: '{{count}} files' },
  bye: 'Bye',
})

test('every locale fits en.json, and every key has a use', async () => assert.deepEqual(await localeProblems(top), []))

test('Brazilian Portuguese has the messages that its users know', () => {
  const words = wordsOf('pt-br')
  const known = { 'login.wrong': 'Ops! Dados incorretos.', 'error.notFound': 'Ops! Nada foi encontrado.' }
  for (const [key, text] of Object.entries({ ...known, 'error.internal': 'Ops! Algum erro ocorreu.' }))
    assert.equal(words[key], text)
})

test('a complete locale has no problems', () => {
  const polish = {
    one: 'Otwórz {{name}}',
    count_one: 'plik',
    count_few: '{{count}} pliki',
    count_many: '{{count}} plików',
    count_other: '{{count}} pliku',
  }
  assert.deepEqual(compare('pl', flatten({ files: polish, bye: 'Pa' }), english), [])
})

test('missing and superfluous keys of a locale are named', () => {
  const german = flatten({
    files: { one: '{{nome}} öffnen', count_one: '{{count}} Datei', count_few: '', count_other: '{{count}} Dateien' },
    hi: 'Hallo',
  })
  assert.deepEqual(compare('de', german, english).sort(), [
    'locales/de.json has an empty text for files.count_few',
    'locales/de.json has files.count_few, a form it does not use',
    'locales/de.json has hi, which en.json lacks',
    'locales/de.json lacks bye',
    'locales/de.json: files.one has {{nome}}, which en.json lacks',
    'locales/de.json: files.one lacks {{name}}',
  ])
})

test('an English text is named, unless it is listed, and so is a listed one that is not there', () => {
  const some = { hello: 'Hello', link: 'Link', size: '{{width}} × {{height}}' }
  assert.deepEqual(copies('de', some, some, { Link: 'de it', Hotel: 'de', Bar: 'it' }), [
    'locales/de.json has the English text for hello: translate it, or list it in scripts/same-texts.ts',
    'scripts/same-texts.ts lists "Hotel" for de, where no text is the same',
  ])
})

test('a missing plural form is named', () => {
  const arabic = flatten({ files: { one: 'افتح {{name}}', count_one: 'ملف', count_other: '{{count}} ملف' }, bye: 'وداعا' })
  const missing = ['few', 'many', 'two', 'zero'].map((form) => `locales/ar.json lacks files.count_${form}`)
  assert.deepEqual(compare('ar', arabic, english).sort(), missing)
})

test('a text with a count that has one form only is named', () => {
  const english = flatten({ files_one: '{{count}} file', files_other: '{{count}} files', all: 'all {{count}}' })
  assert.deepEqual(compare('en', english, english), ['locales/en.json has {{count}} in all, which has no plural forms'])
})

test('a name that is in quotes in English alone is named', () => {
  const english = flatten({ open: 'Open “{{name}}”', by: 'By {{name}}', show: 'Show “{{name}}” in “{{folder}}”' })
  const swedish = { open: 'Öppna ”{{name}}”', by: 'Av ”{{name}}”', show: 'Visa ”{{name}}” i {{folder}}' }
  assert.deepEqual(compare('sv-se', swedish, english), ['locales/sv-se.json: show lacks the quotes around {{folder}}'])
  const german = { open: '„{{name}}“ öffnen', by: 'Von {{name}}', show: '«\u00a0{{name}}\u00a0» in 「{{folder}}」 zeigen' }
  assert.deepEqual(compare('de', german, english), [])
})

test('a key without a use and a call without a key are named', () => {
  const sources = new Map([['src-ui/a.ts', `t('files.one'); t('files.two'); const label = \`files.\${kind}\`; t('gone')`]])
  assert.deepEqual(unused(english, sources), [
    'locales/en.json has bye, which nothing in src-ui uses',
    'src-ui/a.ts uses files.two, which locales/en.json lacks',
    'src-ui/a.ts uses gone, which locales/en.json lacks',
  ])
})
