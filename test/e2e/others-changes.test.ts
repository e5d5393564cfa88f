// Changes by other tabs, programs and running uploads are shown in the current folder.
import assert from 'node:assert/strict'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, isSelected, pick, selectedNames, startRename } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`file ${String(index).padStart(2, '0')}.txt`, 'x']))
const site = startSite({
  files: { ...many, 'empty/': '' },
  prepare: ({ folder }) => mkdir(join(folder, 'source')),
})

/** Simulates that another tab or window had the focus, and this page gets it again. */
const returnTo = (page: Page) =>
  page.evaluate(() => {
    dispatchEvent(new Event('blur'))
    dispatchEvent(new Event('focus'))
  })

/** Counts how often a folder is read. */
function countListings(page: Page, path: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === `/api/resources${path}`) count += 1
  })
  return () => count
}

test('changes of another tab are shown when the page gets the focus; selection, scroll and focus stay', async () => {
  const { page, context, close } = await site.openListing()
  await pick(page, 'file 00.txt')
  await page.keyboard.press('End')
  await isSelected(page, 'file 79.txt')
  const scroll = () => page.locator('.pane').evaluate((pane) => pane.scrollTop)
  const before = await scroll()
  assert.ok(before > 0)
  const other = await context.newPage()
  await other.goto(site.url)
  await entry(other, 'file 00.txt').waitFor()
  await writeFile(join(site.root, 'file 78b.txt'), 'new')
  await rm(join(site.root, 'file 78.txt'))
  await page.bringToFront()
  await returnTo(page)
  await entry(page, 'file 78b.txt').waitFor()
  await entry(page, 'file 78.txt').waitFor({ state: 'detached' })
  assert.deepEqual(await selectedNames(page), ['file 79.txt'])
  assert.equal(await scroll(), before)
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-entry')), '/file 79.txt')
  await close()
})

test('a name that is typed stays when the folder is refreshed', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'file 05.txt')
  await startRename(page)
  await page.keyboard.type('typed')
  await writeFile(join(site.root, 'file 00a.txt'), 'new')
  await returnTo(page)
  await entry(page, 'file 00a.txt').waitFor()
  const field = page.locator('.rename input:focus')
  assert.equal(await field.inputValue(), 'typed.txt')
  await page.keyboard.press('Enter')
  await entry(page, 'typed.txt').waitFor()
  await close()
})

test('when an entry goes while its name is typed, the next Enter opens no other one, and the arrow keys go on', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'file 10.txt')
  await startRename(page)
  await page.keyboard.type('typed')
  await rm(join(site.root, 'file 10.txt'))
  await returnTo(page)
  await page.locator('.toast').filter({ hasText: 'is no longer here' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'main')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await isSelected(page, 'file 12.txt')
  assert.equal(page.url(), `${site.url}/files/`)
  await close()
})

test('the question of a delete is about what is still there, and ends when somebody else has renamed all of it', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'file 03.txt', 'file 04.txt')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog', { name: 'Delete 2 items?' }).waitFor()
  await rename(join(site.root, 'file 03.txt'), join(site.root, 'file 03 kept.txt'))
  await returnTo(page)
  const asked = page.getByRole('dialog', { name: /^Delete .*file 04\.txt/ })
  await asked.waitFor()
  assert.equal(await asked.getByText('Changed since you chose').count(), 0)
  await writeFile(join(site.root, 'file 04.txt'), 'another file')
  await returnTo(page)
  await asked.getByText(/Changed since you chose: .*file 04\.txt/).waitFor()
  await rename(join(site.root, 'file 04.txt'), join(site.root, 'file 04 kept.txt'))
  await returnTo(page)
  await page.locator('.toast').filter({ hasText: '2 items were not deleted' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await readFile(join(site.root, 'file 04 kept.txt'), 'utf8'), 'another file')
  await close()
})

test('dialogs about an entry that somebody else has renamed end, and say so', async () => {
  const { page, close } = await site.openListing()
  const cases = [
    ['Move to…', /^Move .*file 06/, '1 item was not moved'],
    ['Copy to…', /^Copy .*file 07/, '1 item was not copied'],
    ['Share', 'Share', /file 08\.txt.* is no longer here/],
  ] as const
  for (const [index, [button, name, text]] of cases.entries()) {
    const file = `file 0${6 + index}.txt`
    const of = join(site.root, file)
    await pick(page, file)
    await page.getByRole('toolbar').getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog', { name }).locator(':focus').waitFor()
    await rename(of, `${of}.kept`)
    await returnTo(page)
    await page.locator('.toast').filter({ hasText: text }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await close()
})

test('a folder that cannot be read on return stays as it is, without a message', async () => {
  const { page, close } = await site.openListing()
  let refused = 0
  await page.route('**/api/resources/?content=false', (route) => {
    refused += 1
    return route.fulfill({ status: 503, body: '503 busy' })
  })
  await returnTo(page)
  await until(() => refused > 0, 'the folder is read')
  await page.unrouteAll({ behavior: 'wait' })
  await entry(page, 'file 00.txt').waitFor()
  assert.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0)
  await close()
})

test('uploads into an empty folder appear as they arrive, without a listing for each', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/empty/' })
  const names = Array.from({ length: 40 }, (_, index) => `part ${String(index).padStart(2, '0')}`)
  for (const name of names) await writeFile(join(site.folder, 'source', name), name)
  const first = Promise.withResolvers<void>()
  await page.route('**/api/resources/empty/part%2000?*', async (route) => {
    await first.promise
    await route.continue()
  })
  const listings = countListings(page, '/empty')
  const started = performance.now()
  await uploadByButton(
    page,
    names.map((name) => join(site.folder, 'source', name)),
  )
  // The headings and all rows but the first.
  await page.locator('[role=grid][aria-rowcount="41"]').waitFor()
  // At most once a second, and once before anything is sent.
  const most = 3 + (performance.now() - started) / 1000
  assert.ok(listings() <= most, `${listings()} listings, of ${most} at most`)
  assert.equal(await entry(page, 'part 00').count(), 0)
  first.resolve()
  await noticeShown(page, '40 files uploaded')
  await entry(page, 'part 00').waitFor()
  await close()
})
