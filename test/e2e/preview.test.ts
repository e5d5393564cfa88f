// The preview screen: pictures, neighbours, closing, and files that are not shown.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { isTitled } from '../support/editing.ts'
import { entry, isSelected } from '../support/listing.ts'
import { picture, writeMedia } from '../support/media.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({
  async prepare({ root }) {
    await writeMedia(root, {
      'album/a.png': await picture(),
      'album/b.txt': 'a text',
      'album/c.jpg': await picture({ width: 1600, height: 1200 }, 'jpeg'),
      'album/d/inside.png': await picture(),
      'album/e.bin': Buffer.from([0, 1, 2]),
      'album/f.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>alert(1)</script><rect width="30" height="20" fill="green"/></svg>',
      'album/g.png': 'this is no picture',
      'album/turned.jpg': await picture({ orientation: 6 }, 'jpeg'),
    })
  },
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true })
const shownPicture = (page: Page, name: string) => page.locator('img.picture').and(page.getByAltText(name, { exact: true }))
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Waits until the line below the name says this. */
const factsAre = (page: Page, facts: RegExp) => page.locator('.viewer-title p').filter({ hasText: facts }).waitFor()

async function isShown(page: Page, name: string) {
  await heading(page, name).waitFor()
  await shownPicture(page, name).waitFor()
  await page.locator('.picture-stage[aria-busy="false"]').waitFor()
}

test('a picture opens in the preview, with its name, place, pixels and size', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await entry(page, 'a.png').dblclick()
  await isShown(page, 'a.png')
  await factsAre(page, /^1 \/ 6 · 400 × 300 · /)
  await isTitled(page, /^a\.png · /)
  assert.equal(await page.locator('.viewer').evaluate((element) => getComputedStyle(element).colorScheme), 'dark')
  assert.equal(await page.locator('.sidebar, .header').count(), 0)
  await close()
})

test('next and previous go through images, videos, audio and blobs as the listing is sorted, and leave out texts and folders', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await entry(page, 'a.png').dblclick()
  await isShown(page, 'a.png')
  assert.equal(await button(page, 'Previous').count(), 0)
  await page.keyboard.press('ArrowRight')
  await isShown(page, 'c.jpg')
  await page.keyboard.press('Enter')
  await page.getByText('No preview for this kind of file').waitFor()
  await heading(page, 'e.bin').waitFor()
  await button(page, 'Next').click()
  await isShown(page, 'f.svg')
  await page.keyboard.press('ArrowLeft')
  await heading(page, 'e.bin').waitFor()
  await button(page, 'Previous').click()
  await isShown(page, 'c.jpg')
  await close()
})

test('close returns to the listing with the file that was shown last', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await entry(page, 'a.png').dblclick()
  await isShown(page, 'a.png')
  await page.keyboard.press('ArrowRight')
  await isShown(page, 'c.jpg')
  const entries = await page.evaluate(() => history.length)
  await page.keyboard.press('Escape')
  await isSelected(page, 'c.jpg')
  assert.equal(await page.locator('[data-entry]:focus a.name').getAttribute('aria-label'), 'c.jpg')
  assert.equal(await page.evaluate(() => history.length), entries)
  await close()
})

test('the address of a file shows it, and closing it opens its folder', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/c.jpg`)
  await isShown(page, 'c.jpg')
  await button(page, 'Close').click()
  await isSelected(page, 'c.jpg')
  await close()
})

test('a picture is zoomed by buttons, keys, the wheel and double clicks, from 25 % to 400 % by 25 %', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/c.jpg`)
  await isShown(page, 'c.jpg')
  const zoom = async (wanted: string) =>
    until(async () => (await page.locator('.zoom-value').textContent()) === wanted, `the zoom is ${wanted}`)
  await button(page, 'Zoom in').click()
  await zoom('125%')
  await page.keyboard.press('+')
  await zoom('150%')
  await page.keyboard.press('-')
  await zoom('125%')
  await page.keyboard.press('0')
  await zoom('100%')
  for (let step = 0; step < 3; step++) await button(page, 'Zoom out').click()
  await page.keyboard.press('-')
  await zoom('25%')
  await page.keyboard.press('0')
  const stage = page.locator('.picture-stage')
  for (const wanted of ['200%', '400%', '100%']) {
    await stage.dblclick({ position: { x: 400, y: 300 } })
    await zoom(wanted)
  }
  await stage.hover({ position: { x: 500, y: 200 } })
  await page.mouse.wheel(0, -100)
  await zoom('125%')
  for (let step = 0; step < 14; step++) await page.mouse.wheel(0, -100)
  await zoom('400%')
  await close()
})

