// The dialog about the public links of an entry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry, pick } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { fillCredentials } from '../support/person.ts'
import { pixelsOf } from '../support/pixels.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const files = {
  'a.txt': 'the letter a',
  'b.txt': 'b',
  'c.txt': 'c',
  'd.txt': 'd',
  'e.txt': 'e',
  'f.txt': 'f',
  'Plot plans/one.txt': '1',
}
const site = startSite({ files, user: { username: 'ann', may: ['share', 'rename'] } })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

async function press(page: Page, name: string): Promise<void> {
  await pick(page, name)
  await page.getByRole('toolbar').getByRole('button', { name: 'Share', exact: true }).click()
}

/** Opens the dialog, and waits until it knows the links. */
async function openShare(page: Page, name: string): Promise<void> {
  await press(page, name)
  await dialog(page, 'Share').locator(':focus:is([type="radio"], #new-link)').waitFor()
}

test('Share: a permanent link only when there is none, and deleting it allows a new one', async () => {
  const { page, close } = await site.openListing()
  await openShare(page, 'a.txt')
  const first = dialog(page, 'Share')
  await first.getByRole('radio', { name: 'Never' }).and(page.locator(':checked:focus')).waitFor()
  await page.keyboard.press('Enter')
  const ready = dialog(page, 'The link is ready')
  const address = await ready.getByRole('textbox', { name: 'Link' }).inputValue()
  assert.match(address, new RegExp(`^${site.url}/share/[\\w-]{22}$`))
  await ready.getByText('Never expires').waitFor()
  await ready.getByRole('button', { name: 'Another link' }).click()
  const next = dialog(page, 'New link')
  await next.getByText('You already have a permanent link').waitFor()
  assert.equal(await next.getByRole('radio', { name: 'Never' }).isDisabled(), true)
  await next.getByRole('button', { name: 'Cancel' }).click()
  const list = dialog(page, 'Share')
  await list.getByRole('listitem').first().waitFor()
  assert.equal(await list.getByRole('listitem').count(), 1)
  await list.getByRole('button', { name: 'Delete link' }).click()
  await list.getByRole('button', { name: 'Cancel', exact: true }).and(page.locator(':focus')).waitFor()
  await list.getByRole('group', { name: 'Delete link' }).getByRole('button', { name: 'Delete', exact: true }).click()
  await noticeShown(page, 'Link deleted')
  await list.getByText('There is no link to this yet.').waitFor()
  assert.equal((await fetch(address.replace('/share/', '/api/public/share/'))).status, 404)
  await list.getByRole('button', { name: 'New link' }).and(page.locator(':focus')).click()
  await list.getByRole('radio', { name: 'Never' }).waitFor()
  assert.equal(await dialog(page, 'Share').getByRole('radio', { name: 'Never' }).isDisabled(), false)
  await close()
})

test('Share duration: an empty value, a word and too large a number create nothing', async () => {
  const { page, close } = await site.openListing()
  await openShare(page, 'b.txt')
  const form = dialog(page, 'Share')
  await form.getByRole('radio', { name: 'After' }).check()
  const count = form.getByRole('textbox', { name: 'Expires after' })
  assert.equal(await form.getByRole('combobox', { name: 'Unit' }).inputValue(), 'hours')
  for (const wrong of ['', 'soon', '0', '-1', '1.5', '2147483648']) {
    await count.fill(wrong)
    await form.getByRole('button', { name: 'Create link' }).click()
    await form.getByRole('alert').getByText('A whole number from 1 to 2,147,483,647').waitFor()
    await count.and(page.locator(':focus')).waitFor()
  }
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await count.fill('2147483647')
  await form.getByRole('combobox').selectOption('minutes')
  await form.getByRole('button', { name: 'Create link' }).click()
  assert.match((await asked).url(), /\/api\/share\/b\.txt\?expires=2147483647&unit=minutes$/)
  await dialog(page, 'The link is ready').getByText('Expires on').waitFor()
  await close()
})

