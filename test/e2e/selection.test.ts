// The specification's rows about selecting with keyboard and pointer, in a real browser.
import assert from 'node:assert/strict'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, focusedName, focusListing, goInto, isFocused, isSelected, selectedNames } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { a: '1', b: '22', c: '333', d: '4444', e: '55555', 'folder/inside': 'x' } })
const names = async (page: Page) => (await selectedNames(page)).join(' ')
const click = (page: Page, name: string, ...modifiers: ('Control' | 'Shift')[]) => entry(page, name).click({ modifiers })

test('Click selects only that item', async () => {
  const { page, close } = await site.openListing()
  await click(page, 'b')
  assert.equal(await names(page), 'b')
  await click(page, 'd')
  assert.equal(await names(page), 'd')
  await close()
})

test('Ctrl-click adds, and takes out again', async () => {
  const { page, close } = await site.openListing()
  await click(page, 'b')
  await click(page, 'd', 'Control')
  assert.equal(await names(page), 'b d')
  await click(page, 'b', 'Control')
  assert.equal(await names(page), 'd')
  await close()
})

test('Multiple mode adds: every click, until it is cleared', async () => {
  const { page, close } = await site.openListing()
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Select several' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByText('Select items').waitFor()
  for (const name of ['a', 'c', 'e']) await click(page, name)
  assert.equal(await names(page), 'a c e')
  await entry(page, 'c').dblclick()
  assert.equal(await names(page), 'a c e')
  await click(page, 'c')
  assert.equal(await names(page), 'a e')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
  await click(page, 'a')
  await click(page, 'b')
  assert.equal(await names(page), 'b')
  await close()
})

test('Shift-click selects a range from the first selected, Ctrl+Shift-click adds one', async () => {
  const { page, close } = await site.openListing()
  await click(page, 'b')
  await click(page, 'd', 'Shift')
  assert.equal(await names(page), 'b c d')
  await click(page, 'a', 'Shift')
  assert.equal(await names(page), 'a b')
  await click(page, 'd', 'Control')
  await click(page, 'e', 'Control', 'Shift')
  assert.equal(await names(page), 'a b c d e')
  await close()
})

test('Arrow keys move and select; Shift extends; Ctrl moves alone and Ctrl+Space toggles', async () => {
  const { page, close } = await site.openListing()
  await click(page, 'a')
  await page.keyboard.press('ArrowDown')
  assert.equal(await names(page), 'b')
  await page.keyboard.press('Shift+ArrowDown')
  assert.equal(await names(page), 'b c')
  await page.keyboard.press('Control+ArrowDown')
  await page.keyboard.press('Control+ArrowDown')
  assert.deepEqual([await names(page), await focusedName(page)], ['b c', 'e'])
  await page.keyboard.press('Control+Space')
  assert.equal(await names(page), 'b c e')
  await close()
})

test('Arrow keys reach names that cannot be decoded, also two that look alike', async () => {
  const odd = [0xfe, 0xff].map((byte) => Buffer.concat([Buffer.from(join(site.root, 'folder/odd')), Buffer.of(byte)]))
  for (const path of odd) writeFileSync(path, '')
  const { page, close } = await site.openListing()
  await goInto(page, 'folder')
  await click(page, 'inside')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-entry'))
  const keys = [await focused()]
  for (let time = 0; time < 2; time++) {
    await page.keyboard.press('ArrowDown')
    keys.push(await focused())
  }
  assert.deepEqual([keys[0], new Set(keys).size], ['/folder/inside', 3])
  await close()
  // The folder is removed by names that are text.
  for (const path of odd) rmSync(path)
})

test('Home, End, PageUp and PageDown move, and extend with Shift', async () => {
  const many = Array.from({ length: 60 }, (_, index) => [`f${String(index + 1).padStart(2, '0')}`, ''])
  await site.putFiles(Object.fromEntries(many))
  const { page, close } = await site.openListing()
  await focusListing(page)
  await page.keyboard.press('End')
  await isSelected(page, 'f60')
  await page.keyboard.press('Home')
  await isSelected(page, 'f01')
  await page.keyboard.press('Shift+PageDown')
  const count = page.getByRole('toolbar', { name: 'Selection' }).getByText(/selected/)
  const aPage = Number.parseInt((await count.textContent()) ?? '', 10)
  assert.ok(aPage > 5 && aPage < 40, `a page is ${aPage} rows`)
  await page.keyboard.press('Shift+PageUp')
  await count
    .getByText(/^1 selected/)
    .or(page.getByText(/^1 selected/))
    .first()
    .waitFor()
  await page.keyboard.press('Shift+End')
  await page
    .getByText(/^60 selected/)
    .first()
    .waitFor()
  await page.keyboard.press('PageUp')
  await isFocused(page, `f${61 - aPage}`)
  await close()
})

