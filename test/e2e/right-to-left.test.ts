// Right-to-left languages: the whole page is mirrored, and names keep their own direction.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from '@playwright/test'
import { dragOver, entry, focusedName, middleOf } from '../support/listing.ts'
import type { View } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { translate } from '../support/translate.ts'

const site = startSite({
  files: {
    'Drawings/Roof/': '',
    'Invoices/': '',
    'plan (2).txt': 'plan',
    'صورة (2).txt': 'picture',
    'zebra.txt': 'zebra',
  },
})

const open = (path = '/files/', view: View = {}) => site.openListing({ ...view, locale: 'ar' }, { path })

async function showMosaic(page: Page) {
  await page.getByRole('button', { name: translate('ar', 'Tiles'), exact: true }).click()
  await page.locator('.folder-tile').first().waitFor()
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('the element is not visible')
  return { ...box, right: box.x + box.width }
}

const menu = (page: Page) => page.getByRole('menu')
const isMirrored = (drawing: Locator) => drawing.evaluate((svg) => new DOMMatrix(getComputedStyle(svg).transform).a < 0)

test('the page has its language and direction, and the sidebar is on the right', async () => {
  const { page, close } = await open()
  assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), ['ar', 'rtl'])
  const [sidebar, main] = await Promise.all([boxOf(page.locator('.sidebar')), boxOf(page.locator('.main'))])
  assert.ok(sidebar.x >= main.right - 1, 'the sidebar is at the right of the listing')
  const row = await boxOf(entry(page, 'zebra.txt'))
  const name = await boxOf(entry(page, 'zebra.txt').locator('a.name'))
  const date = await boxOf(entry(page, 'zebra.txt').locator('.row-date'))
  assert.ok(name.x > date.right && name.right < row.right, 'the name is at the right, the date at the left')
  await page.keyboard.press('Control+f')
  const field = page.getByRole('combobox')
  const direction = () => field.evaluate((input) => getComputedStyle(input).direction)
  assert.equal(await direction(), 'rtl', 'that of the placeholder')
  await field.fill('zebra')
  assert.equal(await direction(), 'ltr', 'that of the text')
  await close()
})

test('names keep their own direction', async () => {
  const { page, close } = await open()
  const directionOf = (name: string) =>
    entry(page, name)
      .locator('a.name')
      .evaluate((link) => getComputedStyle(link).direction)
  assert.equal(await directionOf('plan (2).txt'), 'ltr')
  assert.equal(await directionOf('صورة (2).txt'), 'rtl')
  await close()
})

test('in the mosaic the left arrow moves to the next entry, and the right arrow back', async () => {
  const { page, close } = await open()
  await showMosaic(page)
  const [first, second] = await Promise.all([boxOf(entry(page, 'Drawings')), boxOf(entry(page, 'Invoices'))])
  assert.ok(second.right <= first.x, 'the second tile is at the left of the first')
  await entry(page, 'Drawings').focus()
  await page.keyboard.press('ArrowLeft')
  assert.equal(await focusedName(page), 'Invoices')
  await page.keyboard.press('ArrowRight')
  assert.equal(await focusedName(page), 'Drawings')
  await close()
})

test('chevrons point in reading direction', async () => {
  const { page, close } = await open('/files/Drawings/')
  assert.equal(await isMirrored(page.locator('.crumb-separator').first()), true)
  const [root, here] = await Promise.all([boxOf(page.locator('.crumb').first()), boxOf(page.locator('.crumb').last())])
  assert.ok(here.right <= root.x, 'the path goes to the left')
  await close()
})

test('menus open to the left of the pointer', async () => {
  const { page, close } = await open()
  const { x, y } = await middleOf(entry(page, 'zebra.txt'))
  await page.mouse.click(x, y, { button: 'right' })
  await menu(page).waitFor()
  const opened = await boxOf(menu(page))
  assert.ok(Math.abs(opened.right - x) <= 8, `${opened.right} is near ${x}`)
  await page.keyboard.press('Escape')
  const button = page.getByRole('button', { name: translate('ar', 'More'), exact: true })
  await button.click()
  await menu(page).waitFor()
  const [below, dots] = await Promise.all([boxOf(menu(page)), boxOf(button)])
  assert.ok(below.x >= 0 && Math.abs(below.x - dots.x) <= 8, 'the menu of the header is aligned with its button')
  await close()
})

test('the keys of a chord stand in the order in which they are named, also below the search', async () => {
  const { page, close } = await open()
  await page.keyboard.press('Control+f')
  const keys = page.locator('.modal-foot .key')
  await keys.first().waitFor()
  const starts = await keys.evaluateAll((all) => all.map((key) => [key.textContent, key.getBoundingClientRect().x] as const))
  const at = starts.findIndex(([name]) => name === 'Shift')
  const [shift, enter] = [starts[at]?.[1] ?? Number.NaN, starts[at + 1]?.[1] ?? Number.NaN]
  assert.ok(shift < enter, JSON.stringify(starts))
  await close()
})

test('the drag badge is at the left of the pointer', async () => {
  const { page, close } = await open()
  // Before the drag: a folder that the pointer rests on opens.
  const { x } = await middleOf(entry(page, 'Drawings'))
  await dragOver(page, entry(page, 'zebra.txt'), entry(page, 'Drawings'))
  await page.locator('.drag-badge').waitFor()
  const badge = await boxOf(page.locator('.drag-badge'))
  assert.ok(badge.right < x, 'the badge is at the left of the pointer')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await close()
})

test('a band is drawn where the pointer draws it', async () => {
  const { page, close } = await open()
  const pane = await boxOf(page.locator('.pane'))
  const row = await boxOf(entry(page, 'zebra.txt'))
  await page.mouse.move(pane.right - 8, row.y + row.height + 60)
  await page.mouse.down()
  await page.mouse.move(pane.right - 200, row.y + 10, { steps: 5 })
  await entry(page, 'zebra.txt').and(page.locator('[aria-selected="true"]')).waitFor()
  const band = await boxOf(page.locator('.band'))
  assert.ok(Math.abs(band.right - (pane.right - 8)) <= 4 && Math.abs(band.x - (pane.right - 200)) <= 4)
  await page.mouse.up()
  await close()
})

test('on a phone the drawer comes from the right, and a sheet takes the whole width', async () => {
  const { page, close } = await open('/files/', { width: 390, height: 844, touch: true })
  await page.getByRole('button', { name: translate('ar', 'Open sidebar'), exact: true }).tap()
  await page.locator('.scrim').waitFor()
  await page.waitForFunction(() => document.querySelector('.sidebar')?.getBoundingClientRect().right === innerWidth)
  await page.keyboard.press('Escape')
  await page.locator('.scrim').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: translate('ar', 'More'), exact: true }).tap()
  await menu(page).waitFor()
  await page.waitForFunction(() => document.querySelector('[role="menu"]')?.getBoundingClientRect().width === innerWidth)
  await close()
})
