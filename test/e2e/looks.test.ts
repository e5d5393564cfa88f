// Elements that must stay visible with any font, with forced colours, and beside notices.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from '@playwright/test'
import { fontNames } from '../../scripts/find-fonts.ts'
import { entry, pick } from '../support/listing.ts'
import { isLong } from '../support/scale.ts'
import { startSite } from '../support/site.ts'
import { longPress } from '../support/touch.ts'

const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? assert.fail('the element is not visible')

/** `npm test` uses the wide font, in which more texts have no place. */
const fonts = isLong ? fontNames : (['wide'] as const)

// A test of the suite may take minutes, and the suite as long as all of them.
for (const font of fonts)
  describe(`in the ${font} font`, { timeout: 1_800_000 }, () => {
    const site = startSite({ font, files: { 'a.txt': 'a', 'b.txt': 'bb', 'Drawings/': '' } })

    test('on a phone an error notice does not cover the actions of the selection', async () => {
      const { page, close } = await site.openListing({ width: 390, height: 844, touch: true })
      await page.route('**/api/resources/a.txt*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status: 403, body: '403 Forbidden' }) : route.continue(),
      )
      await longPress(page, 'a.txt')
      const actions = page.getByRole('toolbar', { name: 'Selection' })
      await actions.getByRole('button', { name: 'Delete' }).tap()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).tap()
      const [news, bar] = [await boxOf(page.locator('.toast-error')), await boxOf(actions)]
      assert.ok(news.y + news.height <= bar.y, 'the notice ends above the actions')
      await close()
    })

    test('a notice does not cover the menu of the folder', async () => {
      const { page, close } = await site.openListing()
      await page.route('**/api/resources/a.txt*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status: 403, body: '403 Forbidden' }) : route.continue(),
      )
      await pick(page, 'a.txt')
      await page.keyboard.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      const news = await boxOf(page.locator('.toast-error'))
      await page.mouse.click(news.x + 20, news.y - 20, { button: 'right' })
      const menu = page.getByRole('menu')
      const box = await boxOf(menu)
      assert.ok(box.y + box.height > news.y && box.x < news.x + news.width, JSON.stringify({ box, news }))
      const covered = await menu.getByRole('menuitem').evaluateAll((items) =>
        items.flatMap((item) => {
          const { left, top, height } = item.getBoundingClientRect()
          return item.contains(document.elementFromPoint(left + 10, top + height / 2)) ? [] : [item.textContent]
        }),
      )
      assert.deepEqual(covered, [])
      await close()
    })

    test('the button of a notice has a frame and one line, and stands below the words, which have the whole width', async () => {
      const { page, close } = await site.openListing()
      await pick(page, 'a.txt')
      await page.keyboard.press('F2')
      await page.locator('.rename input').fill('c.txt')
      await page.keyboard.press('Enter')
      const news = page.locator('.toast').filter({ hasText: 'c.txt' })
      const undo = news.getByRole('button', { name: 'Undo' })
      const lines = await undo.locator('.label').evaluate((label) => {
        const range = document.createRange()
        range.selectNodeContents(label)
        return range.getClientRects().length
      })
      assert.equal(lines, 1)
      assert.notEqual(await undo.evaluate((button) => getComputedStyle(button).boxShadow), 'none')
      const [words, button] = [await boxOf(news.locator('.toast-words')), await boxOf(undo)]
      assert.ok(button.y >= words.y + words.height && Math.abs(button.x - words.x) < 1, JSON.stringify({ words, button }))
      assert.ok(words.width > 0.7 * (await boxOf(news)).width, `the words have ${words.width} pixels`)
      await close()
    })

    test('the text of the rename field is at the position of the name', async () => {
      const { page, close } = await site.openListing()
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
      const { page, close } = await site.openListing()
      await page.emulateMedia({ forcedColors: 'active' })
      const outlineOf = (name: string) => entry(page, name).evaluate((row) => getComputedStyle(row).outlineStyle)
      await pick(page, 'a.txt')
      assert.deepEqual([await outlineOf('a.txt'), await outlineOf('b.txt')], ['solid', 'none'])
      await close()
    })

    test('the page itself never scrolls: its parts do', async () => {
      for (const view of [{}, { width: 390, height: 844, touch: true }]) {
        const { page, close } = await site.openListing(view)
        const [long, high] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight])
        assert.equal(long, high)
        await close()
      }
    })

    test('on a phone no text of the selection pushes its actions out of the window', async () => {
      await site.putFiles(Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`${index}.txt`, ''])))
      const { page, close } = await site.openListing({ width: 390, height: 844, touch: true })
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
