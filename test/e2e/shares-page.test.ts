// The page about all public links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { asPrincipal } from '../support/as-principal.ts'
import { entry } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { fillCredentials, type View } from '../support/person.ts'
import { share, sharesOf } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const files = { 'minutes.md': 'm', 'Plots/plan.txt': 'p', 'Plots/other.txt': 'o', 'frost.csv': 'f', 'beds.txt': 'b' }
const site = startSite({ files, user: { username: 'ann', may: ['share', 'download'] } })
const rows = (page: Page) => page.locator('tbody tr')
const names = async (page: Page) =>
  (await page.locator('tbody a.name').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).sort()
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function calls(username: string) {
  const body = JSON.stringify({ username, password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body })
  return asPrincipal(site.url, await answer.text())
}

/** Leaves these links and no others. */
async function putLinks() {
  const [admin, ann] = await Promise.all([calls('admin'), calls('ann')])
  for (const { hash } of await sharesOf(admin)) await admin.ask('DELETE', `/api/share/${hash}`)
  await share(admin, '/minutes.md', { password: 'rhubarb pie', note: 'for the committee' })
  await share(admin, '/Plots/plan.txt', { expires: 2, unit: 'days' })
  await share(ann, '/frost.csv')
  const { hash } = await share(ann, '/beds.txt', { mostDownloads: 1 })
  await fetch(`${site.url}/api/public/dl/${hash}`).then((answer) => answer.text())
  return { admin, ann }
}

async function openPage(username = 'admin', view?: View) {
  const person = await site.newPerson(view)
  await person.page.goto(`${site.url}/settings/shares`)
  await fillCredentials(person.page, username, administratorPassword)
  await rows(person.page).first().waitFor()
  return person
}

test('an administrator sees the links of everybody, with owner, end, downloads and password, and filters them', async () => {
  await putLinks()
  const { page, close } = await openPage()
  assert.equal(await rows(page).count(), 4)
  await row(page, 'minutes.md').getByText('With a password').waitFor()
  await row(page, 'minutes.md').getByText('for the committee').waitFor()
  // After midnight it is a day less.
  await row(page, 'plan.txt')
    .getByRole('cell', { name: /^(in 2 days|tomorrow)$/ })
    .waitFor()
  await row(page, 'frost.csv').getByRole('cell', { name: 'ann', exact: true }).waitFor()
  await row(page, 'beds.txt').getByRole('cell', { name: 'Used up' }).waitFor()
  await row(page, 'beds.txt').getByRole('cell', { name: '1 of 1' }).waitFor()
  for (const [chip, expected] of [
    ['Mine · 2', ['minutes.md', 'plan.txt']],
    ['Expiring soon · 1', ['plan.txt']],
    ['With a password · 1', ['minutes.md']],
    ['Ended · 1', ['beds.txt']],
    ['All · 4', ['beds.txt', 'frost.csv', 'minutes.md', 'plan.txt']],
  ] as const) {
    await button(page, chip).click()
    assert.equal(await button(page, chip).getAttribute('aria-pressed'), 'true')
    assert.deepEqual(await names(page), expected)
  }
  await page.getByRole('searchbox').fill('ANN frost')
  assert.equal(await rows(page).count(), 1)
  await page.getByRole('searchbox').fill('greenhouse')
  await page.getByRole('heading', { name: 'No link matches' }).waitFor()
  await button(page, 'Clear the filter').click()
  assert.equal(await rows(page).count(), 4)
  await row(page, 'plan.txt').getByRole('link', { name: 'plan.txt' }).click()
  await page.waitForURL(`${site.url}/files/Plots/plan.txt`)
  await close()
})

