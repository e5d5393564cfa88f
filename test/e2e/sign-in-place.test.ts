// After the end of a session the page stays with its overlays, and refused calls are repeated after the sign-in.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { endSession, endSessionDuring, openBehindPrompt } from '../support/end-session.ts'
import { entry, pick, startRename } from '../support/listing.ts'
import { showList, signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { 'Drawings/roof.txt': 'roof', 'a.txt': 'a', 'b.txt': 'b' } })
const inRoot = (name: string) => existsSync(join(site.root, name))

/** A user with a separate session, whose end does not affect other tests. */
async function start() {
  const person = await site.newPerson()
  // The page is to find the end of its session by what the test does: not by the live socket, and not by a call of its own.
  await person.context.routeWebSocket('**/api/live', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      if (!String(message).includes('"ended"')) socket.send(message)
    })
    server.onClose(() => {})
  })
  await person.context.route(/\/api\/(usage|counts)\//, () => {})
  await signIn(person.page, site.url)
  const answered = (path: string) => person.page.waitForResponse((response) => response.url().includes(path))
  // A changed setting is stored, and the token is renewed for it.
  const kept = Promise.all([answered('/api/users/'), answered('/api/renew')])
  await showList(person.page)
  await kept
  return person
}

const prompt = (page: Page) => page.getByRole('dialog', { name: 'Sign in to continue' })

/** Signs in at the prompt; the name is filled in, and the password field has the focus. */
async function signInInPlace(page: Page): Promise<void> {
  await prompt(page).waitFor()
  assert.equal(await prompt(page).getByLabel('Username').inputValue(), 'admin')
  await prompt(page).locator('input[name=password]:focus').waitFor()
  await page.keyboard.type(administratorPassword)
  await page.keyboard.press('Enter')
  await prompt(page).waitFor({ state: 'detached' })
}

test('a name that is typed in its row is kept when the session has ended, and applied after the sign-in', async () => {
  const { page, close } = await start()
  await pick(page, 'a.txt')
  await startRename(page)
  await page.keyboard.type('new name')
  await endSessionDuring(page, () => page.keyboard.press('Enter'))
  await prompt(page).waitFor()
  assert.equal(await page.locator('.rename input').inputValue(), 'new name.txt')
  assert.match(page.url(), /\/files\/$/)
  await signInInPlace(page)
  await entry(page, 'new name.txt').and(page.locator('[aria-selected=true]')).waitFor()
  assert.ok(inRoot('new name.txt') && !inRoot('a.txt'))
  await close()
})

test('a postponed sign-in keeps the typed name in its row, with the reason and the focus', async () => {
  const { page, close } = await start()
  await pick(page, 'a.txt')
  await startRename(page)
  await page.keyboard.type('new name')
  await endSessionDuring(page, () => page.keyboard.press('Enter'))
  await prompt(page).getByRole('button', { name: 'Later' }).click()
  await page.getByText(/Your session has ended\. Sign in to continue\./).waitFor()
  const field = page.locator('.rename input:focus')
  await field.waitFor()
  assert.equal(await field.inputValue(), 'new name.txt')
  await page.keyboard.press('Enter')
  await signInInPlace(page)
  await entry(page, 'new name.txt').waitFor()
  await close()
})

test('a prompt with a typed name stays below the sign-in, and its folder is created afterwards', async () => {
  const { page, close } = await start()
  await page.getByRole('banner').getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New folder' }).click()
  const below = page.getByRole('dialog', { name: 'New folder', includeHidden: true })
  await below.locator('input:focus').waitFor()
  await page.keyboard.type('plans')
  await endSessionDuring(page, () => page.keyboard.press('Enter'))
  await prompt(page).waitFor()
  assert.equal(await below.locator('input').inputValue(), 'plans')
  await signInInPlace(page)
  await below.waitFor({ state: 'detached' })
  await entry(page, 'plans').waitFor()
  assert.ok(inRoot('plans'))
  await close()
})

test('a deletion of several items waits for the sign-in and continues', async () => {
  const { page, close } = await start()
  await pick(page, 'a.txt', 'b.txt')
  await page.keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: /^Delete/ })
  await question.waitFor()
  await endSessionDuring(page, () => question.getByRole('button', { name: 'Delete', exact: true }).click())
  await signInInPlace(page)
  await entry(page, 'a.txt').waitFor({ state: 'detached' })
  await until(() => !inRoot('a.txt') && !inRoot('b.txt'), 'both are gone')
  await close()
})

test('a listing stays in place, and the folder that was refused is opened afterwards', async () => {
  const { page, close } = await start()
  await endSession(page)
  await openBehindPrompt(page, 'Drawings')
  await prompt(page).waitFor()
  assert.match(page.url(), /\/files\/Drawings\/?$/)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await signInInPlace(page)
  await entry(page, 'roof.txt').waitFor()
  await close()
})

test('while one tab asks for the password, and is reloaded, another keeps its typed text', async () => {
  const { page, context, close } = await start()
  const other = await context.newPage()
  await other.goto(site.url)
  await pick(other, 'b.txt')
  await startRename(other)
  await other.keyboard.type('kept')
  await endSession(page)
  await page.bringToFront()
  await openBehindPrompt(page, 'Drawings')
  await prompt(page).waitFor()
  await page.waitForURL(/\/files\/Drawings\/?$/)
  await page.reload()
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  assert.equal(await other.locator('.rename input').inputValue(), 'kept.txt')
  assert.match(other.url(), /\/files\/$/)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(administratorPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await entry(page, 'roof.txt').waitFor()
  await other.bringToFront()
  // It may have asked too, until it hears of the sign-in.
  await prompt(other).waitFor({ state: 'detached' })
  await other.locator('.rename input').press('Enter')
  await entry(other, 'kept.txt').waitFor()
  assert.ok(inRoot('kept.txt'))
  await close()
})
