// The number of entries of folders, in the list and in the mosaic.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry } from '../support/listing.ts'
import { startSite } from '../support/site.ts'

const long = 'a name that is much too long for its column '.repeat(5)
const site = startSite({
  files: { 'trip/a.txt': 'a', 'trip/b.txt': 'b', 'one/c.txt': '', 'none/': '', [`${long}/d.txt`]: '', 'f.txt': '' },
})
const countOf = (page: Page, name: string) => entry(page, name).locator('.item-count')

test('a folder shows how many entries it has, later than its row, and nothing moves', async () => {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const { page, close } = await site.openListing(
    {},
    {
      prepare: ({ page }) =>
        page.route('**/api/counts/**', async (route) => {
          ask()
          await mayAnswer
          await route.continue()
        }),
    },
  )
  await isAsked
  const boxes = () =>
    page.locator('.row .name, .row .row-date').evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())))
  const before = await boxes()
  answer()
  await countOf(page, 'trip').getByText('2 items').waitFor()
  await countOf(page, 'one').getByText('1 item', { exact: true }).waitFor()
  await countOf(page, 'none').getByText('0 items').waitFor()
  assert.deepEqual(await boxes(), before)
  assert.equal(await countOf(page, 'f.txt').count(), 0)
  const isVisible = await countOf(page, long).evaluate((count) => {
    const { top } = count.getBoundingClientRect()
    return top < (count.parentElement?.getBoundingClientRect().bottom ?? 0)
  })
  assert.equal(isVisible, false, 'beside a name that takes all the room')
  await entry(page, 'trip')
    .getByRole('gridcell', { name: /^trip 2 items$/ })
    .waitFor()
  await page.getByRole('button', { name: 'Tiles' }).click()
  await countOf(page, 'trip').getByText('2 items').waitFor()
  await close()
})

test('the number follows what comes into the folder by another page, without a refresh', async () => {
  const { page, close } = await site.openListing()
  await countOf(page, 'trip').getByText('2 items').waitFor()
  const other = await page.context().newPage()
  await other.goto(`${site.url}/files/trip/`)
  await entry(other, 'a.txt').waitFor()
  const status = await other.evaluate(async () => {
    const headers = { 'X-Auth': localStorage.getItem('holdall:token') ?? '' }
    return (await fetch('/api/resources/trip/c.txt', { method: 'POST', headers, body: 'c' })).status
  })
  assert.equal(status, 200)
  await countOf(page, 'trip').getByText('3 items').waitFor()
  rmSync(join(site.root, 'trip/c.txt'))
  await close()
})

test('the number follows what is added to the folder', async () => {
  const { page, close } = await site.openListing()
  await countOf(page, 'one').getByText('1 item', { exact: true }).waitFor()
  writeFileSync(join(site.root, 'one/new.txt'), '')
  // A change in a folder is no change of its parent, whose listing is loaded again.
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Refresh' }).click()
  await countOf(page, 'one').getByText('2 items').waitFor()
  await close()
})
