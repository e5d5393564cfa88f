// The page of a shared folder: its pictures, the search, and the code of the download.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { codePath, qrRows } from '../../src-ui/ui/qr-rows.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { violations } from '../support/axe.ts'
import { picture } from '../support/pictures.ts'
import { share } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

let hashes: Record<'open' | 'locked' | 'picture', string>

const site = startSite({
  prepare: async ({ root, url }) => {
    mkdirSync(join(root, 'trip/old harbour'), { recursive: true })
    const put = (name: string, content: string | Uint8Array) => writeFileSync(join(root, 'trip', name), content)
    put('boats.jpg', await picture('jpeg', 1200, 300, 'red'))
    put('broken.jpg', 'this is no picture')
    put('notes.txt', 'notes')
    put('old harbour/harbour plan.txt', 'a plan')
    const body = JSON.stringify({ username: 'admin', password: administratorPassword })
    const answer = await fetch(`${url}/api/login`, { method: 'POST', body })
    const owner = asPrincipal(url, await answer.text())
    const [open, locked, one] = await Promise.all([
      share(owner, '/trip'),
      share(owner, '/trip', { password: 'rhubarb pie', expires: 3, unit: 'days' }),
      share(owner, '/trip/boats.jpg'),
    ])
    hashes = { open: open.hash, locked: locked.hash, picture: one.hash }
  },
})

