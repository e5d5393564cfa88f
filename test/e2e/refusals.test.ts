// The page reports refusals of the server and network failures with their actual reasons.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFollowed } from '../support/followed.ts'
import { entry, pick } from '../support/listing.ts'
import { signIn } from '../support/person.ts'
import { problem } from '../support/problem.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({ files: { 'Drawings/roof.txt': 'roof', 'a.txt': 'a' } })

const bySystem = problem(403, { detail: 'the system does not allow it', refusal: { code: 'systemRefuses', params: {} } })

test('a folder that the server may not read is reported as such, and not explained by a rule', async () => {
  const { page, close } = await site.openListing()
  // The page also asks by itself, as when its live connection begins: that is not what is tried here.
  await page.evaluate(() => {
    const wasPressed = (event: Event) => (event.target as Element).closest('.button-primary') !== null
    addEventListener('click', (event) => wasPressed(event) && document.body.classList.add('tried-again'), { capture: true })
  })
  await page.route('**/api/resources/Drawings?content=false', async (route) => {
    const isTriedAgain = await page.locator('body.tried-again').count()
    return isTriedAgain ? route.continue() : route.fulfill(bySystem)
  })
  await entry(page, 'Drawings').dblclick()
  await page.getByRole('heading', { name: 'The server is not allowed to read this.' }).waitFor()
  assert.equal(await page.getByText(/A rule keeps it/).count(), 0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await entry(page, 'roof.txt').waitFor()
  await close()
})

test('offline is reported as such, and the page recovers by itself when the network is back', async () => {
  const { page, context, close } = await site.openListing()
  // The browser logs requests that fail without a network; these are not errors of the page.
  page.removeAllListeners('console')
  await context.setOffline(true)
  await entry(page, 'Drawings').dblclick()
  await page.getByRole('heading', { name: 'The server cannot be reached.' }).waitFor()
  assert.equal(await page.getByText('Something really went wrong.').count(), 0)
  await context.setOffline(false)
  await entry(page, 'roof.txt').waitFor()
  await close()
})

test('a list that a busy server refuses says so, and the focus is in the page when it is read', async () => {
  const { page, close } = await site.openListing()
  page.removeAllListeners('console')
  await page.route('**/api/users', (route) => route.fulfill(problem(503, { detail: 'too many calls run' })))
  await page.goto(`${site.url}/settings/users`)
  await page.getByRole('heading', { name: 'The server is busy.', level: 2 }).waitFor()
  assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
  await page.getByRole('status').getByText('The server is busy. Try again in a moment.').first().waitFor()
  assert.equal(await page.getByText('too many calls').count(), 0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await page.getByRole('cell', { name: 'admin' }).first().waitFor()
  await page.locator('#main:focus').waitFor()
  await close()
})

test('loading is retried when the server was not reached', async () => {
  const { page, close } = await site.openListing()
  page.removeAllListeners('console')
  await page.route('**/api/resources/Drawings?content=false', (route) => route.abort())
  await entry(page, 'Drawings').dblclick()
  await page.getByRole('heading', { name: 'The server cannot be reached.' }).waitFor()
  await page.unrouteAll()
  await entry(page, 'roof.txt').waitFor()
  await close()
})

test('a download of a file that cannot be read says why in the page', async () => {
  const { page, close } = await site.openListing()
  await page.route('**/api/raw/a.txt', (route) => route.fulfill(bySystem))
  await pick(page, 'a.txt')
  await page.keyboard.press('Control+s')
  const notice = page.getByRole('alert')
  await notice.getByText(/a\.txt.* was not downloaded/).waitFor()
  await notice.getByText(/^The server’s operating system does not allow this/).waitFor()
  await page.unrouteAll()
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')])
  assert.equal(download.suggestedFilename(), 'a.txt')
  await close()
})

test('a download whose session is over asks for the sign-in in place, and follows it', async () => {
  const { page, context, close } = await site.newPerson()
  await signIn(page, site.url)
  await openFollowed(page, `${site.url}/files/Drawings/`)
  await context.clearCookies()
  await pick(page, 'roof.txt')
  await page.keyboard.press('Control+s')
  const prompt = page.getByRole('dialog', { name: 'Sign in to continue' })
  await prompt.getByLabel('Password', { exact: true }).fill(administratorPassword)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  assert.equal(download.suggestedFilename(), 'roof.txt')
  await close()
})
