// When a part of the page throws while rendering, the layout stays, and the user can go on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({ files: { 'a.txt': 'a' } })

/** Makes components that render exactly these texts throw. */
async function breakWords(page: Page, ...words: string[]): Promise<void> {
  await page.evaluate((broken) => Object.assign(window, { broken }), words)
}

/** Prepares `breakWords`: all texts of the page pass through `String.prototype.replace`. */
async function prepareBreaking(page: Page, ...words: string[]): Promise<void> {
  await page.addInitScript((broken) => {
    const replace = String.prototype.replace
    Object.assign(window, { broken })
    Object.assign(String.prototype, {
      replace(this: string, ...given: [string, string]) {
        if ((window as unknown as { broken: string[] }).broken.includes(String(this))) throw new Error('simulated render error')
        return Reflect.apply(replace, this, given)
      },
    })
  }, words)
}

/** The text that fails, and the parts of the page that must remain. */
const parts = {
  header: { words: 'More', rest: '.sidebar:not(.part-failed), [data-entry]' },
  sidebar: { words: 'Sidebar', rest: '.header:not(.part-failed), [data-entry]' },
  screen: { words: 'Path', rest: '.header:not(.part-failed), .sidebar:not(.part-failed)' },
  panel: { words: 'Transfers', rest: '.header:not(.part-failed), [data-entry]' },
} as const

for (const [part, { words, rest }] of Object.entries(parts))
  test(`a render error of the ${part} leaves the frame and a way out`, async () => {
    // The page logs the error in its console, so the context is closed without checking the console.
    const { page, context } = await site.newPerson()
    await prepareBreaking(page, words)
    await page.goto(`${site.url}/login`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(administratorPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    if (part === 'panel') {
      const chosen = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await (await chosen).setFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') })
    }
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    for (const selector of rest.split(', ')) await page.locator(selector).first().waitFor()
    await breakWords(page)
    await again.click()
    await again.waitFor({ state: 'detached' })
    await context.close()
  })

test('a render error of a dialog closes it, and of the login leaves a way out', async () => {
  const { page, context } = await site.newPerson()
  await prepareBreaking(page, 'Show password', 'Help')
  await page.goto(`${site.url}/login`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await breakWords(page)
  await again.click()
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(administratorPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('[data-entry]').first().waitFor()
  await breakWords(page, 'Help')
  await page.keyboard.press('F1')
  await page.locator('.toast-error').waitFor()
  assert.equal(await page.locator('[data-entry]').count(), 1)
  await context.close()
})

test('/files/..%2f..%2fetc/ is not a blank page', async () => {
  const ann = await site.openListing()
  await ann.page.goto(`${site.url}/files/..%2f..%2fetc/`)
  await ann.page
    .getByRole('heading', { name: 'This location can’t be reached.' })
    .or(ann.page.getByText("can't be reached"))
    .waitFor()
  await ann.page.getByRole('button', { name: 'My files', exact: true }).click()
  await ann.page.locator('[data-entry]').first().waitFor()
  await ann.close()
})
