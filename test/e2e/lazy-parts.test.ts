// Overlays are loaded after the page, and open on request even over a slow network.
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Route } from '@playwright/test'
import { startRename } from '../support/listing.ts'
import { type Person, uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { 'a.txt': 'a' } })

/** Opens the listing and delays all scripts that are not named in the page, until `answer` continues or fails them. */
async function openWithout() {
  const named = await (await fetch(`${site.url}/login`)).text()
  const held: Route[] = []
  let answer: ((route: Route) => Promise<void>) | undefined
  const prepare = ({ page }: Person) =>
    page.route('**/static/*.js', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (named.includes(pathname)) return route.continue()
      if (answer) return answer(route)
      held.push(route)
    })
  const person = await site.openListing({}, { prepare })
  return {
    ...person,
    answer: async (how: (route: Route) => Promise<void>) => {
      answer = how
      await Promise.all(held.splice(0).map(how))
    },
  }
}

test('the palette opened before its code is loaded shows progress, can be cancelled, and opens later', async () => {
  const { page, close, answer } = await openWithout()
  await page.keyboard.press('Control+K')
  await page.getByRole('progressbar', { name: 'Loading' }).first().waitFor()
  await page.keyboard.press('Escape')
  await answer((route) => route.continue())
  await page.locator('.progress').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await close()
})

test('a menu that is opened before its code is loaded opens afterwards', async () => {
  const { page, close, answer } = await openWithout()
  const button = page.getByRole('banner').getByRole('button', { name: 'New' })
  await button.click()
  await button.and(page.locator('[aria-expanded=true]')).waitFor()
  await answer((route) => route.continue())
  await page.getByRole('menuitem', { name: 'New folder' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await button.and(page.locator(':focus')).waitFor()
  await close()
})

test('a part that cannot be loaded is reported, the page keeps working, and the next attempt loads it', async () => {
  const { page, close, answer } = await openWithout()
  await page.keyboard.press('F1')
  await answer((route) => route.fulfill({ status: 503 }))
  await page.getByText('This part of the page could not be loaded').waitFor()
  await answer((route) => route.continue())
  await page.keyboard.press('F1')
  await page.getByRole('dialog').waitFor()
  await close()
})

test('what changes entries comes with the overlays: the first rename of an old page needs no code any more', async () => {
  const { page, close, answer } = await openWithout()
  await page.keyboard.press('F1')
  await answer((route) => route.continue())
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await answer((route) => route.fulfill({ status: 404 }))
  await page.getByRole('row', { name: /a\.txt/ }).click()
  await startRename(page)
  await page.keyboard.type('b')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /b\.txt/ }).waitFor()
  // The row has the new name before the server has: the next test begins with the files of the first one.
  await until(async () => (await readdir(site.root)).includes('b.txt'), 'the file has its new name')
  await close()
})

test('what changes entries brings its words: it may be loaded before the overlays', async () => {
  await writeFile(join(site.root, 'c.txt'), 'c')
  const { page, close, answer } = await openWithout()
  await page.getByRole('row', { name: /a\.txt/ }).click()
  await startRename(page)
  await page.getByLabel('New name').fill('c.txt')
  await page.keyboard.press('Enter')
  const overlays = Promise.withResolvers<Route>()
  await answer(async (route) => {
    const script = await (await route.fetch()).text()
    // What draws the prompts, each by its name. The words have such a key too.
    if (/chooseFolder:(?!["'`])/.test(script)) overlays.resolve(route)
    else await route.fulfill({ body: script, contentType: 'text/javascript' })
  })
  await page.getByRole('grid').getByRole('alert').filter({ hasText: 'already here' }).waitFor()
  await (await overlays.promise).continue()
  await close()
})

test('a new version is said once: by the screen whose part is missing, and by a notice when it is left, until that is closed', async () => {
  const { page, close, answer } = await openWithout()
  await page.keyboard.press('F1')
  await answer((route) => route.continue())
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  // While a failed upload is listed, the page does not reload by itself.
  await page.route('**/api/resources/late.txt*', (route) => route.fulfill({ status: 403, body: '403 Forbidden\n' }))
  const file = join(site.folder, 'late.txt')
  await writeFile(file, 'late')
  await uploadByButton(page, [file])
  await page.getByText('1 file was not uploaded').first().waitFor()
  await answer((route) => route.fulfill({ status: 404 }))
  await page.route('**/static/main-*.js', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('main').getByRole('heading', { name: 'A new version' }).waitFor()
  const said = page.locator('.toast').getByText('A new version')
  assert.equal(await said.count(), 0)
  await page.getByRole('link', { name: 'My files' }).first().click()
  await said.waitFor()
  await page.locator('.toast', { hasText: 'A new version' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('main').getByRole('heading', { name: 'A new version' }).waitFor()
  await page.getByRole('link', { name: 'My files' }).first().click()
  await page.getByRole('row', { name: /a\.txt/ }).waitFor()
  assert.equal(await said.count(), 0)
  await close()
})

test('the login that cannot be loaded says so, and is loaded on request', async () => {
  const named = await (await fetch(`${site.url}/login`)).text()
  const { page, close } = await site.newPerson()
  let isBroken = true
  await page.route('**/static/*.js', (route) => {
    const isNamed = named.includes(new URL(route.request().url()).pathname)
    return isBroken && !isNamed ? route.fulfill({ status: 503 }) : route.continue()
  })
  await page.goto(site.url)
  await page.getByRole('main').getByText('This part of the page could not be loaded').waitFor()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Username').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'username')
  await close()
})

test('icons that come with a lazy part are drawn on error pages too', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/404`)
  const settings = page.getByRole('navigation').getByRole('button', { name: 'Settings' })
  await settings.locator('svg path').first().waitFor({ state: 'attached' })
  await close()
})
