import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { compare, flatten, localeProblems, unused } from '../../scripts/check-locales.ts'

const top = join(import.meta.dirname, '../..')
const english = flatten({
  files: { one: 'Open {{name}}', count_one: '{{count}} file', count_other: '{{count}} files' },
  bye: 'Bye',
})

test('every locale fits en.json, and every key has a use', async () => assert.deepEqual(await localeProblems(top), []))

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

test('a missing plural form is named', () => {
  const arabic = flatten({ files: { one: 'افتح {{name}}', count_one: 'ملف', count_other: '{{count}} ملف' }, bye: 'وداعا' })
  const missing = ['few', 'many', 'two', 'zero'].map((form) => `locales/ar.json lacks files.count_${form}`)
  assert.deepEqual(compare('ar', arabic, english).sort(), missing)
})

test('a key without a use and a call without a key are named', () => {
  const sources = new Map([['src-ui/a.ts', `t('files.one'); t('files.two'); const label = \`files.\${kind}\`; t('gone')`]])
  assert.deepEqual(unused(english, sources), [
    'locales/en.json has bye, which nothing in src-ui uses',
    'src-ui/a.ts uses files.two, which locales/en.json lacks',
    'src-ui/a.ts uses gone, which locales/en.json lacks',
  ])
})
