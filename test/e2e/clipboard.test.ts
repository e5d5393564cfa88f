// The specification's paste (section 4): copy for c, move for x, the same folder, conflicts; and the settings per user.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, goInto, isSelected, pick } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'

const site = startSite({
  files: { 'a.txt': 'mine', 'b.txt': 'b', 'c.txt': 'c', 'there/a.txt': 'theirs', 'there/b.txt': 'theirs too' },
})
const inRoot = (...names: string[]) => join(site.root, ...names)
const read = (...names: string[]) => readFileSync(inRoot(...names), 'utf8')

test('Ctrl+C and Ctrl+V copy; the copies are selected; they can be pasted again', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'c.txt')
  await page.keyboard.press('Control+c')
  await goInto(page, 'there')
  await page.keyboard.press('Control+v')
  await isSelected(page, 'c.txt')
  assert.deepEqual([read('there', 'c.txt'), read('c.txt')], ['c', 'c'])
  await page.keyboard.press('Control+v')
  await page.getByRole('dialog', { name: '1 item already exists' }).waitFor()
  await close()
})

test('Ctrl+X dims, Ctrl+V moves, and the clipboard resets after the move', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'c.txt')
  await page.keyboard.press('Control+x')
  await page.locator('.row.is-cut').getByRole('link', { name: 'c.txt' }).waitFor()
  await goInto(page, 'there')
  await page.keyboard.press('Control+v')
  await isSelected(page, 'c.txt')
  assert.equal(existsSync(inRoot('c.txt')), false)
  await page.keyboard.press('Control+v')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await close()
})

test('Pasting into the same folder copies with automatic rename', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await isSelected(page, 'a(1).txt')
  assert.equal(read('a(1).txt'), 'mine')
  await close()
})

test('Pasting into another folder with name conflicts asks replace or rename, per file, with both sizes and dates', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'b.txt', 'c.txt')
  await page.keyboard.press('Control+c')
  await goInto(page, 'there')
  await page.keyboard.press('Control+v')
  const asked = page.getByRole('dialog', { name: '2 items already exist' })
  await asked.getByText('4 bytes').waitFor()
  await asked.getByText('6 bytes').waitFor()
  assert.deepEqual(readdirSync(inRoot('there')).sort(), ['a.txt', 'b.txt'])
  await asked.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('dialog', { name: '1 item already exists' }).getByRole('button', { name: 'Keep both' }).click()
  for (const name of ['a.txt', 'b(1).txt', 'c.txt']) await isSelected(page, name)
  assert.deepEqual(
    [read('there', 'a.txt'), read('there', 'b.txt'), read('there', 'b(1).txt'), read('there', 'c.txt')],
    ['mine', 'theirs too', 'b', 'c'],
  )
  await close()
})

test('Apply to the remaining: one answer for all, and Esc skips what is left', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt', 'b.txt')
  await page.keyboard.press('Control+x')
  await goInto(page, 'there')
  await page.keyboard.press('Control+v')
  const asked = page.getByRole('dialog', { name: '2 items already exist' })
  await asked.getByLabel('Do this for the remaining item too').check()
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  assert.deepEqual([read('a.txt'), read('b.txt')], ['mine', 'b'], 'nothing was moved')
  assert.deepEqual([read('there', 'a.txt'), read('there', 'b.txt')], ['theirs', 'theirs too'], 'and nothing was replaced')
  // They stay cut.
  await page.keyboard.press('Control+v')
  await asked.getByLabel('Do this for the remaining item too').check()
  await asked.getByRole('button', { name: 'Replace' }).click()
  await noticeShown(page, '2 items moved')
  assert.deepEqual([read('there', 'a.txt'), read('there', 'b.txt'), existsSync(inRoot('a.txt'))], ['mine', 'b', false])
  await close()
})

test('a move can be undone by its notice and done again by Ctrl+Shift+Z, and undone by Ctrl+Z', async () => {
  await site.putFiles({ 'b.txt': 'b', 'c.txt': 'c', 'there/': '' })
  const { page, close } = await site.openListing()
  await pick(page, 'b.txt', 'c.txt')
  await page.keyboard.press('Control+x')
  await goInto(page, 'there')
  await page.keyboard.press('Control+v')
  await noticeShown(page, '2 items moved to')
  assert.equal(existsSync(inRoot('b.txt')), false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await noticeShown(page, 'Undone: move of 2 items')
  assert.deepEqual([read('b.txt'), read('c.txt'), existsSync(inRoot('there', 'c.txt'))], ['b', 'c', false])
  // Only what was not shown before is selected.
  for (const name of ['b.txt', 'c.txt']) await entry(page, name).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+z')
  await noticeShown(page, 'Redone: move of 2 items')
  await isSelected(page, 'c.txt')
  assert.deepEqual([existsSync(inRoot('b.txt')), read('there', 'c.txt')], [false, 'c'])
  await page.keyboard.press('Control+z')
  await noticeShown(page, 'Undone: move of 2 items')
  assert.deepEqual([read('b.txt'), read('c.txt'), existsSync(inRoot('there', 'c.txt'))], ['b', 'c', false])
  await close()
})

/** Waits until a page knows what was copied in another one, by its menu. */
async function isPasteOffered(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /^Paste/, disabled: false }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

test('Ctrl+V with nothing to paste says why, and what is copied in one tab can be pasted in another', async () => {
  await site.putFiles({ 'a.txt': 'mine', 'there/': '' })
  const { page, close } = await site.openListing()
  await entry(page, 'a.txt').waitFor()
  await page.keyboard.press('Control+v')
  await page.getByRole('alert').getByText('Copy or cut something first').waitFor()
  const other = await page.context().newPage()
  await other.goto(`${site.url}/files/there/`)
  await other.getByText('This folder is empty').waitFor()
  await pick(page, 'a.txt')
  await page.keyboard.press('Control+c')
  await noticeShown(page, 'ready to paste')
  await isPasteOffered(other)
  await other.keyboard.press('Control+v')
  await isSelected(other, 'a.txt')
  assert.equal(read('there', 'a.txt'), 'mine')
  await close()
})

test("Ctrl+C stays the browser's when text is selected", async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'a.txt')
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('.footer') as Element))
  await page.keyboard.press('Control+c')
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await page.keyboard.press('Control+v')
  assert.deepEqual(readdirSync(site.root).sort(), ['a.txt', 'b.txt', 'c.txt', 'there'])
  await close()
})

test('Sorting and view are kept per user: they hold in another browser', async () => {
  const first = await site.openListing()
  const kept = first.page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/api/users/'),
  )
  await first.page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  assert.equal((await kept).status(), 200)
  await first.close()
  const second = await site.newPerson()
  await signIn(second.page, site.url)
  await second.page.locator('[role=columnheader][aria-sort=descending]', { hasText: 'Size' }).waitFor()
  await second.close()
})
