// The specification's prompts in the file area: newFile, rename, delete, move, copy, info. One at a time; Esc and the
// backdrop close them; Enter submits; the focus goes back.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import iconv from 'iconv-lite'
import { tarOf } from '../support/attack-tar.ts'
import { entry, focusedName, goInto, isSelected, pick, selectedNames, startRename } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { startSite } from '../support/site.ts'
import { longPress } from '../support/touch.ts'
import { until } from '../support/until.ts'

const site = startSite({
  view: { motion: true },
  files: { 'a.txt': 'a', 'b.txt': 'bb', 'c.txt': 'ccc', 'Drawings/roof.txt': 'roof', 'Invoices/': '' },
})
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const inRoot = (...names: string[]) => join(site.root, ...names)

test('New file: Enter makes it, it is listed, selected, and empty', async () => {
  const { page, close } = await site.openListing()
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'New file' }).click()
  await dialog(page, 'New file').getByLabel('Name').fill('a.txt')
  await page.keyboard.press('Enter')
  await dialog(page, 'New file').getByText('already here').waitFor()
  await page.getByLabel('Name').fill('  notes.md ')
  await page.keyboard.press('Enter')
  await isSelected(page, 'notes.md')
  assert.equal(readFileSync(inRoot('notes.md'), 'utf8'), '')
  await close()
})

test('F2 renames in place: the name without its ending is selected, Enter saves', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt')
  await startRename(page)
  await page.keyboard.type('zebra')
  await page.keyboard.press('Enter')
  await isSelected(page, 'zebra.txt')
  await until(async () => (await focusedName(page)) === 'zebra.txt', 'the keyboard is at the renamed row')
  assert.equal(readFileSync(inRoot('zebra.txt'), 'utf8'), 'bb')
  assert.equal(existsSync(inRoot('b.txt')), false)
  await close()
})

test('F2: Esc restores, and a name that is taken is said beside the field', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt')
  await page.keyboard.press('F2')
  await page.getByLabel('New name').fill('c.txt')
  await page.keyboard.press('Enter')
  await rowFieldError(page).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('New name').waitFor({ state: 'detached' })
  await isSelected(page, 'b.txt')
  await until(async () => (await focusedName(page)) === 'b.txt', 'the keyboard is back at the row')
  assert.deepEqual(readdirSync(site.root).sort(), ['Drawings', 'Invoices', 'a.txt', 'b.txt', 'c.txt'])
  await close()
})

const rowFieldError = (page: Page) => page.getByRole('grid').getByRole('alert').filter({ hasText: 'already here' })

test('F2: a click elsewhere renames too', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt')
  await page.keyboard.press('F2')
  await page.getByLabel('New name').fill('other.txt')
  await entry(page, 'c.txt').locator('.row-date').click()
  await entry(page, 'other.txt').waitFor()
  await isSelected(page, 'c.txt')
  await close()
})

test('Rename needs exactly one selected item: with two F2 does nothing', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'b.txt')
  await page.keyboard.press('F2')
  assert.equal(await page.getByLabel('New name').count(), 0)
  await page.getByRole('toolbar').getByRole('button', { name: 'Rename (Select one item only)' }).waitFor()
  await close()
})

test('F2 renames in place in the mosaic too, and says below the field what is wrong', async () => {
  const { page, close } = await site.openListing()
  await page.getByRole('button', { name: 'Tiles', exact: true }).click()
  const tile = page.getByRole('gridcell').filter({ has: page.getByRole('link', { name: 'b.txt', exact: true }) })
  await tile.click()
  await page.keyboard.press('F2')
  const field = page.getByRole('textbox', { name: 'New name' })
  await field.fill('a.txt')
  await page.keyboard.press('Enter')
  await page.getByText('A file with this name is already here').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await field.fill('z.txt')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'z.txt', exact: true }).waitFor()
  await field.waitFor({ state: 'detached' })
  await close()
})

test('At 736 px or narrower rename asks in a dialog', async () => {
  const person = await site.openListing({ width: 390, height: 844, touch: true })
  const { page } = person
  await longPress(page, 'b.txt')
  await page.getByRole('toolbar').getByRole('button', { name: 'Rename' }).tap()
  await dialog(page, 'Rename').getByLabel('New name').fill('phone.txt')
  await dialog(page, 'Rename').getByRole('button', { name: 'Rename' }).tap()
  await entry(page, 'phone.txt').waitFor()
  await person.close()
})

