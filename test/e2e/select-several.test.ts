// The multiple-selection banner with its clear button, by the header's menu.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Browser } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { isSelected, openListing, rowOf, standWith } from '../support/listing-page.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'

let server: Running
let browser: Browser

before(async () => {
  server = await startExecutable()
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(() => standWith(server, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd/': '' }))

test('Select several: each click adds, the banner counts, its button clears and ends it', async () => {
  const ann = await openListing(browser, server)
  const { page } = ann
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Select several' }).click()
  const banner = page.getByRole('toolbar', { name: 'Selection' })
  await banner.getByText('Select items').waitFor()
  for (const name of ['a.txt', 'c.txt', 'd']) {
    await rowOf(page, name).locator('.row-date').click()
    await isSelected(page, name)
  }
  await banner.getByText('3 selected').waitFor()
  await rowOf(page, 'c.txt').locator('.row-date').click()
  await banner.getByText('2 selected').waitFor()
  await banner.getByRole('button', { name: 'Clear selection' }).click()
  await banner.waitFor({ state: 'detached' })
  await rowOf(page, 'a.txt').locator('.row-date').click()
  await rowOf(page, 'b.txt').locator('.row-date').click()
  await banner.getByText('1 selected').waitFor()
  await ann.close()
})

test('on a phone it turns the bar at the lower edge on before anything is selected; a folder that is opened ends it', async () => {
  const ann = await openListing(browser, server, { width: 390, height: 844, touch: true })
  const { page } = ann
  await page.getByRole('banner').getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: 'Select several' }).tap()
  const banner = page.getByRole('toolbar', { name: 'Selection' })
  await banner.getByText('Select items').waitFor()
  assert.ok(await banner.getByRole('button', { name: /^Delete/ }).isDisabled())
  await page.locator('[data-entry]', { hasText: 'b.txt' }).tap()
  await banner.getByText('1 selected').waitFor()
  await page.goto(`${server.url}/files/d/`)
  await page.getByText('This folder is empty').waitFor()
  assert.equal(await banner.count(), 0)
  await ann.close()
})
