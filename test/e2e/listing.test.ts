// The specification's file area, one test per row, in a real browser.
import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, goInto, pick } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({
  files: { 'a.txt': 'a', 'b.txt': 'bbb', 'c.txt': 'cc', 'one/two/three/four/five/deep.txt': '', 'empty/': '' },
})
const names = (page: Page) =>
  page.locator('[data-entry] a.name').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Path' }).getByRole('link').allTextContents()
const columnHeader = (page: Page, name: string) => page.getByRole('columnheader', { name })

test('Breadcrumbs with a home link; at most the last 3 folders, with an ellipsis for longer paths', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/files/one/two/three/`)
  await entry(page, 'four').waitFor()
  assert.deepEqual(await crumbs(page), ['My files', 'one', 'two', 'three'])
  await page.goto(`${site.url}/files/one/two/three/four/five/`)
  await entry(page, 'deep.txt').waitFor()
  assert.deepEqual(await crumbs(page), ['My files', 'three', 'four', 'five'])
  await page.getByRole('button', { name: 'More folders in the path' }).click()
  await page.getByRole('menuitem').first().waitFor()
  assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['one', 'two'])
  await page.getByRole('menuitem', { name: 'two' }).click()
  await page.waitForURL(`${site.url}/files/one/two/`)
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'My files' }).click()
  await page.waitForURL(`${site.url}/files/`)
  await close()
})

test('Shows a listing when the resource is a directory, otherwise the file', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/files/a.txt`)
  await page.getByRole('heading', { name: 'a.txt' }).waitFor()
  assert.equal(await page.getByRole('grid').count(), 0)
  await page.goto(`${site.url}/files/one`)
  await page.getByRole('grid', { name: 'one' }).waitFor()
  await page.waitForURL(`${site.url}/files/one/`)
  await close()
})

test('A loading message is shown while fetching, after 150 ms', async () => {
  const { page, close } = await site.openListing()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/resources/one?content=false', async (route) => {
    await held
    await route.continue()
  })
  const started = await page.evaluate(() => performance.now())
  await entry(page, 'one').dblclick()
  const shown = await page.waitForFunction(() => (document.querySelector('.skeletons') ? performance.now() : undefined))
  assert.ok(Number(await shown.jsonValue()) - started >= 150)
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
  answer()
  await entry(page, 'two').waitFor()
  await page.locator('.skeletons').waitFor({ state: 'detached' })
  await close()
})

const refusals: [status: number, sentence: string][] = [
  [404, "This location can't be reached."],
  [403, "You don't have permissions to access this."],
  [500, 'Something really went wrong.'],
]
for (const [status, sentence] of refusals) {
  test(`Fetch error ${status} shows its message`, async () => {
    const { page, close } = await site.openListing()
    if (status !== 404)
      await page.route('**/api/resources/one?content=false', (route) => route.fulfill({ status, body: `${status} No` }))
    await page.goto(`${site.url}/files/${status === 404 ? 'nowhere' : 'one'}/`)
    await page.getByRole('heading', { name: sentence }).waitFor()
    await close()
  })
}

test('Sortable name, size and last-modified columns, each both ways, kept per user', async () => {
  for (const [day, name] of ['b.txt', 'c.txt', 'a.txt'].entries())
    utimesSync(join(site.root, name), new Date(2026, 0, day + 1), new Date(2026, 0, day + 1))
  const { page, close } = await site.openListing()
  const orders: [column: string, sorted: string, order: string][] = [
    ['Size', 'descending', 'b.txt c.txt a.txt'],
    ['Size', 'ascending', 'a.txt c.txt b.txt'],
    ['Last modified', 'descending', 'a.txt c.txt b.txt'],
    ['Last modified', 'ascending', 'b.txt c.txt a.txt'],
    ['Name', 'ascending', 'a.txt b.txt c.txt'],
    ['Name', 'descending', 'c.txt b.txt a.txt'],
  ]
  for (const [column, sorted, order] of orders) {
    const kept = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && /\/api\/users\/\d+$/.test(response.url()),
    )
    await columnHeader(page, column).getByRole('button').click()
    await columnHeader(page, column)
      .and(page.locator(`[aria-sort=${sorted}]`))
      .waitFor()
    assert.equal((await names(page)).slice(2).join(' '), order)
    assert.equal((await kept).status(), 200)
  }
  await page.reload()
  await columnHeader(page, 'Name').and(page.locator('[aria-sort=descending]')).waitFor()
  await columnHeader(page, 'Name').getByRole('button').click()
  await close()
})

