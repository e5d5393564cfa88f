// The page without JavaScript of a link that takes files in, as the server writes it.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
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
  const locale = 'locales/ar.json'
  const body = await readFile(resolve(import.meta.dirname, '../..', locale))
  const assets = new Assets({
    names: { 'request.css': sheet.slice(`${config.StaticURL}/`.length), [locale]: locale },
    preload: [],
    files: { [locale]: { type: 'application/json', etag: '""', body } },
  })
  const languages = stage.look.mirrored ? 'ar' : 'en-GB'
  const { html } = await writeRequestForm(form, {
    assets,
    config,
    appearance: { color: '', hasStyle: false, has: () => false },
    languages,
  })
  const address = `/api/public/request/${form.hash}/form`
  await page.route(`**${address}`, (route) => route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }))
  await page.goto(stage.address(address))
}
