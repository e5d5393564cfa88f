// Hidden folders of a path, addresses, reasons of disabled buttons, and descriptions are accessible.
import assert from 'node:assert/strict'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, pick } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ files: { 'one/two/three/four/five/deep.txt': 'deep', 'a b.txt': 'a', 'b.txt': 'b' } })

const menuItems = (page: Page) => page.getByRole('menuitem')
const hidden = (page: Page) =>
  page.getByRole('navigation', { name: 'Path' }).getByRole('button', { name: 'More folders in the path' })

test('a hidden breadcrumb opens a menu of the folders that it stands for', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/files/one/two/three/four/five/`)
  await entry(page, 'deep.txt').waitFor()
  await hidden(page).focus()
  await page.keyboard.press('Enter')
  await menuItems(page).first().waitFor()
  assert.deepEqual(await menuItems(page).allTextContents(), ['one', 'two'])
  await menuItems(page).filter({ hasText: 'one' }).click()
  await page.waitForURL(`${site.url}/files/one/`)
  await entry(page, 'two').waitFor()
  assert.equal(await hidden(page).count(), 0)
  await page.goto(`${site.url}/files/one/two/three/`)
  await entry(page, 'four').waitFor()
  assert.equal(await hidden(page).count(), 0, 'nothing is hidden when there is room')
  await close()
})

test('on a phone the folders that do not fit are in the menu, with the root', async () => {
  const { page, close } = await site.openListing({ width: 390, height: 844, touch: true })
  await page.goto(`${site.url}/files/one/two/three/four/`)
  await entry(page, 'five').waitFor()
  await hidden(page).tap()
  await menuItems(page).first().waitFor()
  assert.deepEqual(await menuItems(page).allTextContents(), ['My files', 'one', 'two'])
  await menuItems(page).filter({ hasText: 'My files' }).tap()
  await page.waitForURL(`${site.url}/files/`)
  await close()
})

for (const isSecure of [true, false])
  test(`Copy address copies the address of the item${isSecure ? '' : ', also in a page that came over plain HTTP'}`, async () => {
    const { page, context, close } = await site.openListing()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    if (!isSecure) await page.evaluate(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    await entry(page, 'a b.txt').click({ button: 'right' })
    await menuItems(page).first().waitFor()
    assert.deepEqual((await menuItems(page).allTextContents()).slice(0, 2), ['Open↵', 'Copy address'])
    await menuItems(page).filter({ hasText: 'Copy address' }).click()
    await noticeShown(page, 'Address copied')
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.url}/files/a%20b.txt`)
    await close()
  })

test('a disabled button of the toolbar can be reached, says why, and does nothing', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a b.txt', 'b.txt')
  const rename = page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Rename (Select one item only)' })
  await rename.focus()
  await rename.and(page.locator(':focus')).waitFor()
  assert.equal(await rename.getAttribute('aria-disabled'), 'true')
  await page.keyboard.press('Enter')
  assert.equal(await page.getByLabel('New name').count(), 0)
  await close()
})

test('a dialog announces its description', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt')
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The trash keeps this for 30 days.').waitFor()
  const description = await dialog.evaluate(
    (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
  )
  assert.match(description ?? '', /The trash keeps this for 30 days\.$/)
  await page.keyboard.press('Escape')
  await close()
})

for (const [place, enter] of [
  ['menu', (page: Page) => page.getByRole('banner').getByRole('button', { name: 'More' }).click()],
  ['field', (page: Page) => page.locator('.searchbox').first().click()],
] as const)
  test(`the end of a deletion does not take the focus from a ${place}`, async () => {
    const { page, close } = await site.openListing()
    await pick(page, 'b.txt')
    await page.keyboard.press('Delete')
    const isAsked = Promise.withResolvers<void>()
    const mayAnswer = Promise.withResolvers<void>()
    await page.route(/\/api\/resources\/(\?|$)/, async (route) => {
      isAsked.resolve()
      await mayAnswer.promise
      await route.continue()
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await isAsked.promise
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await enter(page)
    await page.locator('[role="menu"], input:focus').first().waitFor()
    mayAnswer.resolve()
    await noticeShown(page, '1 item moved to the trash')
    // The focus moves when the listing has been drawn again.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    assert.ok(await page.locator('[role="menu"], input:focus').first().isVisible())
    await close()
  })

test('ids of the palette are valid, and the field names the line that is active', async () => {
  const { page, close } = await site.openListing()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('one')
  await page.getByRole('option', { name: 'one', exact: true }).waitFor()
  const ids = await page.getByRole('option').evaluateAll((options) => options.map(({ id }) => id))
  for (const id of ids) assert.match(id, /^\S+$/)
  const active = await page.getByRole('combobox').getAttribute('aria-activedescendant')
  assert.ok(ids.includes(active ?? ''), `${active} is one of ${ids.join(', ')}`)
  await close()
})

test('links in the text of a dialog are underlined', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt')
  await page.keyboard.press('Alt+Enter')
  const link = page.getByRole('dialog', { name: 'Information' }).getByRole('link')
  await link.waitFor()
  const shown = await link.evaluate((element) => {
    const { textDecorationLine, textDecorationColor } = getComputedStyle(element)
    return { textDecorationLine, textDecorationColor }
  })
  assert.equal(shown.textDecorationLine, 'underline')
  assert.notEqual(shown.textDecorationColor, 'rgba(0, 0, 0, 0)')
  await close()
})

test('symbolic links show that they are links, in the list, in the mosaic and in the information', async () => {
  const { page, close } = await site.openListing()
  await symlink('b.txt', join(site.root, 'to b.txt'))
  await symlink('one', join(site.root, 'to one'))
  await page.reload()
  const hasBadge = async (name: string) => (await entry(page, name).locator('.file-icon .file-link').count()) > 0
  for (const view of ['Tiles', 'List']) {
    await page.getByRole('button', { name: view, exact: true }).click()
    await entry(page, 'to b.txt').getByText('Symbolic link').waitFor()
    const badges = await Promise.all(['to b.txt', 'to one', 'b.txt', 'one'].map(hasBadge))
    assert.deepEqual(badges, [true, true, false, false])
  }
  await pick(page, 'to b.txt')
  await page.keyboard.press('Alt+Enter')
  await page.getByRole('dialog', { name: 'Information' }).getByText('Symbolic link').waitFor()
  await close()
})

test('Refresh shows files that were added to the folder meanwhile', async () => {
  const { page, close } = await site.openListing()
  await writeFile(join(site.root, 'later.txt'), 'later')
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Refresh' }).click()
  await entry(page, 'later.txt').waitFor()
  await close()
})