test('At 736 px or narrower the keyboard is at the renamed row after the dialog', async () => {
  const { page, close } = await site.openListing({ width: 700, height: 800 })
  await pick(page, 'b.txt')
  await page.keyboard.press('F2')
  await dialog(page, 'Rename').getByLabel('New name').fill('zebra.txt')
  await page.keyboard.press('Enter')
  await dialog(page, 'Rename').waitFor({ state: 'detached' })
  await isSelected(page, 'zebra.txt')
  await until(async () => (await focusedName(page)) === 'zebra.txt', 'the keyboard is at the renamed row')
  await close()
})

test('Delete names what will be deleted, Cancel has the focus, and the focus is on the neighbour afterwards', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt')
  await page.keyboard.press('Delete')
  const asked = dialog(page, /^Delete .*b\.txt.*\?$/)
  await asked.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await until(async () => (await focusedName(page)) === 'b.txt', 'the focus is back')
  await page.keyboard.press('Delete')
  await asked.getByRole('button', { name: 'Delete', exact: true }).click()
  await until(async () => (await focusedName(page)) === 'c.txt', 'the keyboard is at the neighbour')
  assert.deepEqual(await selectedNames(page), [])
  assert.equal(existsSync(inRoot('b.txt')), false)
  await close()
})

test('Deleting several items says how many, and deletes folders with their content', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'b.txt', 'c.txt', 'Drawings')
  await page.keyboard.press('Delete')
  const asked = dialog(page, 'Delete 4 items?')
  await asked.getByText('2 more').waitFor()
  await asked.getByText('4 files, 10 bytes in total.').waitFor()
  await asked.getByRole('button', { name: 'Delete', exact: true }).click()
  // The items leave the listing one after another, so that the keyboard is at what is left before the last of them has gone.
  await until(async () => (await page.locator('[data-entry]').count()) === 1, 'what is left is listed alone')
  await until(async () => (await focusedName(page)) === 'Invoices', 'the keyboard is at what is left')
  assert.deepEqual(await selectedNames(page), [])
  assert.deepEqual(
    readdirSync(site.root).filter((name) => name !== '.holdall-trash'),
    ['Invoices'],
  )
  await close()
})

test('A failed delete shows an error toast and reloads the listing', async () => {
  const { page, close } = await site.openListing()
  await page.route('**/api/resources/b.txt*', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 403, body: '403 Forbidden' }) : route.continue(),
  )
  await pick(page, 'b.txt')
  const reloaded = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith('/api/resources/?content=false'),
  )
  await page.keyboard.press('Delete')
  await dialog(page, /^Delete/)
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await page.getByText('1 item was not deleted').waitFor()
  await reloaded
  await isSelected(page, 'b.txt')
  await close()
})

test('Move: with the arrow keys only; disabled in the folder of the items; a folder cannot go into itself', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'Drawings')
  await page.getByRole('toolbar').getByRole('button', { name: 'Move to…' }).click()
  const asked = dialog(page, 'Move 2 items')
  await asked.getByRole('option', { name: 'Drawings' }).waitFor()
  assert.equal(await asked.getByRole('button', { name: 'Move here' }).isDisabled(), true)
  await page.keyboard.press('ArrowDown')
  await asked.getByText('A folder cannot be put inside itself.').waitFor()
  assert.equal(await asked.getByRole('button', { name: 'Move here' }).isDisabled(), true)
  await page.keyboard.press('ArrowDown')
  await asked.getByText(/^to .*Invoices/).waitFor()
  await page.keyboard.press('Enter')
  await noticeShown(page, '2 items moved')
  assert.deepEqual(readdirSync(inRoot('Invoices')).sort(), ['Drawings', 'a.txt'])
  await until(async () => (await focusedName(page)) === 'b.txt', 'the keyboard is at the neighbour')
  assert.deepEqual(await selectedNames(page), [])
  await close()
})

test('Move: breadcrumbs lead out, right goes in, and a new folder is made on the way', async () => {
  const { page, close } = await site.openListing()
  await goInto(page, 'Drawings')
  await pick(page, 'roof.txt')
  await page.getByRole('toolbar').getByRole('button', { name: 'Move to…' }).click()
  const asked = dialog(page, /^Move .*roof\.txt/)
  await asked.getByText('No folders in here').waitFor()
  await asked.getByRole('button', { name: 'My files' }).click()
  await asked.getByRole('option', { name: 'Invoices' }).waitFor()
  await asked.getByRole('listbox').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await asked.getByText('No folders in here').waitFor()
  await asked.getByRole('button', { name: 'New folder here' }).click()
  await asked.getByLabel('Name of the new folder').fill('2026')
  await page.keyboard.press('Enter')
  await asked.getByRole('option', { name: '2026', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await noticeShown(page, '1 item moved')
  assert.equal(readFileSync(inRoot('Invoices', '2026', 'roof.txt'), 'utf8'), 'roof')
  await close()
})

test('Copy: a click marks a folder, the button copies there', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'c.txt')
  await page.getByRole('toolbar').getByRole('button', { name: 'Copy to…' }).click()
  const asked = dialog(page, /^Copy .*c\.txt/)
  await asked.getByRole('option', { name: 'Drawings' }).click()
  await asked.getByRole('button', { name: 'Copy here' }).click()
  await noticeShown(page, '1 item copied to')
  assert.equal(readFileSync(inRoot('Drawings', 'c.txt'), 'utf8'), 'ccc')
  assert.equal(existsSync(inRoot('c.txt')), true)
  await isSelected(page, 'c.txt')
  await close()
})