test('A Folders section and a Files section', async () => {
  const { page, close } = await site.openListing()
  assert.deepEqual(await page.locator('.section-title').allTextContents(), ['Folders2', 'Files3'])
  assert.deepEqual(await names(page), ['empty', 'one', 'a.txt', 'b.txt', 'c.txt'])
  await close()
})

test('An empty message when there are no entries', async () => {
  const { page, close } = await site.openListing()
  await goInto(page, 'empty')
  await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
  await page.getByText('Drop files here').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'New folder' }).waitFor()
  await close()
})

test('Hidden inputs for file and folder upload', async () => {
  const { page, close } = await site.openListing()
  for (const [name, isFolder] of [
    ['Upload files…', false],
    ['Upload a folder…', true],
  ] as const) {
    await page.getByRole('banner').getByRole('button', { name: 'New' }).click()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('menuitem', { name }).click()])
    const input = await chooser.element().evaluate((one: HTMLInputElement) => [one.webkitdirectory, one.multiple, one.hidden])
    assert.deepEqual(input, [isFolder, true, true])
  }
  await close()
})

test('A multiple-selection banner with a clear button', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'b.txt')
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByText(/^2 selected · 4 bytes/).waitFor()
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
  await close()
})

test('Two view modes, mosaic and list, kept per user; a mosaic column is about 300 px wide', async () => {
  const { page, close } = await site.openListing()
  const kept = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Tiles', exact: true }).click()
  await page.locator('.mosaic').waitFor()
  assert.equal((await kept).status(), 200)
  for (const width of [1280, 1600, 1900]) {
    await page.setViewportSize({ width, height: 800 })
    const fits = async () => {
      const box = await entry(page, 'a.txt').boundingBox()
      return box !== null && box.width >= 240 && box.width <= 400
    }
    await until(fits, `a column is about 300 px wide in ${width}`)
  }
  await page.reload()
  await page.locator('.mosaic').waitFor()
  // The page is left before the answer.
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await sent
  await page.goto('about:blank')
  const isList = async () => {
    await page.goto(`${site.url}/files/`)
    await entry(page, 'a.txt').waitFor()
    return (await page.locator('.mosaic').count()) === 0
  }
  await until(isList, 'the view is kept')
  await close()
})

test('Only what is near the window is drawn, and more as one scrolls', async () => {
  await site.putFiles(Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${String(index).padStart(4, '0')}`, ''])))
  const { page, close } = await site.openListing()
  await entry(page, 'f0000').waitFor()
  assert.ok((await page.locator('[data-entry]').count()) < 100)
  assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '2002')
  await page.locator('.pane').hover()
  while ((await entry(page, 'f1999').count()) === 0) await page.mouse.wheel(0, 20_000)
  assert.ok((await page.locator('[data-entry]').count()) < 100)
  await close()
})

test('Scroll and selection are kept per history entry', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${String(index).padStart(3, '0')}`, '']))
  await site.putFiles({ ...many, 'zz/inside': '' })
  const { page, close } = await site.openListing()
  await page.getByRole('grid').locator('[tabindex="0"]').first().focus()
  await page.keyboard.press('End')
  await entry(page, 'f199').waitFor()
  await page.goto(`${site.url}/files/zz/`)
  await entry(page, 'inside').waitFor()
  await page.goBack()
  await entry(page, 'f199').and(page.locator('[aria-selected=true]')).waitFor()
  await close()
})
