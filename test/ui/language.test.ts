// The page is shown in the account's language, else the browser's, if the server has its translations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals-core'
import { pageConfig } from '../../src-ui/api/page-config.ts'
import { followLanguage } from '../../src-ui/core/language.ts'
import { user } from '../../src-ui/core/session.ts'
import { formatDate, formatDay, formatNumber } from '../../src-ui/i18n/format.ts'
import { nameOrder } from '../../src-ui/i18n/intl.ts'
import { english, locale } from '../../src-ui/i18n/locale.ts'
import { t } from '../../src-ui/i18n/t.ts'
import { until } from '../support/until.ts'
import { answering, signIn } from './answering.ts'
import { hooksOf } from './hooks.ts'

const { afterEach, beforeEach } = hooksOf(import.meta.filename)
const network = answering(import.meta.filename)
const page = { documentElement: {} as HTMLElement }
const spoken = () => [locale.value.code, page.documentElement.lang, page.documentElement.dir]
const json = { 'Content-Type': 'application/json' }

pageConfig.Locales = {
  en: 'locales/en-1.json',
  ar: 'locales/ar-1.json',
  de: 'locales/de-1.json',
  is: 'locales/is-1.json',
  ko: 'locales/ko-1.json',
}
const browser = new EventTarget()
await followLanguage(page, browser)

beforeEach(() => {
  network.replies['GET /static/locales/ar-1.json'] = { text: '{"action":{"close":"إغلاق"}}', headers: json }
  network.replies['GET /static/locales/de-1.json'] = { text: '{"action":{"close":"Schließen"}}', headers: json }
})
afterEach(() => {
  user.value = null
})

test('English needs no request, and the page is marked as English', async () => {
  await signIn(network, 'ann')
  assert.equal(locale.value, english)
  assert.deepEqual(spoken(), ['en', 'en', 'ltr'])
  assert.deepEqual(network.calls.slice(1), [])
})

test("the account's language is loaded, and dates, words and direction follow each change of it", async () => {
  await signIn(network, 'ann')
  await change('ar')
  assert.deepEqual(spoken(), ['ar', 'ar', 'rtl'])
  assert.equal(t('action.close'), 'إغلاق')
  await change('de')
  assert.deepEqual(spoken(), ['de', 'de', 'ltr'])
  assert.equal(t('action.close'), 'Schließen')
  assert.equal(formatDay(new Date(2026, 10, 19)), '19.11.2026')
  await change('')
  assert.deepEqual(spoken(), ['en', 'en', 'ltr'])
  await change('ar')
  assert.deepEqual(spoken(), ['ar', 'ar', 'rtl'])
  assert.equal(network.calls.filter(({ name }) => name.includes('ar-1.json')).length, 1, 'translations are requested once')
})

test('without a language of the account the page follows the one of the browser when it is changed', async (context) => {
  await signIn(network, 'ann')
  const setLanguages = async (languages: readonly string[]) => {
    context.mock.getter(navigator, 'languages', () => languages)
    browser.dispatchEvent(new Event('languagechange'))
    await settled()
  }
  await setLanguages(['ar-EG', 'en'])
  assert.deepEqual(spoken(), ['ar', 'ar', 'rtl'])
  await change('de')
  assert.deepEqual(spoken(), ['de', 'de', 'ltr'])
  await change('')
  await setLanguages(['en-GB'])
  assert.deepEqual(spoken(), ['en', 'en', 'ltr'])
})

test('when the browser changes the region of its English, what is shown gets the dates of that region', async (context) => {
  await signIn(network, 'ann')
  const shown: string[] = []
  const end = effect(() => void shown.push(formatDay(new Date(2026, 10, 19))))
  for (const languages of [['en-GB'], ['en-US', 'en']]) {
    context.mock.getter(navigator, 'languages', () => languages)
    browser.dispatchEvent(new Event('languagechange'))
    await settled()
  }
  end()
  assert.deepEqual(shown.slice(-2), ['19 Nov 2026', 'Nov 19, 2026'])
})

