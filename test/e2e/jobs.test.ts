// Jobs of the server: the same panel in every tab, over a reload, with the questions inside it.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry } from '../support/listing.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ files: { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C', 'there/a.txt': 'old', 'there/b.txt': 'old' } })

/** As another device would. */
const begin = (page: Page) =>
  page.evaluate(async () => {
    const body = { id: 'of-a-device', kind: 'copy', entries: ['/a.txt', '/b.txt', '/c.txt'], to: '/there' }
    const headers = { 'Content-Type': 'application/json', 'X-Auth': localStorage.getItem('holdall:token') ?? '' }
    return (await fetch('/api/jobs', { method: 'POST', headers, body: JSON.stringify(body) })).status
  })

test('a job that asks is in every tab, also after a reload; the answer of one ends it in all', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'a.txt').waitFor()
  assert.equal(await begin(page), 202)
  const panel = (of: Page) => of.getByRole('region', { name: 'Transfers' })
  await panel(page).getByText('already contains').waitFor()
  await page.reload()
  await panel(page).getByText('already contains').waitFor()
  const other = await page.context().newPage()
  await other.goto(`${site.url}/files/there/`)
  await panel(other).getByLabel('Do this for the remaining item too').check()
  await panel(other).getByRole('button', { name: 'Keep both' }).click()
  for (const tab of [page, other]) await panel(tab).getByRole('heading', { name: 'Finished' }).waitFor()
  assert.deepEqual(readdirSync(join(site.root, 'there')).sort(), ['a(1).txt', 'a.txt', 'b(1).txt', 'b.txt', 'c.txt'])
  await entry(other, 'c.txt').waitFor()
  await panel(other).getByRole('button', { name: 'Close' }).click()
  for (const tab of [page, other]) await panel(tab).waitFor({ state: 'detached' })
  await close()
})
