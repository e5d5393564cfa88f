// What a person has done is undone from each of their pages, also after a reload and a restart of the server, and by nobody else.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { entry, pick } from '../support/listing.ts'
import { keepNotices, noticeShown } from '../support/notices.ts'
import { signIn, uploadByButton } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { startExecutable } from '../support/start-executable.ts'

const may = ['create', 'rename', 'modify', 'delete', 'download'] as const
const site = startSite({ files: { 'a.txt': 'A', 'b.txt': 'B', 'sub/c.txt': 'C' }, user: { username: 'ben', may } })
const inRoot = (name: string) => join(site.root, name)
const panel = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const remembering = { prepare: ({ context }: { context: Parameters<typeof keepNotices>[0] }) => keepNotices(context) }

async function remove(page: Page, ...names: [string, ...string[]]) {
  await pick(page, ...names)
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
}

async function showActs(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Last actions' }).click()
}

test('what is deleted in one browser is undone by Ctrl+Z in another one of the person, and never by somebody else', async () => {
  const first = await site.openListing({}, remembering)
  const second = await site.openListing({}, remembering)
  await entry(second.page, 'a.txt').waitFor()
  await remove(first.page, 'a.txt', 'b.txt')
  await noticeShown(first.page, '2 items moved to the trash')
  await entry(second.page, 'a.txt').waitFor({ state: 'detached' })
  const other = await site.newPerson()
  await keepNotices(other.context)
  await signIn(other.page, site.url, 'ben')
  await entry(other.page, 'sub').waitFor()
  await showActs(other.page)
  await panel(other.page).getByText('Nothing that you have done').waitFor()
  await entry(other.page, 'sub').click()
  await other.page.keyboard.press('Control+z')
  await noticeShown(other.page, 'Nothing to undo')
  assert.equal(existsSync(inRoot('a.txt')), false)
  await second.page.keyboard.press('Control+z')
  await noticeShown(second.page, 'Undone: delete of 2 items')
  for (const { page } of [first, second, other]) await entry(page, 'a.txt').waitFor()
  assert.equal(readFileSync(inRoot('a.txt'), 'utf8'), 'A')
  for (const { close } of [first, second, other]) await close()
})

test('after a reload the last acts are listed and undone singly; what cannot be undone says why', async () => {
  const { page, close } = await site.openListing({}, remembering)
  await uploadByButton(page, [inRoot('sub/c.txt')])
  await entry(page, 'c.txt').waitFor()
  await remove(page, 'a.txt')
  await noticeShown(page, '1 item moved to the trash')
  await pick(page, 'b.txt')
  await page.keyboard.press('Shift+Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await entry(page, 'b.txt').waitFor({ state: 'detached' })
  await page.reload()
  await entry(page, 'c.txt').waitFor()
  await showActs(page)
  const rows = panel(page).getByRole('listitem')
  await rows.filter({ hasText: 'b.txt' }).first().getByText('It was deleted or replaced for good.').waitFor()
  assert.ok(
    await rows
      .first()
      .getByRole('button', { name: /^Undo delete of .*b\.txt/ })
      .isDisabled(),
  )
  assert.deepEqual(await violations(page), [])
  await panel(page)
    .getByRole('button', { name: /^Undo adding .*c\.txt/ })
    .first()
    .click()
  await entry(page, 'c.txt').waitFor({ state: 'detached' })
  await panel(page)
    .getByRole('button', { name: /^Redo adding .*c\.txt/ })
    .waitFor()
  await entry(page, 'sub').click()
  await page.keyboard.press('Control+z')
  await noticeShown(page, 'This cannot be undone: delete of')
  await page.keyboard.press('Control+z')
  await entry(page, 'a.txt').waitFor()
  await close()
})

test('an act is undone after the server has been restarted', async (t) => {
  const { page, close } = await site.openListing({}, remembering)
  await remove(page, 'sub')
  await noticeShown(page, '1 item moved to the trash')
  await close()
  await site.server.stop()
  const again = await startExecutable([], {}, site.folder)
  t.after(() => again.stop())
  const later = await site.newPerson()
  await signIn(later.page, again.url)
  // It comes with what knows the key.
  await later.page.getByRole('meter', { name: 'Storage used' }).waitFor()
  await entry(later.page, 'a.txt').click()
  await later.page.keyboard.press('Control+z')
  await entry(later.page, 'sub').waitFor()
  assert.equal(readFileSync(inRoot('sub/c.txt'), 'utf8'), 'C')
  await later.close()
})