const widths = (page: Page) =>
  page.locator('.share-picture img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth))

test('the columns of a folder sort it by name, size and date, with the keyboard too', async () => {
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/share/${hashes.open}`)
  const names = () =>
    page.locator('.share-tile').evaluateAll((all) => all.map((one) => /^\w+/.exec(one.textContent ?? '')?.[0]).join())
  await page.getByRole('button', { name: 'Sorted by Name, ascending', pressed: true }).waitFor()
  assert.equal(await names(), 'boats,broken')
  await page.getByRole('button', { name: 'Size' }).press('Enter')
  await page.getByRole('button', { name: 'Sorted by Size, descending', pressed: true }).press('Enter')
  await page.getByRole('button', { name: 'Sorted by Size, ascending', pressed: true }).waitFor()
  assert.equal(await names(), 'broken,boats')
  await page.getByRole('button', { name: 'Last modified' }).click()
  await page.getByRole('button', { name: 'Sorted by Last modified, descending' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await close()
})

test('the pictures of a folder are tiles, which show a larger one; a file that is none keeps its icon', async () => {
  const person = await site.newPerson()
  const { page, context } = person
  await page.goto(`${site.url}/share/${hashes.open}`)
  const tile = page.getByRole('listitem').filter({ hasText: 'boats' })
  await until(async () => (await widths(page)).join() === '512', 'one picture is shown, and the broken one is not')
  await page.getByRole('listitem').filter({ hasText: 'broken' }).locator('svg.file-icon').waitFor()
  const [larger] = await Promise.all([
    context.waitForEvent('page'),
    tile.getByRole('link', { name: /^Show “.boats\.jpg/ }).click(),
  ])
  await larger.waitForURL(/\/api\/public\/preview\/big\/.*\/boats\.jpg/)
  await larger.close()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    tile.getByRole('link', { name: /^Download “.boats\.jpg/ }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'boats.jpg')
  assert.deepEqual(await violations(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await violations(page), [])
  await person.close()
})

test('a shared picture is shown itself', async () => {
  const person = await site.newPerson()
  await person.page.goto(`${site.url}/share/${hashes.picture}`)
  const shown = person.page.locator('img.share-picture-large')
  await until(() => shown.evaluate((one) => (one as HTMLImageElement).naturalWidth === 1200), 'the picture is shown')
  await person.close()
})

test('names are searched in all folders of the link, and what is found is downloaded or opened', async () => {
  const person = await site.newPerson({ width: 390, height: 844, touch: true })
  const { page } = person
  await page.goto(`${site.url}/share/${hashes.open}`)
  const field = page.getByRole('searchbox', { name: 'Search by name' })
  await field.fill('harbour')
  await page.getByRole('status').getByText('2 results').waitFor()
  assert.equal(await page.getByText('notes.txt').count(), 0, 'the results take the place of the items')
  assert.deepEqual(await violations(page), [])
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /harbour plan/ }).tap()])
  assert.equal(download.suggestedFilename(), 'harbour plan.txt')
  await field.fill('no such name')
  await page.getByText('Nothing found.').waitFor()
  const many = Array.from({ length: 201 }, (_, index) => ({
    dir: false,
    path: `${index}`,
    name: `${index}`,
    size: 0,
    modified: '',
  }))
  await page.route('**/api/public/search/**', (route) => route.fulfill({ json: many }))
  await field.fill('many')
  await page.getByRole('status').getByText('More than 200 found').waitFor()
  await page.unrouteAll()
  await page.route('**/api/public/search/**', (route) =>
    route.fulfill({ json: many.slice(0, 2), headers: { 'X-More-Results': 'unread' } }),
  )
  await field.fill('some')
  await page.getByRole('status').getByText('2 results · Some folders could not be read.').waitFor()
  await page.unrouteAll()
  await field.fill('size:soon')
  await page.getByText('This search is not possible.').waitFor()
  await page.route('**/api/public/search/**', (route) => route.fulfill({ status: 503, body: '503 Service Unavailable' }))
  await field.fill('notes')
  await page.getByText('The search failed.').waitFor()
  await page.unrouteAll()
  await field.fill('old')
  await page.getByRole('link', { name: /old harbour/ }).tap()
  await page.getByRole('heading', { name: 'old harbour' }).waitFor()
  await person.close()
})

test('QR code of the download link; that of a locked link leads to its page', async () => {
  const person = await site.newPerson()
  const { page } = person
  const drawn = () => page.getByRole('img', { name: 'QR code of the link' }).locator('path').getAttribute('d')
  const code = (path: string) => codePath(qrRows(site.url + path))
  await page.goto(`${site.url}/share/${hashes.open}`)
  assert.equal(await drawn(), code(`/api/public/dl/${hashes.open}`))
  await page.goto(`${site.url}/share/${hashes.picture}`)
  assert.equal(await drawn(), code(`/api/public/dl/${hashes.picture}/boats.jpg`))
  await page.goto(`${site.url}/share/${hashes.locked}`)
  await page.getByRole('heading', { name: 'This link has a password' }).waitFor()
  assert.equal(await page.getByRole('img').count(), await page.locator('.wordmark').count(), 'no code before the password')
  await page.getByLabel('Password', { exact: true }).fill('rhubarb pie')
  await page.keyboard.press('Enter')
  await page.getByText('It asks for the password.').waitFor()
  assert.equal(await drawn(), code(`/share/${hashes.locked}`))
  await until(async () => (await widths(page)).join() === '512', 'the cookie opens the pictures too')
  await person.close()
})

test('the page has the name of the server and the way to sign in, fits a phone, and its targets are 44 px', async () => {
  const person = await site.newPerson({ width: 390, height: 844, touch: true })
  const { page } = person
  await page.goto(`${site.url}/share/${hashes.open}`)
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
  await page.getByRole('banner').getByRole('img', { name: 'Holdall' }).waitFor()
  // The tile of the broken picture is drawn anew when its thumbnail fails: measured after that, and in one call, so that no element is gone.
  const broken = page.getByRole('listitem').filter({ hasText: 'broken' })
  await broken.scrollIntoViewIfNeeded()
  await broken.locator('svg.file-icon').waitFor()
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, input')]
      .map((one) => ({ box: one.getBoundingClientRect(), html: one.outerHTML }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ html }) => html),
  )
  assert.deepEqual(small, [])
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
  await person.close()
})
