// What must stay to be seen, whatever lies over it and whatever the system does to the colours.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Browser, Locator, Page } from '@playwright/test'
import { fontNames } from '../../scripts/find-fonts.ts'
import { launchBrowser } from '../support/browser.ts'
import { entry, middleOf, openListing, pick, standWith } from '../support/listing.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'

const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? assert.fail('it is not to be seen')

async function holdFinger(page: Page, name: string): Promise<void> {
  const finger = await middleOf(entry(page, name))
  const client = await page.context().newCDPSession(page)
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] })
  await entry(page, name).and(page.locator('[aria-selected="true"]')).waitFor()
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

for (const font of fontNames)
  describe(`in the ${font} font`, () => {
    let browser: Browser
    let server: Running
    before(async () => {
      browser = await launchBrowser({ font })
      server = await startExecutable()
    })
    beforeEach(() => standWith(server, { 'a.txt': 'a', 'b.txt': 'bb', 'Drawings/': '' }))
    after(async () => {
      await browser?.close()
      await server?.close()
    })

    test('on a phone bad news does not lie over what can be done with the selection', async () => {
      const { page, close } = await openListing(browser, server, { width: 390, height: 844, touch: true })
      await page.route('**/api/resources/a.txt', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status: 403, body: '403 Forbidden' }) : route.continue(),
      )
      await holdFinger(page, 'a.txt')
      const actions = page.getByRole('toolbar', { name: 'Selection' })
      await actions.getByRole('button', { name: 'Delete' }).tap()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).tap()
      const [news, bar] = [await boxOf(page.locator('.toast-error')), await boxOf(actions)]
      assert.ok(news.y + news.height <= bar.y, 'the notice ends above the actions')
      await close()
    })

    test('a name keeps its place when it is typed in its row', async () => {
      const { page, close } = await openListing(browser, server)
      const alignOf = () =>
        page.locator('.rename input').evaluate((field) => [getComputedStyle(field).direction, getComputedStyle(field).textAlign])
      await pick(page, 'a.txt')
      await page.keyboard.press('F2')
      assert.deepEqual(await alignOf(), ['ltr', 'start'])
      await page.locator('.rename input').fill('صورة.txt')
      assert.deepEqual(await alignOf(), ['rtl', 'end'])
      await page.keyboard.press('Escape')
      await close()
    })

    test('in forced colours a selected row differs from the others by a line', async () => {
      const { page, close } = await openListing(browser, server)
      await page.emulateMedia({ forcedColors: 'active' })
      const outlineOf = (name: string) => entry(page, name).evaluate((row) => getComputedStyle(row).outlineStyle)
      await pick(page, 'a.txt')
      assert.deepEqual([await outlineOf('a.txt'), await outlineOf('b.txt')], ['solid', 'none'])
      await close()
    })

    test('the page itself never scrolls: its parts do', async () => {
      for (const view of [{}, { width: 390, height: 844, touch: true }]) {
        const { page, close } = await openListing(browser, server, view)
        const [long, high] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight])
        assert.equal(long, high)
        await close()
      }
    })

    test('on a phone no word of the selection pushes its actions out of the picture', async () => {
      await standWith(server, Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`${index}.txt`, ''])))
      const { page, close } = await openListing(browser, server, { width: 390, height: 844, touch: true })
      const bar = page.getByRole('toolbar')
      for (const choice of ['Select several', 'Select all']) {
        await page.getByRole('banner').getByRole('button', { name: 'More' }).tap()
        await page.getByRole('menuitem', { name: choice }).tap()
        const last = (await bar.getByRole('button', { name: 'More' }).boundingBox()) ?? assert.fail('there is no such button')
        assert.ok(last.x + last.width <= 390, `${choice}: it ends at ${last.x + last.width}`)
      }
      await bar.getByText('1,200 selected').waitFor()
      await close()
    })
  })
