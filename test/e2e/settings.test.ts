// The settings: who sees what, and the profile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ files: { 'a.txt': 'a' }, user: { username: 'ann', may: ['create', 'rename', 'download'] } })
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' })
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Settings' })
const card = (page: Page, name: string) => page.getByRole('form', { name })

test('Sidebar: Settings opens the profile, with a tab bar for administrators', async () => {
  const { page, close } = await site.openListing()
  await sidebar(page).getByRole('button', { name: 'Settings' }).click()
  await page.waitForURL(`${site.url}/settings/profile`)
  await card(page, 'Language').waitFor()
  assert.match(await page.title(), /^Profile settings · /)
  await sidebar(page).getByRole('button', { name: 'Settings' }).and(page.locator('[aria-current=page]')).waitFor()
  assert.deepEqual(await tabs(page).getByRole('link').allTextContents(), ['Profile settings'])
  await tabs(page).getByRole('link', { name: 'Profile settings' }).and(page.locator('[aria-current=page]')).waitFor()
  await close()
})

test('people who are no administrators see the content of the settings alone', async () => {
  const person = await site.newPerson()
  const { page } = person
  await signIn(page, site.url, 'ann')
  await page.goto(`${site.url}/settings`)
  await card(page, 'Language').waitFor()
  assert.equal(new URL(page.url()).pathname, '/settings/profile')
  assert.equal(await tabs(page).count(), 0)
  await person.close()
})

test('Profile: the language is stored with Update, and is there again after a reload', async () => {
  const person = await site.newPerson()
  const { page } = person
  await signIn(page, site.url, 'ann')
  await page.goto(`${site.url}/settings/profile`)
  const language = card(page, 'Language').getByRole('combobox', { name: 'Language' })
  await language.waitFor()
  assert.equal(await language.locator('option').count(), 19)
  await language.selectOption({ label: 'English' })
  await card(page, 'Language').getByRole('button', { name: 'Update' }).click()
  await page.getByText('Settings updated!').waitFor()
  await page.reload()
  await language.waitFor()
  assert.equal(await language.inputValue(), 'en')
  await person.close()
})

test('User update: an error toast, and the choice stays', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/settings/profile`)
  await page.route('**/api/users/1', (route) => route.fulfill({ status: 400, body: '400 Bad Request (locale must be known)' }))
  await card(page, 'Language').getByRole('combobox', { name: 'Language' }).selectOption('pl')
  await card(page, 'Language').getByRole('button', { name: 'Update' }).click()
  await page.getByText('The settings were not updated').waitFor()
  await page.getByText('locale must be known').waitFor()
  assert.equal(await card(page, 'Language').getByRole('combobox', { name: 'Language' }).inputValue(), 'pl')
  await close()
})

test('Profile: how folders look takes effect at once', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/settings/profile`)
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  await page.getByRole('combobox', { name: 'View', exact: true }).selectOption('mosaic')
  await stored
  await sidebar(page).getByRole('link', { name: 'My files' }).click()
  await page.locator('.mosaic').waitFor()
  await close()
})
