// Menus that come up from below, and the drawer: what lies over the page takes every press, and nothing below it does.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { entry, middleOf, openListing, standWith } from '../support/listing.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser()
  server = await startExecutable()
  const notes = Array.from({ length: 12 }, (_, index) => [`note ${10 + index}.txt`, 'note'])
  await standWith(server, { 'Drawings/': '', ...Object.fromEntries(notes) })
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const menu = (page: Page) => page.getByRole('menu')

test('under 736 px with a mouse, the release of the right button runs nothing of the sheet that opened under the pointer', async () => {
  const { page, close } = await openListing(browser, server, { width: 700, height: 800 })
  const { x, y } = await middleOf(entry(page, 'note 17.txt'))
  await page.mouse.move(x, y)
  await page.mouse.down({ button: 'right' })
  await menu(page).waitFor()
  assert.ok(await menu(page).evaluate((sheet, at) => sheet.contains(document.elementFromPoint(at.x, at.y)), { x, y }))
  await page.mouse.up({ button: 'right' })
  await menu(page)
    .getByRole('menuitem', { name: /^Information/ })
    .click()
  await page.getByRole('dialog', { name: 'Information' }).waitFor()
  await close()
})
