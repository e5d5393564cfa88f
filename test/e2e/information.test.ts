// The information dialog: checksums on demand with progress, cancel, copy and comparison, the size of folders, and what a picture says
// about itself.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { configurePage } from '../support/configure-page.ts'
import { pick } from '../support/listing.ts'
import { photograph, picture } from '../support/pictures.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({
  files: { 'a.txt': 'a', 'b.txt': 'bb', 'trip/one.txt': '12345', 'trip/deep/two.txt': '123', 'other/c.txt': 'c' },
})
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Information' })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const sumOf = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

async function openInformation(page: Page, ...names: string[]) {
  const [first = '', ...more] = names
  await pick(page, first, ...more)
  await page.keyboard.press('Alt+Enter')
  await dialog(page).waitFor()
}

test('a checksum is computed when it is asked for, by keyboard, and copied', async () => {
  const { page, close, context } = await site.openListing()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openInformation(page, 'a.txt')
  await button(page, 'Compute SHA-256').focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByText(sumOf('sha256', 'a'), { exact: true }).waitFor()
  assert.equal(await dialog(page).getByText(sumOf('md5', 'a')).count(), 0)
  await button(page, 'Copy SHA-256').click()
  await button(page, 'SHA-256 copied').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), sumOf('sha256', 'a'))
  await close()
})

test('a pasted checksum is compared with that of its kind, which is computed for it', async () => {
  const { page, close } = await site.openListing()
  await openInformation(page, 'b.txt')
  const field = dialog(page).getByLabel('Compare with')
  await field.fill(`${sumOf('sha1', 'bb').toUpperCase()}  b.txt`)
  await dialog(page).getByText('Matches the SHA-1 of this file.').waitFor()
  await field.fill(sumOf('md5', 'other'))
  await dialog(page).getByText('Does not match the MD5 of this file.').waitFor()
  await field.fill('no checksum')
  await dialog(page).getByText('not one of the four').waitFor()
  await field.fill('')
  await dialog(page).getByText('not one of the four').waitFor({ state: 'detached' })
  await close()
})

test('a large file shows how far it is, and Cancel stops the server', async () => {
  const { page, close } = await site.openListing()
  const large = join(site.root, 'large.bin')
  writeFileSync(large, '')
  try {
    // Sparse, and too large to be hashed while this test runs.
    truncateSync(large, 2 ** 40)
    await page.reload()
    await openInformation(page, 'large.bin')
    await button(page, 'Compute SHA-512').click()
    const meter = dialog(page).getByRole('progressbar', { name: 'SHA-512' })
    await until(async () => (await meter.getAttribute('aria-valuenow')) !== null, 'the progress of the server is shown')
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('checksum=sha512'))
    await button(page, 'Cancel SHA-512').click()
    await stopped
    await button(page, 'Compute SHA-512').waitFor()
    // Closing the dialog stops it too.
    await button(page, 'Compute MD5').click()
    const left = page.waitForEvent('requestfailed', (request) => request.url().includes('checksum=md5'))
    await page.keyboard.press('Escape')
    await left
  } finally {
    rmSync(large)
  }
  await close()
})

test('a checksum that fails says why beside it and in a notice, and can be tried again', async () => {
  const { page, close } = await site.openListing()
  await page.route('**/a.txt?checksum=md5', (route) => route.fulfill({ status: 503, body: '503 Service Unavailable' }), {
    times: 1,
  })
  await openInformation(page, 'a.txt')
  await button(page, 'Compute MD5').click()
  await page.getByText('MD5 could not be computed').waitFor()
  await button(page, 'Compute MD5 again').click()
  await dialog(page).getByText(sumOf('md5', 'a'), { exact: true }).waitFor()
  await close()
})

test('the size of a folder with what lies inside is counted when it is asked for', async () => {
  const { page, close } = await site.openListing()
  await openInformation(page, 'trip')
  await button(page, 'Count the contents').click()
  await dialog(page).getByText('2 files in 1 folder').waitFor()
  await dialog(page).getByText('8 bytes', { exact: true }).waitFor()
  await close()
})