test('a link with password, note and number of downloads: the password is shown once, and all of it is listed', async () => {
  const { page, context, close } = await site.openListing()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await openShare(page, 'Plot plans')
  const form = dialog(page, 'Share')
  await form.getByRole('button', { name: 'Generate' }).click()
  const password = await form.getByRole('textbox', { name: 'Password' }).inputValue()
  assert.match(password, /^\w{5}-\w{5}-\d\d-\w{5}-\w{5}$/)
  await form
    .getByText('The link ends after this many downloads. A visitor counts once an hour; thumbnails do not count.')
    .waitFor()
  await form.getByRole('textbox', { name: 'Download limit' }).fill('0')
  await form.getByRole('textbox', { name: 'Note' }).fill('for the committee')
  await page.keyboard.press('Enter')
  await form.getByText('A whole number from 1 to').waitFor()
  await form.getByRole('textbox', { name: 'Download limit' }).fill('2')
  await page.keyboard.press('Enter')
  const ready = dialog(page, 'The link is ready')
  await ready.getByText('Never expires · At most 2 downloads').waitFor()
  assert.equal(await ready.getByRole('textbox', { name: 'Password' }).inputValue(), password)
  await ready.getByRole('button', { name: 'Copy password' }).click()
  await noticeShown(page, 'Password copied')
  assert.equal(await clipboard(), password)
  await ready.getByRole('button', { name: 'Copy link' }).click()
  await noticeShown(page, 'Link copied!')
  const address = await clipboard()
  assert.equal(address, await ready.getByRole('textbox', { name: 'Link' }).inputValue())
  await ready.getByRole('button', { name: 'Done' }).click()
  await ready.waitFor({ state: 'detached' })
  await openShare(page, 'Plot plans')
  const item = dialog(page, 'Share').getByRole('listitem')
  await item.getByText('Never expires · Downloads: 0 of 2 · ').getByText('for the committee').waitFor()
  await item.getByText('With a password').waitFor()
  assert.equal((await page.content()).includes(password), false)
  const visitor = await site.newPerson()
  await visitor.page.goto(address)
  await visitor.page.getByRole('textbox', { name: 'Password' }).fill(password)
  await visitor.page.keyboard.press('Enter')
  await visitor.page.getByRole('heading', { name: 'Plot plans' }).waitFor()
  await visitor.close()
  await close()
})

