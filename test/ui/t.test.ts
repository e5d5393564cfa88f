import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fallbackWords, locale, type Words } from '../../src-ui/i18n/locale.ts'
import { isolate, type Key, t } from '../../src-ui/i18n/t.ts'
import { hooksOf } from './hooks.ts'

const { afterEach } = hooksOf(import.meta.filename)

const english = locale.value
afterEach(() => {
  locale.value = english
})

function speak(code: string, words: Words) {
  locale.value = { code, dir: 'ltr', words }
}

test('parameters are inserted where the translation says', () => {
  assert.equal(t('palette.for', { name: 'Mill House' }), 'For “Mill House”')
})

test('a parameter may hold what looks like a pattern or a parameter', () => {
  assert.equal(t('palette.for', { name: '$& {{name}} $1' }), 'For “$& {{name}} $1”')
})

test('English has two plural forms', () => {
  assert.equal(t('size.bytes', { count: 1 }), '1 byte')
  assert.equal(t('size.bytes', { count: 0 }), '0 bytes')
  assert.equal(t('size.bytes', { count: 5103982 }), '5,103,982 bytes')
})

test('a language has the plural forms of its rules', () => {
  speak('pl', { size: { bytes_one: '{{count}} bajt', bytes_few: '{{count}} bajty', bytes_many: '{{count}} bajtów' } })
  assert.deepEqual(
    [1, 2, 5, 12, 22].map((count) => t('size.bytes', { count })),
    ['1 bajt', '2 bajty', '5 bajtów', '12 bajtów', '22 bajty'],
  )
  speak('ja', { size: { bytes_other: '{{count}} バイト' } })
  assert.equal(t('size.bytes', { count: 1 }), '1 バイト')
})

test('a number that is not called a count selects the form too, unless it is a text', () => {
  assert.equal(t('refusal.tooManyLinks', { number: 1 }), 'You already have 1 link.')
  assert.equal(t('refusal.tooManyLinks', { number: 500 }), 'You already have 500 links.')
  speak('pl', { users: { rules: { rule_one: '{{number}} one', rule: '{{number}} any' } } })
  assert.equal(t('users.rules.rule', { number: '1' }), '1 any')
})

test('numbers are formatted for the language', () => {
  speak('de', { size: { bytes_other: '{{count}} Bytes' } })
  assert.equal(t('size.bytes', { count: 5103982 }), '5.103.982 Bytes')
})

test('missing translations are shown in English', () => {
  speak('pl', { action: { cancel: 'Anuluj' } })
  assert.equal(t('action.cancel'), 'Anuluj')
  assert.equal(t('action.close'), 'Close')
  assert.equal(t('size.bytes', { count: 1 }), '1 byte')
})

test('an unknown key is shown as it is, and inherited properties are no translations', () => {
  assert.equal(t('no.such.key' as Key), 'no.such.key')
  assert.equal(t('constructor.name' as Key), 'constructor.name')
})

test('a name keeps its own direction inside a sentence', () => {
  assert.equal(isolate('ملف.txt'), '\u2068ملف.txt\u2069')
  assert.equal(isolate('photo\u202egpj.exe'), '\u2068photo\ufffdgpj.exe\u2069')
})

test('every plural of en.json has the forms that English needs', () => {
  const keys = leaves(fallbackWords)
  const forms = keys.filter((key) => /_(zero|one|two|few|many|other)$/.test(key))
  for (const stem of new Set(forms.map((key) => key.replace(/_[a-z]+$/, '')))) {
    assert.deepEqual(forms.filter((key) => key.startsWith(`${stem}_`)).sort(), [`${stem}_one`, `${stem}_other`])
  }
})

function leaves(words: Words, prefix = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : leaves(value, `${prefix}${key}.`),
  )
}
