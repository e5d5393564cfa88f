// What only an administrator meets: cards of settings that are stored one by one, and where commands are allowed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { allowCommands, openShell, panel } from '../support/shell-panel.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ flags: ['--enable-exec', '--exec-unconfined'], files: { 'a.txt': 'a', 'people/ann.txt': 'a' } })
const card = (page: Page, name: string) => page.getByRole('form', { name, exact: true })
const update = (page: Page, name: string) => card(page, name).getByRole('button', { name: 'Save' }).click()
const saved = (page: Page, name: string) => card(page, name).getByText('Not saved yet').waitFor({ state: 'detached' })

/** What is typed: the shell, the scope of new users, and the time limit of commands. */
const typed = (page: Page) => Promise.all(['Shell', 'Scope', 'Time limit'].map((label) => page.getByLabel(label).inputValue()))

async function openCards() {
  const person = await site.openListing()
  await person.page.goto(`${site.url}/settings/global`)
  await card(person.page, 'General').waitFor()
  return person
}

test('what is typed in a card stays while two others are sent at the same time', async () => {
  const { page, close } = await openCards()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/settings', async (route) => {
    if (route.request().method() === 'PUT') await held.promise
    await route.continue()
  })
  const asked = () => page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/api/settings'))
  await page.getByLabel('Time limit').fill('7')
  await page.getByLabel('Scope').fill('/people')
  await Promise.all([asked(), update(page, 'Defaults for new users')])
  await page.getByLabel('Shell').fill('sh -c')
  await Promise.all([asked(), update(page, 'General')])
  held.resolve()
  await saved(page, 'Defaults for new users')
  await saved(page, 'General')
  assert.deepEqual(await typed(page), ['sh -c', '/people', '7'])
  await page.unrouteAll({ behavior: 'wait' })
  await update(page, 'Command runner')
  await saved(page, 'Command runner')
  await page.reload()
  await card(page, 'General').waitFor()
  assert.deepEqual(await typed(page), ['sh -c', '/people', '7'])
  await close()
})

test('what is typed in all cards stays when one of them is refused', async () => {
  const { page, close } = await openCards()
  await page.route('**/api/settings', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '500 Internal Server Error' }) : route.continue(),
  )
  await page.getByLabel('Shell').fill('bash -c')
  await page.getByLabel('Scope').fill('/elsewhere')
  await page.getByLabel('Time limit').fill('9')
  await update(page, 'Command runner')
  await page.locator('.toast-error').waitFor()
  assert.deepEqual(await typed(page), ['bash -c', '/elsewhere', '9'])
  assert.equal(await page.getByText('Not saved yet').count(), 3)
  await close()
})

test('with no command allowed an administrator gets a link to where they are allowed', async () => {
  await allowCommands(site.url, [])
  const { page, close } = await site.openListing()
  await openShell(page)
  const link = panel(page)
    .getByText('You may not run any command yet.')
    .getByRole('link', { name: 'Choose them in your account' })
  await link.click()
  await page.getByRole('textbox', { name: 'Commands', exact: true }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/settings/users/1')
  await close()
})

test('what an import has brought is shown once other things are closed, until an administrator takes note', async () => {
  const notice = { at: 1, users: 2, passwords: 1, rules: 0, links: 3, hasSettings: false, changed: [], left: [], more: 7 }
  const look = Array.from({ length: 50 }, (_, index) => `the files: ${index}`)
  const { page, close } = await site.openListing(
    {},
    {
      prepare: (opened) =>
        opened.page.route('**/api/imports', (route) =>
          route.request().method() === 'GET' ? route.fulfill({ json: { notices: [{ ...notice, look }] } }) : route.continue(),
        ),
    },
  )
  const dialog = page.getByRole('dialog', { name: 'Brought over from File Browser' })
  await dialog.getByText('the files: 49').waitFor()
  assert.match((await dialog.textContent()) ?? '', /Users2Passwords1Rules0Links3Global settingsNot broughtTo look at/)
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  const taken = page.waitForResponse((answer) => answer.request().method() === 'DELETE' && answer.url().endsWith('/api/imports'))
  await dialog.getByRole('button', { name: 'Got it' }).click()
  assert.equal((await taken).status(), 200)
  await dialog.waitFor({ state: 'detached' })
  await close()
})
