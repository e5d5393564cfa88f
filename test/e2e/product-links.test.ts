// Links to the pages about the product: its name, its documentation, and where problems are reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from '@playwright/test'
import type { PageConfig } from '../../src-server/contract/page.ts'
import { configurePage } from '../support/configure-page.ts'
import { entry } from '../support/listing.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ files: { 'a.txt': 'a' } })

/** The listing, with the addresses that the server writes into its page. */
const open = (Links?: NonNullable<PageConfig['Links']>) =>
  site.openListing({}, { prepare: ({ page }) => configurePage(page, Links ? { Links } : {}) })

async function checkLink(link: Locator, address: string) {
  assert.equal(await link.getAttribute('href'), address)
  assert.equal(await link.getAttribute('target'), '_blank')
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
}

/** @returns the notice of an error */
async function deleteInVain(page: Page) {
  await page.route('**/api/resources/a.txt*', (route) => route.fulfill({ status: 500, body: '500 Internal Server Error' }))
  await entry(page, 'a.txt').click()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Close' }) })
  await notice.waitFor()
  return notice
}

test('the name of the product, the documentation and the report of a problem are links of new tabs', async () => {
  const Links = { Home: 'https://a.example/', Report: 'https://a.example/bugs', Documentation: 'https://a.example/docs' }
  const { page, close } = await open(Links)
  await checkLink(page.locator('.footer').getByRole('link', { name: /^Holdall / }), Links.Home)
  await checkLink((await deleteInVain(page)).getByRole('link', { name: 'Report a problem' }), Links.Report)
  await page.goto(`${site.url}/settings/global`)
  await checkLink(page.getByRole('form', { name: 'General' }).getByRole('link', { name: 'Documentation' }), Links.Documentation)
  await close()
})

test('without addresses there are no links', async () => {
  const { page, close } = await open()
  await page
    .locator('.footer')
    .getByText(/^Holdall /)
    .waitFor()
  assert.equal(await page.locator('.footer a').count(), 0)
  assert.equal(await (await deleteInVain(page)).getByRole('link').count(), 0)
  await page.goto(`${site.url}/settings/global`)
  await page.getByRole('form', { name: 'General' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Documentation' }).count(), 0)
  await close()
})
