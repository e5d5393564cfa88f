// An entry that moves because another appeared above it keeps the focus, and a name that is being typed.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, focusedName, selectedNames, startRename } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const names = ['b1.txt', 'b2.txt', 'b3.txt', 'b4.txt', 'b5.txt', 'b6.txt']
const site = startSite({ files: Object.fromEntries(names.map((name) => [name, name])) })
const views = ['List', 'Tiles'] as const

/** Selects and focuses the last entry of the first row. */
async function start(view: (typeof views)[number]) {
  const person = await site.openListing()
  const { page } = person
  await page.getByRole('button', { name: view, exact: true }).click()
  await page.locator(view === 'List' ? '.list' : '.mosaic').waitFor()
  await entry(page, 'b3.txt').click()
  assert.equal(await focusedName(page), 'b3.txt')
  return person
}

const lineOf = (page: Page, name: string) =>
  page
    .locator(`[data-entry="/${name}"]`)
    .evaluate((element) => Number(element.closest('[aria-rowindex]')?.getAttribute('aria-rowindex')))

/** Creates a file as another program would, and returns to the page. */
async function comesAbove(page: Page): Promise<void> {
  const before = await lineOf(page, 'b3.txt')
  await writeFile(join(site.root, 'a.txt'), 'a')
  await page.evaluate(() => {
    dispatchEvent(new Event('blur'))
    dispatchEvent(new Event('focus'))
  })
  await page.locator('[data-entry="/a.txt"]').waitFor()
  assert.equal(await lineOf(page, 'b3.txt'), before + 1)
}

for (const view of views) {
  test(`${view}: Shift+F10 opens the menu of the same file after another appeared above it`, async () => {
    const { page, close } = await start(view)
    await comesAbove(page)
    assert.deepEqual([await focusedName(page), await selectedNames(page)], ['b3.txt', ['b3.txt']])
    await page.keyboard.press('Shift+F10')
    await page
      .getByRole('menu', { name: 'Actions' })
      .getByRole('menuitem', { name: /^Delete/ })
      .click()
    await page.getByRole('dialog', { name: /b3\.txt/ }).waitFor()
    await close()
  })

  test(`${view}: F2 renames the same file after another appeared above it`, async () => {
    const { page, close } = await start(view)
    await comesAbove(page)
    await startRename(page)
    await page.keyboard.type('renamed')
    await page.keyboard.press('Enter')
    await entry(page, 'renamed.txt').waitFor()
    const gone = () => names.filter((name) => !existsSync(join(site.root, name)))
    await until(() => gone().length > 0, 'a file is renamed')
    assert.deepEqual(gone(), ['b3.txt'])
    await close()
  })

  test(`${view}: a name that is typed keeps its text, cursor and error when the entry moves`, async () => {
    const { page, close } = await start(view)
    await startRename(page)
    await page.keyboard.type('b1')
    await page.keyboard.press('Enter')
    await page.locator('.rename .field-error').waitFor()
    await page.keyboard.press('Home')
    await comesAbove(page)
    const field = page.locator('.rename input:focus')
    assert.equal(await field.inputValue(), 'b1.txt')
    assert.equal(await page.locator('.rename .field-error').count(), 1)
    await page.keyboard.type('new ')
    await page.keyboard.press('Enter')
    await entry(page, 'new b1.txt').waitFor()
    // For a moment the file has both names.
    await until(() => !existsSync(join(site.root, 'b3.txt')), 'the old name is gone')
    assert.ok(existsSync(join(site.root, 'b1.txt')))
    await close()
  })
}
