// The page without JavaScript of a link that takes files in, as the server writes it.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import type { PageConfig } from '../../src-server/contract/page.ts'
import type { RequestForm } from '../../src-server/contract/request-form.ts'
import { Assets } from '../../src-server/pages/assets.ts'
import { writeRequestForm } from '../../src-server/pages/request-form.ts'
import type { Stage } from './stage.ts'

/** Shows the page with these contents: those of the server have the time and the number of each run. */
export const showForm = (form: RequestForm) => async (stage: Stage) => {
  const { page } = stage
  await stage.go(`/request/${form.hash}`)
  const config = JSON.parse((await page.locator('#holdall-config').textContent()) ?? '') as PageConfig
  const sheet = (await page.locator('link[rel=stylesheet][href*="/request-"]').getAttribute('href')) ?? ''
  const assets = await assetsWith(sheet.slice(`${config.StaticURL}/`.length), Object.keys(config.Locales))
  const appearance = { color: '', hasStyle: false, has: () => false }
  const write = async (languages: string) => (await writeRequestForm(form, { assets, config, appearance, languages })).html
  const html = await write(stage.look.mirrored ? 'ar' : 'en-GB')
  const address = `/api/public/request/${form.hash}/form`
  await page.route(`**${address}`, (route) => route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }))
  await page.goto(stage.address(address))
  await followLanguage(page, write)
}

/** Only those of the form: its style sheet, and the translations. */
async function assetsWith(sheet: string, codes: readonly string[]): Promise<Assets> {
  const locales = codes.map((code) => `locales/${code}.json`)
  const files = locales.map(async (name) => {
    const body = await readFile(resolve(import.meta.dirname, '../..', name))
    return [name, { type: 'application/json', etag: '""', body }] as const
  })
  return new Assets({
    names: { 'request.css': sheet, ...Object.fromEntries(locales.map((name) => [name, name])) },
    preload: [],
    files: Object.fromEntries(await Promise.all(files)),
  })
}

/** The page has no script that does it: check-clipping.ts shows all languages one after another. */
async function followLanguage(page: Page, write: (languages: string) => Promise<string>) {
  await page.exposeFunction('formIn', write)
  await page.evaluate(() => {
    addEventListener('languagechange', async () => {
      const { formIn } = globalThis as unknown as { formIn: typeof write }
      const next = new DOMParser().parseFromString(await formIn(navigator.languages.join()), 'text/html')
      document.body.replaceWith(next.body)
      const { lang, dir } = next.documentElement
      Object.assign(document.documentElement, { lang, dir })
    })
  })
}
