// A tablet: a wide touch screen, without hover.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entry, selectedNames } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { forbidMouse, longPress, smallTargets } from '../support/touch.ts'

const site = startSite({ files: { 'Drawings/': '', 'Invoices/': '', 'a.txt': 'a', 'b.txt': 'b' } })

const tablet = { width: 1180, height: 820, touch: true }

for (const [view, name] of [
  ['List', 'a.txt'],
  ['List', 'Drawings'],
  ['Tiles', 'a.txt'],
  ['Tiles', 'Drawings'],
] as const)
  test(`on touch at 1180 px ${name} has its menu button in the ${view.toLowerCase()}, 44 px in size`, async () => {
    const { page, close } = await site.openListing(tablet, { prepare: (person) => forbidMouse(person.page) })
    await page.getByRole('button', { name: view, exact: true }).tap()
    await page
      .locator(view === 'List' ? '.row[data-entry]' : '.folder-tile[data-entry]')
      .first()
      .waitFor()
    const more = entry(page, name).getByRole('button', { name: 'Actions' })
    const isSeen = await more.evaluate((button) => button.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    assert.ok(isSeen, 'it is visible without hover')
    assert.deepEqual(await smallTargets(page.locator('.pane')), [])
    await more.tap()
    await page
      .getByRole('menu')
      .getByRole('menuitem', { name: /^Information/ })
      .waitFor()
    assert.deepEqual(await selectedNames(page), [name])
    await close()
  })

test('on touch at 1180 px the selection has a button for all its commands, with the reasons', async () => {
  const { page, close } = await site.openListing(tablet)
  await longPress(page, 'a.txt')
  await entry(page, 'b.txt').tap()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'More' }).tap()
  await page
    .getByRole('menuitem', { name: /^Rename/ })
    .getByText('Select one item only')
    .waitFor()
  await close()
})
