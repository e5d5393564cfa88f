// Every language of locales/ in a browser: chosen by the browser or by the account, alone on the wire, with its direction.
import assert from 'node:assert/strict'
import { readdirSync, utimesSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { intlCode } from '../../src-ui/i18n/intl.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { entry } from '../support/listing.ts'
import { share } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { translate } from '../support/translate.ts'

const codes = readdirSync(resolve(import.meta.dirname, '../../locales')).map((name) => basename(name, '.json'))
const site = startSite({ files: { 'Plans/a.txt': 'a', 'note.txt': 'a note' } })

/** The locale of a browser in which a person chose this language. */
const tagOf = (code: string) => new Intl.Locale(intlCode(code)).toString()

const spokenBy = (page: Page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])
const directionOf = (code: string) => (code === 'ar' ? 'rtl' : 'ltr')

/** The locales that a page asked for. */
function askedBy(page: Page): Set<string> {
  const asked = new Set<string>()
  page.on('request', (request) => {
    const name = /\/static\/(locales\/[^?]*)/.exec(request.url())?.[1]
    if (name) asked.add(name)
  })
  return asked
}

test('there are eighteen languages', () => {
  const named = 'ar de en es fr is it ja ko nl-be pl pt pt-br ro ru sv-se zh-cn zh-tw'
  assert.deepEqual(codes.toSorted(), named.split(' '))
})

for (const code of codes)
  test(`${code}: the browser's language is that of the login, and no other is loaded`, async () => {
    const { page, close } = await site.newPerson({ locale: tagOf(code) })
    const asked = askedBy(page)
    await page.goto(`${site.url}/login`)
    await page.getByRole('button', { name: translate(code, 'Sign in'), exact: true }).waitFor()
    assert.deepEqual(await spokenBy(page), [tagOf(code), directionOf(code)])
    assert.equal(asked.size, code === 'en' ? 0 : 1, [...asked].join(' '))
    await close()
  })

test("the account's language goes before the browser's, and changes the page at once", async () => {
  const { page, close } = await site.openListing({ locale: 'de' })
  await page.goto(`${site.url}/settings/profile`)
  let spoken = 'de'
  for (const code of [...codes, '']) {
    const card = page.getByRole('form', { name: translate(spoken, 'Language'), exact: true })
    await card.getByRole('combobox').first().selectOption(code)
    await card.getByRole('button', { name: translate(spoken, 'Save'), exact: true }).click()
    spoken = code || 'de'
    await page.locator(`html[lang="${tagOf(spoken)}"]`).waitFor()
    // The page speaks it before the end of the save, and a press on Save does nothing until then.
    const save = page
      .getByRole('form', { name: translate(spoken, 'Language'), exact: true })
      .getByRole('button', { name: translate(spoken, 'Save'), exact: true })
    await save.and(page.locator(':not([aria-busy="true"])')).waitFor()
    assert.deepEqual(await spokenBy(page), [tagOf(spoken), directionOf(spoken)])
  }
  await close()
})

test('dates and numbers are written as the language writes them, Icelandic too', async () => {
  const when = new Date(2026, 0, 9, 16, 10)
  utimesSync(join(site.root, 'note.txt'), when, when)
  const dates: Readonly<Record<string, string>> = { is: '9. jan. 2026, 16:10', de: '09.01.2026, 16:10', pt: '09/01/2026, 16:10' }
  for (const [code, date] of Object.entries(dates)) {
    const { page, close } = await site.openListing({ locale: tagOf(code) })
    assert.equal(await entry(page, 'note.txt').locator('.row-date').textContent(), date)
    await close()
  }
})

test('an open listing follows the language: names of columns, dates and sizes, as a list and as a mosaic', async () => {
  const when = new Date(2026, 0, 9, 16, 10)
  utimesSync(join(site.root, 'note.txt'), when, when)
  const { page, close } = await site.openListing({ locale: 'de' })
  const speak = (code: string) =>
    page.evaluate((language) => {
      Object.defineProperty(navigator, 'languages', { value: [language], configurable: true })
      window.dispatchEvent(new Event('languagechange'))
    }, code)
  const shows = (text: string) => entry(page, 'note.txt').getByText(text).first().waitFor()
  await shows('09.01.2026, 16:10')
  await speak('fr')
  await shows('9 janv. 2026, 16:10')
  await shows('6 octets')
  await page.getByRole('button', { name: translate('fr', 'Tiles'), exact: true }).click()
  await shows('6 octets')
  await speak('de')
  await shows('6 Byte')
  await close()
})

test('the page of a public link speaks the language of its visitor', async () => {
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const token = await (await fetch(`${site.url}/api/login`, { method: 'POST', body })).text()
  const { hash } = await share(asPrincipal(site.url, token), '/Plans', {})
  for (const code of ['ar', 'ja', 'is']) {
    const { page, close } = await site.newPerson({ locale: tagOf(code) })
    await page.goto(`${site.url}/share/${hash}`)
    await page
      .getByRole('link', { name: translate(code, 'Download') })
      .first()
      .waitFor()
    assert.deepEqual(await spokenBy(page), [tagOf(code), directionOf(code)])
    await close()
  }
})