test('Ctrl+A selects all; Esc closes the overlay first and then clears the selection', async () => {
  const { page, close } = await site.openListing()
  await focusListing(page)
  await page.keyboard.press('Control+a')
  assert.equal(await names(page), 'folder a b c d e')
  await page.keyboard.press('F1')
  await page.getByRole('dialog', { name: 'Help' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal((await selectedNames(page)).length, 6)
  await page.keyboard.press('Escape')
  assert.equal(await names(page), '')
  await close()
})

test('Esc ends a rename before it clears the selection', async () => {
  const { page, close } = await site.openListing()
  await click(page, 'c')
  await page.keyboard.press('F2')
  await page.getByLabel('New name').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('New name').waitFor({ state: 'detached' })
  assert.equal(await names(page), 'c')
  await page.keyboard.press('Escape')
  assert.equal(await names(page), '')
  await close()
})

test('Double-click opens a folder, and the page of a file', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'b').dblclick()
  await page.waitForURL(`${site.url}/files/b`)
  await page.getByRole('heading', { name: 'b' }).waitFor()
  await page.goBack()
  await entry(page, 'folder').dblclick()
  await page.waitForURL(`${site.url}/files/folder/`)
  await entry(page, 'inside').waitFor()
  await close()
})

test('Ctrl+S downloads one selected file', async () => {
  const { page, close } = await site.openListing()
  await click(page, 'c')
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')])
  assert.equal(download.suggestedFilename(), 'c')
  await close()
})

test('A selection is by identity: it survives sorting and refresh', async () => {
  const { page, close } = await site.openListing()
  for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) utimesSync(join(site.root, name), index, index)
  await click(page, 'b')
  await click(page, 'd', 'Control')
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await page.locator('[role=columnheader][aria-sort=descending]', { hasText: 'Size' }).waitFor()
  assert.equal(await names(page), 'd b')
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog', { name: 'New folder' }).locator('input:focus').waitFor()
  await page.keyboard.type('new one')
  await page.keyboard.press('Enter')
  await isSelected(page, 'new one')
  await close()
})

test('Back at the first address of a visit closes a menu, and the next one leaves; nothing is loaded again', async () => {
  const read: string[] = []
  const { page, close } = await site.openListing(
    {},
    {
      prepare: async ({ page }) => {
        page.on('requestfinished', (request) => void (request.url().includes('/api/resources') && read.push(request.url())))
      },
    },
  )
  // When the page begins to follow the folder, it reads once more what may have changed since the first listing.
  await until(() => read.length === 2, 'the folder is read twice')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menu').waitFor()
  await page.evaluate(() => history.back())
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.waitForFunction(() => (history.state as { position?: number }).position === 1)
  assert.deepEqual([page.url(), asked.filter((url) => url.includes('/api/resources'))], [`${site.url}/files/`, []])
  await entry(page, 'a').waitFor()
  await page.evaluate(() => history.back())
  await page.waitForURL((url) => !url.href.startsWith(site.url) || url.pathname !== '/files/')
  await close()
})

test('A route change clears the selection, turns off multiple selection and closes prompts', async () => {
  const { page, close } = await site.openListing()
  await goInto(page, 'folder')
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Select several' }).click()
  await click(page, 'inside')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').waitFor()
  // The first step back closes the prompt, and the folder stays.
  await page.evaluate(() => history.back())
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForURL(`${site.url}/files/folder/`)
  await isSelected(page, 'inside')
  await page.goBack()
  await page.waitForURL(`${site.url}/files/`)
  await entry(page, 'a').waitFor()
  assert.deepEqual(
    (await selectedNames(page)).filter((name) => name !== 'folder'),
    [],
  )
  await click(page, 'a')
  await click(page, 'b')
  assert.equal(await names(page), 'b')
  await close()
})
