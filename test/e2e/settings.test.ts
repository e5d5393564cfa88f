// The settings: who sees what, and the profile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { noticeShown } from '../support/notices.ts'
import { fillCredentials, signIn } from '../support/person.ts'
import { problem } from '../support/problem.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({
  files: { 'a.txt': 'a' },
  user: { username: 'ann', may: ['create', 'rename', 'download'] },
  prepare: async (site) => {
    await site.addUser({ username: 'ben', may: [] })
    await site.addUser({ username: 'eva', may: [], lockPassword: true })
  },
})
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
  assert.deepEqual(await tabs(page).getByRole('link').allTextContents(), [
    'Profile settings',
    'Link management',
    'Global settings',
    'User management',
    'Activity',
  ])
  await tabs(page).getByRole('link', { name: 'Profile settings' }).and(page.locator('[aria-current=page]')).waitFor()
  await close()
})

test('on a phone the tabs stand beside each other, and the current one is in view', async () => {
  const { page, close } = await site.openListing()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.url}/settings/users`)
  await page.getByRole('link', { name: 'Edit “ann”' }).waitFor()
  const links = await tabs(page).getByRole('link').all()
  const boxes = await Promise.all(links.map(async (link) => (await link.boundingBox()) ?? { x: 0, width: 0 }))
  const texts = await Promise.all(links.map((link) => link.evaluate((tab) => tab.scrollWidth <= tab.clientWidth)))
  assert.deepEqual(texts, [true, true, true, true, true])
  for (const [index, box] of boxes.slice(1).entries()) assert.ok(box.x >= (boxes[index]?.x ?? 0) + (boxes[index]?.width ?? 0))
  const current = boxes[3] ?? { x: 0, width: 0 }
  assert.ok(current.x >= 0 && current.x + current.width <= 390, JSON.stringify(current))
  // The last one keeps its distance from the edge, as the first one does.
  await page.goto(`${site.url}/settings/activity`)
  const last = tabs(page).getByRole('link', { name: 'Activity' })
  await last.and(page.locator('[aria-current=page]')).waitFor()
  const { x, width } = (await last.boundingBox()) ?? { x: 0, width: 0 }
  assert.equal(Math.round(390 - x - width), 16)
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
  await card(page, 'Language').getByRole('button', { name: 'Save' }).click()
  await noticeShown(page, 'Settings updated!')
  await page.reload()
  await language.waitFor()
  assert.equal(await language.inputValue(), 'en')
  await person.close()
})

test('User update: an error toast, and the choice stays', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/settings/profile`)
  await page.route('**/api/users/1', (route) => route.fulfill(problem(400, { detail: 'locale must be known' })))
  await card(page, 'Language').getByRole('combobox', { name: 'Language' }).selectOption('pl')
  await card(page, 'Language').getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were not saved').waitFor()
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

test('Profile: the password with its confirmation in three colours; another one than the current password is refused', async () => {
  const person = await site.newPerson()
  const { page } = person
  await signIn(page, site.url, 'ann')
  await page.goto(`${site.url}/settings/profile`)
  const form = card(page, 'Password')
  const colour = async (name: string) => form.getByLabel(name, { exact: true }).getAttribute('data-match')
  const colours = async () => [await colour('New password'), await colour('Confirm new password')]
  await form.waitFor()
  assert.deepEqual(await colours(), [null, null])
  const update = form.getByRole('button', { name: 'Save' })
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'PUT' && sent.push(request.url())))
  await update.click()
  await form.getByLabel('New password', { exact: true }).fill('a new long password')
  await form.getByText('The passwords don’t match').waitFor()
  assert.deepEqual(await colours(), ['different', 'different'])
  await update.click()
  const isFocused = (name: string) => form.getByLabel(name, { exact: true }).and(page.locator(':focus')).waitFor()
  await isFocused('Confirm new password')
  assert.deepEqual(sent, [])
  await form.getByLabel('Confirm new password').fill('a new long password')
  await form.getByText('The passwords match').waitFor()
  assert.deepEqual(await colours(), ['same', 'same'])
  await form.getByLabel('Current password').fill('not mine')
  await update.click()
  await form.getByRole('alert').getByText('This is not your current password.').waitFor()
  await isFocused('Current password')
  await form.getByLabel('Current password').fill(administratorPassword)
  await update.click()
  await noticeShown(page, 'Password updated!')
  await page.waitForFunction(() => document.querySelectorAll('[data-match]').length === 0)
  assert.ok(await update.and(page.locator(':focus')).isVisible())
  assert.equal(await form.getByLabel('New password', { exact: true }).inputValue(), '')
  await person.close()
  const later = await site.newPerson()
  await later.page.goto(site.url)
  await fillCredentials(later.page, 'ann', 'a new long password')
  await later.page.getByRole('row', { name: /a\.txt/ }).waitFor()
  await later.close()
})

test('Profile: who may not change the password has no card for it', async () => {
  const person = await site.newPerson()
  const { page } = person
  await signIn(page, site.url, 'eva')
  await page.goto(`${site.url}/settings/profile`)
  await card(page, 'Language').waitFor()
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  assert.equal(await card(page, 'Password').count(), 0)
  await person.close()
})

test('Profile: sessions, of which one or all others can be ended', async () => {
  const [here, there] = [await site.newPerson(), await site.newPerson()]
  await signIn(here.page, site.url, 'ben')
  await signIn(there.page, site.url, 'ben')
  const form = card(here.page, 'Sessions')
  await here.page.goto(`${site.url}/settings/profile`)
  const entries = form.getByRole('listitem')
  await entries.nth(1).waitFor()
  assert.match(
    (await entries.first().textContent()) ?? '',
    /Computer · Chrome, Linux.*127\.0\.0\.1 · on this network.*in use now.*this session/,
  )
  const answer = Promise.withResolvers<void>()
  await here.page.route('**/api/sessions/*', (route) => answer.promise.then(() => route.continue()))
  await form.getByRole('button', { name: /^End: Computer · Chrome, Linux/ }).press('Enter')
  // While one ends no other can be asked for.
  await form.getByRole('button', { name: 'End all others', disabled: true }).waitFor()
  answer.resolve()
  await noticeShown(here.page, 'Session ended')
  await entries.nth(1).waitFor({ state: 'detached' })
  await here.page.locator('#main:focus').waitFor()
  assert.equal(await form.getByRole('button').count(), 0)
  // The open page of the ended session asks to sign in by itself.
  await there.page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor()
  await there.page.reload()
  await there.page.getByLabel('Username').waitFor()
  await signIn(there.page, site.url, 'ben')
  await here.page.reload()
  await form.getByText('This also cancels everything that is still being copied').waitFor()
  await form.getByRole('button', { name: 'End all others' }).click()
  await entries.nth(1).waitFor({ state: 'detached' })
  await there.page.reload()
  await there.page.getByLabel('Username').waitFor()
  await here.close()
  await there.close()
})
