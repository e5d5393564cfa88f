// The search: by keyboard alone, by pointer and by touch, against a real server.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, isSelected } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { forbidMouse } from '../support/touch.ts'
import { until } from '../support/until.ts'

const site = startSite({
  files: {
    'Mill House/Site visit/Weir from the bridge.jpg': 'picture',
    'Mill House/Planning/Licence for the weir.pdf': 'pdf',
    'Invoices/Weir repairs/': '',
    'Résumé of the field.txt': 'text',
    'notes.md': '',
  },
})

const field = (page: Page) => page.getByRole('combobox', { name: 'Search' })
const results = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
const names = (page: Page) => page.locator('.result-name').evaluateAll((all) => all.map((one) => one.textContent))
const chosen = (page: Page) => page.locator('.result-link[aria-selected="true"] .result-name')

async function search(page: Page, text: string, count: number): Promise<void> {
  await page.keyboard.press('Control+f')
  await field(page).fill(text)
  await page.locator('[role="listbox"][aria-busy="false"]').waitFor({ state: 'attached' })
  await until(async () => (await results(page).count()) === count, `${count} results for ${text}`)
}

test('Ctrl+F, / and the field of the header open the search; Esc closes it, and a second Ctrl+F is the browser’s', async () => {
  const { page, close } = await site.openListing()
  const open = [
    () => page.keyboard.press('Control+f'),
    () => page.keyboard.press('/'),
    () => page.getByRole('banner').getByRole('button', { name: 'Search my files' }).click(),
  ]
  for (const opens of open) {
    await opens()
    await until(() => field(page).evaluate((one) => one === document.activeElement), 'the field has the focus')
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Control+f')
  await field(page).waitFor()
  await page.evaluate(() => addEventListener('keydown', (event) => (document.title = `prevented ${event.defaultPrevented}`)))
  await page.keyboard.press('Control+f')
  assert.equal(await page.title(), 'prevented false')
  await close()
})

test('what is found shows its matching words and its folder, first what is in this folder', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/Mill%20House/' })
  await search(page, 'weir', 3)
  assert.deepEqual((await names(page)).sort(), ['Licence for the weir.pdf', 'Weir from the bridge.jpg', 'Weir repairs'])
  const groups = page.getByRole('listbox').getByRole('group')
  assert.equal(await groups.getByRole('option').count(), 3)
  assert.equal(await page.getByRole('group', { name: 'In this folder' }).getByRole('option').count(), 2)
  const elsewhere = page.getByRole('group', { name: 'Elsewhere' }).getByRole('option')
  assert.equal(await elsewhere.locator('mark').textContent(), 'Weir')
  const path = elsewhere.locator('.result-path')
  assert.equal((await path.textContent())?.replace(/[\u2068\u2069]/g, ''), 'My files / Invoices')
  assert.equal(await path.getAttribute('title'), await path.textContent(), 'the whole folder, where there is no room for it')
  await page.getByRole('status').filter({ hasText: '3 found' }).waitFor()
  await page.getByRole('button', { name: /^In .*Mill House/ }).click()
  await until(async () => (await results(page).count()) === 2, 'only what is in the folder')
  await close()
})

test('accents do not count, types can be pressed, and a query that is not understood is explained', async () => {
  const { page, close } = await site.openListing()
  await search(page, 'resume FIELD', 1)
  assert.deepEqual(await page.locator('.result mark').allTextContents(), ['Résumé', 'field'])
  await field(page).fill('weir')
  await page.getByRole('button', { name: 'PDF' }).click()
  await until(async () => (await names(page)).join() === 'Licence for the weir.pdf', 'the PDF')
  await page.getByRole('button', { name: 'Images' }).click()
  await until(async () => (await results(page).count()) === 2, 'pictures too')
  const types = page.getByRole('group', { name: 'Types' }).getByRole('button')
  const pressed = () => types.evaluateAll((all) => all.map((one) => `${one.textContent} ${one.getAttribute('aria-pressed')}`))
  assert.deepEqual(await pressed(), ['Images true', 'Music false', 'Video false', 'PDF true'])
  await page.getByRole('button', { name: 'PDF' }).click()
  await page.getByRole('button', { name: 'Images' }).click()
  for (const name of ['Music', 'Video']) {
    await page.getByRole('button', { name }).click()
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name }).click()
    await until(async () => (await results(page).count()) === 3, `without ${name}`)
  }
  await field(page).fill('size:large')
  await page.getByText('“size:” takes a size').waitFor()
  await field(page).fill('no such thing')
  await page.getByText('Nothing found').waitFor()
  await close()
})

test('by keyboard alone: arrows choose, Shift+Enter shows in the folder, Enter opens, Ctrl+Enter opens a tab', async () => {
  const { page, context, close } = await site.openListing()
  await search(page, 'weir', 3)
  await page.keyboard.press('ArrowDown')
  const first = await chosen(page).textContent()
  await page.keyboard.press('ArrowDown')
  await until(async () => (await chosen(page).textContent()) !== first, 'the next is chosen')
  const active = await field(page).getAttribute('aria-activedescendant')
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true')
  await field(page).fill('bridge')
  await until(async () => (await results(page).count()) === 1, 'one result')
  await page.keyboard.press('Shift+Enter')
  await isSelected(page, 'Weir from the bridge.jpg')
  assert.equal(decodeURI(new URL(page.url()).pathname), '/files/Mill House/Site visit/')
  await search(page, 'repairs', 1)
  // Not the one result of the search before.
  await results(page).filter({ hasText: 'Weir repairs' }).waitFor()
  const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await tab.waitForURL('**/files/Invoices/Weir%20repairs/')
  await tab.close()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/files/Invoices/Weir%20repairs/')
  await field(page).waitFor({ state: 'detached' })
  await close()
})

