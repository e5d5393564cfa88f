// Thumbnails in the mosaic, with real pictures.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page, Route } from '@playwright/test'
import { entry } from '../support/listing.ts'
import type { Person, View } from '../support/person.ts'
import { picture, svg } from '../support/pictures.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const many = 200
const site = startSite({
  prepare: async ({ root }) => {
    const put = (name: string, content: string | Uint8Array) => writeFileSync(join(root, name), content)
    put('wide.jpg', await picture('jpeg', 1200, 300, 'red'))
    put('high.png', await picture('png', 300, 900, 'blue'))
    put('drawing.svg', svg('<circle cx="32" cy="32" r="30" fill="green"/>'))
    put('broken.jpg', 'this is no picture')
    put('notes.txt', 'text')
    mkdirSync(join(root, 'many'))
    const small = await picture('jpeg', 60, 40, 'green')
    for (let index = 0; index < many; index++) put(`many/${String(index).padStart(3, '0')}.jpg`, small)
  },
})

/** Opens a folder as a mosaic. */
async function openMosaic(view: View = {}, path = '/files/', prepare?: (person: Person) => Promise<unknown>) {
  const person = await site.openListing(view, { path: '/files/', ...(prepare && { prepare }) })
  // The next page shows the view that the server knows.
  const saved = person.page.waitForResponse(
    (answer) => answer.request().method() !== 'GET' && answer.url().includes('/api/users'),
  )
  await person.page.getByRole('button', { name: 'Tiles', exact: true }).click()
  await person.page.locator('.mosaic [data-entry]').first().waitFor()
  await saved
  if (path !== '/files/') {
    await person.page.goto(site.url + path)
    await person.page.locator('.mosaic [data-entry]').first().waitFor()
  }
  return person
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

const pictureOf = (page: Page, name: string) => entry(page, name).locator('.tile-picture')
const isShown = (page: Page, name: string) => pictureOf(page, name).and(page.locator('[data-thumbnail="shown"]')).waitFor()
/** Waits for the place of an element: tiles are made anew when their size changes. */
async function boxOf(locator: Locator) {
  const found: Box[] = []
  await until(
    async () => found.push(...[await locator.boundingBox()].filter((box) => box !== null)) > 0,
    'the element is visible',
  )
  return found[0] ?? assert.fail('the element is not visible')
}

test('pictures have thumbnails, other files their icons, and nothing moves when they appear', async () => {
  const held: Route[] = []
  let isHeld = true
  const { page, close } = await openMosaic({}, '/files/', ({ page }) =>
    page.route('**/api/preview/thumb/**', (route) => (isHeld ? void held.push(route) : route.continue())),
  )
  await until(() => held.length === 4, 'the thumbnails are asked for')
  await page.locator('[data-thumbnail="loading"]').first().waitFor()
  const before = await boxOf(entry(page, 'wide.jpg'))
  isHeld = false
  for (const route of held) await route.continue()
  for (const name of ['wide.jpg', 'high.png', 'drawing.svg']) {
    await isShown(page, name)
    assert.equal(await pictureOf(page, name).locator('.file-icon').count(), 0)
  }
  await page.waitForFunction(() => !document.querySelector('[data-thumbnail="loading"]'))
  for (const name of ['broken.jpg', 'notes.txt']) {
    await pictureOf(page, name).locator('.file-icon').waitFor()
    assert.equal(await pictureOf(page, name).locator('img').count(), 0)
  }
  assert.deepEqual(await boxOf(entry(page, 'wide.jpg')), before)
  await close()
})

test('the sizes of tiles and the way of cropping are chosen by keyboard, and kept in this browser', async () => {
  const { page, close } = await openMosaic()
  await isShown(page, 'wide.jpg')
  const fitOf = () =>
    pictureOf(page, 'wide.jpg')
      .locator('img')
      .evaluate((image) => getComputedStyle(image).objectFit)
  const widthOf = async () => (await boxOf(entry(page, 'wide.jpg'))).width
  const choose = async (label: string) => {
    await page.getByRole('button', { name: 'Tile options', exact: true }).focus()
    await page.keyboard.press('Enter')
    const option = page.getByRole('menuitemradio', { name: label })
    await option.waitFor()
    while (!(await option.evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  const medium = await widthOf()
  assert.equal(await fitOf(), 'cover')
  const drawing = pictureOf(page, 'drawing.svg').locator('img')
  assert.equal(await drawing.evaluate((image) => getComputedStyle(image).objectFit), 'contain')
  await choose('Large tiles')
  await until(async () => (await widthOf()) > medium, 'the tiles are larger')
  await choose('Small tiles')
  await until(async () => (await widthOf()) < medium, 'the tiles are smaller')
  const small = await widthOf()
  await choose('Whole pictures')
  await until(async () => (await fitOf()) === 'contain', 'the picture is shown whole')
  await page.reload()
  await isShown(page, 'wide.jpg')
  assert.deepEqual([await widthOf(), await fitOf()], [small, 'contain'])
  await page.getByRole('button', { name: 'List', exact: true }).click()
  assert.equal(await page.getByRole('button', { name: 'Tile options', exact: true }).count(), 0)
  await close()
})

test('four thumbnails are loaded at a time, those in view first, and dropped when they are scrolled away', async () => {
  const held = new Map<string, Route>()
  const asked: string[] = []
  const failed = new Set<string>()
  const nameOf = (url: string) => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
  let isHeld = true
  const { page, close } = await openMosaic({ height: 500 }, '/files/many/', async ({ page }) => {
    page.on('requestfailed', (request) => failed.add(nameOf(request.url())))
    await page.route('**/api/preview/thumb/many/**', async (route) => {
      const name = nameOf(route.request().url())
      asked.push(name)
      if (isHeld) held.set(name, route)
      else await route.continue()
    })
  })
  await until(() => held.size === 4, 'four are asked for')
  const first = [...held.keys()]
  assert.deepEqual(first, ['000.jpg', '001.jpg', '002.jpg', '003.jpg'])
  await page.locator('.pane').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight))
  await entry(page, '199.jpg').waitFor()
  await until(() => first.every((name) => failed.has(name)), 'those that were scrolled away are dropped')
  isHeld = false
  for (const [name, route] of held) if (!failed.has(name)) await route.continue().catch(() => {})
  await isShown(page, '199.jpg')
  assert.ok(asked.length < many / 2, `${asked.length} thumbnails were asked for`)
  await page.locator('.pane').evaluate((pane) => pane.scrollTo(0, 0))
  await isShown(page, '000.jpg')
  await close()
})

test('a picture that was replaced has a new thumbnail', async () => {
  const { page, close } = await openMosaic()
  await isShown(page, 'wide.jpg')
  const shown = () => pictureOf(page, 'wide.jpg').locator('img').getAttribute('src')
  const before = await shown()
  writeFileSync(join(site.root, 'wide.jpg'), await picture('jpeg', 100, 100, 'green'))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('Refresh')
  await page
    .getByRole('option', { name: /^Refresh/ })
    .and(page.locator('[aria-selected="true"]'))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForFunction((old) => {
    const image = document.querySelector<HTMLImageElement>('[data-entry="/wide.jpg"] img')
    return image !== null && image.src !== old && image.complete
  }, before)
  await isShown(page, 'wide.jpg')
  await close()
})

test('a busy server is asked again', async () => {
  const refused = new Set<string>()
  const { page, close } = await openMosaic({}, '/files/', ({ page }) =>
    page.route('**/api/preview/thumb/**', (route) => {
      const url = route.request().url()
      if (refused.has(url)) return route.continue()
      refused.add(url)
      return route.fulfill({ status: 503, headers: { 'Retry-After': '0' }, body: 'busy' })
    }),
  )
  await isShown(page, 'wide.jpg')
  assert.ok([...refused].some((url) => url.includes('wide.jpg')))
  await close()
})
