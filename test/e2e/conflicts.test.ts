// Uploads whose names are taken: one prompt, before anything of them is sent, with both sizes and dates.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { dragFromDesktop } from '../support/desktop.ts'
import { entry, middleOf } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'

const site = startSite({
  files: { 'box/trip/a.txt': 'theirs', 'box/trip/b.txt': 'theirs', 'box/trip/day 1/c.txt': 'theirs', 'other/': '' },
  prepare: async ({ folder }) => {
    const trip = join(folder, 'desktop/trip')
    await mkdir(join(trip, 'day 1'), { recursive: true })
    for (const name of ['a.txt', 'b.txt', 'new.txt', 'day 1/c.txt', 'day 1/d.txt'])
      await writeFile(join(trip, name), `mine: ${name}`)
  },
})

const read = (...names: string[]) => readFileSync(join(site.root, 'box/trip', ...names), 'utf8')

/** Drops the folder *trip* onto the row *box*, which contains another *trip*. @returns the paths of the files that are sent */
async function dropOnBox(page: Page): Promise<string[]> {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.startsWith('/api/resources/') && !pathname.endsWith('/'))
      sent.push(decodeURIComponent(pathname.slice('/api/resources/box/trip/'.length)))
  })
  const { drop } = await dragFromDesktop(page, await middleOf(entry(page, 'box')), [join(site.folder, 'desktop/trip')])
  await drop()
  return sent
}

test('A 409 conflict leads to the replace prompt, before a byte of it is sent; one answer counts for all that remain', async () => {
  const ann = await site.openListing()
  const { page } = ann
  const sent = await dropOnBox(page)
  const asked = page.getByRole('dialog')
  // The order of dropped entries is not defined: the prompt may begin with either file.
  await asked
    .getByText(/[ab]\.txt/)
    .first()
    .waitFor()
  await asked.getByText('6 bytes').waitFor()
  await asked.getByText('11 bytes').waitFor()
  // Nor is anything else of the drop.
  assert.deepEqual(sent, [])
  await asked.getByRole('checkbox').check()
  await asked.getByRole('button', { name: 'Keep both' }).click()
  await noticeShown(page, '5 files uploaded')
  assert.deepEqual(sent.toSorted(), ['a(1).txt', 'b(1).txt', 'day 1/c(1).txt', 'day 1/d.txt', 'new.txt'])
  assert.deepEqual([read('a.txt'), read('a(1).txt'), read('day 1/c(1).txt')], ['theirs', 'mine: a.txt', 'mine: day 1/c.txt'])
  await ann.close()
})

test('Esc stops the rest of the drop and leaves what is there as it is', async () => {
  const ann = await site.openListing()
  const { page } = ann
  const sent = await dropOnBox(page)
  await page.getByRole('dialog').waitFor()
  // What is not read yet is not counted, and the question may come before the whole drop is read.
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'new.txt'])
    await page.locator('.transfer-name').filter({ hasText: name }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await noticeShown(page, '5 files were not uploaded')
  assert.deepEqual(sent, [])
  assert.deepEqual(readdirSync(join(site.root, 'box/trip')).toSorted(), ['a.txt', 'b.txt', 'day 1'])
  assert.deepEqual([read('a.txt'), read('day 1/c.txt')], ['theirs', 'theirs'])
  await ann.close()
})

test('Keep both takes the next number on 409', async () => {
  await site.putFiles({ 'box/trip/a.txt': 'theirs', 'box/trip/a(1).txt': 'theirs too', 'other/': '' })
  const ann = await site.openListing()
  const { page } = ann
  const sent = await dropOnBox(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Keep both' }).click()
  await noticeShown(page, '5 files uploaded')
  assert.deepEqual(
    sent.filter((name) => name.startsWith('a')),
    ['a(1).txt', 'a(2).txt'],
  )
  assert.deepEqual([read('a(1).txt'), read('a(2).txt')], ['theirs too', 'mine: a.txt'])
  await ann.close()
})

test('an upload that is most likely there already is not doubled by Enter', async () => {
  const ann = await site.openListing()
  const { page } = ann
  const file = join(site.folder, 'twice.txt')
  await writeFile(file, 'stored once')
  // As when the answer is lost and the browser sends it again by itself.
  const sent: string[] = []
  await page.route('**/api/resources/twice*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (route.request().method() === 'POST') {
      sent.push(pathname.slice(pathname.lastIndexOf('/') + 1))
      await writeFile(join(site.root, 'twice.txt'), 'stored once')
    }
    await route.continue()
  })
  await uploadByButton(page, [file])
  const asked = page.getByRole('dialog')
  await asked.getByText('most likely it is this upload itself').waitFor()
  await asked.locator('.button-primary:focus', { hasText: 'Skip' }).waitFor()
  await page.keyboard.press('Enter')
  await asked.waitFor({ state: 'detached' })
  assert.deepEqual(sent, ['twice.txt'])
  await ann.close()
})