test('several items are counted together, and a count that is stopped keeps its numbers', async () => {
  const { page, close } = await site.openListing()
  await openInformation(page, 'trip', 'other', 'b.txt')
  await page.route('**/api/size/trip', () => undefined, { times: 1 })
  await button(page, 'Count the contents').click()
  // The other folder is counted first; this one is never answered.
  await dialog(page).getByText('at least 3 bytes').waitFor()
  await button(page, 'Cancel').click()
  await dialog(page).getByText('at least 3 bytes').waitFor()
  await button(page, 'Count all').click()
  await dialog(page).getByText('4 files in 1 folder').waitFor()
  await dialog(page).getByText('11 bytes', { exact: true }).waitFor()
  await close()
})

test('a picture shows its dimensions, and camera data and place when they are asked for, by keyboard', async () => {
  writeFileSync(join(site.root, 'photo.jpg'), await photograph())
  const { page, close, context } = await site.openListing()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openInformation(page, 'photo.jpg')
  await dialog(page).getByText('60 × 40').waitFor()
  assert.equal(await dialog(page).getByText('Holdall H 1').count(), 0)
  await button(page, 'Show camera data').focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Holdall H 1').waitFor()
  for (const text of ['35 mm', '1/250 s', 'f/2.8', 'ISO 200', 'UTC+02:00']) await dialog(page).getByText(text).first().waitFor()
  // The focus goes on from where the button was.
  await page.keyboard.press('Tab')
  assert.equal(await dialog(page).getByText('51.5').count(), 0)
  await page.keyboard.press('Enter')
  await dialog(page).getByText('51.5° S, 0.25° W').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await button(page, 'Coordinates copied').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '-51.5, -0.25')
  const map = dialog(page).getByRole('link', { name: 'Open in OpenStreetMap' })
  assert.match((await map.getAttribute('href')) ?? '', /^https:\/\/www\.openstreetmap\.org\/\?mlat=-51\.5&mlon=-0\.25#/)
  assert.equal(await map.getAttribute('rel'), 'noopener noreferrer')
  await close()
})

test('what a picture does not say is said, a failure can be tried again, and reading can be cancelled', async () => {
  writeFileSync(join(site.root, 'plain.png'), await picture('png', 30, 20))
  const { page, close } = await site.openListing()
  await page.route('**/plain.png?metadata=true*', (route) => route.fulfill({ status: 503, body: '503 Service Unavailable' }), {
    times: 1,
  })
  await openInformation(page, 'plain.png')
  await button(page, 'Try again to read the dimensions').click()
  await dialog(page).getByText('30 × 20').waitFor()
  await page.route('**/plain.png?camera=true*', () => undefined, { times: 1 })
  await button(page, 'Show camera data').click()
  await dialog(page).getByRole('progressbar', { name: 'Camera' }).waitFor()
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('camera=true'))
  await button(page, 'Cancel reading the camera data').click()
  await stopped
  await button(page, 'Show camera data').click()
  await dialog(page).getByText('Not recorded in the picture').waitFor()
  await close()
})

test('with external links disabled there is no link to a map', async () => {
  writeFileSync(join(site.root, 'photo.jpg'), await photograph())
  const { page, close } = await site.openListing({}, { prepare: ({ page }) => configurePage(page, { DisableExternal: true }) })
  await openInformation(page, 'photo.jpg')
  await button(page, 'Show the place').click()
  await button(page, 'Copy the coordinates').waitFor()
  assert.equal(await dialog(page).getByRole('link', { name: /map/i }).count(), 0)
  await close()
})

test('the mode is shown as tools write it, for files and folders', async () => {
  chmodSync(join(site.root, 'a.txt'), 0o640)
  chmodSync(join(site.root, 'trip'), 0o750)
  const { page, close } = await site.openListing()
  await openInformation(page, 'a.txt')
  await dialog(page).getByText('rw-r-----').waitFor()
  await dialog(page).getByText('640', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await openInformation(page, 'trip')
  await dialog(page).getByText('rwxr-x---').waitFor()
  await close()
})
