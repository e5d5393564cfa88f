// A folder that was shown before is shown at once on the way back, on any network, and refreshed in the background.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, focusListing, goInto, isSelected, pick, selectedNames } from '../support/listing.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`file ${String(index).padStart(2, '0')}.txt`, 'x']))
const site = startSite({ files: { ...many, 'Drawings/Roofs/roof.txt': 'roof', 'Drawings/plan.txt': 'plan' } })

/** Delays listings until the test permits them. */
async function holdListings(page: Page) {
  let open = Promise.withResolvers<void>()
  let held = 0
  await page.route('**/api/resources/**', async (route) => {
    held += 1
    await open.promise
    await route.continue()
  })
  // No skeleton and no empty pane is rendered at any time.
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const wait = document.querySelector('.skeleton, .pane[aria-busy]')
      if (wait) seen.push(wait.className)
    }).observe(document.body, { subtree: true, childList: true })
  })
  return {
    held: () => held,
    waits: () => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen),
    release: () => {
      open.resolve()
      open = Promise.withResolvers<void>()
    },
  }
}

test('on Back and Forward, to the parent and by breadcrumbs, rows are shown before the server answers', async () => {
  const { page, close } = await site.openListing()
  await goInto(page, 'Drawings')
  await entry(page, 'plan.txt').waitFor()
  await goInto(page, 'Roofs')
  await entry(page, 'roof.txt').waitFor()
  const { held, waits } = await holdListings(page)
  // Before the next step, which ends what was not asked for yet. At least: a folder that cannot be watched is asked for again.
  const readAnew = (count: number) => until(() => held() >= count, `${count} folders are read anew behind`)
  await page.goBack()
  await entry(page, 'plan.txt').waitFor()
  await readAnew(1)
  await page.goBack()
  await entry(page, 'file 00.txt').waitFor()
  await readAnew(2)
  await page.goForward()
  await entry(page, 'plan.txt').waitFor()
  await readAnew(3)
  await page.goForward()
  await entry(page, 'roof.txt').waitFor()
  await readAnew(4)
  await focusListing(page)
  await page.keyboard.press('Alt+ArrowUp')
  await isSelected(page, 'Roofs')
  await readAnew(5)
  await page.getByRole('navigation', { name: /path/i }).getByRole('link', { name: 'My files' }).click()
  await entry(page, 'file 00.txt').waitFor()
  await readAnew(6)
  assert.deepEqual(await waits(), [])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await close()
})

test('refreshed rows change neither scroll nor focus nor selection', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'file 00.txt')
  await page.keyboard.press('End')
  await isSelected(page, 'file 79.txt')
  const scroll = () => page.locator('.pane').evaluate((pane) => pane.scrollTop)
  const before = await scroll()
  await page.evaluate(() => history.pushState(null, '', '/files/Drawings/'))
  await entry(page, 'plan.txt').waitFor()
  const { release } = await holdListings(page)
  await writeFile(join(site.root, 'file 78b.txt'), 'new')
  await page.goBack()
  await isSelected(page, 'file 79.txt')
  assert.equal(await scroll(), before)
  const top = () => entry(page, 'file 79.txt').evaluate((row) => row.getBoundingClientRect().top)
  const place = await top()
  release()
  await entry(page, 'file 78b.txt').waitFor()
  assert.deepEqual([await top(), await selectedNames(page)], [place, ['file 79.txt']])
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-entry')), '/file 79.txt')
  await close()
})

test('a known folder that may no longer be read shows the reason, and no rows', async () => {
  const { page, close } = await site.openListing()
  await goInto(page, 'Drawings')
  await entry(page, 'plan.txt').waitFor()
  await page.goBack()
  await entry(page, 'file 00.txt').waitFor()
  await page.route('**/api/resources/Drawings?*', (route) => route.fulfill({ status: 403, body: '403 Forbidden' }))
  await page.goForward()
  await page.getByRole('heading', { name: /permissions to access/ }).waitFor()
  assert.equal(await page.locator('[data-entry]').count(), 0)
  await page.goBack()
  await entry(page, 'file 00.txt').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await close()
})

test('on the way to the parent a new child is selected as soon as the rows are refreshed', async () => {
  const { page, close } = await site.openListing()
  await goInto(page, 'Drawings')
  await entry(page, 'plan.txt').waitFor()
  await site.putFiles({ ...many, 'Drawings/Newer/x.txt': 'x', 'Drawings/plan.txt': 'plan' })
  await page.evaluate(() => history.pushState(null, '', '/files/Drawings/Newer/'))
  await entry(page, 'x.txt').waitFor()
  await focusListing(page)
  await page.keyboard.press('Alt+ArrowUp')
  await isSelected(page, 'Newer')
  await close()
})
