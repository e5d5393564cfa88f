// A tablet: wide, and without a pointer that could rest on anything.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { entry, openListing, selectedNames, standWith } from '../support/listing.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'
import { forbidMouse, holdFinger, smallTargets } from '../support/touch.ts'

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser()
  server = await startExecutable()
  await standWith(server, { 'Drawings/': '', 'Invoices/': '', 'a.txt': 'a', 'b.txt': 'b' })
})
after(async () => {
  await browser?.close()
  await server?.close()
})

for (const [view, name] of [
  ['List', 'a.txt'],
  ['List', 'Drawings'],
  ['Mosaic', 'a.txt'],
  ['Mosaic', 'Drawings'],
] as const)
  test(`on touch at 1180 px ${name} has its menu button in the ${view.toLowerCase()}, 44 px in size`, async () => {
    const { page, close } = await openListing(browser, server, { width: 1180, height: 820, touch: true })
    await forbidMouse(page)
    await page.getByRole('button', { name: view, exact: true }).tap()
    await page
      .locator(view === 'List' ? '.row[data-entry]' : '.folder-tile[data-entry]')
      .first()
      .waitFor()
    const more = entry(page, name).getByRole('button', { name: 'Actions' })
    const isSeen = await more.evaluate((button) => button.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    assert.ok(isSeen, 'it is seen without hover')
    assert.deepEqual(await smallTargets(page.locator('.pane')), [])
    await more.tap()
    await page
      .getByRole('menu')
      .getByRole('menuitem', { name: /^Information/ })
      .waitFor()
    assert.deepEqual(await selectedNames(page), [name])
    await close()
  })

test('on touch at 1180 px the selection has a button for all that can be done with it, with the reasons', async () => {
  const { page, close } = await openListing(browser, server, { width: 1180, height: 820, touch: true })
  await holdFinger(page, 'a.txt')
  await entry(page, 'b.txt').tap()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'More' }).tap()
  await page
    .getByRole('menuitem', { name: /^Rename/ })
    .getByText('One item at a time')
    .waitFor()
  await close()
})