test('Information: name, size, date and kind of one; counts of several and of the folder', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'c.txt')
  await page.keyboard.press('Alt+Enter')
  const asked = dialog(page, 'Information')
  await asked.getByText('Text (').waitFor()
  assert.match((await asked.textContent()) ?? '', /3 bytes/)
  await page.keyboard.press('Enter')
  await asked.waitFor({ state: 'detached' })
  await pick(page, 'a.txt', 'c.txt', 'Drawings')
  await page.keyboard.press('Alt+Enter')
  await asked.getByText('1 folder and 2 files').waitFor()
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+Enter')
  await asked.getByText('2 folders and 3 files').waitFor()
  await close()
})

const prompts: [name: string, open: (page: Page) => Promise<void>][] = [
  ['New file', (page) => page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'New file' }).click()],
  ['Delete', (page) => page.keyboard.press('Delete')],
  ['Move', (page) => page.getByRole('toolbar').getByRole('button', { name: 'Move to…' }).click()],
  ['Copy', (page) => page.getByRole('toolbar').getByRole('button', { name: 'Copy to…' }).click()],
  ['Information', (page) => page.keyboard.press('Alt+Enter')],
]

test('Every prompt closes by Esc and by its backdrop, and gives the focus back', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt')
  for (const [name, open] of prompts) {
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await open(page)
      await dialog(page, new RegExp(`^${name}`)).waitFor()
      await page.waitForFunction(() => document.getAnimations().length === 0)
      const isInside = await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)
      assert.equal(isInside, true, `${name} has the focus`)
      await leave()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await until(() => page.evaluate(() => document.activeElement !== document.body), `${name} gives the focus back`)
    }
  }
  await close()
})

test('Compress here makes an archive beside the entries, and Extract here makes them of it; both are undone', async () => {
  mkdirSync(inRoot('Plans'))
  for (const name of ['one', 'two']) writeFileSync(inRoot('Plans', name), name)
  const { page, close } = await site.openListing()
  const choose = async (name: string) => {
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name }).click()
  }
  await pick(page, 'Plans')
  await choose('Compress here…')
  const asked = dialog(page, 'Create an archive')
  const focused = asked.getByLabel('Name').and(page.locator(':focus'))
  await focused.waitFor()
  assert.equal(await asked.getByLabel('Name').inputValue(), 'Plans')
  await page.keyboard.press('Enter')
  await isSelected(page, 'Plans.zip')
  await noticeShown(page, 'The archive was created')
  await pick(page, 'Plans')
  await choose('Compress here…')
  await focused.waitFor()
  await page.keyboard.press('Enter')
  await asked.getByText('already here').waitFor()
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await pick(page, 'Plans.zip')
  await choose('Extract here')
  await isSelected(page, 'Plans(1)')
  assert.deepEqual(readdirSync(inRoot('Plans(1)')).sort(), ['one', 'two'])
  await noticeShown(page, 'Extracted to')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(() => !existsSync(inRoot('Plans(1)')), 'what was extracted is gone')
  await pick(page, 'Plans')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Compress here…' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Extract here' }).count(), 0)
  await close()
})

test('Extract here asks which names are right where an archive does not say it', async () => {
  writeFileSync(inRoot('old.tar'), tarOf([{ name: iconv.encode('папка/файл с длинным именем.txt', 'win1251'), content: 'A' }]))
  const { page, close } = await site.openListing()
  await pick(page, 'old.tar')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Extract here' }).click()
  const asked = dialog(page, 'Which names are right?')
  const choice = asked.getByRole('radio', { name: 'папка/файл с длинным именем.txt' })
  await choice.and(page.locator(':focus')).waitFor()
  assert.equal(await choice.isChecked(), true)
  await page.keyboard.press('Enter')
  await isSelected(page, 'папка')
  assert.deepEqual(readdirSync(inRoot('папка')), ['файл с длинным именем.txt'])
  await close()
})
