// Which of the available languages is chosen for the languages that a browser wants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedLanguages, chooseLocale } from '../../src-server/contract/choose-locale.ts'
import { localeCodes } from '../../src-server/contract/users.ts'

const all = localeCodes.filter(Boolean)

const choices: readonly (readonly [wanted: string, chosen: string])[] = [
  ['ar-EG', 'ar'],
  ['de-AT', 'de'],
  ['en-GB', 'en'],
  ['es-419', 'es'],
  ['fr-CA', 'fr'],
  ['ja-JP', 'ja'],
  ['nl', 'nl-be'],
  ['nl-NL', 'nl-be'],
  ['pt', 'pt'],
  ['pt-PT', 'pt'],
  ['pt-AO', 'pt'],
  ['pt-BR', 'pt-br'],
  ['sv', 'sv-se'],
  ['sv-FI', 'sv-se'],
  ['zh', 'zh-cn'],
  ['zh-CN', 'zh-cn'],
  ['zh-SG', 'zh-cn'],
  ['zh-TW', 'zh-tw'],
  ['zh-HK', 'zh-tw'],
  ['zh-Hant', 'zh-tw'],
  ['zh-Hant-TW', 'zh-tw'],
  ['zh-Hans-HK', 'zh-cn'],
  ['nb-NO', 'en'],
  ['not a tag', 'en'],
  ['', 'en'],
]

for (const [wanted, chosen] of choices) {
  test(`for ${JSON.stringify(wanted)} ${chosen} is chosen`, () => assert.equal(chooseLocale([wanted], all), chosen))
}

test('every available language is chosen when it is wanted', () => {
  for (const code of all) assert.equal(chooseLocale([code], all), code)
})

test('the first wanted language that is available is chosen', () => {
  assert.equal(chooseLocale(['nb-NO', 'sv-SE', 'de'], all), 'sv-se')
  assert.equal(chooseLocale(['en-GB', 'de'], all), 'en')
})

test('for an unavailable language another variant of it is chosen, else English', () => {
  assert.equal(chooseLocale(['pt-PT'], ['en', 'pt-br']), 'pt-br')
  assert.equal(chooseLocale(['zh-TW'], ['en', 'zh-cn']), 'zh-cn')
  assert.equal(chooseLocale(['de'], ['en']), 'en')
  assert.equal(chooseLocale([], all), 'en')
})

test('the languages of a header are ordered by their weight, and what is no tag is left out', () => {
  assert.deepEqual(acceptedLanguages('en;q=0.5, de-AT, fr ; q=0.9,*;q=0.1,pt;q=0,"><,ja;q=x'), ['de-AT', 'fr', 'en'])
  assert.deepEqual(acceptedLanguages(''), [])
  assert.equal(acceptedLanguages('de,'.repeat(100_000)).length, 10)
})