test('the commands act on a result, also in another folder, and the search is shown again after them', async () => {
  const { page, close } = await site.openListing()
  await search(page, 'bridge', 1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu')
  await menu.waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await until(() => field(page).evaluate((one) => one === document.activeElement), 'the field has the focus again')
  await page.keyboard.press('Shift+F10')
  for (const name of ['Open', 'Show in folder', 'Copy', 'Cut', 'Rename', 'Move to…', 'Information', 'Delete'])
    await menu
      .getByRole('menuitem', { name: new RegExp(`^${name}`) })
      .first()
      .waitFor()
  await menu.getByRole('menuitem', { name: /^Rename/ }).click()
  await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('Bridge.jpg')
  await page.keyboard.press('Enter')
  await until(async () => (await names(page)).join() === 'Bridge.jpg', 'the search shows the new name')
  assert.ok(existsSync(join(site.root, 'Mill House/Site visit/Bridge.jpg')))
  await results(page).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Nothing found').waitFor()
  assert.ok(!existsSync(join(site.root, 'Mill House/Site visit/Bridge.jpg')))
  await close()
})

test('fifty results are shown at first and fifty more at the end of the list, with their number', async () => {
  mkdirSync(join(site.root, 'many'))
  for (let index = 0; index < 220; index++) writeFileSync(join(site.root, 'many', `counted ${index}.txt`), '')
  const { page, close } = await site.openListing()
  await search(page, 'counted', 50)
  await page.getByRole('status').filter({ hasText: '220 found' }).waitFor()
  assert.equal(await results(page).first().getAttribute('aria-setsize'), '220')
  const toEnd = () => page.locator('.finder-list').evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await toEnd()
  await until(async () => (await results(page).count()) === 100, 'fifty more')
  await field(page).focus()
  await page.keyboard.press('ArrowUp')
  await until(async () => (await results(page).count()) === 220, 'the keyboard reaches the last')
  await close()
})

test('what is typed further, and closing, cancels the search on the server', async () => {
  const { page, close } = await site.openListing()
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  // A search that goes on until the client leaves.
  await page.route('**/api/search/**', () => undefined)
  await page.keyboard.press('Control+f')
  const [first, second] = [page.waitForRequest('**/api/search/**first'), page.waitForRequest('**/api/search/**second')]
  await field(page).fill('first')
  await first
  await field(page).fill('second')
  await until(() => failed.some((url) => url.includes('first')), 'the first is cancelled')
  await second
  await until(async () => (await page.getByRole('status').filter({ hasText: 'Searching' }).count()) === 1, 'it searches')
  await page.keyboard.press('Escape')
  await until(() => failed.some((url) => url.includes('second')), 'the second is cancelled')
  await close()
})

test('more results than are sent, and a search that is refused, are told', async () => {
  const { page, close } = await site.openListing()
  await page.route('**/api/search/**', (route) =>
    route.fulfill({ contentType: 'application/x-ndjson', body: '\n{"more":"time"}\n' }),
  )
  await page.keyboard.press('Control+f')
  await field(page).fill('weir')
  await page.getByText('stopped after 30 seconds').waitFor()
  await page.unroute('**/api/search/**')
  const found = ['weir', 'mill'].map((name) => `{"dir":true,"path":"${name}","name":"${name}"}\n`).join('')
  await page.route('**/api/search/**', (route) =>
    route.fulfill({ contentType: 'application/x-ndjson', body: `${found}{"more":"results"}\n` }),
  )
  await field(page).fill('weir or mill')
  await page.getByRole('status').filter({ hasText: 'More than 2 found' }).waitFor()
  assert.deepEqual(await names(page), ['mill', 'weir'])
  await page.unroute('**/api/search/**')
  await page.route('**/api/search/**', (route) => route.fulfill({ status: 503, body: '503 Service Unavailable\n' }))
  await field(page).fill('weir ')
  await field(page).fill('weir x')
  await page.getByText('The search failed').waitFor()
  await page.unroute('**/api/search/**')
  await field(page).fill('weir')
  await until(async () => (await results(page).count()) === 3, 'it works again')
  await close()
})

test('on a phone the search fills the screen, and a result is opened and acted on by touch', async () => {
  const { page, close } = await site.openListing(
    { width: 390, height: 844, touch: true },
    { prepare: ({ page }) => forbidMouse(page) },
  )
  await page.getByRole('banner').getByRole('button', { name: 'Search my files' }).tap()
  const size = async () => {
    const { width = 0, height = 0 } = (await page.locator('.finder-search').boundingBox()) ?? {}
    return `${width} × ${height}`
  }
  await until(async () => (await size()) === '390 × 844', 'it fills the screen')
  await field(page).fill('weir')
  await until(async () => (await results(page).count()) === 3, 'three results')
  for (const target of await page.locator('.result-link, .chip, .result-more').all()) {
    const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
    assert.ok(width >= 44 && height >= 44, `${width} × ${height}`)
  }
  await page.locator('.result', { hasText: 'bridge' }).locator('.result-more').tap()
  await page.getByRole('menuitem', { name: 'Show in folder' }).tap()
  await entry(page, 'Weir from the bridge.jpg').waitFor()
  await close()
})

test('the palette finds folders anywhere, and goes there', async () => {
  const { page, close } = await site.openListing()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('repairs')
  const line = page.getByRole('option', { name: /^Weir repairs .*My files.* \/ .*Invoices/ })
  await line.waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/files/Invoices/Weir%20repairs/')
  await close()
})
