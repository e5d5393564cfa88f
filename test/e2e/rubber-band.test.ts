// Where moving a press draws a rubber band, and where it drags.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from '@playwright/test'
import { entry, middleOf, selectedNames } from '../support/listing.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ files: { 'Drawings/': '', 'Invoices/': '', 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' } })

const band = (page: Page) => page.locator('.band')
const badge = (page: Page) => page.locator('.drag-badge')

/** Presses on a part of an entry and moves the pointer to the next entry, without releasing it. */
async function pressAndMove(page: Page, on: Locator): Promise<void> {
  const { x, y } = await middleOf(on)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 20, y + 40, { steps: 4 })
}

test('a rubber band begins anywhere but on icon and name of a row', async () => {
  const { page, close } = await site.openListing()
  for (const part of ['.row-size', '.row-date']) {
    await pressAndMove(page, entry(page, 'a.txt').locator(part))
    await band(page).waitFor()
    assert.deepEqual(await selectedNames(page), ['a.txt', 'b.txt'], part)
    await page.keyboard.press('Escape')
    await page.mouse.up()
  }
  // In the column of the name, beside the name.
  const { x, y, width } = (await entry(page, 'a.txt').locator('.row-name').boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await page.mouse.move(x + width - 30, y + 5)
  await page.mouse.down()
  await page.mouse.move(x + width - 60, y + 45, { steps: 4 })
  await band(page).waitFor()
  await page.mouse.up()
  assert.deepEqual(await selectedNames(page), ['a.txt', 'b.txt'])
  await close()
})

test('a row is dragged by icon and name, and anywhere when it is selected', async () => {
  const { page, close } = await site.openListing()
  for (const part of ['.file-icon', 'a.name']) {
    await pressAndMove(page, entry(page, 'a.txt').locator(part))
    await badge(page).waitFor()
    assert.equal(await band(page).count(), 0, part)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.locator('.pane').click({ position: { x: 400, y: 500 } })
    assert.deepEqual(await selectedNames(page), [])
  }
  await entry(page, 'a.txt').locator('.row-date').click()
  await pressAndMove(page, entry(page, 'a.txt').locator('.row-date'))
  await badge(page).waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await close()
})

test('a press on a row that does not move still selects it', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'b.txt').locator('.row-size').click()
  assert.deepEqual(await selectedNames(page), ['b.txt'])
  await close()
})

test('a tile is dragged by its picture and its name, a folder tile not beside its name', async () => {
  const { page, close } = await site.openListing()
  await page.getByRole('button', { name: 'Tiles', exact: true }).click()
  for (const part of ['.tile-picture', 'a.name']) {
    await pressAndMove(page, entry(page, 'a.txt').locator(part))
    await badge(page).waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.locator('.pane').click({ position: { x: 400, y: 600 } })
  }
  const tile = await entry(page, 'Drawings').boundingBox()
  assert.ok(tile)
  await page.mouse.move(tile.x + tile.width - 60, tile.y + tile.height / 2)
  await page.mouse.down()
  await page.mouse.move(tile.x + tile.width - 90, tile.y + 50, { steps: 4 })
  await band(page).waitFor()
  await page.mouse.up()
  assert.deepEqual(await selectedNames(page), ['Drawings'])
  await close()
})