test('QR code of a link, which can be saved as a picture', async () => {
  const { page, close } = await site.openListing()
  await openShare(page, 'c.txt')
  await page.keyboard.press('Enter')
  await dialog(page, 'The link is ready').getByRole('button', { name: 'Done' }).click()
  await openShare(page, 'c.txt')
  const list = dialog(page, 'Share')
  await list.getByRole('button', { name: 'Show QR code' }).click()
  await list.getByRole('img', { name: new RegExp(`^QR code of ${site.url}/share/`) }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    list.getByRole('button', { name: 'Download PNG' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'QR code of c.txt.png')
  const { width, height, dark } = await pixelsOf(Buffer.concat(await Array.fromAsync(await download.createReadStream())))
  assert.equal(width, height)
  assert.ok(dark > 0.2 && dark < 0.6, `${dark} of the picture is dark`)
  await list.getByRole('button', { name: 'Hide QR code' }).click()
  await list.getByRole('img').waitFor({ state: 'detached' })
  await close()
})

test('Share: a refusal is an error toast, and the form stays', async () => {
  const { page, close } = await site.openListing()
  await openShare(page, 'd.txt')
  const form = dialog(page, 'Share')
  await form.getByRole('textbox', { name: 'Note' }).fill('kept')
  await page.route('**/api/share/**', (route) => route.fulfill({ status: 507, body: '507 Insufficient Storage' }))
  await page.keyboard.press('Enter')
  await noticeShown(page, 'The link was not created')
  assert.equal(await form.getByRole('textbox', { name: 'Note' }).inputValue(), 'kept')
  await page.unrouteAll()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.route('**/api/share/**', (route) => route.fulfill({ status: 500, body: '500 Internal Server Error' }))
  await press(page, 'd.txt')
  await noticeShown(page, 'The links could not be read')
  await form.waitFor({ state: 'detached' })
  await close()
})

test('by keyboard alone: the menu, the form, and the focus back on the row', async () => {
  const { page, close } = await site.openListing()
  await pick(page, 'e.txt')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Share' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await until(async () => {
    if ((await focused()).startsWith('Share')) return true
    await page.keyboard.press('ArrowDown')
    return false
  }, 'the arrow keys reach Share')
  await page.keyboard.press('Enter')
  await dialog(page, 'Share').getByRole('radio', { name: 'Never' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  const ready = dialog(page, 'The link is ready')
  await ready.getByRole('textbox', { name: 'Link' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await ready.waitFor({ state: 'detached' })
  await entry(page, 'e.txt').and(page.locator(':focus')).waitFor()
  await close()
})

test('somebody who may share but not download has no command', async () => {
  const { page, close } = await site.newPerson()
  await page.goto(site.url)
  await fillCredentials(page, 'ann', administratorPassword)
  await entry(page, 'a.txt').click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Rename' }).waitFor()
  assert.equal(await page.getByRole('toolbar').getByRole('button', { name: 'Share' }).count(), 0)
  await close()
})

test('Edit: a password is given, changed and removed, and the note changes', async () => {
  const { page, close } = await site.openListing()
  await openShare(page, 'f.txt')
  await page.keyboard.press('Enter')
  const address = await dialog(page, 'The link is ready').getByRole('textbox', { name: 'Link' }).inputValue()
  await dialog(page, 'The link is ready').getByRole('button', { name: 'Done' }).click()
  const statusWith = async (password?: string) => {
    const headers = password === undefined ? {} : { 'X-SHARE-PASSWORD': password }
    return (await fetch(address.replace('/share/', '/api/public/share/'), { headers })).status
  }
  await openShare(page, 'f.txt')
  const list = dialog(page, 'Share')
  const edit = list.getByRole('button', { name: 'Edit link' })
  const form = dialog(page, 'Edit link')
  const save = async () => {
    await form.getByRole('button', { name: 'Save' }).click()
    await edit.and(page.locator(':focus')).waitFor()
  }
  await edit.click()
  await form.getByLabel('Note').and(page.locator(':focus')).fill('for the committee')
  await form.getByLabel('Password (optional)').fill('rhubarb')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').getByText('At least 8 characters.').waitFor()
  await form.getByLabel('Password (optional)').and(page.locator(':focus')).fill('rhubarb crumble')
  await save()
  await noticeShown(page, 'Link saved')
  await list.getByText('for the committee').waitFor()
  assert.deepEqual([await statusWith(), await statusWith('rhubarb crumble')], [401, 200])
  await edit.click()
  assert.equal(await form.getByLabel('Note').inputValue(), 'for the committee')
  await form.getByText('Leave blank to keep the password.').waitFor()
  await form.getByLabel('Note').fill('')
  await save()
  assert.equal(await statusWith('rhubarb crumble'), 200)
  await edit.click()
  await form.getByLabel('New password').fill('gooseberry fool')
  await save()
  assert.deepEqual([await statusWith('rhubarb crumble'), await statusWith('gooseberry fool')], [401, 200])
  await edit.click()
  await form.getByRole('checkbox', { name: 'Remove the password' }).check()
  assert.equal(await form.getByLabel('New password').isDisabled(), true)
  await save()
  assert.equal(await statusWith(), 200)
  await edit.click()
  await form.getByLabel('Note').fill('thrown away')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await edit.and(page.locator(':focus')).waitFor()
  assert.equal(await list.getByText('thrown away').count(), 0)
  await close()
})
