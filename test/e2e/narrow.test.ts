// Sheets and the drawer of a narrow window: no press reaches the page behind them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, middleOf, pick, selectedNames } from '../support/listing.ts'
import { startSite } from '../support/site.ts'

const notes = Array.from({ length: 12 }, (_, index) => [`note ${10 + index}.txt`, 'note'])
const lake = 'Photographs of the summer/2026/Garden and house at the lake'
const site = startSite({ files: { 'Drawings/': '', [`${lake}/x.txt`]: 'x', ...Object.fromEntries(notes) } })

const phone = { width: 390, height: 844, touch: true }
const menu = (page: Page) => page.getByRole('menu')
const drawer = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' })
const openDrawer = (page: Page) => page.getByRole('button', { name: 'Open sidebar' }).click()

test('under 736 px with a mouse, the release of the right button runs nothing of the sheet that opened under the pointer', async () => {
  const { page, close } = await site.openListing({ width: 700, height: 800 })
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

test('under 736 px the fields of a link for files stand in pairs, and the unit of a size beside its number', async () => {
  const { page, close } = await site.openListing({ width: 700, height: 800 })
  await entry(page, 'Drawings').click({ button: 'right' })
  await menu(page).getByRole('menuitem', { name: 'Request files' }).click()
  const form = page.getByRole('dialog', { name: 'Receive files in a folder' })
  const topOf = async (label: string) => Math.round((await form.getByLabel(label).boundingBox())?.y ?? Number.NaN)
  const [file, all, files, anHour] = [
    await topOf('One file at most'),
    await topOf('Altogether at most'),
    await topOf('Most files'),
    await topOf('Files an hour from one address'),
  ]
  assert.deepEqual([all, anHour], [file, files])
  const unit = await form.getByRole('combobox', { name: 'Unit of size' }).first().boundingBox()
  assert.equal(Math.round(unit?.y ?? Number.NaN), file)
  await close()
})

test('a tap on the dimmed page beside the drawer closes it and reaches nothing below', async () => {
  // So high that the sheet leaves an entry uncovered.
  const { page, close } = await site.openListing({ ...phone, height: 1100 })
  await openDrawer(page)
  const below = await entry(page, 'Drawings').boundingBox()
  assert.ok(below)
  await page.touchscreen.tap(320, below.y + 20)
  await drawer(page).waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).pathname, '/files/')
  assert.deepEqual(await selectedNames(page), [])
  await close()
})

test('a click on the dimmed page beside the drawer closes it and reaches nothing below', async () => {
  const { page, close } = await site.openListing({ width: 700, height: 800 })
  await openDrawer(page)
  const below = await entry(page, 'Drawings').boundingBox()
  assert.ok(below)
  await page.mouse.click(500, below.y + 20)
  await drawer(page).waitFor({ state: 'hidden' })
  assert.deepEqual(await selectedNames(page), [])
  await close()
})

test('a tap on the dimmed page above a sheet closes it and reaches nothing below', async () => {
  // So high that the sheet leaves an entry uncovered.
  const { page, close } = await site.openListing({ ...phone, height: 1100 })
  await entry(page, 'note 20.txt').getByRole('button', { name: 'Actions' }).tap()
  await menu(page).waitFor()
  const topOfNotices = () => page.locator('.toasts').evaluate((notices) => Number.parseFloat(getComputedStyle(notices).top))
  assert.equal(await topOfNotices(), 8, 'the notices are above the sheet')
  const below = await entry(page, 'Drawings').boundingBox()
  assert.ok(below)
  await page.touchscreen.tap(200, below.y + 20)
  await menu(page).waitFor({ state: 'detached' })
  assert.ok((await topOfNotices()) > 8)
  assert.equal(new URL(page.url()).pathname, '/files/')
  assert.deepEqual(await selectedNames(page), ['note 20.txt'])
  await close()
})

test('Tab stays in the drawer, and the focus goes back to the button that opened it', async () => {
  const { page, close } = await site.openListing({ width: 700, height: 800 })
  await openDrawer(page)
  await drawer(page).locator(':focus').waitFor()
  // After the last control the focus moves to the browser's own controls, and document.activeElement is the body.
  const outside = () => page.evaluate(() => document.querySelector(':focus:not(body, .sidebar *)')?.outerHTML)
  for (let count = 0; count < 12; count++) {
    await page.keyboard.press('Tab')
    assert.equal(await outside(), undefined)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open sidebar' }).and(page.locator(':focus')).waitFor()
  await close()
})

test('a window that is made wider has no drawer, and the whole page works', async () => {
  const { page, close } = await site.openListing({ width: 700, height: 800 })
  await openDrawer(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await entry(page, 'note 10.txt').click()
  assert.deepEqual(await selectedNames(page), ['note 10.txt'])
  await close()
})

/** Whether the path ends before what stands beside it. */
const fits = (page: Page) => page.locator('.crumbs-nav').evaluate((path) => path.scrollWidth <= path.clientWidth)

/** Whether a text is shown whole, and how wide it is. */
const textOf = (page: Page, crumb: string) =>
  page
    .locator(crumb)
    .locator('span')
    .evaluate((span) => ({ isWhole: span.scrollWidth <= span.clientWidth, width: span.clientWidth }))

for (const view of [{ width: 720, height: 800 }, phone])
  test(`at ${view.width} px New is in the header, the view is one button, and the path shows folder and parent`, async () => {
    const { page, close } = await site.openListing(view, { path: `/files/${encodeURI(lake)}/` })
    const banner = page.getByRole('banner')
    const starts: number[] = []
    for (const name of ['Search', 'New', 'Upload', 'More']) {
      const box = await banner.getByRole('button', { name, exact: name !== 'Search' }).boundingBox()
      starts.push(box?.x ?? Number.NaN)
    }
    assert.deepEqual(
      starts,
      starts.toSorted((one, other) => one - other),
    )
    assert.equal(await page.locator('.pathbar-tools').getByRole('button').count(), 2, 'order and view')
    const parent = await textOf(page, '.crumb-back')
    const current = await textOf(page, '.crumb[aria-current]')
    assert.ok(parent.isWhole && parent.width > 0, 'the parent is shown')
    assert.ok(current.width >= 120, `the folder has ${current.width} px`)
    assert.ok(await fits(page))
    await page.getByRole('button', { name: 'Tiles', exact: true }).click()
    await page.locator('.mosaic[role="grid"]').waitFor()
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.locator('.list[role="grid"]').waitFor()
    await close()
  })

test('beside a selection the folder keeps its place in the path', async () => {
  const { page, close } = await site.openListing({ width: 1000, height: 800 }, { path: `/files/${encodeURI(lake)}/` })
  await pick(page, 'x.txt')
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor()
  const current = await textOf(page, '.crumb[aria-current]')
  assert.ok(current.width >= 96, `the folder has ${current.width} px`)
  assert.ok(await fits(page))
  assert.deepEqual((await textOf(page, '.crumb-back')).isWhole, true)
  await close()
})