test('dates and numbers have the form of the region of the browser’s languages, in the language of the words', async (context) => {
  pageConfig.Locales.pt = 'locales/pt-1.json'
  network.replies['GET /static/locales/pt-1.json'] = { text: '{}', headers: json }
  await signIn(network, 'ann')
  const written = async (code: string, languages: readonly string[]) => {
    context.mock.getter(navigator, 'languages', () => languages)
    browser.dispatchEvent(new Event('languagechange'))
    await change(code)
    assert.equal(locale.value.code, code)
    return [formatDate(new Date(2026, 10, 19, 16, 5)), formatNumber(1234567.5, 1)]
  }
  const as = (tag: string) => [
    new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(2026, 10, 19, 16, 5)),
    new Intl.NumberFormat(tag).format(1234567.5),
  ]
  assert.deepEqual(await written('en', ['fr-FR', 'en-GB']), ['19 Nov 2026, 16:05', '1,234,567.5'])
  assert.deepEqual(await written('en', ['en-IN', 'en']), as('en-IN'))
  assert.deepEqual(await written('de', ['en-GB', 'de-CH']), as('de-CH'))
  assert.notDeepEqual(as('de-CH'), as('de'))
  assert.deepEqual(await written('de', ['en-GB']), as('de'))
  // The words are those of Portugal, and so is the form.
  assert.deepEqual(await written('pt', ['pt-BR']), as('pt-PT'))
  delete pageConfig.Locales.pt
})

test('a browser that lacks Icelandic gets its formats with its words', async (t) => {
  t.mock.method(Intl.DateTimeFormat, 'supportedLocalesOf', () => [])
  const made = t.mock.method(Intl, 'DateTimeFormat')
  network.replies['GET /static/locales/is-1.json'] = { text: '{}', headers: json }
  await signIn(network, 'ann')
  await change('is')
  // The formats are a file of their own, which takes its time.
  await until(() => locale.value.code === 'is', 'Icelandic is loaded')
  assert.deepEqual(spoken(), ['is', 'is', 'ltr'])
  assert.equal(formatDay(new Date(2026, 10, 19)), '19. nóv. 2026')
  assert.deepEqual(
    made.mock.calls.filter(({ arguments: [code] }) => code === 'is'),
    [],
  )
})

test('translations that arrive too late change nothing', async () => {
  await signIn(network, 'ann')
  let answer = () => {}
  network.replies['GET /static/locales/ko-1.json'] = () =>
    new Promise((resolve) => {
      answer = () => resolve({ text: '{}', headers: json })
    })
  await change('ko')
  await change('ar')
  answer()
  await settled()
  assert.equal(locale.value.code, 'ar')
})

test('the page keeps its language when the translations of another cannot be loaded', async (context) => {
  const warn = context.mock.method(console, 'warn', () => {})
  pageConfig.Locales.fr = 'locales/fr-1.json'
  await signIn(network, 'ann')
  await change('fr')
  assert.equal(locale.value.code, 'en')
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /fr-1\.json was answered with 404/)
})

test('a language that the build lacks is not chosen', async () => {
  await signIn(network, 'ann')
  await change('fi')
  assert.deepEqual(spoken(), ['en', 'en', 'ltr'])
})

async function change(code: string): Promise<void> {
  if (!user.value) throw new Error('nobody is signed in')
  user.value = { ...user.value, locale: code }
  await settled()
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

test('names stand in the order of the server, whatever the region', (context) => {
  context.mock.getter(navigator, 'languages', () => ['fr-CA'])
  browser.dispatchEvent(new Event('languagechange'))
  // In Canada the last accent of a word would count first.
  assert.deepEqual(['côte', 'coté'].sort(nameOrder('fr').compare), ['coté', 'côte'])
})