test('several links are selected and deleted after a question; what the filter hides stays', async () => {
  const { admin } = await putLinks()
  const { page, close } = await openPage()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await button(page, 'Mine · 2').click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('2 selected').waitFor()
  await button(page, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete 2 links?' })
  await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  assert.equal((await sharesOf(admin)).length, 4)
  await button(page, 'Delete').click()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await noticeShown(page, '2 links deleted')
  await button(page, 'All · 2').click()
  await row(page, 'frost.csv').waitFor()
  assert.deepEqual((await sharesOf(admin)).map(({ name }) => name).sort(), ['beds.txt', 'frost.csv'])
  await close()
})

test('one link is copied, shown as a code, and deleted; a refusal is said and keeps it', async () => {
  const { admin } = await putLinks()
  const { page, context, close } = await openPage()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: /^Copy link of “.minutes/ }).click()
  await noticeShown(page, 'Link copied!')
  const hash = (await sharesOf(admin)).find(({ name }) => name === 'minutes.md')?.hash
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.url}/share/${hash}`)
  await page.getByRole('button', { name: /^Show QR code of “.minutes/ }).click()
  await page.getByRole('img', { name: `QR code of ${site.url}/share/${hash}` }).waitFor()
  const removal = page.getByRole('button', { name: /^Delete link of “.minutes/ })
  const question = page.getByRole('dialog', { name: /^Delete the link of “.minutes/ })
  await page.route('**/api/share/*', (route) => route.fulfill({ status: 507, body: '507 Insufficient Storage' }))
  await removal.click()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await noticeShown(page, '1 link was not deleted')
  await question.waitFor({ state: 'detached' })
  assert.equal(await row(page, 'minutes.md').count(), 1)
  await page.unrouteAll()
  await removal.click()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await noticeShown(page, 'Link deleted')
  await page.getByText('minutes.md').waitFor({ state: 'detached' })
  assert.equal((await fetch(`${site.url}/api/public/share/${hash}`)).status, 404)
  await close()
})

test('a link is edited: a refusal is said and keeps what was typed', async () => {
  const { admin } = await putLinks()
  const { page, close } = await openPage()
  await page.getByRole('button', { name: /^Edit link of “.frost/ }).click()
  const form = page.getByRole('dialog', { name: 'Edit link' })
  await form.getByLabel('Note').fill('before the frost')
  await form.getByLabel('Password (optional)').fill('a hedge of hazel')
  await page.route('**/api/share/*', (route) => route.fulfill({ status: 503, body: '503 Service Unavailable' }))
  await form.getByRole('button', { name: 'Save' }).click()
  await noticeShown(page, 'The link was not saved')
  assert.equal(await form.getByLabel('Note').inputValue(), 'before the frost')
  await page.unrouteAll()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  await row(page, 'frost.csv').getByText('before the frost').waitFor()
  await row(page, 'frost.csv').getByText('With a password').waitFor()
  await page
    .getByRole('button', { name: /^Edit link of “.frost/ })
    .and(page.locator(':focus'))
    .waitFor()
  const changed = (await sharesOf(admin)).find(({ name }) => name === 'frost.csv')
  assert.deepEqual([changed?.note, changed?.hasPassword, changed?.username], ['before the frost', true, 'ann'])
  await close()
})

test('others see their own links alone, by way of the profile, on a phone too', async () => {
  await putLinks()
  const { page, close } = await openPage('ann', { width: 390, height: 844, touch: true })
  assert.deepEqual(await names(page), ['beds.txt', 'frost.csv'])
  assert.equal(await page.getByText('Owner').count(), 0)
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  assert.equal(scrolls, false, 'the cards are as wide as the phone')
  assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), [
    '',
    'Shared item',
    'Created',
    'Expires',
    'Downloads',
    'Actions',
  ])
  assert.equal(await page.locator('table[role="table"] > tbody[role="rowgroup"] > tr[role="row"] > td[role="cell"]').count(), 12)
  await button(page, 'Back to the profile').tap()
  await page.getByRole('form', { name: 'Your links' }).getByRole('link', { name: 'Show all links' }).tap()
  await page.getByRole('heading', { name: 'Your links' }).waitFor()
  await close()
})

test('what others make, change and delete is shown in the open page and dialog, and keeps the selection', async () => {
  const { admin, ann } = await putLinks()
  const { page, close } = await openPage('ann')
  await row(page, 'frost.csv').getByRole('checkbox').check()
  const { hash } = await share(ann, '/Plots/other.txt')
  await row(page, 'other.txt').waitFor()
  await admin.ask('PATCH', `/api/share/${hash}`, { body: JSON.stringify({ note: 'for the committee' }) })
  await row(page, 'other.txt').getByText('for the committee').waitFor()
  await admin.ask('DELETE', `/api/share/${hash}`)
  await row(page, 'other.txt').waitFor({ state: 'detached' })
  assert.equal(await row(page, 'frost.csv').getByRole('checkbox').isChecked(), true)

  await page.goto(`${site.url}/files/`)
  await entry(page, 'beds.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'New link' }).waitFor()
  for (const link of await sharesOf(admin, '/beds.txt')) await admin.ask('DELETE', `/api/share/${link.hash}`)
  // Without a link the form of a new one is shown.
  await dialog.getByRole('button', { name: 'Create link' }).waitFor()
  await close()
})

test('where nothing is shared the page says how to', async () => {
  const { admin } = await putLinks()
  for (const { hash } of await sharesOf(admin)) await admin.ask('DELETE', `/api/share/${hash}`)
  const person = await site.openListing()
  await person.page.goto(`${site.url}/settings/shares`)
  await person.page.getByRole('heading', { name: 'Nothing is shared yet' }).waitFor()
  await person.close()
})
