// Hiding the transfers panel cancels nothing; a separate button cancels all uploads, after a question.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry } from '../support/listing.ts'
import { uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ files: { 'a.txt': 'a' } })

const panel = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Cancel all uploads?' })

/** Begins an upload. @returns a function that lets its request through */
async function beginUpload(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/api/resources/${name}?*`, async (route) => {
    await promise
    // A cancelled request cannot continue.
    await route.continue().catch(() => undefined)
  })
  await writeFile(join(site.folder, name), name)
  await uploadByButton(page, [join(site.folder, name)])
  await panel(page).getByText('Uploading 1 of 1').waitFor()
  return resolve
}

test('the × of the panel hides it, the uploads go on, and a command shows it again', async () => {
  const { page, close } = await site.openListing()
  const go = await beginUpload(page, 'slow.txt')
  await panel(page).getByRole('button', { name: 'Hide; the uploads continue' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Show the transfers' }).click()
  await panel(page).getByText('Uploading 1 of 1').waitFor()
  await panel(page).getByRole('button', { name: 'Hide; the uploads continue' }).click()
  go()
  await page.getByText('1 file uploaded').waitFor()
  await entry(page, 'slow.txt').waitFor()
  assert.equal(await panel(page).count(), 0)
  await close()
})

test('Cancel all asks first: declining changes nothing, agreeing cancels all uploads', async () => {
  const { page, close } = await site.openListing()
  const go = await beginUpload(page, 'slow.txt')
  await panel(page).getByRole('button', { name: 'Cancel all' }).click()
  await question(page).getByText('1 upload is not finished. Uploaded files stay.').waitFor()
  await question(page).getByRole('button', { name: 'Continue uploading' }).click()
  await panel(page).getByText('Uploading 1 of 1').waitFor()
  await panel(page).getByRole('button', { name: 'Cancel all' }).click()
  await question(page).getByRole('button', { name: 'Cancel all' }).click()
  await panel(page).waitFor({ state: 'detached' })
  go()
  assert.equal(existsSync(join(site.root, 'slow.txt')), false)
  await close()
})

test('the question closes when the uploads have ended, and a hidden panel is shown again after a failure', async () => {
  const { page, close } = await site.openListing()
  const go = await beginUpload(page, 'slow.txt')
  await panel(page).getByRole('button', { name: 'Cancel all' }).click()
  await question(page).waitFor()
  go()
  await page.getByText('1 file uploaded').waitFor()
  await question(page).waitFor({ state: 'detached' })
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'detached' })
  const refused = Promise.withResolvers<void>()
  await page.route('**/api/resources/fails.txt?*', async (route) => {
    await refused.promise
    await route.fulfill({ status: 503, body: 'busy' })
  })
  await writeFile(join(site.folder, 'fails.txt'), 'fails')
  await uploadByButton(page, [join(site.folder, 'fails.txt')])
  await panel(page).getByRole('button', { name: 'Hide; the uploads continue' }).click()
  await panel(page).waitFor({ state: 'detached' })
  refused.resolve()
  await panel(page).getByText('The server is busy').waitFor()
  await close()
})
