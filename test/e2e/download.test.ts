// Downloads of folders and of several entries: the prompt with the formats, by keyboard, pointer and touch.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Download, Page } from '@playwright/test'
import { entry, pick } from '../support/listing.ts'
import { readZip } from '../support/read-zip.ts'
import { startSite } from '../support/site.ts'
import { longPress } from '../support/touch.ts'
import { until } from '../support/until.ts'

const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`Many/${index} ${'long name, '.repeat(5)}.txt`, 'm']))
const site = startSite({
  files: { 'a.txt': 'a', 'b, c.txt': 'bc', 'Drawings/roof.txt': 'roof', 'Drawings/Old/%2F.txt': 'old', 'Empty/': '', ...many },
})
const dialog = (page: Page) => page.getByRole('dialog')
/** Waits until a format is chosen; it has the focus when the prompt opens. */
const isChosen = (page: Page, format: string, state = ':checked') =>
  dialog(page).locator(`input[type=radio][value="${format}"]${state}`).waitFor({ state: 'attached' })

test('Ctrl+S on several entries asks for the format, and Enter downloads them as zip', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'b, c.txt', 'Drawings')
  await page.keyboard.press('Control+s')
  await dialog(page).getByText('Download 3 items as').waitFor()
  await isChosen(page, 'zip', ':checked:focus')
  const download = await downloading(page, () => page.keyboard.press('Enter'))
  assert.equal(download.suggestedFilename(), 'archive.zip')
  assert.deepEqual(await unzipped(download), {
    'Drawings/': '',
    'Drawings/Old/': '',
    'Drawings/Old/%2F.txt': 'old',
    'Drawings/roof.txt': 'roof',
    'a.txt': 'a',
    'b, c.txt': 'bc',
  })
  await dialog(page).waitFor({ state: 'detached' })
  await close()
})

test('Ctrl+S without a selection downloads the open folder', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/Drawings/' })
  await page.keyboard.press('Control+s')
  await dialog(page).getByText('Download “⁨Drawings⁩” as').waitFor()
  await isChosen(page, 'zip', ':checked:focus')
  const download = await downloading(page, () => page.keyboard.press('Enter'))
  assert.equal(download.suggestedFilename(), 'Drawings.zip')
  assert.deepEqual(await unzipped(download), { 'Old/': '', 'Old/%2F.txt': 'old', 'roof.txt': 'roof' })
  await close()
})

test('the format of the last download is chosen again, also after a reload', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'Drawings')
  await page.getByRole('toolbar').getByRole('button', { name: 'Download' }).click()
  await isChosen(page, 'zip', ':checked:focus')
  await page.keyboard.press('ArrowRight')
  await isChosen(page, 'tar', ':checked:focus')
  await page.keyboard.press('ArrowRight')
  await isChosen(page, 'targz', ':checked:focus')
  const download = await downloading(page, () => page.keyboard.press('Enter'))
  assert.equal(download.suggestedFilename(), 'Drawings.tar.gz')
  const listed = spawnSync('tar', ['-tzf', await download.path()], { encoding: 'utf8' })
  assert.deepEqual(listed.stdout.split('\n').sort(), ['', 'Old/', 'Old/%2F.txt', 'roof.txt'])
  await page.reload()
  await pick(page, 'Drawings')
  await page.keyboard.press('Control+s')
  await isChosen(page, 'targz')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await close()
})

test('a press chooses a format, and Cancel remembers nothing', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'Drawings').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Download' }).click()
  await dialog(page).getByText('tar.xz').click()
  await isChosen(page, 'tarxz')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await isChosen(page, 'zip')
  await close()
})

test('the menu of the folder downloads it', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/Empty/' })
  await page.locator('.empty').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Download this folder' }).click()
  await isChosen(page, 'zip', ':checked:focus')
  const download = await downloading(page, () => page.keyboard.press('Enter'))
  assert.deepEqual(await unzipped(download), {})
  await close()
})

test('a selection that is too long for an address is downloaded too', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/Many/' })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+s')
  await dialog(page).getByText('Download 300 items as').waitFor()
  await isChosen(page, 'zip', ':checked:focus')
  const download = await downloading(page, () => page.keyboard.press('Enter'))
  assert.equal(Object.keys(await unzipped(download)).length, 300)
  assert.equal(download.suggestedFilename(), '_Many.zip')
  assert.ok(addresses.some((address) => address.endsWith('/api/archives')))
  assert.ok(addresses.every((address) => address.length < 6500))
  await close()
})

test('a refused download is a notice with its reason, and the prompt stays', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'Drawings')
  await page.keyboard.press('Control+s')
  await isChosen(page, 'zip', ':checked:focus')
  await page.route(/api\/raw/, (route) =>
    route.fulfill({ status: 503, body: '503 Service Unavailable (too much is being asked for at once)\n' }),
  )
  await page.keyboard.press('Enter')
  await page.getByText('The server is busy').waitFor()
  await dialog(page).waitFor()
  assert.equal(await dialog(page).getByRole('button', { name: 'Download' }).getAttribute('aria-busy'), null)
  await page.unrouteAll()
  await downloading(page, () => dialog(page).getByRole('button', { name: 'Download' }).click())
  await close()
})

test('by touch: long press, Download, a format, Download', async () => {
  const { page, close } = await site.openListing({ width: 390, height: 844, touch: true })
  await longPress(page, 'Drawings')
  await page.getByRole('toolbar').getByRole('button', { name: 'Download' }).tap()
  await dialog(page).getByText('tar', { exact: true }).tap()
  const download = await downloading(page, () => dialog(page).getByRole('button', { name: 'Download' }).tap())
  assert.equal(download.suggestedFilename(), 'Drawings.tar')
  await until(async () => (await dialog(page).count()) === 0, 'the prompt is closed')
  await close()
})

async function downloading(page: Page, press: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return download
}

async function unzipped(download: Download): Promise<Record<string, string>> {
  const { entries } = readZip([readFileSync(await download.path())])
  return Object.fromEntries(entries.map(({ name, content }) => [name, content().toString()] as const).sort())
}