test('a zoomed picture is dragged, and stays in the window', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/c.jpg`)
  await isShown(page, 'c.jpg')
  const left = () => shownPicture(page, 'c.jpg').evaluate((element) => Math.round(element.getBoundingClientRect().left))
  await page.keyboard.press('+')
  for (let step = 0; step < 11; step++) await page.keyboard.press('+')
  await page.mouse.move(600, 400)
  await page.mouse.down()
  const before = await left()
  await page.mouse.move(700, 400, { steps: 4 })
  await until(async () => (await left()) === before + 100, 'the picture follows the pointer')
  await page.mouse.move(9000, 400, { steps: 4 })
  await page.mouse.up()
  const edge = await left()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowRight')
  await until(async () => (await left()) === edge - 60, 'the keyboard moves it back from the edge')
  await close()
})

test('a large picture comes in a smaller size, and in full resolution when that is chosen', async () => {
  await writeMedia(site.root, { 'large/a.jpg': await picture({ width: 3000, height: 2000 }, 'jpeg') })
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/files/large/a.jpg`)
  await isShown(page, 'a.jpg')
  const width = () => shownPicture(page, 'a.jpg').evaluate((element) => (element as HTMLImageElement).naturalWidth)
  assert.equal(await width(), 2048)
  await page.getByText('3000 × 2000').waitFor()
  await button(page, 'Full resolution').click()
  await until(async () => (await width()) === 3000, 'the whole picture is shown')
  await close()
})

test('a picture of which no smaller size can be made is shown from its file', async () => {
  const { page, close } = await site.openListing()
  for (const status of [413, 501]) {
    await page.route('**/api/preview/big/**', (route) => route.fulfill({ status }))
    await page.goto(`${site.url}/files/album/c.jpg`)
    await isShown(page, 'c.jpg')
    await page.unrouteAll()
  }
  await close()
})

test('the next picture is loaded ahead, and not any more when another file is shown', async () => {
  const { page, close } = await site.openListing()
  const ahead = page.waitForRequest((request) => request.url().includes('c.jpg'))
  await page.goto(`${site.url}/files/album/a.png`)
  await isShown(page, 'a.png')
  await ahead
  await page.keyboard.press('ArrowRight')
  await isShown(page, 'c.jpg')
  await close()
})

test('a picture is shown the right way up', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/turned.jpg`)
  await isShown(page, 'turned.jpg')
  await factsAre(page, /300 × 400/)
  await close()
})

test('a file that is no picture says so, and can be downloaded', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/g.png`)
  await page.getByText('This file cannot be shown').waitFor()
  const card = page.locator('.viewer-card')
  const [download] = await Promise.all([page.waitForEvent('download'), card.getByRole('button', { name: 'Download' }).click()])
  assert.equal(download.suggestedFilename(), 'g.png')
  await close()
})

test('a missing file is the page for missing files', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/never.png`)
  await page.getByText("This location can't be reached.").waitFor()
  await close()
})

test('the shown file is renamed in place, and a deleted one gives way to the next', async () => {
  await writeMedia(site.root, {
    'changes/1.png': await picture(),
    'changes/2.png': await picture(),
    'changes/3.png': await picture(),
  })
  const { page, close } = await site.openListing({}, { path: '/files/changes/' })
  await entry(page, '1.png').dblclick()
  await isShown(page, '1.png')
  await page.keyboard.press('F2')
  await page.getByLabel('New name').fill('0.png')
  await page.keyboard.press('Enter')
  await isShown(page, '0.png')
  assert.equal(new URL(page.url()).pathname, '/files/changes/0.png')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await isShown(page, '2.png')
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await isShown(page, '3.png')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('This folder is empty').waitFor()
  await close()
})

test('a file that was deleted by somebody else is reported when it is opened', async () => {
  await writeMedia(site.root, { 'gone/1.png': await picture(), 'gone/2.png': await picture() })
  const { page, close } = await site.openListing({}, { path: '/files/gone/' })
  // Only now: the listing shows at once that it is gone.
  await page.route('**/api/resources/gone/1.png?content=false', async (route) => {
    await rm(join(site.root, 'gone/1.png'), { force: true })
    await route.continue()
  })
  await entry(page, '1.png').dblclick()
  await page.getByText("This location can't be reached.").waitFor()
  await close()
})

test('the controls fade while the mouse rests, and come back for mouse and keyboard', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/c.jpg`)
  await isShown(page, 'c.jpg')
  const isIdle = (wanted: boolean) =>
    until(async () => (await page.locator('.viewer[data-idle]').count()) > 0 === wanted, `idle: ${wanted}`)
  await page.mouse.move(500, 400)
  await isIdle(true)
  await page.mouse.move(510, 400)
  await isIdle(false)
  await isIdle(true)
  await page.keyboard.press('+')
  await isIdle(false)
  await close()
})
